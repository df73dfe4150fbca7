"""A stake that came after the lock by mistake goes back before its round ends (BOX-5, BJ-5 to BJ-9)."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.audit.reports.statements.changes import CORRECTIONS
from casino.tablet.surface import RELATED, standing
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import Entry, Event, Transfer
from tables import services
from tables.audit import replay
from tables.models import Guest, RoundLine, RoundStake, Table
from tables.selectors.sessions import session_rounds, session_sums
from tests.blackjack import Blackjack, hands
from tests.floor import done, stakes_for
from tests.tables.audits import breached_here
from tests.turns import each
from tests.worlds import world

ACE = {"bank": "Ah"}
WON = {"bank": "bust", "boxes": hands(b1=["win"])}


pytestmark = world(Blackjack)


def taking(floor: Blackjack, round_id: UUID, placed: int, **more: Any) -> dict[str, Any]:
    """What `round_take_back` is asked for by the croupier on duty."""
    return {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.martina.pk, "placed": placed} | more


def take_back(floor: Blackjack, round_id: UUID, placed: int) -> dict[str, Any]:
    """Take a stake back; give what the command answers of it."""
    return done(services.round_take_back, **taking(floor, round_id, placed))["stakes"][-1]


def refused(floor: Blackjack, round_id: UUID, placed: int, **more: Any) -> Refused:
    """What the command refuses; nothing is written."""
    before = (Entry.objects.count(), RoundStake.objects.count(), Event.objects.count())
    with pytest.raises(Refused) as refusal, transaction.atomic():
        services.round_take_back(**taking(floor, round_id, placed, **more))
    assert (Entry.objects.count(), RoundStake.objects.count(), Event.objects.count()) == before
    return refusal.value


def replayed(round_id: UUID) -> dict[str, list[Any]]:
    """What the replay finds of one round."""
    with connection.cursor() as cursor:
        cursor.execute(replay._ROUNDS.format(window=f"AND r.id = '{round_id}'"))
        [record] = replay._put_together(cursor, cursor.fetchall())
    return {name: found for name, check in replay.CHECKS.items() if (found := list(check(record)))}


def reversed_keys(round_id: UUID) -> list[str]:
    back = Transfer.objects.filter(subject_id=round_id).exclude(reverses=None)
    return sorted(one.reverses.key.removeprefix(f"round:{round_id}:") for one in back)


def test_double_that_was_taken_back_settles_as_if_it_had_never_been(floor):
    """BJ-6: the chips go back by the reversal of their posting, and the result has no line of it."""
    owner, follows = floor.guest(1), floor.guest(distance=1)
    round_id = floor.lay((owner, 1, 100), (follows, 1, 50))
    before = {kind: floor.balance(kind) for kind in ("layout", "circulation", "tray", "table_win")}
    floor.place(round_id, owner, "double", cards="5h 6d")
    assert floor.balance("layout") == -25_000
    assert take_back(floor, round_id, 1) == {
        "box": 1,
        "guest": str(owner.pk),
        "kind": "double_1",
        "offered_minor": 10_000,
        "accepted_minor": 0,
        "returned_minor": 10_000,
        "rank": None,
        "reason": "taken_back",
        "rule": "BOX-5",
        "data": None,
        "placed": 2,
        "source": str(owner.pk),
        "takes_back": 1,
    }
    assert {kind: floor.balance(kind) for kind in before} == before
    assert (reversed_keys(round_id), breached_here(), replayed(round_id)) == (["place:1"], {}, {})
    answer = floor.settle(round_id, WON)
    kinds = [(one["kind"], one["placed"], one["accepted_minor"]) for one in answer["stakes"]]
    assert sorted(kinds) == [("double_1", 2, 0), ("stake", 0, 5_000), ("stake", 0, 10_000)]
    assert sorted((one["kind"], one["paid_minor"]) for one in answer["lines"]) == [("stake", 10_000), ("stake", 20_000)]
    assert (floor.balance("layout"), floor.balance("table_win") - before["table_win"]) == (0, 15_000)
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_all_four_go_back_and_may_come_again(floor):
    """BJ-6 to BJ-9: the newest first; what a later one hung on lies there until then."""
    splits, insures, even = floor.guest(1), floor.guest(2), floor.guest(3)
    round_id = floor.lay((splits, 1, 40), (insures, 2, 60), (even, 3, 30))
    acts: list[tuple[Guest, str, int, dict[str, Any]]] = [
        (insures, "insurance", 2, ACE | {"amount_minor": 3000}),
        (even, "even_money", 3, ACE),
        (splits, "split", 1, {"cards": "8h 8d"}),
        (splits, "double", 1, {"hand": 2}),
    ]
    placed = Transfer.objects.filter(subject_id=round_id).count()
    for guest, act, box, more in acts:
        floor.place(round_id, guest, act, box, **more)
    layout = []
    for number in (4, 3, 2, 1):
        take_back(floor, round_id, number)
        layout.append(-floor.balance("layout") // 100)
        assert (breached_here(), replayed(round_id)) == ({}, {})
    assert layout == [200, 160, 160, 130]
    assert reversed_keys(round_id) == ["place:1", "place:3", "place:4"]  # even money brought no chips
    assert Transfer.objects.filter(subject_id=round_id).count() == placed + 3 + 3
    assert refused(floor, round_id, 1).code == "round.nothing_placed"
    again = floor.place(round_id, insures, "insurance", 2, **ACE, amount_minor=1000)
    assert (again["placed"], again["takes_back"]) == (9, None)
    floor.place(round_id, splits, "split", 1)
    take_back(floor, round_id, 10)
    ends = {"bank": "blackjack", "boxes": hands(b1=["lose"], b2=["lose"], b3=["blackjack"])}
    lines = {(one["box"], one["kind"]): one["paid_minor"] for one in floor.settle(round_id, ends)["lines"]}
    assert lines == {(1, "stake"): 0, (2, "stake"): 0, (3, "stake"): 3000, (2, "insurance"): 3000}
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_which_is_taken_back_is_said_and_who_may(floor):
    owner, other = floor.guest(1), floor.guest(2)
    round_id, plain = floor.lay((owner, 1, 100), (other, 2, 50)), floor.lock(stakes_for([floor.open(floor.table)[0]]))
    assert refused(floor, round_id, 1).code == "round.nothing_placed"
    assert refused(floor, UUID(plain["id"]), 1).code == "round.nothing_placed"
    floor.place(round_id, owner, "double")
    floor.place(round_id, other, "split", 2)
    for number in (1, 3, 0, -1):
        refusal = refused(floor, round_id, number)
        assert (refusal.code, refusal.rule) == ("round.stake_not_newest", "BOX-5")
        assert refusal.data == {"box": 2, "kind": "split_2", "placed": 2}
    assert refused(floor, uuid4(), 2).code == "round.unknown"
    assert refused(floor, round_id, 2, house_id=uuid4()).code == "round.unknown"
    assert refused(floor, round_id, 2, person_id=floor.nora.pk).code == "round.croupier_wrong"
    assert refused(floor, round_id, 2, person_id=floor.reto.pk).code == "round.croupier_wrong"
    take_back(floor, round_id, 2)
    for number in (2, 3):  # neither twice nor what took it back
        assert refused(floor, round_id, number).data == {"box": 1, "kind": "double_1", "placed": 1}
    done(services.round_take_back, **taking(floor, round_id, 1, person_id=floor.reto.pk), supervisor=True)
    event = Event.objects.filter(name="round.taken_back").latest("pk")
    assert (event.subject_id, event.actor_id, event.house_id) == (str(round_id), floor.reto.pk, floor.house.pk)
    me = str(owner.pk)
    back = {
        "placed": 4,
        "takes_back": 1,
        "box": 1,
        "guest": me,
        "source": me,
        "kind": "double_1",
        "amount_minor": 10_000,
    }
    assert event.after == back
    floor.place(round_id, owner, "double")
    floor.settle(round_id, {"bank": "bust", "boxes": hands(b1=["win"], b2=["win"])})
    assert refused(floor, round_id, 5).code == "round.state_refused"


def test_same_key_twice_takes_one_back(floor):
    owner = floor.guest(1)
    round_id = floor.lay((owner, 1, 100))
    for amount in (1000, 2000):
        floor.place(round_id, owner, "insurance", **ACE, amount_minor=amount)
    key = str(uuid4())
    first, again = (
        run_once(
            key,
            request_fingerprint("round.take_back", "test", {}),
            lambda: services.round_take_back(**taking(floor, round_id, 2)),
        )
        for _ in range(2)
    )
    assert (first.body, first.replayed, again.replayed) == (again.body, False, True)
    assert RoundStake.objects.filter(takes_back__isnull=False).count() == 1


def test_void_after_it_gives_the_rest_back_and_nothing_twice(floor):
    owner = floor.guest(1)
    before = {kind: floor.balance(kind) for kind in ("layout", "circulation", "tray")}
    round_id = floor.lay((owner, 1, 100))
    floor.place(round_id, owner, "double")
    take_back(floor, round_id, 1)
    floor.place(round_id, owner, "split")
    by = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.martina.pk}
    assert refused_by(services.round_reopen, **by) == "round.cards_out"
    done(services.round_void, **by | {"person_id": floor.reto.pk}, reason="misdeal")
    assert {kind: floor.balance(kind) for kind in before} == before
    assert (reversed_keys(round_id), breached_here()) == (["lock", "place:1", "place:3"], {})
    asked = dict.fromkeys(("table", "game", "croupier", "version")) | {"house": floor.house.pk}
    asked |= {"first": "2000-01-01", "last": "9999-01-01", "since": "2000-01-01", "until": "9999-01-01"}
    with connection.cursor() as cursor:
        cursor.execute(CORRECTIONS.sql, asked)
        [row] = cursor.fetchall()
    assert (row[2], row[8:11]) == ("voided", (-20_000, None, 20_000))


def refused_by(work: Any, **values: Any) -> str:
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(**values)
    return refusal.value.code


def test_correction_does_not_know_it_either(floor):
    owner, even = floor.guest(1), floor.guest(2)
    round_id = floor.lay((owner, 1, 100), (even, 2, 50))
    floor.place(round_id, owner, "double")
    floor.place(round_id, even, "even_money", 2, **ACE)
    take_back(floor, round_id, 2)
    floor.settle(round_id, {"bank": "20", "boxes": hands(b1=["lose"], b2=["lose"])})
    floor.correct(round_id, {"bank": "20", "boxes": hands(b1=["win"], b2=["lose"])})
    rows = RoundLine.objects.filter(round_id=round_id, revision=2).order_by("place")
    assert list(rows.values_list("kind", "stake_minor", "won_minor")) == [
        ("stake", 10_000, 10_000),
        ("stake", 5_000, 0),
        ("double_1", 10_000, 10_000),
    ]
    assert (floor.balance("layout"), floor.balance("table_win")) == (0, 15_000)
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_what_lies_there_is_shown_without_it(floor):
    """The tablet has what lies there; the session's page counts it as gone back, and not as staked."""
    owner, even = floor.guest(1), floor.guest(2)
    round_id = floor.lay((owner, 1, 100), (even, 2, 50))
    floor.place(round_id, even, "even_money", 2, **ACE)
    floor.place(round_id, owner, "double")
    take_back(floor, round_id, 2)
    told = standing(Table.objects.select_related(*RELATED).get(pk=floor.bj.pk))["round"]["stakes"]
    assert [(one["kind"], one["placed"]) for one in told] == [("stake", 0), ("stake", 0), ("even_money", 1)]
    take_back(floor, round_id, 1)
    floor.settle(round_id, {"bank": "bust", "boxes": hands(b1=["win"], b2=["win"])})
    session = Table.objects.get(pk=floor.bj.pk).session_id
    [row] = session_rounds(session_id=session)[0]
    assert (row.staked_minor, row.returned_minor, row.paid_minor) == (15_000, 10_000, 30_000)
    assert session_sums(session_id=session).staked_minor == 15_000


def test_result_that_was_worked_out_before_is_refused(floor):
    owner = floor.guest(1)
    round_id = floor.lay((owner, 1, 100))
    floor.place(round_id, owner, "double")
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=WON)
    take_back(floor, round_id, 1)
    assert refused_by(services.round_settle, prepared=prepared, person_id=floor.martina.pk) == "round.changed"
    assert [one["kind"] for one in floor.settle(round_id, WON)["lines"]] == ["stake"]


@each("boxes", [1, 7])
def test_takes_as_few_statements_for_seven_boxes_as_for_one(floor, boxes):
    guests = [floor.guest(box) for box in range(1, boxes + 1)]
    round_id = floor.lay(*((guest, guest.box, 100) for guest in guests))
    for guest in guests:
        floor.place(round_id, guest, "double", guest.box)
    taken = taking(floor, round_id, boxes)
    with CaptureQueriesContext(connection) as asked:
        run_once(str(uuid4()), request_fingerprint("count", "test", {}), lambda: services.round_take_back(**taken))
    sent = [query["sql"] for query in asked if query["sql"] not in ("BEGIN", "COMMIT")]
    # key, three that hold and read the round, the one call that writes, answer
    assert len([one for one in sent if "SAVEPOINT" not in one]) == 6
