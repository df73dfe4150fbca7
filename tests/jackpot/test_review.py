"""What a second look at the jackpot found: requests that nobody renewed, awards of a result that was gone, Envy of a void round."""

from typing import Any, ClassVar

import pytest

from jackpot import services as jackpots
from jackpot.errors import AwardExists
from jackpot.models import Award, Claim, Slip, WaitingPrize
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.split import AmountWrong
from jackpot.selectors.jackpots import meter_read
from jackpot.services.standing import ADJUST
from jackpot.tasks import sweep
from payouts.models import Approval
from payouts.rules.approval import ApprovalClosed
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_reject
from tables import services
from tables.errors import CroupierWrong
from tests.databases import superuser
from tests.floor import done
from tests.jackpot.linked import CHECKLIST, Linked, dull, once, royal
from tests.jackpot.lived import Lived, four_of_a_kind
from tests.jackpot.test_late import Late
from tests.jackpot.test_prizes import Careful, Envious, approved_correction, held
from tests.jackpot.test_standing import act
from tests.tables.audits import breached, breached_here
from tests.worlds import world

_GUARDS = "SELECT tgname FROM pg_trigger WHERE tgrelid = 'payouts_approval'::regclass AND NOT tgisinternal"


def turn_down(floor: Linked, approval: Approval) -> None:
    ids = {"approval_id": approval.pk, "house_id": floor.house.pk, "person_id": floor.reto.pk}
    done(approval_reject, **ids, person_roles=floor.reto.roles, reason="the deck was not counted")


def expire(approval: Approval) -> None:
    """Two hours go by for a request."""
    shift(approval, requested_at="- interval '2 hours'", expires_at="- interval '2 hours'")


def shift(approval: Approval, **moments: str) -> None:
    """Moments of a request as another clock would have written them."""
    with superuser() as link:
        guards = [name for (name,) in link.execute(_GUARDS)]
        for name in guards:
            link.execute(f"ALTER TABLE payouts_approval DISABLE TRIGGER {name}")
        sets = ", ".join(f"{column} = {column} {by}" for column, by in moments.items())
        link.execute(f"UPDATE payouts_approval SET {sets} WHERE id = %s", [approval.pk])
        for name in guards:
            link.execute(f"ALTER TABLE payouts_approval ENABLE ALWAYS TRIGGER {name}")


def awards_asked() -> list[str]:
    return list(
        Approval.objects.filter(action="jackpot.award").order_by("requested_at").values_list("state", flat=True)
    )


# Requests
@world(Linked)
@pytest.mark.parametrize("checklist", [CHECKLIST, CHECKLIST | {"deck_counted": "52, by N. Good"}])
def test_a_payment_that_was_turned_down_is_asked_for_again_once_a_claim_was_looked_at_again(
    floor: Linked, own_database: str, checklist: dict[str, str]
) -> None:
    floor.end(0, floor.start(0), royal("h"))
    floor.advance()
    floor.verify_all()
    asked = floor.asked()
    turn_down(floor, asked)
    shift(asked, closed_at="+ interval '1 hour'")  # by a clock that was set back since
    assert (floor.advance(), awards_asked()) == ("verifying", ["rejected"])
    ids = {"house_id": floor.house.pk, "claim_id": Claim.objects.get().pk, "person_id": floor.reto.pk}
    done(jackpots.claim_verify, **ids, checklist=checklist)
    assert (floor.advance(), awards_asked()) == ("verifying", ["rejected", "open"])
    floor.approve()
    assert floor.confirm_all() == "open"
    assert breached() == {}


@world(Careful)
def test_a_prize_is_asked_for_again_when_the_time_of_its_request_is_over(floor: Careful, own_database: str) -> None:
    floor.end(0, floor.start(0), four_of_a_kind())
    prize, first = WaitingPrize.objects.get(), floor.asked("jackpot.prize")
    assert jackpots.prizes_unasked() == []
    assert not jackpots.prize_ask_again(prize.pk)
    expire(first)
    assert jackpots.prizes_unasked() == [prize.pk]
    sweep.apply()
    assert jackpots.prizes_unasked() == []
    again = floor.asked("jackpot.prize")
    assert again.pk != first.pk
    floor.sign(again, floor.reto)
    assert Award.objects.get().amount_minor == 50_000
    assert breached() == {}


