"""The Makefile exports its variables whether they are set or not: an empty one counts as unset wherever it is read."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.groups import TESTS

ROOT = TESTS.parent
READERS = ("tests/**/*.py", "casino/launcher/**/*.py", "casino/simulate/**/*.py", "docs/*.py")
OWN = {"casino/launcher/serve.py"}  # reads HOST and PORT as the plan of `make run` has filled them in
EXPORTED = set(re.search(r"^export (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[1].split())


def set_by_presence(source: str) -> Iterator[int]:
    """Lines that take an empty variable for a value: a default beside `get`, `in os.environ`, an index."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="get" | "getenv"), args=[_, ast.Constant(value="")]):
                continue
            case ast.Call(func=ast.Attribute(value=place, attr="get"), args=[_, _]) if _environ(place):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="getenv"), args=[_, _]):
                yield node.lineno
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[place]) if _environ(place):
                yield node.lineno
            case ast.Subscript(value=place, slice=ast.Constant(value=name), ctx=ast.Load()) if _environ(place):
                if name in EXPORTED:
                    yield node.lineno


def _environ(node: ast.expr) -> bool:
    return ast.unparse(node) == "os.environ"


def test_an_empty_variable_counts_as_unset_wherever_it_is_read() -> None:
    """Write `os.environ.get("SCALE") or "100000"`."""
    files = {path.relative_to(ROOT).as_posix(): path for pattern in READERS for path in ROOT.glob(pattern)}
    amiss = [f"{name}:{line}" for name, path in files.items() if name not in OWN for line in _lines(path)]
    assert amiss == []


def _lines(path: Path) -> Iterator[int]:
    text = path.read_text("utf-8")
    yield from set_by_presence(text) if "environ" in text or "getenv" in text else ()


def test_each_way_to_take_an_empty_variable_for_a_value_is_seen() -> None:
    sound = 'os.environ.get("SCALE") or "1"\nos.environ.get("TO", "")\nos.environ["PATH"]\nnames.get("SCALE", 1)\n'
    for line in (
        'int(os.environ.get("SCALE", "1"))', 'os.getenv("SCALE", "1")', '"SCALE" in os.environ', '"SCALE" not in os.environ',
        'int(os.environ["SCALE"])',
    ):  # fmt: skip
        assert list(set_by_presence(sound + line)) == [5], line
