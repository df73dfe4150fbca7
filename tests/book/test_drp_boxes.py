"""The book's section DRP: drop boxes, taken and counted twice."""
# ruff: noqa: N802 - tests are named after the rules

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from payouts.errors import Refused
from payouts.models import Account, Count, CountBack, CountSignature, Event, Transfer
from payouts.rules.cash import cash_values
from tables import services
from tables.models import Difference
from tables.rules.pairs import Proposal
from tables.selectors.counts import count_parts, counts_shown
from tables.selectors.differences import difference_row
from tables.services.counts.differences import left_minor, took_part
from tables.services.counts.proposals import difference_proposals
from tests.drops import FULL, DropFloor, cash_lines
from tests.floor import done
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(DropFloor)
LESS = FULL | {20_00: 79}


def code_of(work: Any, *values: Any, **more: Any) -> str:
    with pytest.raises(Refused) as refused:
        work(*values, **more)
    return refused.value.code


def legs(count: Count) -> list[tuple[str, str, int]]:
    moved = Transfer.objects.filter(key=f"count:{count.pk}").order_by("entries__account__kind")
    return list(moved.values_list("kind", "entries__account__kind", "entries__amount_minor"))


def test_DRP_4_equal_counts_are_signed_at_once_and_booked(floor: DropFloor) -> None:
    floor.bought(7_850_00)
    count = floor.take()
    first = floor.counts(count, floor.first, FULL)
    assert (first.number, first.differ, first.value_minor, first.recorded_minor) == (1, (), None, None)
    second = floor.counts(count, floor.second, FULL)
    assert (second.value_minor, second.recorded_minor, second.difference_minor) == (7_850_00, 7_850_00, 0)
    count.refresh_from_db()
    assert (count.state, count.ended_by) == ("signed", floor.first)
    assert legs(count) == [("drop_count", "cage_cash", 7_850_00), ("drop_count", "drop", -7_850_00)]
    [signed] = CountSignature.objects.filter(count=count)
    assert (signed.counter, signed.witness, signed.entry.number) == (floor.second, floor.first, 2)
    assert signed.account_version == count.taken_version
    assert floor.balance("drop") == 0
    assert not Difference.objects.exists()


def test_DRP_4_unequal_counts_name_the_denominations_alone_and_are_made_together(floor: DropFloor) -> None:
    floor.bought(7_850_00)
    count = floor.take()
    floor.counts(count, floor.first, FULL)
    unequal = floor.counts(count, floor.second, LESS)
    assert (unequal.differ, unequal.value_minor, unequal.recorded_minor) == ((20_00,), None, None)
    count.refresh_from_db()
    assert (count.state, legs(count)) == ("again", [])
    event = Event.objects.latest("pk")
    assert (event.name, event.after) == (
        "count.differs",
        {"table": str(floor.counted.pk), "number": 2, "denominations": [20_00]},
    )
    assert code_of(floor.counts, count, floor.ines, FULL) == "count.drop_other_person"
    floor.counts(count, floor.second, FULL)
    assert code_of(floor.agrees, count, floor.second) == "count.same_person"
    assert code_of(floor.agrees, count, floor.ines) == "count.drop_other_person"
    assert code_of(floor.agrees, count, floor.first, 2) == "count.changed"
    floor.agrees(count, floor.first, ok=False)
    assert floor.counts(count, floor.first, FULL).number == 4
    assert floor.agrees(count, floor.second, 4).difference_minor == 0
    signed = CountSignature.objects.filter(count=count).order_by("signed_at")
    assert list(signed.values_list("entry__number", "stands")) == [(2, False), (4, True)]
    assert code_of(floor.counts, count, floor.first, FULL) == "count.signed"


def test_DRP_4_nobody_reads_the_first_count_before_both_have_signed(floor: DropFloor) -> None:
    floor.bought(7_850_00)
    count = floor.take()

    def parts() -> dict[str, Any]:
        return count_parts(counts_shown(Count.objects.filter(pk=count.pk)).get())

    floor.counts(count, floor.first, FULL)
    events = [event.after for event in Event.objects.filter(subject_id=str(count.pk), name="count.entered")]
    assert events == [{"table": str(floor.counted.pk), "number": 1}]
    assert parts() == {"entries": [], "signed": None}
    floor.counts(count, floor.second, LESS)
    assert parts() == {"entries": [], "signed": None}
    floor.counts(count, floor.first, FULL)
    floor.agrees(count, floor.second)
    standing = parts()
    assert [entry["value_minor"] for entry in standing["entries"]] == [7_850_00, 7_830_00, 7_850_00]
    assert standing["signed"].recorded_minor == 7_850_00


def test_DRP_4_two_count_who_did_not_deal_there(floor: DropFloor) -> None:
    ids = {"house_id": floor.house.pk, "table_id": floor.counted.pk}
    done(services.table_hand_over, **ids, croupier_id=floor.nora.pk, actor_id=floor.reto.pk)
    for person in (floor.martina, floor.nora):
        assert code_of(floor.take, actor_id=person.pk) == "count.drop_dealt"
    count = floor.take()
    assert code_of(floor.counts, count, floor.martina, FULL) == "count.drop_dealt"
    floor.counts(count, floor.first, FULL)
    assert code_of(floor.counts, count, floor.first, FULL) == "count.drop_same_person"
    assert code_of(floor.take) == "count.drop_running"


