"""Black Jack by its cards: every card in the order of the deal, from which all follows (BJ-1 to BJ-4, BJ-6, BJ-7, HAND-6)."""

import itertools
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tables import services
from tables.models import RoundResult
from tests.blackjack import Blackjack
from tests.browser.tablet.test_blackjack import cell, lines, placed
from tests.browser.tablets import Tablet
from tests.floor import done

pytestmark = pytest.mark.browser
_numbers = itertools.count(1)


@pytest.fixture
def floor(floor_server: object) -> Blackjack:
    return Blackjack(suffix=f".bjc{next(_numbers)}")


def tablet_of(floor: Blackjack, page: Page, level: str) -> Tablet:
    if level != "fast":
        at = {"house_id": floor.house.pk, "table_id": floor.bj.pk, "actor_id": floor.reto.pk}
        done(services.table_entry_level_set, **at, entry_level=level)
    return Tablet(page, floor.bj, floor.martina)


def rests(tablet: Tablet) -> None:
    tablet.page.get_by_role("button", name="Bleibt", exact=True).tap()


def says(tablet: Tablet, words: str) -> None:
    expect(tablet.action).to_contain_text(words)


def test_every_card_from_the_deal_to_the_bank(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """A Black Jack, a pair that is split, an eleven that is doubled, a hand that draws and rests; then the bank draws."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "full_cards")
    tablet.seat(1, 2, 3, 4)
    tablet.lock()
    tablet.act()
    says(tablet, "Box 1: nächste Karte")
    tablet.cards("As 8s 6h Tc 6d")  # a card each, one for the bank
    tablet.cards("Kd 8d 5c 4h")  # and a second each
    says(tablet, "Box 2: Karte oder bleiben")
    says(tablet, "16")
    tablet.key("Split").tap()
    says(tablet, "Box 2 · Hand 1: nächste Karte")
    tablet.cards("3c")
    expect(tablet.key("Split")).to_be_disabled()  # it is a pair no more, and the house's most
    tablet.key("×2").tap()  # 8 and 3
    tablet.cards("Td 9h")
    says(tablet, "17")
    rests(tablet)
    says(tablet, "Box 3: Karte oder bleiben")
    tablet.key("×2").tap()
    tablet.cards("9c")
    says(tablet, "14")
    tablet.cards("Qh")  # bust
    says(tablet, "Bank")
    tablet.cards("Ts")
    says(tablet, "16")
    tablet.cards("2d")
    says(tablet, "Blatt bestätigen")
    tablet.act()
    tablet.finish()
    assert tablet.page.get_by_role("alert").count() == 0
    assert placed(tablet) == [(2, 2, "split_2", 10), (2, 2, "double_1", 10), (3, 3, "double_1", 10)]
    assert lines(tablet) == [
        (1, 1, "stake", 10, 25),
        (2, 2, "stake", 10, 20),
        (2, 2, "split_2", 10, 0),
        (2, 2, "double_1", 10, 20),
        (3, 3, "stake", 10, 20),
        (3, 3, "double_1", 10, 20),
        (4, 4, "stake", 10, 0),
    ]
    kept = RoundResult.objects.get(round=tablet.rounds()[0])
    assert kept.source == "cards"
    assert kept.result["bank_cards"] == "6d Ts 2d"


def test_in_a_dispute_the_cards_decide(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """What was tapped gives way to them; a seventh of one card is no key any more."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "fast")
    tablet.seat(1)
    tablet.lock()
    cell(tablet, 1, "lose:1").tap()
    tablet.hand("19")
    expect(tablet.box(1).locator(".paid")).to_have_text("−10")
    tablet.key("Karten / Streitfall").tap()
    tablet.page.evaluate("passed += 650")
    expect(tablet.page.locator(".sheet")).to_contain_text("die Karten von Bank und jeder Box im Spiel")
    tablet.page.get_by_role("button", name="Alle Karten erfassen").tap()
    tablet.cards("2s 2s 2s 2s 2s 2s")
    expect(tablet.page.locator("[data-card='2s']")).to_be_disabled()
    for _ in range(6):
        tablet.page.evaluate("passed += 650")
        tablet.page.locator(".rail-key").first.tap()
    tablet.cards("Ks 9d Qs")
    rests(tablet)
    tablet.cards("Th")
    tablet.act()
    expect(tablet.box(1).locator(".paid")).to_have_text("+10")
    tablet.finish()
    assert lines(tablet) == [(1, 1, "stake", 10, 20)]
    assert tablet.page.get_by_role("alert").count() == 0


def test_a_shoe_deals_and_the_croupier_says_who_rests(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """Each card comes by itself; one that fell before the hand was said to rest goes on to the next one."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "fast")
    tablet.seat(1, 2)
    tablet.lock()
    round_id = tablet.rounds()[0].pk

    def shoe(cards: str) -> None:
        done(services.card_feed_record, house_id=floor.house.pk, round_id=round_id, cards={"cards": cards})

    shoe("9s Tc 6d Kd 7h")
    says(tablet, "Box 1: Karte oder bleiben")
    shoe("9s Tc 6d Kd 7h 3c")
    says(tablet, "Box 2: Karte oder bleiben")  # for the tablet box 1 has 22
    tablet.key("Box 1 war geblieben").tap()
    says(tablet, "20")
    rests(tablet)
    shoe("9s Tc 6d Kd 7h 3c 9h Qd")
    says(tablet, "Blatt bestätigen")
    tablet.act()
    tablet.finish()
    assert lines(tablet) == [(1, 1, "stake", 10, 20), (2, 2, "stake", 10, 20)]
    kept = RoundResult.objects.get(round=round_id)
    assert (kept.source, kept.result["bank_cards"]) == ("cards", "6d 9h Qd")
    assert tablet.page.get_by_role("alert").count() == 0


def test_two_cards_that_fell_before_the_hand_stood_go_on(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """BJ-2: both that came too soon go to the next box."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "fast")
    tablet.seat(1, 2)
    tablet.lock()
    at = {"house_id": floor.house.pk, "round_id": tablet.rounds()[0].pk}
    done(services.card_feed_record, **at, cards={"cards": "9s Tc 6d 4d 2h 3c 4c"})
    says(tablet, "20")
    tablet.key("Box 1 war geblieben").tap()
    says(tablet, "Box 2: Karte oder bleiben")
    tablet.page.evaluate("passed += 650")
    tablet.key("Box 1 war geblieben").tap()
    says(tablet, "19")
    expect(tablet.key("Box 1 war geblieben")).to_have_count(0)


def test_the_card_of_a_double_may_lie_before_the_tap(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """BJ-5: the two cards before it decide; what three cards have is doubled as it would have been before the third."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "full_cards")
    tablet.seat(1)
    tablet.lock()
    tablet.act()
    tablet.cards("6s 6d 5d 2c")
    says(tablet, "13")
    tablet.key("×2").tap()
    tablet.cards("Th 9c")
    tablet.act()
    tablet.finish()
    assert [line[2] for line in lines(tablet)] == ["stake", "double_1"]


def test_by_cards_it_is_too_late_once_the_hand_stands(floor: Blackjack, new_floor_page: Callable[..., Page]) -> None:
    """BJ-5, BJ-7, BJ-8: a hand that stands is neither doubled nor split nor insured any more."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "full_cards")
    tablet.seat(1, 2)
    tablet.lock()
    tablet.act()
    tablet.cards("5s 8c As 5d 8d")
    tablet.key("Später erfassen").tap()
    late = [cell(tablet, 1, kind) for kind in ("double:1", "split:1", "insurance")]
    for one in late:
        expect(one).to_be_enabled()
    tablet.act()
    rests(tablet)
    tablet.key("Später erfassen").tap()
    expect(cell(tablet, 2, "insurance")).to_be_enabled()
    for one in late:
        expect(one.and_(tablet.page.locator(":enabled"))).to_have_count(0)


def test_a_correction_by_cards_gives_a_hand_more_or_fewer(
    floor: Blackjack, new_floor_page: Callable[..., Page]
) -> None:
    """A card that was not entered, and one that did not lie there (BJ-11): every hand had rested as it was entered."""
    tablet = tablet_of(floor, new_floor_page(has_touch=True), "full_cards")
    page = tablet.page
    tablet.seat(1, 2)
    tablet.lock()
    tablet.act()
    tablet.cards("9s Tc 6d 4d 2h")
    rests(tablet)  # box 1 on 13
    tablet.cards("5c")
    rests(tablet)  # box 2 on 17
    tablet.cards("Td 2s")
    tablet.act()
    tablet.finish()
    assert lines(tablet) == [(1, 1, "stake", 10, 0), (2, 2, "stake", 10, 0)]
    tablet.key("Runde 1 korrigieren").tap()
    tablet.key("Karten / Streitfall").tap()
    page.evaluate("passed += 650")
    page.get_by_role("button", name="Nötige Karten erfassen").tap()
    page.get_by_role("button", name=re.compile("^Box.1 2")).tap()
    tablet.key("Karte wegnehmen").tap()
    page.evaluate("passed += 650")  # another key stands at its place then
    tablet.cards("4d 7h")  # it had 20
    rests(tablet)
    page.get_by_role("button", name=re.compile("^Box.2 3")).tap()
    tablet.key("Karte wegnehmen").tap()
    page.evaluate("passed += 650")  # another key stands at its place then
    rests(tablet)  # on 12
    tablet.act()
    tablet.finish()
    first, second = [(1, 1, "stake", 10, paid) for paid in (0, 20)], [(2, 2, "stake", 10, 0)] * 2  # before and since
    assert lines(tablet) == [*first, *second]
