"""`manage.py bootstrap`: the first manager of an empty installation."""

import io
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.refusals import BootstrapDone
from casino.people.services import manager_bootstrap
from payouts.models import Event, House
from payouts.selectors import gaming_day_at
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each

ARGUMENTS = {"house": "Casino Bad Ragaz", "currency": "CHF", "username": "m.leitung", "name": "Maria Leitung"}


def run(tmp_path: Path, password: str = people.PASSWORD, **changes: object) -> str:
    file = tmp_path / "password"
    file.write_text(f"{password}\n")
    out = io.StringIO()
    call_command("bootstrap", password_file=str(file), stdout=out, **ARGUMENTS | changes)
    return out.getvalue()


def test_empty_installation_gets_house_and_manager(db: None, tmp_path: Path) -> None:
    said = run(tmp_path)
    assert "Casino Bad Ragaz" in said
    assert "m.leitung" in said
    person, house = Person.objects.get(), House.objects.get()
    assert (person.roles, person.house, person.initial_password_until) == (["manager"], house, None)
    assert (house.currency, house.locale, house.time_zone) == ("CHF", "de-CH", "Europe/Zurich")
    assert house.gaming_day_change == time(6)  # after the latest closing, before the first opening of HSE-1
    assert Event.objects.get(name="person.bootstrapped").subject_id == str(person.pk)


def test_manager_of_all_houses_is_of_none(house: House, tmp_path: Path) -> None:
    """Asked for, or where there are several: he signs in none of them."""
    run(tmp_path, all_houses=True)
    assert Person.objects.get().house is None


def test_first_manager_is_of_none_of_several_houses(house: House, tmp_path: Path) -> None:
    make_house("Casino Wiesbaden", "EUR")
    run(tmp_path)
    assert Person.objects.get().house is None


def test_house_changes_its_gaming_day_when_it_is_told(db: None, tmp_path: Path) -> None:
    assert "its gaming day changes at 09:30" in run(tmp_path, gaming_day_change="09:30")
    house = House.objects.get()
    assert house.gaming_day_change == time(9, 30)
    assert Event.objects.get(name="house.created").after["gaming_day_change"] == "09:30"
    begins = datetime(2026, 1, 11, 9, 30, tzinfo=ZoneInfo("Europe/Zurich"))
    for moment, day in ((begins - timedelta(seconds=1), date(2026, 1, 10)), (begins, date(2026, 1, 11))):
        assert gaming_day_at(house_id=house.pk, moment=moment) == day


def test_second_factor_is_left_to_the_first_sign_in(db: None, tmp_path: Path, client: Client) -> None:
    said = run(tmp_path)
    assert "otpauth" not in said
    assert not Authenticator.objects.exists()
    assert people.sign_in(client, Person.objects.get(), code_given="")["Location"] == "/sign-in/authenticator/"


def test_house_that_is_there_stays(house: House, tmp_path: Path) -> None:
    assert "There is a house already" in run(tmp_path, house="Another", currency="EUR")
    assert House.objects.get() == house


def test_second_bootstrap_is_refused(db: None, tmp_path: Path) -> None:
    run(tmp_path)
    with pytest.raises(CommandError, match=r"has a manager already: m\.leitung"):
        run(tmp_path, username="o.ther")
    assert Person.objects.count() == 1


@each("change", ["04:00", "12:00"])
def test_gaming_day_may_change_from_the_last_closing_to_the_first_opening(
    db: None, tmp_path: Path, change: str
) -> None:
    run(tmp_path, gaming_day_change=change)
    assert House.objects.get().gaming_day_change == time.fromisoformat(change)


