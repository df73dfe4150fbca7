"""A prize that is owed is never stuck: what people turned down, or whose slip they cancelled, is asked for again with a reason."""

from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError

from jackpot import services as jackpots
from jackpot.errors import PrizeNotToAsk, PrizeUnknown
from jackpot.models import Award, Slip, WaitingPrize
from jackpot.tasks import sweep
from payouts.models import Approval, Event
from payouts.rules.approval import SignerRefused
from payouts.services import approval_reject
from tests.cast import make_house
from tests.clock import clock_jumps
from tests.floor import done
from tests.jackpot.linked import Linked, dull, royal
from tests.jackpot.lived import four_of_a_kind
from tests.jackpot.test_prizes import Careful, Envious, approved_correction, held
from tests.jackpot.test_review import expire
from tests.tables.audits import breached, disagreeing
from tests.worlds import world

WHY = "the cards were seen on camera"


def turn_down(floor: Linked, asked: Approval) -> None:
    values = {"approval_id": asked.pk, "house_id": floor.house.pk, "person_id": floor.bea.pk}
    done(approval_reject, **values, person_roles=floor.bea.roles, reason="a misread card")


def cancelled(floor: Linked, how: str = "unpaid") -> None:
    slip = Slip.objects.exclude(state="cancelled").get(award__kind="prize")
    ids = {"house_id": floor.house.pk, "slip_id": slip.pk, "how": how, "reason": "the wrong slip"}
    floor.sign(done(jackpots.award_cancel_request, **ids, person_id=floor.reto.pk), floor.bea)


def ask(floor: Linked, person: Any = None, reason: str = WHY, **changes: Any) -> Approval:
    ids = {"house_id": floor.house.pk, "prize_id": WaitingPrize.objects.get(house=floor.house).pk} | changes
    return done(jackpots.prize_request_again, **ids, person_id=(person or floor.reto).pk, reason=reason)


def owed(floor_class: type[Linked] = Careful) -> tuple[Linked, Any]:
    floor = floor_class()
    round_id = floor.start(0)
    floor.end(0, round_id, four_of_a_kind())
    return floor, round_id


def test_prg5_a_prize_that_was_turned_down_is_asked_for_again_and_paid_once(own_database: str) -> None:
    floor, _ = owed()
    first = floor.asked("jackpot.prize")
    with pytest.raises(PrizeNotToAsk):  # it is asked for
        ask(floor)
    turn_down(floor, first)
    clock_jumps(-3600)  # which of the two is the newer one is told by the log
    asked = ask(floor)
    assert asked.payload == first.payload | {"reason": WHY}
    assert (asked.requester_id, set(asked.excluded)) == (floor.reto.pk, {floor.croupiers[0].pk})
    [told] = Event.objects.filter(name="prize.asked_again")
    assert (told.actor_id, told.reason, told.before) == (floor.reto.pk, WHY, {"state": "rejected"})
    with pytest.raises(SignerRefused):
        floor.sign(asked, floor.reto)
    with pytest.raises(PrizeNotToAsk):
        ask(floor)
    floor.sign(asked, floor.bea)
    assert list(Award.objects.values_list("kind", "amount_minor")) == [("prize", 50_000)]
    assert (held("prizes_waiting"), held("awards_payable")) == (0, 50_000)
    with pytest.raises(PrizeNotToAsk):
        ask(floor)
    assert (breached(), disagreeing()) == ({}, [])


