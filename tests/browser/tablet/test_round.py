"""Rounds on a croupier's tablet against the real house: stakes, lock, settlement, payout, undo, and how few taps it takes."""

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

from casino.devices.models import DeviceSession
from casino.people.pins import pin_set
from payouts.models import Event
from tables.models import Guest, HandOver, RoundLine, RoundResult, RoundStake
from tables.services import round_void, table_entry_level_set
from tests.browser.floor_house import FloorHouse, PatientFloor
from tests.browser.people import be
from tests.browser.tablets import ASKS_NEVER, DEAD_MS, Tablet
from tests.casino.devices.devices import PIN
from tests.floor import done

pytestmark = pytest.mark.browser
FULL_HOUSE = "Ks 8h Kh 2d 8c Kc 4h"  # board, then box 5

COUNT = """() => {
    if (window.taps === undefined) addEventListener('pointerdown', () => { window.taps += 1; }, true);
    window.taps = 0;
}"""


@pytest.fixture
def floor(floor_server: object) -> FloorHouse:
    floor = PatientFloor()
    floor.open_for()
    return floor


@pytest.fixture
def tablet(floor: FloorHouse, new_floor_page: Callable[..., Page]) -> Tablet:
    return Tablet(new_floor_page(has_touch=True), floor.table, floor.martina)


def counted(tablet: Tablet, work: Callable[[], object]) -> int:
    """How many taps a finger makes for this."""
    tablet.page.evaluate(COUNT)
    work()
    return tablet.page.evaluate("window.taps")


def plays(tablet: Tablet, **cells: str) -> None:
    """Lock, settle, finish: `plays(tablet, b2="4+", b3="fold")`."""
    tablet.lock()
    for box, name in cells.items():
        tablet.cell(int(box[1:]), name)
    tablet.finish()


PLAIN = {"b2": "4+", "b3": "1-", "b4": "fold", "b5": "2+", "b6": "1+"}


def test_an_evening_at_one_table(tablet: Tablet, floor: FloorHouse) -> None:
    """Guests sit down; stakes are changed, taken back, and repeat; taps stay within their budgets; what is shown is booked."""
    page = tablet.page
    expect(tablet.action).to_contain_text("Nichts geht mehr")
    tablet.act()
    expect(page.get_by_role("alert")).to_contain_text("Keine Box ist besetzt.")
    tablet.seat(2, 3, 4, 5, 6)
    assert Guest.objects.filter(session__table=floor.table, left_at=None).count() == 5
    tablet.tile(3, "ante").tap()
    tablet.chip("25").tap()
    expect(tablet.key("Rückgängig")).to_contain_text("Box 3: Ante 5 → 25")
    tablet.key("Rückgängig").tap()
    expect(tablet.tile(3, "ante")).to_contain_text("5")
    for words in ("5", "aus", "5"):  # on, off and on with one tap each
        tablet.tile(2, "trips").tap()
        expect(tablet.tile(2, "trips").locator(".value")).to_have_text(words)
    for box in (2, 4, 5):
        tablet.tile(box, "coin").tap()
    expect(tablet.action).to_contain_text("5 Boxen · 3 mit Jackpot")

    # a round that is not like the one before
    tablet.lock()
    first = tablet.rounds()[0]
    stakes = RoundStake.objects.filter(round=first, revision=0)
    assert stakes.count() == 5 + 5 + 1 + 3
    expect(page.locator(".pill.locked")).to_contain_text("Nichts geht mehr")
    expect(tablet.action).to_contain_text("Noch 5 Boxen")
    for box, name in PLAIN.items():
        tablet.cell(int(box[1:]), name)
    expect(tablet.box(2).locator(".paid")).to_have_text("+20")  # Ante 5, Play 20, Blind back, Trips lost
    expect(tablet.box(3).locator(".paid")).to_have_text("−15")
    tablet.box(2).locator(".paid").tap()
    expect(page.locator(".why")).to_contain_text("UTH-5")
    tablet.key("Zurück").tap()
    expect(tablet.action).to_contain_text("Haus −20")
    tablet.finish()
    assert [one.state for one in tablet.rounds()] == ["settled"]
    assert RoundResult.objects.get(round=first).source == "taps"

    # unchanged: one tap a box, one to lock, one to finish
    assert counted(tablet, lambda: plays(tablet, **PLAIN)) == 7
    # one Ante changed: its tile and the amount
    assert counted(tablet, lambda: (tablet.tile(3, "ante").tap(), tablet.chip("20").tap(), plays(tablet, **PLAIN))) == 9
    assert RoundStake.objects.get(round=tablet.rounds()[2], box=3, kind="ante").accepted_minor == 2000
    assert counted(tablet, lambda: full_house(tablet)) == 7 + 1 + 8
    fourth = tablet.rounds()[3]
    prize = RoundLine.objects.get(round=fourth, kind="coin", box=5)
    assert (prize.hand, prize.prize_minor) == ("full_house", 5000)
    assert page.get_by_role("alert").count() == 0


