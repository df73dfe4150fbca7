"""CNT: counts of a tray."""

from uuid import uuid4

import pytest

from payouts.errors import Refused
from payouts.models import Count, CountEntry, CountSignature, Event, Transfer
from payouts.rules.ledger import recipes
from tables import services
from tables.models import TableSession
from tests.counts import CLOSER, OPENER, VALUES, CountedFloor, lines_of
from tests.floor import done, stakes_for
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


def test_CNT_1_the_value_is_what_the_pieces_come_to(world):
    count = world.begin("opener")
    world.enter(count, *OPENER)
    entry = CountEntry.objects.get(count=count)
    assert (entry.value_minor, dict(entry.lines.values_list("value_minor", "pieces"))) == (
        3_660_000,
        dict(zip(VALUES, OPENER, strict=True)),
    )


def test_CNT_1_refuses_what_is_no_count_of_the_chip_set(world):
    count = world.begin("opener")
    ids = {"house_id": world.house.pk, "count_id": count.pk, "counter_id": world.martina.pk}
    whole = lines_of(*OPENER)
    wrong = {
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
    for code, sent in wrong.items():
        for lines in sent:
            assert code_of(services.count_enter, **ids, lines=lines) == code, lines
    assert not CountEntry.objects.filter(count=count).exists()
    world.enter(count, *[0] * 8)  # eight zeros are a count
    assert CountEntry.objects.get(count=count).value_minor == 0


def test_CNT_2_who_counts_does_not_witness_and_nobody_signs_what_they_did_not_see(world):
    count = world.begin("opener")
    ids = {"house_id": world.house.pk, "count_id": count.pk}
    assert code_of(services.count_witness, **ids, entry=1, ok=True, witness_id=world.reto.pk) == "count.changed"
    world.enter(count, *OPENER)
    assert code_of(services.count_witness, **ids, entry=1, ok=True, witness_id=world.martina.pk) == "count.same_person"
    assert code_of(services.count_enter, **ids, lines=[], counter_id=world.martina.pk) == "count.entered"
    assert figures(world.witness(count, ok=False)) == (None, None, None)
    world.enter(count, *OPENER)
    assert code_of(services.count_witness, **ids, entry=1, ok=True, witness_id=world.reto.pk) == "count.changed"
    assert figures(world.witness(count, 2)) == (3_660_000, 3_660_000, 0)
    for command, more in (
        (services.count_enter, {"lines": [], "counter_id": world.martina.pk}),
        (services.count_witness, {"entry": 2, "ok": True, "witness_id": world.reto.pk}),
        (services.count_give_up, {"actor_id": world.reto.pk}),
    ):
        assert code_of(command, **ids, **more) == "count.signed"


def test_CNT_2_in_a_session_who_has_the_table_counts_or_who_began(world):
    world.opened()
    count = world.begin("spot", by=world.reto)
    ids = {"house_id": world.house.pk, "count_id": count.pk, "lines": lines_of(*OPENER)}
    assert code_of(services.count_enter, **ids, counter_id=world.nora.pk) == "count.not_yours"
    world.enter(count, *OPENER, by=world.martina)
    assert code_of(services.count_give_up, house_id=world.house.pk, count_id=count.pk, actor_id=world.martina.pk,
                   croupier_id=world.martina.pk) == "count.not_yours"  # fmt: skip
    world.give_up(count)
    other = {"house_id": world.house.pk, "table_id": world.counted.pk, "purpose": "spot"}
    assert code_of(services.count_begin, **other, actor_id=world.nora.pk, croupier_id=world.nora.pk) == (
        "round.croupier_wrong"
    )


def test_CNT_3_a_table_opens_and_closes_on_its_counts_alone(world):
    ids = {"house_id": world.house.pk, "table_id": world.counted.pk, "actor_id": world.reto.pk}
    opening = ids | {"croupier_id": world.martina.pk}
    assert code_of(services.table_open, **opening) == "table.not_counted"
    count = world.begin("opener")
    assert code_of(services.table_open, **opening) == "table.being_counted"
    world.enter(count, *OPENER)
    world.witness(count)
    session = done(services.table_open, **opening)
    assert (session.opener_id, session.closer_id, session.counting_id) == (count.pk, None, None)
    assert code_of(services.table_close, **ids) == "table.not_counted"
    closer = world.begin("closer")
    assert code_of(services.table_close, **ids) == "table.being_counted"
    world.enter(closer, *OPENER)
    world.witness(closer)
    session.refresh_from_db()
    assert session.counting_id == closer.pk
    closed = done(services.table_close, **ids)
    assert (closed.opener_id, closed.closer_id, closed.counting_id) == (count.pk, closer.pk, None)
    # within the day again: counted again, since an opener opens once
    assert code_of(services.table_open, **opening) == "table.not_counted"
    world.sign("opener", *OPENER)
    assert done(services.table_open, **opening).opener_id not in (None, count.pk)


def test_CNT_3_a_house_that_asks_for_no_counts_takes_those_that_there_are(world):
    world.open(world.table)
    session = TableSession.objects.get(table=world.table)
    assert (session.opener_id, session.counting_id) == (None, None)
    ids = {"house_id": world.house.pk, "actor_id": world.martina.pk}
    assert code_of(services.count_begin, **ids, table_id=world.table.pk, purpose="spot") == "count.no_chip_set"
    assert done(services.table_close, **ids, table_id=world.table.pk).closer_id is None


def test_CNT_4_an_opener_that_differs_asks_for_a_reason(world):
    signed = world.sign("opener", 40, 200, 149, *OPENER[3:])
    assert figures(signed) == (3_659_000, 3_660_000, -1_000)
    ids = {"house_id": world.house.pk, "table_id": world.counted.pk, "actor_id": world.reto.pk}
    opening = ids | {"croupier_id": world.martina.pk}
    with pytest.raises(Refused) as refused:
        done(services.table_open, **opening)
    assert (refused.value.code, refused.value.rule, refused.value.data) == (
        "table.opener_differs",
        "CNT-4",
        {"place": "UTH 3", "difference_minor": -1_000},
    )
    done(services.table_open, **opening, reason="one blue less, seen by both")
    said = Event.objects.filter(name="table.opened").latest("id")
    assert (said.reason, said.after["opener"]) == ("one blue less, seen by both", str(signed.count.pk))
    assert posted(signed.count) == [
        ("tray_count", "count_difference", 1_000),
        ("tray_count", "circulation", -1_000),
        ("tray_count", "chips_outside", 1_000),
        ("tray_count", "tray", -1_000),
    ]


def test_CNT_5_a_count_between_books_its_difference_and_runs_between_rounds(world):
    world.opened()
    guests = list(TableSession.objects.get(table=world.counted).guests.order_by("box"))
    laid = {"table_id": world.counted.pk}
    locked = world.lock(stakes_for(guests[:1]), **laid)
    ids = {"house_id": world.house.pk, "table_id": world.counted.pk, "actor_id": world.martina.pk}
    assert code_of(services.count_begin, **ids, purpose="relief") == "table.round_running"
    done(services.round_void, house_id=world.house.pk, round_id=locked["id"], person_id=world.reto.pk, reason="misdeal")
    assert code_of(services.count_begin, **ids, purpose="opener") == "table.open"
    assert code_of(services.count_begin, **ids, purpose="whim") == "count.purpose_unknown"
    first = world.sign("relief", 20, *OPENER[1:])
    assert figures(first) == (3_655_000, 3_660_000, -5_000 + 0) or figures(first)[0] is None
