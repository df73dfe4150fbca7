"""Poker at *rake only* on the tablet: guests sit down with chips, a hand is two taps, the last is put right (POK-2, RAK)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tables.models import HandResult, PokerStay, ReviewItem, StayChips
from tests.browser.hands import HandTablet, PatientRoom, hand_tablet
from tests.browser.people import be, somebody

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
NewPage = Callable[..., Page]


@pytest.fixture
def room(floor_server: object) -> PatientRoom:
    return PatientRoom()


@pytest.fixture
def tablet(room: PatientRoom, new_floor_page: NewPage) -> HandTablet:
    return hand_tablet(new_floor_page, room)


def stays(tablet: HandTablet) -> dict[int | None, str]:
    """By seat, the state of everybody who sat down; who left has none."""
    rows = PokerStay.objects.filter(guest__session__table=tablet.table).select_related("guest")
    return {stay.guest.box: stay.state for stay in rows}


def chips(tablet: HandTablet, count: int) -> list[tuple[str, str, int]]:
    """What moved beside hands, once it is so much: kind, means, francs."""
    rows = StayChips.objects.filter(stay__guest__session__table=tablet.table).order_by("id")
    for _ in range(600):
        if rows.count() >= count:
            break
        tablet.page.wait_for_timeout(50)
    return [(row.kind, row.means, row.amount_minor // 100) for row in rows]


def test_a_hand_is_two_taps_and_is_taken_back_whole(tablet: HandTablet) -> None:
    """Undo takes it back before the server hears of it; then another rake, who was dealt in put right, and *Next hand*."""
    page = tablet.page
    expect(tablet.dock("100")).to_have_count(0)
    for seat, minor, means in ((1, 4_000, "cash"), (2, 12_000, "chips"), (9, 20_000, "chips")):
        tablet.buy_in(seat, minor, means)
    assert chips(tablet, 3) == [("buy_in", "cash", 40), ("buy_in", "chips", 120), ("buy_in", "chips", 200)]
    tablet.next_hand()
    expect(tablet.action).to_have_attribute("aria-disabled", "true")  # the rake ends it
    tablet.rake("500")
    expect(tablet.dock("500")).to_have_attribute("aria-pressed", "true")
    tablet.later()
    tablet.key("Rückgängig").tap()
    tablet.phase("dealt")
    assert tablet.hands(0) == []
    tablet.rake("400")
    tablet.later()
    tablet.dock("300").tap()  # it waits for the next tap: another rake is no other hand
    tablet.later()
    tablet.head(9).tap()
    expect(tablet.box(9)).to_contain_text("setzt aus")
    tablet.next_hand()
    assert tablet.hands(1) == [(1, 2, 300, 1)]
    expect(page.locator(".head .number")).to_have_text("Hand 2")
    tablet.rake("no_flop")
    tablet.next_hand()
    assert tablet.hands(2)[1] == (2, 3, 0, 1)
    assert not HandResult.objects.get(hand__table=tablet.table, hand__number=2).flop
    assert page.get_by_role("alert").count() == 0


def test_what_nobody_taps_any_more_is_sent(room: PatientRoom, new_floor_page: NewPage) -> None:
    """After four seconds, by itself; also by a page that is loaded anew meanwhile."""
    tablet = hand_tablet(new_floor_page, room, hurried=True)
    for seat in (1, 2):
        tablet.buy_in(seat, 4_000)
    tablet.next_hand()
    tablet.rake("100")
    assert tablet.hands(1) == [(1, 2, 100, 1)]
    tablet.next_hand()
    tablet.rake("200")
    tablet.reload()
    assert tablet.hands(2)[1] == (2, 2, 200, 1)
    expect(tablet.key("Hand 2 korrigieren")).to_be_visible()


def test_the_last_hand_is_put_right(tablet: HandTablet) -> None:
    """Who dealt it does so alone, within the house's seconds; the table goes on where it was."""
    for seat in (1, 2, 3):
        tablet.buy_in(seat, 4_000)
    tablet.next_hand()
    tablet.rake("500")
    tablet.next_hand()
    tablet.hands(1)
    tablet.key("Hand 1 korrigieren").tap()
    tablet.later()
    tablet.key("Korrektur verlassen").tap()
    tablet.phase("dealt")
    tablet.later()
    tablet.key("Hand 1 korrigieren").tap()
    tablet.later()
    tablet.dock("200").tap()
    tablet.act()
    tablet.phase("dealt")
    expect(tablet.key("Hand 1 korrigieren")).to_be_visible()
    for _ in range(100):
        if tablet.hands(1)[0][3] == 2:
            break
        tablet.page.wait_for_timeout(50)
    assert tablet.hands(1) == [(1, 3, 200, 2)]
    assert tablet.page.get_by_role("alert").count() == 0