def full_house(tablet: Tablet) -> None:
    """Box 5 has a full house and a coin: a key for the hand, seven cards, one tap to confirm them."""
    tablet.lock()
    tablet.cell(2, "4+")
    tablet.cell(3, "1-")
    tablet.cell(4, "fold")
    tablet.cell(5, "2+")
    tablet.hand("full_house")
    tablet.cards(FULL_HOUSE)
    expect(tablet.page.locator(".verdict")).to_contain_text("Full House")
    tablet.action.tap()
    expect(tablet.box(5).locator(".paid")).to_contain_text("JP 50")
    tablet.cell(6, "1+")
    tablet.finish()


def test_mistakes_are_taken_back(tablet: Tablet, floor: FloorHouse) -> None:
    """Double taps, a lock that was too early, a wrong cell, cards that say otherwise, a result put right after the round."""
    page = tablet.page
    tablet.seat(1, 2)
    tablet.tile(1, "coin").tap()
    page.wait_for_timeout(DEAD_MS)
    page.evaluate("document.querySelector('.action').click(); document.querySelector('.action').click()")
    tablet.phase("play")
    assert [one.state for one in tablet.rounds()] == ["locked"]
    tablet.key("Wieder öffnen").tap()
    tablet.phase("bets")
    assert [one.state for one in tablet.rounds()] == ["reopened"]
    assert tablet.tile(1, "coin").inner_text().split() == ["Jackpot", "5"]

    tablet.lock()
    tablet.cell(1, "4-")
    tablet.key("Rückgängig").tap()
    expect(tablet.action).to_contain_text("Noch 2 Boxen")
    tablet.cell(1, "4+")
    tablet.hand("full_house")
    tablet.cards("Ks 8h Kh 2d Kd 9c Kc")  # four kings: the cards are right
    expect(page.locator(".verdict")).to_contain_text("getippt war Full House")
    expect(tablet.action).to_contain_text("Vierling übernehmen")
    tablet.action.tap()
    expect(tablet.box(1).locator(".paid")).to_contain_text("JP 500")
    tablet.key("Rückgängig").tap()  # the cards' confirmation
    for _ in range(7):
        tablet.key("Rückgängig").tap()
    tablet.key("Rückgängig").tap()  # the hand
    tablet.cell(2, "1+")
    tablet.finish()
    second = tablet.rounds()[1]
    assert (second.state, second.revision) == ("settled", 1)

    tablet.key("Runde 2 korrigieren").tap()
    expect(page.locator(".pill.correct")).to_be_visible()
    tablet.cell(2, "1-")
    expect(tablet.action).to_contain_text("Korrektur buchen")
    tablet.finish()
    second.refresh_from_db()
    assert second.revision == 2
    assert RoundResult.objects.get(round=second, revision=2).result["boxes"]["2"]["result"] == "lose"
    expect(tablet.tile(1, "ante")).to_be_visible()