@world(Careful)
def test_a_prize_that_was_turned_down_or_goes_with_a_hit_is_left_to_people(floor: Careful) -> None:
    floor.end(1, floor.start(1), four_of_a_kind())
    turn_down(floor, floor.asked("jackpot.prize"))
    floor.end(0, floor.start(0, coins=2), royal("h"))
    assert WaitingPrize.objects.filter(state="waiting").count() == 2
    assert jackpots.prizes_unasked() == []


@world(Careful)
def test_who_dealt_a_round_whose_prize_goes_with_the_hit_signs_neither(floor: Careful) -> None:
    first, second = floor.start(0), floor.start(1)
    floor.end(0, first, royal("h"))
    floor.end(1, second, four_of_a_kind())
    floor.advance()
    floor.verify_all()
    assert set(floor.asked().excluded) == {person.pk for person in floor.croupiers}


@world(Linked)
@pytest.mark.parametrize("late", [False, True])
def test_who_had_the_table_while_the_round_ran_signs_nothing_about_it(floor: Linked, late: bool) -> None:
    won = floor.start(0)
    for person in (floor.nora, floor.martina):  # the first of them in the middle of the round
        values = {"house_id": floor.house.pk, "table_id": floor.tables[0].pk, "actor_id": floor.reto.pk}
        done(services.table_hand_over, **values, croupier_id=person.pk)
    ends = {"house_id": floor.house.pk, "round_id": won, "result": dull() if late else royal("h")}
    once(services.round_settle, prepared=services.round_evaluate(**ends), person_id=floor.martina.pk)
    if late:
        later = {"house_id": floor.house.pk, "table_id": floor.tables[0].pk, "actor_id": floor.reto.pk}
        done(services.table_hand_over, **later, croupier_id=floor.croupiers[1].pk)
        approved_correction(floor, won, royal("h"))
    corrected = {floor.ines.pk} if late else set()
    assert set(Claim.objects.get().dealers) == {floor.croupiers[0].pk, floor.nora.pk, floor.martina.pk} | corrected


# The truth that comes later
def test_a_late_award_asked_for_dies_with_the_result_that_it_was_for(db: None) -> None:
    floor = Late().paid()
    approved_correction(floor, floor.rounds[2], royal("c"))
    ids = {"house_id": floor.house.pk, "round_id": floor.rounds[2], "person_id": floor.reto.pk}
    asked = done(services.late_award_request, **ids, box=1, amount_minor=333_433, reason="overlooked at the table")
    approved_correction(floor, floor.rounds[2], dull())
    with pytest.raises(ApprovalClosed):
        floor.sign(asked, floor.bea)
    assert not Award.objects.filter(kind="late").exists()
    assert breached_here() == {}


@world(Linked)
def test_another_box_of_a_paid_round_is_awarded_late_only_when_the_wrong_award_is_cancelled(floor: Linked) -> None:
    won = floor.start(0, coins=2)
    floor.end(0, won, royal("h"))
    floor.advance()
    floor.verify_all()
    floor.approve()
    floor.confirm_all()
    approved_correction(floor, won, royal("h", box=2))
    with pytest.raises(AwardExists):
        Lived.late(floor, won, 2, 1_000_200)  # type: ignore[arg-type]
    Lived.cancel(floor, Slip.objects.get(), "unpaid")  # type: ignore[arg-type]
    Lived.late(floor, won, 2, 1_000_200)  # type: ignore[arg-type]
    assert list(Award.objects.order_by("at").values_list("kind", "box")) == [("share", 1), ("late", 2)]
    assert breached_here() == {}


