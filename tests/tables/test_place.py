"""Stakes that come after the lock: each is booked when it happens, and settles, goes back and is put right with its round (BJ-5
to BJ-9, BOX-2, BOX-5, PRM-2).
"""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.audit.reports.statements.changes import CORRECTIONS
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import Entry, Event, Transfer
from tables import services
from tables.audit import replay
from tables.models import Guest, RoundLine, RoundStake
from tests.blackjack import Blackjack, hands
from tests.floor import done, stakes_for
from tests.tables.audits import breached_here
from tests.turns import each
from tests.worlds import world

NO_ID = UUID(int=0)
ACE = {"bank": "Ah"}


pytestmark = world(Blackjack)


def refused(work: Any, **values: Any) -> Refused:
    """What a command refuses; nothing is written."""
    before = (Entry.objects.count(), RoundStake.objects.count(), Event.objects.count())
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(**values)
    assert (Entry.objects.count(), RoundStake.objects.count(), Event.objects.count()) == before
    return refusal.value


def not_placed(floor: Blackjack, round_id: UUID, guest: Guest, act: str, box: int = 1, **more: Any) -> str:
    return refused(services.round_place, **floor.placing(round_id, guest, act, box, **more)).code


def test_each_is_booked_when_it_happens_and_settles_with_its_round(floor):
    """Doubled by the owner, followed by a co-player, by another for a third; split, insured, and paid even money."""
    owner, follows, stays = floor.guest(1), floor.guest(distance=1), floor.guest(distance=2)
    splits, insures, even, new = floor.guest(2), floor.guest(3), floor.guest(4), floor.guest(5)
    laid = [(owner, 1, 100), (follows, 1, 50), (stays, 1, 20), (splits, 2, 40), (insures, 3, 60), (even, 4, 30)]
    round_id = floor.lay(*laid)
    assert floor.balance("layout") == -30_000
    acts: list[tuple[Guest, str, int, dict[str, Any]]] = [
        (insures, "insurance", 3, ACE | {"amount_minor": 3000}),
        (even, "even_money", 4, ACE | {"cards": "As Kd"}),
        (owner, "double", 1, {"cards": "5h 6d"}),
        (follows, "double", 1, {}),
        (new, "double", 1, {"instead_of": stays}),
        (splits, "split", 2, {"cards": "8h 8d"}),
        (splits, "double", 2, {"hand": 2}),
    ]
    layout = []
    for guest, act, box, more in acts:
        floor.place(round_id, guest, act, box, **more)
        layout.append(-floor.balance("layout") // 100)
        assert breached_here() == {}
    assert layout == [330, 330, 430, 480, 500, 540, 580]
    assert floor.later(round_id) == [
        (1, 3, insures.pk, insures.pk, "insurance", 30),
        (2, 4, even.pk, even.pk, "even_money", 0),
        (3, 1, owner.pk, owner.pk, "double_1", 100),
        (4, 1, follows.pk, follows.pk, "double_1", 50),
        (5, 1, new.pk, stays.pk, "double_1", 20),
        (6, 2, splits.pk, splits.pk, "split_2", 40),
        (7, 2, splits.pk, splits.pk, "double_2", 40),
    ]
    keys = Transfer.objects.filter(subject_id=round_id, kind="lock").order_by("pk").values_list("key", flat=True)
    assert list(keys) == [f"round:{round_id}:{one}" for one in ("lock", *(f"place:{n}" for n in (1, 3, 4, 5, 6, 7)))]
    ends = {"bank": "19", "boxes": hands(b1=["win"], b2=["lose", "win"], b3=["push"], b4=["blackjack"])}
    answer = floor.settle(round_id, ends)
    assert [one["placed"] for one in answer["stakes"]] == [0] * 6 + [1, 2, 3, 4, 5, 6, 7]
    paid = {(one["guest"], one["kind"]): one["paid_minor"] // 100 for one in answer["lines"]}
    assert paid == {
        (str(owner.pk), "stake"): 200,
        (str(follows.pk), "stake"): 100,
        (str(stays.pk), "stake"): 40,
        (str(splits.pk), "stake"): 0,
        (str(insures.pk), "stake"): 60,
        (str(even.pk), "stake"): 60,
        (str(insures.pk), "insurance"): 0,
        (str(even.pk), "even_money"): 0,
        (str(owner.pk), "double_1"): 200,
        (str(follows.pk), "double_1"): 100,
        (str(new.pk), "double_1"): 40,
        (str(splits.pk), "split_2"): 80,
        (str(splits.pk), "double_2"): 80,
    }
    assert (floor.balance("layout"), floor.balance("table_win")) == (0, (sum(paid.values()) - 580) * 100)
    assert breached_here() == {}


def test_its_event_says_what_was_placed(floor):
    owner = floor.guest(1)
    round_id = floor.lay((owner, 1, 100))
    away = floor.guest(distance=1)
    floor.place(round_id, owner, "double", cards="6d 5h", hand=1, away=[str(away.pk)])
    event = Event.objects.get(name="round.placed")
    assert (event.subject_id, event.actor_id, event.house_id) == (str(round_id), floor.martina.pk, floor.house.pk)
    me = str(owner.pk)
    stake = {"placed": 1, "box": 1, "guest": me, "source": me, "kind": "double_1", "amount_minor": 10_000}
    entered = {"cards": "6d 5h", "away": [str(away.pk)], "named": True, "act": "double", "hand": 1}
    assert event.after == stake | {"entered": entered, "drawn": None}


def test_who_decides_is_asked_at_the_moment(floor):
    """BOX-2, PRM-2: a co-player before the owner is told who decides; of an owner who is away or has left, the next one is it."""
    owner, first, second = floor.guest(1), floor.guest(distance=1), floor.guest(distance=2)
    round_id = floor.lay((owner, 1, 50), (first, 1, 100), (second, 1, 20))
    for guest, more, who in ((first, {}, owner), (second, {"away": [str(owner.pk)]}, first)):
        refusal = refused(services.round_place, **floor.placing(round_id, guest, "double", **more))
        assert (refusal.code, refusal.rule) == ("blackjack.not_first", "BOX-2")
        assert refusal.data["decider"] == str(who.pk)
    assert (
        floor.place(round_id, second, "insurance", **ACE, amount_minor=1000)["placed"] == 1
    )  # nobody decides that but they
    assert floor.place(round_id, first, "double", away=[str(owner.pk)])["kind"] == "double_1"
    done(services.guest_leave, house_id=floor.house.pk, guest_id=owner.pk, actor_id=floor.martina.pk)
    assert floor.place(round_id, second, "double")["kind"] == "double_1"


def test_nobody_knows_who_decides(floor):
    one, two = floor.guest(distance=1), floor.guest(distance=1)
    round_id = floor.lay((one, 6, 100), (two, 6, 100))
    assert not_placed(floor, round_id, one, "double", 6) == "box.decider_unclear"
    assert not_placed(floor, round_id, one, "double", 6, away=[str(one.pk), str(two.pk)]) == "box.nobody_decides"
    assert not_placed(floor, round_id, one, "double", 5) == "blackjack.no_stake_there"
    assert floor.place(round_id, one, "insurance", 6, **ACE, amount_minor=5000)["accepted_minor"] == 5000


def test_what_may_not_be_placed(floor):
    """Whose round, state and turn it is; and what the placement says, read strictly."""
    owner, elsewhere = floor.guest(1), floor.open(floor.table)[0]
    round_id, plain = floor.lay((owner, 1, 100)), floor.lock(stakes_for([elsewhere]))
    double = floor.placing(round_id, owner, "double")
    sent = double["placement"]
    wrong: dict[str, list[dict[str, Any]]] = {
        "round.unknown": [{"round_id": NO_ID}, {"house_id": NO_ID}],
        "round.croupier_wrong": [{"person_id": floor.nora.pk}],
        "uth.nothing_later": [{"round_id": UUID(plain["id"])}],
        "round.placement_wrong": [
            {"placement": one}
            for one in (
                None,
                [],
                {},
                {"box": 1, "guest": sent["guest"]},
                sent | {"box": 0},
                sent | {"box": "1"},
                sent | {"box": True},
                sent | {"guest": "me"},
                sent | {"guest": 7},
                sent | {"act": 7},
                sent | {"hand": 5},
                sent | {"amount_minor": -1},
                sent | {"amount_minor": 10**19},
                sent | {"instead_of": "him"},
                sent | {"bank": "Ah Kh"},
                sent | {"bank": 7},
                sent | {"act": "insurance", "amount_minor": 1000},
                sent | {"act": "even_money", "bank": " "},
                sent | {"cards": {}},
                sent | {"away": "all"},
                sent | {"away": [7]},
                sent | {"more": 1},
            )
        ],
        "blackjack.act_unknown": [{"placement": sent | {"act": "surrender"}}],
        "blackjack.amount_differs": [{"placement": sent | {"amount_minor": 200}}],
        "blackjack.not_to_double": [{"placement": sent | {"cards": "Th 2d"}}],
    }
    codes = {
        code: [refused(services.round_place, **double | one).code for one in every] for code, every in wrong.items()
    }
    assert codes == {code: [code] * len(every) for code, every in wrong.items()}
    stranger = floor.placing(round_id, elsewhere, "double", instead_of=owner)
    floor.place(round_id, owner, "double")
    assert refused(services.round_place, **stranger).code == "blackjack.placed_already"
    floor.settle(round_id, {"bank": "bust", "boxes": hands(b1=["win"])})
    assert refused(services.round_place, **double).code == "round.state_refused"


def test_guest_of_another_table_doubles_for_nobody(floor):
    owner, other = floor.guest(1), floor.guest(distance=1)
    elsewhere = floor.open(floor.table)[0]
    round_id = floor.lay((owner, 1, 100), (other, 1, 50))
    floor.place(round_id, owner, "double")
    placing = floor.placing(round_id, elsewhere, "double", instead_of=other)
    assert refused(services.round_place, **placing).code == "guest.unknown"


def test_who_has_left_brings_nothing(floor):
    """BOX-5, BJ-12: neither for the own stake nor for a co-player's."""
    owner, other, third, new = floor.guest(1), floor.guest(distance=1), floor.guest(distance=2), floor.guest(5)
    round_id = floor.lay((owner, 1, 100), (other, 1, 50), (third, 1, 20))
    floor.place(round_id, owner, "split")
    assert floor.place(round_id, new, "split", instead_of=other)["kind"] == "split_2"
    for guest in (new, other):
        done(services.guest_leave, house_id=floor.house.pk, guest_id=guest.pk, actor_id=floor.martina.pk)
    assert not_placed(floor, round_id, new, "split", instead_of=third) == "guest.unknown"
    assert not_placed(floor, round_id, other, "insurance", **ACE, amount_minor=1000) == "guest.unknown"
    assert floor.place(round_id, third, "split")["kind"] == "split_2"


def test_pit_boss_acts_for_the_croupier(floor):
    owner = floor.guest(1)
    placing = floor.placing(floor.lay((owner, 1, 100)), owner, "double") | {"person_id": floor.reto.pk}
    assert refused(services.round_place, **placing).code == "round.croupier_wrong"
    assert done(services.round_place, **placing, supervisor=True)["stakes"][-1]["placed"] == 1


def test_same_key_twice_is_one_stake(floor):
    owner = floor.guest(1)
    round_id = floor.lay((owner, 1, 100))
    placing, key = floor.placing(round_id, owner, "insurance", **ACE, amount_minor=2000), str(uuid4())
    first, again = (
        run_once(key, request_fingerprint("round.place", "test", {}), lambda: services.round_place(**placing))
        for _ in range(2)
    )
    assert (first.body, first.replayed, again.replayed) == (again.body, False, True)
    assert [one[0] for one in floor.later(round_id)] == [1]


def test_void_gives_everything_back_and_nothing_else_takes_it_back(floor):
    """Cards are out: neither reopened nor withdrawn (BOX-5)."""
    owner = floor.guest(1)
    before = {kind: floor.balance(kind) for kind in ("layout", "circulation", "tray")}
    round_id = floor.lay((owner, 1, 100))
    floor.place(round_id, owner, "split")
    floor.place(round_id, owner, "double", hand=2)
    by = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.martina.pk}
    assert refused(services.round_reopen, **by).code == "round.cards_out"
    assert refused(services.round_withdraw, **by, table_id=floor.bj.pk).code == "round.cards_out"
    done(services.round_void, **by | {"person_id": floor.reto.pk}, reason="misdeal")
    assert {kind: floor.balance(kind) for kind in before} == before
    back = Transfer.objects.filter(subject_id=round_id).exclude(reverses=None)
    assert sorted(one.reverses.key.removeprefix(f"round:{round_id}:") for one in back) == ["lock", "place:1", "place:2"]
    assert breached_here() == {}
    asked = dict.fromkeys(("table", "game", "croupier", "version")) | {"house": floor.house.pk}
    asked |= {"first": "2000-01-01", "last": "9999-01-01", "since": "2000-01-01", "until": "9999-01-01"}
    with connection.cursor() as cursor:
        cursor.execute(CORRECTIONS.sql, asked)
        [row] = cursor.fetchall()
    assert (row[2], row[8:11]) == ("voided", (-30_000, None, 30_000))
    assert "Of a void or a reopening: all stakes of the round." in CORRECTIONS.note


def test_correction_keeps_them_and_they_settle_again_for_ever(floor):
    owner, even = floor.guest(1), floor.guest(2)
    round_id = floor.lay((owner, 1, 100), (even, 2, 50))
    floor.place(round_id, even, "even_money", 2, **ACE)
    floor.place(round_id, owner, "double")
    later = floor.later(round_id)
    floor.settle(round_id, {"bank": "20", "boxes": hands(b1=["lose"], b2=["blackjack"])})
    assert floor.balance("table_win") == -15_000
    answer = floor.correct(round_id, {"bank": "20", "boxes": hands(b1=["win"], b2=["blackjack"])})
    assert (answer["revision"], floor.later(round_id)) == (2, later)
    assert (floor.balance("layout"), floor.balance("table_win")) == (0, 25_000)
    rows = RoundLine.objects.filter(round_id=round_id, revision=2).order_by("place")
    assert list(rows.values_list("kind", "stake_minor", "won_minor", "code")) == [
        ("stake", 10_000, 10_000, "blackjack.won"),
        ("stake", 5_000, 5_000, "blackjack.even_money"),
        ("even_money", 0, 0, "blackjack.even_money_chosen"),
        ("double_1", 10_000, 10_000, "blackjack.won"),
    ]
    with connection.cursor() as cursor:
        rounds = replay._ROUNDS.format(window=f"AND r.id = '{round_id}'")
        cursor.execute(rounds)
        [record] = replay._put_together(cursor, cursor.fetchall())
    assert {name: list(check(record)) for name, check in replay.CHECKS.items()} == {name: [] for name in replay.CHECKS}
    assert breached_here() == {}


def test_who_doubles_for_another_is_paid_for_the_own_black_jack_as_the_other_is(floor):
    """BJ-5, BJ-6: the record knows whose stake was doubled, and that its own guest did not."""
    owner, pays, other = floor.guest(1), floor.guest(distance=1), floor.guest(distance=2)
    round_id = floor.lay((owner, 1, 100), (pays, 1, 50), (other, 1, 20))
    floor.place(round_id, owner, "double")
    floor.place(round_id, pays, "double", instead_of=other)
    ended = {"boxes": {"1": {"hands": [{"result": "blackjack", "doubled_result": "lose"}]}}, "bank": "18"}
    floor.settle(round_id, ended)
    rows = RoundLine.objects.filter(round_id=round_id).values_list("guest_id", "kind", "stake_minor", "won_minor")
    assert set(rows) == {
        (owner.pk, "stake", 10_000, 0), (pays.pk, "stake", 5000, 7500), (other.pk, "stake", 2000, 3000),
        (owner.pk, "double_1", 10_000, 0), (pays.pk, "double_1", 2000, 0),
    }  # fmt: skip
    assert breached_here() == {}


def test_result_that_does_not_know_the_last_stake_is_refused(floor):
    """It was worked out before: the stake would lie there without a line."""
    owner = floor.guest(1)
    round_id = floor.lay((owner, 1, 100))
    ends = {"bank": "bust", "boxes": hands(b1=["win"])}
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=ends)
    floor.place(round_id, owner, "double")
    stale = {"prepared": prepared, "person_id": floor.martina.pk}
    assert refused(services.round_settle, **stale).code == "round.changed"
    assert floor.settle(round_id, ends)["state"] == "settled"


@each("boxes", [1, 7])
def test_takes_as_few_statements_for_seven_boxes_as_for_one(floor, boxes):
    guests = [floor.guest(box) for box in range(1, boxes + 1)]
    round_id = floor.lay(*((guest, guest.box, 100) for guest in guests))
    floor.place(round_id, guests[-1], "split", boxes)
    placing = floor.placing(round_id, guests[0], "double")
    with CaptureQueriesContext(connection) as asked:
        run_once(str(uuid4()), request_fingerprint("count", "test", {}), lambda: services.round_place(**placing))
    sent = [query["sql"] for query in asked if query["sql"] not in ("BEGIN", "COMMIT")]
    # key, three that hold and read the round, what was entered with the stakes that came, the guests at the box, the
    # one call that writes, answer
    assert len([one for one in sent if "SAVEPOINT" not in one]) == 8
