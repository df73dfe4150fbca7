"""The book's section CNT: counts of a tray."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from payouts.errors import Refused
from payouts.models import Count, CountEntry, CountSignature, Event, Transfer
from payouts.rules.ledger import recipes
from tables import services
from tables.models import Difference, TableSession
from tests.counts import CLOSER, OPENER, VALUES, CountedFloor, lines_of
from tests.floor import done, stakes_for, taps
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(CountedFloor)


def code_of(work, **values) -> str:
    with pytest.raises(Refused) as refused:
        done(work, **values)
    return refused.value.code


def figures(signed) -> tuple[int | None, int | None, int | None]:
    return signed.value_minor, signed.recorded_minor, signed.difference_minor


def posted(count: Count) -> list[tuple[str, str, int]]:
    """The legs of a count's transfer with its kind."""
    legs = Transfer.objects.filter(key=f"count:{count.pk}").order_by("entries__id")
    return list(legs.values_list("kind", "entries__account__kind", "entries__amount_minor"))


def test_CNT_1_the_value_is_what_the_pieces_come_to(floor):
    count = floor.begin("opener")
    floor.enter(count, *OPENER)
    entry = CountEntry.objects.get(count=count)
    assert (entry.value_minor, dict(entry.lines.values_list("value_minor", "pieces"))) == (
        3_660_000,
        dict(zip(VALUES, OPENER, strict=True)),
    )


def test_CNT_1_refuses_what_is_no_count_of_the_chip_set(floor):
    count = floor.begin("opener")
    ids = {"house_id": floor.house.pk, "count_id": count.pk, "counter_id": floor.martina.pk}
    whole = lines_of(*OPENER)
    mistakes: dict[str, list[Any]] = {
        "count.pieces_wrong": [
            lines_of(40.5, *OPENER[1:]),
            lines_of(-1, *OPENER[1:]),
            lines_of(True, *OPENER[1:]),
            lines_of("40", *OPENER[1:]),
            lines_of(None, *OPENER[1:]),
            lines_of(100_001, *OPENER[1:]),
        ],
        "count.denomination_unknown": [
            [*whole, {"value_minor": 700, "pieces": 1}],
            [*whole, whole[0]],
            [{"value_minor": 250}],
            "nothing",
            None,
            [{"value_minor": True, "pieces": 1}],
        ],
        "count.incomplete": [whole[:-1], []],
    }
    for code, entries in mistakes.items():
        for lines in entries:
            assert code_of(services.count_enter, **ids, lines=lines) == code, lines
    assert not CountEntry.objects.filter(count=count).exists()
    floor.enter(count, *[0] * 8)  # eight zeros are a count
    assert CountEntry.objects.get(count=count).value_minor == 0


def test_CNT_2_who_counts_does_not_witness_and_nobody_signs_what_they_did_not_see(floor):
    count = floor.begin("opener")
    ids = {"house_id": floor.house.pk, "count_id": count.pk}
    assert code_of(services.count_witness, **ids, entry=1, ok=True, witness_id=floor.reto.pk) == "count.changed"
    floor.enter(count, *OPENER)
    assert code_of(services.count_witness, **ids, entry=1, ok=True, witness_id=floor.martina.pk) == "count.same_person"
    assert code_of(services.count_enter, **ids, lines=[], counter_id=floor.martina.pk) == "count.entered"
    assert figures(floor.witness(count, ok=False)) == (None, None, None)
    floor.enter(count, *OPENER)
    assert code_of(services.count_witness, **ids, entry=1, ok=True, witness_id=floor.reto.pk) == "count.changed"
    assert figures(floor.witness(count, 2)) == (3_660_000, 3_660_000, 0)
    for command, more in (
        (services.count_enter, {"lines": [], "counter_id": floor.martina.pk}),
        (services.count_witness, {"entry": 2, "ok": True, "witness_id": floor.reto.pk}),
        (services.count_give_up, {"actor_id": floor.reto.pk}),
    ):
        assert code_of(command, **ids, **more) == "count.signed"


def test_CNT_2_in_a_session_who_has_the_table_counts_or_who_began(floor):
    floor.opened()
    count = floor.begin("spot", by=floor.reto)
    ids = {"house_id": floor.house.pk, "count_id": count.pk, "lines": lines_of(*OPENER)}
    assert code_of(services.count_enter, **ids, counter_id=floor.nora.pk) == "count.not_yours"
    floor.enter(count, *OPENER, by=floor.martina)
    assert code_of(services.count_give_up, house_id=floor.house.pk, count_id=count.pk, actor_id=floor.martina.pk,
                   croupier_id=floor.martina.pk) == "count.not_yours"  # fmt: skip
    floor.give_up(count)
    other = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "purpose": "spot"}
    assert code_of(services.count_begin, **other, actor_id=floor.nora.pk, croupier_id=floor.nora.pk) == (
        "round.croupier_wrong"
    )


