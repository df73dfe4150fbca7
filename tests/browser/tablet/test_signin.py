"""A tablet as croupiers meet it: enrolled by a code, signed in by a tap and six digits; in four languages, also without scripts."""

import itertools
from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page, Route, expect

from casino.devices.kinds import TABLETS
from casino.devices.models import Device, DeviceSession
from casino.devices.names import KEYS
from casino.devices.services import device_code_make, device_enrol
from casino.devices.signin import device_sign_in, device_sign_out
from casino.people.models import Person
from casino.people.pins import pin_set
from casino.people.tries import EVERYWHERE
from payouts.models import House
from tables.models import Table
from tests.browser.conftest import address_of, stop_clock
from tests.browser.look.test_everywhere import look
from tests.browser.people import LOOKED_AT, WORDS, be, somebody
from tests.casino.devices.devices import PIN, make_table, open_table
from tests.cast import make_house

pytestmark = pytest.mark.browser
LOCKED = settings.SIGN_IN_TRIES * EVERYWHERE  # wrong tries that lock a PIN at every tablet
FINGER = 89  # px: 15 mm on a tablet of ten inches
# As the round's page stores them, in the store that this one has opened.
STORED = """async () => {
    const named = async () => (await indexedDB.databases()).find(one => one.name.startsWith("saalchef-tablet-"));
    while (!(await named())) await new Promise(done => setTimeout(done, 50));
    const { name } = await named();
    await new Promise((done, failed) => {
        const opened = indexedDB.open(name);
        opened.onerror = () => failed(opened.error);
        opened.onsuccess = () => {
            const step = opened.result.transaction("outbox", "readwrite");
            for (const round of ["first", "second"]) step.objectStore("outbox").add({ round, kind: "queued" });
            step.oncomplete = () => { opened.result.close(); done(); };
        };
    });
}"""
# Croupiers of a house beside those who work at the table: one range begins with a long name, one ends with it.
NAMES = [
    f"{first} {last}"
    for first in ("Alessandra", "Beat", "Carla", "Maximiliane")
    for last in ("Brun", "Dubois", "Rossi")
]
_numbers = itertools.count(1)


def new_table(house: House) -> Table:
    return make_table(house, f"UTH {next(_numbers)}")


def dealer(house: House, full_name: str = "") -> Person:
    person = somebody(house)
    if full_name:
        person.full_name = full_name
        person.save(update_fields=["full_name"])
    pin_set(person=person, pin=PIN)
    return person


def code_for(table: Table) -> str:
    return device_code_make(kind="tablet", place_id=table.pk, name="Tablet", by=somebody(table.house, "pit_boss"))[1]


def as_tablet(page: Page, table: Table) -> Device:
    """The page's browser as the table's tablet."""
    device, token = device_enrol(kind="tablet", code=code_for(table))
    page.context.add_cookies([{"name": TABLETS.cookie(device.pk), "value": token, "url": address_of(page)}])
    return device


def tap(page: Page, digits: str) -> None:
    for digit in digits:
        page.locator(".pad button", has_text=digit).click()


def sign_in(page: Page, person: Person) -> None:
    page.goto("/tablet/")
    type_name(page, person.username)
    tap(page, PIN)
    expect(page.get_by_role("heading", level=1)).to_contain_text(person.full_name)


def type_name(page: Page, username: str) -> None:
    page.locator("label.other").click()
    page.locator("[name=username]").fill(username)


# The way of an evening
def test_enrol_sign_in_sign_out(page: Page, house: House) -> None:
    table, martina = new_table(house), dealer(house)
    page.goto("/tablet/")
    page.wait_for_url("**/tablet/enrol/")
    expect(page.locator("[name=code]")).to_be_focused()
    page.keyboard.type(code_for(table).upper())
    page.keyboard.press("Enter")
    page.wait_for_url("**/sign-in/")
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"].startswith(TABLETS.prefix))
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert page.evaluate("document.cookie.includes('saalchef-device')") is False

    page.locator("label.other").click()
    page.get_by_label("Anmeldename").fill(martina.username)
    tap(page, PIN)  # the sixth digit sends it
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{martina.full_name} ist angemeldet")
    expect(page.get_by_text("Der Tisch ist geschlossen.")).to_be_visible()
    page.get_by_role("button", name="Abmelden").click()
    page.wait_for_url("**/sign-in/")
    assert DeviceSession.objects.get(person=martina).ended_as == "signed_out"

    expect(page.get_by_role("radio", name=martina.full_name)).to_be_checked()  # from now on offered by name
    tap(page, PIN)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{martina.full_name} ist angemeldet")


