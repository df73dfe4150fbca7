"""Guests at the seats of poker tables: what they bring, pay and take away, in the books (POK-2, RAK-2)."""
# ruff: noqa: N802 - tests are named after the rules

from datetime import timedelta
from uuid import UUID

import pytest

from payouts.models import Event
from payouts.rules.rulesets.rake import ChargeDue
from payouts.selectors import HouseNow, house_now
from tables.models import PokerStay, StayChips
from tables.services.seats import parts, time_charge
from tables.services.seats.stays import Leaving
from tests.poker import PokerRoom, opened, poker_table
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(PokerRoom)


def chips_of(stay: PokerStay) -> list[tuple[object, ...]]:
    return list(StayChips.objects.filter(stay=stay).order_by("pk").values_list("kind", "means", "amount_minor"))


def logged(name: str) -> list[object]:
    return list(Event.objects.filter(name=name).order_by("pk").values_list("after", flat=True))


def later(patch: pytest.MonkeyPatch, minutes: int) -> None:
    """The clock goes on."""
    now = house_now

    def moved_on(**house: UUID) -> HouseNow:
        clock = now(**house)
        return clock._replace(moment=clock.moment + timedelta(minutes=minutes))

    patch.setattr(time_charge, "house_now", moved_on)


def test_POK_2_a_guest_sits_down_with_cash_or_chips_and_tops_up(floor: PokerRoom) -> None:
    before = floor.balances()
    anna = floor.sit(1, 30_00 + 10_00)
    beat = floor.sit(4, 200_00, means="chips")
    assert [(stay.guest.number, stay.guest.box, stay.guest.seated) for stay in (anna, beat)] == [
        (1, 1, True),
        (2, 4, True),
    ]
    added = [
        floor.of(anna, "stay_chips", kind="top_up", amount_minor=1_00, means="cash"),
        floor.of(anna, "stay_chips", kind="top_up", amount_minor=200_00, means="chips"),
    ]
    assert chips_of(anna) == [("buy_in", "cash", 40_00), ("top_up", "cash", 1_00), ("top_up", "chips", 200_00)]
    assert [row.pk for row in added] == [
        *StayChips.objects.filter(kind="top_up").order_by("pk").values_list("pk", flat=True)
    ]
    assert floor.balances() == before | {
        "drop": 41_00,
        "tray": before["tray"] - 41_00,
        "chips_outside": 41_00,
        "circulation": 400_00,
        "stack 1": -241_00,
        "stack 4": -200_00,
    }
    assert logged("stay.began")[0] == {
        "table": str(floor.raked.pk), "number": 1, "seat": 1, "amount_minor": 40_00, "means": "cash",
    }  # fmt: skip
    assert breached_here() == {}


def test_POK_2_a_seat_is_kept_in_a_pause(floor: PokerRoom) -> None:
    stay = floor.sit(1)
    states = []
    for command in ("stay_away", "stay_away", "stay_back", "stay_back"):
        states.append(floor.of(stay, command).state)
    assert states == ["away", "away", "playing", "playing"]
    assert (len(logged("stay.away")), len(logged("stay.back"))) == (1, 1)


def leave_both(floor: PokerRoom, second_minor: int) -> list[Leaving]:
    """They bought 300 and 200, a rake of 12 was taken, the first leaves with 308."""
    anna = floor.sit(1, 200_00)
    beat = floor.sit(2, 200_00)
    floor.of(anna, "stay_chips", kind="top_up", amount_minor=100_00, means="cash")
    floor.rake(12_00)
    return [
        floor.of(anna, "stay_leave", counted_minor=308_00),
        floor.of(beat, "stay_leave", counted_minor=second_minor),
    ]


def test_POK_2_what_hands_moved_is_nothing_when_all_have_left(floor: PokerRoom) -> None:
    before = floor.balances()
    assert leave_both(floor, 180_00) == [(308_00, 8_00, 0), (180_00, -20_00, 0)]
    assert floor.balances() == before | {
        "drop": 500_00,
        "tray": before["tray"] - 500_00 + 12_00,
        "chips_outside": 488_00,
        "circulation": -488_00,
        "rake": -12_00,
    }
    assert [stay.state for stay in PokerStay.objects.all()] == ["left", "left"]
    assert (logged("table.emptied"), breached_here()) == ([], {})
    floor.at_table("table_close")


