"""The page of a hand whose pots are entered, in the pit and at the audit desk, and its file (POK-6, POK-7)."""
# ruff: noqa: N802 - tests are named after the rules

import re
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from payouts.models import Approval
from tables.audit.replay_hands import HandAgain, hand_again
from tables.games.poker import settle
from tables.games.poker.rules import PokerGame
from tables.games.poker.settle import PotWinners
from tables.games.poker.share import PotShare, shares_of
from tables.games.poker.streets import Street
from tables.models import Hand
from tests.casino.audit.desk import ENGLISH
from tests.casino.audit.reports.asked import lines
from tests.casino.pit.differences import signed_lines
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.poker import GAME, PokerRoom, at_table, of_hand, opened, poker_table
from tests.tables.audits import breached_here
from tests.tables.test_pots import BETS, Potted
from tests.worlds import world


class PotsDesk(FloorDesk, Potted):
    """A hand whose main pot went to seat 7, who left with the chips before it was to be put right."""

    def __init__(self) -> None:
        super().__init__()
        mistyped = self.entry(*BETS[:3], Street(0, {5: 0}), winners=[[7]])
        self.hand = self.end(mistyped)
        self.of(self.stays[2], "stay_leave", counted_minor=335_00)
        assert mistyped.pots is not None
        self.right = mistyped._replace(pots=mistyped.pots._replace(winners=(PotWinners((3, 7)),)))
        self.path = f"hands/{self.hand.pk}/"

    def page(self, who: str) -> str:
        return words(self.get(who, self.path))


@world(PotsDesk)
def test_POK_6_the_page_says_who_paid_and_won_what(desk: PotsDesk) -> None:
    before = desk.get("boss", desk.path)
    assert [f"{desk.path}{step}/" in before for step in ("correct", "void")] == [False, True]
    desk.post("boss", f"{desk.path}correct/", REFUSED, reason="seen on camera", rake="5")
    of_hand(desk, desk.hand, "hand_correction_request", entry=desk.right)
    approval = Approval.objects.get()
    first, *_more, second = (line for line in signed_lines(desk.get("second", desk.path)) if line.startswith("Seat"))
    assert re.fullmatch(r"Seat 3 · Guest \d: CHF 0\.00 → CHF 123\.00, \+123\.00", first)
    assert re.fullmatch(r"Seat 7 · Guest \d: CHF 335\.00 → CHF 212\.00, −123\.00", second)
    assert "only the book was wrong" in desk.page("second")
    seen = {"approval": approval.pk, "seen": bytes(approval.payload_hash).hex(), "secret": desk.pin("second")}
    desk.post("second", f"{desk.path}sign/", **seen)
    assert Hand.objects.get().revision == 2
    audited = desk.clients["auditor"].get(f"/audit/hands/{desk.hand.pk}/", headers=ENGLISH).content.decode()
    assert "only the book was wrong mistyped" in desk.page("watch")
    for page in (desk.page("watch"), words(audited)):
        for part in (
            "Street To match 3 (Guest 1) 5 (Guest 2) 7 (Guest 3) 1 CHF 15.00",
            "4 CHF 0.00 folded with CHF 0.00",
            "1 CHF 255.00 CHF 10.00 Seat 3: CHF 123.00 (odd chips CHF 1.00, POK-7); Seat 7: CHF 122.00",
            "2 CHF 90.00 CHF 0.00 Seat 7: CHF 90.00",
            "3 (Guest 1) CHF 85.00 CHF 85.00 CHF 0.00 CHF 123.00 CHF 38.00 5 (Guest 2)",
            "7 (Guest 3) CHF 130.00 CHF 130.00 CHF 0.00 CHF 212.00 CHF 82.00 CHF −123.00",
        ):
            assert part in page, (part, page)