def test_only_what_may_be_staked_can_be_entered(tablet: Tablet, floor: FloorHouse) -> None:
    """The pad says what is wrong; a further box of a guest is played blind; another guest sits down."""
    page = tablet.page
    tablet.seat(1, 2)
    tablet.tile(1, "ante").tap()
    tablet.key("andere").tap()
    for sign in "55":
        page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    expect(page.locator(".help")).to_contain_text("Höchstens CHF\u00a050.00.")
    page.get_by_role("button", name="Löschen").tap()
    page.get_by_role("button", name="Löschen").tap()
    for sign in "12":
        page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    expect(page.locator(".help")).to_contain_text("Nur in Schritten von CHF\u00a05.00.")
    expect(page.get_by_role("button", name="Betrag übernehmen")).to_be_disabled()
    page.get_by_role("button", name="Löschen").tap()
    page.get_by_role("button", name="Löschen").tap()
    for sign in "35":
        page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    page.get_by_role("button", name="Betrag übernehmen").tap()
    expect(tablet.tile(1, "ante")).to_contain_text("35")

    first = Guest.objects.get(session__table=floor.table, box=2, left_at=None)
    tablet.box(2).locator(".top").tap()
    expect(page.locator(".sheet")).to_contain_text("Sonst darf hier niemand setzen: Eine Box hat einen Gast.")
    page.get_by_role("button", name="Ein anderer Gast setzt sich").tap()
    expect(tablet.box(2).locator(".guest")).to_have_text("Gast 3")
    first.refresh_from_db()
    assert first.left_at is not None

    blind = page.get_by_role("button", name=re.compile("blind mit 3×"))
    tablet.box(1).locator(".top").tap()
    expect(blind).to_have_count(5)  # not box 2: somebody sits there (UTH-8)
    tablet.key("Zurück").tap()
    tablet.tile(2, "ante").tap()
    tablet.key("Box 2 leeren").tap()
    tablet.box(1).locator(".top").tap()
    page.get_by_role("button", name="Auch Box 2, blind mit 3×").tap()
    expect(tablet.tile(2, "ante")).to_contain_text("blind 3×")
    tablet.box(2).locator(".top").tap()
    expect(page.get_by_role("button", name="Blind mit 3×, für den Gast der Box 1")).to_have_attribute(
        "aria-pressed", "true"
    )
    tablet.key("Zurück").tap()
    tablet.lock()  # what was sent before has been answered before
    assert not Guest.objects.filter(session__table=floor.table, box=2, left_at=None).exists()  # a free box
    owner = Guest.objects.get(session__table=floor.table, box=1, left_at=None)
    placed = RoundStake.objects.get(round=tablet.rounds()[0], box=2, kind="play")
    assert (placed.guest, placed.accepted_minor) == (owner, 3 * 500)
    expect(tablet.box(2).locator("[data-cell='0:fold']")).to_be_disabled()
    tablet.cell(1, "fold")
    tablet.cell(2, "3+")
    tablet.finish()
    assert tablet.rounds()[0].state == "settled"

    tablet.box(1).locator(".top").tap()  # who played box 2 blind leaves, and plays it no more
    page.get_by_role("button", name="Ein anderer Gast setzt sich").tap()
    expect(tablet.box(1).locator(".guest")).to_have_text("Gast 4")
    assert tablet.box(2).locator(".tile").count() == 0
    tablet.lock()
    assert set(RoundStake.objects.filter(round=tablet.rounds()[1]).values_list("box", "guest__number")) == {(1, 4)}
    tablet.cell(1, "fold")
    tablet.finish()

    tablet.box(1).locator(".top").tap()
    with page.expect_response("**/leave/"):
        page.get_by_role("button", name="Der Gast geht").tap()
    expect(tablet.box(1)).to_contain_text("Gast platzieren")
    assert not Guest.objects.filter(session__table=floor.table, left_at=None).exists()
    expect(tablet.action).to_contain_text("0 Boxen")