def test_the_schedule_says_the_rake_of_a_pot(tablet: HandTablet) -> None:
    """By the pad: the pot, what comes off it and why; an amount that the table has no chips for is none."""
    page = tablet.page
    for seat in (1, 2):
        tablet.buy_in(seat, 4_000)
    tablet.next_hand()
    tablet.dock("other").tap()
    tablet.later()
    for sign in ("6", "7", ".", "5"):
        page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    expect(page.locator(".sheet .do.large")).to_be_disabled()
    for _ in range(2):
        page.locator(".numbers button").last.tap()
    expect(page.locator(".pad-place .help")).to_contain_text("Taxe CHF 3.00")
    page.locator(".sheet .do.large").tap()
    tablet.phase("between")
    expect(tablet.dock("other")).to_contain_text("Pot 67")
    tablet.next_hand()
    assert tablet.hands(1) == [(1, 2, 300, 1)]
    assert HandResult.objects.get(hand__table=tablet.table).pot_minor == 6_700
    assert page.get_by_role("alert").count() == 0


def test_what_is_done_at_a_seat(tablet: HandTablet) -> None:
    """For who is dealt in it waits until the hand has gone; who is not is served at once (POK-2)."""
    page = tablet.page
    for seat in (1, 2, 3):
        tablet.buy_in(seat, 4_000)
    tablet.next_hand()
    sheet = tablet.open_seat(1)
    sheet.locator("[data-part=tip]").tap()
    tablet.later()
    sheet.locator("[data-minor='200']").tap()
    expect(tablet.action).to_contain_text("nach dieser Hand")
    tablet.green()
    expect(tablet.box(1)).to_contain_text("Trinkgeld")
    sheet = tablet.open_seat(2)
    sheet.locator("[data-part=away]").tap()
    expect(page.locator("[data-why=waiting]")).to_contain_text("2 Sachen")
    tablet.later()
    page.get_by_role("button", name="Doch nicht").tap()
    expect(page.locator("[data-why=waiting]")).to_contain_text("1 Sache")
    assert len(chips(tablet, 3)) == 3
    tablet.rake("100")
    tablet.next_hand()
    assert chips(tablet, 4)[3] == ("tip", "stack", 2)

    tablet.later()
    tablet.head(3).tap()
    sheet = tablet.open_seat(3)
    sheet.locator("[data-minor='12000']").tap()
    tablet.green()
    assert chips(tablet, 5)[4] == ("top_up", "cash", 120)
    expect(tablet.box(3).locator(".value")).to_have_text("160")
    sheet = tablet.open_seat(3)
    sheet.locator("[data-part=move]").tap()
    tablet.later()
    sheet.locator("[data-to='7']").tap()
    tablet.green()
    expect(tablet.box(7).locator(".value")).to_have_text("160")
    expect(tablet.box(7)).to_contain_text("setzt aus")  # as before the move
    sheet = tablet.open_seat(7)
    sheet.locator("[data-part=away]").tap()
    expect(tablet.box(7)).to_contain_text("Pause")
    sheet = tablet.open_seat(7)
    sheet.locator("[data-part=back]").tap()
    expect(tablet.box(7)).not_to_contain_text("Pause")
    sheet = tablet.open_seat(7)
    sheet.locator("[data-part=leave]").tap()
    tablet.later()
    for sign in "155":
        page.locator(".numbers").get_by_role("button", name=sign, exact=True).tap()
    expect(tablet.action).to_contain_text("Geht mit 155")
    tablet.green()
    expect(tablet.seat_key(7)).to_contain_text("Gast platzieren")
    assert chips(tablet, 8)[-1] == ("out", "", 155)
    assert page.get_by_role("alert").count() == 0


def test_without_the_server_everything_goes_in_its_order(tablet: HandTablet) -> None:
    """A guest who sat down without it is dealt in by the hands that wait behind the buy-in."""
    page = tablet.page
    for seat in (1, 2):
        tablet.buy_in(seat, 4_000)
    tablet.next_hand()
    page.context.set_offline(True)
    expect(page.locator(".link.off")).to_be_visible()
    tablet.rake("100")
    sheet = tablet.open_seat(5)
    sheet.locator("[data-minor='20000']").tap()
    tablet.green()
    expect(tablet.box(5)).to_contain_text("200")
    tablet.next_hand()
    tablet.rake("200")
    tablet.next_hand()
    expect(page.locator(".link")).to_contain_text("2 Hände gespeichert")
    tablet.reload()
    expect(tablet.box(5)).to_contain_text("200")
    page.context.set_offline(False)
    assert tablet.hands(2) == [(1, 2, 100, 1), (2, 3, 200, 1)]
    assert stays(tablet) == {1: "playing", 2: "playing", 5: "playing"}
    expect(tablet.box(5).locator(".guest")).to_have_text("Gast 3")
    assert page.get_by_role("alert").count() == 0


