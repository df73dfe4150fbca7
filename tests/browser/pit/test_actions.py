"""What the pit boss does for a table without leaving the board: rounds, corrections and what came late, in the panel beside it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from casino.people.models import Person
from jackpot.models import Award, Claim, Hit
from payouts.models import Approval
from tables.models import ReviewItem, Round, RoundResult
from tables.services import guest_leave
from tests.browser.floor_house import FloorHouse
from tests.browser.hit_house import HitHouse
from tests.browser.people import be
from tests.browser.pit_page import open_pit, tile
from tests.casino.people import people
from tests.floor import done, stakes_for, taps
from tests.jackpot.linked import royal

pytestmark = pytest.mark.browser


@pytest.fixture
def floor(floor_server: object) -> FloorHouse:
    return FloorHouse()


def panel_of(page: Page, name: str) -> Locator:
    """The table's panel beside the board."""
    tile(page, name).click()
    panel = page.get_by_role("dialog")
    expect(panel).to_be_visible()
    return panel


def win(part: Locator, hand: str = "flush") -> None:
    """Say that the box won."""
    box = part.locator("fieldset").first
    play = box.get_by_label("Play")
    if play.count():
        play.select_option("4")
    box.get_by_label("Ergebnis").select_option("win")
    box.get_by_label("Blatt").select_option(hand)


def test_panel_follows_its_table_and_leaves_what_somebody_types(
    new_floor_page: Callable[..., Page], floor: FloorHouse
) -> None:
    guests = floor.open()
    page = new_floor_page(width=1440, height=900)
    open_pit(page, floor)
    panel = panel_of(page, "UTH 1")
    running = panel.get_by_role("link", name=re.compile("Laufende Runde"))
    expect(panel.locator("#hand-over-croupier")).to_be_visible()
    expect(running).to_have_count(0)
    locked = floor.lock(stakes_for(guests[:1]))
    expect(running).to_be_visible()
    expect(panel.locator(".top")).to_contain_text("Runde läuft")

    panel.locator("#hand-over-croupier").select_option(str(floor.nora.pk))
    floor.settle(locked["id"], taps(b1={"play": 4, "result": "lose"}))
    done(guest_leave, house_id=floor.house.pk, guest_id=guests[6].pk, actor_id=floor.reto.pk)
    expect(running).to_have_count(0)
    expect(panel.locator(".top")).to_contain_text("Offen")
    expect(panel.locator("#hand-over-croupier")).to_have_value(str(floor.nora.pk))
    expect(panel.locator(".acts")).to_contain_text("Gast 7")  # the whole part waits until he is done
    panel.get_by_role("button", name="Übergeben").click()
    expect(panel.locator(".top")).to_contain_text("Nora Oberhollenzer-Brändli")
    expect(panel.locator(".acts")).not_to_contain_text("Gast 7")

    done(guest_leave, house_id=floor.house.pk, guest_id=guests[5].pk, actor_id=floor.reto.pk)
    expect(panel.locator(".acts")).not_to_contain_text("Gast 6")
    panel.locator("#level-entry_level").select_option(
        "full_cards"
    )  # a form that came by itself is sent from the panel too
    panel.locator("form[action$='/level/'] button").click()
    expect(panel.get_by_text("Erledigt.")).to_be_visible()
    expect(page).to_have_url(re.compile("/pit/$"))


