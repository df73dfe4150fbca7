"""The page of a jackpot in a real browser: a whole hit by people's hands, by keyboard and on a telephone; how every state looks."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from casino.people.pins import pin_set
from jackpot.models import Claim, Slip
from payouts.audit import run_audits
from tables.models import Round
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_everywhere import look
from tests.browser.people import LOOKED_AT, be
from tests.browser.pit.test_floor import REFUSED, form, said
from tests.casino.people import people
from tests.jackpot.linked import dull, royal

pytestmark = pytest.mark.browser
NOTES = {"cards_seen": "gesehen: L. Bernasconi", "deck_counted": "52 Karten", "camera_time": "22:14:05"}


@pytest.fixture
def house(floor_server: object) -> HitHouse:
    return HitHouse()


@pytest.fixture
def boss(new_floor_page: Callable[..., Page], house: HitHouse) -> Page:
    page = new_floor_page(allowed=REFUSED, reduced_motion="reduce")
    be(page, house.boss)
    return page


def phase(page: Page, words: str) -> None:
    """Wait until the open page says this of the jackpot; it keeps itself fresh."""
    expect(page.locator(".top .word")).to_contain_text(words)


def note(page: Page, number: int) -> None:
    """Fill the checklist of a claim and verify it."""
    claim = page.locator(f"#claim-{number}")
    for check, text in NOTES.items():
        claim.locator(f"[name={check}]").fill(text)
    with page.expect_navigation():  # of another claim it may be said already
        claim.get_by_role("button", name="Gewinnmeldung bestätigen").click()
    said(page, "Gewinnmeldung bestätigt.")


def sign(page: Page, person: object) -> None:
    page.locator("form[action$='/sign/'] [name=secret]").fill(people.code(person))
    page.get_by_role("button", name="Unterschreiben", exact=True).click()
    said(page, "Unterschrieben.")


def test_a_whole_hit_from_the_call_to_open_bets_and_paid_slips(
    boss: Page, new_floor_page: Callable[..., Page], house: HitHouse
) -> None:
    first, second = house.running()
    caller = new_floor_page(allowed=REFUSED)
    be(caller, house.second)  # who calls looks at no claim of it
    caller.goto(f"/floor/rounds/{first}/")
    caller.get_by_role("button", name="Royal für diesen Tisch ausrufen").click()
    said(caller, "Royal ist ausgerufen: Alle verbundenen Tische sind gesperrt")
    boss.goto("/floor/")
    expect(boss.locator(".tile", has_text="UTH 2").locator(".held")).to_contain_text("Progressive:")
    boss.get_by_role("link", name=re.compile("Worauf gewartet wird")).click()
    expect(boss.locator(".waits-for")).to_contain_text("Es laufen noch Runden: UTH 1, UTH 2.")

    house.end(0, first, royal("h"))
    house.end(1, second, royal("d"))
    house.advance()
    expect(boss.locator(".waits-for")).to_contain_text("2 Gewinnmeldungen sind zu prüfen.")  # by itself
    boss.locator("#claim-1 [name=cards_seen]").fill(NOTES["cards_seen"])
    boss.locator("#claim-1 [name=deck_counted]").fill(" ")
    boss.locator("#claim-1 [name=camera_time]").fill(NOTES["camera_time"])
    boss.keyboard.press("Enter")
    expect(boss.locator("#claim-1").get_by_role("alert")).to_contain_text("Deck gezählt")
    expect(boss.locator("#claim-1 [name=camera_time]")).to_have_value(NOTES["camera_time"])
    note(boss, 1)
    note(boss, 2)
    house.advance()

    expect(boss.locator(".waits .split")).to_contain_text("UTH 2, Box 1")
    boss.locator("form[action$='/sign/'] [name=secret]").fill("000000")
    boss.keyboard.press("Enter")
    expect(form(boss, "sign").get_by_role("alert")).to_be_visible()
    sign(boss, house.boss)
    expect(boss.locator(".waits")).to_contain_text("Nun prüft und unterschreibt eine andere Person.")
    other = new_floor_page(allowed=REFUSED, width=390, height=844, has_touch=True, is_mobile=True)
    be(other, house.manager)
    other.goto(house.page)
    sign(other, house.manager)
    house.advance()

    expect(boss.locator(".waits-for")).to_contain_text("zeigen den neuen Stand noch nicht: Display 1, Display 2.")
    house.confirm(house.displays[0])
    expect(boss.locator(".list .word.settled", has_text="zeigt den Stand")).to_have_count(1)
    assert house.confirm_all() == "open"
    expect(boss.get_by_text("An seinen Tischen darf gesetzt werden.")).to_be_visible()

    cage = new_floor_page(allowed=REFUSED)
    be(cage, house.cage)
    pin_set(person=house.cage, pin="271828")
    cage.get_by_role("navigation").get_by_role("link", name="Jackpot").click()
    expect(cage.locator(".claim")).to_have_count(0)
    for number in (1, 2):
        cage.goto("/floor/slips/")
        cage.locator("li", has_text=f"Beleg {number}").get_by_role("link").click()
        cage.get_by_label("Ihre PIN").fill("271828")
        cage.keyboard.press("Enter")
        said(cage, f"Beleg {number} ist ausgezahlt.")
    assert set(Slip.objects.filter(house=house.house).values_list("state", "paid_by")) == {("paid", house.cage.pk)}
    assert [result.name for result in run_audits() if result.breaches] == []


def test_a_misread_card_is_rejected_by_keyboard_alone(
    boss: Page, new_floor_page: Callable[..., Page], house: HitHouse
) -> None:
    house.hit(winners=1)
    boss.goto(house.page)
    summary = boss.locator("#claim-1 summary", has_text="Gewinnmeldung trifft nicht zu")
    summary.focus()
    boss.keyboard.press("Enter")
    boss.keyboard.press("Tab")
    boss.keyboard.type("die Zehn war aus Kreuz")
    boss.keyboard.press("Enter")
    said(boss, "Gewinnmeldung abgelehnt.")
    boss.locator("#reject-hit-reason").fill("falsch gelesen")
    boss.keyboard.press("Enter")
    said(boss, "Beantragt")
    page = new_floor_page(allowed=REFUSED)
    be(page, house.second)
    page.goto(house.page)
    expect(page.locator(".waits")).to_contain_text("falsch gelesen")
    sign(page, house.second)
    assert house.advance() == "showing"
    phase(page, "neuer Stand ist anzuzeigen")
    assert house.confirm_all() == "open"
    phase(page, "offen")


def test_a_claiming_round_that_was_a_misdeal(boss: Page, new_floor_page: Callable[..., Page], house: HitHouse) -> None:
    first, _ = house.running()
    house.call(0, first)
    boss.goto(f"/floor/rounds/{first}/")
    expect(form(boss, "void")).to_have_count(0)
    boss.locator("#void-ask-reason").fill("eine Karte lag offen")
    form(boss, "void-ask").locator("button").click()
    said(boss, "Beantragt")
    page = new_floor_page(allowed=REFUSED)
    be(page, house.second)
    page.goto("/floor/")
    page.get_by_role("link", name=re.compile("Ansehen und unterschreiben")).click()
    page.locator("form[action$='/sign/'] [name=secret]").fill(people.code(house.second))
    page.keyboard.press("Enter")
    said(page, "Annulliert.")
    assert (Round.objects.get(pk=first).state, Claim.objects.get(round_id=first).state) == ("voided", "dropped")


# How it looks
def draining(page: Page) -> None:
    house = HitHouse()
    first, _ = house.running()
    house.call(0, first)
    be(page, house.boss)
    page.goto(house.page)


def verifying(page: Page) -> None:
    house = HitHouse()
    house.hit()
    house.verify(Claim.objects.filter(hit__jackpot=house.jackpot).order_by("number").first())
    be(page, house.boss)
    page.goto(house.page)


def to_sign(page: Page) -> None:
    house = HitHouse()
    house.hit()
    house.verify_all()
    house.sign(house.asked(), house.bea)
    be(page, house.boss)
    page.goto(house.page)
    page.locator("form[action$='/sign/'] [name=secret]").fill("000000")
    page.locator("form[action$='/sign/'] button").click()
    page.get_by_role("alert").wait_for()


def to_reject(page: Page) -> None:
    house = HitHouse()
    house.hit(winners=1)
    be(page, house.boss)
    page.goto(house.page)
    page.locator("#claim-1 summary").click()
    page.locator("#claim-1 [name=reason]").fill("die Zehn war aus Kreuz")
    page.locator("#claim-1 form[action$='/refuse/'] button").click()
    page.locator("#reject-hit-reason").wait_for()


def showing(page: Page) -> None:
    house = HitHouse()
    house.hit()
    house.verify_all()
    house.approve()
    house.confirm(house.displays[0])
    be(page, house.boss)
    page.goto(house.page)
    page.locator("details:has(form[action$='/out/']):not(#displays *) > summary").last.click()


def at_the_cage(page: Page) -> None:
    house = HitHouse()
    house.hit()
    house.verify_all()
    house.approve()
    be(page, house.cage)
    page.goto(house.page)


def claiming_round(page: Page) -> None:
    house = HitHouse()
    first, _ = house.running()
    house.call(0, first)
    be(page, house.boss)
    page.goto(f"/floor/rounds/{first}/")


def floor_while_it_drains(page: Page) -> None:
    house = HitHouse()
    first, second = house.running()
    house.call(0, first)
    house.end(1, second, dull())
    be(page, house.boss)
    page.goto("/floor/")


PAGES = (draining, verifying, to_sign, to_reject, showing, at_the_cage, claiming_round, floor_while_it_drains)


@pytest.mark.parametrize("language", LOOKED_AT)
@pytest.mark.parametrize("opened", PAGES, ids=lambda page: page.__name__)
def test_page(new_floor_page: Callable[..., Page], opened: Callable[[Page], None], language: str) -> None:
    page = new_floor_page(language=language, allowed="status of 4(0[349]|22)", reduced_motion="reduce")
    opened(page)
    assert page.locator("html").get_attribute("lang") == language
    assert look(page, f"hit_{opened.__name__}", language) == []
    assert page.get_by_role("heading", level=1).count() == 1
