"""A table is changed in a browser: asked for on its set-up page, signed by two others, in force when it is closed; how it looks."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from payouts.models import Approval
from tables import services
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_everywhere import look
from tests.browser.people import LOOKED_AT, be, somebody
from tests.casino.people import people
from tests.floor import done

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def press(page: Page, place: str) -> None:
    with page.expect_navigation():
        page.locator(place).click()


@pytest.mark.parametrize("language", LOOKED_AT)
def test_a_change_is_asked_for_and_signed(new_floor_page: Callable[..., Page], language: str) -> None:
    floor = FloorHouse()
    auditor = somebody(floor.house, "auditor")
    floor.open()
    page = new_floor_page(language=language, allowed="status of 4", reduced_motion="reduce")
    faults = []
    be(page, floor.tech)
    page.goto("/floor/set-up/")
    press(page, f"a[href='/floor/set-up/tables/{floor.other.pk}/']")
    faults += look(page, "table_never_opened", language)
    page.locator("#change-retired").select_option("1")
    press(page, "form.lines button.act")
    faults += look(page, "table_retired", language)
    page.goto(f"/floor/set-up/tables/{floor.table.pk}/")
    page.locator("#request-reason").fill("Umbau im Saal, weniger Platz")
    press(page, "form.lines button.act")
    expect(page.get_by_role("alert")).to_be_visible()  # nothing was changed
    expect(page.locator("#request-reason")).to_have_value("Umbau im Saal, weniger Platz")
    faults += look(page, "table_change_refused", language)
    page.locator("#request-name").fill("Ultimate Texas Hold’em am Eingang")
    page.locator("#request-boxes").fill("5")
    press(page, "form.lines button.act")
    approval = Approval.objects.get(house=floor.house, action="table.change", state="open")
    faults += look(page, "table_change_asked", language)
    page.goto("/floor/set-up/")
    page.locator("main details.unchanged > summary").click()
    faults += look(page, "set_up_of_changed_tables", language)
    page.goto(f"/floor/set-up/tables/{floor.table.pk}/")
    faults += look(page, "table_change_waits", language)
    for person in (floor.manager, auditor):
        be(page, person)
        for width, height in ((1280, 800), (800, 1280)):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"/tables/asked/{approval.pk}/")
            expect(page.locator(".differences")).to_be_in_viewport(ratio=1)
            expect(page.locator("form.step button.act")).to_be_in_viewport(ratio=1)
        faults += look(page, "table_change_to_sign", language)
        page.locator("#sign-secret").fill(people.code(person))
        press(page, "form.step button.act")
    be(page, floor.tech)
    page.goto(f"/floor/set-up/tables/{floor.table.pk}/")
    expect(page.locator(".differences li")).to_have_count(2)
    faults += look(page, "table_changes_later", language)
    done(services.table_close, house_id=floor.house.pk, table_id=floor.table.pk, actor_id=floor.boss.pk)
    page.reload()
    expect(page.locator("h1")).to_have_text("Ultimate Texas Hold’em am Eingang")
    faults += look(page, "table_changed", language)
    assert faults == []