# The page does not ask by itself every three seconds: what it hears of another device, it hears by its socket.
def test_other_people_and_devices(floor: FloorHouse, new_floor_page: Callable[..., Page]) -> None:
    """A reload keeps what was tapped; a second tablet shows the same round; the pit voids it, another croupier takes over."""
    page = new_floor_page(has_touch=True)
    page.add_init_script(ASKS_NEVER)
    tablet = Tablet(page, floor.table, floor.martina)
    tablet.seat(1, 2)
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.reload()
    tablet.phase("play")
    expect(tablet.box(1).locator(".paid")).to_have_text("+25")
    expect(tablet.box(2).locator(".paid")).to_have_text("offen")

    other = Tablet(new_floor_page(has_touch=True), floor.table, floor.reto)
    other.phase("play")
    expect(other.box(1).locator(".laid")).to_have_text("5")
    other.key("Runde annullieren").tap()
    other.page.get_by_role("button", name="Fehlgabe").tap()
    other.phase("bets")
    assert [(one.state, one.reason) for one in tablet.rounds()] == [("voided", "Fehlgabe")]
    expect(tablet.page.get_by_role("alert")).to_contain_text("Runde 1 wurde auf einem anderen Gerät beendet.")
    tablet.phase("bets")

    other.lock()
    expect(tablet.page.get_by_role("alert")).to_contain_text("Runde 2 wurde auf einem anderen Gerät begonnen.")
    tablet.phase("play")
    tablet.cell(1, "1-")
    other.page.locator(".person").tap()
    other.page.get_by_role("button", name="Von Martina Frei übernehmen").tap()
    expect(tablet.page.get_by_text("Reto Caduff hat den Tisch.")).to_be_visible()
    assert HandOver.objects.filter(session__table=floor.table).count() == 1
    other.phase("play")
    other.cell(1, "1-")
    other.cell(2, "fold")
    other.finish()
    assert [one.state for one in tablet.rounds()] == ["voided", "settled"]


def test_the_next_croupier_takes_over_a_round_with_its_taps(tablet: Tablet, floor: FloorHouse) -> None:
    """On the same tablet, in the middle of a round: what was tapped stays, and who books it is who has the table."""
    page = tablet.page
    pin_set(person=floor.reto, pin=PIN)
    tablet.seat(1, 2)
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.written()
    page.locator(".person").tap()
    page.get_by_role("link", name="Jemand anderes meldet sich an").tap()
    page.locator(".people .other").tap()
    page.get_by_label("Anmeldename").fill(floor.reto.username)
    for digit in PIN:
        page.locator(".pad button", has_text=digit).tap()
    tablet.phase("play")
    page.locator(".person").tap()
    page.get_by_role("button", name="Von Martina Frei übernehmen").tap()
    expect(page.locator("#menu")).not_to_be_visible()
    expect(tablet.box(1).locator(".paid")).to_have_text("+25")
    expect(tablet.box(2).locator(".paid")).to_have_text("offen")
    tablet.cell(2, "1-")
    tablet.finish()
    [one] = tablet.rounds()
    assert (one.state, one.croupier, one.ended_by) == ("settled", floor.martina, floor.reto)
    [over] = HandOver.objects.filter(session__table=floor.table)
    assert (over.from_croupier, over.to_croupier) == (floor.martina, floor.reto)  # as pit boss he may end it without


def test_a_signed_out_tablet_keeps_its_round(floor: FloorHouse, new_floor_page: Callable[..., Page]) -> None:
    """The sign-in ends in the middle of a round: after a wrong PIN and the right one it is there again, with its taps.
    How soon is measured by `make bench ARGS=tablet`.
    """
    tablet = Tablet(new_floor_page(has_touch=True, allowed="status of 401"), floor.table, floor.martina)
    tablet.seat(1)
    tablet.lock()
    tablet.cell(1, "2+")
    tablet.written()
    DeviceSession.objects.filter(device=tablet.device, ended_at=None).update(
        ended_at="2026-01-01T00:00Z", ended_as="signed_out"
    )
    page = tablet.page
    page.wait_for_url("**/sign-in/")
    page.locator(".people").get_by_role("radio", name="Martina Frei").check()
    for digit in "000001":
        page.locator(".pad button", has_text=digit).tap()
    expect(page.get_by_role("alert")).to_contain_text("Die PIN stimmt nicht.")
    for digit in PIN:
        page.locator(".pad button", has_text=digit).tap()
    tablet.phase("play")
    expect(tablet.box(1).locator(".paid")).to_have_text("+15")
    tablet.finish()
    assert tablet.rounds()[0].state == "settled"


