"""What a third look found: Envy of linked tables whose rounds end otherwise, second awards, debts of a meter, bases that move."""

from typing import Any, ClassVar
from uuid import uuid4

import pytest

from jackpot import services as jackpots
from jackpot.errors import AwardExists, MeterOwes, SlipDoubted
from jackpot.models import Award, ListedRound, Slip, WaitingPrize
from jackpot.rules.progressive import ProgressiveRules
from jackpot.selectors.jackpots import meter_read
from jackpot.services.standing import ADJUST
from payouts.models import Event
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.schema import Posted
from payouts.selectors import gaming_day_at
from payouts.services import recipe_post
from tables import services
from tables.services.rounds import settle
from tests.floor import done, second_jackpot, stakes_for
from tests.jackpot.linked import Linked, dull, royal
from tests.jackpot.lived import Lived
from tests.jackpot.test_late import Late, paid_late
from tests.jackpot.test_prizes import Envious, approved_correction, held
from tests.jackpot.test_review_late import OfMeter, replayed, retire
from tests.jackpot.test_standing import act
from tests.races.hall import Hall
from tests.tables.audits import breached, breached_here
from tests.worlds import world


class EnvyHall(Hall):
    posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(envy_scope="link")}


def sound() -> None:
    assert (breached(), replayed()) == ({}, {})


# Envy of linked tables
@pytest.mark.parametrize("first", ["correct", "end"])
@pytest.mark.parametrize("how", ["void", "reopen"])
def test_prg6_a_correction_that_takes_envy_back_meets_the_end_of_the_round_that_has_it(
    own_database: str, how: str, first: str
) -> None:
    """Both would drop the same prize: the correction holds the jackpot's lock alone."""
    floor = EnvyHall(own_database)
    source, other = floor.start(0, coins=0), floor.start(1)
    floor.end(0, source, royal("h"))
    ids = {"house_id": floor.house.pk, "round_id": other, "person_id": floor.croupiers[1].pk}
    ending = floor.voiding(other) if how == "void" else lambda: services.round_reopen(**ids)
    both = [floor.correcting(source, dull()), ending]
    met = floor.race(*(both if first == "correct" else reversed(both)))
    assert [end["state"] for end in (met.first, met.second)].count("settled") == 1
    assert met.waited
    assert (WaitingPrize.objects.get().state, held("prizes_waiting"), held("prize_cost")) == ("dropped", 0, 0)
    sound()


def test_prg6_queued_royals_at_two_tables_do_not_stop_one_another(own_database: str) -> None:
    """Each would pay Envy at the other: both take the lock alone from the start, and neither has to start again."""
    floor = EnvyHall(own_database)
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "actor_id": floor.tim.pk}
    done(jackpots.jackpot_parameters_set, **ids, offline_linked="play_flagged")

    def queued(table: int) -> Any:
        stakes = stakes_for(floor.guests[table][:2], coins=0)
        ids = {"house_id": floor.house.pk, "table_id": floor.tables[table].pk, "round_id": uuid4()}
        by = {"person_id": floor.croupiers[table].pk, "stakes": stakes, "result": royal("hd"[table])}
        return lambda: services.round_take_queued(**ids, **by)

    met = floor.race(queued(0), queued(1), before=(settle, "write_result"))
    assert (met.waited, met.first["state"], met.second["state"]) == (True, "settled", "settled")
    sound()


@world(Envious, count=3)
@pytest.mark.parametrize("when", ["running", "paid"])
def test_prg6_a_royal_seen_late_pays_envy_to_every_round_that_its_hit_lists(
    floor: Envious, own_database: str, when: str
) -> None:
    late, dull_one, won = floor.start(0, coins=0), floor.start(1), floor.start(2)
    floor.end(2, won, royal("c"))
    floor.end(1, dull_one, dull())
    floor.end(0, late, dull())
    assert set(ListedRound.objects.values_list("round_id", flat=True)) == {late, dull_one, won}
    floor.advance()
    if when == "paid":
        floor.verify_all()
        floor.approve()
        floor.confirm_all()
    known = list(WaitingPrize.objects.values_list("pk", flat=True))
    approved_correction(floor, late, royal("h"))
    assert set(WaitingPrize.objects.exclude(pk__in=known).values_list("round_id", flat=True)) == {dull_one, won}
    sound()


@world(Envious, count=3)
def test_prg6_the_same_royal_corrected_after_the_payment_owes_its_envy_again(floor: Envious) -> None:
    won, one, two = (floor.start(table, coins=2 - (table > 0)) for table in range(3))
    floor.call(0, won)
    for table, round_id in ((1, one), (2, two)):
        floor.end(table, round_id, dull())
    floor.end(0, won, royal("h"))
    floor.advance()
    floor.verify_all()
    floor.approve()
    floor.confirm_all()
    for slip in Slip.objects.filter(award__kind="prize"):
        Lived.cancel(floor, slip, "unpaid")  # type: ignore[arg-type]
    approved_correction(floor, won, royal("h"))
    assert set(WaitingPrize.objects.filter(state="waiting").values_list("round_id", flat=True)) == {one, two}
    assert breached_here() == {}


