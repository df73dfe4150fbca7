"""Tables at which somebody plays are not taken by a demonstration, unless whoever started it says so."""

import io
from typing import Any

import pytest

from casino.simulate import demo, set_up
from casino.simulate.clients import Refused
from casino.simulate.options import Options, Wrong
from casino.simulate.report import Terminal
from tests.turns import each

JACKPOT = {"id": "j1"}


def table(name: str, *, state: str = "closed", runs: str = "") -> dict[str, Any]:
    there = state == "open"
    return {
        "id": name, "name": name, "game": "uth", "jackpot": "j1", "state": state, "retired": False,
        "croupier": {"name": "Martina Frei"} if there else None, "running_round": {"id": runs} if runs else None,
    }  # fmt: skip


class People(dict[str, Any]):
    """A pit boss and a manager who note what they are told to do; a round that claims goes by two of them."""

    def __init__(self, *tables: dict[str, Any]) -> None:
        self.done: list[str] = []
        self.tables, self.client = list(tables), self
        super().__init__(boss=self, manager=self, technician=self)

    def every(self, _path: str) -> list[dict[str, Any]]:
        return self.tables

    def post(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        if path == "rounds/claims/void/" and "approval" not in (body or {}):
            raise Refused(409, {"code": "jackpot.round_claims"})
        self.done.append(path)
        return {"id": "a1"}

    def sign(self, asked: dict[str, Any]) -> None:
        self.done.append(f"signed {asked['id']}")


def test_a_table_in_use_is_left_alone_and_it_is_said_how_it_could_be_taken() -> None:
    people = People(table("UTH 1"), table("UTH 2", state="open", runs="r1"))
    with pytest.raises(
        Wrong, match=r"Somebody plays at UTH 2: close them first, or say that they may be taken \(--take\)\."
    ):
        set_up.tables_of(Options(), people, JACKPOT)
    assert people.done == []


@each(("answer", "taken"), [(True, True), (False, False)])
def test_whoever_is_asked_reads_who_plays_and_decides(answer: bool, taken: bool) -> None:
    people, asked = People(table("UTH 1", state="open"), table("UTH 2", state="open", runs="claims")), []
    options = Options()
    options.ask = lambda played: asked.append(played) or answer
    if taken:
        set_up.tables_of(options, people, JACKPOT)
    else:
        with pytest.raises(Wrong):
            set_up.tables_of(options, people, JACKPOT)
    assert asked == ["UTH 1 is open, Martina Frei has it; UTH 2 is open, Martina Frei has it, and a round is running"]
    ended = [
        "tables/UTH 1/close/",
        "rounds/claims/void-request/",
        "signed a1",
        "rounds/claims/void/",
        "tables/UTH 2/close/",
    ]
    assert people.done == (ended if taken else [])


def test_nobody_is_asked_where_all_tables_are_closed_or_where_it_was_said_before() -> None:
    options = Options(take=True)
    options.ask = lambda _played: pytest.fail("asked")
    set_up.tables_of(options, People(table("UTH 1", state="open")), JACKPOT)
    options.take = False
    set_up.tables_of(options, People(table("UTH 1")), JACKPOT)


@each(("typed", "yes"), [("y", True), ("Yes", True), ("", False), ("no", False), ("j", False)])
def test_only_a_yes_at_a_terminal_is_one(monkeypatch: pytest.MonkeyPatch, typed: str, yes: bool) -> None:
    terminal = io.StringIO(f"{typed}\n")
    monkeypatch.setattr("sys.stdin", terminal)
    said = io.StringIO()
    assert demo.asked(Terminal(said))("uTH 1 is open") is False  # nobody sits there
    terminal.isatty = lambda: True
    assert demo.asked(Terminal(said))("uTH 1 is open") is yes
    assert said.getvalue() == "UTH 1 is open.\n"
