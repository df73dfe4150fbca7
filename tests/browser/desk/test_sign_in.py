"""Signing in as people do: by keyboard, with wrong codes, for the first time, in demo mode."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import segno
from django.utils import timezone
from playwright.sync_api import Page, expect

from casino.people.authenticators import Authenticator
from casino.people.models import Person
from payouts.models import Event, House
from tests.browser.conftest import Server
from tests.browser.people import WORDS, enter, fill, somebody
from tests.casino.people import people

pytestmark = pytest.mark.browser
REFUSED = "Name, Passwort und Code passen nicht zusammen, oder diese Anmeldung ist gesperrt."
PRESENT = "drei ganze Worte"


def focused(page: Page) -> str:
    """What has the focus: the name of the field, or the words on it."""
    return page.evaluate(
        "document.activeElement.name || document.activeElement.innerText || document.activeElement.ariaLabel"
    )


def test_by_keyboard_alone(page: Page, house: House) -> None:
    person = somebody(house)
    page.goto("/sign-in/")
    order = []
    for _ in range(8):
        page.keyboard.press("Tab")
        order.append(focused(page))
        if order[-1] == "username":
            break
    assert order[0] == "Zum Inhalt"
    assert order[-1] == "username"
    page.keyboard.type(person.username)
    page.keyboard.press("Tab")
    page.keyboard.type(people.PASSWORD)
    page.keyboard.press("Tab")  # the button that shows the password
    page.keyboard.press("Tab")
    assert focused(page) == "code"
    page.keyboard.type(people.code(person))
    page.keyboard.press("Enter")
    page.wait_for_url("**/home/croupier/")
    expect(page.get_by_role("heading", level=1)).to_contain_text(person.full_name)


def test_focus_is_always_visible(page: Page, house: House) -> None:
    page.goto("/sign-in/")
    for _ in range(10):
        page.keyboard.press("Tab")
        style = page.evaluate(
            "(({outlineStyle, outlineWidth}) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement))"
        )
        assert style == ["solid", "3px"], focused(page)


def test_skip_link_leads_past_the_head(page: Page, house: House) -> None:
    enter(page, somebody(house))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_wrong_code_is_said_and_the_name_stays(page: Page, house: House) -> None:
    person = somebody(house)
    page.goto("/sign-in/")
    fill(page, person, code=people.wrong(person))
    expect(page.get_by_role("alert")).to_contain_text(REFUSED)
    expect(page.locator("[name=username]")).to_have_value(person.username)
    expect(page.locator("[name=password]")).to_have_value("")
    fill(page, person)
    page.wait_for_url("**/home/croupier/")
    expect(page.get_by_text("Fehlversuche vor dieser Anmeldung").locator("xpath=following-sibling::dd")).to_have_text(
        "1"
    )


def test_fifth_wrong_try_locks(page: Page, house: House) -> None:
    person = somebody(house)
    page.goto("/sign-in/")
    for _ in range(5):
        fill(page, person, password="falsch")
        expect(page.locator("[name=password]")).to_have_value("")  # the page that answers, not the one before it
        expect(page.get_by_role("alert")).to_contain_text(REFUSED)
    fill(page, person)
    expect(page.get_by_role("alert")).to_contain_text("ist eine Anmeldung 15 Minuten gesperrt")
    assert Event.objects.filter(name="sign_in.locked", subject_id=str(person.pk)).count() == 1


def test_first_sign_in_with_own_password_and_qr_code(page: Page, house: House) -> None:
    person = somebody(house, "pit_boss", enrolled=False, initial_password_until=timezone.now() + timedelta(days=1))
    page.goto("/home/pit_boss/")
    fill(page, person, code="")
    page.wait_for_url("**/sign-in/password/")
    page.goto("/home/pit_boss/")
    page.wait_for_url("**/sign-in/password/")
    page.get_by_label("Neues Passwort", exact=True).fill(PRESENT)
    page.get_by_label("Neues Passwort wiederholen").fill(PRESENT)
    page.get_by_role("button", name="Speichern und weiter").click()
    page.wait_for_url("**/sign-in/authenticator/")

    device = Authenticator.objects.get(user=person)
    shown = page.locator("svg.qr path").last.get_attribute("d")
    drawn = segno.make(device.config_url, error="m").svg_inline(omitsize=True, border=2, svgclass="qr", lineclass=None)
    assert shown in drawn
    assert page.locator(".secret").inner_text().replace(" ", "") in device.config_url
    box = page.locator("svg.qr").bounding_box()
    assert box["width"] == box["height"] >= 200

    page.get_by_role("textbox", name="Code").fill(people.wrong(person))
    page.get_by_role("button", name="Bestätigen").click()
    expect(page.get_by_role("alert")).to_contain_text("Das ist nicht der Code")
    page.get_by_role("textbox", name="Code").fill(people.code(person))
    page.get_by_role("button", name="Bestätigen").click()
    page.wait_for_url("**/pit/")


def test_first_sign_in_can_be_given_up(page: Page, house: House) -> None:
    person = somebody(house, enrolled=False)
    page.goto("/sign-in/")
    fill(page, person, code="")
    page.get_by_role("button", name="Abbrechen und abmelden").click()
    page.wait_for_url("**/sign-in/")
    page.goto("/sign-in/authenticator/")
    page.wait_for_url(re.compile(r"/sign-in/\?next="))


@pytest.mark.parametrize("language", WORDS)
def test_sign_in_and_out_in_every_language(new_page: Callable[..., Page], house: House, language: str) -> None:
    sign_in, name, password, sign_out = WORDS[language]
    person, page = somebody(house), new_page(language="en" if language == "de" else "de")
    page.goto("/sign-in/")
    page.locator(f".languages button[value={language}]").click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.get_by_label(name, exact=True).fill(person.username)
    page.get_by_label(password, exact=True).fill(people.PASSWORD)
    page.locator("[name=code]").fill(people.code(person))
    page.get_by_role("button", name=sign_in, exact=True).click()
    page.wait_for_url("**/home/croupier/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.get_by_role("button", name=sign_out).click()
    page.wait_for_url("**/sign-in/")
    expect(page.get_by_role("heading", level=1)).to_have_text(sign_in)


def test_back_button_shows_nothing_after_sign_out(page: Page, house: House) -> None:
    person = somebody(house)
    enter(page, person)
    page.get_by_role("button", name="Abmelden").click()
    page.wait_for_url("**/sign-in/")
    page.go_back()
    page.wait_for_url(re.compile(r"/sign-in/\?next="))
    expect(page.get_by_text(person.full_name)).to_have_count(0)


def test_password_is_shown_while_wanted_and_hidden_when_sent(page: Page, house: House) -> None:
    page.goto("/sign-in/")
    field, button = page.locator("[name=password]"), page.get_by_role("button", name="Eingabe zeigen")
    field.fill("sichtbar?")
    button.click()
    expect(field).to_have_attribute("type", "text")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(field).to_have_attribute("type", "password")


def test_cookie_of_another_instance_on_the_same_host_stays(page: Page, server: Server, house: House) -> None:
    page.context.add_cookies([{"name": "saalchef-other", "value": "kept", "url": server.address}])
    enter(page, somebody(house))
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    assert cookies["saalchef-other"]["value"] == "kept"
    assert (cookies["saalchef-test"]["httpOnly"], cookies["saalchef-test"]["sameSite"]) == (True, "Lax")
    assert "sessionid" not in cookies


def test_switch_between_roles(page: Page, house: House) -> None:
    enter(page, somebody(house, "croupier", "auditor"))
    expect(page.locator("html")).to_have_attribute("data-theme", "floor")
    page.get_by_role("navigation", name="Rollen").get_by_role("link", name="Revision").click()
    page.wait_for_url("**/home/auditor/")
    expect(page.locator("html")).to_have_attribute("data-theme", "office")
    expect(page.get_by_role("navigation", name="Rollen").get_by_role("link", name="Revision")).to_have_attribute(
        "aria-current", "page"
    )
    page.get_by_role("link", name="Saalchef").click()
    page.wait_for_url("**/home/croupier/")


def test_own_password_is_changed(page: Page, house: House) -> None:
    person = somebody(house)
    enter(page, person)
    page.get_by_role("link", name="Passwort ändern").click()
    page.get_by_label("Bisheriges Passwort").fill("falsch")
    page.get_by_label("Neues Passwort", exact=True).fill(PRESENT)
    page.get_by_label("Neues Passwort wiederholen").fill(PRESENT)
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_role("alert")).to_contain_text("Das bisherige Passwort stimmt nicht")
    page.get_by_label("Bisheriges Passwort").fill(people.PASSWORD)
    page.get_by_label("Neues Passwort", exact=True).fill(PRESENT)
    page.get_by_label("Neues Passwort wiederholen").fill(PRESENT)
    page.get_by_role("button", name="Speichern").click()
    page.wait_for_url("**/home/croupier/")
    expect(page.get_by_role("status")).to_contain_text("Ihr Passwort wurde geändert.")
    person.refresh_from_db()
    assert person.check_password(PRESENT)
    page.get_by_role("link", name="Passwort ändern").click()
    page.get_by_role("link", name="Abbrechen").click()
    page.wait_for_url("**/home/croupier/")


def test_clock_goes_on_by_the_houses_zone(page: Page, house: House) -> None:
    enter(page, somebody(house))
    page.clock.install()
    page.reload()
    shown = page.locator("header time")
    before = shown.inner_text()
    assert re.fullmatch(r"\d\d:\d\d", before)
    page.clock.fast_forward("03:00")
    hour, minute = map(int, before.split(":"))
    later = {f"{(hour * 60 + minute + plus) // 60 % 24:02d}:{(hour * 60 + minute + plus) % 60:02d}" for plus in (3, 4)}
    assert shown.inner_text() in later


def test_error_page_leads_home(new_page: Callable[..., Page], house: House) -> None:
    page = new_page(allowed="404|403")
    enter(page, somebody(house))
    page.goto("/gibt/es/nicht/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Unter dieser Adresse ist nichts.")
    page.get_by_role("link", name="Zur Startseite").click()
    page.wait_for_url("**/home/croupier/")
    page.goto("/home/manager/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mit Ihrer Rolle lässt sich diese Seite nicht öffnen.")


def test_demo_fills_the_form_with_one_click(new_demo_page: Callable[..., Page]) -> None:
    page = new_demo_page()
    page.goto("/sign-in/")
    for who in ("Martina Frei", "Leitung"):
        page.get_by_role("button", name=who).click()
        page.keyboard.press("Enter")  # the focus is on the button that sends the form
        page.wait_for_url("**/home/*/")
        expect(page.get_by_text("Demo: Nichts hier ist echt.")).to_be_visible()
        page.get_by_role("button", name="Abmelden").click()
        page.wait_for_url("**/sign-in/")


def test_demo_codes_stay_fresh(new_demo_page: Callable[..., Page]) -> None:
    page = new_demo_page()
    asked: list[str] = []
    answer = {"codes": {"m.frei": "111222"}, "seconds_left": 30}
    page.route("**/sign-in/demo/", lambda route: (asked.append(route.request.url), route.fulfill(json=answer)))
    page.clock.install()
    page.goto("/sign-in/")
    code = page.get_by_role("button", name="Martina Frei").locator(".code")
    expect(code).to_have_text("111 222")
    answer["codes"] = {"m.frei": "333444"}
    page.clock.run_for(31_000)
    expect(code).to_have_text("333 444")
    assert len(asked) == 2


def test_nobody_is_a_demo_person_here(page: Page, house: House) -> None:
    page.goto("/sign-in/")
    expect(page.locator(".demo")).to_have_count(0)
    expect(page.locator(".house .name")).to_have_text(house.name)
    assert not Person.objects.filter(is_demo=True).exists()
