"""How reports look and what their controls do: every language, three sizes, empty, refused, running, ready, on paper."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from casino.audit.models import ReportRun
from casino.audit.reports import runs
from casino.audit.reports.kinds import KINDS
from tables.models import TableSession
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_everywhere import drawn_at, keep
from tests.browser.look.test_pit import Looker
from tests.browser.paper import wrong_on_paper
from tests.browser.people import LOOKED_AT, be, somebody
from tests.jackpot.linked import royal

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
REFUSED = "status of 4(04|22)"
NewPage = Callable[..., Page]


class ReportHouse(HitHouse):
    """A house after a double royal, with an auditor."""

    def __init__(self) -> None:
        super().__init__()
        first, second = self.running()
        self.end(0, first, royal())
        self.end(1, second, royal("d"))
        self.advance()
        self.verify_all()
        self.approve()
        self.confirm_all()
        self.auditor = somebody(self.house, "auditor")
        self.day = TableSession.objects.filter(house=self.house)[0].gaming_day

    def address(self, kind: str, **more: str) -> str:
        asked = {"from": self.day.isoformat(), "to": self.day.isoformat()} | more
        return f"/audit/reports/{kind}/?" + "&".join(f"{name}={value}" for name, value in asked.items())


def shows_that_more_is_there(page: Page) -> None:
    """A table that is wider than its place has an edge on the side where more of it is, and by keyboard it is moved there."""
    wide = page.locator(".lines .wide")
    assert wide.evaluate("one => one.scrollWidth > one.clientWidth")
    drawn = wide.evaluate("one => [getComputedStyle(one).backgroundAttachment, getComputedStyle(one).backgroundImage]")
    ground = wide.evaluate("one => getComputedStyle(one.closest('.panel')).backgroundColor")
    assert drawn[0] == "local, local, scroll, scroll"  # what hides an edge moves with the table, the edge stays
    assert drawn[1].count(ground) == 2, (ground, drawn[1])
    expect(wide).to_have_accessible_name(page.locator("h1").inner_text())
    wide.focus()
    page.keyboard.press("ArrowRight")
    expect(wide).not_to_have_js_property("scrollLeft", 0)
    wide.evaluate("one => { one.scrollTo(0, 0); one.blur(); }")


def on_paper(page: Page, kind: str) -> list[str]:
    """Across the page, nothing to tap, no column beyond the edge, and who printed it."""
    drawn_at(page, 1024, 700)  # A4 landscape between its margins
    page.emulate_media(media="print")
    expect(page.locator(".printed")).to_be_visible()
    for gone in (".bar", ".button", ".filters"):
        assert page.locator(gone).filter(visible=True).count() == 0, gone
    assert page.evaluate("document.documentElement.scrollWidth") <= 1024
    wrong = wrong_on_paper(page, f"report_{kind}")
    keep(page, f"print_{kind}", str(page.locator("html").get_attribute("lang")))
    page.emulate_media(media="screen")
    return wrong


@pytest.mark.parametrize("language", LOOKED_AT)
def test_reports_in_every_state(new_floor_page: NewPage, language: str, settings, tmp_path) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    house = ReportHouse()
    look = Looker(page, language)
    be(page, house.auditor)
    page.goto("/audit/reports/")
    expect(page.locator(".kinds li")).to_have_count(len(KINDS))
    look.at("report_list")
    for kind in ("hits", "parameters", "jackpot-statement"):
        page.goto(house.address(kind))
        expect(page.locator("tbody tr").first).to_be_visible()
        look.at(f"report_{kind}", axe=kind == "hits")
        look.wrong += on_paper(page, kind)
    drawn_at(page, 1024, 768)
    page.goto(house.address("hits"))
    shows_that_more_is_there(page)
    page.goto("/audit/reports/corrections/?from=2020-01-01&to=2020-01-02")
    look.at("report_empty", axe=False)
    page.goto("/audit/reports/results/?from=2020-01-02&to=2020-01-01")
    expect(page.get_by_role("alert")).to_be_visible()
    look.at("report_refused")
    run = ReportRun.objects.create(
        house=house.house,
        kind="results",
        asked={"from": house.day.isoformat(), "to": house.day.isoformat(), "by": "day"},
        form="pdf",
        language=language,
        key=f"{language}",
        state="running",
        asked_by=house.auditor,
        lines=4_000,
        expected=9_000,
    )
    page.goto(f"/audit/reports/runs/{run.pk}/")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "44")
    look.at("report_running")
    # What the page shows comes without a reload when the worker is done.
    ReportRun.objects.filter(pk=run.pk).update(
        state="done", ended_at=run.asked_at + timedelta(seconds=9), sha256="5e" * 32, file_name="x.pdf"
    )
    expect(page.locator("#run a[download]")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    look.at("report_ready", axe=False)
    ReportRun.objects.filter(pk=run.pk).update(state="failed", failed=runs.INTERRUPTED)
    page.reload()
    look.at("report_interrupted", axe=False)
    assert look.wrong == []


def test_filters_files_and_links_do_what_they_say(new_floor_page: NewPage) -> None:
    """By the keyboard alone: a filter is chosen, the report shown, a file taken, a round opened."""
    page = new_floor_page(language="en", allowed=REFUSED)
    house = ReportHouse()
    be(page, house.auditor)
    page.goto("/audit/reports/")
    page.get_by_role("link", name="Table results").focus()
    page.keyboard.press("Enter")
    page.locator("#from").fill(f"{house.day:%d.%m.%Y}")
    page.locator("#to").fill(f"{house.day:%d.%m.%Y}")
    page.locator("#table").select_option(label="UTH 2")
    page.locator("#by").select_option("hour")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**table={house.tables[1].pk}**")
    expect(page.locator("tbody tr")).not_to_have_count(0)
    sha = page.locator(".exact dd").first.inner_text()
    for link, ending in (
        ("PDF", "pdf"),
        ("XLSX", "xlsx"),
        ("CSV for Excel", "excel.csv"),
        ("CSV for programs", "csv"),
        ("JSON", "json"),
    ):
        with page.expect_download() as taken:
            page.get_by_role("link", name=link, exact=True).click()
        name = taken.value.suggested_filename
        assert (name.startswith(f"results_{house.day}_"), name.endswith(f"_{sha}.{ending}")) == (True, ending == "csv")
        assert name.endswith(f".{ending}")
    page.goto(house.address("hits"))
    first = page.locator("td.id a").first
    round_id = UUID(first.get_attribute("title"))
    first.click()
    page.wait_for_url(f"**/audit/rounds/{round_id}/")
    page.goto(house.address("hits"))
    page.locator(".verdict").get_by_role("link", name="Verify now").click()
    page.wait_for_url("**/audit/verify/")
