"""The floor's pages in a pit boss's hands: every control used in a real browser, by mouse, by finger and by keyboard."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, expect

from jackpot.models import Jackpot
from payouts.models import Approval
from tables.models import Guest, Pit, Round, RoundResult, Table, TableSession, ToClarify
from tests.browser.floor_house import FloorHouse
from tests.browser.people import be
from tests.floor import stakes_for, taps
from tests.people import people

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


# --- a table's evening --------------------------------------------------------------------------------------------------------
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
    boss.get_by_role("button", name="An Box 3 setzen").focus()
    boss.keyboard.press("Enter")
    expect(boss.get_by_text("sitzt an Box 3")).to_be_visible()
    summary = boss.locator("summary", has_text="Umsetzen")
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
    page.get_by_role("button", name="An Box 2 setzen").tap()
    expect(page.get_by_text("sitzt an Box 2")).to_be_visible()
    page.locator("summary", has_text="Weiterer Gast").tap()
    page.locator("#box-new").select_option("4")
    page.locator("#seated-new").select_option("")
    page.locator("#distance-new").fill("3")
    page.get_by_role("button", name="Gast hinzufügen").tap()
    expect(page.get_by_text("steht, Inhaber von Box 4 · Platz 3 vom Schlitten")).to_be_visible()

    guest = page.locator("li", has_text="steht, Inhaber von Box 4")
    guest.locator("summary").tap()
    guest.get_by_label("Box", exact=True).select_option("1")  # somebody sits there
    guest.get_by_label("Platz vom Schlitten").fill("2")
    guest.get_by_role("button", name="Umsetzen", exact=False).last.tap()
    guest = page.locator("li", has=page.get_by_role("alert"))
    expect(guest.get_by_role("alert")).to_be_visible()
    expect(guest.get_by_label("Box", exact=True)).to_have_value("1")
    expect(guest.get_by_label("Platz vom Schlitten")).to_have_value("2")
    guest.get_by_label("Box", exact=True).select_option("6")
    form(guest, "move").locator("button").tap()
    expect(page.get_by_text("steht, Inhaber von Box 6 · Platz 2 vom Schlitten")).to_be_visible()
    form(page.locator("li", has_text="sitzt an Box 2"), "leave").locator("button").tap()
    expect(page.get_by_role("button", name="An Box 2 setzen")).to_be_visible()
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
    boss.get_by_role("button", name="An Box 2 setzen").dblclick()
    expect(boss.get_by_text("sitzt an Box 2")).to_be_visible()
    keys = boss.locator("input[name=key]").evaluate_all("fields => fields.map(field => field.value)")
    assert len(set(keys)) == len(keys) > 5
    assert floor.guests(floor.table).count() == 1
    assert Guest.objects.filter(session__table=floor.table).count() == 1


# --- what is seen -------------------------------------------------------------------------------------------------------------
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
    note = boss.get_by_text("Keine laufenden Daten")
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


# --- rounds -------------------------------------------------------------------------------------------------------------------
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
    one.get_by_label("Hand").select_option(label="Farbe")
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


# --- corrections --------------------------------------------------------------------------------------------------------------
def correct(page: Page, reason: str = "Box 1 hatte gewonnen") -> None:
    """Fill and send the form that puts box 1 right: it won with a flush."""
    page.locator("summary", has_text="Korrigieren").click()
    page.get_by_label("Ergebnis").select_option("win")
    page.get_by_label("Hand").select_option("flush")
    page.locator("#correct-reason").fill(reason)
    form(page, "correct").locator("button.act").click()


def test_own_round_is_corrected_at_once_within_the_seconds(boss: Page, floor: FloorHouse) -> None:
    guests = floor.open(croupier=floor.boss)
    round_id = floor.lock(stakes_for(guests[:1]), croupier_id=floor.boss.pk)["id"]
    floor.settle(round_id, taps(b1={"play": 4, "result": "lose"}), person_id=floor.boss.pk)
    boss.goto(f"/floor/rounds/{round_id}/")
    correct(boss, reason="zu")
    expect(form(boss, "correct").get_by_role("alert")).to_be_visible()
    expect(boss.get_by_label("Hand")).to_have_value("flush")
    boss.locator("#correct-reason").fill("Box 1 hatte gewonnen")
    form(boss, "correct").locator("button.act").click()
    said(boss, "Korrigiert.")
    expect(boss.locator("del", has_text="CHF 0.00").first).to_be_visible()
    assert Round.objects.get(pk=round_id).revision == 2


@pytest.mark.parametrize("signer", ["second", "manager"])
def test_later_it_is_asked_for_and_another_signs_by_pin(
    boss: Page, new_floor_page: Callable[..., Page], floor: FloorHouse, signer: str
) -> None:
    round_id = floor.lost()
    boss.goto(f"/floor/rounds/{round_id}/")
    correct(boss)
    said(boss, "Die Korrektur ist beantragt")
    expect(boss.locator("#sign")).to_contain_text("Jemand anderes sieht sie an und unterschreibt")
    assert boss.locator("[name=secret]").count() == 0

    page = new_floor_page(allowed=REFUSED)
    be(page, getattr(floor, signer))
    page.goto("/floor/")
    page.get_by_role("link", name=re.compile("Ansehen und unterschreiben")).click()
    expect(page.locator("#sign")).to_contain_text("Box 1 hatte gewonnen")
    pin = floor.pin(getattr(floor, signer))
    page.locator("[name=secret]").fill("000000")
    page.get_by_role("button", name="Unterschreiben").click()
    expect(form(page, "sign").get_by_role("alert")).to_contain_text("PIN")
    page.locator("[name=secret]").fill(pin)
    page.keyboard.press("Enter")
    said(page, "Korrigiert.")
    # The one who asked sees it on his open page: what waits is gone, and what counts is new.
    expect(boss.locator("#sign")).to_have_count(0)
    expect(boss.locator(".top")).to_contain_text("korrigiert")
    assert Round.objects.get(pk=round_id).revision == 2


def test_signed_by_a_code_where_the_house_wants_one(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    floor.want_codes()
    round_id = floor.lost()
    floor.ask(round_id)
    page = new_floor_page(allowed=REFUSED)
    be(page, floor.manager)
    page.goto(f"/floor/rounds/{round_id}/")
    page.get_by_label("Code Ihrer Authenticator-App").fill(people.code(floor.manager))
    page.get_by_role("button", name="Unterschreiben").click()
    said(page, "Korrigiert.")


def test_rejected_with_a_reason(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    round_id = floor.lost()
    approval = floor.ask(round_id)
    page = new_floor_page(allowed=REFUSED)
    be(page, floor.second)
    page.goto(f"/floor/rounds/{round_id}/")
    page.locator("summary", has_text="Ablehnen").click()
    page.locator("#reject-reason").fill("no")
    form(page, "reject").locator("button").click()
    expect(form(page, "reject").get_by_role("alert")).to_be_visible()
    expect(page.locator("#reject-reason")).to_have_value("no")
    page.locator("#reject-reason").fill("die Kamera zeigt etwas anderes")
    form(page, "reject").locator("button").click()
    said(page, "Erledigt.")
    assert Approval.objects.get(pk=approval.pk).state == "rejected"
    assert Round.objects.get(pk=round_id).revision == 1


def test_correction_of_lines_that_somebody_else_has_corrected_is_refused(boss: Page, floor: FloorHouse) -> None:
    guests = floor.open(croupier=floor.boss)
    round_id = floor.lock(stakes_for(guests[:1]), croupier_id=floor.boss.pk)["id"]
    floor.settle(round_id, taps(b1={"play": 4, "result": "lose"}), person_id=floor.boss.pk)
    boss.goto(f"/floor/rounds/{round_id}/")
    boss.locator("summary", has_text="Korrigieren").click()  # from here on the form stays as it is
    floor.correct(round_id, taps(b1={"play": 4, "result": "tie"}), person_id=floor.boss.pk)
    boss.get_by_label("Ergebnis").select_option("win")
    boss.locator("#correct-reason").fill("Box 1 hatte gewonnen")
    form(boss, "correct").locator("button.act").click()
    expect(form(boss, "correct").get_by_role("alert")).to_contain_text("von jemand anderem geändert")
    expect(boss.get_by_label("Ergebnis")).to_have_value("win")
    assert Round.objects.get(pk=round_id).revision == 2


# --- to be clarified ----------------------------------------------------------------------------------------------------------
def test_taken_with_a_reason(boss: Page, floor: FloorHouse) -> None:
    entry = floor.late()
    boss.goto("/floor/")
    boss.get_by_role("link", name=re.compile("Ansehen und entscheiden")).click()
    expect(boss.get_by_role("main")).to_contain_text("ohne Server gespielte Runde")
    boss.locator("summary", has_text="Alles, wie es gesendet wurde").click()
    expect(boss.locator("pre")).to_contain_text('"amount_minor": 1500')
    boss.locator("#take-reason").fill("ja")
    form(boss, "take").locator("button").click()
    expect(form(boss, "take").get_by_role("alert")).to_be_visible()
    expect(boss.locator("#take-reason")).to_have_value("ja")
    boss.locator("#take-reason").fill("mit dem Croupier besprochen")
    form(boss, "take").locator("button").click()
    said(boss, "Verbucht.")
    expect(fact(boss, "Zu klären")).to_have_text("0")
    assert Round.objects.get(pk=entry.round_id).state == "settled"


def test_dismissed_with_a_reason_by_one_of_two(
    boss: Page, new_floor_page: Callable[..., Page], floor: FloorHouse
) -> None:
    entry = floor.late(playable=False)
    boss.goto(f"/floor/to-clarify/{entry.pk}/")
    boss.locator("#take-reason").fill("alle Karten lagen noch")
    form(boss, "take").locator("button").click()
    expect(form(boss, "take").get_by_role("alert")).to_contain_text("lässt sich nicht lesen")
    expect(boss.locator("#take-reason")).to_have_value("alle Karten lagen noch")
    page = new_floor_page(allowed=REFUSED)
    be(page, floor.second)
    page.goto(f"/floor/to-clarify/{entry.pk}/")
    page.locator("#dismiss-reason").fill("die Runde gab es nicht")
    form(page, "dismiss").locator("button").click()
    said(page, "Verworfen.")
    boss.locator("#dismiss-reason").fill("die Runde gab es nicht")
    form(boss, "dismiss").locator("button").click()
    expect(boss.get_by_role("alert")).to_be_visible()
    expect(boss.get_by_role("main")).to_contain_text("Verworfen · Jean-Baptiste de la Rochefoucauld")
    entry = ToClarify.objects.get(pk=entry.pk)
    assert (entry.state, entry.closed_by) == ("dismissed", floor.second)


# --- setting up ---------------------------------------------------------------------------------------------------------------
def test_technician_sets_the_floor_up(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    page = new_floor_page(allowed=REFUSED)
    be(page, floor.tech)
    page.goto("/floor/")
    page.get_by_role("link", name="Einrichten").click()
    page.locator("#pit-name").fill("Salon Privé")
    page.locator("#pit-position").fill("2x")
    form(page, "pit").locator("button").click()
    expect(form(page, "pit").get_by_role("alert")).to_contain_text("2x")
    expect(page.locator("#pit-name")).to_have_value("Salon Privé")
    page.locator("#pit-position").fill("2")
    form(page, "pit").locator("button").click()
    said(page, "Erledigt.")

    page.locator("#table-pit").select_option(label="Salon Privé")
    page.locator("#table-name").fill("UTH 1")
    page.locator("#table-boxes").fill("5")
    form(page, "table").locator("button").click()
    expect(form(page, "table").get_by_role("alert")).to_be_visible()  # the name is taken
    expect(page.locator("#table-boxes")).to_have_value("5")
    page.locator("#table-name").fill("UTH 9")
    form(page, "table").locator("button").click()
    said(page, "Erledigt.")

    page.locator("#jackpot-name").fill("Zweiter Jackpot")
    page.locator("#jackpot-offline").select_option("play_flagged")
    form(page, "jackpot").locator("button").click()
    said(page, "Erledigt.")
    made = page.locator("li", has_text="Zweiter Jackpot").filter(has=form(page, "parameters"))
    made.get_by_label("Ohne Server: Ein Tisch").select_option("stop")
    made.get_by_role("button").click()
    said(page, "Erledigt.")
    row = page.locator("li", has_text="UTH 9")
    row.get_by_label("Jackpot").select_option(label="Zweiter Jackpot")
    row.get_by_role("button", name=re.compile("Verbinden")).click()
    said(page, "Erledigt.")
    table, jackpot = Table.objects.get(house=floor.house, name="UTH 9"), Jackpot.objects.get(name="Zweiter Jackpot")
    assert (table.pit, table.boxes, table.jackpot) == (Pit.objects.get(house=floor.house, position=2), 5, jackpot)
    assert jackpot.offline_linked == "stop"


def test_linking_under_a_running_round_is_refused_in_its_row(
    new_floor_page: Callable[..., Page], floor: FloorHouse
) -> None:
    floor.round()
    page = new_floor_page(allowed=REFUSED)
    be(page, floor.tech)
    page.goto("/floor/set-up/")
    row = page.locator("li", has_text="UTH 1")
    row.get_by_label("Jackpot").select_option("")
    row.get_by_role("button").click()
    expect(row.get_by_role("alert")).to_be_visible()
    expect(row.get_by_label("Jackpot")).to_have_value("")
    assert Table.objects.get(pk=floor.table.pk).jackpot_id == floor.jackpot.pk