def hand_refused(room: PatientRoom, new_floor_page: NewPage) -> HandTablet:
    """A hand of three comes back: the pit sent one of them off meanwhile, and the page hears of it by the refusal."""
    tablet = hand_tablet(new_floor_page, room, allowed="Service Worker|DISCONN|404")
    page = tablet.page
    for seat in (1, 2, 3):
        tablet.buy_in(seat, 4_000)
    tablet.next_hand()
    answers: list[str] = []

    def before(route: Route) -> None:
        if not answers:
            answers.append(route.fetch().text())
        route.fulfill(body=answers[0], content_type="application/json")

    page.route("**/surface/**", before)
    for _ in range(600):
        if answers:
            break
        page.wait_for_timeout(50)
    stay = PokerStay.objects.get(guest__session__table=tablet.table, guest__box=3)
    room.of(stay, "stay_leave", counted_minor=4_000)
    tablet.dock("100").tap()
    tablet.later()
    tablet.action.tap()
    expect(page.locator("[data-why=refused]")).to_contain_text("POK-2")
    expect(page.locator(".round")).to_have_attribute("data-mode", "again")
    page.unroute("**/surface/**")
    expect(tablet.seat_key(3)).to_contain_text("Gast platzieren")
    return tablet


def test_a_hand_that_is_refused_comes_back(room: PatientRoom, new_floor_page: NewPage) -> None:
    """A guest who had gone was not dealt in: it is put right on the screen, and the hand that runs goes on."""
    tablet = hand_refused(room, new_floor_page)
    expect(tablet.action).to_contain_text("2 Spieler")
    tablet.later()
    tablet.dock("200").tap()
    tablet.act()
    assert tablet.hands(1) == [(1, 2, 200, 1)]
    tablet.phase("dealt")
    tablet.rake("100")
    tablet.next_hand()
    assert tablet.hands(2)[1] == (2, 2, 100, 1)


def test_a_hand_that_is_refused_is_given_to_the_pit(room: PatientRoom, new_floor_page: NewPage) -> None:
    """As it was dealt: the pit books it with the guest who has gone, or not; the table plays on."""
    tablet = hand_refused(room, new_floor_page)
    tablet.later()
    tablet.page.get_by_role("button", name="Der Aufsicht übergeben").tap()
    alert = tablet.page.get_by_role("alert")
    expect(alert).to_contain_text("wartet auf die Aufsicht")
    tablet.phase("dealt")
    tablet.rake("300")
    tablet.next_hand()
    assert tablet.hands(1) == [(1, 2, 300, 1)]
    entry = ReviewItem.objects.get(table=tablet.table)
    assert (entry.kind, entry.state, entry.sent_by) == ("hand_end", "open", room.martina)
    dealt = PokerStay.objects.filter(pk__in=entry.payload["dealt"]).values_list("guest__box", flat=True)
    assert (sorted(dealt), entry.payload["rake_minor"]) == ([1, 2, 3], 100)

    pit = new_floor_page()
    be(pit, somebody(room.house, "pit_boss"))
    pit.goto("/pit/")
    pit.locator("#clarify").get_by_role("link").click()
    panel = pit.get_by_role("dialog")
    expect(panel).to_contain_text("1 (Gast 1), 2 (Gast 2), 3 (Gast 3)")
    panel.locator("form[action$='/take/'] [name=reason]").fill("so gespielt")
    panel.locator("form[action$='/take/'] button").click()
    assert tablet.hands(2)[1] == (2, 3, 100, 1)


def test_time_is_taken_from_all_with_one_tap(room: PatientRoom, new_floor_page: NewPage) -> None:
    """RAK-2: due as they sit down; the hand itself is one tap, and nothing is raked."""
    tablet = hand_tablet(new_floor_page, room, room.timed)
    for seat in (1, 2):
        tablet.buy_in(seat, 4_000)
    expect(tablet.box(1).locator(".sits")).to_contain_text("fällig")
    tablet.later()
    tablet.page.locator("[data-takes=time]").tap()
    assert chips(tablet, 4)[2:] == [("time", "stack", 5), ("time", "stack", 5)]
    expect(tablet.box(1).locator(".sits")).to_contain_text("bezahlt bis")
    for _ in range(3):
        tablet.next_hand()
    tablet.later()
    tablet.key("Rückgängig").tap()
    tablet.phase("dealt")
    tablet.act()
    tablet.next_hand()
    assert tablet.hands(3) == [(number, 2, 0, 1) for number in (1, 2, 3)]
    assert tablet.page.get_by_role("alert").count() == 0
