"""What a second look found about the truth after the payment: prizes of a meter that is gone, cancelled slips, retired jackpots."""

from typing import Any, ClassVar

import pytest

from casino.devices.refusals import DeviceJackpotUnknown
from casino.devices.services import device_code_make
from jackpot import services as jackpots
from jackpot.errors import AwardExists
from jackpot.models import Award, Jackpot, Slip, WaitingPrize
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from jackpot.selectors.jackpots import meter_read
from jackpot.services.standing import RETIRE, SUSPEND
from payouts.models import Account, Approval, Event
from payouts.rules.approval import SignerRefused
from payouts.rules.plain import TextRefused
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.audit.replay import replay
from tables.models import RoundLine
from tests.cast import make_house, make_person
from tests.databases import superuser
from tests.floor import done, second_jackpot
from tests.jackpot.linked import Linked, dull, royal
from tests.jackpot.lived import four_of_a_kind
from tests.jackpot.test_late import Late, paid_late
from tests.jackpot.test_prizes import approved_correction, held
from tests.jackpot.test_standing import act
from tests.tables.audits import FREE, breached, breached_here
from tests.worlds import world


def replayed() -> dict[str, list[Any]]:
    return {result.name: result.breaches for result in replay(everything=True) if result.breaches}


class OfMeter(Linked):
    """The meter pays fixed prizes; `waits`: from 500 francs up they wait for an approval."""

    posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(paid_by="meter")}


class OfMeterWaits(OfMeter):
    posted: ClassVar[dict[str, Posted]] = OfMeter.posted | {
        "jackpot_rules": JackpotRules(prize_approval_from_minor=50_000)
    }


class OfMeterLink(Linked):
    posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(paid_by="meter", envy_scope="link")}


# Prizes of a meter that was paid since
@pytest.mark.parametrize("house", [OfMeter, OfMeterWaits])
def test_prg5_a_meters_prize_corrected_away_after_the_reset_falls_to_the_house(
    own_database: str, house: type[Linked]
) -> None:
    floor = house()
    wrong = floor.start(0)
    floor.end(0, wrong, four_of_a_kind())
    floor.win(1)
    assert Award.objects.get(kind="share").amount_minor == 1_000_200 - 50_000
    meter = meter_read(jackpot_id=floor.jackpot.pk)
    approved_correction(floor, wrong, dull())
    assert (held("prize_cost"), held("meter_prizes"), held("prizes_waiting")) == (50_000, 0, 0)
    assert meter_read(jackpot_id=floor.jackpot.pk) == meter
    assert (breached(), replayed()) == ({}, {})
    approved_correction(floor, wrong, four_of_a_kind())  # it was right after all
    assert (held("prize_cost"), held("meter_prizes")) == (0, 0)
    assert (breached(), replayed()) == ({}, {})


@pytest.mark.parametrize("house", [OfMeter, OfMeterWaits])
def test_prg5_a_prize_found_after_the_reset_is_paid_by_the_house(own_database: str, house: type[Linked]) -> None:
    floor = house()
    wrong = floor.start(0)
    floor.end(0, wrong, dull())
    floor.win(1)
    meter = meter_read(jackpot_id=floor.jackpot.pk)
    approved_correction(floor, wrong, four_of_a_kind())
    assert (held("prize_cost"), held("meter_prizes")) == (-50_000, 0)
    assert set(RoundLine.objects.filter(round_id=wrong).values_list("paid_by", flat=True)) == {"house"}
    assert meter_read(jackpot_id=floor.jackpot.pk) == meter
    assert (breached(), replayed()) == ({}, {})


@world(OfMeter)
def test_prg5_a_correction_in_the_running_epoch_is_the_meters(floor: OfMeter, own_database: str) -> None:
    wrong = floor.start(0)
    floor.end(0, wrong, four_of_a_kind())
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_100 - 50_000
    approved_correction(floor, wrong, dull())
    assert (meter_read(jackpot_id=floor.jackpot.pk).sum_minor, held("prize_cost")) == (1_000_100, 0)
    assert (breached(), replayed()) == ({}, {})


@world(OfMeterLink)
def test_prg6_envy_of_the_link_is_paid_by_the_meter_where_it_pays_prizes(floor: OfMeterLink, own_database: str) -> None:
    first, second = floor.start(0, coins=0), floor.start(1)
    floor.end(0, first, royal("h"))
    floor.end(1, second, dull())
    assert (held("meter_prizes"), held("prizes_waiting"), held("prize_cost")) == (-50_000, 50_000, 0)
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_100 - 50_000
    floor.win(0)
    assert Award.objects.get(kind="share").amount_minor == 1_000_200 - 50_000
    approved_correction(floor, first, dull())
    assert (WaitingPrize.objects.get().state, held("prizes_waiting")) == ("dropped", 0)
    assert (held("meter_prizes"), held("prize_cost")) == (0, 50_000)
    approved_correction(floor, first, royal("h"))
    assert (held("meter_prizes"), held("prizes_waiting"), held("prize_cost")) == (0, 50_000, 0)
    assert (breached(), replayed()) == ({}, {})


