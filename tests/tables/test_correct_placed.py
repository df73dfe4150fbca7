"""A correction puts right what lay there after the lock, and every older result goes on to settle from the stakes that it counted
(BOX-5, BJ-6 to BJ-9).
"""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from casino.audit.reports.statements.changes import CORRECTIONS
from casino.tablet.surface import RELATED, standing
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import Approval, Entry, Event, Transfer
from tables import services
from tables.audit import replay
from tables.errors import RoundState
from tables.models import Guest, RoundLine, RoundStake, Table
from tables.selectors.rounds import round_answer
from tables.selectors.sessions import session_rounds, session_sums
from tables.services.rounds.moves import moves_much
from tests.blackjack import Blackjack, hands
from tests.casino.audit.reports import second
from tests.casino.audit.reports.second import Books
from tests.floor import done
from tests.tables.audits import breached_here
from tests.tables.test_correct import sign
from tests.worlds import world

ACE = {"bank": "Ah"}
KINDS = ("layout", "circulation", "tray", "table_win")
WON = {"bank": "bust", "boxes": hands(b1=["win"], b2=["win"])}
LOST = {"bank": "20", "boxes": hands(b1=["lose"], b2=["lose"])}
PUSHED = {"bank": "20", "boxes": hands(b1=["push"], b2=["push"])}


class Wrong(Blackjack):
    """Guests on boxes 1 and 2 with 100 and 40 francs, round after round."""

    def __init__(self) -> None:
        super().__init__()
        self.owner, self.other = self.guest(1), self.guest(2)

    def begun(self) -> UUID:
        return self.lay((self.owner, 1, 100), (self.other, 2, 40))

    def sent(self, guest: Guest, act: str, box: int = 1, **more: Any) -> dict[str, Any]:
        return self.placing(uuid4(), guest, act, box, **more)["placement"]

    def ended(self, result: object, *placed: dict[str, Any]) -> UUID:
        """A round that was played so."""
        round_id = self.begun()
        for placement in placed:
            done(services.round_place, **self.placing(round_id, self.owner, "") | {"placement": placement})
        self.settle(round_id, result)
        return round_id

    def moved(self, work: Callable[[], object]) -> dict[str, int]:
        """What it moves on each account of the table."""
        before = {kind: self.balance(kind) for kind in KINDS}
        work()
        return {kind: self.balance(kind) - before[kind] for kind in KINDS}

    def prepared(self, round_id: UUID, result: object, placed: object) -> services.Prepared:
        ids = {"house_id": self.house.pk, "round_id": round_id}
        return services.round_evaluate(**ids, result=result, state="settled", placed=placed)

    def keys(self, round_id: UUID) -> list[str]:
        """What the round has posted, in order; reversed ones with a minus."""
        rows = Transfer.objects.filter(subject_id=round_id).order_by("pk").select_related("reverses")
        named = [f"-{one.reverses.key}" if one.reverses else one.key for one in rows]
        return [key.replace(f"round:{round_id}:", "") for key in named]


pytestmark = world(Wrong)


def replayed(round_id: UUID) -> dict[str, list[Any]]:
    """What the replay finds of one round."""
    with connection.cursor() as cursor:
        cursor.execute(replay._ROUNDS.format(window=f"AND r.id = '{round_id}'"))
        [record] = replay._put_together(cursor, cursor.fetchall())
    return {name: found for name, check in replay.CHECKS.items() if (found := list(check(record)))}