def test_who_waits_for_the_table_comes_to_the_round_when_it_is_opened(page: Page, house: House) -> None:
    """Within five seconds, by itself; before, the page stays as it is."""
    table, martina = new_table(house), dealer(house)
    device = as_tablet(page, table)
    device_sign_in(device=device, pin=PIN, username=martina.username)
    stop_clock(page)
    page.goto("/tablet/")
    expect(page.locator("main")).to_contain_text("Der Tisch ist geschlossen.")
    page.evaluate("window.isSame = true")
    with page.expect_response(f"**/tablet/{device.pk}/here/**") as answer:
        page.clock.run_for(5_000)
    assert (answer.value.status, page.evaluate("window.isSame")) == (204, True)
    open_table(table, martina)
    with page.expect_response(f"**/tablet/{device.pk}/"):
        page.clock.run_for(5_000)
    page.clock.resume()
    expect(page.locator(".round")).to_have_attribute("data-phase", "bets")


def test_tablet_on_which_nobody_is_signed_in_says_that_it_is_there(page: Page, house: House) -> None:
    device = as_tablet(page, new_table(house))
    stop_clock(page)
    page.goto("/tablet/")
    page.wait_for_url("**/sign-in/")
    for _ in range(2):
        with page.expect_response(f"**/tablet/{device.pk}/here/") as answer:
            page.clock.run_for(5_000)
        assert answer.value.status == 204


def test_change_of_croupiers_takes_a_tap_and_six_digits(page: Page, house: House) -> None:
    table, before, after = new_table(house), dealer(house), dealer(house)
    as_tablet(page, table)
    sign_in(page, after)
    page.get_by_role("button", name="Abmelden").click()
    open_table(table, before)
    sign_in_by_name(page, before)
    expect(page.locator(".round")).to_be_visible()
    page.locator(".person").click()
    page.get_by_role("link", name="Jemand anderes meldet sich an").click()
    page.wait_for_url("**/sign-in/")
    page.evaluate("window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; })")
    page.locator(".people").get_by_role("radio", name=after.full_name).check()
    tap(page, PIN[:-1])
    assert page.evaluate("window.taps") == 6
    tap(page, PIN[-1])
    page.get_by_role("button", name=f"Von {before.full_name} übernehmen").click()
    expect(page.locator(".round")).to_be_visible()
    table.refresh_from_db()
    assert table.session.croupier == after


def sign_in_by_name(page: Page, person: Person) -> None:
    page.goto("/tablet/")
    page.locator(".people").get_by_role("radio", name=person.full_name).check()
    tap(page, PIN)
    expect(page.get_by_text(person.full_name).first).to_be_visible()


def test_a_relief_croupier_chooses_his_name(page: Page) -> None:
    """Who is at work is one tap away, anybody else two; then the PIN. No digit counts for a name that does not stand there."""
    house = make_house(f"Casino {next(_numbers)}")
    table, at_work = new_table(house), dealer(house, full_name="Zoe Zumstein")
    every = [dealer(house, full_name=name) for name in NAMES]
    other, _ = device_enrol(kind="tablet", code=code_for(new_table(house)))
    device_sign_out(session=device_sign_in(device=other, pin=PIN, username=at_work.username))
    open_table(table, every[0])
    as_tablet(page, table)
    keys = page.locator(".people .one:not(.other)").filter(visible=True)
    for person, range_of, taps in ((at_work, "", 7), (every[-1], "Carla – Zoe", 8)):
        page.goto("/tablet/")
        page.goto(f"{page.url.removesuffix('sign-in/')}sign-in/")
        expect(page.get_by_role("radio", name=every[0].full_name)).to_be_checked()
        expect(keys).to_have_count(KEYS)
        page.evaluate("window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; })")
        if range_of:
            page.get_by_role("button", name=range_of).click()
            expect(page.locator(".people :checked")).to_have_count(0)
        page.locator(".people .one").filter(has_text=person.full_name).click()
        tap(page, PIN[:-1])
        assert page.evaluate("window.taps") == taps - 1
        tap(page, PIN[-1])
        expect(page.get_by_role("heading", level=1)).to_have_text(f"{person.full_name} ist angemeldet")

    page.get_by_role("link", name="Jemand anderes meldet sich an").click()
    page.get_by_role("button", name="Alessandra – ").click()
    tap(page, PIN)  # of nobody yet
    expect(page.locator("[name=pin]")).to_have_value(PIN)
    page.locator(".people .one").filter(has_text="Beat Rossi").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Beat Rossi ist angemeldet")
    assert DeviceSession.objects.filter(ended_at=None, person=every[5]).count() == 1


