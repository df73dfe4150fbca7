"""The compiler that sets reports, and which letters it can set. A letter that no font has would be
a box on paper, the same for each: there it is spelt by its number.
"""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import typst

HERE = Path(__file__).parents[1]
NOWHERE = "\U00100000"  # for private use: no font of ours has it
AT_ONCE = 2000  # letters that are tried together
_ALONE = Lock()  # the compiler serves one thread at a time
_set: dict[str, bool] = {}  # by letter whether a font has it; fonts never change meanwhile


def compiled(source: str, form: str, **inputs: object) -> Any:
    """What a file of ours makes of JSON inputs: bytes of a PDF, or of each page as a picture. From
    any thread.
    """
    texts = {name: json.dumps(value, ensure_ascii=False) for name, value in inputs.items()}
    with _ALONE:
        return _compiler(source).compile(format=form, sys_inputs=texts, ppi=110)


@cache
def _compiler(source: str) -> Any:
    """One compiler for all reports of a process: reading its fonts takes longest. It reads nothing
    but our files.
    """
    return typst.Compiler(
        str(HERE / source),
        root=str(HERE),
        font_paths=[str(HERE / "fonts")],
        ignore_system_fonts=True,
    )


def spelt(text: str) -> str:
    """The text with `[U+6F22]` for each letter that no font has."""
    if text.isascii():
        return text
    _try({letter for letter in text if not letter.isascii()} - _set.keys())
    return "".join(
        letter if letter.isascii() or _set[letter] else f"[U+{ord(letter):04X}]" for letter in text
    )


def spelt_data(data: Any) -> Any:
    """Plain data with all its texts spelt so."""
    if isinstance(data, str):
        return spelt(data)
    if isinstance(data, dict):
        return {name: spelt_data(value) for name, value in data.items()}
    return [spelt_data(value) for value in data] if isinstance(data, list | tuple) else data


def _try(letters: Iterable[str]) -> None:
    """A letter that no font has is drawn as the one that none has."""
    untried = sorted(letters)
    for first in range(0, len(untried), AT_ONCE):
        some = untried[first : first + AT_ONCE]
        nowhere, *drawn = compiled("letters.typ", "svg", letters=[NOWHERE, *some])
        _set.update({letter: page != nowhere for letter, page in zip(some, drawn, strict=True)})
