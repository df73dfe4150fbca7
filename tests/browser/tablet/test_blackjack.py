"""Black Jack on the tablet: boxes that guests share, hands as they end, stakes when the cards lie (BJ-2 to BJ-9, BOX, PRM)."""

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tables.models import Guest, RoundLine, RoundStake
from tests.blackjack import Blackjack
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)


@pytest.fixture
def floor(floor_server: object) -> Blackjack:
    return Blackjack(suffix=f".bj{next(_numbers)}")


@pytest.fixture
def tablet(floor: Blackjack, new_floor_page: Callable[..., Page]) -> Tablet:
    page = new_floor_page(has_touch=True, allowed="Service Worker|DISCONN")
    return Tablet(page, floor.bj, floor.martina)


def cell(tablet: Tablet, box: int, name: str) -> Locator:
    return tablet.box(box).locator(f'[data-cell="{name}"]')


def lines(tablet: Tablet, number: int = 1) -> list[tuple[int, int, str, int, int]]:
    """Of a settled round: box, guest, kind, francs staked, francs paid out."""
    rows = RoundLine.objects.filter(round=tablet.rounds()[number - 1]).order_by("box", "guest__number", "id")
    found = rows.values_list("box", "guest__number", "kind", "stake_minor", "returned_minor", "won_minor")
    return [(box, guest, kind, stake // 100, (back + won) // 100) for box, guest, kind, stake, back, won in found]


def test_a_round_of_seven_boxes(tablet: Tablet) -> None:
    """Bust, Black Jack, a doubled and a split hand as they happen; the bank; the rest with one tap."""
    tablet.seat(*range(1, 8))
    tablet.lock()
    for box, name in ((1, "blackjack:1"), (2, "bust:1"), (3, "double:1"), (4, "split:1")):
        cell(tablet, box, name).tap()
    tablet.page.evaluate("passed += 650")  # later than a finger that taps twice
    expect(tablet.box(1).locator(".paid")).to_have_text("+15sofort gegen 2–9")  # of a bank without a Black Jack (BJ-4)
    tablet.hand("19")
    cell(tablet, 3, "win:1").tap()
    cell(tablet, 4, "push:2").tap()
    tablet.hand("rest:lose")
    tablet.finish()
    assert lines(tablet) == [
        (1, 1, "stake", 10, 25),
        (2, 2, "stake", 10, 0),
        (3, 3, "stake", 10, 20),
        (3, 3, "double_1", 10, 20),
        (4, 4, "stake", 10, 0),
        (4, 4, "split_2", 10, 10),
        *((box, box, "stake", 10, 0) for box in (5, 6, 7)),
    ]
    assert tablet.page.get_by_role("alert").count() == 0  # the house has booked what was shown


def acts(tablet: Tablet, box: int) -> Locator:
    """What the guests of a box may do, opened."""
    tablet.box(box).locator(".top").tap()
    return tablet.page.locator(".sheet")


def shut(tablet: Tablet) -> None:
    tablet.page.evaluate("passed += 650")
    tablet.key("Zurück").tap()


def three_on_a_box(tablet: Tablet) -> None:
    """Guest 1 owns box 1 with 100, guest 2 sits at box 2 and stakes 300 on both, guest 3 stands and stakes 300 on box 1."""
    page = tablet.page
    tablet.seat(1, 2)
    tablet.box(1).locator(".top").tap()
    page.get_by_role("button", name="Gast 2 · sitzt an Box 2").tap()
    page.evaluate("passed += 650")
    page.get_by_role("button", name="steht, Platz 3 vom Schlitten", exact=True).tap()
    expect(page.locator(".beside")).to_have_count(2)
    shut(tablet)
    for place, chips in ((0, "100"), (1, "300"), (2, "300")):
        tablet.tile(1, f"stake{place}").tap()
        amount(tablet, chips)


def amount(tablet: Tablet, francs: str) -> None:
    """An amount for the tile that is chosen, by the pad."""
    tablet.key("andere").tap()
    for digit in francs:
        tablet.page.locator(".numbers").get_by_role("button", name=digit, exact=True).tap()
    tablet.page.get_by_role("button", name="Betrag übernehmen").tap()


def placed(tablet: Tablet, number: int = 1) -> list[tuple[int, int, str, int]]:
    """What came after the lock: box, guest, kind, francs."""
    rows = RoundStake.objects.filter(round=tablet.rounds()[number - 1], placed__gt=0).order_by("placed")
    found = rows.values_list("box", "guest__number", "kind", "accepted_minor")
    return [(box, guest, kind, minor // 100) for box, guest, kind, minor in found]


def test_guests_share_a_box(tablet: Tablet) -> None:
    """PRM-1, PRM-3 said before the cards; the owner decides, one follows, another one doubles for who does not (BJ-6)."""
    page = tablet.page
    three_on_a_box(tablet)
    back = (
        "Box 1: Gast 3 erhält CHF 200.00 zurück: Rang 3 nach PRM-1, vom Maximum CHF 500.00 bleiben CHF 100.00. (PRM-3)"
    )
    expect(page.locator("[data-why=goes-back]")).to_contain_text(back)
    expect(tablet.tile(1, "stake2")).to_contain_text("200 zurück")
    tablet.lock()
    expect(page.get_by_role("alert")).to_contain_text("Box 1, Gast 3: CHF 200.00 (PRM-3).")
    page.locator(".say .close").tap()
    expect(tablet.box(1).locator(".laid")).to_have_text("100 · 300 · 100")
    sheet = acts(tablet, 1)
    expect(sheet.locator("h3").first).to_have_text("Gast 1 · 100 · entscheidet")
    for guest in (1, 2):
        page.evaluate("passed += 650")
        sheet.locator("section", has_text=f"Gast {guest} · ").get_by_role("button", name="Verdoppeln", exact=True).tap()
    sheet.locator("section", has_text="Anstelle von Gast 3").get_by_role("button", name="Gast 1 · Verdoppeln").tap()
    shut(tablet)
    cell(tablet, 1, "win:1").tap()
    tablet.hand("bust")
    expect(tablet.box(1).locator(".paid")).to_contain_text("G1\u00a0+300 · G2\u00a0+600 · G3\u00a0+100")
    tablet.finish()
    assert page.get_by_role("alert").count() == 0
    assert placed(tablet) == [(1, 1, "double_1", 100), (1, 2, "double_1", 300), (1, 1, "double_1", 100)]


def test_ace_of_the_bank(tablet: Tablet) -> None:
    """Insurance and even money are there with an ace only (BJ-8, BJ-9); the bank's Black Jack pays the one, not the other."""
    tablet.seat(1, 2, 3)
    tablet.lock()
    expect(cell(tablet, 1, "insurance")).to_have_count(0)
    tablet.hand("ace")
    expect(cell(tablet, 2, "even_money")).to_be_disabled()
    cell(tablet, 1, "insurance").tap()
    cell(tablet, 2, "blackjack:1").tap()
    expect(tablet.box(2).locator(".paid")).to_have_text("offen")  # the bank is asked first
    cell(tablet, 2, "even_money").tap()
    expect(cell(tablet, 2, "lose:1")).to_be_disabled()
    tablet.hand("blackjack")
    paid = [tablet.box(box).locator(".paid b").inner_text() for box in (1, 2, 3)]
    assert paid == ["±0", "+10", "−10"]
    tablet.finish()
    assert lines(tablet) == [
        (1, 1, "stake", 10, 0),
        (1, 1, "insurance", 5, 15),
        (2, 2, "stake", 10, 20),
        (2, 2, "even_money", 0, 0),
        (3, 3, "stake", 10, 0),
    ]
    assert tablet.page.get_by_role("alert").count() == 0


def undo(tablet: Tablet) -> None:
    tablet.page.evaluate("passed += 650")
    tablet.key("Rückgängig").tap()


def test_undo_gives_the_chips_back(tablet: Tablet) -> None:
    """A double that was mistyped is taken back from the books with one tap; what was split before stays."""
    tablet.seat(1, 2)
    tablet.lock()
    cell(tablet, 1, "split:1").tap()
    cell(tablet, 2, "double:1").tap()
    expect(cell(tablet, 2, "double:1")).to_have_attribute("aria-pressed", "true")
    undo(tablet)
    expect(cell(tablet, 2, "double:1")).to_have_attribute("aria-pressed", "false")
    tablet.hand("bust")
    expect(tablet.box(2).locator(".paid")).to_have_text("+10")
    tablet.finish()
    assert placed(tablet) == [(1, 1, "split_2", 10), (2, 2, "double_1", 10), (2, 2, "double_1", 0)]
    assert lines(tablet) == [
        (1, 1, "stake", 10, 20),
        (1, 1, "split_2", 10, 20),
        (2, 2, "stake", 10, 20),
    ]
    assert tablet.page.get_by_role("alert").count() == 0


def test_undo_before_the_house_has_answered(tablet: Tablet) -> None:
    """What takes the chips back waits for the number of their stake, also on the next page; the result waits behind it."""
    page = tablet.page
    held: list[Route] = []
    tablet.seat(1)
    tablet.lock()
    page.route("**/place/", lambda route: held.append(route))  # noqa: PLW0108 (a built-in is no handler)
    cell(tablet, 1, "double:1").tap()
    undo(tablet)
    tablet.hand("bust")
    tablet.act()
    for _ in range(100):
        if held:
            break
        page.wait_for_timeout(50)
    held.pop().continue_()
    tablet.phase("bets")
    assert placed(tablet) == [(1, 1, "double_1", 10), (1, 1, "double_1", 0)]
    tablet.lock()
    cell(tablet, 1, "double:1").tap()
    undo(tablet)
    for _ in range(100):
        if held:
            break
        page.wait_for_timeout(50)
    tablet.written()
    held.pop().fetch()  # the house has it, and the page ends before it hears so
    page.unroute("**/place/")
    tablet.reload()
    tablet.phase("play")
    tablet.hand("bust")
    tablet.finish()
    assert placed(tablet, 2) == [(1, 1, "double_1", 10), (1, 1, "double_1", 0)]
    assert [line[2:] for line in lines(tablet, 2)] == [("stake", 10, 20)]
    assert page.get_by_role("alert").count() == 0


def test_page_loaded_anew_knows_what_was_placed(tablet: Tablet) -> None:
    """Also one that has nothing of its own left: the server says what lies there."""
    tablet.seat(1, 2)
    tablet.lock()
    cell(tablet, 1, "split:1").tap()
    cell(tablet, 2, "double:1").tap()
    cell(tablet, 1, "bust:2").tap()
    tablet.reload()
    tablet.phase("play")
    expect(cell(tablet, 1, "bust:2")).to_have_attribute("aria-pressed", "true")
    expect(tablet.box(1).locator(".paid")).to_contain_text("Hand 2 überkauft")
    tablet.page.evaluate("indexedDB.databases().then(all => all.forEach(one => indexedDB.deleteDatabase(one.name)))")
    tablet.page.reload()
    tablet.phase("play")
    expect(cell(tablet, 1, "bust:2")).to_have_attribute("aria-pressed", "false")
    expect(cell(tablet, 2, "double:1")).to_be_disabled()
    tablet.hand("bust")
    tablet.finish()
    assert [line[2:] for line in lines(tablet)] == [
        ("stake", 10, 20),
        ("split_2", 10, 20),
        ("stake", 10, 20),
        ("double_1", 10, 20),
    ]


def test_without_the_server(tablet: Tablet) -> None:
    """A round locked before the loss goes on with its doubles stored; the next is cut by the prime rule here, and goes whole."""
    page = tablet.page
    three_on_a_box(tablet)
    tablet.lock()
    page.locator(".say .close").tap()
    page.context.set_offline(True)
    expect(page.locator(".link.off")).to_be_visible()
    cell(tablet, 2, "double:1").tap()
    undo(tablet)
    cell(tablet, 2, "split:1").tap()
    tablet.hand("bust")
    tablet.finish()
    expect(tablet.tile(1, "stake2")).to_contain_text("100")  # as it was cut, and no more goes back
    tablet.tile(1, "stake2").tap()
    tablet.chip("300").tap()
    tablet.lock()
    expect(tablet.box(1).locator(".laid")).to_have_text("100 · 300 · 100")
    cell(tablet, 2, "double:1").tap()
    undo(tablet)
    cell(tablet, 1, "double:1").tap()
    tablet.hand("bust")
    tablet.finish()
    page.context.set_offline(False)
    expect(page.locator(".link.ok")).to_be_visible()
    expect(page.locator(".link")).to_have_text("Verbunden")
    assert page.get_by_role("alert").count() == 0
    assert placed(tablet) == [(2, 2, "double_1", 10), (2, 2, "double_1", 0), (2, 2, "split_2", 10)]
    assert placed(tablet, 2) == [(1, 1, "double_1", 100)]
    assert lines(tablet, 2) == [
        (1, 1, "stake", 100, 200),
        (1, 1, "double_1", 100, 200),
        (1, 2, "stake", 300, 600),
        (1, 3, "stake", 100, 200),
        (2, 2, "stake", 10, 20),
    ]


def test_a_forgotten_double_is_put_right(tablet: Tablet) -> None:
    """The round is taken back at once, with the double whose chips lay there; and a correction of it takes one off again."""
    tablet.seat(1, 2)
    tablet.lock()
    tablet.hand("bust")
    tablet.finish()
    tablet.key("Runde 1 korrigieren").tap()
    cell(tablet, 1, "double:1").tap()
    expect(tablet.box(1).locator(".paid")).to_have_text("+20")
    tablet.finish()
    expect(tablet.key("Runde 1 korrigieren")).to_be_visible()
    assert lines_now(tablet) == [("stake", 10, 20), ("double_1", 10, 20), ("stake", 10, 20)]
    tablet.key("Runde 1 korrigieren").tap()
    cell(tablet, 2, "double:1").tap()
    undo(tablet)
    cell(tablet, 2, "split:1").tap()
    cell(tablet, 2, "win:1").tap()
    cell(tablet, 2, "win:2").tap()
    tablet.finish()
    assert lines_now(tablet) == [("stake", 10, 20), ("double_1", 10, 20), ("stake", 10, 20), ("split_2", 10, 20)]
    tablet.key("Runde 1 korrigieren").tap()
    cell(tablet, 1, "double:1").tap()
    tablet.finish()
    assert lines_now(tablet) == [("stake", 10, 20), ("stake", 10, 20), ("split_2", 10, 20)]
    assert tablet.page.get_by_role("alert").count() == 0


def test_what_stays_is_not_placed_anew(tablet: Tablet) -> None:
    """BJ-7: hand 1 was doubled before hand 2 was split; on a page loaded anew another box's double is taken off."""
    tablet.seat(1, 2)
    tablet.lock()
    for box, name in ((1, "split:1"), (1, "double:1"), (2, "double:1")):
        cell(tablet, box, name).tap()
    acts(tablet, 1).get_by_role("button", name="Split · Hand 2", exact=True).tap()
    shut(tablet)
    tablet.hand("bust")
    tablet.finish()
    tablet.reload()
    tablet.key("Runde 1 korrigieren").tap()
    cell(tablet, 2, "double:1").tap()
    tablet.finish()
    expect(tablet.key("Runde 1 korrigieren")).to_be_visible()
    stays = [(1, 1, "split_2", 10), (1, 1, "double_1", 10), (2, 2, "double_1", 10), (1, 1, "split_3", 10)]
    assert placed(tablet) == [*stays, (2, 2, "double_1", 0)]
    assert tablet.page.get_by_role("alert").count() == 0


def test_a_bank_that_was_mistyped_opens_what_it_filled_in(tablet: Tablet) -> None:
    """And nothing is staked any more once its total is there (BJ-6, BJ-8)."""
    tablet.seat(1, 2)
    tablet.lock()
    cell(tablet, 1, "bust:1").tap()
    expect(cell(tablet, 1, "double:1")).to_be_disabled()
    tablet.hand("bust")
    expect(tablet.box(2).locator(".paid")).to_have_text("+10")
    expect(cell(tablet, 2, "double:1")).to_be_disabled()
    tablet.hand("20")
    expect(tablet.box(1).locator(".paid")).to_have_text("−10")
    expect(tablet.box(2).locator(".paid")).to_have_text("offen")
    tablet.hand("rest:lose")
    tablet.finish()
    assert [line[2:] for line in lines(tablet)] == [("stake", 10, 0), ("stake", 10, 0)]


def lines_now(tablet: Tablet) -> list[tuple[str, int, int]]:
    """Of the first round as it counts: kind, francs staked, francs paid out."""
    [counts] = [one for one in tablet.rounds() if one.number == 1]
    rows = counts.lines.filter(revision=counts.revision).order_by("box", "id")
    return [(one.kind, one.stake_minor // 100, (one.returned_minor + one.won_minor) // 100) for one in rows]


def test_what_another_page_places_comes_to_this_one(tablet: Tablet, floor: Blackjack) -> None:
    """A double that the floor places is shown, paid, and not taken back by an undo of what was tapped here."""
    tablet.seat(1, 2)
    tablet.lock()
    cell(tablet, 2, "bust:1").tap()
    guest = Guest.objects.get(session__table=tablet.table, box=1)
    floor.place(tablet.rounds()[0].pk, guest, "double")
    expect(cell(tablet, 1, "double:1")).to_have_attribute("aria-pressed", "true")
    undo(tablet)
    expect(cell(tablet, 1, "double:1")).to_have_attribute("aria-pressed", "true")
    tablet.hand("bust")
    tablet.finish()
    assert [line[2:] for line in lines(tablet)] == [("stake", 10, 20), ("double_1", 10, 20), ("stake", 10, 20)]
    assert tablet.page.get_by_role("alert").count() == 0
