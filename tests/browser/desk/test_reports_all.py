"""Each report through its page: opened, filtered, taken home; axe in four languages; too many lines; by keyboard; on paper."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from casino.audit.models import ReportRun
from casino.audit.reports.kinds import KINDS
from payouts.models import Event
from tests.browser.look.test_everywhere import CUT_OFF, drawn_at, faults, keep
from tests.browser.look.test_pit import come
from tests.browser.look.test_reports import REFUSED, ReportHouse
from tests.browser.people import LOOKED_AT, WORDS, be, somebody

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
NewPage = Callable[..., Page]
FOCUSED = """() => {
    const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
    return {body: e === document.body, outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        seen: box.bottom > 0 && box.top < innerHeight && box.width > 0, html: e.outerHTML.slice(0, 120)};
}"""


def taken(page: Page, name: str) -> tuple[str, bytes]:
    """The name and content of the file behind this link."""
    with page.expect_download() as download:
        page.get_by_role("link", name=name, exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def filtered(page: Page, house: ReportHouse) -> dict[str, str]:
    """The filters of the page filled in: the day, and of each list the first that is somebody or something."""
    page.locator("#from").fill(house.day.isoformat())
    page.locator("#to").fill(house.day.isoformat())
    chosen = {}
    for field in page.locator("form.filters select").all():
        options = [option.get_attribute("value") for option in field.locator("option").all()]
        chosen[str(field.get_attribute("name"))] = next((one for one in options if one), "")
        field.select_option(chosen[str(field.get_attribute("name"))])
    if page.locator("#least").count():
        page.locator("#least").fill("0")
    return chosen


def test_each_report_is_opened_filtered_and_taken_home_by_its_page(new_floor_page: NewPage) -> None:
    page, house = new_floor_page(language="en"), ReportHouse()
    be(page, house.auditor)
    for code, kind in KINDS.items():
        page.goto("/audit/reports/")
        page.locator("#main").get_by_role("link", name=kind.title, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(kind.title)
        page.goto(house.address(code, **({"least": "0"} if "least" in kind.takes else {})))
        whole = page.locator("#lines").inner_text()
        chosen = filtered(page, house)
        assert set(chosen) == kind.takes - {"least"}, code
        with page.expect_navigation():
            page.get_by_role("button", name="Show", exact=True).click()
        for name, value in chosen.items():
            expect(page.locator(f"#{name}")).to_have_value(value)
        sha, title = page.locator(".lines").locator("xpath=..").locator(".exact dd").first.inner_text(), page.title()
        assert kind.title in title
        _, content = taken(page, "JSON")
        told = json.loads(content)
        lines = page.locator("tbody tr").count()
        if code != "looks":  # each look makes it longer
            assert (told["sha256"], min(told["lines"], 100)) == (sha, lines), (code, whole)
        _, paper = taken(page, "PDF")
        assert len(PdfReader(io.BytesIO(paper)).pages) >= 1
        name, content = taken(page, "CSV for programs")
        assert code == "looks" or name.endswith(f"_{sha}.csv"), name
        assert next(csv.reader(io.StringIO(content.decode()))) == [column.code for column in kind.columns]
        for link, start in (("XLSX", b"PK"), ("CSV for Excel", b"\xef\xbb\xbf")):
            assert taken(page, link)[1].startswith(start), (code, link)


def test_axe_finds_nothing_on_any_page_of_desk_and_reports_in_four_languages(new_floor_page: NewPage) -> None:
    house = ReportHouse()
    hit = house.jackpot.hits.get()
    run = ReportRun(house=house.house, kind="results", form="pdf", language="de", asked_by=house.auditor)
    run.asked = {"from": house.day.isoformat(), "to": house.day.isoformat(), "by": "day"}
    run.key, run.state, run.lines, run.expected = f"axe {house.house.pk}"[:64], "running", 4_000, 9_000
    run.save()
    paths = ["", "?q=UTH+1", "?q=nothing+at+all", "?from=2026-03-02&to=2026-03-01", f"hits/{hit.pk}/"]
    paths += [f"rounds/{hit.claims.first().round_id}/", f"transfers/{hit.awards.first().transfer_id}/"]
    paths += [f"people/{house.reto.pk}/", f"posted/{house.now().epoch.funding_id}/", "verify/"]
    paths += ["calculator/?seed=20000&meter=1.50", "reports/", f"reports/runs/{run.pk}/"]
    paths += ["reports/results/?from=2026-01-02&to=2026-01-01", "reports/slips/?from=2020-01-01&to=2020-01-02"]
    paths += [house.address(code).removeprefix("/audit/") for code in KINDS]
    wrong = []
    for language in WORDS:
        page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
        be(page, house.auditor)
        for path in paths:
            come(page, f"/audit/{path}")
            assert page.locator("html").get_attribute("lang") == language
            wrong += [f"{language} {path}: {text}" for text in faults(page)]
        page.context.close()
    assert wrong == []


def test_more_lines_than_paper_or_screen_hold_are_said_and_shown_the_way(new_floor_page: NewPage) -> None:
    page, house = new_floor_page(language="en", allowed=REFUSED), ReportHouse()
    very = somebody(house.house, "auditor")
    looked = ((house.auditor.pk, 2_100), (very.pk, 3_100))
    rows = [(person, number) for person, count in looked for number in range(count)]
    values = {"name": "audit.round", "house_id": house.house.pk, "subject_kind": "round", "after": {}}
    Event.objects.bulk_create(
        (Event(**values, actor_id=person, subject_id=str(number)) for person, number in rows), batch_size=2_000
    )
    be(page, house.auditor)
    page.goto(house.address("looks", person=str(house.auditor.pk)))
    expect(page.locator("#lines")).to_contain_text("Lines 1 to 100 of 2100")
    page.get_by_role("link", name="Next page").click()
    expect(page.locator("#lines")).to_contain_text("Lines 101 to 200 of")
    _, paper = taken(page, "PDF")
    text = " ".join(one.extract_text() for one in PdfReader(io.BytesIO(paper)).pages)
    assert "The others stand in XLSX and CSV." in " ".join(text.split())
    assert taken(page, "CSV for programs")[1].count(b"\n") > 2_100
    # printed by the browser: the head of the table stands on each page of it
    printed = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    assert len(printed) > 2
    title = " ".join(page.locator("thead th").first.inner_text().split())
    assert sum(title in " ".join(one.extract_text().split()) for one in printed) >= len(printed) - 1
    page.goto(house.address("looks"))
    expect(page.get_by_role("alert")).to_contain_text("too long to wait for")
    page.get_by_role("button", name="CSV for programs", exact=True).click()
    page.wait_for_url("**/audit/reports/runs/**")
    expect(page.locator("#run")).to_contain_text("Waits for a worker")
    assert ReportRun.objects.filter(house=house.house, kind="looks", form="csv").count() == 1


def tabbed_to(page: Page, wanted: Locator) -> None:
    """Go on by the Tab key until it is there; wherever the focus stops, it is to be seen."""
    expect(wanted).to_be_visible()
    for _step in range(120):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        assert at["body"] or (at["outlined"] and at["seen"]), at["html"]
        if wanted.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError(f"the Tab key does not come to {wanted}")


def test_by_keyboard_alone_from_the_sign_in_to_the_file(new_floor_page: NewPage) -> None:
    page, house = new_floor_page(language="en", reduced_motion="reduce"), ReportHouse()

    page.goto("/sign-in/")
    page.wait_for_load_state()
    fill_by_keys(page, house)
    tabbed_to(page, page.locator("#q"))
    page.keyboard.type("UTH 1 1")
    page.keyboard.press("Enter")
    expect(page.locator(".chips")).to_contain_text("Table: UTH 1")
    follow(page, page.locator("[data-kind=rounds]").get_by_role("link", name="UTH 1, round 1"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("UTH 1, round 1")
    follow(page, page.get_by_role("link", name="To hit 1"))
    follow(page, page.locator(".tabs").get_by_role("link", name="Reports", exact=True))
    follow(page, page.get_by_role("link", name="Jackpot statement", exact=True))
    tabbed_to(page, page.get_by_role("button", name="Show", exact=True))
    with page.expect_navigation():
        page.keyboard.press("Enter")
    sha = page.locator(".exact dd").first.inner_text()
    tabbed_to(page, page.get_by_role("link", name="CSV for programs", exact=True))
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(f"_{sha}.csv")


def follow(page: Page, link: Locator) -> None:
    page.wait_for_load_state()
    tabbed_to(page, link)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def fill_by_keys(page: Page, house: ReportHouse) -> None:
    """Name, password and code, each where the Tab key comes to it."""
    from tests.casino.people import people

    for name, text in (
        ("username", house.auditor.username),
        ("password", people.PASSWORD),
        ("code", people.code(house.auditor)),
    ):
        field = page.locator(f"[name={name}]")
        if not field.evaluate("e => e === document.activeElement"):
            tabbed_to(page, field)
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.wait_for_url("**/audit/")
    page.wait_for_load_state()


@pytest.mark.parametrize("language", LOOKED_AT)
def test_round_hit_and_reports_on_paper_are_whole(new_floor_page: NewPage, language: str) -> None:
    """Nothing is cut off at the edge of the sheet, nothing to tap is on it, who printed it stands there."""
    page, house = new_floor_page(language=language, reduced_motion="reduce"), ReportHouse()
    be(page, house.auditor)
    hit = house.jackpot.hits.get()
    paths = {"round": f"/audit/rounds/{hit.claims.first().round_id}/", "hit": f"/audit/hits/{hit.pk}/"}
    paths |= {code: house.address(code) for code in KINDS}
    wrong = []
    for name, path in paths.items():
        come(page, path)
        width = 1024 if name in KINDS else 760  # A4 across or upright, between its margins
        drawn_at(page, width, 700)
        page.emulate_media(media="print")
        expect(page.locator(".printed")).to_be_visible()
        wrong += [f"{name}: {gone}" for gone in (".bar", ".button", ".tabs", ".filters") if seen(page, gone)]
        wrong += [f"{name}: {text}" for text in page.evaluate(CUT_OFF)]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append(f"{name}: wider than the sheet")
        keep(page, f"paper_{name}", language)
        paper = PdfReader(
            io.BytesIO(page.pdf(prefer_css_page_size=True))
        ).pages  # it prints as it looks, by print's rules
        page.emulate_media(media="screen")
        if not all(one.extract_text().strip() for one in paper):
            wrong.append(f"{name}: an empty page")
    assert wrong == []


def seen(page: Page, what: str) -> bool:
    return page.locator(what).filter(visible=True).count() > 0
