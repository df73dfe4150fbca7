"""Prizes that wait for people, prizes that the meter pays, and what is blocked after a hit (PRG-5, PRG-6, PRG-9)."""

from typing import Any, ClassVar

import pytest

from jackpot import services as jackpots
from jackpot.errors import JackpotNotOpen, PrizeAwarded
from jackpot.models import Award, Claim, Hit, ListedRound, Slip, WaitingPrize
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from jackpot.selectors.jackpots import meter_read
from payouts.models import Account, Approval
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_sign, lists_of
from tables import services
from tables.models import RoundResult
from tests.floor import done, stakes_for
from tests.jackpot.linked import Linked, dull, once, royal
from tests.jackpot.lived import four_of_a_kind
from tests.tables.audits import breached_here
from tests.tables.test_statements import statements
from tests.worlds import world


class Careful(Linked):
    posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(prize_approval_from_minor=50_000)}


def held(kind: str) -> int:
    return -sum(Account.objects.filter(kind=kind).values_list("balance_minor", flat=True))


def approved_correction(floor: Linked, round_id: object, result: object) -> dict:
    """A correction asked for by a croupier who does not deal, and signed by a manager: neither signs what the round pays."""
    values = {"house_id": floor.house.pk, "round_id": round_id, "result": result, "state": "settled"}
    asked = Approval.objects.filter(action="round.correct", subject_id=str(round_id), state="open").first()
    if asked is None:
        ask = {"person_id": floor.nora.pk, "reason": "seen on camera"}
        asked = done(services.round_correction_request, prepared=services.round_evaluate(**values), **ask)
        sign = {"approval_id": asked.pk, "house_id": floor.house.pk, "payload_hash": bytes(asked.payload_hash)}
        done(approval_sign, **sign, signer_id=floor.ines.pk, signer_roles=floor.ines.roles, method=asked.method)
    return once(
        services.round_correct,
        prepared=services.round_evaluate(**values),
        person_id=floor.nora.pk,
        reason="seen on camera",
        approval_id=asked.pk,
    )


@world(Careful)
def test_prg5_a_prize_from_the_threshold_up_waits_for_its_own_approval(floor: Careful) -> None:
    floor.end(0, floor.start(0), four_of_a_kind())
    assert (held("prizes_waiting"), held("awards_payable")) == (50_000, 0)
    asked = Approval.objects.get(action="jackpot.prize")
    assert asked.payload["amount_minor"] == 50_000
    floor.sign(asked, floor.reto)
    award = Award.objects.get()
    assert (award.kind, award.amount_minor, award.box) == ("prize", 50_000, 1)
    assert (held("prizes_waiting"), held("awards_payable")) == (0, 50_000)
    ids = {"house_id": floor.house.pk, "slip_id": award.slip.pk, "actor_id": floor.cage.pk}
    done(jackpots.slip_pay, **ids, cash_minor=50_000)
    assert held("awards_payable") == 0
    assert breached_here() == {}


@world(Careful)
def test_prg5_a_prize_of_a_listed_round_is_paid_on_the_hits_approval(floor: Careful) -> None:
    first, second = floor.start(0), floor.start(1)
    floor.end(0, first, royal("h"))
    floor.end(1, second, four_of_a_kind())
    assert not Approval.objects.filter(action="jackpot.prize").exists()
    floor.advance()
    floor.verify_all()
    assert [one["amount_minor"] for one in lists_of(floor.asked())["prizes"]] == [50_000]
    floor.approve()
    awards = Award.objects.order_by("slip__number").values_list("kind", "amount_minor")
    assert list(awards) == [("share", 1_000_200), ("prize", 50_000)]
    assert breached_here() == {}


@world(Careful)
def test_prg6_envy_of_the_claiming_round_waits_for_the_hits_approval(floor: Careful) -> None:
    floor.end(0, floor.start(0, coins=2), royal("h"))
    assert WaitingPrize.objects.get().hit == Hit.objects.get()
    assert not Approval.objects.filter(action="jackpot.prize").exists()
    floor.advance()
    floor.verify_all()
    floor.approve()
    awards = Award.objects.order_by("slip__number").values_list("kind", "box", "amount_minor")
    assert list(awards) == [("share", 1, 1_000_200), ("prize", 2, 50_000)]
    assert breached_here() == {}