def test_head_leaves_a_phones_screen_to_the_floor(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    for language in ("de", "en", "fr", "it"):
        page = new_floor_page(width=390, height=844, language=language)
        open_pit(page, floor)
        begins, wide = page.evaluate(
            "[document.getElementById('board').getBoundingClientRect().top, document.documentElement.scrollWidth]"
        )
        assert (begins < 844 / 5, wide) == (True, 390), (language, begins)


def test_round_of_an_absent_croupier_is_settled_in_the_panel(
    new_floor_page: Callable[..., Page], floor: FloorHouse
) -> None:
    round_id = floor.round()
    page = new_floor_page(width=1440, height=900, allowed="status of 4(09|22)")
    open_pit(page, floor)
    expect(tile(page, "UTH 1")).to_contain_text("Runde läuft")
    panel = panel_of(page, "UTH 1")
    panel.get_by_role("link", name=re.compile("Laufende Runde")).click()
    settle = panel.locator("form[action$='/settle/']")
    settle.locator("button.act").click()
    expect(settle.get_by_role("alert")).to_be_focused()  # what is missing is said where it is missing
    win(settle)
    settle.locator("button.act").click()
    expect(panel.get_by_text("Erledigt.")).to_be_visible()
    expect(panel.get_by_role("row").filter(has_text="Blind gewinnt mit Farbe")).to_contain_text("CHF 37.50")
    expect(tile(page, "UTH 1")).to_contain_text("Offen")
    expect(panel.get_by_text("Erledigt.")).to_have_count(0, timeout=10_000)  # it is said for a while
    assert RoundResult.objects.get(round_id=round_id).entered_by == floor.boss


def test_correction_is_asked_for_in_the_panel_and_another_one_signs_it_there(
    new_floor_page: Callable[..., Page], floor: FloorHouse
) -> None:
    round_id = floor.lost()
    page = new_floor_page(width=1440, height=900)
    open_pit(page, floor)
    panel = panel_of(page, "UTH 1")
    panel.locator(f"a[href$='/floor/rounds/{round_id}/']").first.click()
    panel.locator("summary", has_text="Korrigieren").click()
    correct = panel.locator("form[action$='/correct/']")
    win(correct)
    correct.locator("#correct-reason").fill("Box 1 hatte gewonnen")
    correct.locator("button.act").click()
    expect(panel.locator("#sign")).to_contain_text("Jemand anderes prüft es und unterschreibt")
    page.keyboard.press("Escape")
    expect(page.locator("#approvals .one")).to_contain_text("Box 1 hatte gewonnen")
    expect(tile(page, "UTH 1")).to_contain_text("Zu unterschreiben")

    pin = floor.pin(floor.second)
    other = new_floor_page(width=1440, height=900)
    open_pit(other, floor, "second")
    other.locator("#approvals").get_by_role("link", name=re.compile("Prüfen")).click()
    panel = other.get_by_role("dialog")
    panel.locator("form[action$='/sign/'] [name=secret]").fill(pin)
    panel.get_by_role("button", name="Unterschreiben").click()
    for board in (page, other):
        expect(board.locator("#approvals .one")).to_have_count(0)
    assert Round.objects.get(pk=round_id).revision == 2
    assert Approval.objects.get(house=floor.house, action="round.correct").state == "used"


def test_late_round_is_booked_in_the_panel(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    entry = floor.late()
    page = new_floor_page(width=1440, height=900)
    open_pit(page, floor)
    expect(tile(page, "UTH 2")).to_contain_text("Zu klären")
    page.locator("#clarify").get_by_role("link").click()
    panel = page.get_by_role("dialog")
    panel.locator("#take-reason").fill("mit dem Croupier besprochen")
    panel.locator("form[action$='/take/'] button").click()
    expect(page.locator("#clarify")).to_have_count(0)
    expect(tile(page, "UTH 2")).not_to_contain_text("Zu klären")
    assert ReviewItem.objects.get(pk=entry.pk).state != "open"
    assert Round.objects.get(pk=entry.round_id).state == "settled"


# By keys alone
def reached(page: Page, what: str, *, by: str = "textContent") -> None:
    """Go on with the Tab key to what bears this."""
    for _ in range(150):
        page.keyboard.press("Tab")
        if what in (page.evaluate(f"document.activeElement !== document.body && document.activeElement.{by}") or ""):
            return
    raise AssertionError(what)


def typed(page: Page, where: str, *words: str) -> None:
    """Go to the field of this id, type into it and those after it, and send them."""
    page.locator(f"[id^='{where}']").locator("visible=true").first.wait_for()
    reached(page, where, by="id")
    for number, text in enumerate(words):
        if number:
            page.keyboard.press("Tab")
        page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_table_is_run_by_keys_alone(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    guests = floor.open()
    floor.lock(stakes_for(guests[:1]))
    page = new_floor_page(width=1440, height=900)
    open_pit(page, floor)
    page.keyboard.press("1")
    expect(tile(page, "UTH 1")).to_be_focused()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog")
    panel.get_by_role("link", name=re.compile("Laufende Runde")).wait_for()
    reached(page, "Laufende Runde")
    page.keyboard.press("Enter")
    typed(page, "void-reason", "Croupier fehlt")
    expect(panel.get_by_text("Erledigt.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(tile(page, "UTH 1")).to_be_focused()
    expect(tile(page, "UTH 1")).to_contain_text("Offen")


def signed(page: Page, house: HitHouse, person: Person) -> None:
    """What waits in the control room is signed with the person's own code."""
    be(page, person)
    page.goto(f"/pit/jackpots/{house.jackpot.pk}/")
    typed(page, "sign-", people.code(person))


def test_absent_croupier_dead_display_and_wrong_claim_in_one_hit_by_keys_alone(
    new_floor_page: Callable[..., Page],
) -> None:
    house = HitHouse(displays=2, tables=3)
    true, wrong, absent = (house.start(table) for table in range(3))
    page = new_floor_page(width=1440, height=900)
    be(page, house.boss)
    page.goto("/pit/")
    house.end(0, true, royal("h"))
    house.end(1, wrong, royal("d"))
    expect(tile(page, "UTH 3")).to_contain_text("Runde läuft")
    page.keyboard.press("3")  # nobody stands at UTH 3: its round holds the jackpot up
    expect(tile(page, "UTH 3")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("link", name=re.compile("Laufende Runde")).wait_for()
    reached(page, "Laufende Runde")
    page.keyboard.press("Enter")
    typed(page, "void-reason", "Croupier fehlt")
    expect(page.get_by_role("dialog").get_by_text("Erledigt.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert Round.objects.get(pk=absent).state == "voided"
    house.advance()

    reached(page, "Jackpot")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pit/jackpots/**")
    claims = dict(Claim.objects.filter(hit__jackpot=house.jackpot).values_list("number", "pk"))
    typed(page, f"verify-{claims[1]}-", "gesehen", "52", "22:14")
    expect(page.locator("#claim-1")).to_contain_text("bestätigt")
    reached(page, "claim-2", by="closest('.claim')?.id")
    reached(page, "Gewinnmeldung trifft nicht zu")
    page.keyboard.press("Enter")
    typed(page, f"refuse-{claims[2]}-", "die Zehn ist ein Bube")
    expect(page.locator("#step-verified")).to_contain_text("die Zehn ist ein Bube")
    house.advance()
    expect(page.locator("#step-split")).to_contain_text("Fassung 1")
    signed(page, house, house.boss)
    expect(page.locator("#step-approved")).to_contain_text("Sie haben unterschrieben")
    second = new_floor_page(width=1440, height=900)
    signed(second, house, house.manager)
    for one in (page, second):
        expect(one.locator("#step-gated")).to_have_attribute("aria-current", "step")

    house.confirm(house.displays[0])  # the other one is dead
    reached(page, "Display 2")
    page.keyboard.press("Enter")
    typed(page, "out-", "Bildschirm schwarz")
    expect(page.locator(".waits")).to_contain_text("Bildschirm schwarz")
    third = new_floor_page(width=1440, height=900)
    signed(third, house, house.second)
    house.advance()
    for one in (page, third):
        expect(one.locator("#step-reopened time")).to_be_visible()
    assert house.now().phase == "open"
    assert Hit.objects.get(jackpot=house.jackpot).state == "paid"
    assert list(Award.objects.filter(kind="share").filter(hit__jackpot=house.jackpot).values_list("table_id")) == [
        (house.tables[0].pk,)
    ]
