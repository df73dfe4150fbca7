"""A settled round is put right: by the croupier alone for a few seconds, else by an approval of exactly this result."""

from typing import Any, ClassVar
from uuid import UUID

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Account, Approval, Transfer
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_reject, approval_sign
from tables import services
from tables.models import RoundLine, RoundResult, RoundStake
from tables.rules.floor import FloorRules
from tables.selectors.rounds import round_record
from tables.services.parts import dealt_by
from tables.services.rounds import correct
from tests.cast import make_person
from tests.clock import clock_jumps
from tests.databases import superuser
from tests.floor import Floor, done, stakes_for, taps
from tests.jackpot.linked import royal
from tests.tables.audits import breached_here
from tests.tables.played import BOARD
from tests.turns import each
from tests.worlds import world

LOST = taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"})
WON = taps(b1={"play": 2, "result": "win", "hand": "flush"}, b2={"result": "fold"})
QUADS = {"board": BOARD, "boxes": {"1": {"play": 4, "result": "win", "cards": "Ac As"}, "2": {"result": "fold"}}}


def played() -> Floor:
    floor = Floor()
    floor.guests = floor.open()[:2]
    floor.round_id = settled(floor, LOST)
    return floor


pytestmark = world(played)


def settled(floor: Floor, result: object) -> UUID:
    round_id = UUID(floor.lock(stakes_for(floor.guests, coins=2))["id"])
    floor.settle(round_id, result)
    return round_id


def evaluated(floor: Floor, result: object, round_id: UUID | None = None) -> services.Prepared:
    values = {"house_id": floor.house.pk, "round_id": round_id or floor.round_id}
    return services.round_evaluate(**values, result=result, state="settled")


def ask(floor: Floor, result: object, reason: str = "seen on camera") -> Approval:
    values = {"prepared": evaluated(floor, result), "person_id": floor.reto.pk, "reason": reason}
    return done(services.round_correction_request, **values)


def sign(floor: Floor, approval: Approval, person: Any) -> None:
    values = {
        "house_id": floor.house.pk,
        "signer_id": person.pk,
        "signer_roles": person.roles,
        "method": approval.method,
    }
    done(approval_sign, approval_id=approval.pk, payload_hash=approval.payload_hash, **values)


def use(floor: Floor, approval: Approval, result: object, reason: str = "seen on camera") -> dict[str, Any]:
    values = {"prepared": evaluated(floor, result), "person_id": floor.reto.pk, "reason": reason}
    answer: dict[str, Any] = done(services.round_correct, **values, approval_id=approval.pk)
    return answer


def refused(work: Any, *args: Any, **values: Any) -> Refused:
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(*args, **values)
    return refusal.value


def balances(floor: Floor) -> dict[str, int]:
    return dict(Account.objects.filter(owner_id=floor.table.pk).values_list("kind", "balance_minor"))


def test_croupier_puts_it_right_alone_and_nothing_of_it_is_lost(floor):
    right = balances(floor)
    first = RoundResult.objects.get().result
    floor.correct(floor.round_id, WON)
    floor.correct(floor.round_id, LOST)
    assert balances(floor) == right
    assert [row.result == first for row in RoundResult.objects.order_by("revision")] == [True, False, True]
    assert set(RoundLine.objects.values_list("revision", flat=True)) == {1, 2, 3}
    placed = RoundStake.objects.filter(kind="play").order_by("revision").values_list("revision", "accepted_minor")
    assert list(placed) == [(1, 6000), (2, 3000), (3, 6000)]
    assert Transfer.objects.filter(reverses__isnull=False).count() == 2
    assert breached_here() == {}


def not_dealer(floor: Floor, patch: pytest.MonkeyPatch) -> object:
    done(
        services.table_hand_over,
        house_id=floor.house.pk,
        table_id=floor.table.pk,
        croupier_id=floor.nora.pk,
        actor_id=floor.reto.pk,
    )
    return WON


def too_late(floor: Floor, patch: pytest.MonkeyPatch) -> object:
    record = round_record
    patch.setattr(correct, "round_record", lambda **values: record(**values) | {"settled_ms": 20_001})
    return WON


def played_on(floor: Floor, patch: pytest.MonkeyPatch) -> object:
    floor.lock(stakes_for(floor.guests))
    return WON


