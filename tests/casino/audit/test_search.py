"""What is typed into the desk's one field is understood, or refused in words."""

from datetime import date, time, timedelta
from uuid import UUID

import pytest

from casino.audit.search import DayWrong, FigureStrange, FilterStrange, RangeWide, RangeWrong, SearchTooLong, understood
from casino.people.context import HouseClock
from payouts.models import House
from tables.services import table_create
from tests.floor import POSTED, Floor, done
from tests.worlds import world

ID = "0c315249-b961-4d9f-9082-d01022022930"


pytestmark = world(Floor)


def said(house: House, words: str, **filters: str) -> dict[str, object]:
    """What was understood, without what was not."""
    asked = understood(house, {"q": words} | filters)
    names = ("ident", "first", "last", "at", "number", "slip", "amount_minor", "name")
    given = {name: getattr(asked, name) for name in names if getattr(asked, name) not in (None, "")}
    return given | ({"table": asked.table.name} if asked.table else {})


def test_words_are_understood(floor: Floor) -> None:
    day = date(2026, 3, 21)
    for words, meant in {
        "": {},
        "UTH 2": {"table": "UTH 2"},
        "uth 2 17": {"table": "UTH 2", "number": 17},
        "17": {"number": 17},
        "UTH 1, Runde 17": {"table": "UTH 1", "number": 17},
        "UTH 2, hand 17": {"table": "UTH 2", "number": 17},
        "#17 UTH 1": {"table": "UTH 1", "number": 17},
        "22:14": {"at": time(22, 14)},
        "UTH 1 01:30:05": {"table": "UTH 1", "at": time(1, 30, 5)},
        "21.3.2026": {"first": day, "last": day},
        "2026-03-21 17": {"first": day, "last": day, "number": 17},
        "21.3.2026 24.3.2026": {"first": day, "last": date(2026, 3, 24)},
        "CHF 15": {"amount_minor": 1500},
        "15.00": {"amount_minor": 1500},
        "15,50": {"amount_minor": 1550},
        "CHF 128’450.55": {"amount_minor": 12845055},
        "10'000": {"amount_minor": 1000000},
        "UTH 2 CHF 1’500": {"table": "UTH 2", "amount_minor": 150000},
        "17 CHF 15.00": {"number": 17, "amount_minor": 1500},
        "CHF 15.00 17": {"number": 17, "amount_minor": 1500},
        "No. 17 15 CHF": {"number": 17, "amount_minor": 1500},
        "27.11.26 20.30 Uhr": {"first": date(2026, 11, 27), "last": date(2026, 11, 27), "at": time(20, 30)},
        "27/11/2026 17": {"first": date(2026, 11, 27), "last": date(2026, 11, 27), "number": 17},
        "25.10.2026 02:30:00 MEZ": {"first": date(2026, 10, 25), "last": date(2026, 10, 25), "at": time(2, 30, fold=1)},
        "20 h 30": {"at": time(20, 30)},
        "20h30 UTH 2": {"table": "UTH 2", "at": time(20, 30)},
        "20 h 17": {"at": time(20, 17)},
        "21.3.2026 ore 20.30": {"first": day, "last": day, "at": time(20, 30)},
        "CHF −1’284.50": {"amount_minor": 128450},
        "40.-": {"amount_minor": 4000},
        "CHF 10'005.–": {"amount_minor": 1000500},
        "1 284,50": {"amount_minor": 128450},
        "17 1’284.50": {"number": 17, "amount_minor": 128450},
        "max 22": {"name": "max", "number": 22},
        "118-6B02EB8D": {"slip": (118, 0x6B02EB8D)},
        "UTH 2 #118-6b02eb8d 21.3.2026": {"table": "UTH 2", "slip": (118, 0x6B02EB8D), "first": day, "last": day},
        ID: {"ident": UUID(ID)},
        "Martina Frei": {"name": "Martina Frei"},
        "UTH 22": {"name": "UTH", "number": 22},
        "'; DROP TABLE tables_round; --": {"name": "'; DROP TABLE tables_round; --"},
    }.items():
        assert said(floor.house, words) == meant, words