def test_prg5_a_prize_whose_slip_was_cancelled_by_mistake_is_asked_for_again_and_paid_once(own_database: str) -> None:
    floor, _ = owed()
    floor.sign(floor.asked("jackpot.prize"), floor.bea)
    cancelled(floor)
    assert (held("prizes_waiting"), held("awards_payable")) == (50_000, 0)
    assert jackpots.prizes_unasked() == []
    asked = ask(floor, floor.ines)
    assert WaitingPrize.objects.get().state == "waiting"
    floor.sign(asked, floor.reto)
    slips = Slip.objects.order_by("number").values_list("state", "award__amount_minor")
    assert list(slips) == [("cancelled", 50_000), ("open", 50_000)]
    ids = {"house_id": floor.house.pk, "slip_id": Slip.objects.get(state="open").pk, "actor_id": floor.cage.pk}
    done(jackpots.slip_pay, **ids, cash_minor=50_000)
    assert (held("prizes_waiting"), held("awards_payable")) == (0, 0)
    with pytest.raises(PrizeNotToAsk):
        ask(floor)
    cancelled(floor, "loss")  # it was paid: that is not made good by paying again
    with pytest.raises(PrizeNotToAsk):
        ask(floor)
    assert (breached(), disagreeing()) == ({}, [])


def test_a_request_that_ran_out_after_a_person_asked_goes_on_with_his_reason(own_database: str) -> None:
    """The sweep looks at the newest request: that people once said no stops it no more, once one of them has asked again."""
    floor, _ = owed()
    first = floor.asked("jackpot.prize")
    turn_down(floor, first)
    assert jackpots.prizes_unasked() == []
    asked = ask(floor)
    for one in (first, asked):
        expire(one)
    sweep.apply()
    again = floor.asked("jackpot.prize")
    assert (again.pk != asked.pk, again.requester_id, again.payload) == (True, None, asked.payload)
    assert set(again.excluded) == {floor.croupiers[0].pk, floor.reto.pk}
    floor.sign(again, floor.bea)
    assert Award.objects.count() == 1
    assert breached() == {}


def test_a_prize_is_not_asked_for_again_once_its_result_was_corrected(own_database: str) -> None:
    for number, is_paid in enumerate((False, True)):
        floor = Careful(suffix=f".{number}")
        round_id = floor.start(0)
        floor.end(0, round_id, four_of_a_kind())
        asked = floor.asked("jackpot.prize")
        if is_paid:
            floor.sign(asked, floor.bea)
            slip = Slip.objects.get()
            ids = {"house_id": floor.house.pk, "slip_id": slip.pk, "how": "unpaid", "reason": "a misread card"}
            floor.sign(done(jackpots.award_cancel_request, **ids, person_id=floor.reto.pk), floor.bea)
        else:
            turn_down(floor, asked)
        approved_correction(floor, round_id, dull())
        prize = WaitingPrize.objects.get(house_id=floor.house.pk)
        assert prize.state == "dropped"
        with pytest.raises(PrizeNotToAsk):
            ask(floor, prize_id=prize.pk)
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE jackpot_waitingprize SET state = 'waiting' WHERE id = %s", [prize.pk])
    assert (breached(), disagreeing()) == ({}, [])


@world(Envious)
def test_envy_of_a_linked_table_is_asked_for_again_and_dropped_with_the_coin(floor: Envious, own_database: str) -> None:
    first, second = floor.start(0, coins=0), floor.start(1)
    floor.end(0, first, royal("h"))
    floor.sign(floor.asked("jackpot.prize"), floor.bea)
    cancelled(floor)
    turn_down(floor, ask(floor))
    ask(floor)
    floor.void(second)  # its coin goes back: nothing is owed for it
    assert WaitingPrize.objects.get().state == "dropped"
    assert not Approval.objects.filter(action="jackpot.prize", state="open").exists()
    with pytest.raises(PrizeNotToAsk):
        ask(floor)
    assert (breached(), disagreeing()) == ({}, [])


@world(Careful)
def test_what_goes_with_a_hit_and_what_is_of_another_house_is_not_asked_for(floor: Careful, own_database: str) -> None:
    floor.end(0, floor.start(0, coins=2), royal("h"))
    with pytest.raises(PrizeNotToAsk):
        ask(floor)
    with pytest.raises(PrizeUnknown):
        ask(floor, house_id=make_house("Elsewhere").pk)
    floor.advance()
    floor.reject()
    turn_down(floor, floor.asked("jackpot.prize"))
    floor.sign(ask(floor), floor.bea)
    assert Award.objects.get().amount_minor == 50_000
    assert (breached(), disagreeing()) == ({}, [])