def much_to_pay(floor: Floor, patch: pytest.MonkeyPatch) -> object:
    return QUADS


def much_was_paid(floor: Floor, patch: pytest.MonkeyPatch) -> object:
    floor.round_id = settled(floor, QUADS)
    return WON


def jackpot_busy(floor: Floor, patch: pytest.MonkeyPatch) -> object:
    with transaction.atomic():
        floor.elsewhere()()
    return WON


WHY = {
    not_dealer: correct.NOT_DEALER,
    too_late: correct.TOO_LATE,
    played_on: correct.PLAYED_ON,
    much_to_pay: correct.MUCH_PAID,
    much_was_paid: correct.MUCH_PAID,
    jackpot_busy: correct.JACKPOT_BUSY,
}


@pytest.mark.parametrize(("event", "why"), WHY.items())
def test_afterwards_an_approval_is_needed(floor, monkeypatch, event, why):
    result = event(floor, monkeypatch)
    refusal = refused(floor.correct, floor.round_id, result)
    assert (refusal.code, refusal.data) == ("round.approval_needed", {"why": why})
    if why == correct.JACKPOT_BUSY:
        return
    approval = ask(floor, result)
    sign(floor, approval, floor.ines)
    assert use(floor, approval, result)["revision"] == 2
    assert str(RoundResult.objects.get(round_id=floor.round_id, revision=2).approval_id) == str(approval.pk)
    assert breached_here() == {}


def test_who_took_the_table_over_while_the_round_ran_signs_no_correction_of_it(floor):
    """Whoever locked it, and whoever settled it in the end."""
    urs = make_person("urs", "pit_boss", house=floor.house)
    round_id = UUID(floor.lock(stakes_for(floor.guests[:2]))["id"])
    values = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    done(services.table_hand_over, **values, croupier_id=urs.pk)
    result = taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"})
    floor.settle(round_id, result, person_id=floor.reto.pk, supervisor=True)
    floor.round_id = round_id
    approval = ask(floor, taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"}))
    assert refused(sign, floor, approval, urs).code == "approval.signer_refused"


@world(Floor)
def test_who_had_the_table_while_the_round_ran_a_clock_that_was_set_back_does_not_hide(
    floor: Floor, own_database: str
) -> None:
    """Nora has it for a moment, behind the clock of its lock; Urs had it before, and has it after."""
    floor.guests = floor.open()
    urs = make_person("urs", "pit_boss", house=floor.house)
    values = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}

    def has_it(*people: Any) -> None:
        for person in people:
            clock_jumps(-3600)
            done(services.table_hand_over, **values, croupier_id=person.pk)

    has_it(urs, floor.martina)
    round_id = UUID(floor.lock(stakes_for(floor.guests[:1]))["id"])
    has_it(floor.nora, floor.martina)
    floor.settle(round_id, taps(b1={"result": "fold"}))
    has_it(urs)
    record = services.round_evaluate(
        house_id=floor.house.pk, round_id=round_id, result=taps(b1={"result": "fold"}), state="settled"
    ).record
    assert dealt_by(record) == {floor.martina.pk, floor.nora.pk}
    with superuser() as link:  # as they were before they said at which round
        link.execute("ALTER TABLE tables_handover DISABLE TRIGGER USER")
        link.execute("UPDATE tables_handover SET last_round = NULL, running = NULL")
    assert dealt_by(record) == {floor.martina.pk, floor.nora.pk, urs.pk}


def test_an_approval_is_for_one_result_one_reason_one_revision_and_once(floor):
    approval = ask(floor, WON)
    assert refused(use, floor, approval, WON).code == "approval.unsigned"
    assert refused(sign, floor, approval, floor.martina).code == "approval.signer_refused"  # she dealt it
    assert refused(sign, floor, approval, floor.reto).code == "approval.signer_refused"  # he asked for it
    sign(floor, approval, floor.ines)
    assert refused(use, floor, approval, QUADS).code == "approval.changed"
    assert refused(use, floor, approval, WON, "another reason").code == "approval.changed"
    floor.correct(floor.round_id, WON)
    assert refused(use, floor, approval, WON).code == "approval.changed"
    second = ask(floor, QUADS)
    sign(floor, second, make_person("urs", "pit_boss", house=floor.house))
    assert use(floor, second, QUADS)["revision"] == 3
    assert refused(use, floor, second, QUADS).code in ("approval.closed", "approval.changed")
    assert breached_here() == {}