@world(PotsDesk)
def test_POK_7_the_file_of_a_hand_has_its_seats_pots_and_shares(desk: PotsDesk) -> None:
    recorded = desk.clients["auditor"].get(f"/audit/hands/{desk.hand.pk}/json/").json()["recorded"]
    assert [(seat["seat"], seat["stay"], seat["live_minor"], seat["won_minor"]) for seat in recorded["seats"]] == [
        (3, str(desk.stays[0].pk), 85_00, 0),
        (5, str(desk.stays[1].pk), 130_00, 0),
        (7, str(desk.stays[2].pk), 130_00, 335_00),
    ]
    assert recorded["pots"] == [
        {"revision": 1, "number": 1, "amount_minor": 255_00, "rake_minor": 10_00, "seats": [3, 7]},
        {"revision": 1, "number": 2, "amount_minor": 90_00, "rake_minor": 0, "seats": [7]},
    ]
    share = {"revision": 1, "number": 1, "half": "whole", "seat": 7, "amount_minor": 245_00, "odd_minor": 0}
    assert recorded["shares"] == [share, share | {"number": 2, "amount_minor": 90_00}]


class HalvesDesk(FloorDesk, Potted):
    """Three guests with 100.00 each at a table of Omaha hi-lo."""

    also_posted: ClassVar[Any] = [
        *PokerRoom.also_posted,
        (GAME, "Hi-lo", PokerGame(variants=("omaha_hilo",), limit="pot", fee="nothing")),
    ]

    def __init__(self) -> None:
        FloorDesk.__init__(self)
        names = {"poker_game": "Hi-lo", "poker_rules": "Bad Ragaz"}
        self.raked = opened(self, poker_table(self, "Poker 4", **names))
        at_table(self, "table_entry_level_set", self.raked, entry_level="pots")
        self.stays = [self.sit(seat) for seat in (3, 5, 7)]

    def halved(self, street: Street, high: tuple[int, ...], low: int) -> Hand:
        entry = self.entry(street)
        assert entry.pots is not None
        return self.end(entry._replace(pots=entry.pots._replace(winners=(PotWinners(high, (low,)),))))

    def shares(self, hand: Hand) -> str:
        """Of its one pot, as the page has them."""
        page = words(self.get("watch", f"hands/{hand.pk}/"))
        return page.partition("Won by ")[2].partition(" Seats ")[0]


@world(HalvesDesk)
def test_POK_7_the_odd_chip_of_two_halves_is_named_with_its_owner(
    desk: HalvesDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the page and in the report, also where it makes equal parts of the high half; where it was not, nothing is amiss."""

    def before(minor: int, high: Any, low: Any, sharing: Any) -> tuple[PotShare, ...]:
        return tuple(share._replace(odd_minor=0) for share in shares_of(minor, high, low, sharing))

    with monkeypatch.context() as old:
        old.setattr(settle, "shares_of", before)
        unnamed = desk.halved(Street(15_00), (3,), 5)
    alone = desk.halved(Street(15_00), (3,), 5)
    evenly = desk.halved(Street(4_00, {7: 3_00}), (3, 5), 5)
    uneven = desk.halved(Street(5_00, {7: 4_00}), (3, 5), 5)
    odd, first, low = "odd chip of the two halves CHF 1.00, POK-7", "odd chips CHF 1.00, POK-7", "Seat 5:"
    assert [desk.shares(hand) for hand in (unnamed, alone, evenly, uneven)] == [
        "1 CHF 45.00 CHF 0.00 Seat 3: CHF 23.00 (high half); Seat 5: CHF 22.00 (low half)",
        f"1 CHF 45.00 CHF 0.00 Seat 3: CHF 23.00 (high half; {odd}); Seat 5: CHF 22.00 (low half)",
        f"1 CHF 11.00 CHF 0.00 Seat 3: CHF 3.00 (high half); Seat 5: CHF 3.00 (high half; {odd}); {low} CHF 5.00 (low half)",
        f"1 CHF 14.00 CHF 0.00 Seat 3: CHF 4.00 (high half; {first}); Seat 5: CHF 3.00 (high half); {low} CHF 7.00 (low half)",
    ]
    evening: Any = SimpleNamespace(house=desk.house, day=alone.session.gaming_day)
    rows = [(row["hand"], row["half"], row["seat"], row["odd"], row["halves"]) for row in lines(evening, "odd-chips")]
    assert rows == [(2, "high", 3, 1_00, 1_00), (3, "high", 5, 1_00, 1_00), (4, "high", 3, 1_00, 0)]
    assert {hand_again(hand.pk) == HandAgain([], []) for hand in Hand.objects.all()} == {True}
    assert breached_here() == {}
