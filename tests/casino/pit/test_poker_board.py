"""What the board tells of poker tables: what guests pay for time, less than the schedule gives, and chips that hands do not
explain (RAK-2, RAK-3, POK-2).
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone, translation

from casino.pit.alert_rules import WITHDRAWN_S
from casino.pit.alerts import AlertOwn, alert_acknowledge
from casino.pit.board.read import PACE_FROM_S, live_tables
from casino.pit.floor.show import Tile, tiles
from casino.pit.labels import alert_text
from casino.pit.models import Alert
from casino.text.formats import range_text
from tables.games.poker.game import POKER
from tables.games.poker.rules import PokerGame
from tables.models import PokerStay, TableSession
from tables.selectors.floor import floor_jackpots, floor_tables
from tests.casino.people import people
from tests.casino.pit.clocks import later
from tests.casino.pit.floor.floor_desk import words
from tests.casino.pit.test_causes import acknowledged, derived, over
from tests.floor import done
from tests.poker import PokerRoom, deal, of_hand, opened
from tests.worlds import world


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def text(floor: PokerRoom, kind: str) -> str:
    alert = Alert.objects.filter(kind=kind, over_at=None).latest("pk")
    return alert_text(kind, alert.data, floor.house).replace("\N{NO-BREAK SPACE}", " ")


def tiles_of(floor: PokerRoom) -> list[Tile]:
    """The tiles of poker tables."""
    house_id = floor.house.pk
    shown = tiles(floor.house, floor_tables(house_id=house_id), floor_jackpots(house_id=house_id))
    return [tile for tile in shown if tile.stacks]


@world(PokerRoom)
def test_time_charges_are_what_a_table_takes(floor: PokerRoom) -> None:
    stay = floor.sit(1, table=floor.timed)
    results = [(table.told, table.result_minor) for table in floor_tables(house_id=floor.house.pk)]
    assert results == [(0, None)] * len(results)
    floor.at_table("time_collect", floor.timed, stay_ids=[stay.pk])
    timed = [table for table in floor_tables(house_id=floor.house.pk) if table.id == floor.timed.pk]
    assert [(table.told, table.result_minor) for table in timed] == [(0, 5_00)]
    boss = people.signed_in(people.make(floor.house, "boss.time", "pit_boss"))
    for path in ("/pit/", "/floor/"):
        page = words(boss.get(path, headers={"accept-language": "en"}).content.decode())
        assert re.search(r"\+5|CHF 5\.00", page.replace("\N{NO-BREAK SPACE}", " ")), path
    opened_at = TableSession.objects.get(pk=floor.session_of(floor.timed)).opened_at
    with later(PACE_FROM_S + 1):
        before_s = (timezone.now() - opened_at).total_seconds()
        an_hour = live_tables(house_id=floor.house.pk)[floor.timed.pk].rake_minor
        after_s = (timezone.now() - opened_at).total_seconds()
    assert 5_00 * 3600 / after_s - 1 <= (an_hour or 0) <= 5_00 * 3600 / before_s + 1


@world(PokerRoom)
def test_a_hand_of_less_than_is_posted(floor: PokerRoom) -> None:
    stays = [floor.sit(seat) for seat in (1, 2)]
    deal(floor, *stays, pot={"pot_minor": 60_00})
    deal(floor, *stays, pot={"rake_minor": 1_00})  # by key: nobody knows what is posted
    assert derived() == []
    low = deal(floor, *stays, pot={"pot_minor": 60_00, "rake_minor": 1_00})
    assert derived() == ["rake_below"]
    assert text(floor, "rake_below") == ("Hand 3: CHF 1.00 taken, CHF 3.00 by the schedule: ask whoever dealt it.")
    alert = Alert.objects.get(kind="rake_below")
    with pytest.raises(AlertOwn):
        done(alert_acknowledge, house_id=floor.house.pk, alert_id=alert.pk, person_id=floor.martina.pk)
    acknowledged(floor, "rake_below", "Poker 1: Rake below the schedule")
    of_hand(floor, low, "hand_correct", pot={"pot_minor": 60_00, "rake_minor": 3_00})
    assert derived() == []
    over(floor, "rake_below")


@world(PokerRoom)
def test_chips_that_hands_do_not_explain(floor: PokerRoom) -> None:
    """Told when the last guest has left, for twelve hours; more than there were is a sentence of its own."""
    ends = {
        92_00: "and CHF 8.00 are missing: look for a hand or a tip that was not entered, and count the tray.",
        108_00: "and guests took CHF 8.00 more with them than hands can explain: look for a top-up or a hand that was"
        " entered wrong.",
    }
    texts = []
    for counted_minor in ends:
        stays = [floor.sit(seat) for seat in (1, 2)]
        floor.of(stays[0], "stay_leave", counted_minor=100_00)
        before = derived()
        floor.of(stays[1], "stay_leave", counted_minor=counted_minor)
        assert derived() == [*before, "chips_amiss"]
        texts += [re.sub(r"\d\d:\d\d:\d\d", "now", text(floor, "chips_amiss"))]
        if not before:
            acknowledged(floor, "chips_amiss", "Poker 1: Chips do not add up")
    assert texts == [f"The last guest left at now, {ending}" for ending in ends.values()]
    assert "chips_amiss" not in derived(WITHDRAWN_S + 31)


@world(PokerRoom)
def test_stacks_that_differ_from_the_books(floor: PokerRoom) -> None:
    """Told when the floor signs it, for twelve hours; who signed does not look at it alone."""
    stay = floor.sit(1)
    texts = []
    for counted_minor, missing_minor in ((92_00, 8_00), (100_00, 0), (103_00, -3_00)):
        floor.at_table("stacks_count", counted={str(stay.pk): counted_minor}, missing_minor=missing_minor)
        assert derived() == ["stacks_off"] * (1 + len(texts) // 2)
        texts += [re.sub(r"\d\d:\d\d:\d\d", "now", text(floor, "stacks_off"))]
    missing = "and CHF 8.00 are missing: look for a hand or a tip that was not entered, and count the tray."
    over = "and CHF 3.00 more lie there than the books have: look for a top-up or a hand that was entered wrong."
    assert texts == [f"The stacks were counted at now, {ending}" for ending in (missing, missing, over)]
    for alert in Alert.objects.filter(kind="stacks_off"):
        with pytest.raises(AlertOwn):
            done(alert_acknowledge, house_id=floor.house.pk, alert_id=alert.pk, person_id=floor.reto.pk)
    assert derived(WITHDRAWN_S + 31) == []


@world(PokerRoom)
def test_pok1_a_tile_has_as_many_seats_as_are_dealt(floor: PokerRoom) -> None:
    floor.sit(6, table=opened(floor, floor.free))
    seats = {tile.table.name: (len(tile.dots), tile.dots_text) for tile in tiles_of(floor)}
    empty = (9, "0 of 9 seats taken")
    assert seats == {"Poker 1": empty, "Poker 2": empty, "Poker 3": (6, "1 of 6 seats taken")}


@world(PokerRoom)
def test_hse1_the_pit_takes_a_table_over_into_the_next_gaming_day(floor: PokerRoom) -> None:
    stay = floor.sit(1)
    boss = people.make(floor.house, "boss.roll", "pit_boss", language="en")
    path = f"/floor/tables/{floor.raked.pk}/"
    assert "next gaming day" not in people.signed_in(boss).get(path).content.decode()
    with later(86_400):
        client = people.signed_in(boss)
        assert f'action="{path}roll/"' in client.get(path).content.decode()
        assert client.post(f"{path}roll/", {"key": str(uuid4())}).status_code == 302
        assert f'action="{path}roll/"' not in client.get(path).content.decode()
    moved = PokerStay.objects.get(came_from=stay)
    days = [at.guest.session.gaming_day for at in (stay, moved)]
    assert (floor.stacks(), days[1] - days[0]) == ({"stack 1": -100_00}, timedelta(days=1))


def test_pok2_a_sign_without_a_greatest_buy_in_says_so() -> None:
    posted = PokerGame(buy_in_most_minor=None)
    low, high = POKER.sign(posted)
    assert (low, high, range_text("40", None), range_text("40", "200")) == (
        40_00,
        None,
        "≥\N{NO-BREAK SPACE}40",
        "40–200",
    )