@each(
    ("changes", "said"),
    [
        ({"password": "kurz"}, "The password was not changed"),
        ({"password": ""}, "The password was not changed"),
        ({"password": "Maria Leitung"}, "The password was not changed"),
        ({"username": "Ma ria"}, "username"),
        ({"currency": "Franken"}, "currency"),
        ({"time_zone": "Europe/Ragaz"}, "time_zone"),
        ({"gaming_day_change": ""}, "The gaming day cannot change at"),
        ({"gaming_day_change": "noon"}, "The gaming day cannot change at noon"),
        ({"gaming_day_change": "25:00"}, "The gaming day cannot change at 25:00"),
        ({"gaming_day_change": "6:00"}, "such as 06:00"),
        ({"gaming_day_change": "06:00:30"}, "The gaming day cannot change at 06:00:30"),
        ({"gaming_day_change": "٠٦:٠٠"}, "The gaming day cannot change at"),
        ({"gaming_day_change": "06:00\n"}, "The gaming day cannot change at"),
        ({"gaming_day_change": "03:59"}, "when the house is closed"),  # Friday and Saturday close at 04
        ({"gaming_day_change": "12:01"}, "when the house is closed"),
        ({"house": ""}, "name: too short, 0 of at least 2 characters"),
        ({"name": "\0"}, "full_name"),
    ],
)
def test_senseless_arguments_are_refused_in_a_sentence(
    db: None, tmp_path: Path, changes: dict[str, str], said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        run(tmp_path, **changes)
    assert not Person.objects.exists()
    assert not House.objects.exists()


def test_password_comes_from_standard_input_too(db: None, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{people.PASSWORD}\r\n"))
    call_command("bootstrap", password_file="-", stdout=io.StringIO(), **ARGUMENTS)
    assert Person.objects.get().check_password(people.PASSWORD)


def test_without_terminal_and_file_it_says_what_to_do(db: None, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(CommandError, match="--password-file"):
        call_command("bootstrap", **ARGUMENTS)


def typed(monkeypatch, lines: list[str], passwords: list[str]) -> str:
    """What is said to somebody who types this at a terminal."""
    terminal, answers, said = io.StringIO("".join(f"{line}\n" for line in lines)), iter(passwords), io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    monkeypatch.setattr("casino.management.commands.bootstrap.getpass", lambda _prompt: next(answers))
    call_command("bootstrap", stdout=said, stderr=said)
    return said.getvalue()


def test_at_a_terminal_it_asks_until_it_is_right(db: None, monkeypatch) -> None:
    """The one line that a fresh house prints is enough; what was answered well stands in brackets the second time."""
    first = ["Casino Luzern", "francs", "klingon", "", "", "", "l.leitung", "Lea Leitung"]
    second = ["", "CHF", "", "", "07:00", "", ""]
    good = people.PASSWORD
    said = typed(monkeypatch, first + second, [good, "other", good, good, good, good])
    assert "The two passwords differ." in said
    assert "Lea Leitung is the first manager and signs in as l.leitung." in said
    house = House.objects.get()
    assert (house.name, house.currency, house.locale, house.gaming_day_change) == (
        "Casino Luzern",
        "CHF",
        "de-CH",
        time(7),
    )
    assert Person.objects.get().check_password(good)


def test_whoever_goes_away_has_made_nothing_and_who_comes_too_late_is_not_asked(
    db: None, monkeypatch, tmp_path
) -> None:
    with pytest.raises(CommandError, match=r"Nothing was made\."):
        typed(monkeypatch, ["Casino Luzern"], [])
    assert not House.objects.exists()
    run(tmp_path)
    with pytest.raises(CommandError, match=r"has a manager already: m\.leitung"):
        typed(monkeypatch, [], [])


def test_without_a_terminal_it_says_which_arguments_are_missing(db: None, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(CommandError, match="Say --currency, --username, --name: there is no terminal"):
        call_command("bootstrap", house="Casino Luzern")


def test_a_demo_house_gets_no_first_manager(db: None, settings, tmp_path: Path) -> None:
    """Else he would be a demo person, and the house that he means in earnest would never start."""
    settings.DEMO = True
    with pytest.raises(CommandError, match="This is a demo house"):
        run(tmp_path)
    assert not Person.objects.exists()


def test_unreadable_password_file_is_said(db: None, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("bootstrap", password_file=str(tmp_path / "none"), **ARGUMENTS)


def test_two_at_once_make_one_manager(own_database: str) -> None:
    def bootstrap(number: int) -> bool:
        try:
            manager_bootstrap(
                username=f"m.leitung{number}",
                full_name="Maria Leitung",
                password=people.PASSWORD + "!",
                house_name="Casino Bad Ragaz",
                currency="CHF",
                locale="de-CH",
                time_zone="Europe/Zurich",
            )
        except BootstrapDone:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(bootstrap, range(4))) == 1
    assert (Person.objects.count(), House.objects.count()) == (1, 1)
