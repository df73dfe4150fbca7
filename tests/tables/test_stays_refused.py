"""What is refused at the seats of poker tables, with the figures that would do; nothing is done by halves (POK-2)."""
# ruff: noqa: N802 - tests are named after the rules

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from payouts.errors import Refused
from payouts.models import Transfer
from payouts.selectors import HouseNow, house_now
from tables import services
from tables.games.poker.game import POKER
from tables.models import Guest, PokerStay, StayChips, Table
from tables.services.floor import sessions
from tables.services.seats import parts
from tests.cast import make_house
from tests.floor import POSTED, done
from tests.poker import PokerRoom, opened
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(PokerRoom)
NO_AMOUNT = (-1_00, 10**12, 10**18, "4000", 4000.0, True, None)


def refused(work: Callable[[], Any]) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as caught:
        work()
    return caught.value.code, caught.value.data


def codes(works: list[Callable[[], Any]]) -> list[str]:
    return [refused(work)[0] for work in works]


def tomorrow(patch: pytest.MonkeyPatch) -> None:
    """The gaming day has changed."""
    now = house_now

    def moved_on(**house: UUID) -> HouseNow:
        clock = now(**house)
        return clock._replace(moment=clock.moment + timedelta(days=1), day=clock.day + timedelta(days=1))

    for module in (parts, sessions):
        patch.setattr(module, "house_now", moved_on)


def test_POK_2_amounts_that_are_none_are_refused_everywhere(floor: PokerRoom, subtests: pytest.Subtests) -> None:
    stay = floor.sit(1)
    stood = (floor.balances(), list(StayChips.objects.values_list("pk", flat=True)))
    for amount in NO_AMOUNT:
        with subtests.test(amount=amount):
            assert (
                codes(
                    [
                        lambda: floor.sit(2, amount),  # type: ignore[arg-type] # noqa: B023
                        lambda: floor.of(stay, "stay_chips", kind="top_up", amount_minor=amount, means="cash"),  # noqa: B023
                        lambda: floor.of(stay, "stay_chips", kind="tip", amount_minor=amount, means="stack"),  # noqa: B023
                        lambda: floor.of(stay, "stay_leave", counted_minor=amount),  # noqa: B023
                        lambda: floor.of(stay, "stay_move", table_id=floor.timed.pk, seat=1, counted_minor=amount),  # noqa: B023
                    ]
                )
                == ["poker.amount_refused"] * 5
            )
    assert stood == (floor.balances(), list(StayChips.objects.values_list("pk", flat=True)))


def test_POK_2_a_buy_in_and_a_top_up_keep_to_the_posted_range(floor: PokerRoom) -> None:
    low = refused(lambda: floor.sit(1, 39_00))
    high = refused(lambda: floor.sit(1, 201_00))
    assert low == ("poker.buy_in_outside", {"amount_minor": 39_00, "nearest_minor": 40_00})
    assert high == ("poker.buy_in_outside", {"amount_minor": 201_00, "nearest_minor": 200_00})
    stay = floor.sit(1, 200_00)
    more = refused(lambda: floor.of(stay, "stay_chips", kind="top_up", amount_minor=201_00, means="cash"))
    assert more == ("poker.buy_in_above", {"amount_minor": 201_00, "most_minor": 200_00})
    tip = refused(lambda: floor.of(stay, "stay_chips", kind="tip", amount_minor=30, means="stack"))
    assert tip == ("poker.off_chip", {"amount_minor": 30, "chip_minor": 1_00, "nearest_minor": 1_00})
    left = refused(lambda: floor.of(stay, "stay_leave", counted_minor=30))
    assert left == ("poker.off_chip", {"amount_minor": 30, "chip_minor": 1_00, "nearest_minor": 0})


def test_BOX_1_a_seat_is_one_of_the_table_and_the_game_and_has_one_guest(floor: PokerRoom) -> None:
    stay = floor.sit(1)
    beside = floor.sit(2)
    for seat, text in ((0, 0), (10, 10), ("1", '"1"'), (True, "true"), (None, "null"), (10**18, 10**18)):
        assert refused(lambda: floor.sit(seat)) == (  # type: ignore[arg-type] # noqa: B023
            "poker.seat_outside", {"layout": 9, "seat": text},
        )  # fmt: skip
    six = opened(floor, floor.free)
    assert refused(lambda: floor.sit(7, table=six)) == ("poker.seat_outside", {"layout": 6, "seat": 7})
    occupied = ("poker.seat_taken", {"seat": 2})
    assert [
        refused(lambda: floor.sit(2)),
        refused(lambda: floor.of(stay, "stay_move", seat=2)),
        refused(lambda: floor.of(floor.sit(2, table=six), "stay_move", table_id=floor.raked.pk, seat=2)),
    ] == [occupied] * 3
    floor.of(beside, "stay_leave", counted_minor=100_00)
    assert floor.of(stay, "stay_move", seat=2).pk == stay.pk