def test_POK_2_chips_that_are_missing_when_all_have_left_are_claims_and_logged(floor: PokerRoom) -> None:
    before = floor.balances()
    assert leave_both(floor, 179_00)[1] == (179_00, -21_00, 0)
    now = floor.balances()
    assert (now.get("in_play", 0), now["circulation"], now["chips_outside"]) == (0, -488_00, 488_00)
    assert logged("table.emptied") == [{"session": str(floor.session_of(floor.raked)), "missing_minor": 1_00}]
    assert now["tray"] == before["tray"] - 488_00
    assert breached_here() == {}


def test_POK_2_who_leaves_with_nothing_leaves_it_in_play(floor: PokerRoom) -> None:
    anna = floor.sit(1, 100_00)
    beat = floor.sit(2, 100_00)
    assert floor.of(anna, "stay_leave", counted_minor=0) == (0, -100_00, 0)
    assert floor.balances()["in_play"] == -100_00
    assert floor.of(beat, "stay_leave", counted_minor=200_00) == (200_00, 100_00, 0)
    assert chips_of(anna) == [("buy_in", "cash", 100_00), ("out", "", 0)]
    assert (logged("table.emptied"), breached_here()) == ([], {})


def test_POK_2_a_guest_takes_another_seat_with_the_same_chips(floor: PokerRoom) -> None:
    stay = floor.sit(1)
    assert floor.of(stay, "stay_move", seat=9).pk == stay.pk
    stay.guest.refresh_from_db()
    assert (stay.guest.box, floor.balances()["stack 9"]) == (9, -100_00)
    assert (logged("stay.moved"), chips_of(stay)) == ([{"seat": 9}], [("buy_in", "cash", 100_00)])


def test_POK_2_a_guest_goes_on_at_another_table_with_what_is_counted(floor: PokerRoom) -> None:
    """Worked example 39: bought 300, moves with 260."""
    stay = floor.sit(3, 200_00)
    stays_there = floor.sit(4, 100_00)
    floor.of(stay, "stay_chips", kind="top_up", amount_minor=100_00, means="cash")
    moved = floor.of(stay, "stay_move", table_id=floor.timed.pk, seat=5, counted_minor=260_00)
    stay.refresh_from_db()
    assert (stay.state, moved.state, moved.came_from_id) == ("left", "playing", stay.pk)
    assert floor.stacks() == {"stack 4": -100_00, "in_play": -40_00}
    assert floor.stacks(floor.timed) == {"stack 5": -260_00}
    assert chips_of(stay)[2:] == [("moved_out", "", 260_00)]
    assert chips_of(moved) == [("moved_in", "", 260_00)]
    assert breached_here() == {}
    floor.of(stays_there, "stay_leave", counted_minor=140_00)
    assert (floor.stacks(), logged("table.emptied")) == ({}, [])


def test_POK_2_the_last_guest_who_goes_on_elsewhere_empties_the_table(floor: PokerRoom) -> None:
    moved = floor.of(floor.sit(3), "stay_move", table_id=floor.timed.pk, seat=3, counted_minor=90_00)
    assert (floor.stacks(), floor.stacks(floor.timed)) == ({}, {"stack 3": -90_00})
    assert logged("table.emptied") == [{"session": str(floor.session_of(floor.raked)), "missing_minor": 10_00}]
    floor.of(moved, "stay_leave", counted_minor=90_00)
    assert breached_here() == {}


def test_HSE_3_tips_are_the_troncs_from_the_table_or_the_pocket(floor: PokerRoom) -> None:
    stay = floor.sit(1)
    for means in ("stack", "chips"):
        floor.of(stay, "stay_chips", kind="tip", amount_minor=2_00, means=means)
    assert chips_of(stay)[1:] == [("tip", "stack", 2_00), ("tip", "chips", 2_00)]
    now = floor.balances()
    assert (now["tronc"], now["in_play"], now["circulation"], now["stack 1"]) == (-4_00, 2_00, 2_00, -100_00)
    floor.of(stay, "stay_leave", counted_minor=98_00)
    assert (floor.stacks(), logged("table.emptied"), breached_here()) == ({}, [], {})


