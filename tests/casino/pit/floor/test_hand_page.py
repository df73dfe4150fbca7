"""A hand of poker on the pit's page: put right and voided by the signature of another person (RAK-1)."""

from payouts.models import Approval
from tables.models import Hand
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.poker import deal, opened, poker_table, sit
from tests.worlds import world


class HandDesk(FloorDesk):
    """At a poker table of three guests a hand of two of them has ended, with a rake of 5.00."""

    def __init__(self) -> None:
        super().__init__()
        self.poker = opened(self, poker_table(self))
        self.stays = [sit(self, seat, self.poker) for seat in (1, 2, 3)]
        self.hand = deal(self, *self.stays[:2])
        self.path = f"hands/{self.hand.pk}/"

    def page(self, who: str) -> str:
        return words(self.get(who, self.path))

    def sign(self, who: str, approval: Approval, status: int = 302) -> str:
        seen = bytes(approval.payload_hash).hex()
        return self.post(who, f"{self.path}sign/", status, approval=approval.pk, seen=seen, secret=self.pin(who))


@world(HandDesk)
def test_a_hand_is_put_right_and_voided_when_another_person_signs(desk: HandDesk) -> None:
    first, _second, third = (f"dealt__{stay.pk}" for stay in desk.stays)
    entered = {first: "on", third: "on", "flop": "on", "reason": "seen on camera"}
    refused = desk.post("boss", f"{desk.path}correct/", REFUSED, **entered, pot="80", rake="4.50 or so")
    assert "“4.50 or so” is no amount." in words(refused)
    assert ('value="80"' in refused, refused.count("checked")) == (True, 3)  # nothing typed is lost
    desk.post("boss", f"{desk.path}correct/", **entered, pot="80")
    approval = Approval.objects.get()
    assert "To be signed 1" in words(desk.get("second")).replace("(", "").replace(")", "")
    assert f'href="/floor/{desk.path}#asked-{approval.pk}"' in desk.get("second")
    assert "You asked for it. Somebody else looks at it and signs." in desk.page("boss")
    looked = desk.page("second")
    assert "1 (Guest 1), 2 (Guest 2) 1 (Guest 1), 3 (Guest 3)" in looked
    assert "Rake CHF 5.00 CHF 4.00" in looked
    assert "The hand does not count" not in looked
    desk.sign("boss", approval, 403)
    assert desk.sign("second", approval) == f"/floor/{desk.path}"
    desk.post("second", f"{desk.path}void/", revision=1, status=REFUSED, reason="a card twice in the deck")
    desk.post("second", f"{desk.path}void/", revision=2, reason="a card twice in the deck")
    desk.sign("boss", Approval.objects.get(action="poker.void"))
    hand = Hand.objects.get()
    results = list(hand.results.order_by("revision").values_list("dealt", "pot_minor", "rake_minor"))
    one, two, three = (stay.pk for stay in desk.stays)
    assert (hand.state, results) == ("voided", [([one, two], None, 5_00), ([one, three], 80_00, 4_00)])
    assert desk.get("watch", desk.path).count("<del>CHF\xa04.00</del>") == 2  # nothing counts any more
