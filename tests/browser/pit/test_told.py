"""The pit in a browser: what is not done is said, alarms are heard, and nothing looks live that is not."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Person
from casino.pit.alerts import alerts_derive
from tests.browser.cable import cable_to
from tests.browser.conftest import Server, stop_clock
from tests.browser.floor_house import FloorHouse
from tests.browser.hit_house import HitHouse
from tests.browser.people import be
from tests.browser.pit_page import alert, call, open_pit, tile
from tests.floor import stakes_for
from tests.jackpot.linked import royal

pytestmark = pytest.mark.browser


# What is not done is said
def test_page_that_breaks_in_the_panel_is_said_there(new_floor_page: Callable[..., Page]) -> None:
    """An answer that is none leaves no empty panel: it is said, what was typed stays, and reading again mends it."""
    floor = FloorHouse()
    page = new_floor_page(allowed="status of 500|ERR_FAILED|Response Status Error|htmx:|net::")
    open_pit(page, floor)
    panel = page.get_by_role("dialog")
    failed = panel.locator("[data-panel-failed]")
    table = f"**/floor/tables/{floor.table.pk}/"
    page.route(table, lambda route: route.fulfill(status=500, body="<main><p>broken</p></main>"))
    tile(page, "UTH 1").click()
    expect(failed).to_be_focused()
    expect(failed).to_contain_text("Das liess sich nicht lesen.")
    expect(panel).not_to_contain_text("broken")
    page.unroute(table)
    panel.locator("[data-refresh-panel]").click()
    expect(panel.locator("#open-croupier")).to_be_visible()
    expect(failed).to_be_hidden()
    panel.locator("#open-croupier").select_option(str(floor.martina.pk))
    page.route("**/open/", lambda route: route.abort())
    panel.get_by_role("button", name="Tisch öffnen").click()
    expect(failed).to_contain_text("Ob es ausgeführt wurde, ist nicht bekannt")
    expect(panel.locator("#open-croupier")).to_have_value(str(floor.martina.pk))
    page.unroute("**/open/")
    panel.get_by_role("button", name="Tisch öffnen").click()
    expect(panel.get_by_text("Erledigt.")).to_be_visible()
    expect(failed).to_be_hidden()


def test_panel_says_that_it_is_being_read_and_gives_up_in_the_end(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    page = new_floor_page(allowed="htmx:|ERR_|WebSocket|Failed to load")
    open_pit(page, floor)
    page.route(f"**/floor/tables/{floor.table.pk}/", lambda route: None)  # it hangs
    tile(page, "UTH 1").click()
    panel = page.get_by_role("dialog")
    expect(panel.get_by_text("Wird gelesen …")).to_be_visible()
    page.reload()
    page.evaluate("htmx.config.timeout = 400")  # now its end is waited for
    tile(page, "UTH 1").click()
    expect(panel.locator("[data-panel-failed]")).to_contain_text("Das liess sich nicht lesen.")
    expect(panel.get_by_text("Wird gelesen …")).to_be_hidden()
    assert page.locator("meta[name=htmx-config]").get_attribute("content").count('"timeout":10000') == 1


def test_cut_line_is_said_in_the_panel_too(new_floor_page: Callable[..., Page], floor_server: Server) -> None:
    floor = FloorHouse()
    with cable_to(floor_server.address) as cable:
        page = new_floor_page(address=cable.address, allowed="WebSocket|ERR_|Failed to load")
        open_pit(page, floor)
        tile(page, "UTH 1").click()
        stale = page.get_by_role("dialog").locator(".stale-bar")
        expect(page.get_by_role("dialog").locator("#open-croupier")).to_be_visible()
        expect(stale).to_be_hidden()
        cable.pull()
        expect(stale).to_contain_text("Nichts hier ist aktuell")
        cable.plug()
        expect(stale).to_be_hidden()


@pytest.mark.parametrize("how", ["refused", "lost"])
def test_alert_that_could_not_be_acknowledged_is_said_in_sight(new_floor_page: Callable[..., Page], how: str) -> None:
    floor = FloorHouse()
    one = alert(floor)
    page = new_floor_page(allowed="status of 503|ERR_")
    open_pit(page, floor)
    address = f"**/pit/alerts/{one.pk}/acknowledge/"
    page.route(address, lambda route: route.fulfill(status=503, body="{}") if how == "refused" else route.abort())
    button = page.locator(f"#alert-{one.pk}").get_by_role("button")
    button.click()
    failed = page.locator("[data-failed]")
    expect(failed).to_be_visible()
    expect(failed).to_contain_text("Quittieren: UTH 1: Tablet offline")
    expect(failed).to_contain_text({"refused": "Das wurde nicht ausgeführt", "lost": "Keine Verbindung"}[how])
    page.locator("[data-failed-close]").click()
    expect(failed).to_be_hidden()
    button.click()
    expect(failed).to_be_visible()
    page.unroute(address)
    button.click()
    expect(page.locator("#seen")).to_contain_text("Laura Bernasconi")
    expect(failed).to_be_hidden()


# What sounds, by when and how loud: there is no loudspeaker to listen to.
HEARD = """
window.heard = [];
window.AudioContext = class {
  currentTime = 0;
  destination = null;
  close() {}
  createOscillator() {
    const one = { frequency: { value: 0 }, connect: (next) => { one.loud = next.at; return next; }, stop() {} };
    one.start = () => {
      window.heard.push([one.frequency.value, one.loud()]);
      document.documentElement.dataset.heard = JSON.stringify(window.heard);
    };
    return one;
  }
  createGain() {
    let at = 0;
    return { at: () => at, gain: { setValueAtTime: (value) => { at = value; }, exponentialRampToValueAtTime() {} }, connect() {} };
  }
};
"""


def test_alarm_sounds_five_times_on_a_board_on_which_nothing_moves(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    floor.open()
    call(floor)
    page = new_floor_page(allowed="WebSocket")
    page.add_init_script(HEARD)
    be(page, floor.boss)
    stop_clock(page)
    page.goto("/pit/")

    def heard() -> list[list[float]]:
        found: list[list[float]] = page.evaluate("window.heard.splice(0)")
        return found

    alarm = [[740, 0.12], [587, 0.12]]
    page.clock.run_for(30_000)
    assert heard() == []  # nobody has asked for it
    page.locator("[data-sound]").click()
    page.clock.run_for(1_000)
    assert heard() == [[660, 0.12], *alarm]
    for _ in range(4):
        page.clock.run_for(21_000)
        assert heard() == alarm
    page.clock.run_for(60_000)
    assert heard() == []  # five times, then others hear of it
    page.clock.resume()
    alert(floor, "too_many_coins", rounds=151, most=150)  # another one, while the first still stands
    page.locator("#alerts .one").nth(1).wait_for()
    page.clock.run_for(1_000)
    assert heard() == alarm
    page.locator("[data-night]").click()
    assert heard() == [[660, 0.06]]
    page.clock.run_for(21_000)
    assert heard() == [[740, 0.06], [587, 0.06]]


def test_royal_sounds_and_says_where_and_who(new_floor_page: Callable[..., Page]) -> None:
    """From the settlement on, through the system's own look at what is so, to a pit boss who has the board open."""
    house = HitHouse()
    Person.objects.filter(pk=house.croupiers[0].pk).update(full_name="Martina Frei")
    page = new_floor_page()
    page.add_init_script(HEARD)
    open_pit(page, house)
    page.locator("[data-sound]").click()
    page.evaluate("window.heard.splice(0)")
    first, _second = house.running()
    house.end(0, first, royal())
    expect(page.locator(".meter")).to_contain_text("UTH 1, Box 1 · Gast 1 · Martina Frei")
    alerts_derive()
    alarm = page.locator("#alerts .one.alarm")
    expect(alarm).to_contain_text("UTH 1: Jackpotgewinn gemeldet")
    expect(alarm).to_contain_text("Box 1, Gast 1, Croupier Martina Frei")
    expect(tile(page, "UTH 1")).to_contain_text("Meldet Jackpot")
    expect(page.locator("html")).to_have_attribute("data-heard", "[[740,0.12],[587,0.12]]")


