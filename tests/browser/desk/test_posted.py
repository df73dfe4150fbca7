"""A posted table from draft to force, and drafts that do not come so far: each control of its pages, by keyboard alone (UTH-6)."""

from collections.abc import Callable

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from casino.demo.rulesets import DEMO_TABLES
from casino.people.models import Person
from payouts.models import PostedTable
from payouts.services import posted_tables_seed
from tests.browser.desk.test_reports_all import tabbed_to
from tests.browser.people import be, somebody
from tests.casino.people import people
from tests.cast import make_house

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def press(page: Page, name: str, role: str = "button") -> None:
    """Come to this key by the Tab key, and press it; it leads to another page."""
    page.wait_for_load_state()
    tabbed_to(page, page.get_by_role(role, name=name, exact=True))
    with page.expect_navigation():
        page.keyboard.press("Enter")


def write(page: Page, field: str, text: str) -> None:
    place = page.locator(f"[id='{field}']")
    tabbed_to(page, place)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    expect(place).to_have_value(text)


def drafted(page: Page, first: PostedTable, odds: str) -> PostedTable:
    """A draft of the next version, in which a straight pays these odds."""
    page.goto(f"/posted-tables/{first.pk}/")
    press(page, "Daraus neue Version entwerfen", "link")
    straight = page.get_by_role("row", name="Strasse").get_by_role("textbox").last
    tabbed_to(page, straight)
    page.keyboard.press("Control+A")
    page.keyboard.type(odds)
    write(page, "note", f"Strasse {odds}")
    press(page, "Entwurf speichern")
    expect(page.get_by_role("heading", level=1)).to_contain_text("UTH Trips")
    return PostedTable.objects.filter(name="UTH Trips").order_by("version").last()


def test_draft_change_request_sign_reject_and_withdraw(new_page: Callable[..., Page]) -> None:
    house = make_house("Casino Aushang")
    with transaction.atomic():
        posted_tables_seed(house_id=house.pk, tables=DEMO_TABLES)
    first = PostedTable.objects.get(house=house, kind="trips", version=1)
    page = new_page()
    be(page, somebody(house, "technician"))
    signers = [somebody(house, "manager") for _ in range(2)]
    refused = drafted(page, first, "3:1")
    asked(page)
    expect(page.get_by_text("Zwei andere prüfen und unterschreiben sie.")).to_be_visible()
    other = new_page()
    be(other, signers[0])
    other.goto(f"/posted-tables/{refused.pk}/")
    write(other, "reject-reason", "nicht vereinbart")
    write(other, "reject-secret", people.code(signers[0], steps=-1))  # each code is taken once: this is the one before
    press(other, "Ablehnen")
    expect(other.locator("main")).to_contain_text("nicht vereinbart")

    withdrawn = drafted(page, first, "3:1")
    press(page, "Zurückziehen")

    approved = drafted(page, first, "3:1")
    press(page, "Entwurf ändern", "link")
    write(page, "note", "wie besprochen")
    press(page, "Entwurf speichern")
    expect(page.locator(".lead")).to_have_text("wie besprochen")
    asked(page)
    for person in signers:
        signed(new_page(), person, approved)
    states = PostedTable.objects.in_bulk([refused.pk, withdrawn.pk, approved.pk])
    assert [states[one.pk].state for one in (refused, withdrawn, approved)] == ["rejected", "withdrawn", "approved"]
    assert states[approved.pk].note == "wie besprochen"


def asked(page: Page) -> None:
    """Ask for the approval, with a reason where the page warns of the draft."""
    if page.locator("#request-reason").count():
        write(page, "request-reason", "so beschlossen")
    press(page, "Freigabe beantragen")


def signed(page: Page, person: Person, table: PostedTable) -> None:
    be(page, person)
    page.goto(f"/posted-tables/{table.pk}/")
    write(page, "sign-secret", people.code(person))
    press(page, "Unterschreiben")
    expect(page.locator(".history").first).to_contain_text(person.full_name)
