"""The floor's pages in a pit boss's hands: every control used in a real browser, by mouse, by finger and by keyboard."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, expect

from tables.models import Guest, Round, RoundResult, Table, TableSession
from tests.browser.floor_house import FloorHouse
from tests.browser.people import be
from tests.floor import stakes_for, taps

pytestmark = pytest.mark.browser
REFUSED = "status of 4(0[0349]|22)"  # what Chromium writes to its console about a page that came with a refusal


@pytest.fixture
def floor(floor_server: object) -> FloorHouse:
    return FloorHouse()


@pytest.fixture
def boss(new_floor_page: Callable[..., Page], floor: FloorHouse) -> Page:
    """The pit boss's browser, in German, at 1280 × 800."""
    page = new_floor_page(allowed=REFUSED, reduced_motion="reduce")
    be(page, floor.boss)
    return page


def at_table(page: Page, table: Table) -> None:
    page.goto("/floor/")
    page.get_by_role("link", name=table.name, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(table.name)


def form(page: Page, step: str) -> Locator:
    """The form of the page that does this."""
    return page.locator(f"form[action$='/{step}/']")


def said(page: Page, text: str) -> None:
    """What a command answers at the top of the page that follows."""
    expect(page.locator(".notices")).to_contain_text(text)


def fact(page: Page, name: str) -> Locator:
    """The figure or word under this name in the head of the page."""
    return page.locator(".sums .fact").filter(has=page.locator("dt", has_text=re.compile(f"^{name}$"))).locator("dd")


# A table's evening
def test_open_hand_over_level_and_close(boss: Page, floor: FloorHouse) -> None:
    at_table(boss, floor.table)
    boss.get_by_label("Croupier").select_option(label="Martina Frei")
    boss.get_by_label("Erfassung").select_option(label="Nur Jackpot")
    boss.get_by_role("button", name="Tisch öffnen").click()
    said(boss, "Erledigt.")
    expect(fact(boss, "Croupier")).to_have_text("Martina Frei")
    expect(fact(boss, "Erfassung")).to_have_text("Nur Jackpot")

    boss.get_by_label("An Croupier").select_option(label="Nora Oberhollenzer-Brändli")
    boss.get_by_role("button", name="Übergeben").click()
    expect(fact(boss, "Croupier")).to_have_text("Nora Oberhollenzer-Brändli")
    boss.get_by_label("Ab der nächsten Runde").select_option(label="Alle Karten")
    boss.get_by_role("button", name="Ändern").click()
    expect(fact(boss, "Erfassung")).to_have_text("Alle Karten")

    boss.get_by_role("button", name="Schliessen").click()
    expect(boss.locator(".top .state")).to_have_text("Geschlossen")
    session = TableSession.objects.get(table=floor.table)
    assert (session.croupier, session.closed_by) == (floor.nora, floor.boss)
    assert session.entry_level == "full_cards"


def test_open_and_seat_by_keyboard_alone(boss: Page, floor: FloorHouse) -> None:
    at_table(boss, floor.table)
    boss.get_by_label("Croupier").focus()
    boss.keyboard.type("Nora")
    boss.keyboard.press("Tab")
    boss.keyboard.type("Schnell")
    boss.keyboard.press("Tab")
    boss.keyboard.press("Enter")
    said(boss, "Erledigt.")
    assert TableSession.objects.get(table=floor.table).croupier == floor.nora
    boss.get_by_role("button", name="An Box 3 platzieren").focus()
    boss.keyboard.press("Enter")
    expect(boss.get_by_text("sitzt an Box 3")).to_be_visible()
    summary = boss.locator("summary", has_text="Umplatzieren")
    summary.focus()
    boss.keyboard.press("Enter")
    boss.keyboard.press("Tab")
    assert boss.evaluate("document.activeElement.name") == "box"
    boss.keyboard.type("5")
    for _field in range(3):
        boss.keyboard.press("Tab")
    boss.keyboard.press("Enter")
    expect(boss.get_by_text("sitzt an Box 5")).to_be_visible()


def test_guests_arrive_move_and_leave_under_a_finger(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    page = new_floor_page(width=390, height=844, has_touch=True, is_mobile=True, allowed=REFUSED)
    be(page, floor.boss)
    floor.open_for(1)
    at_table(page, floor.table)
    page.get_by_role("button", name="An Box 2 platzieren").tap()
    expect(page.get_by_text("sitzt an Box 2")).to_be_visible()
    page.locator("summary", has_text="Weiterer Gast").tap()
    page.locator("#arrive-box").select_option("4")
    page.locator("#arrive-seated").select_option("")
    page.locator("#arrive-distance").fill("3")
    page.get_by_role("button", name="Gast hinzufügen").tap()
    expect(page.get_by_text("steht, Inhaber von Box 4 · Platz 3 vom Schlitten")).to_be_visible()

    guest = page.locator("li", has_text="steht, Inhaber von Box 4")
    guest.locator("summary").tap()
    guest.get_by_label("Box", exact=True).select_option("1")  # somebody sits there
    guest.get_by_label("Platz vom Schlitten").fill("2")
    guest.get_by_role("button", name="Umplatzieren", exact=False).last.tap()
    guest = page.locator("li", has=page.get_by_role("alert"))
    expect(guest.get_by_role("alert")).to_be_visible()
    expect(guest.get_by_label("Box", exact=True)).to_have_value("1")
    expect(guest.get_by_label("Platz vom Schlitten")).to_have_value("2")
    guest.get_by_label("Box", exact=True).select_option("6")
    form(guest, "move").locator("button").tap()
    expect(page.get_by_text("steht, Inhaber von Box 6 · Platz 2 vom Schlitten")).to_be_visible()
    form(page.locator("li", has_text="sitzt an Box 2"), "leave").locator("button").tap()
    expect(page.get_by_role("button", name="An Box 2 platzieren")).to_be_visible()
    assert sorted(floor.guests(floor.table).values_list("box", flat=True)) == [1, 6]


def test_refused_opening_is_said_in_its_form_and_keeps_the_choice(boss: Page, floor: FloorHouse) -> None:
    at_table(boss, floor.other)
    boss.get_by_label("Croupier").select_option(label="Nora Oberhollenzer-Brändli")
    boss.get_by_label("Erfassung").select_option(label="Nur Jackpot")
    boss.get_by_role("button", name="Tisch öffnen").click()
    expect(form(boss, "open").get_by_role("alert")).to_contain_text("Jackpot")
    expect(boss.get_by_label("Croupier")).to_have_value(str(floor.nora.pk))
    boss.get_by_label("Erfassung").select_option(label="Schnell")
    boss.get_by_role("button", name="Tisch öffnen").click()
    said(boss, "Erledigt.")


def test_close_over_a_running_round_is_refused_beside_the_button(boss: Page, floor: FloorHouse) -> None:
    floor.round()
    at_table(boss, floor.table)
    boss.get_by_role("button", name="Schliessen").click()
    expect(form(boss, "close").get_by_role("alert")).to_contain_text("läuft eine Runde")


def test_double_click_is_one_command_and_two_buttons_are_two(boss: Page, floor: FloorHouse) -> None:
    floor.open_for()
    at_table(boss, floor.table)
    boss.get_by_role("button", name="An Box 2 platzieren").dblclick()
    expect(boss.get_by_text("sitzt an Box 2")).to_be_visible()
    boss.wait_for_load_state()  # with all its forms
    keys = boss.locator("input[name=key]").evaluate_all("fields => fields.map(field => field.value)")
    assert len(set(keys)) == len(keys) > 5
    assert floor.guests(floor.table).count() == 1
    assert Guest.objects.filter(session__table=floor.table).count() == 1


# What is seen
def test_floor_shows_what_happens_without_being_asked(boss: Page, floor: FloorHouse) -> None:
    boss.goto("/floor/")
    tile = boss.locator(".tile").filter(has=boss.get_by_role("link", name="UTH 1", exact=True))
    expect(tile).to_contain_text("Geschlossen")
    expect(boss.get_by_text("Nichts wartet auf eine Entscheidung.")).to_be_visible()
    round_id = floor.round(2, coins=1)
    expect(tile).to_contain_text("Runde läuft")
    expect(tile).to_contain_text("Martina Frei · Schnell")
    expect(tile.locator(".time")).to_have_text(re.compile(r"0:\d\d"))
    assert tile.locator(".dot.coin").count() == 1
    expect(boss.locator(".meter")).to_contain_text("CHF 10’001.00")
    floor.settle(round_id, taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"}))
    expect(tile).to_contain_text("Offen")
    expect(tile.locator(".result")).to_contain_text("CHF 120.00")
    floor.ask(round_id, b2={"result": "fold"})
    floor.late()
    expect(tile).to_contain_text("1 zu unterschreiben")
    other = boss.locator(".tile").filter(has=boss.get_by_role("link", name="UTH 2", exact=True))
    expect(other).to_contain_text("1 zu klären")
    boss.get_by_role("link", name=re.compile("Ansehen und unterschreiben")).click()
    boss.wait_for_url(f"**/rounds/{round_id}/#sign")


def test_no_answer_is_said_and_ends_by_itself(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    boss = new_floor_page(allowed="status of 503")
    be(boss, floor.boss)
    boss.clock.install()
    boss.goto("/floor/")
    note = boss.get_by_text("Keine Live-Daten:")
    expect(note).to_be_hidden()
    boss.route("**/floor/", lambda route: route.fulfill(status=503, body="later"))
    boss.clock.run_for(20_000)
    boss.clock.run_for(4_000)
    expect(note).to_be_visible()
    boss.unroute("**/floor/")
    boss.clock.run_for(4_000)
    expect(note).to_be_hidden()


def test_what_is_typed_outlasts_fresh_data(boss: Page, floor: FloorHouse) -> None:
    round_id = floor.round()
    boss.goto(f"/floor/rounds/{round_id}/")
    boss.locator("#void-reason").fill("Karte am Boden")
    boss.locator("h1").click()
    floor.settle(round_id, taps(b1={"result": "fold"}))
    expect(boss.locator(".top .word").first).to_contain_text("abgerechnet")
    expect(boss.locator("#void-reason")).to_have_value("Karte am Boden")
    form(boss, "void").locator("button").click()
    expect(boss.get_by_role("alert")).to_contain_text("abgerechnet")
    assert Round.objects.get(pk=round_id).state == "settled"


# Rounds
def test_settled_by_taps_and_its_lines(boss: Page, floor: FloorHouse) -> None:
    round_id = floor.round(2, trips=500)
    at_table(boss, floor.table)
    boss.get_by_role("link", name="Laufende Runde 1").click()
    one, two = boss.locator("fieldset").first, boss.locator("fieldset").last
    one.get_by_label("Play").select_option("4")
    one.get_by_label("Ergebnis").select_option(label="gewinnt")
    form(boss, "settle").locator("button.act").click()
    expect(form(boss, "settle").get_by_role("alert")).to_contain_text("Box 2")
    expect(one.get_by_label("Ergebnis")).to_have_value("win")
    one.get_by_label("Blatt").select_option(label="Farbe")
    two.get_by_label("Ergebnis").select_option(label="passt")
    form(boss, "settle").locator("button.act").click()
    said(boss, "Erledigt.")
    row = boss.get_by_role("row").filter(has_text="Blind gewinnt mit Farbe")
    expect(row).to_contain_text("CHF 37.50")
    expect(row).to_contain_text("UTH-6")
    kept = RoundResult.objects.get(round_id=round_id)
    assert (kept.source, kept.entered_by) == ("taps", floor.boss)


def test_settled_by_cards_typed_with_keys(boss: Page, floor: FloorHouse) -> None:
    round_id = floor.round(level="full_cards")
    boss.goto(f"/floor/rounds/{round_id}/")
    boss.get_by_label("Board").focus()
    boss.keyboard.type("ah kh QH jh 2c")
    boss.keyboard.press("Tab")
    boss.keyboard.type("3c 4c")
    boss.get_by_label("Play").select_option("4")
    boss.get_by_label("Karten", exact=True).fill("10♦ 10♦")
    boss.keyboard.press("Enter")
    expect(form(boss, "settle").get_by_role("alert")).to_be_visible()
    expect(boss.get_by_label("Board")).to_have_value("ah kh QH jh 2c")
    expect(boss.get_by_label("Karten", exact=True)).to_have_value("10♦ 10♦")
    boss.get_by_label("Karten", exact=True).fill("10♦ as")
    boss.keyboard.press("Enter")
    said(boss, "Erledigt.")
    expect(boss.locator(".card.heart").first).to_be_visible()
    assert RoundResult.objects.get(round_id=round_id).source == "cards"


def test_withdrawn_and_voided(boss: Page, floor: FloorHouse) -> None:
    first = floor.round(coins=1)
    boss.goto(f"/floor/rounds/{first}/")
    boss.get_by_role("button", name="Zurückziehen").click()
    said(boss, "Erledigt.")
    second = UUID(floor.lock(stakes_for(list(floor.guests(floor.table))[:1]))["id"])
    boss.goto(f"/floor/rounds/{second}/")
    boss.locator("#void-reason").fill("ab")
    boss.get_by_role("button", name="Annullieren").click()
    expect(form(boss, "void").get_by_role("alert")).to_be_visible()
    expect(boss.locator("#void-reason")).to_have_value("ab")
    boss.locator("#void-reason").fill("eine Karte fiel zu Boden")
    boss.get_by_role("button", name="Annullieren").click()
    expect(boss.get_by_text("eine Karte fiel zu Boden · Laura Bernasconi")).to_be_visible()
    assert {row.state for row in Round.objects.filter(pk__in=[first, second])} == {"voided"}
