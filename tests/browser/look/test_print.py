"""What is printed of pages whose own tests print nothing: the floor, a table, a start page, posted tables, devices."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.look.test_floor import busy_floor
from tests.browser.look.test_pit import Looker, come, decorated
from tests.browser.people import LOOKED_AT, be, somebody
from tests.browser.posted import posted

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.mark.parametrize("language", LOOKED_AT)
def test_print_of_floor_and_office(new_floor_page: Callable[..., Page], language: str) -> None:
    page = new_floor_page(language=language, reduced_motion="reduce")
    look = Looker(page, language)
    floor = decorated(busy_floor())
    versions = posted(floor.house)
    be(page, floor.boss)
    for name, path in {
        "busy_board": "/pit/",
        "floor": "/floor/",
        "table": f"/floor/tables/{floor.table.pk}/",
        "home": "/home/pit_boss/",
        "devices": "/devices/",
    }.items():
        come(page, path)
        look.printed(name)
    be(page, somebody(floor.house, "auditor"))
    for name, path in {
        "posted": "/posted-tables/",
        "posted_version": f"/posted-tables/{versions['requested'].pk}/",
        "posted_draft": f"/posted-tables/{versions['draft'].pk}/",
        "posted_compare": f"/posted-tables/{versions['requested'].pk}/compare/{versions['first'].pk}/",
    }.items():
        come(page, path)
        look.printed(name)
    assert look.wrong == []


PLANTED = {
    "cut off": "<div style='width:40px;overflow:hidden;white-space:nowrap'>Donaudampfschifffahrt</div>",
    "too faint": "<p style='color:#aaa'>kaum zu lesen</p>",
    "empty frame": "<section class='notice'></section>",
    "broken word": "<table style='width:40px;table-layout:fixed'><tr><td style='overflow-wrap:anywhere'>"
    "unterschreiben</td></tr></table>",
    "tfoot": "<table><tfoot style='display:table-footer-group'><tr><td>Total</td></tr></tfoot></table>",
    "sheet": "<div style='break-before:page;height:90mm'></div>",
}


def test_planted_fault_is_found_on_paper(new_floor_page: Callable[..., Page]) -> None:
    """The control: each thing that is looked for on paper is found where it is."""
    page = new_floor_page(bypass_csp=True)
    look = Looker(page, "de")
    floor = busy_floor()
    be(page, floor.boss)
    for name, markup in PLANTED.items():
        come(page, f"/floor/tables/{floor.table.pk}/")
        look.printed("before")
        assert look.wrong == []
        page.locator(".floor").evaluate("(main, markup) => main.insertAdjacentHTML('beforeend', markup)", markup)
        look.printed(name)
        assert look.wrong, name
        look.wrong.clear()
    expect(page.locator(".printed")).to_be_hidden()
