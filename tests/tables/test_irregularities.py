"""What went wrong in a round is recorded with its decision (BJ-11, BJ-12): the choices of the game, by whom and when."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils.translation import override

from casino.audit.reports.statements.day import PROTOCOL
from casino.audit.reports.texts import reason
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import Event, Transfer
from tables import services
from tables.games import GAMES
from tables.games.blackjack.game import BLACKJACK
from tables.models import Irregularity
from tests.blackjack import Blackjack, hands
from tests.floor import done, stakes_for, taps
from tests.tables.audits import breached_here
from tests.worlds import world

NO_ID = uuid4()


pytestmark = world(Blackjack)


def refused(work: Any, **values: Any) -> Refused:
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(**values)
    return refusal.value


def recording(floor: Blackjack, round_id: UUID, kind: str, decision: str, **more: Any) -> dict[str, Any]:
    """What the croupier on duty records."""
    by = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.martina.pk}
    return by | {"kind": kind, "decision": decision, "reason": "seen by the floor"} | more


def record(floor: Blackjack, round_id: UUID, kind: str, decision: str, **more: Any) -> Irregularity:
    return done(services.irregularity_record, **recording(floor, round_id, kind, decision, **more))


def test_each_of_the_rules_irregularities_is_recorded_with_its_decision(floor):
    """BJ-11: put in order and the surplus burnt; the owner keeps or burns; what nobody saw stays with its hand."""
    owner = floor.guest(1)
    round_id = floor.lay((owner, 1, 100))
    floor.place(round_id, owner, "split")
    before = Transfer.objects.count()
    happened: list[tuple[str, str, int | None, int | None, str]] = [
        ("empty_box_dealt", "put_right", 4, None, "Ah"),
        ("box_missed", "put_right", 1, None, ""),
        ("call_misunderstood", "kept", 1, 1, "5d"),
        ("call_misunderstood", "burnt", 1, 2, "Ts"),
        ("split_aces_surplus", "put_right", 1, 2, ""),
        ("double_surplus", "burnt", 1, None, "2c"),
        ("bank_surplus", "burnt", None, None, "Kd"),
        ("value_unseen", "stays", 1, 2, ""),
        ("misdeal", "play_on", None, None, ""),
        ("cards_exposed", "burnt", 1, None, "Ah"),
        ("cards_exposed", "play_on", None, None, ""),
        ("deck_wrong", "void", None, None, ""),
        ("technical", "play_on", None, None, ""),
    ]
    for kind, decision, box, hand, card in happened:
        record(floor, round_id, kind, decision, box=box, hand=hand, card=card)
    rows = Irregularity.objects.filter(round_id=round_id).order_by("id")
    assert list(rows.values_list("kind", "decision", "box", "hand", "card")) == happened
    assert {(one.recorded_by, one.reason, one.house) for one in rows} == {
        (floor.martina, "seen by the floor", floor.house)
    }
    offered = [(code, way) for code, one in BLACKJACK.irregularities.items() for way in one.decisions]
    assert {one[:2] for one in happened} <= set(offered)
    assert {code for code, _way in offered} == {one[0] for one in happened}
    assert Transfer.objects.count() == before
    assert breached_here() == {}


def test_its_event_says_what_happened_and_what_was_decided(floor):
    round_id = floor.lay((floor.guest(1), 1, 100))
    record(floor, round_id, "call_misunderstood", "burnt", box=1, hand=1, card="5d")
    event = Event.objects.get(name="round.irregularity")
    assert (event.subject_id, event.actor_id, event.house_id) == (str(round_id), floor.martina.pk, floor.house.pk)
    after = {"kind": "call_misunderstood", "decision": "burnt", "box": 1, "hand": 1, "card": "5d"}
    assert (event.after, event.reason) == (after, "seen by the floor")


def test_protocol_of_the_day_lists_it(floor):
    round_id = floor.lay((floor.guest(1), 1, 100))
    record(floor, round_id, "bank_surplus", "burnt")
    asked = dict.fromkeys(("table", "game", "croupier")) | {"house": floor.house.pk}
    asked |= {"first": "2000-01-01", "last": "9999-01-01", "since": "2000-01-01", "until": "9999-01-01"}
    with connection.cursor() as cursor:
        cursor.execute(PROTOCOL.sql, asked)
        [row] = [one for one in cursor.fetchall() if one[2] == "round.irregularity"]
    told = (
        "Black Jack 1",
        1,
        round_id,
        floor.martina.full_name,
        None,
        "irregularity.bank_surplus.burnt: seen by the floor",
    )
    assert row[3:] == told
    with override("en"):
        assert reason(told[-1], floor.house) == "Surplus card at the bank: card burnt. seen by the floor"


def test_what_is_refused(floor):
    """BJ-11, BJ-12: what the game lists, what the rule allows for it, a box that plays or an empty one, by who may."""
    owner = floor.guest(1)
    round_id, more = floor.lay((owner, 1, 100)), {"box": 1}
    wrong: dict[str, list[dict[str, Any]]] = {
        "round.unknown": [{"round_id": NO_ID}, {"house_id": NO_ID}],
        "round.croupier_wrong": [{"person_id": floor.nora.pk}],
        "irregularity.unknown": [{"kind": "earthquake"}, {"kind": ""}],
        "irregularity.decision_not_allowed": [{"decision": "put_right"}, {"kind": "misdeal", "decision": "kept"}],
        "irregularity.box_wrong": [
            {"box": None},
            {"box": 2},
            {"kind": "empty_box_dealt", "decision": "put_right"},
            {"kind": "empty_box_dealt", "decision": "put_right", "box": 8},
            {"kind": "empty_box_dealt", "decision": "put_right", "box": None},
            {"kind": "bank_surplus"},
            {"kind": "cards_exposed", "box": 2},
        ],
        "irregularity.hand_wrong": [{"hand": 2}, {"kind": "box_missed", "decision": "put_right", "hand": 1}],
        "cards.unknown": [{"card": "1x"}],
        "cards.count": [{"card": "Ah Kd"}],
        "text.refused": [{"reason": ""}, {"reason": "x" * 501}],
    }
    base = recording(floor, round_id, "call_misunderstood", "burnt", **more)
    codes = {
        code: [refused(services.irregularity_record, **base | one).code for one in every]
        for code, every in wrong.items()
    }
    assert codes == {code: [code] * len(every) for code, every in wrong.items()}
    assert refused(services.irregularity_record, **base | {"box": 2}).rule == "BJ-11"
    assert not Irregularity.objects.exists()
    assert not Event.objects.filter(name="round.irregularity").exists()


def test_after_the_end_the_pit_alone_records(floor):
    """BJ-12: of a round that was settled or voided, not of one whose lock never came."""
    owner = floor.guest(1)
    round_id = floor.lay((owner, 1, 100))
    floor.settle(round_id, {"bank": "bust", "boxes": hands(b1=["win"])})
    late = refused(services.irregularity_record, **recording(floor, round_id, "misdeal", "play_on"))
    assert (late.code, late.rule) == ("irregularity.late", "BJ-12")
    pit = {"person_id": floor.reto.pk, "supervisor": True}
    assert record(floor, round_id, "misdeal", "play_on", **pit).recorded_by == floor.reto
    gone = uuid4()
    at = {"house_id": floor.house.pk, "table_id": floor.bj.pk, "round_id": gone, "person_id": floor.martina.pk}
    done(services.round_withdraw, **at)
    values = recording(floor, gone, "misdeal", "play_on", **pit)
    assert refused(services.irregularity_record, **values).code == "round.state_refused"


def test_misdeal_is_recorded_and_then_voided(floor):
    """The record and the void stand beside each other; the record alone moves nothing."""
    round_id = floor.lay((floor.guest(1), 1, 100))
    record(floor, round_id, "misdeal", "void")
    by = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.reto.pk}
    assert done(services.round_void, **by, reason="misdeal")["state"] == "voided"
    assert Irregularity.objects.filter(round_id=round_id).count() == 1
    assert breached_here() == {}


def test_other_games_have_their_own_few(floor):
    """BJ-12, so at Ultimate Texas Hold'em: nothing about splits and calls for cards there."""
    guests = floor.open(floor.table)
    round_id = UUID(floor.lock(stakes_for(guests[:2]))["id"])
    missed = recording(floor, round_id, "box_missed", "put_right", box=1)
    assert refused(services.irregularity_record, **missed).code == "irregularity.unknown"
    record(floor, round_id, "cards_exposed", "play_on", box=2, card="Ah")
    assert set(GAMES["uth"].irregularities) == {"misdeal", "cards_exposed", "deck_wrong", "technical"}
    floor.settle(round_id, taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"}))
    assert breached_here() == {}


def test_same_key_twice_is_one_record(floor):
    round_id, key = floor.lay((floor.guest(1), 1, 100)), str(uuid4())
    values = recording(floor, round_id, "technical", "play_on")
    for _ in range(2):
        print_ = request_fingerprint("round.irregularity", "test", {})
        run_once(key, print_, lambda: services.irregularity_record(**values).pk)
    assert Irregularity.objects.count() == 1


def test_record_stays_as_it_was_written(floor):
    record(floor, floor.lay((floor.guest(1), 1, 100)), "technical", "play_on")
    for change in (lambda rows: rows.update(reason="nothing"), lambda rows: rows.delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            change(Irregularity.objects.all())
    assert Irregularity.objects.get().reason == "seen by the floor"
