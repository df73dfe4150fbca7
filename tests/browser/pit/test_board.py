"""The pit in a browser: every control, the keys, the shift."""

import re
from collections.abc import Callable

import pytest
from django.db.models.functions import Now
from playwright.sync_api import Page, Route, expect

from casino.people.models import Person
from casino.pit.models import Alert, ShiftHandOver
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_floor import busy_floor
from tests.browser.people import be
from tests.browser.pit_page import alert, call, open_pit, tile
from tests.casino.devices import devices
from tests.floor import stakes_for

pytestmark = pytest.mark.browser


# The board
def test_tiles_follow_the_floor_and_a_table_is_run_beside_them(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    page = new_floor_page(width=1440, height=900)
    open_pit(page, floor)
    expect(tile(page, "UTH 1")).to_contain_text("Geschlossen")
    tile(page, "UTH 1").click()
    panel = page.get_by_role("dialog")
    panel.locator("#open-croupier").select_option(str(floor.martina.pk))
    panel.get_by_role("button", name="Tisch öffnen").click()
    expect(panel.get_by_text("Erledigt.")).to_be_visible()
    expect(tile(page, "UTH 1")).to_contain_text("Offen")
    panel.locator("#hand-over-croupier").select_option(str(floor.nora.pk))  # swap the croupier
    panel.get_by_role("button", name="Übergeben").click()
    expect(panel.get_by_text(floor_name(floor)).first).to_be_visible()
    guest = floor.seat(floor.table, 1)
    locked = floor.lock(stakes_for([guest]), croupier_id=floor.nora.pk)
    expect(tile(page, "UTH 1")).to_contain_text("Runde läuft")
    panel.locator("[data-refresh-panel]").click()
    panel.get_by_role("link", name=re.compile("Laufende Runde")).click()
    panel.locator("form[action$='/void/'] [name=reason]").fill("Croupier fehlt")
    panel.locator("form[action$='/void/'] button").click()
    expect(panel.get_by_text("Erledigt.")).to_be_visible()
    expect(tile(page, "UTH 1")).to_contain_text("Offen")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert locked["state"] == "locked"
    tile(page, "UTH 1").click()
    panel.locator("form[action$='/close/'] button").click()
    expect(tile(page, "UTH 1")).to_contain_text("Geschlossen")


def test_time_in_a_state_stands_out_when_it_is_long(new_floor_page: Callable[..., Page]) -> None:
    """From the second on that the board names, with a picture beside the colour; which one that is, is proved in `casino/pit`."""
    floor = FloorHouse()
    floor.open()
    floor.open(floor.other, floor.nora)
    page = new_floor_page(width=1280, height=800)

    def usual(route: Route) -> None:
        answer = route.fetch()
        after = iter(("0", "9999"))
        says = '<span class="slow"><svg></svg></span><time data-long="{}" data-since='
        body = re.sub("<time data-since=", lambda _: says.format(next(after, "9999")), answer.text())
        route.fulfill(response=answer, body=body)

    page.route("**/pit/board/", usual)
    open_pit(page, floor)
    long, short = tile(page, "UTH 1"), tile(page, "UTH 2")
    expect(long.locator(".slow")).to_be_visible()  # from its first second on
    expect(short.locator(".slow")).to_be_hidden()
    long_colour, short_colour = (
        one.locator("time").evaluate("one => getComputedStyle(one).color") for one in (long, short)
    )
    assert long_colour != short_colour
    page.unroute_all(behavior="ignoreErrors")


def floor_name(floor: FloorHouse) -> str:
    floor.nora.refresh_from_db()
    return floor.nora.full_name


def test_refusal_is_said_in_the_panel_and_the_board_goes_on(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    page = new_floor_page(allowed="status of 4(09|22)")
    open_pit(page, floor)
    tile(page, "UTH 1").click()
    panel = page.get_by_role("dialog")
    panel.locator("#open-croupier").select_option(str(floor.martina.pk))
    floor.open()
    panel.get_by_role("button", name="Tisch öffnen").click()
    expect(panel.get_by_role("alert")).to_be_focused()
    panel.locator("[data-close-panel]").click()
    expect(panel).to_be_hidden()
    page.locator(".menu summary").click()
    expect(page.get_by_role("button", name="Abmelden")).to_be_visible()


def test_alerts_and_calls_are_acknowledged(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    floor.open()
    first, _second = alert(floor), alert(floor, "display_offline", name="Eingang", jackpot=str(floor.jackpot.pk))
    call(floor)
    page = new_floor_page()
    open_pit(page, floor)
    alerts = page.locator("#alerts")
    expect(alerts.locator(".one")).to_have_count(3)
    expect(alerts.locator(".one").first).to_contain_text("Streitfall")  # the worst first
    expect(tile(page, "UTH 1").locator("..")).to_have_class(re.compile("alarm"))
    alerts.locator("[id^=call-]").get_by_role("button", name="Ich komme").click()
    expect(alerts.locator("[id^=call-].warn")).to_contain_text("Laura Bernasconi kommt")
    alerts.locator("[id^=call-]").get_by_role("button", name="Erledigt").click()
    expect(alerts.locator(".one")).to_have_count(2)
    alerts.locator(f"#alert-{first.pk}").get_by_role("button").click()
    expect(alerts.locator(".one")).to_have_count(1)
    expect(page.locator("#seen")).to_contain_text("Laura Bernasconi")
    first.refresh_from_db()
    assert first.acknowledged_by == floor.boss
    alerts.get_by_role("link", name=re.compile("^Öffnen")).click()
    page.wait_for_url("**/pit/jackpots/**")


def test_correction_is_signed_in_the_panel_by_the_second_person(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    floor.ask(floor.lost())
    pin = floor.pin(floor.second)
    page = new_floor_page(allowed="status of 4(03|09|22)")
    open_pit(page, floor, "second")
    expect(tile(page, "UTH 1")).to_contain_text("Zu unterschreiben")
    page.keyboard.press("f")
    focused = page.locator("#approvals a:focus")
    expect(focused).to_contain_text("Prüfen")
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog")
    expect(panel.get_by_text("Box 1 hatte gewonnen").first).to_be_visible()
    for secret, left in (("7" * len(pin), 1), (pin, 0)):  # another's is refused where it was typed
        panel.locator("form[action$='/sign/'] [name=secret]").fill(secret)
        panel.get_by_role("button", name="Unterschreiben").click()
        if left:
            expect(panel.get_by_role("alert")).to_contain_text("PIN")
        expect(page.locator("#approvals .one")).to_have_count(left)


def test_queued_round_is_clarified_in_the_panel(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    floor.late()
    page = new_floor_page()
    open_pit(page, floor)
    page.locator("#clarify").get_by_role("link").click()
    panel = page.get_by_role("dialog")
    panel.locator("#dismiss-reason").fill("nie gegeben")
    panel.get_by_label("Nie gespielt").check()
    panel.locator("form[action$='/dismiss/'] button").click()
    expect(panel).to_be_hidden()
    expect(page.locator("#clarify")).to_have_count(0)


def keys_off_and_on(page: Page) -> None:
    """Who does not want single keys has them off, after a reload too (WCAG 2.1.4)."""
    switch = page.locator("[data-keys]")
    switch.click()
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".tools .keys")).to_be_hidden()
    page.keyboard.press("3")
    page.keyboard.press("x")
    expect(page.locator("[data-only]")).to_have_attribute("aria-pressed", "false")
    expect(tile(page, "UTH 3")).not_to_be_focused()
    switch.click()
    page.keyboard.press("x")
    expect(tile(page, "UTH 5")).to_be_hidden()
    page.keyboard.press("x")
    expect(tile(page, "UTH 5")).to_be_visible()


def test_keys_toggles_and_groups(new_floor_page: Callable[..., Page]) -> None:
    floor = busy_floor()
    alert(floor)
    page = new_floor_page(width=1920, height=1080)
    open_pit(page, floor)
    for number in ("3", "1"):
        page.keyboard.press(number)
        expect(tile(page, f"UTH {number}")).to_be_focused()
        page.wait_for_timeout(1_000)  # what is typed at once is one number
    page.keyboard.press("m")
    expect(page.locator("#alerts button:focus")).to_have_count(1)
    page.keyboard.press("x")
    expect(tile(page, "UTH 5")).to_be_hidden()
    expect(tile(page, "UTH 1")).to_be_visible()
    page.reload()
    expect(tile(page, "UTH 5")).to_be_hidden()
    page.locator("[data-only]").click()
    expect(tile(page, "UTH 5")).to_be_visible()
    keys_off_and_on(page)
    page.locator("[data-sound]").click()
    expect(page.locator("[data-sound]")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Nach Spiel").click()
    expect(page.locator(".group h2")).to_contain_text("Ultimate Texas Hold")
    page.get_by_role("link", name="Nach Pit").click()
    expect(page.locator(".group h2")).to_contain_text("Pit 1")
    page.goto("/pit/?kiosk=1")
    expect(page.locator(".tools .button").first).to_be_hidden()


def test_device_is_revoked_and_a_pin_opened_beside_the_board(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    tablet, _ = devices.enrol(floor.table, floor.tim)
    floor.pin(floor.martina)
    Person.objects.filter(pk=floor.martina.pk).update(pin_locked_at=Now())
    page = new_floor_page()
    open_pit(page, floor)
    panel = page.get_by_role("dialog")
    page.get_by_role("navigation").get_by_role("link", name="Geräte").click()
    panel.locator("details:has(form[action$='/revoke/']) summary").click()
    panel.locator("form[action$='/revoke/'] [name=reason]").fill("gestohlen")
    panel.locator("form[action$='/revoke/'] button").click()
    expect(panel.locator("q")).to_contain_text("gestohlen")
    tablet.refresh_from_db()
    assert tablet.revoked_by == floor.boss
    page.keyboard.press("Escape")
    page.get_by_role("navigation").get_by_role("link", name="PINs").click()
    panel.locator("form[action$='/unlock/'] button").click()
    expect(panel.get_by_text("Keine PIN ist gesperrt.")).to_be_visible()


# The shift
def test_what_is_over_is_acknowledged_in_one_act(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    for kind in ("tablet_offline", "rake_below", "tablet_offline"):
        data = {"number": 3, "rake_minor": 500, "posted_minor": 1_000}
        Alert.objects.filter(pk=alert(floor, kind, **data).pk).update(over_at=Now())
    page = new_floor_page(width=1280, height=800)
    be(page, floor.boss)
    page.goto("/pit/hand-over/")
    over = page.locator("#over")
    expect(over.locator("tbody tr")).to_have_count(3)
    expect(over).to_contain_text("nicht mehr gemeldet.")
    act = over.get_by_role("button", name="Alles quittieren, was vorbei ist")
    expect(act).to_be_in_viewport(ratio=1)
    act.click()
    expect(page.get_by_text("3 Meldungen quittiert.")).to_be_visible()
    expect(over).to_have_count(0)
    alerts = Alert.objects.filter(house=floor.house)
    assert {*alerts.values_list("acknowledged_by", flat=True)} == {floor.boss.pk}


def test_shift_is_taken_over(new_floor_page: Callable[..., Page]) -> None:
    floor = FloorHouse()
    alert(floor)
    page = new_floor_page(width=1440, height=900)
    open_pit(page, floor)
    page.get_by_role("navigation").get_by_role("link", name="Schicht").click()
    expect(page.get_by_role("table")).to_contain_text("UTH 1: Tablet offline")
    page.locator("#note").fill("Anzeige Eingang wird repariert")
    page.get_by_role("button", name="Übernehmen").click()
    expect(page.get_by_text("Sie haben die Schicht übernommen.")).to_be_visible()
    kept = ShiftHandOver.objects.get(house=floor.house)
    assert kept.taken_by == floor.boss
    assert ["UTH 1: Tablet offline" in one["place"] for one in kept.was_open] == [True]
    be(page, floor.second)
    page.goto("/pit/hand-over/")
    page.get_by_role("button", name="Übernehmen").click()
    expect(page.get_by_text("Sie haben die Schicht übernommen.")).to_be_visible()
    page.locator("#earlier summary").click()
    expect(page.locator("#earlier")).to_contain_text("Anzeige Eingang wird repariert")
    expect(page.locator("#earlier")).to_contain_text("UTH 1: Tablet offline")
    page.goto("/pit/")
    expect(page.locator("#totals")).to_contain_text("Jean-Baptiste")