def lines(round_id: UUID, revision: int) -> dict[tuple[int, str], tuple[int, int]]:
    """By box and kind: staked and paid, in francs."""
    rows = RoundLine.objects.filter(round_id=round_id, revision=revision)
    paid = {(one.box, one.kind): one.returned_minor + one.won_minor for one in rows}
    return {(one.box, one.kind): (one.stake_minor // 100, paid[one.box, one.kind] // 100) for one in rows}


def refusal(work: Callable[..., Any], *args: Any, **values: Any) -> Refused:
    """What is refused; nothing is written."""
    before = (Entry.objects.count(), RoundStake.objects.count(), Event.objects.count())
    with pytest.raises(Refused) as refused, transaction.atomic():
        work(*args, **values)
    assert (Entry.objects.count(), RoundStake.objects.count(), Event.objects.count()) == before
    return refused.value


def cases(floor: Wrong) -> Iterator[tuple[object, list[Any], object, list[Any]]]:
    """A result and placements as they were entered, and as they should have been."""
    double, other = floor.sent(floor.owner, "double"), floor.sent(floor.other, "double", 2)
    insured = floor.sent(floor.other, "insurance", 2, **ACE, amount_minor=2000)
    split, again = floor.sent(floor.owner, "split"), floor.sent(floor.owner, "double", hand=2)
    natural = {"bank": "blackjack", "boxes": hands(b1=["lose"], b2=["lose"])}
    two_hands = {"bank": "20", "boxes": hands(b1=["win", "lose"], b2=["push"])}
    even = floor.sent(floor.owner, "even_money", **ACE)
    yield WON, [], WON, [double]  # forgotten, and won
    yield LOST, [], LOST, [double]
    yield LOST, [], PUSHED, [double]
    yield WON, [double], WON, []  # none lay there
    yield LOST, [double, other], LOST, [other]
    yield LOST, [other], LOST, [double, other]  # in its place before what stays
    yield PUSHED, [], two_hands, [split, again]
    yield two_hands, [split], PUSHED, []
    yield natural, [], natural, [insured]
    yield natural, [insured], natural, [insured | {"amount_minor": 1000}]
    yield (
        {"bank": "20", "boxes": hands(b1=["blackjack"], b2=["lose"])},
        [],
        natural | {"boxes": hands(b1=["blackjack"], b2=["lose"])},
        [even],
    )


def test_books_are_as_if_it_had_been_entered_right(floor):
    """BJ-6 to BJ-9: account by account, whatever was missing or too much."""
    for wrong, entered, right, placed in cases(floor):
        expected = floor.moved(lambda right=right, placed=placed: floor.ended(right, *placed))
        rounds: list[UUID] = []

        def put_right(wrong=wrong, entered=entered, right=right, placed=placed, rounds=rounds) -> None:
            rounds.append(floor.ended(wrong, *entered))
            floor.correct(rounds[0], right, placed=placed)

        assert floor.moved(put_right) == expected
        assert floor.balance("layout") == 0
        assert (breached_here(), replayed(rounds[0])) == ({}, {})


def test_forgotten_double_comes_with_the_second_result(floor):
    round_id = floor.ended(WON)
    answer = floor.correct(round_id, WON, placed=[floor.sent(floor.owner, "double")])
    me = floor.owner.pk
    assert floor.later(round_id) == [(1, 1, me, me, "double_1", 100)]
    assert RoundStake.objects.get(round_id=round_id, placed=1).revision == 2
    assert floor.keys(round_id) == ["lock", "settle:1", "-settle:1", "place:1", "settle:2"]
    assert lines(round_id, 1) == {(1, "stake"): (100, 200), (2, "stake"): (40, 80)}
    assert lines(round_id, 2) == lines(round_id, 1) | {(1, "double_1"): (100, 200)}
    now = round_answer(house_id=floor.house.pk, round_id=round_id)
    assert (answer["stakes"], answer["revision"]) == (now["stakes"], 2)
    assert sorted((one["kind"], one["placed"], one["accepted_minor"]) for one in now["stakes"]) == [
        ("double_1", 1, 10_000),
        ("stake", 0, 4_000),
        ("stake", 0, 10_000),
    ]
    event = Event.objects.filter(name="round.corrected").latest("pk")
    stake = {"placed": 1, "takes_back": None, "box": 1, "guest": str(me), "source": str(me), "kind": "double_1"}
    assert event.after["stakes"] == [stake | {"amount_minor": 10_000}]


def test_double_that_was_not_there_falls_away_and_what_lay_there_stays(floor):
    mine, other = floor.sent(floor.owner, "double"), floor.sent(floor.other, "double", 2)
    round_id = floor.ended(WON, mine, other)
    floor.correct(round_id, WON, placed=[other])
    [back] = RoundStake.objects.filter(round_id=round_id, revision=2)
    figures = (back.placed, back.takes_back, back.kind, back.accepted_minor, back.returned_minor)
    assert (figures, back.reason, back.rule) == ((3, 1, "double_1", 0, 10_000), "put_right", "BOX-5")
    steps = ["lock", "place:1", "place:2", "settle:1", "-settle:1", "-place:1", "settle:2"]
    assert floor.keys(round_id) == steps
    assert set(lines(round_id, 1)) - set(lines(round_id, 2)) == {(1, "double_1")}
    told = standing(Table.objects.select_related(*RELATED).get(pk=floor.bj.pk))["round"]["stakes"]
    assert sorted((one["kind"], one["placed"]) for one in told) == [("double_1", 2), ("stake", 0), ("stake", 0)]


def test_put_right_again_and_again(floor):
    """Each older result settles from the stakes that counted for it; left out, the stakes stay."""
    mine, insured = floor.sent(floor.owner, "double"), floor.sent(floor.other, "insurance", 2, **ACE, amount_minor=2000)
    round_id = floor.ended(LOST)
    expected = [((1, "stake"), (2, "stake"))]
    for placed, result in (([mine], WON), ([mine, insured], LOST), (None, PUSHED), ([insured], LOST), ([mine], WON)):
        floor.correct(round_id, result, placed=placed)
        lie = [] if placed is None else [one["act"] for one in placed]
        named = (*(((1, "double_1"),) if "double" in lie else ()), *(((2, "insurance"),) if "insurance" in lie else ()))
        expected.append(expected[-1] if placed is None else (*expected[0], *named))
        assert (breached_here(), replayed(round_id)) == ({}, {})
    assert [sorted(lines(round_id, n)) for n in range(1, 7)] == [sorted(one) for one in expected]
    rows = RoundStake.objects.filter(round_id=round_id, placed__gt=0).order_by("placed")
    assert [(one.revision, one.placed, one.kind, one.takes_back) for one in rows] == [
        (2, 1, "double_1", None),
        (3, 2, "insurance", None),
        (5, 3, "double_1", 1),
        (6, 4, "insurance", 2),
        (6, 5, "double_1", None),
    ]
    assert (floor.balance("layout"), floor.balance("table_win")) == (0, 24_000)


def test_session_and_report_count_what_was_put_right(floor):
    """What stands is what the guests were given more, less what they brought for it with the correction."""
    mine = floor.sent(floor.owner, "double")
    round_id = floor.ended(LOST)
    floor.correct(round_id, WON, placed=[mine])
    floor.correct(round_id, WON, placed=[])
    floor.correct(round_id, LOST, placed=[mine])
    session = Table.objects.get(pk=floor.bj.pk).session_id
    [row] = session_rounds(session_id=session)[0]
    assert (row.staked_minor, row.returned_minor, row.paid_minor, row.result_minor) == (24_000, 0, 0, 24_000)
    assert session_sums(session_id=session).staked_minor == 24_000
    asked = dict.fromkeys(("table", "game", "croupier", "version")) | {"house": floor.house.pk}
    asked |= {"first": "2000-01-01", "last": "9999-01-01", "since": "2000-01-01", "until": "9999-01-01"}
    with connection.cursor() as cursor:
        cursor.execute(CORRECTIONS.sql, asked)
        rows = [tuple(map(int, row[8:11])) for row in cursor.fetchall()]
    books = Books(SimpleNamespace(house=floor.house, day=None))
    assert rows == [tuple(row[8:11]) for row in second.corrections(books)]
    assert rows == [(0, 38_000, 38_000), (38_000, 28_000, -10_000), (28_000, -10_000, -38_000)]


def test_what_cannot_lie_there_is_refused(floor):
    double = floor.sent(floor.owner, "double")
    third = floor.guest(distance=1)
    round_id = floor.lay((floor.owner, 1, 100), (third, 1, 20), (floor.other, 2, 40))
    floor.settle(round_id, WON)
    stranger = Guest.objects.filter(session__table=floor.table).first() or floor.open(floor.table)[0]
    wrong = {
        "blackjack.placed_already": [double, double],
        "blackjack.no_stake_there": [floor.sent(floor.other, "double")],
        "blackjack.insurance_too_much": [floor.sent(floor.other, "insurance", 2, **ACE, amount_minor=2001)],
        "blackjack.hand_unknown": [],
        "round.placement_wrong": [{}],
        "round.too_many_stakes": [double] * 201,
        "guest.unknown": [double, floor.sent(stranger, "double", instead_of=third)],
    }
    two = {"bank": "bust", "boxes": hands(b1=["win", "win"], b2=["win"])}
    for code, placed in wrong.items():
        result = two if code == "blackjack.hand_unknown" else WON
        assert refusal(floor.correct, round_id, result, placed=placed).code == code
    for placed in ({}, "double", 5):
        assert refusal(floor.correct, round_id, WON, placed=placed).code == "round.placement_wrong"
    running = floor.begun()
    assert refusal(floor.correct, running, WON, placed=[double]).code == "round.state_refused"


def test_stakes_of_so_much_need_an_approval_that_has_them(floor):
    """The house's threshold holds for what comes and falls away too; what is signed is this list, and no other."""
    rich = floor.guest(3)
    round_id = floor.lay((rich, 3, 500))
    lost = {"bank": "20", "boxes": hands(b3=["lose"])}
    floor.settle(round_id, lost)
    much = [floor.sent(rich, "double", 3)]
    prepared = floor.prepared(round_id, lost, much)
    record = prepared.record
    assert moves_much(record, prepared, 50_000)
    assert not moves_much(record, prepared, 50_001)
    floor.begun()  # the next round is locked
    refused = refusal(floor.correct, round_id, lost, placed=much)
    assert (refused.code, refused.data["why"]) == ("round.approval_needed", "the next round was locked")
    asked: Approval = done(
        services.round_correction_request, prepared=prepared, person_id=floor.reto.pk, reason="seen on camera"
    )
    assert asked.payload["placed"] == much
    sign(floor, asked, floor.ines)
    by = {"person_id": floor.reto.pk, "reason": "seen on camera", "approval_id": asked.pk}
    for other in (None, [], [floor.sent(rich, "insurance", 3, **ACE, amount_minor=1000)]):
        assert refusal(floor.correct, round_id, lost, placed=other, **by).code == "approval.changed"
    assert floor.correct(round_id, lost, placed=much, **by)["revision"] == 2
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_same_key_twice_puts_it_right_once(floor):
    round_id = floor.ended(WON)
    prepared = floor.prepared(round_id, WON, [floor.sent(floor.owner, "double")])
    work = {"prepared": prepared, "person_id": floor.martina.pk, "reason": "mistyped"}
    key = str(uuid4())
    first, again = (
        run_once(key, request_fingerprint("round.correct", "test", {}), lambda: services.round_correct(**work))
        for _ in range(2)
    )
    assert (first.body, first.replayed, again.replayed) == (again.body, False, True)
    assert RoundStake.objects.filter(round_id=round_id, placed__gt=0).count() == 1
    assert refusal(services.round_correct, **work).code == "round.changed"


def test_settled_round_is_not_voided_and_its_stakes_go_no_other_way(floor):
    round_id = floor.ended(WON)
    floor.correct(round_id, WON, placed=[floor.sent(floor.owner, "double")])
    by = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.reto.pk}
    assert refusal(services.round_void, **by, reason="misdeal").code == "round.state_refused"
    assert refusal(services.round_take_back, **by, placed=1, supervisor=True).code == "round.state_refused"
    placing = floor.placing(round_id, floor.other, "double", 2)
    assert refusal(services.round_place, **placing).code == "round.state_refused"


def test_queued_round_that_says_the_same_is_booked_by_it(floor):
    """What waits with the placements that were put right is taken with the correction, in whatever order they came."""
    double, other = floor.sent(floor.owner, "double"), floor.sent(floor.other, "double", 2)
    laid = [(floor.owner, 1, 100), (floor.other, 2, 40)]
    stakes = [{"box": box, "guest": str(g.pk), "kind": "stake", "amount_minor": chf * 100} for g, box, chf in laid]
    round_id = floor.ended(WON, other)
    payload = {"stakes": stakes, "placed": [double, other], "result": WON}
    values = {"house_id": floor.house.pk, "table_id": floor.bj.pk, "round_id": round_id, "kind": "queued"}
    refused = RoundState(state="locked")
    entry = done(services.review_item_record, **values, payload=payload, refused=refused, person_id=floor.martina.pk)
    floor.correct(round_id, WON, placed=payload["placed"])
    entry.refresh_from_db()
    assert (entry.state, breached_here()) == ("taken", {})


def test_queued_round_that_comes_again_after_its_correction_is_the_same_round(floor):
    """As it was booked, before its stakes and its result were put right; another one is refused as ever."""
    mine, other = floor.sent(floor.owner, "double"), floor.sent(floor.other, "double", 2)
    laid = [(floor.owner, 1, 100), (floor.other, 2, 40)]
    stakes = [{"box": box, "guest": str(g.pk), "kind": "stake", "amount_minor": chf * 100} for g, box, chf in laid]
    values = {"house_id": floor.house.pk, "table_id": floor.bj.pk, "round_id": uuid4(), "person_id": floor.martina.pk}
    sent = values | {"stakes": stakes, "placed": [mine, other], "result": LOST}
    round_id = UUID(done(services.round_take_queued, **sent)["id"])
    floor.correct(round_id, WON, placed=[other])
    floor.correct(round_id, WON, placed=[mine])
    for placed, result in (([mine, other], LOST), ([other], WON), ([mine], WON)):
        assert done(services.round_take_queued, **sent | {"placed": placed, "result": result})["revision"] == 3
    assert refusal(services.round_take_queued, **sent | {"result": WON}).code == "round.booked_otherwise"
    assert refusal(services.round_take_queued, **sent | {"placed": []}).code == "round.placed_otherwise"
    assert (breached_here(), replayed(round_id)) == ({}, {})
