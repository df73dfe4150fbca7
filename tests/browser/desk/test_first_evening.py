"""From `bootstrap` to the first round with a coin, by three people and through pages alone, from an empty database."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page
from pytest_django import DjangoDbBlocker

from payouts.audit import run_audits
from payouts.models import Account, PostedTable
from tables.models import Round, RoundStake
from tests.browser import first_evening as evening
from tests.browser.conftest import Server, _pages, _serve, _with_orm
from tests.browser.first_evening import Count, Someone
from tests.watched import watched

pytestmark = pytest.mark.browser
OWN = "Ein-eigenes-Passwort-7"
CLICKS_MOST, FIELDS_MOST = 120, 90  # half an hour for three people: some ten seconds each


@pytest.fixture
def empty_server(chromium_program: str, static_files: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    for server in _serve("browser_first"):
        yield from _with_orm(server, django_db_blocker)


@pytest.fixture
def new_page_here(chromium: Browser, empty_server: Server) -> Iterator[Callable[..., Page]]:
    yield from _pages(chromium, empty_server)


@pytest.mark.timeout(600)  # each code of an authenticator is taken once: some are waited for
def test_three_people_go_from_nothing_to_the_first_round(
    new_page_here: Callable[..., Page], empty_server: Server, tmp_path: Path
) -> None:
    password = tmp_path / "password"
    password.write_text(f"{OWN}\n")
    made = {"house": "Casino Anfang", "currency": "CHF", "username": "m.muster", "name": "Maria Muster"}
    call_command("bootstrap", password_file=str(password), **made)
    watched()  # no worker runs here
    count = Count()
    question = "status of 409"  # a table opens at the second try
    first, technician, second = (
        Someone(new_page_here(allowed=question), name, count) for name in ("m.muster", "t.technik", "l.leitung")
    )
    screen, tablet = new_page_here(width=1920, height=1080), new_page_here(has_touch=True)

    first.sign_in_first(OWN)
    assert first.open_steps() == ["people", "rules", "hours", "tables", "displays", "tablets", "cash", "round"]
    once = evening.add_person(first, "t.technik", "Tim Technik", "technician", "croupier")
    technician.sign_in_first(once, evening.PASSWORD)
    once = evening.add_person(first, "l.leitung", "Lea Leitung", "manager", "pit_boss", "cage")
    second.sign_in_first(once, evening.PASSWORD)
    evening.rules(technician, first, second)
    assert set(PostedTable.objects.values_list("state", flat=True)) == {"approved"}
    evening.floor(technician)
    evening.display(technician, screen)
    evening.tablet(technician, tablet)
    evening.cash(first)
    evening.pin(technician, evening.PASSWORD)
    assert first.open_steps() == ["people", "round"]  # whom another made within a day rests from what a jackpot pays
    evening.open_table(second, "Tim Technik")
    evening.play(technician, "Tim Technik", tablet)

    assert first.open_steps() == ["people"]
    first.page.goto("/")
    assert first.page.locator('a[href="/first-steps/"]').count() == 0
    [played] = Round.objects.all()
    assert (played.state, played.number) == ("settled", 1)
    assert RoundStake.objects.filter(round=played, kind="coin", accepted_minor=500).exists()
    assert Account.objects.get(kind="cage_cash").balance_minor == 20_000_000
    assert [one for one in run_audits() if one.breaches] == []
    assert (count.clicks <= CLICKS_MOST, count.fields <= FIELDS_MOST) == (True, True), count