def test_RAK_2_half_hours_are_taken_in_advance_from_all_who_owe_them(
    floor: PokerRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Worked example 14: sat down 65 minutes ago, one half hour paid: two more, 10.00."""
    anna = floor.sit(1, table=floor.timed)
    payments = floor.at_table("time_collect", floor.timed)
    assert [(row.half_hours, row.amount_minor) for row in payments] == [(1, 5_00)]
    beat = floor.sit(2, table=floor.timed)
    later(monkeypatch, 5)
    floor.at_table("time_collect", floor.timed, stay_ids=[beat.pk])
    later(monkeypatch, 65)
    payments = floor.at_table("time_collect", floor.timed, means="chips")
    assert [(row.stay_id, row.half_hours, row.amount_minor) for row in payments] == [
        (anna.pk, 2, 10_00),
        (beat.pk, 2, 10_00),
    ]
    now = floor.balances(floor.timed)
    assert (now["time_income"], now["in_play"], now["circulation"]) == (-30_00, 10_00, 20_00)
    assert now["tray"] == 1_000_000 - 200_00 + 30_00
    assert breached_here() == {}


def test_RAK_2_time_never_keeps_a_guest_it_is_paid_or_waived_with_a_reason(floor: PokerRoom) -> None:
    anna = floor.sit(1, table=floor.timed)
    beat = floor.sit(2, table=floor.timed)
    assert floor.of(anna, "stay_leave", counted_minor=95_00) == (95_00, -5_00, 5_00)
    assert floor.of(beat, "stay_leave", counted_minor=100_00, waived="table broke") == (100_00, 0, 5_00)
    assert chips_of(anna)[1:] == [("time", "stack", 5_00), ("out", "", 95_00)]
    assert chips_of(beat)[1:] == [("out", "", 100_00)]
    assert list(Event.objects.filter(name="stay.left").order_by("pk").values_list("reason", flat=True)) == [
        "",
        "table broke",
    ]
    assert (floor.stacks(floor.timed), logged("table.emptied"), breached_here()) == ({}, [], {})


def test_RAK_2_who_goes_on_elsewhere_keeps_the_half_hours_that_are_paid(
    floor: PokerRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = opened(floor, poker_table(floor, "Poker 4", "Zeit", time_charge="Five"))
    stay = floor.sit(1, table=floor.timed)
    floor.at_table("time_collect", floor.timed)
    moved = floor.of(stay, "stay_move", table_id=other.pk, seat=1, counted_minor=95_00)
    at = parts.poker_table(floor.house.pk, other.pk)
    assert time_charge.time_due(at, moved) == ChargeDue(0, 0)
    later(monkeypatch, 31)
    assert time_charge.time_due(at, moved) == ChargeDue(1, 5_00)


def test_HSE_1_a_table_goes_on_in_the_next_gaming_day_with_who_sits_there(floor: PokerRoom) -> None:
    anna = floor.sit(1)
    beat = floor.sit(7, 40_00)
    floor.of(beat, "stay_away")
    floor.rake(12_00)
    before = floor.balances()
    old = floor.session_of(floor.raked)
    session = floor.at_table("session_roll", croupier_id=floor.nora.pk)
    assert (session.pk == old, session.croupier_id) == (False, floor.nora.pk)
    after = floor.balances()
    assert after == before
    now = list(PokerStay.objects.filter(left_at=None).order_by("guest__box"))
    assert [(stay.came_from_id, stay.guest.box, stay.guest.number, stay.state) for stay in now] == [
        (anna.pk, 1, 1, "playing"), (beat.pk, 7, 2, "away"),
    ]  # fmt: skip
    assert {stay.guest.session_id for stay in now} == {session.pk}
    assert (logged("table.emptied"), breached_here()) == ([], {})