def test_CNT_3_a_table_opens_and_closes_on_its_counts_alone(floor):
    ids = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "actor_id": floor.reto.pk}
    opening = ids | {"croupier_id": floor.martina.pk}
    assert code_of(services.table_open, **opening) == "table.not_counted"
    count = floor.begin("opener")
    assert code_of(services.table_open, **opening) == "table.being_counted"
    floor.enter(count, *OPENER)
    floor.witness(count)
    session = done(services.table_open, **opening)
    assert (session.opener_id, session.closer_id, session.counting_id) == (count.pk, None, None)
    assert code_of(services.table_close, **ids) == "table.not_counted"
    closer = floor.begin("closer")
    assert code_of(services.table_close, **ids) == "table.being_counted"
    floor.enter(closer, *OPENER)
    floor.witness(closer)
    session.refresh_from_db()
    assert session.counting_id == closer.pk
    closed = done(services.table_close, **ids, cards_complete=True)
    assert (closed.opener_id, closed.closer_id, closed.counting_id) == (count.pk, closer.pk, None)
    # within the day again: counted again, since an opener opens once
    assert code_of(services.table_open, **opening) == "table.not_counted"
    floor.sign("opener", *OPENER)
    assert done(services.table_open, **opening).opener_id not in (None, count.pk)


def test_CNT_3_a_house_that_asks_for_no_counts_takes_those_that_there_are(floor):
    floor.open(floor.table)
    session = TableSession.objects.get(table=floor.table)
    assert (session.opener_id, session.counting_id) == (None, None)
    ids = {"house_id": floor.house.pk, "actor_id": floor.martina.pk}
    assert code_of(services.count_begin, **ids, table_id=floor.table.pk, purpose="spot") == "count.no_chip_set"
    assert done(services.table_close, **ids, table_id=floor.table.pk).closer_id is None


def test_CNT_4_an_opener_that_differs_asks_for_a_reason(floor):
    signed = floor.sign("opener", 40, 200, 149, *OPENER[3:])
    assert figures(signed) == (3_659_000, 3_660_000, -1_000)
    ids = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "actor_id": floor.reto.pk}
    opening = ids | {"croupier_id": floor.martina.pk}
    with pytest.raises(Refused) as refused:
        done(services.table_open, **opening)
    assert (refused.value.code, refused.value.rule, refused.value.data) == (
        "table.opener_differs",
        "CNT-4",
        {"place": "UTH 3", "difference_minor": -1_000},
    )
    done(services.table_open, **opening, reason="one blue less, seen by both")
    event = Event.objects.filter(name="table.opened").latest("id")
    assert (event.reason, event.after["opener"]) == ("one blue less, seen by both", str(signed.count.pk))
    assert posted(signed.count) == [
        ("tray_count", "count_difference", 1_000),
        ("tray_count", "circulation", -1_000),
        ("tray_count", "chips_outside", 1_000),
        ("tray_count", "tray", -1_000),
    ]


def test_CNT_5_a_count_between_books_its_difference_and_runs_between_rounds(floor):
    floor.opened()
    guests = list(TableSession.objects.get(table=floor.counted).guests.order_by("box"))
    locked = floor.lock(stakes_for(guests[:1]), table_id=floor.counted.pk)
    ids = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "actor_id": floor.martina.pk}
    assert code_of(services.count_begin, **ids, purpose="relief") == "table.round_running"
    floor.settle(locked["id"], taps(b1={"result": "fold"}))  # 30.00 more in the tray
    assert code_of(services.count_begin, **ids, purpose="opener") == "table.open"
    assert code_of(services.count_begin, **ids, purpose="whim") == "count.purpose_unknown"
    signed = [
        floor.sign(purpose, *pieces)
        for purpose, pieces in (("relief", OPENER), ("drop", OPENER), ("suspicion", (42, *OPENER[1:])))
    ]
    assert [figures(count)[2] for count in signed] == [-3_000, 0, 500]
    assert [len(posted(count.count)) for count in signed] == [4, 0, 4]
    assert floor.balance("count_difference") == 2_500
    counts = Count.objects.filter(purpose__in=["relief", "drop", "suspicion"]).values_list("session_id", "state")
    assert {*counts} == {(TableSession.objects.get(table=floor.counted).pk, "signed")}