@world(Envious)
@pytest.mark.parametrize("cancelled", ["before", "after"])
def test_prg6_envy_that_was_awarded_to_a_round_that_is_void_later_is_not_paid(
    floor: Envious, own_database: str, cancelled: str
) -> None:
    source, other = floor.start(0, coins=0), floor.start(1)
    floor.end(0, source, royal("h"))
    floor.sign(floor.asked("jackpot.prize"), floor.bea)
    if cancelled == "before":
        Lived.cancel(floor, Slip.objects.get(), "unpaid")  # type: ignore[arg-type]
        assert held("prizes_waiting") == 50_000
    floor.void(other)
    if cancelled == "after":
        assert Event.objects.get(name="jackpot.award_doubted").subject_id == str(other)
        assert set(replayed()) == {"awards_are_of_rounds_that_claim"}
        with pytest.raises(SlipDoubted):
            Lived.pay(floor, Slip.objects.get())  # type: ignore[arg-type]
        Lived.cancel(floor, Slip.objects.get(), "unpaid")  # type: ignore[arg-type]
    assert (held("prizes_waiting"), held("awards_payable"), held("prize_cost")) == (0, 0, 0)
    sound()
    approved_correction(floor, source, dull())  # nothing is taken back twice
    assert (held("prizes_waiting"), held("prize_cost")) == (0, 0)
    sound()


# Awards and meters
@world(paid_late)
@pytest.mark.parametrize("how", ["loss", "receivable"])
def test_prg7_what_was_paid_once_is_not_awarded_again(floor: Late, own_database: str, how: str) -> None:
    slip = Slip.objects.get(number=1)
    floor.pay(slip)
    floor.cancel(slip, how)
    with pytest.raises(AwardExists):
        floor.late(slip.award.round_id, 1, 500_150)
    assert Award.objects.count() == 2
    sound()


@world(Late, coins=2)
def test_prg7_the_true_box_is_awarded_though_the_wrong_one_kept_its_money(floor: Late, own_database: str) -> None:
    floor = floor.paid()
    slip = Slip.objects.get(number=1)
    floor.pay(slip)
    floor.cancel(slip, "loss")
    for envy in Slip.objects.filter(award__kind="prize", award__round_id=floor.rounds[0]):
        floor.cancel(envy, "unpaid")
    approved_correction(floor, floor.rounds[0], royal("h", box=2))
    floor.late(floor.rounds[0], 2, 500_150)
    assert list(
        Award.objects.filter(round_id=floor.rounds[0]).exclude(kind="prize").order_by("at").values_list("kind", "box")
    ) == [
        ("share", 1),
        ("late", 2),
    ]
    sound()


@world(OfMeter)
def test_a_meter_that_owes_is_put_right_before_it_is_handed_over(floor: OfMeter, own_database: str) -> None:
    act(floor, ADJUST, amount_minor=-990_000)
    floor.end(0, floor.start(0), {"board": "7h 7d 7c Kh 2s", "dealer": "3c 4d", "boxes": FOUR})
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == -39_900
    other = second_jackpot(floor.house)
    with pytest.raises(MeterOwes):
        retire(floor, floor.jackpot, other)
    act(floor, ADJUST, amount_minor=39_900)
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk}
    assert meter_read(jackpot_id=ids["jackpot_id"]).sum_minor == 0
    act(floor, "jackpot.retire", to=str(other.pk))
    assert (floor.now().phase, meter_read(jackpot_id=other.pk).sum_minor) == ("retired", 1_000_000)
    sound()


FOUR = {"1": {"play": 4, "cards": "7s 5c"}, "2": {"play": 0, "cards": "9c 9d"}}


@world(Linked)
@pytest.mark.parametrize("kind", ["adjust", "award_cancelled", "award"])
def test_audit_names_money_that_leaves_a_meters_base_unsigned(floor: Linked, kind: str) -> None:
    floor.end(0, floor.start(0), dull())
    now = floor.now()
    owners = {"house": floor.house.pk, "jackpot": now.pk, "epoch": now.epoch_id}
    post = {"house_id": floor.house.pk, "gaming_day": gaming_day_at(house_id=floor.house.pk), "owners": owners}
    done(lambda: {"id": recipe_post(**post, key=f"{kind}:{uuid4()}", kind=kind, lines=recipes.meter_lowered(400_000))})
    breaches = {"bases_move_by_what_was_signed", "transfers_have_their_ground"}
    assert set(breached_here()) == breaches | ({"transfers_move_accounts_of_their_kind"} if kind == "award" else set())
