"""What may go into the books as text or as data. Hostile strings are refused here, before any of
them reaches the database.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import orjson

from payouts.errors import Kind, Refused, mark

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

INTEGER_MAX = 2**63 - 1
DEPTH_MAX = 20
DATA_MAX_BYTES = 100_000
_TEXT = frozenset({str})
_TEXTS = frozenset({str, bool, type(None)})
_SURROGATE = re.compile("[\ud800-\udfff]")
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo"})
# one name is written in several of these
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})
_MARKS_MOST = 2  # of a letter, as in Ấ
# Letters, marks and signs that are set as nothing, or as a space: Hangul fillers, an empty Braille
# cell, variation selectors, joiners and ends of lines.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)


class TextRefused(Refused):
    """A text is too long, empty where one is needed, or holds what cannot be shown."""

    code = "text.refused"
    kind = Kind.MALFORMED
    sentence = mark("%(field)s: %(why)s.")
    remedy = mark("Use ordinary letters, digits and signs, at most %(most)s of them.")


class TextShort(TextRefused):
    """A text with fewer characters than its field asks for."""

    sentence = mark("%(field)s: too short, %(count)s of at least %(least)s characters.")
    remedy = mark("Write %(least)s to %(most)s characters.")


class TextLong(TextRefused):
    """A text with more characters than its field holds."""

    sentence = mark("%(field)s: too long, %(count)s of at most %(most)s characters.")
    remedy = mark("Write at most %(most)s characters.")


class NameMixed(TextRefused):
    """A name in letters of more than one script: it looks like another one, and is none."""

    code = "name.scripts_mixed"
    sentence = mark("%(field)s: “%(letter)s” (%(point)s) is not of the script of the first letter.")
    remedy = mark("Write the name in letters of one script, and type this letter again.")


class NameMarked(TextRefused):
    """A name with a letter under a heap of accents."""

    code = "name.marks_heaped"
    sentence = mark("%(field)s: more than %(most)s accents or other marks on “%(letter)s”.")
    remedy = mark("Write at most %(most)s accents or other marks on a letter.")


class DataRefused(Refused):
    """Data is not plain: only objects, lists, texts, whole numbers, true, false and null go into
    the books.
    """

    code = "data.refused"
    kind = Kind.MALFORMED
    sentence = mark("%(field)s: %(why)s.")
    remedy = mark(
        "Send whole numbers (amounts in minor units), texts, true, false, null, and lists and"
        " objects of them."
    )


class DataFraction(DataRefused):
    """A fraction, even one like 1500.0: no amount and no number of ours is one."""

    sentence = mark("%(field)s: %(value)s is no whole number.")
    remedy = mark("Send whole numbers; an amount in minor units, so that 15.00 is sent as 1500.")


def check_text(value: object, field: str, *, most: int, least: int = 0) -> str:
    """Give the text back if it is plain: `least` to `most` characters, none of them a control, a
    surrogate or unassigned.

    Raises TextRefused. The text is not changed: what a person wrote is what an auditor reads.
    """
    if not isinstance(value, str):
        raise TextRefused(field=field, why=mark("not a text"), most=most)
    if len(value) > most:
        raise TextLong(field=field, count=len(value), most=most)
    if len(value) < least and least > 1:
        raise TextShort(field=field, count=len(value), least=least, most=most)
    if least and not value.strip():
        raise TextRefused(field=field, why=mark("empty"), most=most)
    if value.isascii() and value.isprintable():  # nearly all of them, and quickly
        return value
    # Cc controls (with NUL, which PostgreSQL cannot hold), Cs surrogates, Cn unassigned, Cf all but
    # joiners: right-to-left overrides would let a reason read differently from what it says.
    if any(unicodedata.category(letter) in {"Cc", "Cs", "Cn", "Cf"} for letter in value):
        raise TextRefused(
            field=field, why=mark("holds a character that cannot be shown"), most=most
        )
    return value


def check_name(value: object, field: str, *, most: int, least: int = 1) -> str:
    """Give a name back that `check_text` takes, if all of it is seen, its letters are of one script
    and none of them has more than two marks. Raises TextRefused.

    A Cyrillic о in a Latin name, or a filler behind it, makes another name that looks the same.
    """
    text = check_text(value, field, most=most, least=least)
    if text.isascii():
        return text
    if _UNSEEN.search(text):
        raise TextRefused(
            field=field, why=mark("holds a character that cannot be shown"), most=most
        )
    first, base, marks = "", "", 0
    for letter in text:
        script = _script(letter)
        first = first or script
        if script not in ("", first):
            raise NameMixed(field=field, letter=letter, point=f"U+{ord(letter):04X}")
    for letter in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.category(letter) in {"Mn", "Me"} else 0
        base = base if marks else letter
        if marks > _MARKS_MOST:
            raise NameMarked(field=field, letter=base, most=_MARKS_MOST)
    return text


def _script(letter: str) -> str:
    """The script that a letter's name begins with (`CYRILLIC SMALL LETTER O`), for a variant as ª
    that of the letter itself; empty for what goes with any.
    """
    if unicodedata.category(letter) not in _LETTERS:
        return ""
    plain = unicodedata.normalize("NFKC", letter)
    letters = [sign for sign in plain if unicodedata.category(sign) in _LETTERS]
    script = unicodedata.name(letters[0], "").partition(" ")[0] if letters else ""
    return "" if script in _EAST_ASIAN else script


def check_whole(value: object, field: str, *, most: int = 2**31 - 1) -> int:
    """Give a whole number from 0 to `most` back, or raise DataRefused."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise DataRefused(field=field, why=mark("not a whole number"))
    if value < 0:
        raise DataRefused(field=field, why=mark("negative"))
    if value > most:
        raise DataRefused(field=field, why=mark("number too large"))
    return value