def test_POK_2_chips_come_and_go_in_the_ways_that_the_house_posts(floor: PokerRoom) -> None:
    stay = floor.sit(1)
    pocket = floor.sit(1, table=opened(floor, floor.free))
    tries = [("buy_in", "cash"), ("top_up", "stack"), ("tip", "cash"), ("rebuy", "cash"), (None, "cash"), ("tip", None)]
    for kind, means in tries:
        assert refused(lambda: floor.of(stay, "stay_chips", kind=kind, amount_minor=1_00, means=means)) == (  # noqa: B023
            "poker.chips_refused", {"chips": str(kind), "means": str(means)},
        )  # fmt: skip
    tip = {"kind": "tip", "amount_minor": 1_00}
    assert (
        codes(
            [
                lambda: floor.sit(2, means="stack"),
                lambda: floor.at_table("time_collect", floor.timed, means="cash"),
                lambda: floor.of(pocket, "stay_chips", **tip, means="stack"),
            ]
        )
        == ["poker.chips_refused"] * 3
    )
    assert floor.of(pocket, "stay_chips", **tip, means="chips").means == "chips"


def test_RAK_2_time_is_collected_where_it_is_posted_and_due(floor: PokerRoom) -> None:
    assert codes([lambda: floor.at_table("time_collect")]) == ["poker.no_time_charge"]
    stay = floor.sit(1, table=floor.timed)
    other = floor.sit(1)
    owed = refused(lambda: floor.of(stay, "stay_move", table_id=floor.raked.pk, seat=2, counted_minor=100_00))
    assert owed == ("poker.time_owed", {"count": 1, "amount_minor": 5_00})
    assert codes([lambda: floor.at_table("time_collect", floor.timed, stay_ids=[stay.pk, other.pk])]) == [
        "poker.stay_gone"
    ]
    floor.at_table("time_collect", floor.timed)
    zone = house_now(house_id=floor.house.pk).zone
    next_one = (stay.time_from + timedelta(minutes=30)).astimezone(zone)
    due = refused(lambda: floor.at_table("time_collect", floor.timed))
    assert due == ("poker.nothing_due", {"time": f"{next_one:%H:%M}"})
    assert refused(lambda: floor.of(stay, "stay_leave", counted_minor=0, waived="x"))[0] == "text.refused"


def test_POK_2_who_has_left_or_is_of_another_house_is_gone(floor: PokerRoom) -> None:
    stay = floor.sit(1)
    elsewhere = make_house("Elsewhere")
    floor.of(stay, "stay_leave", counted_minor=100_00)
    ids = {"house_id": elsewhere.pk, "stay_id": stay.pk, "actor_id": floor.reto.pk}
    assert (
        codes(
            [
                lambda: floor.of(stay, "stay_leave", counted_minor=100_00),
                lambda: floor.of(stay, "stay_away"),
                lambda: floor.of(stay, "stay_back"),
                lambda: floor.of(stay, "stay_move", seat=2),
                lambda: floor.of(stay, "stay_chips", kind="tip", amount_minor=1_00, means="stack"),
                lambda: floor.of(PokerStay(pk=uuid4()), "stay_leave", counted_minor=0),
                lambda: done(services.stay_leave, **ids, counted_minor=0),
            ]
        )
        == ["poker.stay_gone"] * 7
    )


def test_POK_2_only_who_has_the_table_or_the_pit_moves_its_chips(floor: PokerRoom) -> None:
    stay = floor.sit(1)
    by = {"croupier_id": floor.nora.pk}
    assert (
        codes(
            [
                lambda: floor.at_table("stay_begin", seat=2, amount_minor=40_00, means="cash", **by),
                lambda: floor.of(stay, "stay_chips", kind="tip", amount_minor=1_00, means="stack", **by),
                lambda: floor.of(stay, "stay_away", **by),
                lambda: floor.of(stay, "stay_back", **by),
                lambda: floor.of(stay, "stay_move", seat=2, **by),
                lambda: floor.of(stay, "stay_leave", counted_minor=0, **by),
                lambda: floor.at_table("time_collect", floor.timed, **by),
            ]
        )
        == ["round.croupier_wrong"] * 7
    )
    assert floor.of(stay, "stay_away", croupier_id=floor.martina.pk).state == "away"


