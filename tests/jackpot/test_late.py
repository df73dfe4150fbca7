"""The truth that comes after the payment: overlooked royals, wrong awards, corrections before and after (PRG-7, PRG-8)."""

import pytest

from jackpot.errors import (
    AwardExists,
    LateAwardTooMuch,
    NotALateRoyal,
    NotListed,
    ReviewItemOpen,
    SlipCashWrong,
    SlipDoubted,
    SlipSignerPays,
    SlipState,
)
from jackpot.models import Award, Claim, Hit, Slip, Split
from jackpot.selectors.jackpots import meter_read
from jackpot.services import late_payload
from payouts.models import Account, Approval
from payouts.services import approval_reject, approval_request
from tables import services
from tables.errors import RoundState
from tables.selectors.rounds import round_record
from tables.services.parts import took_part
from tests.casino.api.ground import undone
from tests.cast import make_person
from tests.floor import done
from tests.jackpot.linked import dull, royal
from tests.jackpot.lived import Lived
from tests.jackpot.test_prizes import approved_correction, held
from tests.tables.audits import breached_here
from tests.worlds import world


class Late(Lived):
    """Two winners are paid, the third royal flush was not seen at its table."""

    def __init__(self, *, coins: int = 1) -> None:
        super(Lived, self).__init__(count=3)
        self.rounds = [self.start(table, coins=coins) for table in range(3)]
        self.end(0, self.rounds[0], royal("h"))
        self.end(1, self.rounds[1], royal("d"))
        self.end(2, self.rounds[2], dull())
        self.advance()
        self.verify_all()

    def paid(self) -> "Late":
        self.approve()
        self.confirm_all()
        return self


def paid_late() -> Late:
    return Late().paid()


class Overlooked(Lived):
    """One winner is paid 10 005.00; four royal flushes before it were not seen."""

    def __init__(self) -> None:
        super(Lived, self).__init__(count=2)
        self.rounds = []
        for _ in range(4):
            self.rounds.append(self.start(1))
            self.end(1, self.rounds[-1], dull())
        self.win(0)

    def most(self, turn: int) -> int:
        """What can still be got, by asking for more than all of the meter."""
        with pytest.raises(LateAwardTooMuch) as refused:
            self.late(self.rounds[turn], 1, 1_000_501)
        return int(refused.value.data["most_minor"])


@world(Late)
def test_prg7_a_correction_before_the_approval_makes_a_new_revision_and_kills_what_was_signed(floor: Late) -> None:
    floor.sign(floor.asked(), floor.reto)
    approved_correction(floor, floor.rounds[2], royal("c"))
    assert Approval.objects.filter(action="jackpot.award", state="killed").count() == 1
    assert floor.advance() == "verifying"
    floor.verify_all()
    assert [split.revision for split in Split.objects.order_by("revision")] == [1, 2]
    floor.approve()
    assert list(Award.objects.values_list("amount_minor", flat=True)) == [333_433] * 3
    assert breached_here() == {}


@world(Late)
def test_a_claim_that_a_correction_takes_away_is_dropped(floor: Late) -> None:
    approved_correction(floor, floor.rounds[1], dull())
    assert list(Claim.objects.order_by("number").values_list("state", flat=True)) == ["verified", "dropped"]
    floor.advance()
    floor.approve()
    assert Award.objects.get().amount_minor == 1_000_300
    assert breached_here() == {}


@world(paid_late)
def test_a_royal_overlooked_is_paid_by_the_house_and_the_other_shares_stand(floor: Late) -> None:
    meter = meter_read(jackpot_id=floor.jackpot.pk)
    with pytest.raises(NotALateRoyal):
        floor.late(floor.rounds[2], 1, 333_433)
    approved_correction(floor, floor.rounds[2], royal("c"))
    floor.late(floor.rounds[2], 1, 333_433)
    late = Award.objects.get(kind="late")
    assert (late.amount_minor, late.hit, late.slip.number) == (333_433, Hit.objects.get(), 3)
    assert Account.objects.get(kind="award_cost").balance_minor == 333_433
    assert meter_read(jackpot_id=floor.jackpot.pk) == meter
    with pytest.raises(AwardExists):
        floor.late(floor.rounds[2], 1, 333_433)
    assert breached_here() == {}


