"""The control room in a browser: a payment that was turned down, a display that dies while bets are open, the course as it runs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.devices.services import device_code_make, device_enrol
from jackpot.models import Hit, RequiredDisplay
from tests.browser.hit_house import HitHouse
from tests.browser.pit_page import room
from tests.casino.people import people
from tests.jackpot.linked import dull, royal

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]


def test_hit_from_the_claim_to_the_reopening(new_floor_page: NewPage) -> None:
    house = HitHouse(displays=2)
    first, second = house.running()
    page = new_floor_page(width=1440, height=900, allowed="status of 4(03|22)")
    room(page, house, "boss")
    expect(page.get_by_text("Es gab noch keinen Treffer.")).to_be_visible()
    house.end(0, first, royal())
    expect(page.locator("#step-drained")).to_have_attribute("aria-current", "step")
    expect(page.locator("#step-drained")).to_contain_text("läuft")
    expect(page.locator("[data-held]")).to_be_hidden()
    expect(page.locator("a[href='#step-drained']")).to_be_visible()
    house.end(1, second, dull())
    house.advance()
    claim = page.locator("#step-verified .claim")
    for name in ("cards_seen", "deck_counted", "camera_time"):
        claim.locator(f"[name={name}]").fill("gesehen 22:14")
    claim.get_by_role("button", name="Gewinnmeldung bestätigen").click()
    expect(page.locator("#room-said")).to_contain_text("bestätigt")
    expect(page.locator("#room-said .ok")).to_have_count(0, timeout=10_000)  # it is said for a while
    house.advance()
    expect(page.locator("#step-split")).to_contain_text("Fassung 1")
    signing = page.locator("#step-approved form[action$='/sign/']")
    signing.locator("[name=secret]").fill("000000")
    signing.get_by_role("button", name="Unterschreiben").click()
    expect(signing.get_by_role("alert")).to_be_focused()
    signing.locator("[name=secret]").fill(people.code(house.boss))
    signing.get_by_role("button", name="Unterschreiben").click()
    expect(page.locator("#step-approved")).to_contain_text("Sie haben unterschrieben")
    house.sign(house.asked(), house.bea)
    house.advance()
    expect(page.locator("#step-paid")).to_contain_text("Beleg 1")
    gate = page.locator("#step-gated")
    expect(gate).to_have_attribute("aria-current", "step")
    gate.locator("summary").last.click()
    gate.locator("[name=reason]").last.fill("Bildschirm schwarz")
    house.confirm(house.displays[0])  # while somebody types: what he sees is not as it is, and he is told so
    held = page.locator("[data-held]")
    expect(held).to_contain_text("Es gibt Neues")
    expect(gate).not_to_contain_text("zeigt den Stand · ")
    held.get_by_role("button").click()
    expect(gate).to_contain_text("zeigt den Stand · ")
    expect(held).to_be_hidden()
    gate.locator("[name=reason]").last.fill("Bildschirm schwarz")
    gate.locator("form button").last.click()
    expect(page.locator(".waits")).to_contain_text("Bildschirm schwarz")
    house.confirm_all()
    expect(page.locator("#step-reopened time")).to_be_visible()
    expect(page.locator("#room-history")).to_contain_text("Zugesprochen, auszuzahlen: 1 Beleg")
    expect(page.locator(".chart canvas")).to_be_visible()
    page.locator("#room-history a").first.click()
    expect(page.locator("#step-paid")).to_contain_text("Beleg 1")


def test_payment_that_was_turned_down_is_brought_on_from_the_room(new_floor_page: NewPage) -> None:
    house = HitHouse()
    house.hit(winners=1)
    house.verify_all()
    page = new_floor_page(width=1440, height=900)
    room(page, house, "boss")
    asked = page.locator("#step-approved")
    asked.locator("summary", has_text="ablehnen").click()
    asked.get_by_label("Grund").fill("die Kamera zeigt einen Buben")
    asked.locator("form[action$='/turn-down/'] [name=secret]").fill(people.code(house.boss))
    asked.get_by_role("button", name="Ablehnen", exact=True).click()
    waits = page.locator(".waits-for")
    expect(waits).to_contain_text("Laura Bernasconi hat die Auszahlung abgelehnt: die Kamera zeigt einen Buben.")
    expect(waits).to_contain_text("Prüfen Sie eine Gewinnmeldung nochmals")
    expect(asked).to_have_attribute("aria-current", "step")
    expect(asked).to_contain_text("abgelehnt Laura Bernasconi")
    page.get_by_role("link", name="Zum laufenden Schritt").click()
    page.wait_for_url("**/#step-approved")
    claim = page.locator("#claim-1")
    claim.locator("summary", has_text="Noch einmal prüfen").click()
    claim.get_by_role("button", name="Gewinnmeldung bestätigen").click()
    expect(page.locator("#room-said")).to_contain_text("Gewinnmeldung bestätigt.")
    house.advance()
    expect(asked).to_contain_text("0 von 2 Unterschriften")
    expect(waits).not_to_contain_text("hat die Auszahlung abgelehnt")


def test_display_that_dies_while_bets_are_open_is_taken_out_by_two(new_floor_page: NewPage) -> None:
    house = HitHouse(displays=2)
    house.heard(house.displays[1])
    page = new_floor_page(width=1440, height=900, allowed="status of 4(00|22)")
    room(page, house, "boss")
    panel = page.locator("#room-displays")
    expect(panel.locator("li", has_text="Display 1")).to_contain_text("noch nicht gestartet")
    panel.locator("summary", has_text="Display 1").click()
    panel.locator("li", has_text="Display 1").get_by_label("Grund").fill("zu")
    panel.get_by_role("button", name="Antrag").first.click()
    expect(panel.get_by_role("alert")).to_be_focused()
    panel.locator("li", has_text="Display 1").get_by_label("Grund").fill("Bildschirm schwarz")
    page.keyboard.press("Enter")
    expect(page.locator(".waits")).to_contain_text("Bildschirm schwarz")
    expect(panel.locator("summary", has_text="Display 1")).to_have_count(0)
    second = new_floor_page(width=1440, height=900)
    room(second, house, "second")
    second.locator(".waits form[action$='/sign/'] [name=secret]").fill(people.code(house.second))
    second.keyboard.press("Enter")
    for one in (page, second):
        expect(one.locator("#room-displays li")).to_have_count(1)
    assert list(RequiredDisplay.objects.filter(jackpot=house.jackpot, ended_at=None).values_list("name")) == [
        ("Display 2",)
    ]
    assert house.now().phase == "open"


def test_spare_display_is_added_by_two(new_floor_page: NewPage) -> None:
    house = HitHouse(displays=1)
    _, code = device_code_make(kind="display", place_id=house.jackpot.pk, name="Foyer", by=house.tim)
    device_enrol(kind="display", code=code)
    page = new_floor_page(width=1440, height=900)
    room(page, house, "boss")
    panel = page.locator("#room-displays")
    panel.get_by_label("Weitere").select_option(label="Foyer")
    panel.get_by_role("button", name="Antrag").last.click()
    expect(page.locator(".waits")).to_contain_text("Foyer")
    expect(panel.get_by_label("Weitere")).to_have_count(0)  # asked for once
    second = new_floor_page(width=1440, height=900)
    room(second, house, "second")
    second.locator(".waits form[action$='/sign/'] [name=secret]").fill(people.code(house.second))
    second.keyboard.press("Enter")
    for one in (page, second):
        expect(one.locator("#room-displays li")).to_have_count(2)
    assert set(RequiredDisplay.objects.filter(jackpot=house.jackpot, ended_at=None).values_list("name", flat=True)) == {
        "Display 1",
        "Foyer",
    }


def test_course_follows_the_meter_and_the_epoch_and_greys_with_the_line(new_floor_page: NewPage) -> None:
    house = HitHouse(displays=1)
    page = new_floor_page(width=1440, height=900, allowed="ERR_INTERNET_DISCONNECTED|WebSocket")
    page.clock.install()
    room(page, house, "boss")
    told = page.locator("[data-chart-words]")
    expect(told).to_contain_text("CHF 10’000.00 bei der Eröffnung")
    house.end(0, house.start(0), dull())
    page.clock.run_for(15_000)
    expect(told).to_contain_text("Zuletzt CHF 10’001.00")
    house.hit(winners=1)
    page.clock.run_for(4_000)
    expect(told).to_contain_text("Treffer 1")
    house.verify_all()
    house.approve()
    house.confirm_all()
    page.clock.run_for(4_000)
    expect(told).not_to_contain_text("Treffer 1")
    expect(told).to_contain_text("CHF 10’000.00 bei der Eröffnung")
    assert Hit.objects.get(jackpot=house.jackpot).state == "paid"
    house.end(0, house.start(0), dull())
    page.clock.run_for(15_000)
    expect(page.locator(".chart canvas")).to_have_count(1)
    page.context.set_offline(True)
    page.clock.run_for(6_000)
    expect(page.locator(".chart")).to_have_css("opacity", "0.5")