def test_POK_2_a_guest_with_chips_neither_moves_nor_leaves_as_one_without(floor: PokerRoom) -> None:
    stay = floor.sit(4)
    guest = {"house_id": floor.house.pk, "guest_id": stay.pk, "actor_id": floor.reto.pk}
    for command, values in (("guest_leave", {}), ("guest_move", {"box": 5, "seated": True, "distance": 0})):
        assert refused(lambda: done(getattr(services, command), **guest, **values)) == (  # noqa: B023
            "poker.has_chips", {"seat": 4},
        )  # fmt: skip


def test_POK_2_nobody_comes_to_a_poker_table_without_chips(floor: PokerRoom) -> None:
    assert codes([lambda: floor.seat(floor.raked, box) for box in (None, 1)]) == ["poker.buy_in_needed"] * 2  # noqa: B023
    assert not Guest.objects.filter(session__table=floor.raked).exists()


def test_a_table_with_guests_does_not_close(floor: PokerRoom) -> None:
    first = floor.sit(7)
    floor.sit(2)
    zone = house_now(house_id=floor.house.pk).zone
    since = f"{first.began_at.astimezone(zone):%H:%M}"
    assert refused(lambda: floor.at_table("table_close")) == ("poker.stays_there", {"boxes": "2, 7", "time": since})


def test_HSE_1_past_the_days_change_chips_wait_until_the_table_is_rolled(
    floor: PokerRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay = floor.sit(1)
    other = floor.sit(1, table=opened(floor, floor.free))
    leaves = floor.sit(3)
    tomorrow(monkeypatch)
    assert (
        codes(
            [
                lambda: floor.sit(2),
                lambda: floor.of(stay, "stay_chips", kind="top_up", amount_minor=1_00, means="cash"),
                lambda: floor.of(other, "stay_move", table_id=floor.raked.pk, seat=2, counted_minor=100_00),
            ]
        )
        == ["table.day_over"] * 3
    )
    floor.of(leaves, "stay_leave", counted_minor=100_00)
    session = floor.at_table("session_roll")
    now = PokerStay.objects.get(came_from=stay)
    floor.of(now, "stay_chips", kind="top_up", amount_minor=1_00, means="cash")
    days = Transfer.objects.filter(subject_id=now.pk).values_list("gaming_day", flat=True)
    assert {*days} == {session.gaming_day} == {stay.guest.session.gaming_day + timedelta(days=1)}
    assert (floor.stacks(), breached_here()) == ({"stack 1": -101_00}, {})


def test_POK_1_a_poker_table_names_the_fee_that_its_game_takes_and_is_entered_rake_only(floor: PokerRoom) -> None:
    names = {kind: POSTED[kind] for kind in ("floor_rules", "calendar")}
    names |= {"poker_game": "NL 1/2", "poker_rules": "Bad Ragaz", "hand_rules": "Poker"}

    def create(name: str, boxes: int = 9, /, **more: str) -> Table:
        ids = {"house_id": floor.house.pk, "pit_id": floor.pit.pk, "name": name, "game": "poker", "boxes": boxes}
        table: Table = done(services.table_create, **ids, posted=names | more)
        return table

    for names_posted in ({"funding": "Poker"}, {"rake": "Poker", "blind": "Poker"}, {"rake": ""}):
        assert refused(lambda: create("Poker 9", **names_posted))[0] in {"table.posted_names_refused", "text.refused"}  # noqa: B023
    for unfit in ({}, {"poker_game": "Zeit"}, {"poker_game": "Frei", "rake": "Poker"}):
        code, data = refused(lambda: create("Poker 9", **unfit))  # noqa: B023
        assert (code, data["field"]) == ("posted.value_wrong", "poker_game.fee")
    assert create("Poker 8", poker_game="NL 5/10").session is None  # no version is in force yet: it may come to fit
    for seats in (0, 1, 11):
        assert refused(lambda: create("Poker 9", seats, rake="Poker")) == (  # noqa: B023
            "table.layout_refused",
            {"least": 2, "most": POKER.boxes_most},
        )
    linked = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk}
    assert refused(lambda: done(services.table_link, **linked, table_id=floor.free.pk)) == (
        "table.no_rounds",
        {"game": "Poker"},
    )
    open_at = {"croupier_id": floor.martina.pk, "entry_level": "fast"}
    assert codes([lambda: floor.at_table("table_open", floor.free, **open_at)]) == ["table.level_unknown"]
    assert codes([lambda: floor.sit(1, table=floor.free)]) == ["table.closed"]
    floor.open(floor.other)
    assert refused(lambda: floor.sit(1, table=floor.other)) == ("poker.no_stacks", {"game": "Ultimate Texas Hold’em"})