def test_wrong_pin_is_said_and_typed_again(page: Page, house: House) -> None:
    martina = dealer(house)
    as_tablet(page, new_table(house))
    sign_in(page, martina)
    page.get_by_role("button", name="Abmelden").click()
    tap(page, "000001")
    expect(page.get_by_role("alert")).to_contain_text("Die PIN stimmt nicht.")
    expect(page.locator("[name=pin]")).to_have_value("")
    tap(page, "9")
    page.get_by_role("button", name="Löschen").click()
    expect(page.locator("[name=pin]")).to_have_value("")
    tap(page, PIN)
    expect(page.get_by_role("heading", level=1)).to_contain_text(martina.full_name)


def test_pin_typed_before_the_script_is_there_is_sent_by_it(page: Page, house: House) -> None:
    martina, held = dealer(house), list[Route]()
    as_tablet(page, new_table(house))

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/pad*.js", hold)
    with page.expect_request("**/pad*.js"):
        page.goto("/tablet/", wait_until="commit")
    type_name(page, martina.username)
    page.locator("[name=pin]").fill(PIN)
    expect(page.locator(".pad")).to_be_hidden()
    held.pop().continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{martina.full_name} ist angemeldet")


def test_somebody_else_without_a_name_is_asked_for_it(page: Page, house: House) -> None:
    as_tablet(page, new_table(house))
    page.goto("/tablet/")
    page.locator("label.other").click()
    tap(page, PIN)
    assert page.evaluate("document.activeElement.name") == "username"
    assert page.url.endswith("/sign-in/")


def test_office_and_tablet_in_one_browser(page: Page, house: House) -> None:
    martina, boss = dealer(house), somebody(house, "pit_boss")
    as_tablet(page, new_table(house))
    sign_in(page, martina)
    be(page, boss)
    page.goto("/home/pit_boss/")
    expect(page.get_by_role("heading", level=1)).to_contain_text(boss.full_name)
    page.get_by_role("button", name="Abmelden").click()
    page.goto("/tablet/")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{martina.full_name} ist angemeldet")


def test_without_scripts(new_page: Callable[..., Page], house: House) -> None:
    page, martina = new_page(java_script_enabled=False), dealer(house)
    as_tablet(page, new_table(house))
    page.goto("/tablet/")
    expect(page.locator(".pad")).to_be_hidden()
    type_name(page, martina.username)
    page.locator("[name=pin]").fill(PIN)
    page.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{martina.full_name} ist angemeldet")


def test_pit_boss_enrols_sees_frees_and_revokes(page: Page, new_page: Callable[..., Page], house: House) -> None:
    table, martina = new_table(house), dealer(house)
    be(page, somebody(house, "pit_boss"))
    page.get_by_role("navigation").get_by_role("link", name="Geräte").first.click()
    page.get_by_label("Tisch").first.select_option(label=table.name)
    page.get_by_role("button", name="Code erstellen").click()
    code = page.locator(".secret").inner_text()
    tablet = new_page(allowed=r"403 \(Forbidden\)")
    tablet.goto("/tablet/")
    tablet.locator("[name=code]").fill(code)
    tablet.get_by_role("button", name="Registrieren").click()
    tablet.wait_for_url("**/sign-in/")
    sign_in(tablet, martina)

    page.get_by_role("link", name="Zurück zu den Geräten").click()
    panel = page.locator("section").filter(has=page.get_by_role("heading", name=table.name))
    expect(panel).to_contain_text(martina.full_name)
    panel.get_by_role("button", name="Abmelden").click()
    expect(panel).not_to_contain_text(martina.full_name)
    tablet.wait_for_url("**/sign-in/")  # by itself
    panel.locator("summary").click()
    panel.get_by_label("Grund").fill("Bildschirm gesprungen")
    panel.get_by_role("button", name="Endgültig sperren").click()
    expect(page.get_by_text("Bildschirm gesprungen")).to_be_visible()
    assert Device.objects.get(table=table).revoked_at is not None
    expect(tablet.locator("main")).to_contain_text("nicht registriert")