@pytest.mark.parametrize("kind", ["prize", "late"])
def test_an_award_that_is_no_share_can_be_cancelled_while_a_hit_runs(db: None, kind: str) -> None:
    class Posting(Late):
        posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(prize_approval_from_minor=50_000)}

    floor = Posting().paid()
    if kind == "late":
        approved_correction(floor, floor.rounds[2], royal("c"))
        floor.late(floor.rounds[2], 1, 333_433)
    else:
        floor.end(0, floor.start(0), four_of_a_kind())
        floor.sign(floor.asked("jackpot.prize"), floor.bea)
    floor.call(1, floor.start(1))
    meter = meter_read(jackpot_id=floor.jackpot.pk)
    floor.cancel(Slip.objects.get(award__kind=kind), "unpaid")
    assert (floor.now().phase, meter_read(jackpot_id=floor.jackpot.pk)) == ("draining", meter)
    assert breached_here() == {}


@world(Linked)
def test_what_came_late_for_a_called_round_is_taken_under_the_lock_alone(floor: Linked) -> None:
    called = floor.start(0)
    floor.call(0, called)
    kept = {"house_id": floor.house.pk, "table_id": floor.tables[0].pk, "round_id": called, "kind": "settle"}
    sent: dict[str, Any] = {"payload": {"result": dull()}, "person_id": floor.croupiers[0].pk}
    entry = done(services.review_item_record, **kept, **sent, refused=CroupierWrong())
    ids = {"house_id": floor.house.pk, "clarify_id": entry.pk, "actor_id": floor.reto.pk}
    assert once(services.review_item_take, **ids, reason="as it came")["state"] == "settled"
    assert Claim.objects.get().state == "dropped"
    assert breached_here() == {}


# Envy of linked tables
@world(Envious)
def test_prg6_coins_of_a_round_that_is_void_later_have_no_envy(floor: Envious) -> None:
    first, second = floor.start(0), floor.start(1)
    floor.end(0, first, royal("h"))
    assert held("prizes_waiting") == 50_000
    floor.void(second)
    assert (WaitingPrize.objects.get().state, held("prizes_waiting")) == ("dropped", 0)
    floor.advance()
    floor.verify_all()
    floor.approve()
    assert Award.objects.get().kind == "share"
    assert breached_here() == {}


@world(Envious)
def test_prg6_a_correction_pays_envy_to_who_played_then_not_to_who_plays_now(floor: Envious) -> None:
    first, then = floor.start(0, coins=0), floor.start(1)
    floor.end(0, first, royal("h"))
    floor.end(1, then, dull())
    floor.start(1)
    approved_correction(floor, first, royal("h"))
    prizes = WaitingPrize.objects.order_by("at").values_list("round_id", "state")
    assert list(prizes) == [(then, "dropped"), (then, "waiting")]
    assert held("prizes_waiting") == 50_000
    assert breached_here() == {}


@world(Envious)
def test_prg6_envy_of_the_link_that_was_cancelled_is_taken_back_by_the_correction(floor: Envious) -> None:
    first, _ = floor.start(0, coins=0), floor.start(1)
    floor.end(0, first, royal("h"))
    floor.sign(floor.asked("jackpot.prize"), floor.bea)
    Lived.cancel(floor, Slip.objects.get(), "unpaid")  # type: ignore[arg-type]
    assert held("prizes_waiting") == 50_000
    approved_correction(floor, first, dull())
    assert (held("prizes_waiting"), held("awards_payable"), held("prize_cost")) == (0, 0, 0)
    assert breached_here() == {}


# Meters at their ends
def test_a_meter_that_owes_prizes_is_put_right_before_it_is_split(db: None) -> None:
    class Paying(Linked):
        posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(paid_by="meter")}

    floor = Paying()
    act(floor, ADJUST, amount_minor=-990_000)
    floor.end(0, floor.start(0), four_of_a_kind())
    floor.end(0, floor.start(0), royal("h"))
    floor.advance()
    assert (floor.verify_all(), meter_read(jackpot_id=floor.jackpot.pk).sum_minor) == ("verifying", -39_800)
    act(floor, ADJUST, amount_minor=990_000)
    floor.advance()
    floor.approve()
    assert Award.objects.get().amount_minor == 950_200
    assert floor.confirm_all() == "open"
    assert breached_here() == {}


@world(Linked)
def test_a_meter_cannot_be_raised_above_what_can_be_shown(floor: Linked) -> None:
    with pytest.raises(AmountWrong):
        act(floor, ADJUST, amount_minor=10**15 - 5)
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_000