def check_data(value: object, field: str) -> Json:
    """Give plain data back, or raise DataRefused: no float (money is whole), no number past 64
    bits, no depth past 20, no NUL.
    """
    return check_canonical(value, field)[0]


def check_canonical(value: object, field: str) -> tuple[Json, bytes]:
    """Give plain data back with its canonical form, or raise DataRefused as `check_data` does."""
    return _plain(value, field, canonical)


def check_written(value: object, field: str) -> tuple[Json, str]:
    """Give plain data back with a form of it that is stored and never hashed, or raise DataRefused
    as `check_data` does.
    """
    checked, text = _plain(value, field, _written)
    return checked, text.decode()


def _plain(value: object, field: str, write: Callable[[Json], bytes]) -> tuple[Json, bytes]:
    checked, text = _quickly(value, write) or _slowly(value, field, write)
    if len(text) > DATA_MAX_BYTES:
        raise DataRefused(field=field, why=mark("too large"))
    return checked, text


def _quickly(value: Any, write: Callable[[Json], bytes]) -> tuple[Json, bytes] | None:
    """What nearly all data passes, at a tenth of the cost: built-in types only, and texts looked at
    all at once when written.

    None says nothing but that somebody has to look closer.
    """
    if not _built_in(value, 0):
        return None
    try:
        text = write(value)
    except orjson.JSONEncodeError:  # a surrogate
        return None
    return None if b"\\u0000" in text else (value, text)


def _built_in(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind is not dict and kind is not list:
        return kind in _TEXTS or (kind is int and abs(value) <= INTEGER_MAX)
    if depth >= DEPTH_MAX or (kind is dict and not _TEXT.issuperset(map(type, value))):
        return False
    for item in (
        value.values() if kind is dict else value
    ):  # texts and numbers are looked at here: a call for each takes longer
        kind = type(item)
        if kind is int:
            if not -INTEGER_MAX <= item <= INTEGER_MAX:
                return False
        elif kind not in _TEXTS and not _built_in(item, depth + 1):
            return False
    return True


def _slowly(value: object, field: str, write: Callable[[Json], bytes]) -> tuple[Json, bytes]:
    checked = _checked(value, field, 0)
    return checked, write(checked)


def _checked(value: object, field: str, depth: int) -> Json:
    if depth > DEPTH_MAX:
        raise DataRefused(field=field, why=mark("too deep"))
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if abs(value) > INTEGER_MAX:
            raise DataRefused(field=field, why=mark("number too large"))
        return int(value)
    if isinstance(value, str):
        if "\0" in value or not (value.isascii() or _SURROGATE.search(value) is None):
            raise DataRefused(field=field, why=mark("holds a character that cannot be stored"))
        return str(value)
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise DataRefused(field=field, why=mark("a key is not a text"))
        return {
            str(_checked(key, field, depth)): _checked(item, f"{field}.{key[:40]}", depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_checked(item, f"{field}[{place}]", depth + 1) for place, item in enumerate(value)]
    raise _other(value, field)


def _other(value: object, field: str) -> DataRefused:
    if isinstance(value, float):
        return DataFraction(field=field, value=str(value))
    return DataRefused(field=field, why=mark("holds something else"))


def canonical(value: Json) -> bytes:
    """One way to write one value: UTF-8 JSON, keys sorted, no spaces. What is hashed, for approvals
    and commands.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _written(value: Json) -> bytes:
    return orjson.dumps(value)  # to sort a long answer takes longer than to write it


def fingerprint(value: Json) -> bytes:
    """SHA-256 of the canonical form, 32 bytes."""
    return hashlib.sha256(canonical(value)).digest()