def test_DRP_6_a_box_is_counted_once_and_the_next_holds_what_came_later(floor: DropFloor) -> None:
    floor.bought(7_850_00)
    count = floor.take()
    floor.counts(count, floor.first, FULL)
    floor.bought(300_00)
    assert floor.counts(count, floor.second, FULL).recorded_minor == 7_850_00
    assert floor.balance("drop") == 300_00
    again = floor.counted_drop({100_00: 3})
    assert (again.state, legs(again)[1]) == ("signed", ("drop_count", "drop", -300_00))
    empty = floor.counted_drop({})
    assert (empty.state, legs(empty), floor.balance("drop")) == ("signed", [], 0)


def test_DRP_8_a_count_given_up_leaves_its_cash_to_the_next(floor: DropFloor) -> None:
    row = floor.bought(7_850_00)
    count = floor.take()
    floor.counts(count, floor.first, FULL)
    assert code_of(floor.back, row) == "box.counted"
    done(services.drop_count_give_up, house_id=floor.house.pk, count_id=count.pk, actor_id=floor.first.pk)
    floor.back(row)
    floor.bought(50_00)
    assert floor.counted_drop({50_00: 1}).state == "signed"
    assert (floor.balance("drop"), left_minor(Count.objects.latest("begun_at").pk)) == (0, 0)


def test_DRP_1_nothing_of_a_counted_box_is_taken_back(floor: DropFloor) -> None:
    row = floor.bought(200_00)
    later = floor.counted_drop({200_00: 1})
    assert code_of(floor.back, row) == "box.counted"
    assert (floor.balance("drop"), later.state) == (0, "signed")
    floor.back(floor.bought(100_00))


def test_DRP_8_a_late_buy_in_sets_the_box_back_in_which_it_lies(floor: DropFloor) -> None:
    floor.bought(7_850_00)
    count = floor.take()
    before = count.begun_at - timedelta(minutes=1)
    floor.counts(count, floor.first, FULL | {200_00: 2})
    meanwhile = floor.bought(200_00, queued_at=before)
    floor.bought(60_00, queued_at=timezone.now() + timedelta(minutes=1))
    counted = floor.counts(count, floor.second, FULL | {200_00: 2})
    assert (counted.recorded_minor, counted.difference_minor) == (7_850_00, 400_00)
    assert (left_minor(count.pk), floor.balance("drop"), floor.balance("count_difference")) == (
        200_00,
        60_00,
        -200_00,
    )
    difference = Difference.objects.get(count=count)
    assert difference.state == "open"
    late = floor.bought(200_00, queued_at=before)
    difference.refresh_from_db()
    assert (difference.state, left_minor(count.pk), floor.balance("count_difference")) == ("settled", 0, 0)
    backs = CountBack.objects.filter(count=count).order_by("pk").values_list("subject_id", "amount_minor")
    assert list(backs) == [(meanwhile.pk, 200_00), (late.pk, 200_00)]
    assert code_of(floor.back, late) == "box.counted"
    assert floor.balance("drop") == 60_00


def test_RES_4_a_buy_in_that_nobody_entered_is_proposed_as_a_pair(floor: DropFloor) -> None:
    """Example 6: +200 in the drop, −200 in the tray."""
    floor.bought(7_850_00)
    tray = floor.balance("tray")
    count = floor.begin("closer")
    pieces = [40, 200, 150, 100, 60, 90, 20, 10]
    short = (
        tray
        - 200_00
        - sum(
            value * number
            for value, number in zip(
                sorted((250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000)), pieces, strict=True
            )
        )
    )
    pieces[5] += short // 100_00
    pieces[1] += short % 100_00 // 500
    for entry in (1, 2):
        floor.enter(count, *pieces)
        floor.witness(count, entry)
    drop = floor.counted_drop(FULL | {200_00: 1})
    assert (left_minor(count.pk), left_minor(drop.pk)) == (-200_00, 200_00)
    for count_of, other in ((count, drop), (drop, count)):
        row = difference_row(house_id=floor.house.pk, pk=Difference.objects.get(count=count_of).pk)
        assert row is not None
        assert difference_proposals(row) == [Proposal(code="buy_in", count=other.pk)]
    assert took_part(Difference.objects.get(count=drop)) == {floor.first.pk, floor.second.pk, floor.martina.pk}


def test_CNT_1_cash_is_counted_by_the_notes_and_coins_of_the_currency(floor: DropFloor) -> None:
    count = floor.take()
    ids = {"house_id": floor.house.pk, "count_id": count.pk, "counter_id": floor.first.pk}
    mistakes: dict[str, list[dict[str, object]]] = {
        "count.incomplete": cash_lines(FULL)[1:],
        "count.denomination_unknown": cash_lines(FULL, "EUR"),
        "count.pieces_wrong": [*cash_lines(FULL)[1:], {"value_minor": 5, "pieces": -1}],
    }
    for code, lines in mistakes.items():
        assert code_of(done, services.drop_count_enter, **ids, lines=lines) == code
    for currency in ("CHF", "EUR", "GBP", "USD", "SEK"):
        values = cash_values(currency)
        assert list(values) == sorted({*values})
        assert values[0] > 0


def test_DRP_8_the_books_of_boxes_pass_every_audit(floor: DropFloor) -> None:
    floor.bought(7_850_00)
    floor.back(floor.bought(40_00))
    count = floor.counted_drop(FULL)
    floor.bought(200_00, queued_at=count.begun_at - timedelta(minutes=1))
    floor.bought(120_00)
    assert not breached_here()
    assert Account.objects.get(owner_id=floor.counted.pk, kind="drop").balance_minor == 120_00
