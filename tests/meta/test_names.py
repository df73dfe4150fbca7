"""docs/NAMES.md as a test: each of its rules is broken as often as names.json says, and that only falls."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.meta import names
from tests.meta.names import COLUMN, HOW, LONG, NAME, ONE, POSITIONAL, SIDE_BY_SIDE, TWICE, WHO

MORE = (
    "{rule}: {now} times, {most} may be. Instead: {how} (docs/NAMES.md);"
    " `var/venv/bin/python -m tests.meta.names FILE ...` tells where."
)
LESS = (
    "{rule}: {now} times, and no more {most}: run `var/venv/bin/python -m tests.meta.names`, which lowers names.json."
)

SOUND = """
def settle(stakes, cursor):
    '''What a round pays, for each box of a player who won.'''
    for number, stake in enumerate(stakes):
        low, high = stake.low, stake.high
        pay(1, 2, 3, 4, 5, note=stake.note)
    [(number,)] = cursor.fetchall()
    [first] = cursor.fetchone()
    return first.found, stakes[0], print(first)
"""
BROKEN = {
    "def told(): pass": NAME,
    "async def _told(): pass": NAME,
    "class Told: pass": NAME,
    "print: int = 1": NAME,
    "wrong = 1": NAME,
    "self.here = 1": NAME,
    "def do(*, there): pass": NAME,
    "for one in rows: pass": ONE,
    "[number for number, (_, one) in rows]": ONE,
    "pay(1, 2, 3, 4, 5, 6)": POSITIONAL,
    "a, b = f(), 1": SIDE_BY_SIDE,
    "cursor.fetchone()[0]": COLUMN,
    "cursor.fetchall()[0][1]": COLUMN,
    "row[0]": COLUMN,
    "old_row[2]": COLUMN,
    "def do():\n    '''The shares, for\n    who won.'''": WHO,
}


def test_each_rule_is_broken_as_often_as_is_written_and_that_only_falls() -> None:
    now = names.counted()
    most = names.limits()
    amiss = [
        (MORE if now[rule] > most[rule] else LESS).format(rule=rule, now=now[rule], most=most[rule], how=how)
        for rule, how in HOW.items()
        if now[rule] != most[rule]
    ]
    assert amiss == []


def test_each_breach_is_seen_and_nothing_else() -> None:
    seen = {code: Counter(rule for rule, _line in names.broken(ast.parse(code), Path("x.py"))) for code in BROKEN}
    assert seen == {code: Counter([rule]) for code, rule in BROKEN.items()}


def test_sound_code_breaks_nothing_and_a_module_has_a_name_too() -> None:
    assert list(names.broken(ast.parse(SOUND), Path("pay.py"))) == []
    assert list(names.broken(ast.parse(""), Path("casino/told.py"))) == [(NAME, 1)]


def test_a_long_line_and_a_second_class_are_told_with_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "ROOT", tmp_path)
    texts = {
        "casino/a.py": "class Kind: pass\n",
        "tables/b.py": "class Kind: pass\nclass Command: pass\n",
        "tables/c.py": "class Command: pass\n",
        "tests/d.py": "class Kind: pass\n",
        "tables/e.sql": f"SELECT 1;\n{'x' * 101}\n{'x' * 100}\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(names.places(texts)) == [(TWICE, "tables/b.py:1"), (LONG, "tables/e.sql:2")]