@world(paid_late)
def test_prg7_a_late_award_is_at_most_what_its_epoch_gives_by_its_winners(floor: Late) -> None:
    approved_correction(floor, floor.rounds[2], royal("c"))
    with pytest.raises(LateAwardTooMuch) as refused:
        floor.late(floor.rounds[2], 1, 333_434)
    assert refused.value.data == {"most_minor": 333_433}
    floor.cancel(Slip.objects.get(number=2), "unpaid")
    with pytest.raises(LateAwardTooMuch):
        floor.late(floor.rounds[2], 1, 500_151)
    floor.late(floor.rounds[2], 1, 500_150)
    assert [slip.award.amount_minor for slip in Slip.objects.exclude(state="cancelled")] == [500_150] * 2
    assert breached_here() == {}


@world(Overlooked)
def test_prg7_the_late_awards_of_an_epoch_are_together_no_more_than_it_gave(floor: Overlooked) -> None:
    """One after the other, each an equal part by then; what was paid and asked back has left the cage."""
    most = []
    for turn, round_id in enumerate(floor.rounds):
        approved_correction(floor, round_id, royal("d"))
        most.append(floor.most(turn))
        if most[-1]:
            floor.late(round_id, 1, most[-1])
    assert most == [500_250, 333_500, 166_750, 0]
    floor.pay(Slip.objects.get(number=2))
    floor.cancel(Slip.objects.get(number=2), "receivable")
    assert floor.most(3) == 0
    floor.cancel(Slip.objects.get(number=3), "unpaid")
    assert floor.most(3) == 333_500
    assert breached_here() == {}


@world(Overlooked)
def test_prg7_an_award_that_was_paid_and_lost_frees_no_part(floor: Overlooked) -> None:
    approved_correction(floor, floor.rounds[0], royal("d"))
    for how, most in (("loss", 500_250), ("receivable", 1_000_500)):
        with undone():
            floor.pay(Slip.objects.get())
            floor.cancel(Slip.objects.get(), how)
            assert floor.most(0) == most


@world(paid_late)
def test_prg7_what_was_signed_above_that_is_not_paid(floor: Late) -> None:
    """Asked for past the service, or while fewer awards stood: the database refuses it."""
    approved_correction(floor, floor.rounds[2], royal("c"))
    place = {"round_id": floor.rounds[2], "table_id": floor.tables[2].pk}
    values = {"jackpot_id": floor.jackpot.pk, "hit_id": Hit.objects.get().pk, **place, "box": 1}
    values |= {"guest_id": floor.guests[2][0].pk, "amount_minor": 100 * 1_000_300, "reason": "overlooked"}
    about = {"subject_kind": "round", "subject_id": floor.rounds[2], "payload": late_payload(**values)}
    ids = {"house_id": floor.house.pk, "requester_id": floor.reto.pk}
    ids["excluded"] = took_part(round_record(house_id=floor.house.pk, round_id=floor.rounds[2]))
    request = done(approval_request, **ids, action="jackpot.award_late", **about)
    with pytest.raises(LateAwardTooMuch):
        floor.sign(request, floor.bea)
    assert not Award.objects.filter(kind="late").exists()


@world(paid_late)
def test_an_unpaid_wrong_award_is_cancelled_and_its_share_goes_into_the_running_meter(floor: Late) -> None:
    floor.cancel(Slip.objects.get(number=2), "unpaid")
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_000 + 500_150
    with pytest.raises(SlipState):
        floor.pay(Slip.objects.get(number=2))
    assert breached_here() == {}


