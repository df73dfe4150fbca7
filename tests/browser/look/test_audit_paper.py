"""The verify page in each of its states, and every page of every report's PDF as a picture: nothing runs over the edge."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db.models.functions import Now
from django.utils import translation
from playwright.sync_api import Page, expect

from casino.audit.reports import filters
from casino.audit.reports.files.pdf import as_pictures
from casino.audit.reports.gather import gathered
from casino.audit.reports.head import head_of
from casino.audit.reports.kinds import KINDS
from casino.audit.runs import LOCK
from casino.database import plain_connection
from casino.ops.models import VerifyRun
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_everywhere import SHOTS
from tests.browser.look.test_pit import Looker, come
from tests.browser.look.test_reports import ReportHouse
from tests.browser.people import LOOKED_AT, be, somebody

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
NewPage = Callable[..., Page]
# How much is drawn in the margins (13 mm at the sides; 6 mm at head and foot, where the lines of the page stand) and between them.
DRAWN = """async picture => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const {width, height} = image, canvas = new OffscreenCanvas(width, height), drawn = {margin: 0, inside: 0, width, height};
    const paint = canvas.getContext("2d");
    paint.drawImage(image, 0, 0);
    const dots = paint.getImageData(0, 0, width, height).data, mm = width / 297;
    for (let y = 0, at = 0; y < height; y += 1) for (let x = 0; x < width; x += 1, at += 4) {
        if (dots[at + 3] === 0 || dots[at] + dots[at + 1] + dots[at + 2] > 720) continue;
        const out = x < 12 * mm || x > width - 12 * mm || y < 6 * mm || y > height - 6 * mm;
        drawn[out ? "margin" : "inside"] += 1;
    }
    return drawn;
}"""


@pytest.mark.parametrize("language", LOOKED_AT)
def test_each_page_of_each_report_on_paper_stays_within_its_margins(new_floor_page: NewPage, language: str) -> None:
    page, house = new_floor_page(language=language), ReportHouse()
    page.goto("about:blank")
    wrong = []
    for code, kind in KINDS.items():
        asked = {"from": house.day.isoformat(), "to": house.day.isoformat()}
        asked |= {"least": "0"} if "least" in kind.takes else {}
        query = filters.query_of(kind, house.house, asked, house.day)
        with translation.override(language), gathered(kind, query) as found:
            pictures = as_pictures(found, head_of(found, house.house, "Vera Caminada-Oberhollenzer"))
        for number, picture in enumerate(pictures, 1):
            drawn = page.evaluate(DRAWN, base64.b64encode(picture).decode())
            if drawn["margin"] or drawn["inside"] < 2_000 or drawn["width"] < drawn["height"]:
                wrong.append(f"{code}, page {number}: {drawn}")
            if SHOTS:
                (Path(SHOTS) / f"pdf_{code}_{number}_{language}.png").write_bytes(picture)
    assert wrong == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_verify_page_in_every_state(new_floor_page: NewPage, language: str) -> None:
    """Waiting, running with its progress, passed, with findings by name, broken off.

    However long the looks take: somebody carries the run out all the while, so that it is not lost, and no page is open that would
    go to the findings by itself when they come.
    """
    page, floor = new_floor_page(language=language, reduced_motion="reduce"), FloorHouse()
    look, auditor = Looker(page, language), somebody(floor.house, "auditor")
    VerifyRun.objects.filter(state="waiting").update(state="running", begun_at=Now(), told_at=Now())
    VerifyRun.objects.filter(state="running").update(state="failed", ended_at=Now(), failed="another test's")
    be(page, auditor)

    def stands(run: VerifyRun, name: str, **values: object) -> None:
        page.goto("about:blank")
        VerifyRun.objects.filter(pk=run.pk).update(**values)
        come(page, "/audit/verify/")
        look.at(f"verify_{name}")

    with plain_connection("-c idle_session_timeout=0") as worker:
        worker.execute(f"SELECT pg_advisory_lock({LOCK})")
        run = VerifyRun.objects.create(asked_by=auditor)
        stands(run, "waiting")
        expect(page.get_by_role("progressbar")).to_have_attribute("value", "0")
        stands(run, "running", state="running", begun_at=Now(), told_at=Now(), done=3, jobs=12)
        expect(page.get_by_role("progressbar")).to_have_attribute("value", "25")
        check = {"name": "rows_are_as_they_were_sealed", "count": 0, "looked_at": 812, "breaches": [], "ok": True}
        stands(run, "passed", state="done", ended_at=Now(), ok=True, seal=7, checks=[check])
        expect(page.locator(".findings .notice.ok")).to_be_visible()
        run = VerifyRun.objects.create(asked_by=auditor)
        VerifyRun.objects.filter(pk=run.pk).update(state="running", begun_at=Now(), told_at=Now())
        rows = [{"table": "tables_roundline", "key": "999999", "seal": 5, "what": "missing"}]
        found = check | {"count": 1, "breaches": rows, "ok": False}
        stands(run, "found", state="done", ended_at=Now(), ok=False, seal=7, checks=[found])
        expect(page.locator(".rows-found")).to_contain_text("tables_roundline 999999")
        expect(page.locator(".findings .notice.alarm")).to_be_visible()
        run = VerifyRun.objects.create(asked_by=auditor)
        VerifyRun.objects.filter(pk=run.pk).update(state="running", begun_at=Now(), told_at=Now())
        stands(run, "broken_off", state="failed", ended_at=Now(), failed="the heads cannot be read")
        expect(page.locator(".findings pre")).to_have_text("the heads cannot be read")
    assert look.wrong == []
