"""The page of a hand whose pots are entered, in the pit and at the audit desk, and its file (POK-6, POK-7)."""
# ruff: noqa: N802 - tests are named after the rules

from payouts.models import Approval
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Street
from tables.models import Hand
from tests.casino.audit.desk import ENGLISH
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.poker import of_hand
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
    waits = "Won, by seat Seat 7: CHF 335.00 Seat 3: CHF 123.00; Seat 7: CHF 212.00 Chips only the book was wrong"
    assert waits in desk.page("second")
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