def test_CNT_6_a_great_difference_is_counted_again_and_nobody_hears_how_great(floor):
    """Example 8: twenty fives overlooked."""
    floor.opened()
    count = floor.begin("spot")
    less = (40, 180, *OPENER[2:])
    again = floor.witness(count, floor.enter(count, *less))
    assert (figures(again), again.count.state) == ((None, None, None), "again")
    event = Event.objects.filter(subject_kind="count", subject_id=str(count.pk)).latest("id")
    assert (event.name, {*event.after}) == ("count.again", {"table", "number", "counter"})
    assert posted(count) == []
    signed = floor.witness(count, floor.enter(count, *OPENER))
    assert (figures(signed), signed.count.state) == ((3_660_000, 3_660_000, 0), "signed")
    signatures = CountSignature.objects.filter(count=count).order_by("id").values_list("stands", "difference_minor")
    assert [*signatures] == [(False, -10_000), (True, 0)]


def test_CNT_6_the_second_count_stands_however_far_it_is(floor):
    floor.opened()
    count = floor.begin("spot")
    for number in (1, 2):
        signed = floor.witness(count, floor.enter(count, *OPENER[:-1], 9))
        assert signed.count.state == ("again" if number == 1 else "signed")
    assert (figures(signed), len(posted(count))) == ((3_560_000, 3_660_000, -100_000), 4)


def test_CNT_7_a_session_that_tells_no_results_has_a_result_and_no_difference(floor):
    """Example 14: the tray as known 34 860.00, counted 38 272.50."""
    floor.hang("Display 1")
    linking = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "actor_id": floor.tim.pk}
    done(services.table_link, **linking, jackpot_id=floor.jackpot.pk)
    floor.opened(entry_level="jackpot_only", reason="no cashier yet", prize_lacks="cashier")
    floor.move("override", recipes.override(500))  # what the coin of the round below brings
    guests = list(TableSession.objects.get(table=floor.counted).guests.order_by("box"))
    coin = {"box": guests[0].box, "guest": str(guests[0].pk), "kind": "coin", "amount_minor": 500}
    locked = floor.lock([coin], table_id=floor.counted.pk)
    floor.settle(locked["id"], {"boxes": {"1": {}}})
    floor.evening(game=False)
    count = floor.begin("closer")
    for _ in (1, 2):
        signed = floor.witness(count, floor.enter(count, *CLOSER))
    assert figures(signed) == (3_827_250, 3_486_000, 341_250)
    assert posted(count) == [
        ("tray_result", "untold_win", -341_250),
        ("tray_result", "circulation", 341_250),
        ("tray_result", "chips_outside", -341_250),
        ("tray_result", "tray", 341_250),
    ]
    assert (floor.balance("untold_win"), floor.balance("count_difference")) == (-341_250, 0)
    floor.close()
    row = {"buyin_id": uuid4(), "session_id": count.session_id, "queued_at": timezone.now(), "amount_minor": 100_00}
    ids = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "actor_id": floor.martina.pk}
    done(services.buyin_enter, **ids, **row)
    assert floor.balance("untold_win") == -351_250
    assert not Difference.objects.exists()


def test_CNT_8_the_pit_confirms_the_cards_or_says_why_not(floor):
    """Where the house counts; the closing says which of the two it was."""
    ids = {"house_id": floor.house.pk, "actor_id": floor.reto.pk}
    counted = ids | {"table_id": floor.counted.pk}
    for values in ({"cards_complete": True}, {"reason": "two cards are torn"}):
        floor.opened()
        floor.sign("closer", *OPENER)
        assert code_of(services.table_close, **counted) == "table.cards_unconfirmed"
        session = done(services.table_close, **counted, **values)
        event = Event.objects.filter(name="table.closed").latest("pk")
        after = {"session": str(session.pk), "closer": str(session.closer_id)}
        after["cards_complete"] = "reason" not in values
        assert (event.reason, event.after) == (values.get("reason", ""), after)
    floor.open(floor.table)
    session = done(services.table_close, **ids, table_id=floor.table.pk)
    assert Event.objects.filter(name="table.closed").latest("pk").after == {"session": str(session.pk)}