class Envious(Linked):
    posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(envy_scope="link")}


@world(Envious, count=3)
def test_prg6_with_the_link_as_scope_coins_of_other_tables_are_paid_with_the_hit(floor: Envious) -> None:
    first, second, third = floor.start(0, coins=2), floor.start(1, coins=2), floor.start(2)
    floor.end(2, third, dull())
    floor.end(0, first, royal("h"))
    waits = WaitingPrize.objects.order_by("box").values_list("round_id", "box", "amount_minor", "hit__number")
    assert list(waits) == [(second, 1, 50_000, 1), (second, 2, 50_000, 1)]
    floor.end(1, second, dull())
    floor.advance()
    floor.verify_all()
    floor.approve()
    awards = Award.objects.order_by("slip__number").values_list("kind", "table_id", "amount_minor")
    other = floor.tables[1].pk
    assert list(awards) == [
        ("share", floor.tables[0].pk, 1_000_500),
        ("prize", other, 50_000),
        ("prize", other, 50_000),
    ]
    assert floor.confirm_all() == "open"
    assert breached_here() == {}


@world(Envious)
def test_prg6_envy_of_the_link_also_without_a_coin_and_taken_back_by_a_correction(floor: Envious) -> None:
    first, second = floor.start(0, coins=0), floor.start(1)
    floor.end(0, first, royal("h"))
    assert (floor.now().phase, held("prizes_waiting")) == ("open", 50_000)
    approved_correction(floor, first, dull())
    assert (WaitingPrize.objects.get().state, held("prizes_waiting")) == ("dropped", 0)
    floor.end(1, second, dull())
    other, third = floor.start(0, coins=0), floor.start(1)
    floor.end(0, other, royal("h"))
    floor.sign(floor.asked("jackpot.prize"), floor.bea)
    assert Award.objects.get().round_id == third
    floor.end(1, third, dull())
    assert breached_here() == {}


@world(Careful)
def test_envy_of_a_refused_claim_is_not_paid_with_the_hit(floor: Careful) -> None:
    first, second = floor.start(0, coins=2), floor.start(1)
    floor.end(0, first, royal("h"))
    floor.end(1, second, royal("d"))
    floor.advance()
    doubted, true = Claim.objects.order_by("number")
    ids = {"house_id": floor.house.pk, "claim_id": doubted.pk, "person_id": floor.reto.pk}
    done(jackpots.claim_refuse, **ids, reason="the ten is a nine")
    floor.verify(true)
    floor.advance()
    assert lists_of(floor.asked())["prizes"] == []
    floor.approve()
    assert list(Award.objects.values_list("kind", "table_id")) == [("share", floor.tables[1].pk)]
    assert WaitingPrize.objects.get().state == "waiting"
    assert breached_here() == {}


@world(Careful)
def test_prizes_of_a_rejected_hit_are_asked_for_by_themselves(floor: Careful) -> None:
    floor.end(0, floor.start(0, coins=2), royal("h"))
    floor.advance()
    floor.reject()
    floor.sign(floor.asked("jackpot.prize"), floor.bea)
    assert Award.objects.get().amount_minor == 50_000
    assert breached_here() == {}


@world(Careful)
def test_a_correction_drops_the_prize_that_waits_and_is_refused_once_it_has_its_slip(floor: Careful) -> None:
    round_id = floor.start(0)
    floor.end(0, round_id, four_of_a_kind())
    approved_correction(floor, round_id, dull())
    assert WaitingPrize.objects.get().state == "dropped"
    assert (held("prizes_waiting"), Approval.objects.filter(action="jackpot.prize", state="open").count()) == (0, 0)
    other = floor.start(0)
    floor.end(0, other, four_of_a_kind())
    floor.sign(Approval.objects.get(action="jackpot.prize", state="open"), floor.reto)
    with pytest.raises(PrizeAwarded):
        approved_correction(floor, other, dull())
    slip = Slip.objects.get()
    ids = {"house_id": floor.house.pk, "slip_id": slip.pk, "how": "unpaid", "reason": "a misread card"}
    floor.sign(done(jackpots.award_cancel_request, **ids, person_id=floor.reto.pk), floor.bea)
    approved_correction(floor, other, dull())
    assert RoundResult.objects.filter(round_id=other).count() == 2
    assert (held("prizes_waiting"), held("awards_payable")) == (0, 0)
    assert breached_here() == {}