# Awards
@world(paid_late)
def test_prg8_a_true_winner_whose_slip_was_cancelled_by_mistake_is_awarded_again(floor: Late) -> None:
    slip = Slip.objects.get(number=1)
    with pytest.raises(AwardExists):
        floor.late(slip.award.round_id, 1, 500_150)
    floor.cancel(slip, "unpaid")
    floor.late(slip.award.round_id, 1, 500_150)
    assert list(
        Award.objects.filter(round_id=slip.award.round_id).order_by("at").values_list("kind", "slip__state")
    ) == [
        ("share", "cancelled"),
        ("late", "open"),
    ]
    with pytest.raises(AwardExists):
        floor.late(slip.award.round_id, 1, 500_150)
    assert breached_here() == {}


@world(paid_late)
def test_prg8_a_correction_after_the_payment_says_which_award_is_in_doubt(floor: Late, own_database: str) -> None:
    approved_correction(floor, floor.rounds[1], dull())
    doubted = Event.objects.get(name="jackpot.award_doubted")
    assert (doubted.subject_id, doubted.after) == (str(floor.rounds[1]), {"boxes": [1]})
    assert replayed() == {
        "awards_are_of_rounds_that_claim": [
            {"round_id": str(floor.rounds[1]), "box": 1, "why": "has an award that the round does not give"}
        ]
    }
    floor.cancel(Slip.objects.get(number=2), "unpaid")
    assert (breached(), replayed()) == ({}, {})
    approved_correction(floor, floor.rounds[2], royal("c"))
    assert Event.objects.get(name="jackpot.royal_overlooked").after == {"boxes": [1]}


@world(paid_late)
def test_replay_names_an_award_whose_result_cannot_be_read(floor: Late, own_database: str) -> None:
    with superuser(own_database) as link:
        link.execute(FREE)
        link.execute("UPDATE tables_roundresult SET result = '{}' WHERE round_id = %s", [floor.rounds[0]])
    assert set(replayed()) == {"rounds_settle_again_to_their_lines", "awards_are_of_rounds_that_claim"}


@world(paid_late)
@pytest.mark.parametrize("how", ["unpaid", "loss"])
def test_a_wrong_share_of_a_retired_jackpot_goes_to_its_heirs_meter(floor: Late, how: str) -> None:
    if how == "loss":
        floor.pay(Slip.objects.get(number=2))
    heirs = [second_jackpot(floor.house, name=name) for name in ("Second", "Third")]
    retire(floor, floor.jackpot, heirs[0])
    retire(floor, heirs[0], heirs[1])
    with pytest.raises(DeviceJackpotUnknown):  # nothing is shown of it any more
        device_code_make(kind="display", place_id=heirs[0].pk, name="Bar", by=floor.tim)
    before = meter_read(jackpot_id=heirs[1].pk).sum_minor
    floor.cancel(Slip.objects.get(number=2), how)
    assert meter_read(jackpot_id=heirs[1].pk).sum_minor == before + 500_150
    assert breached_here() == {}


def retire(floor: Linked, jackpot: Jackpot, to: Jackpot) -> None:
    ids = {"house_id": floor.house.pk, "jackpot_id": jackpot.pk, "actor_id": floor.bea.pk}
    done(jackpots.jackpot_close, **ids, reason="the end")
    for table in floor.tables:
        table_ids = {"house_id": floor.house.pk, "table_id": table.pk, "actor_id": floor.tim.pk}
        done(services.table_link, **table_ids, jackpot_id=to.pk)
    floor.jackpot = jackpot
    act(floor, RETIRE, to=str(to.pk))


# Signatures and words
@world(Linked)
def test_somebody_of_another_house_signs_nothing(floor: Linked) -> None:
    stranger = make_person("bea.elsewhere", "manager", house=make_house("Elsewhere"))
    with pytest.raises(SignerRefused):
        act(floor, SUSPEND, signer=stranger)
    assert floor.now().phase == "open"
    assert Approval.objects.get().signatures.count() == 0


@world(Linked)
@pytest.mark.parametrize("reason", ["", "  ", None, 5])
def test_nothing_is_asked_for_without_a_reason(floor: Linked, reason: Any) -> None:
    with pytest.raises(TextRefused):
        act(floor, SUSPEND, reason=reason)
    assert not Approval.objects.exists()


@world(Linked)
def test_what_is_signed_names_the_next_seed_and_its_schedule(floor: Linked) -> None:
    floor.end(0, floor.start(0), royal("h"))
    floor.advance()
    floor.verify_all()
    signed = floor.asked().payload
    assert signed["seed_minor"] == 1_000_000
    assert signed["next_funding"] == str(floor.now().epoch.funding_id)  # type: ignore[union-attr]
    floor.approve()
    assert Account.objects.get(kind="meter_base", detail_id=floor.now().epoch_id).balance_minor == -1_000_000