@world(paid_late)
@pytest.mark.parametrize(("how", "kind"), [("receivable", "award_receivable"), ("loss", "award_cost")])
def test_a_paid_wrong_award_is_asked_back_or_lost(floor: Late, how: str, kind: str) -> None:
    slip = Slip.objects.get(number=1)
    with pytest.raises(SlipCashWrong):
        floor.pay(slip, cash_minor=500_151)
    with pytest.raises(SlipSignerPays):
        floor.pay(slip, actor_id=floor.reto.pk)
    floor.pay(slip)
    with pytest.raises(SlipState):
        floor.pay(slip)
    with pytest.raises(SlipState):
        floor.cancel(slip, "unpaid")
    floor.cancel(Slip.objects.get(number=1), how)
    assert Account.objects.get(kind=kind).balance_minor == 500_150
    assert held("awards_payable") == 500_150
    assert breached_here() == {}


@world(paid_late)
def test_a_slip_whose_round_was_corrected_since_is_not_paid(floor: Late) -> None:
    slip = Slip.objects.get(number=2)
    approved_correction(floor, floor.rounds[1], dull())
    with pytest.raises(SlipDoubted):
        floor.pay(slip)
    floor.pay(Slip.objects.get(number=1))
    floor.cancel(slip, "unpaid")
    assert Slip.objects.get(number=2).cancelled_as == "unpaid"
    assert breached_here() == {}


@world(Late)
def test_prg8_a_royal_from_before_the_hit_waits_until_the_hit_is_decided(floor: Late) -> None:
    floor.reject()
    floor.confirm_all()
    before = floor.start(0)
    floor.end(0, before, dull())
    floor.end(1, floor.start(1), royal("d"))
    with pytest.raises(NotListed):
        approved_correction(floor, before, royal("h"))
    floor.advance()
    floor.reject()
    approved_correction(floor, before, royal("h"))
    assert floor.advance() == "verifying"
    assert Hit.objects.count() == 3
    floor.verify_all()
    floor.approve()
    assert Award.objects.get().round_id == before
    assert breached_here() == {}


@world(Late)
def test_prg7_a_royal_that_came_late_and_waits_for_a_signature_holds_the_payment(floor: Late) -> None:
    """The pit settled a listed round by what was said; its tablet sends a royal flush: nobody is paid before it is decided."""
    third = {"house_id": floor.house.pk, "table_id": floor.tables[2].pk, "round_id": floor.rounds[2]}
    sent = {"kind": "settle", "payload": {"result": royal("c")}, "refused": RoundState(state="settled")}
    entry = done(services.review_item_record, **third, **sent, person_id=floor.croupiers[2].pk)
    rita = make_person("rita.late", "pit_boss", house=floor.house)
    ids = {"house_id": floor.house.pk, "clarify_id": entry.pk, "actor_id": rita.pk}
    done(services.review_item_take, **ids, reason="seen on camera")
    entry.refresh_from_db()
    assert (entry.state, Claim.objects.count()) == ("open", 2)
    with pytest.raises(ReviewItemOpen):
        floor.sign(floor.asked(), floor.bea)
    assert floor.advance() == "verifying"
    floor.sign_plainly(floor.asked("round.correct"), floor.ines)
    approved_correction(floor, floor.rounds[2], royal("c"))
    entry.refresh_from_db()
    assert (entry.state, Claim.objects.filter(state="open").count()) == ("taken", 1)
    floor.verify_all()
    floor.paid()
    assert Award.objects.filter(kind="share").count() == 3
    assert breached_here() == {}


@world(Late)
def test_prg7_a_royal_that_somebody_asks_to_enter_holds_the_payment_until_it_is_decided(floor: Late) -> None:
    """Whoever asked, from whichever page: two people would pay the meter without the third winner."""
    ids = {"house_id": floor.house.pk, "round_id": floor.rounds[2]}
    prepared = services.round_evaluate(**ids, result=royal("c"), state="settled")
    asked = done(services.round_correction_request, prepared=prepared, person_id=floor.reto.pk, reason="seen on camera")
    with pytest.raises(ReviewItemOpen):
        floor.approve()
    assert not Award.objects.exists()
    person = {"person_id": floor.ines.pk, "person_roles": floor.ines.roles}
    done(approval_reject, **person, approval_id=asked.pk, house_id=floor.house.pk, reason="it was a straight flush")
    floor.approve()
    assert list(Award.objects.values_list("amount_minor", flat=True)) == [500_150] * 2
    assert breached_here() == {}
