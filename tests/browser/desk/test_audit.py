"""The audit desk in the browser: what an auditor does, in four languages, three sizes, by keyboard, and on paper."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.audit.runs import verify_next
from casino.ops.models import AuditRun, VerifyRun
from casino.people.models import Person
from payouts.models import Account
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_pit import Looker, come
from tests.browser.people import LOOKED_AT, be, somebody
from tests.casino.devices import devices
from tests.jackpot.linked import dull, royal

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
NewPage = Callable[..., Page]


class AuditHouse(HitHouse):
    """A hit that was paid, and an auditor who was not there."""

    def __init__(self) -> None:
        super().__init__(displays=1)
        first, second = self.running()
        self.end(0, first, royal("h"))
        self.end(1, second, dull())
        self.advance()
        self.verify_all()
        self.approve()
        self.confirm_all()
        self.claimed = first
        self.auditor = somebody(self.house, "auditor")
        Person.objects.filter(pk=self.auditor.pk).update(full_name="Vera Caminada-Oberhollenzer")
        boss = somebody(self.house, "pit_boss")
        self.tablet = devices.enrol(self.tables[0], boss)[0]
        AuditRun.objects.create(seconds=1, ok=True, breaches=[])

    def account(self) -> int:
        """An account that moved."""
        return Account.objects.filter(house=self.house, kind="circulation").order_by("-version")[0].pk


def sits_down(page: Page, house: AuditHouse) -> None:
    be(page, house.auditor)
    expect(page.locator(".verdict")).to_be_visible()


def test_auditor_proves_a_hit_from_the_search_to_the_ledger(new_floor_page: NewPage) -> None:
    """From the desk alone: the hit, its round, the transfer that paid it, the account that it came from."""
    page, house = new_floor_page(language="en"), AuditHouse()
    sits_down(page, house)
    assert page.url.endswith("/audit/")
    page.locator("#q").fill("UTH 1 1")
    page.locator("#q").press("Enter")
    expect(page.locator(".chips")).to_contain_text("Table: UTH 1")
    page.locator("[data-kind=rounds]").get_by_role("link", name="UTH 1, round 1").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("UTH 1, round 1")
    page.get_by_role("link", name="To hit 1").click()
    expect(page.locator(".stations")).to_contain_text("Claim 1: UTH 1, Box 1")
    expect(page.locator("#course canvas")).to_be_visible()
    page.get_by_role("link", name="transfer").first.click()
    expect(page.locator("tfoot")).to_contain_text("CHF 0.00")
    page.get_by_role("link", name="Awards approved and not yet paid").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Awards approved and not yet paid")


def test_by_keyboard_alone(new_floor_page: NewPage) -> None:
    page, house = new_floor_page(language="en"), AuditHouse()
    sits_down(page, house)
    page.locator("#q").focus()
    page.keyboard.type("hits")
    page.keyboard.press("Control+A")
    page.keyboard.type(f"{house.claimed}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("UTH 1, round 1")
    page.wait_for_load_state()  # with all that the Tab key comes by
    page.locator("main").focus()
    for _step in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.tabs') !== null")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_calculator_draws_what_another_seed_would_change(new_floor_page: NewPage) -> None:
    page, house = new_floor_page(language="en", allowed="status of 422"), AuditHouse()
    sits_down(page, house)
    page.locator(".tabs").get_by_role("link", name="Calculator").click()
    expect(page.locator("[data-plot] canvas")).to_have_count(2)
    page.locator("#seed").fill("50'000")
    page.locator("#coins").fill("150")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator(".forecast").first).to_contain_text("At 150 coins an hour")
    expect(page.locator("tr.changed").first).to_be_visible()
    page.locator("#coins").fill("many")
    page.get_by_role("button", name="Calculate").click()
    expect(page.get_by_role("alert")).to_contain_text("many cannot be calculated with.")
    expect(page.locator("#coins")).to_have_value("many")
    expect(page.locator("#coins")).to_have_attribute("aria-invalid", "true")


def test_verification_is_asked_for_and_watched(new_floor_page: NewPage) -> None:
    """No worker runs here: it waits, and says so; what a worker finds is shown without a touch."""
    VerifyRun.objects.filter(state="waiting").update(state="running", begun_at="2026-01-01T00:00Z")
    page, house = new_floor_page(language="en"), AuditHouse()
    sits_down(page, house)
    page.locator(".tabs").get_by_role("link", name="Verify").click()
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator(".progress")).to_contain_text("waits for a worker")
    verify_next()
    expect(page.locator(".findings")).to_be_visible()


@pytest.mark.parametrize("language", LOOKED_AT)
def test_desk_in_every_state(new_floor_page: NewPage, language: str) -> None:
    page = new_floor_page(language=language, allowed="status of 4(04|22)", reduced_motion="reduce")
    house = AuditHouse()
    look = Looker(page, language)
    sits_down(page, house)
    look.at("audit_desk")
    hit = house.jackpot.hits.get()
    account = house.account()
    for name, path in {
        "audit_found": "?q=UTH+1",
        "audit_nothing": "?q=nothing+at+all",
        "audit_refused": "?from=2026-03-02&to=2026-03-01",
        "audit_round": f"rounds/{house.claimed}/",
        "audit_hit": f"hits/{hit.pk}/",
        "audit_transfer": f"transfers/{hit.awards.first().transfer_id}/",
        "audit_account": f"accounts/{account}/",
        "audit_person": f"people/{house.reto.pk}/",
        "audit_device": f"devices/{house.tablet.pk}/",
        "audit_posted": f"posted/{house.now().epoch.funding_id}/",
        "audit_verify": "verify/",
        "audit_calculator": "calculator/?seed=20000&meter=1.50",
    }.items():
        come(page, f"/audit/{path}")
        look.at(name)
        if name not in ("audit_nothing", "audit_refused"):
            look.printed(name)
    assert look.wrong == []
