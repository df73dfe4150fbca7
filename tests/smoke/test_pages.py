"""One test for each surface in a real browser; the rest of what they do is looked at by `make proof`."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from casino.audit.runs import verify_next
from casino.ops.models import VerifyRun
from casino.people.models import Person
from tables.models import RoundLine
from tests.browser.floor_house import FloorHouse, PatientFloor
from tests.browser.look.test_reports import ReportHouse
from tests.browser.people import be, enter
from tests.browser.pit_page import open_pit, tile
from tests.browser.tablets import Tablet
from tests.floor import stakes_for

NewPage = Callable[..., Page]


def test_somebody_signs_in(new_floor_page: NewPage) -> None:
    page, floor = new_floor_page(), FloorHouse()
    enter(page, floor.boss)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text(Person.objects.get(pk=floor.boss.pk).full_name).first).to_be_attached()


def test_a_round_with_a_coin_is_played_on_a_tablet(new_floor_page: NewPage) -> None:
    floor = PatientFloor()
    floor.open_for()
    tablet = Tablet(new_floor_page(has_touch=True), floor.table, floor.martina)
    tablet.seat(2)
    tablet.tile(2, "coin").tap()
    tablet.lock()
    tablet.cell(2, "4+")
    expect(tablet.box(2).locator(".paid")).to_have_text("+25")
    tablet.finish()
    [played] = tablet.rounds()
    assert played.state == "settled"
    lines = RoundLine.objects.filter(round=played, revision=1).order_by("kind")
    assert [*lines.values_list("kind", "stake_minor", "returned_minor", "won_minor", "prize_minor")] == [
        ("ante", 500, 500, 500, 0),
        ("blind", 500, 500, 0, 0),
        ("coin", 500, 0, 0, 0),
        ("play", 2000, 2000, 2000, 0),
    ]


def test_the_pit_sees_a_round_that_runs(new_floor_page: NewPage) -> None:
    floor, page = FloorHouse(), new_floor_page(width=1440, height=900)
    guests = floor.open()
    open_pit(page, floor)
    expect(tile(page, "UTH 1")).to_contain_text("Offen")
    floor.lock(stakes_for(guests[:1]))
    expect(tile(page, "UTH 1")).to_contain_text("Runde läuft")


def test_an_auditor_takes_a_report_home_and_has_the_books_verified(new_floor_page: NewPage) -> None:
    VerifyRun.objects.filter(state="waiting").update(state="running", begun_at="2026-01-01T00:00Z")
    page, house = new_floor_page(language="en"), ReportHouse()
    be(page, house.auditor)
    page.goto(house.address("hits"))
    with page.expect_download() as download:
        page.get_by_role("link", name="PDF", exact=True).click()
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")
    page.goto("/audit/verify/")
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator(".progress")).to_contain_text("waits for a worker")
    verify_next()
    expect(page.locator(".findings")).to_be_visible()