def test_prg5_the_meter_pays_fixed_prizes_where_the_house_posts_it(db: None) -> None:
    class Meter(Linked):
        posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(paid_by="meter")}

    floor = Meter()
    floor.end(0, floor.start(0), four_of_a_kind())
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_000 + 100 - 50_000
    assert held("prize_cost") == 0
    floor.win(1)
    assert Award.objects.get().amount_minor == 1_000_000 + 200 - 50_000
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_000
    assert breached_here() == {}


@world(Linked)
def test_prg6_envy_is_paid_at_once_also_in_a_round_that_claims(floor: Linked) -> None:
    answer = floor.end(0, floor.start(0, coins=2), royal("h"))
    paid = [(line["kind"], line["box"], line["prize_minor"]) for line in answer["lines"] if line["prize_minor"]]
    assert paid == [("envy", 2, 50_000)]
    assert breached_here() == {}


@pytest.mark.parametrize("blocked", ["all", "coins"])
def test_prg9_what_is_blocked_from_a_hit_to_the_reopening(db: None, blocked: str) -> None:
    class Posting(Linked):
        posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(blocked_after_hit=blocked)}

    floor = Posting()
    floor.end(0, floor.start(0), royal("h"))
    with pytest.raises(JackpotNotOpen):
        floor.start(0)
    if blocked == "all":
        with pytest.raises(JackpotNotOpen):
            floor.start(1, coins=0)
    else:
        plain = floor.start(1, coins=0)
        assert not ListedRound.objects.filter(round_id=plain).exists()
        floor.advance()
        floor.end(1, plain, dull())
        floor.end(1, floor.start(1, coins=0), dull())
    floor.advance()
    floor.verify_all()
    floor.approve()
    assert floor.confirm_all() == "open"
    assert Hit.objects.get().state == "paid"
    assert breached_here() == {}


@world(Linked, count=2)
def test_prg9_stakes_of_other_tables_are_not_blocked(floor: Linked) -> None:
    done(
        services.table_link,
        house_id=floor.house.pk,
        table_id=floor.tables[1].pk,
        jackpot_id=None,
        actor_id=floor.tim.pk,
    )
    floor.end(0, floor.start(0), royal("h"))
    stakes = stakes_for(floor.guests[1][:2])
    ids = {"table_id": floor.tables[1].pk, "croupier_id": floor.croupiers[1].pk}
    assert floor.lock(stakes, **ids)["state"] == "locked"


class Strict(Linked):
    """Every fixed prize waits for people."""

    posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(prize_approval_from_minor=1)}


def full_houses(boxes: int) -> dict[str, Any]:
    """A result by which that many boxes of three have a full house."""
    full, others = ("7s 3c", "7c 4d", "Kh 5s"), ("", "9d 4d", "Td 5s")
    cards = {str(box): {"play": 4, "cards": (full if box <= boxes else others)[box - 1]} for box in range(1, 4)}
    return {"board": "7h 7d Kc Kd 2s", "dealer": "3d 4h", "boxes": cards}


@world(Strict, count=4)
def test_prg5_prizes_of_a_listed_round_take_no_statement_more_for_three_than_for_one(floor: Strict) -> None:
    for table in range(4):  # each process reads posted versions once
        floor.end(table, floor.start(table), dull())
    rounds = [floor.start(0), *(floor.start(table, boxes=3, coins=3) for table in range(1, 4))]
    floor.end(0, rounds[0], royal("h"))
    took = []
    for table, boxes in ((1, 1), (2, 3)):
        ids = {"house_id": floor.house.pk, "round_id": rounds[table]}
        prepared = services.round_evaluate(**ids, result=full_houses(boxes))
        person = floor.croupiers[table].pk
        asked = statements(lambda given=prepared, by=person: services.round_settle(prepared=given, person_id=by))
        took.append((len(asked), WaitingPrize.objects.filter(round_id=rounds[table]).count()))
    assert [prizes for _, prizes in took] == [1, 3]
    assert took[0][0] == took[1][0]
    assert breached_here() == {}