# How it looks
def enrol_page(page: Page, house: House) -> None:
    page.goto("/tablet/enrol/")
    page.locator("[name=code]").fill("abcd-efgh")
    page.locator("button.act").click()
    page.get_by_role("alert").wait_for()


def first_sign_in(page: Page, house: House) -> None:
    as_tablet(page, new_table(house))
    page.goto("/tablet/")


def pin_page(page: Page, _: House) -> None:
    house = make_house(f"Casino {next(_numbers)}")  # of the other one all these tests' croupiers would stand there
    table = new_table(house)
    for name in NAMES:
        dealer(house, full_name=name)
    device = as_tablet(page, table)
    names = (
        "Martina Frei",
        "Maximilian Oberhollenzer-Brändli",
        "Đorđe Šećerović",
        "Reto Caduff",
        "Anna-Katharina Rüegg",
    )
    for name in names:
        session = device_sign_in(device=device, pin=PIN, username=dealer(house, full_name=name).username)
        device_sign_out(session=session)
    open_table(table, dealer(house, full_name="Jean-Baptiste de la Rochefoucauld"))
    page.goto("/tablet/")
    tap(page, "00000")


def pin_refused(page: Page, house: House) -> None:
    as_tablet(page, new_table(house))
    page.goto("/tablet/")
    type_name(page, "n.iemand")
    tap(page, PIN)
    page.get_by_role("alert").wait_for()


def pin_locked(page: Page, house: House) -> None:
    device = as_tablet(page, new_table(house))
    locked = dealer(house)
    device_sign_out(session=device_sign_in(device=device, pin=PIN, username=locked.username))
    Person.objects.filter(pk=locked.pk).update(pin_locked_at="2026-11-21T12:00Z", pin_failures=LOCKED)
    page.goto("/tablet/")
    tap(page, PIN)
    page.get_by_role("alert").wait_for()


def rounds_stored(page: Page, house: House) -> None:
    """Two rounds wait on the tablet, and who played them is not signed in any more."""
    as_tablet(page, new_table(house))
    page.goto("/tablet/")
    page.evaluate(STORED)
    page.reload()
    expect(page.locator("#stored")).to_contain_text("2")


def table_closed(page: Page, house: House) -> None:
    as_tablet(page, new_table(house))
    sign_in(page, dealer(house))


def taking_over(page: Page, house: House) -> None:
    table = new_table(house)
    as_tablet(page, table)
    open_table(table, dealer(house))
    sign_in(page, dealer(house))
    page.locator("form[action$='/hand-over/']").wait_for()


def with_two_tables(page: Page, house: House) -> None:
    """He still has another open table, and is asked."""
    table, person = new_table(house), dealer(house)
    as_tablet(page, table)
    open_table(table, dealer(house, full_name="Jean-Baptiste de la Rochefoucauld"))
    open_table(new_table(house), person)
    sign_in(page, person)
    expect(page.locator(".notice.warn")).to_be_visible()


def choosing(page: Page, house: House) -> None:
    for _ in range(3):
        as_tablet(page, new_table(house))
    page.goto("/tablet/")


def turned_away(page: Page, house: House) -> None:
    page.goto("/tablet/00000000-0000-4000-8000-000000000000/")


def device_list(page: Page, _: House) -> None:
    house = make_house(f"Casino {next(_numbers)}")  # the other one has the devices of all these tests
    as_tablet(page, new_table(house))
    sign_in(page, dealer(house))
    be(page, somebody(house, "pit_boss"))
    page.goto("/devices/")
    page.locator("#main summary").first.click()


def device_list_at_the_office(page: Page, _: House) -> None:
    house = make_house(f"Casino {next(_numbers)}")
    new_table(house)
    be(page, somebody(house, "technician"))
    page.goto("/devices/")


