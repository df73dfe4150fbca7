"""Decisions on the floor's pages in a real browser: corrections and who signs them, what is to be clarified, setting up."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from jackpot.models import Jackpot
from payouts.models import Approval
from tables.models import Pit, ReviewItem, Round, Table
from tests.browser.floor_house import FloorHouse
from tests.browser.people import be
from tests.browser.pit.test_floor import REFUSED, fact, form, said
from tests.casino.people import people
from tests.floor import stakes_for, taps

pytestmark = pytest.mark.browser


@pytest.fixture
def floor(floor_server: object) -> FloorHouse:
    return FloorHouse()


@pytest.fixture
def boss(new_floor_page: Callable[..., Page], floor: FloorHouse) -> Page:
    """The pit boss's browser, in German, at 1280 × 800."""
    page = new_floor_page(allowed=REFUSED, reduced_motion="reduce")
    be(page, floor.boss)
    return page


# Corrections
def correct(page: Page, reason: str = "Box 1 hatte gewonnen") -> None:
    """Fill and send the form that puts box 1 right: it won with a flush."""
    page.locator("summary", has_text="Korrigieren").click()
    page.get_by_label("Ergebnis").select_option("win")
    page.get_by_label("Blatt").select_option("flush")
    page.locator("#correct-reason").fill(reason)
    form(page, "correct").locator("button.act").click()


def test_own_round_is_corrected_at_once_within_the_seconds(boss: Page, floor: FloorHouse) -> None:
    guests = floor.open(croupier=floor.boss)
    round_id = floor.lock(stakes_for(guests[:1]), croupier_id=floor.boss.pk)["id"]
    floor.settle(round_id, taps(b1={"play": 4, "result": "lose"}), person_id=floor.boss.pk)
    boss.goto(f"/floor/rounds/{round_id}/")
    correct(boss, reason="zu")
    expect(form(boss, "correct").get_by_role("alert")).to_be_visible()
    expect(boss.get_by_label("Blatt")).to_have_value("flush")
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
    expect(boss.locator("#sign")).to_contain_text("Jemand anderes prüft es und unterschreibt")
    assert boss.locator("[name=secret]").count() == 0

    page = new_floor_page(allowed=REFUSED)
    be(page, getattr(floor, signer))
    page.goto("/floor/")
    page.get_by_role("link", name=re.compile("Ansehen und unterschreiben")).click()
    expect(page.locator("#sign")).to_contain_text("Box 1 hatte gewonnen")
    pin = floor.pin(getattr(floor, signer))
    page.locator("form[action$='/sign/'] [name=secret]").fill("000000")
    page.get_by_role("button", name="Unterschreiben").click()
    expect(form(page, "sign").get_by_role("alert")).to_contain_text("PIN")
    page.locator("form[action$='/sign/'] [name=secret]").fill(pin)
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
    page.locator("form[action$='/sign/'] [name=secret]").fill(people.code(floor.manager))
    page.get_by_role("button", name="Unterschreiben").click()
    said(page, "Korrigiert.")


def test_rejected_with_a_reason(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    round_id = floor.lost()
    approval = floor.ask(round_id)
    page = new_floor_page(allowed=REFUSED)
    be(page, floor.second)
    page.goto(f"/floor/rounds/{round_id}/")
    page.locator("summary", has_text="Ablehnen").click()
    pin = floor.pin(floor.second)
    page.locator("#reject-reason").fill("no")
    page.locator("#reject-secret").fill(pin)
    form(page, "reject").locator("button").click()
    expect(form(page, "reject").get_by_role("alert")).to_be_visible()
    expect(page.locator("#reject-reason")).to_have_value("no")
    page.locator("#reject-reason").fill("die Kamera zeigt etwas anderes")
    page.locator("#reject-secret").fill(pin)
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


# To be clarified
def test_taken_with_a_reason(boss: Page, floor: FloorHouse) -> None:
    entry = floor.late()
    boss.goto("/floor/")
    boss.get_by_role("link", name=re.compile("Ansehen und entscheiden")).click()
    expect(boss.get_by_role("main")).to_contain_text("offline gespielte Runde")
    boss.locator("summary", has_text="Alles, wie es gesendet wurde").click()
    expect(boss.locator("pre")).to_contain_text("Betrag: CHF 15.00")
    boss.locator("#take-reason").fill("ja")
    form(boss, "take").locator("button").click()
    expect(form(boss, "take").get_by_role("alert")).to_be_visible()
    expect(boss.locator("#take-reason")).to_have_value("ja")
    boss.locator("#take-reason").fill("mit dem Croupier besprochen")
    form(boss, "take").locator("button").click()
    said(boss, "Verbucht.")
    boss.goto("/floor/")
    expect(fact(boss, "Zu klären")).to_have_text("0")
    assert Round.objects.get(pk=entry.round_id).state == "settled"


def test_dismissed_with_a_reason_by_one_of_two(
    boss: Page, new_floor_page: Callable[..., Page], floor: FloorHouse
) -> None:
    entry = floor.late(playable=False)
    boss.goto(f"/floor/to-clarify/{entry.pk}/")
    expect(boss.get_by_role("main")).to_contain_text("lässt sich nicht lesen")
    expect(form(boss, "take")).to_have_count(0)
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
    entry = ReviewItem.objects.get(pk=entry.pk)
    assert (entry.state, entry.closed_by) == ("dismissed", floor.second)


# Setting up
def test_technician_sets_the_floor_up(new_floor_page: Callable[..., Page], floor: FloorHouse) -> None:
    page = new_floor_page(allowed=REFUSED)
    be(page, floor.tech)
    page.goto("/floor/")
    page.get_by_role("link", name="Einrichten", exact=True).click()
    page.locator("#pit-name").fill("Salon Privé")
    page.locator("#pit-position").fill("2x")
    form(page, "pit").locator("button").click()
    expect(form(page, "pit").get_by_role("alert")).to_contain_text("2x")
    expect(page.locator("#pit-name")).to_have_value("Salon Privé")
    page.locator("#pit-position").fill("2")
    form(page, "pit").locator("button").click()
    said(page, "Erledigt.")

    page.locator("#table-uth-pit").select_option(label="Salon Privé")
    page.locator("#table-uth-name").fill("UTH 1")
    page.locator("#table-uth-boxes").fill("5")
    form(page, "table").first.locator("button").click()
    expect(form(page, "table").first.get_by_role("alert")).to_be_visible()  # the name is taken
    expect(page.locator("#table-uth-boxes")).to_have_value("5")
    page.locator("#table-uth-name").fill("UTH 9")
    form(page, "table").first.locator("button").click()
    said(page, "Erledigt.")

    page.locator("#jackpot-name").fill("Zweiter Jackpot")
    page.locator("#jackpot-offline_linked").select_option("play_flagged")
    with page.expect_navigation():
        form(page, "jackpot").locator("button").click()
    said(page, "Erledigt.")
    made = page.locator("li", has_text="Zweiter Jackpot").filter(has=form(page, "parameters"))
    made.get_by_label("Ohne Server: Ein Tisch").select_option("stop")
    with page.expect_navigation():  # "Erledigt." stands there already
        made.get_by_role("button").click()
    said(page, "Erledigt.")
    row = page.locator("li", has_text="UTH 9")
    row.get_by_label("Jackpot").select_option(label="Zweiter Jackpot")
    with page.expect_navigation():
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
