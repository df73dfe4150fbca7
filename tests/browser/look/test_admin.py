"""The admin under our content policy: every page listens for breaches, see conftest.py."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Person
from casino.people.services import particulars_set
from jackpot.models import Claim
from payouts.models import House
from tests.browser.desk.test_audit import AuditHouse
from tests.browser.look.test_everywhere import SIZES, drawn_at, faults, keep
from tests.browser.people import LOOKED_AT, be, enter, somebody
from tests.browser.posted import posted
from tests.casino.people import people

pytestmark = pytest.mark.browser
PAGES = {
    "admin_index": "/admin/",
    "admin_people": "/admin/casino/person/",
    "admin_add": "/admin/casino/person/add/",
    "admin_person": "/admin/casino/person/{person}/change/",
    "admin_history": "/admin/casino/person/{person}/history/",
    "admin_accounts": "/admin/payouts/account/",
    "admin_events": "/admin/payouts/event/",
    "admin_approvals": "/admin/payouts/approval/",
}

READ = (
    *("tables.table", "tables.tablesession", "tables.guest", "tables.round", "tables.roundstake", "tables.roundresult"),
    *("tables.roundline", "jackpot.jackpot", "jackpot.epoch", "jackpot.hit", "jackpot.claim", "jackpot.split"),
    *("jackpot.award", "jackpot.slip", "jackpot.gate", "jackpot.contribution", "jackpot.runninground"),
    *("payouts.account", "payouts.transfer", "payouts.entry", "payouts.event", "payouts.approval"),
    *("payouts.approvalsignature", "payouts.postedtable", "casino.device"),
)


def test_manager_makes_a_person_and_hands_over_the_password(page: Page, house: House) -> None:
    enter(page, somebody(house, "manager"))
    page.get_by_role("navigation").get_by_role("link", name="Verwaltung").click()
    page.get_by_role("main").get_by_role("link", name="Personen").click()
    page.get_by_role("link", name="Person hinzufügen").first.click()
    page.get_by_label("Anmeldename").fill("z.ueger")
    page.get_by_label("Vor- und Nachname").fill("Zora Züger")
    page.get_by_label("Haus:").select_option(label=house.name)
    page.get_by_label("Kasse").check()
    page.get_by_role("button", name="Sichern", exact=True).click()
    password = page.locator(".once .secret").inner_text()
    person = Person.objects.get(username="z.ueger")
    assert person.check_password(password)
    page.get_by_role("link", name="Übergeben").click()
    page.locator("#searchbar").fill("z.ueger")
    with page.expect_navigation():  # the list of before may have the same row
        page.locator("#searchbar").press("Enter")
    row = page.get_by_role("row", name="Zora Züger")
    expect(row).to_contain_text("Einmalpasswort ausgegeben")

    row.get_by_role("checkbox").check()
    page.locator("select[name=action]").select_option(label="Deaktivieren")
    page.get_by_role("button", name="Ausführen").click()
    expect(page.locator(".messagelist")).to_contain_text("Zora Züger: erledigt.")
    person.refresh_from_db()
    assert not person.is_active


def test_books_are_read_and_not_written(page: Page, house: House) -> None:
    enter(page, somebody(house, "auditor"))
    page.goto("/admin/")
    for name in page.get_by_role("main").get_by_role("row").locator("th a").all_inner_texts():
        page.goto("/admin/")
        with page.expect_navigation():
            page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()
        expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
        first = page.locator("#result_list tbody th a").first
        if first.count():
            with page.expect_navigation():
                first.click()
            expect(page.locator("form .readonly").first).to_be_visible()
        assert page.get_by_role("button", name=re.compile("Sichern|Löschen")).count() == 0


@pytest.mark.parametrize("language", LOOKED_AT)
def test_another_manager_signs_that_somebody_may_sign(
    new_page: Callable[..., Page], house: House, language: str
) -> None:
    """The page on which he does: before, where it is rejected, and after; at every size."""
    page = new_page(language=language, reduced_motion="reduce")
    asks, signs = somebody(house, "manager"), somebody(house, "manager", language=language)
    be(page, signs)
    wrong = []
    for step in ("reject", "sign"):
        dealer = somebody(house, "croupier")
        roles = {"full_name": dealer.full_name, "house": house, "role_codes": ["croupier", "pit_boss"], "language": ""}
        asked = particulars_set(person=dealer, by=asks, **roles)
        assert asked is not None
        page.goto(f"/people/asked/{asked.pk}/")
        for width, height in SIZES:
            drawn_at(page, width, height)
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                wrong.append(f"{step} {width}: wider than the screen")
            keep(page, f"person_asked_{step}", language)
        wrong += [f"{step}: {text}" for text in faults(page, ("wcag2a", "wcag2aa", "wcag21aa"))]
        page.locator(f"#{step}-secret").fill(people.code(signs, steps=0 if step == "reject" else 1))
        if step == "reject":
            page.locator("#reject-reason").fill("He is not trained yet.")
        with page.expect_navigation():
            page.locator(f"form[action$='/{step}/'] button").click()
        expect(page.locator(".hello .state")).to_have_class("state used" if step == "sign" else "state rejected")
        dealer.refresh_from_db()
        assert dealer.roles == (["croupier", "pit_boss"] if step == "sign" else ["croupier"])
    assert wrong == []


def test_sign_out_from_the_admin(page: Page, house: House) -> None:
    enter(page, somebody(house, "technician"))
    page.goto("/admin/")
    page.get_by_role("button", name="Abmelden").click()
    page.wait_for_url("**/sign-in/")


@pytest.mark.parametrize("language", LOOKED_AT)
def test_admin_looks_like_the_house(new_page: Callable[..., Page], house: House, language: str) -> None:
    """Lists may scroll in their own frame; the page itself never does."""
    page = new_page(language=language, reduced_motion="reduce")
    manager = somebody(house, "manager")
    be(page, manager)
    posted(house)  # events and an approval to list
    wrong = []
    for name, address in PAGES.items():
        page.goto(address.format(person=manager.pk))
        for width, height in SIZES:
            drawn_at(page, width, height)
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                wrong.append(f"{name} {width}: wider than the screen")
            keep(page, name, language)
        if language == "de":
            page.set_viewport_size({"width": 1280, "height": 800})
            wrong += [f"{name}: {text}" for text in faults(page, ("wcag2a", "wcag2aa", "wcag21aa"))]
    assert wrong == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", LOOKED_AT)
def test_auditor_reads_rows_by_name_and_goes_on_from_them(new_floor_page: Callable[..., Page], language: str) -> None:
    """From a list to a row, to what it names, to the desk; every row of the evening fits the screen."""
    page, house = new_floor_page(language=language, reduced_motion="reduce"), AuditHouse()
    Person.objects.filter(pk=house.auditor.pk).update(language=language)
    be(page, house.auditor)
    page.set_viewport_size({"width": 1280, "height": 800})
    wrong = []
    for name in READ:
        page.goto(f"/admin/{name.replace('.', '/')}/")
        for step in ("list", "row"):
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                wrong.append(f"{name} {step}: wider than the screen")
            keep(page, f"admin_{name}_{step}", language)
            if language == "de" and name in ("tables.round", "jackpot.claim"):
                wrong += [f"{name} {step}: {text}" for text in faults(page, ("wcag2a", "wcag2aa", "wcag21aa"))]
            if step == "list":
                page.locator("#result_list tbody th a").first.click()
                expect(page.locator("form .readonly").first).to_be_visible()
    assert wrong == []
    page.goto(f"/admin/jackpot/claim/{Claim.objects.get(round_id=house.claimed).pk}/change/")
    page.locator(".field-round_id .readonly a").click()
    expect(page.locator("#content h2")).to_contain_text("UTH 1, ")
    page.locator(".object-tools a[href*='/audit/rounds/']").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("UTH 1, ")