def code_page(page: Page, house: House) -> None:
    new_table(house)
    be(page, somebody(house, "pit_boss"))
    page.goto("/devices/")
    page.locator("form[action$='/code/'] button").click()
    page.locator(".secret").wait_for()


def token_page(page: Page, house: House) -> None:
    new_table(house)
    be(page, somebody(house, "technician"))
    page.goto("/devices/")
    page.locator("form[action$='/feed/'] button").click()
    page.locator(".secret").wait_for()


def locked_pins(page: Page, house: House) -> None:
    somebody(house, pin_locked_at="2026-11-21T12:00Z", pin_failures=LOCKED)
    be(page, somebody(house, "pit_boss"))
    page.goto("/pins/")


def own_pin(page: Page, house: House) -> None:
    be(page, somebody(house))
    page.goto("/pin/")
    for name in ("present", "pin", "again"):
        page.locator(f"[name={name}]").fill("123456")
    page.locator("button.act").click()
    page.get_by_role("alert").wait_for()


def pit_boss_home(page: Page, house: House) -> None:
    be(page, somebody(house, "pit_boss"))


TABLET_PAGES = (
    *(enrol_page, first_sign_in, pin_page, pin_refused, pin_locked, rounds_stored),
    *(table_closed, taking_over, with_two_tables, choosing, turned_away),
)
OFFICE_PAGES = (device_list, device_list_at_the_office, code_page, token_page, locked_pins, own_pin, pit_boss_home)


@pytest.mark.parametrize("language", LOOKED_AT)
@pytest.mark.parametrize("opened", TABLET_PAGES + OFFICE_PAGES, ids=lambda page: page.__name__)
def test_page(
    new_page: Callable[..., Page], house: House, opened: Callable[[Page, House], None], language: str
) -> None:
    page = new_page(language=language, allowed="status of 403", reduced_motion="reduce")
    opened(page, house)
    assert page.locator("html").get_attribute("lang") == language
    assert look(page, f"tablet_{opened.__name__}", language) == []
    assert page.get_by_role("heading", level=1).count() == 1


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (800, 1280)])
def test_keys_are_as_large_as_a_finger_and_all_in_sight(
    new_page: Callable[..., Page], house: House, width: int, height: int
) -> None:
    page = new_page(width=width, height=height)
    pin_page(page, house)
    page.set_viewport_size({"width": width, "height": height})
    for key in page.locator(".pad button, .people .one, .pin .act").filter(visible=True).all():
        box = key.bounding_box()
        assert box["height"] >= (FINGER if "act" not in (key.get_attribute("class") or "") else 58), key.inner_text()
        assert box["width"] >= FINGER
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height, key.inner_text()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


# What a finger is to hit, and is smaller than 10 mm; the link over the page is for who has a keyboard.
TOO_SMALL = """() => [...document.querySelectorAll("button, a:not(.skip), input, label.one, summary, select")].map(e => {
    const { width, height } = e.getBoundingClientRect();
    if (!width || Math.min(width, height) >= 57.9) return "";
    return `${e.outerHTML.slice(0, 60)}: ${width} × ${height}`;
}).filter(Boolean)"""


@pytest.mark.parametrize("opened", TABLET_PAGES, ids=lambda page: page.__name__)
def test_every_control_is_for_a_finger(
    new_page: Callable[..., Page], house: House, opened: Callable[[Page, House], None]
) -> None:
    page = new_page(allowed="status of 403")
    opened(page, house)
    assert page.locator(".languages button").count() == len(WORDS)
    for width, height in ((1280, 800), (1024, 768), (800, 1280)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(TOO_SMALL) == []


def test_demo_tablet(new_demo_page: Callable[..., Page]) -> None:
    page = new_demo_page(reduced_motion="reduce")
    page.goto("/sign-in/")
    page.get_by_role("link", name="Tablet öffnen").click()
    assert look(page, "tablet_demo_enrol", "de") == []
    page.get_by_role("button", name="UTH 2").click()
    assert look(page, "tablet_demo_pin", "de") == []
    type_name(page, page.locator(".demo-pins dt").first.inner_text().split(" · ")[1])
    with page.expect_navigation():
        tap(page, page.locator(".demo-pins dd").first.inner_text())
    page.locator(".languages [value=de]").click()  # she may have looked at another page in another language
    expect(page.get_by_role("heading", level=1)).to_have_text("Martina Frei ist angemeldet")