def test_sound_is_as_it_was_after_the_page_was_loaded_again(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    floor.open()
    call(floor)
    page = new_floor_page()
    page.add_init_script(HEARD)
    open_pit(page, floor)
    toggle, waits = page.locator("[data-sound]"), page.locator("[data-sound-waits]")
    toggle.click()
    page.reload()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(waits).to_be_visible()  # a browser sounds for nobody who has not touched the page
    assert page.evaluate("window.heard") == []
    page.locator(".lag").click()
    expect(waits).to_be_hidden()
    expect(page.locator("html")).to_have_attribute("data-heard", "[[740,0.12],[587,0.12]]")
    toggle.click()
    page.reload()
    expect(toggle).to_have_attribute("aria-pressed", "false")
    page.locator(".lag").click()
    expect(waits).to_be_hidden()


# Nothing looks live that is not
def test_cut_line_is_said_within_three_seconds_and_is_back_by_itself(
    new_floor_page: Callable[..., Page], floor_server: Server
) -> None:
    floor = FloorHouse()
    guests = floor.open()
    floor.lock(stakes_for(guests[:2], coins=2))
    with cable_to(floor_server.address) as cable:
        page = new_floor_page(address=cable.address, allowed="WebSocket|ERR_|Failed to load")
        page.clock.install()
        open_pit(page, floor)
        expect(page.locator(".lag [data-lag]")).to_contain_text("s alt")
        coin = page.locator(".dot.coin").first
        gold = coin.evaluate("dot => getComputedStyle(dot).backgroundColor")
        cable.pull()
        page.clock.run_for(3_250)  # of its own time; it looks four times a second
        assert page.locator("[data-stale]").is_visible()
        expect(page.locator("[data-stale]")).to_contain_text("Keine Live-Daten seit")
        assert coin.evaluate("dot => getComputedStyle(dot).backgroundColor") != gold
        expect(page.locator("#board time[data-since]").first).not_to_be_visible()
        cable.plug()
        expect(page.locator("[data-stale]")).to_be_hidden()
        assert coin.evaluate("dot => getComputedStyle(dot).backgroundColor") == gold


def test_session_that_ends_leads_to_the_sign_in(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    page = new_floor_page()
    open_pit(page, floor)
    page.context.clear_cookies()
    page.wait_for_url("**/sign-in/**")