def test_the_other_entry_levels(tablet: Tablet, floor: FloorHouse) -> None:
    """Coins alone take two taps a round; with all cards the result comes from them."""
    where = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    done(table_entry_level_set, **where, entry_level="jackpot_only")
    tablet.page.reload()
    tablet.phase("bets")
    tablet.seat(1, 2)
    assert counted(tablet, lambda: (tablet.lock(), tablet.finish())) == 2
    first = tablet.rounds()[0]
    assert (first.state, RoundResult.objects.get(round=first).source) == ("settled", "coins")

    held: list[Route] = []
    tablet.page.route("**/surface/", lambda route: held.append(route))  # noqa: PLW0108  (it is given a wrapper)
    tablet.lock()  # a royal flush where no coin lies: the others are paid Envy
    with tablet.page.expect_response("**/guests/"):  # its guest comes before the lock was heard of otherwise
        tablet.box(3).locator(".top").tap()
    tablet.page.unroute_all(behavior="ignoreErrors")
    for route in held:
        with suppress(Error):  # the page has given up on it
            route.continue_()
    tablet.hand("royal_flush")
    tablet.cards("Ah Kh Qh Jh 2d Th 9s")
    tablet.action.tap()
    expect(tablet.box(1).locator(".paid")).to_contain_text("Envy 500")
    tablet.finish()
    envied = RoundLine.objects.filter(round=tablet.rounds()[1], kind="envy")
    assert sorted(envied.values_list("box", flat=True)) == [1, 2]

    done(table_entry_level_set, **where, entry_level="full_cards")
    expect(tablet.tile(1, "ante")).to_be_visible()  # the page hears of it by itself
    tablet.lock()
    tablet.box(1).locator("[data-cell='4:']").tap()
    tablet.cell(2, "fold")
    expect(tablet.action).to_contain_text("Karten fehlen")
    tablet.act()
    tablet.cards("Ks 8h Kh 2d 8c Kc 4h 3s 5d Qs Qd")
    expect(tablet.page.locator(".groups")).to_contain_text("Bank")
    tablet.action.tap()
    expect(tablet.box(1).locator(".paid > *")).to_have_text(["+90", "Full House", "+40 · JP\u00a050"])
    tablet.finish()
    third = tablet.rounds()[2]
    assert RoundResult.objects.get(round=third).source == "cards"
    assert RoundLine.objects.get(round=third, kind="blind", box=1).won_minor == 1500


def test_the_floor_is_called(tablet: Tablet, floor: FloorHouse, new_floor_page: Callable[..., Page]) -> None:
    """The pit sees who calls and why, and says that it is seen to; the tablet hears of it."""
    tablet.key("Aufsicht rufen").tap()
    tablet.page.get_by_role("button", name="Grosse Auszahlung").tap()
    expect(tablet.key("Aufsicht gerufen")).to_contain_text("Grosse Auszahlung")
    pit = new_floor_page()
    be(pit, floor.boss)
    pit.goto("/floor/")
    expect(pit.locator(".tile.clarify")).to_contain_text("Aufsicht gerufen: Grosse Auszahlung")
    pit.get_by_role("link", name="UTH 1").click()
    pit.get_by_role("button", name="Ich komme").click()
    expect(tablet.key("Aufsicht gerufen")).to_contain_text("Laura Bernasconi kommt")
    pit.get_by_role("button", name="Erledigt").click()
    expect(tablet.key("Aufsicht rufen")).to_be_visible()
    calls = Event.objects.filter(house=floor.house, subject_kind="floor_call")
    told = calls.order_by("id").values_list("name", flat=True)
    assert list(told) == ["floor.called", "floor.taken", "floor.seen_to"]


def test_void_is_for_the_pit(tablet: Tablet, floor: FloorHouse) -> None:
    tablet.seat(1)
    tablet.lock()
    expect(tablet.key("Karten / Streitfall")).to_be_visible()
    assert tablet.key("Runde annullieren").count() == 0
    ids = {"house_id": floor.house.pk, "round_id": tablet.rounds()[0].pk, "person_id": floor.reto.pk}
    done(round_void, **ids, reason="misdeal")
    expect(tablet.page.get_by_role("alert")).to_contain_text(re.compile("Runde 1 wurde .* beendet"))