def test_a_request_waits_until_it_is_signed_rejected_or_of_lines_gone_by(floor):
    first = ask(floor, WON)
    assert refused(ask, floor, QUADS).code == "round.correction_waits"
    floor.correct(floor.round_id, WON)  # by the croupier: nothing is left of what the first one was about
    second = ask(floor, QUADS)
    first.refresh_from_db()
    assert (first.state, second.state) == ("killed", "open")
    assert refused(ask, floor, LOST).code == "round.correction_waits"
    values = {"house_id": floor.house.pk, "person_id": floor.ines.pk, "person_roles": floor.ines.roles}
    done(approval_reject, approval_id=second.pk, **values, reason="ask again, please")
    assert ask(floor, LOST).state == "open"


def won_by(hand: str) -> dict[str, Any]:
    return taps(b1={"play": 4, "result": "win", "hand": hand}, b2={"result": "fold"})


WINS: dict[str, tuple[bool, dict[str, int], dict[str, Any]]] = {  # whether it is much, the stakes, the result
    "nothing of it is much": (False, {"ante": 500}, won_by("straight_flush")),
    "the Blind": (True, {"ante": 1500}, won_by("straight_flush")),
    "Trips": (True, {"ante": 500, "trips": 2000}, won_by("four_of_a_kind")),
    "Blind and Trips together": (True, {"ante": 500, "trips": 1000}, won_by("straight_flush")),
    "Envy for a royal flush without a coin": (True, {"ante": 500, "coins": 1}, royal(box=2)),
}


def test_all_that_a_box_wins_is_compared_before_and_after(floor):
    """Not the prizes of coins alone: 25 000 francs on the Blind are not put right by one person."""
    for name, (much, stakes, wins) in WINS.items():
        for before, after in ((LOST, wins), (wins, LOST)):
            round_id = UUID(floor.lock(stakes_for(floor.guests, **stakes))["id"])
            floor.settle(round_id, before)
            if much:
                refusal = refused(floor.correct, round_id, after)
                assert (refusal.code, refusal.data) == ("round.approval_needed", {"why": correct.MUCH_PAID}), name
            else:
                floor.correct(round_id, after)
            assert RoundResult.objects.filter(round_id=round_id).count() == 2 - much, name


class Near(Floor):
    posted: ClassVar[dict[str, Posted]] = {"floor_rules": FloorRules(approval_from_minor=9_000)}


@world(Near)
def test_what_a_box_is_paid_otherwise_is_compared_too(floor: Near) -> None:
    """A stand-off wins nothing, and brings back 90 francs that were lost: Ante, Blind and four times the Ante."""
    floor.guests = floor.open()[:2]
    tie = taps(b1={"play": 4, "result": "tie"}, b2={"result": "fold"})
    for ante, much in ((1500, True), (1000, False)):
        for before, after in ((LOST, tie), (tie, LOST)):
            round_id = UUID(floor.lock(stakes_for(floor.guests, ante=ante))["id"])
            floor.settle(round_id, before)
            if much:
                assert refused(floor.correct, round_id, after).data == {"why": correct.MUCH_PAID}
            else:
                floor.correct(round_id, after)
            assert RoundResult.objects.filter(round_id=round_id).count() == 2 - much


@each("reason", ["", "no", "x" * 501, None, "a\0b"])
def test_a_correction_has_a_reason(floor, reason):
    assert refused(floor.correct, floor.round_id, WON, reason=reason).code == "text.refused"
    assert refused(ask, floor, WON, reason).code == "text.refused"


def test_only_a_settled_round_is_corrected(floor):
    running = UUID(floor.lock(stakes_for(floor.guests))["id"])
    assert refused(floor.correct, running, WON).code == "round.state_refused"
    values = {"prepared": evaluated(floor, WON, running), "person_id": floor.reto.pk, "reason": "mistyped"}
    assert refused(services.round_correction_request, **values).code == "round.state_refused"
