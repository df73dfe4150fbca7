"""Poker at *pots* on the tablet: streets, folds, all-ins, winners; the house books what was shown (POK-2, POK-6, POK-7)."""
# ruff: noqa: N802 - tests are named after the rules

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tables.models import BegunHand, Hand, StayChips
from tests.browser.pots import PotTablet, draw_tablet, pot_tablet

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
NewPage = Callable[..., Page]


@pytest.fixture
def tablet(floor_server: object, new_floor_page: NewPage) -> PotTablet:
    return seated(pot_tablet(new_floor_page))


def seated(tablet: PotTablet) -> PotTablet:
    for seat, minor in ((1, 20_000), (3, 4_000), (5, 12_000), (7, 20_000)):
        tablet.buy_in(seat, minor)
    return tablet


def test_POK_6_a_raised_hand_with_a_side_pot_is_nine_taps(tablet: PotTablet) -> None:
    """Seat 3 is all-in on the turn by itself; the side pot is asked for first."""
    tablet.next_hand()
    tablet.tap("bet-1000 cell-0-1 next bet-2000 next bet-4500 next")
    expect(tablet.page.locator("[data-cell='2-3']")).to_contain_text("all-in")
    tablet.tap("win-7 win-3")
    tablet.phase("between")
    assert tablet.taps == 9
    expect(tablet.page.locator("[data-result='0']")).to_contain_text("114")
    tablet.next_hand()
    assert tablet.stacks(1) == {1: 0, 3: 74, 5: -75, 7: -8}
    assert [tablet.stack_at(seat) for seat in (1, 3, 5, 7)] == ["200", "114", "45", "192"]


def test_POK_7_a_pot_is_split_and_says_whose_the_odd_chip_is(tablet: PotTablet) -> None:
    tablet.next_hand()
    tablet.tap("bet-400 cell-0-3 next next next")
    tablet.key("Geteilt").tap()
    tablet.tap("win-1 win-7 win-5 win-7 next")
    tablet.phase("between")
    expect(tablet.page.locator("[data-result='0']")).to_contain_text("POK-7")
    tablet.next_hand()
    assert tablet.stacks(1) == {1: 2, 3: -1, 5: 3, 7: -4}


def cards(tablet: PotTablet, text: str) -> None:
    for card in text.split():
        tablet.page.locator(f"[data-card='{card}']").tap()


def test_HAND_6_cards_that_are_shown_say_who_wins(tablet: PotTablet) -> None:
    """Seats 1 and 7 show the same two pairs and share; seat 5 has mucked."""
    tablet.next_hand()
    tablet.tap("bet-400 cell-0-3 next next next")
    tablet.key("Karten zeigen").tap()
    take = tablet.page.locator("[data-takes=cards]")
    cards(tablet, "As 9d 4c 9h")
    expect(take).to_be_disabled()
    expect(take).to_have_text("Es fehlen Karten: Board")
    cards(tablet, "Kd Ac 7s")
    tablet.page.locator("[data-slot='7-0']").tap()
    cards(tablet, "Ah")
    expect(take).to_have_text("Es fehlen Karten: Platz 7")
    cards(tablet, "7d")
    take.tap()
    tablet.phase("between")
    expect(tablet.page.locator(".shows .card")).to_have_count(9)
    tablet.next_hand()
    assert tablet.stacks(1) == {1: 2, 3: -1, 5: -4, 7: 3}
    entered = Hand.objects.get(table=tablet.table).results.get().entered
    assert (entered["board"], entered["hands"]) == ("As 9d 4c 9h Kd", {"1": "Ac 7s", "7": "Ah 7d"})


def test_a_hand_that_was_sent_is_put_right_street_by_street(tablet: PotTablet) -> None:
    """Seat 1 won, not seat 7, and the flop was bet."""
    tablet.next_hand()
    tablet.tap("bet-400 cell-0-3 next next next win-7")
    tablet.phase("between")
    tablet.next_hand()
    tablet.stacks(1)
    tablet.later()
    tablet.key("Hand 1 korrigieren").tap()
    for street in ("Turn", "Flop"):
        tablet.key(street).first.tap()
        tablet.later()
    tablet.tap("bet-1000 next next win-1")
    tablet.later()
    tablet.action.tap()
    tablet.phase("dealt")
    for _ in range(600):
        if Hand.objects.get(table=tablet.table, number=1).revision == 2:
            break
        tablet.page.wait_for_timeout(50)
    assert tablet.stacks(1) == {1: 27, 3: -1, 5: -14, 7: -14}


