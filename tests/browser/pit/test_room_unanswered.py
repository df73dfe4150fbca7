"""An act of the control room whose answer is lost or broken: it is said beside it, what was typed stays, again is done once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from payouts.models import Approval, Event
from tests.browser.hit_house import HitHouse
from tests.browser.pit_page import room

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]
UNKNOWN = "Ob es ausgeführt wurde, ist nicht bekannt"
NOISE = "status of 5|status of 40|ERR_|net::"


def unheard(how: str) -> Callable[[Route], None]:
    """The act is carried out, and its answer does not come: the line is cut behind it, or something before the server breaks."""

    def answer(route: Route) -> None:
        assert route.fetch().status == 200
        if how == "cut":
            route.abort("connectionreset")
        else:
            route.fulfill(status=502, body="<html><body><h1>Bad gateway</h1></body></html>")

    return answer


@pytest.mark.parametrize("how", ["cut", "broken"])
def test_act_without_an_answer_is_said_and_done_once(new_floor_page: NewPage, how: str) -> None:
    """A display that died is to be taken out: the request was made, nobody heard of it, and it is sent again."""
    house = HitHouse(displays=2)
    page = new_floor_page(width=1440, height=900, allowed=NOISE)
    room(page, house, "boss")
    panel = page.locator("#room-displays")
    panel.locator("summary", has_text="Display 1").click()
    form = panel.locator("li", has_text="Display 1").locator("form")
    reason = form.get_by_label("Grund")
    reason.fill("Bildschirm schwarz")
    address = f"**{form.get_attribute('action')}"
    page.route(address, unheard(how))
    form.get_by_role("button").click()
    told = form.get_by_role("alert")
    expect(told).to_be_focused()
    expect(told).to_contain_text(UNKNOWN)
    assert Approval.objects.filter(house=house.house).count() == 1
    expect(page.locator("[data-held]")).to_be_visible()  # it was done, and is not shown over what he typed
    reads = page.locator("[data-room]").get_attribute("data-room") or "?"
    for _ in range(2):  # the page has read itself again meanwhile
        with page.expect_response(lambda answer: answer.url.endswith(reads)):
            pass
    expect(told).to_contain_text(UNKNOWN)
    expect(reason).to_have_value("Bildschirm schwarz")
    page.unroute(address)
    form.get_by_role("button").click()
    expect(page.locator("#room-said")).to_contain_text("Beantragt")
    expect(page.locator(".waits")).to_contain_text("Bildschirm schwarz")
    expect(page.get_by_role("alert").filter(has_text=UNKNOWN)).to_have_count(0)
    assert Approval.objects.filter(house=house.house).count() == 1


def test_act_without_a_word_to_type_keeps_its_key(new_floor_page: NewPage) -> None:
    """What has no field is held with its key too, until it is answered or somebody wants to see what is."""
    house = HitHouse(displays=1)
    page = new_floor_page(width=1440, height=900, allowed=NOISE)
    room(page, house, "manager")
    page.locator("details", has=page.locator("form[action$='/close/']")).locator("summary").click()
    page.locator("form[action$='/close/']").get_by_label("Grund").fill("Ende des Turniers")
    page.keyboard.press("Enter")
    expect(page.locator("#room-head .word")).to_contain_text("Geschlossen")
    form = page.locator("form[action$='/reopen/']")
    form.get_by_role("button").focus()  # from now on nothing is put in its place
    key = form.locator("[name=key]").input_value()
    page.route("**/reopen/", unheard("cut"))
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text(UNKNOWN)
    page.locator("h1").click()
    expect(page.locator("#room-head .word")).to_contain_text("Neuer Stand ist anzuzeigen")
    expect(page.locator("[data-held]")).to_be_visible()
    assert form.locator("[name=key]").input_value() == key
    page.locator("[data-show-news]").click()
    expect(form).to_have_count(0)
    assert Event.objects.filter(house=house.house, name="jackpot.showing", actor=house.manager).count() == 1


def test_answer_that_takes_too_long_is_given_up(new_floor_page: NewPage) -> None:
    house = HitHouse(displays=2)
    page = new_floor_page(width=1440, height=900, allowed=NOISE)
    room(page, house, "boss")
    floor = page.locator(".room")
    assert floor.get_attribute("data-answer-ms") == "10000"
    floor.evaluate("room => { room.dataset.answerMs = 300; }")
    page.locator("#room-displays summary", has_text="Display 1").click()
    form = page.locator("#room-displays li", has_text="Display 1").locator("form")
    form.get_by_label("Grund").fill("Bildschirm schwarz")
    hung: list[Route] = []
    page.route(f"**{form.get_attribute('action')}", lambda route: hung.extend([route]))
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text(UNKNOWN)
    expect(form.get_by_role("button")).to_be_enabled()
    for route in hung:  # none, where the page had given it up before it was seen here
        route.abort()


def test_act_that_is_turned_away_is_said_where_it_was_tried(new_floor_page: NewPage) -> None:
    """An answer that is a page of its own, without a refusal for this form: it was not done, and nothing typed is lost."""
    house = HitHouse(displays=2)
    page = new_floor_page(width=1440, height=900, allowed=NOISE)
    room(page, house, "boss")
    page.locator("#room-displays summary", has_text="Display 1").click()
    form = page.locator("#room-displays li", has_text="Display 1").locator("form")
    form.get_by_label("Grund").fill("Bildschirm schwarz")
    token = form.locator("[name=csrfmiddlewaretoken]")
    old = token.input_value()
    token.evaluate("field => { field.value = 'x'; }")
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text("Das wurde nicht ausgeführt. Sehen Sie es noch einmal an.")
    expect(form.get_by_label("Grund")).to_have_value("Bildschirm schwarz")
    token.evaluate("(field, old) => { field.value = old; }", old)
    form.get_by_role("button").click()
    expect(page.locator("#room-said")).to_contain_text("Beantragt")
    assert Approval.objects.filter(house=house.house).count() == 1