def test_CNT_9_a_count_is_frozen(floor):
    floor.opened()
    guests = list(TableSession.objects.get(table=floor.counted).guests.order_by("box"))
    count = floor.begin("spot")
    staked = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "stakes": stakes_for(guests[:1])}
    staked["croupier_id"] = floor.martina.pk
    queued = staked | {"result": taps(b1={"result": "fold"}), "person_id": floor.martina.pk}
    queued.pop("croupier_id")
    for _ in ("begun", "entered"):
        assert code_of(services.round_lock, **staked, round_id=uuid4()) == "table.being_counted"
        assert code_of(services.round_take_queued, **queued, round_id=uuid4()) == "table.being_counted"
        if not CountEntry.objects.filter(count=count).exists():
            floor.enter(count, *OPENER)
    ids = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "actor_id": floor.martina.pk}
    assert code_of(services.count_begin, **ids, purpose="spot") == "count.running"
    floor.witness(count)
    assert done(services.round_take_queued, **queued, round_id=uuid4())["state"] == "settled"
    given_up = floor.begin("spot")
    floor.give_up(given_up)
    assert done(services.round_lock, **staked, round_id=uuid4())["state"] == "locked"


def test_CNT_9_a_signed_closer_freezes_until_the_table_closes_or_it_is_given_up(floor):
    floor.opened()
    guests = list(TableSession.objects.get(table=floor.counted).guests.order_by("box"))
    staked = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "stakes": stakes_for(guests[:1])}
    staked["croupier_id"] = floor.martina.pk
    signed = floor.sign("closer", *OPENER)
    assert code_of(services.round_lock, **staked, round_id=uuid4()) == "table.being_counted"
    floor.give_up(signed.count)
    locked = done(services.round_lock, **staked, round_id=uuid4())
    floor.settle(locked["id"], taps(b1={"result": "fold"}))
    signed.count.refresh_from_db()
    assert signed.count.state == "signed"  # it stands as a count between
    last = floor.sign("closer", *OPENER)
    closed = floor.close()
    assert (closed.closer_id, figures(last)) == (last.count.pk, (3_660_000, 3_663_000, -3_000))


def test_CNT_9_an_override_waits_and_a_correction_passes(floor):
    floor.opened()
    guests = list(TableSession.objects.get(table=floor.counted).guests.order_by("box"))
    locked = floor.lock(stakes_for(guests[:1]), table_id=floor.counted.pk)
    floor.settle(locked["id"], taps(b1={"result": "fold"}))  # 30.00 more in the tray
    about = {"house_id": floor.house.pk, "round_id": UUID(locked["id"]), "person_id": floor.reto.pk}
    paid = {"box": 1, "guest_id": guests[0].pk, "amount_minor": 500, "reason": "goodwill"}
    approval = done(services.override_request, **about, **paid)
    by = {"signer_id": floor.ines.pk, "signer_roles": floor.ines.roles, "method": approval.method}
    sign = {"house_id": floor.house.pk, "approval_id": approval.pk, "payload_hash": approval.payload_hash} | by
    count = floor.begin("spot")
    assert code_of(services.override_sign, **sign) == "table.being_counted"
    floor.enter(count, *OPENER)
    floor.correct(locked["id"], taps(b1={"play": 1, "result": "lose"}))  # 15.00 more
    assert figures(floor.witness(count)) == (3_660_000, 3_664_500, -4_500)


def test_CNT_9_what_comes_late_for_a_closed_session_waits_for_an_opener(floor):
    floor.opened()
    session = TableSession.objects.get(table=floor.counted)
    guests = list(session.guests.order_by("box"))
    floor.sign("closer", *OPENER)
    floor.close()
    count = floor.begin("opener")
    late = {"house_id": floor.house.pk, "table_id": floor.counted.pk, "stakes": stakes_for(guests[:1])}
    late |= {"result": taps(b1={"result": "fold"}), "person_id": floor.martina.pk, "round_id": uuid4()}
    assert code_of(services.round_take_queued, **late) == "table.being_counted"
    floor.give_up(count)
    assert done(services.round_take_queued, **late)["state"] == "settled"


def test_examples_1_3_4_an_evening_that_agrees(floor):
    floor.opened()
    floor.evening()
    signed = floor.sign("closer", *CLOSER)
    assert figures(signed) == (3_827_250, 3_827_250, 0)
    assert posted(signed.count) == []
    floor.close()
    assert breached_here() == {}
    counted = 785_000 + 3_827_250 + 500_000 - 3_660_000 - 1_000_000
    assert counted == 452_250


def test_example_5_a_theft_lies_between_two_counts(floor):
    floor.opened()
    floor.evening()
    eleven = floor.sign("relief", *CLOSER)
    count = floor.begin("closer")
    for _ in (1, 2):
        midnight = floor.witness(count, floor.enter(count, *CLOSER[:6], 23, CLOSER[7]))
    assert [figures(eleven)[2], figures(midnight)[2]] == [0, -50_000]
    floor.close()
    assert (floor.balance("tray"), floor.balance("count_difference")) == (3_777_250, 50_000)
    assert breached_here() == {}
