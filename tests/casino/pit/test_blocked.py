"""A table at which a hit lets no round begin says so on its tile, whatever the board looks like, until it may go on."""

from typing import ClassVar

import pytest

from casino.pit.board import show
from jackpot.errors import JackpotNotOpen
from jackpot.rules.jackpot_rules import JackpotRules
from payouts.rules.rulesets.schema import Posted
from tests.casino.people import people
from tests.casino.pit.desk import said
from tests.jackpot.linked import Linked, dull, royal
from tests.worlds import world

SAYS = {
    "en": ("On hold : win being verified", "Open"),
    "de": ("Gesperrt : Gewinn wird geprüft", "Offen"),
    "fr": ("Bloquée : gain en vérification", "Ouverte"),
    "it": ("Bloccato : vincita in verifica", "Aperto"),
}


class CoinsAlone(Linked):
    """A hit blocks coins, and no other stake."""

    posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(blocked_after_hit="coins")}


class Board:
    """The board of linked tables as their pit boss reads it."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.client = people.signed_in(people.make(linked.house, "boss.blocked", "pit_boss"))

    def tiles(self, query: str = "", language: str = "en") -> list[tuple[str, str]]:
        """Of each table the class of its tile, and what stands there as its state."""
        page = self.client.get(f"/pit/{query}", headers={"accept-language": language}).content.decode()
        found = []
        for part in page.split('<li class="tile ')[1:]:
            state = part.partition('<span class="state">')[2].partition('<span class="dots">')[0]
            found.append((part.partition('"')[0], said(state).strip()))
        return found

    def hit(self) -> list[tuple[str, str]]:
        """A royal flush at the first table; what tiles say while the second one still plays."""
        first, second = self.linked.start(0), self.linked.start(1)
        self.linked.end(0, first, royal())
        told = self.tiles()
        self.linked.end(1, second, dull())
        self.linked.advance()
        return told


@world(Linked)
def test_tiles_say_that_a_hit_lets_no_round_begin_until_it_is_over(
    floor: Linked, own_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board(floor)
    assert board.tiles() == [("open", "Open")] * 2
    assert board.hit() == [("blocked", "On hold : ending its rounds"), ("running", "Round running")]
    with pytest.raises(JackpotNotOpen):
        board.linked.start(0, coins=0)
    for compact_from in (show.COMPACT_FROM, 1):
        monkeypatch.setattr(show, "COMPACT_FROM", compact_from)
        for query in ("", "?kiosk=1"):
            for language, (blocked, _free) in SAYS.items():
                assert board.tiles(query, language) == [("blocked", blocked)] * 2, (compact_from, query, language)
    board.linked.verify_all()
    board.linked.approve()
    assert board.tiles() == [("blocked", "On hold : new value to be shown")] * 2
    board.linked.confirm_all()
    for language, (_blocked, free) in SAYS.items():
        assert board.tiles("", language) == [("open", free)] * 2, language


@world(CoinsAlone)
def test_where_a_hit_blocks_coins_alone_tables_are_open_and_rounds_begin(floor: CoinsAlone, own_database: str) -> None:
    board = Board(floor)
    assert board.hit() == [("open", "Open"), ("running", "Round running")]
    assert board.tiles() == [("open", "Open")] * 2
    board.linked.start(0, coins=0)
    assert board.tiles() == [("running", "Round running"), ("open", "Open")]