def test_a_fold_takes_what_was_in_and_each_tap_is_taken_back(tablet: PotTablet) -> None:
    tablet.next_hand()
    cell = tablet.page.locator("[data-cell='0-5']")
    tablet.tap("bet-600 bet-1800 cell-0-5")
    for words in ("6", "2"):  # the amount before, the big blind
        expect(cell.locator("small")).to_have_text(words)
        tablet.tap("cell-0-5")
    expect(cell).to_have_attribute("aria-pressed", "false")
    tablet.key("Rückgängig").tap()
    expect(cell.locator("small")).to_have_text("2")
    tablet.tap("cell-0-1 cell-0-3")  # the last fold leaves one, and ends the hand
    tablet.phase("between")
    tablet.later()
    tablet.key("Rückgängig").tap()
    tablet.phase("dealt")
    tablet.tap("cell-0-3")
    tablet.next_hand()
    assert sum(tablet.stacks(1).values()) == 0


def test_POK_2_offline_the_stacks_run_on(tablet: PotTablet) -> None:
    tablet.page.context.set_offline(True)
    for _ in range(2):
        tablet.next_hand()
        tablet.tap("bet-1000 cell-0-1 cell-0-7 next next next win-5")
    tablet.next_hand()
    assert [tablet.stack_at(seat) for seat in (3, 5)] == ["20", "140"]
    tablet.page.context.set_offline(False)
    assert tablet.stacks(2) == {1: 0, 3: -10, 5: 11, 7: -2}


def test_POK_4_a_hand_that_nobody_opens_leaves_its_antes_in_the_next_pot(
    floor_server: object, new_floor_page: NewPage
) -> None:
    """By one key, and to the draw it does not go; offline too, and by *Undo* as if it had not been."""
    tablet = draw_tablet(new_floor_page)
    for seat in (1, 3, 5):
        tablet.buy_in(seat, 12_000)
    tablet.next_hand()
    expect(tablet.page.get_by_text("Wer eröffnet?")).to_be_visible()
    expect(tablet.page.get_by_text("Nach dem Tausch")).to_have_count(0)
    tablet.key("Niemand eröffnet").tap()
    tablet.phase("between")
    expect(tablet.page.locator("[data-result=passed]")).to_contain_text("3 gehen in den nächsten Pot")
    tablet.later()
    tablet.key("Rückgängig").tap()
    tablet.phase("dealt")
    tablet.later()
    tablet.key("Niemand eröffnet").tap()
    tablet.phase("between")
    tablet.next_hand()
    assert tablet.stacks(1) == {1: -1, 3: -1, 5: -1}
    tablet.page.context.set_offline(True)
    tablet.later()
    tablet.key("Niemand eröffnet").tap()
    tablet.next_hand()
    pot = tablet.page.locator("[data-pot='0']")
    expect(pot).to_contain_text("davon 6 übertragen")
    tablet.tap("bet-400 cell-0-1 cell-0-3")
    tablet.phase("between")
    expect(tablet.page.locator("[data-result='0'] .won")).to_have_text("9")
    tablet.page.context.set_offline(False)
    tablet.next_hand()
    assert tablet.stacks(3) == {1: -1, 3: -1, 5: 8}
    expect(pot).not_to_contain_text("übertragen")


def test_POK_2_the_first_tap_tells_the_house_that_a_hand_runs(floor_server: object, new_floor_page: NewPage) -> None:
    """Once, and nothing hangs on it: it is refused for one hand, and what waits for the end of a hand goes behind it."""
    tablet = seated(pot_tablet(new_floor_page, allowed="Service Worker|DISCONN|ERR_FAILED"))
    page = tablet.page
    begins: list[str] = []
    page.on("request", lambda request: request.url.endswith("/begin/") and begins.append(request.url))
    tablet.next_hand()
    assert begins == []
    with page.expect_response("**/begin/") as answer:
        tablet.tap("bet-400")
    tablet.tap("cell-0-3")
    begun = BegunHand.objects.get(session__table=tablet.table)
    assert (answer.value.status, begun.number, begun.button, len(begun.dealt)) == (200, 1, 1, 4)
    sheet = tablet.open_seat(5)
    sheet.locator("[data-part=tip]").tap()
    tablet.later()
    sheet.locator("[data-minor='200']").tap()
    tablet.green()
    tablet.tap("next next next win-7")
    tablet.next_hand()
    assert tablet.stacks(1) == {1: -4, 3: -1, 5: -4, 7: 9}
    for _ in range(600):
        if StayChips.objects.filter(stay=begun.dealt[2], kind="tip").exists():
            break
        page.wait_for_timeout(50)
    assert StayChips.objects.get(stay=begun.dealt[2], kind="tip").amount_minor == 2_00
    page.route("**/begin/", lambda route: route.abort())
    tablet.tap("bet-400 cell-0-3 next next next win-7")
    tablet.next_hand()
    assert tablet.stacks(2)[7] in (8, 9)
    assert len(begins) == 2