def test_amounts_are_read_as_the_house_writes_them(floor: Floor) -> None:
    """Issue 44.10: by the locale and the currency's digits."""
    for locale, currency, words, amount in (
        ("de-DE", "EUR", "1.284,50", 1284_50),
        ("de-DE", "EUR", "1.284,50 €", 1284_50),
        ("de-DE", "EUR", "1.284", 1284_00),
        ("fr-FR", "EUR", "1\u202f284,50", 1284_50),
        ("en-GB", "GBP", "£1,284.50", 1284_50),
        ("it-IT", "EUR", "EUR 1.284,50", 1284_50),
        ("de-CH", "JPY", "JPY 12'000", 12_000),
    ):
        house = House(pk=floor.house.pk, locale=locale, currency=currency, time_zone="Europe/Zurich")
        house.gaming_day_change = floor.house.gaming_day_change
        assert said(house, words) == {"amount_minor": amount}, words


def test_longest_name_of_a_table_is_meant(floor: Floor) -> None:
    more = {"house_id": floor.house.pk, "pit_id": floor.pit.pk, "game": "uth", "boxes": 5, "posted": POSTED}
    done(table_create, **more, name="UTH 2 Bar")
    assert said(floor.house, "uth 2 bar 3") == {"table": "UTH 2 Bar", "number": 3}


def test_filters_stand_beside_the_words(floor: Floor) -> None:
    assert said(floor.house, "17", table=str(floor.other.pk), **{"from": "2026-03-01", "to": "2026-03-02"}) == {
        "number": 17,
        "table": "UTH 2",
        "first": date(2026, 3, 1),
        "last": date(2026, 3, 2),
    }


def test_what_cannot_be_meant_is_refused(floor: Floor) -> None:
    """HSE-1: ranges are of gaming days."""
    for words, filters, refused in (
        ("", {"from": "2026-03-02", "to": "2026-03-01"}, RangeWrong),
        ("24.3.2026 21.3.2026", {}, RangeWrong),
        ("", {"from": "2025-01-01", "to": "2026-01-01"}, RangeWide),
        ("31.2.2026", {}, DayWrong),
        ("", {"from": "yesterday"}, DayWrong),
        ("", {"table": ID}, FilterStrange),  # of no table and nobody of this house
        ("", {"person": ID}, FilterStrange),
        ("", {"table": "UTH 1"}, FilterStrange),
        ("x" * 121, {}, SearchTooLong),
        ("JPY 12'000", {}, FigureStrange),  # of no currency of this house
        ("20.3.7", {}, FigureStrange),
        ("1.284,505", {}, FigureStrange),
        ("x15.00y", {}, FigureStrange),
        ("25:61", {}, FigureStrange),
        ("99.99 Uhr", {}, FigureStrange),
        ("27/11", {}, FigureStrange),
        ("17 18", {}, FigureStrange),
        ("15.00 16.00", {}, FigureStrange),
        ("1" * 10, {}, FigureStrange),
        ("29.2.2026", {}, DayWrong),
    ):
        with pytest.raises(refused):
            understood(floor.house, {"q": words} | filters)


def test_a_time_after_midnight_is_of_the_gaming_day_before_it(floor: Floor) -> None:
    """HSE-1."""
    asked = understood(floor.house, {"q": "21.3.2026 01:30"})
    moment = asked.moment()
    assert moment is not None
    assert (moment.date(), moment.time()) == (date(2026, 3, 22), time(1, 30))
    since, until = asked.span()
    assert since < moment < until
    assert (since.date(), until.date()) == (date(2026, 3, 21), date(2026, 3, 22))


def test_without_a_day_an_amount_is_looked_for_today_and_anything_else_in_five_weeks(floor: Floor) -> None:
    today = HouseClock.at(floor.house).gaming_day
    assert understood(floor.house, {"q": "15.00"}).span()[0].date() == today
    assert understood(floor.house, {"q": "17"}).span()[0].date() == today - timedelta(days=34)
