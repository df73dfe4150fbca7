"""How the floor's pages look: every language, every size, dark for the floor and light for the office."""

from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import Page

from tables.services import round_place
from tests.blackjack import blackjack_table, hands
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_everywhere import CUT_OFF, OVERLAPPING, TOO_SMALL, drawn_at, keep, look
from tests.browser.people import LOOKED_AT, be, somebody
from tests.browser.pit.test_floor import REFUSED
from tests.browser.poker_house import PokerHouse
from tests.floor import done, stakes_for, taps
from tests.poker import of_hand

pytestmark = pytest.mark.browser
WALL = (1920, 1080)
WIN = {"play": 4, "result": "win", "hand": "flush"}


def busy_floor() -> FloorHouse:
    """Four open tables in different states, two closed ones, and something to decide of every kind."""
    floor = FloorHouse()
    three, four, *_closed = floor.more(3, 6)
    floor.ask(floor.lost())
    guests = list(floor.guests(floor.table))
    floor.lock(stakes_for(guests[:5], coins=3, trips=500))
    floor.late()
    guests = floor.open(three, floor.second)
    for number, boxes in enumerate(({"b1": WIN}, {"b1": {"play": 1, "result": "lose"}}), 1):
        locked = floor.lock(stakes_for(guests[:1], ante=1000 * number), table_id=three.pk, croupier_id=floor.second.pk)
        floor.settle(locked["id"], taps(**boxes), person_id=floor.second.pk)
    floor.open(four, floor.boss, entry_level="jackpot_only")
    return floor


def overview(page: Page) -> None:
    be(page, busy_floor().boss)
    page.goto("/floor/")


def overview_of_a_big_house(page: Page) -> None:
    floor = busy_floor()
    floor.more(7, 27)
    be(page, floor.boss)
    page.goto("/floor/")


def overview_at_the_office(page: Page) -> None:
    be(page, busy_floor().manager)
    page.goto("/floor/")


def open_table_page(page: Page) -> None:
    floor = busy_floor()
    be(page, floor.boss)
    page.goto(f"/floor/tables/{floor.table.pk}/")
    page.locator("summary", has_text="1").first.click()


def closed_table_refused(page: Page) -> None:
    floor = FloorHouse()
    be(page, floor.boss)
    page.goto(f"/floor/tables/{floor.other.pk}/")
    page.locator("[name=croupier]").select_option(str(floor.nora.pk))
    page.locator("[name=entry_level]").select_option("jackpot_only")
    page.locator("form[action$='/open/'] button").click()
    page.get_by_role("alert").wait_for()


def running_round(page: Page) -> None:
    floor = FloorHouse()
    be(page, floor.boss)
    page.goto(f"/floor/rounds/{floor.round(5, coins=3, trips=500)}/")


def running_round_refused(page: Page) -> None:
    running_round(page)
    page.locator("[name='cards.1']").fill("Ah Ah")
    page.locator("form[action$='/settle/'] button").click()
    page.get_by_role("alert").wait_for()


def correction_waits(page: Page) -> None:
    floor = FloorHouse()
    round_id = floor.lost()
    floor.ask(round_id)
    be(page, floor.second)
    page.goto(f"/floor/rounds/{round_id}/")
    floor.pin(floor.second)
    page.locator("form[action$='/sign/'] [name=secret]").fill("000000")
    page.locator("form[action$='/sign/'] button").click()
    page.get_by_role("alert").wait_for()


def corrected_from_cards(page: Page) -> None:
    floor = FloorHouse()
    round_id = floor.round(2, coins=2, trips=500)
    floor.settle(round_id, taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"}))
    cards = {"board": "Ah Kh Qh Jh 2c", "dealer": "3c 4c", "boxes": {}}
    cards["boxes"] = {"1": {"play": 4, "cards": "As Td"}, "2": {"play": 1, "cards": "2d 2h"}}
    floor.correct(round_id, cards)
    be(page, floor.boss)
    page.goto(f"/floor/rounds/{round_id}/")
    page.locator("main details summary").last.click()


def correction_of_later_stakes(page: Page) -> None:
    """Two stakes came after the lock; one is taken off, a split is added, and its hand is asked for."""
    floor = FloorHouse()
    jack = blackjack_table(floor)
    (owner, *_others), martina = floor.open(jack), {"house_id": floor.house.pk, "person_id": floor.martina.pk}
    lies = [{"box": 1, "guest": str(owner.pk), "kind": "stake", "amount_minor": 10_000}]
    round_id = UUID(floor.lock(lies, table_id=jack.pk)["id"])
    for act in ({"act": "insurance", "amount_minor": 5000, "bank": "Ah"}, {"act": "double"}):
        done(round_place, **martina, round_id=round_id, placement={"box": 1, "guest": str(owner.pk)} | act)
    floor.settle(round_id, {"bank": "20", "boxes": hands(b1=["win"])})
    be(page, floor.boss)
    page.goto(f"/floor/rounds/{round_id}/")
    form = page.locator("form[action$='/correct/']")
    page.locator("summary", has=page.locator("xpath=following-sibling::form[contains(@action, '/correct/')]")).click()
    form.locator("[name='off.2']").check()
    form.locator("details summary").click()
    for name, value in (("act", "split"), ("box", "1"), ("guest", str(owner.pk))):
        form.locator(f"[name='{name}.1']").select_option(value)
    form.locator("[name=reason]").fill("Kamera 4")
    form.locator("button").last.click()
    page.get_by_role("alert").wait_for()
    assert form.locator("[name='result.1.2']").is_visible()


def to_clarify(page: Page) -> None:
    floor = FloorHouse()
    entry = floor.late()
    be(page, floor.boss)
    page.goto(f"/floor/to-clarify/{entry.pk}/")
    page.locator("#take-reason").fill("ja")
    page.locator("form[action$='/take/'] button").click()
    page.get_by_role("alert").wait_for()


def untakable(page: Page) -> None:
    floor = FloorHouse()
    entry = floor.late(playable=False)
    be(page, floor.boss)
    page.goto(f"/floor/to-clarify/{entry.pk}/")


def poker_table_page(page: Page) -> None:
    house = PokerHouse()
    house.deal(21)
    house.ask(house.deal()[0])
    be(page, house.boss)
    page.goto(f"/floor/tables/{house.raked.pk}/")


def poker_table_where_time_is_owed(page: Page) -> None:
    house = PokerHouse()
    be(page, house.boss)
    page.goto(f"/floor/tables/{house.timed.pk}/")
    page.locator("form[action$='/close/'] button").click()
    page.get_by_role("alert").wait_for()


def poker_table_past_its_day(page: Page) -> None:
    house = PokerHouse()
    house.opened_yesterday()
    be(page, house.boss)
    page.goto(f"/floor/tables/{house.raked.pk}/")


def hand_at_the_audit_desk(page: Page) -> None:
    house = PokerHouse()
    [hand] = house.deal()
    house.ask(of_hand(house, hand, "hand_correct", pot={"pot_minor": 60_00, "rake_minor": 3_00}))
    be(page, somebody(house.house, "auditor"))
    page.goto(f"/audit/hands/{hand.pk}/")


def hand_at_pots(page: Page) -> None:
    house = PokerHouse()
    hand = house.deal_pots()
    be(page, house.boss)
    page.goto(f"/floor/hands/{hand.pk}/")


def hand_at_pots_at_the_audit_desk(page: Page) -> None:
    house = PokerHouse()
    hand = house.deal_pots()
    be(page, somebody(house.house, "auditor"))
    page.goto(f"/audit/hands/{hand.pk}/")


def stacks_differ(page: Page) -> None:
    """The form that counts stacks, with what the books do not have."""
    house = PokerHouse()
    be(page, house.boss)
    page.goto(f"/floor/tables/{house.raked.pk}/")
    form = page.locator("form[action$='/count/']")
    for field in form.locator("input:not([type=hidden]):not([name=missing])").all():
        field.fill("99")
    form.locator("button.act").click()
    page.get_by_role("alert").wait_for()


def hand_refused(page: Page) -> None:
    """Both forms open, one of them refused."""
    house = PokerHouse()
    [hand] = house.deal()
    be(page, house.boss)
    page.goto(f"/floor/hands/{hand.pk}/")
    for summary in page.locator(".acts summary").all():
        summary.click()
    correct = page.locator("form[action$='/correct/']")
    correct.locator("[name=rake]").fill("5.5")
    correct.locator("[name=reason]").fill("Kamera 4")
    correct.locator("button").click()
    page.get_by_role("alert").wait_for()


def hand_correction_waits(page: Page) -> None:
    house = PokerHouse()
    [hand] = house.deal()
    house.ask(hand)
    be(page, house.second)
    page.goto(f"/floor/hands/{hand.pk}/")
    page.locator(".waits summary.button").click()


def hand_to_clarify(page: Page) -> None:
    house = PokerHouse()
    entry = house.clarify()
    be(page, house.boss)
    page.goto(f"/floor/to-clarify/{entry.pk}/")
    page.locator(".panel > details > summary").click()


def set_up(page: Page) -> None:
    be(page, FloorHouse().tech)
    page.goto("/floor/set-up/")


PAGES = (overview, overview_of_a_big_house, overview_at_the_office, open_table_page, closed_table_refused)
PAGES += (running_round, running_round_refused, correction_waits, corrected_from_cards, to_clarify)
PAGES += (untakable, set_up, correction_of_later_stakes)
PAGES += (poker_table_page, poker_table_where_time_is_owed, poker_table_past_its_day)
PAGES += (hand_at_pots, hand_at_pots_at_the_audit_desk, stacks_differ)
PAGES += (hand_refused, hand_correction_waits, hand_to_clarify, hand_at_the_audit_desk)


@pytest.mark.parametrize("language", LOOKED_AT)
@pytest.mark.parametrize("opened", PAGES, ids=lambda page: page.__name__)
def test_page(new_floor_page: Callable[..., Page], opened: Callable[[Page], None], language: str) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    opened(page)
    assert page.locator("html").get_attribute("lang") == language
    name = f"floor_{opened.__name__}"
    wrong = look(page, name, language)
    drawn_at(page, *WALL)
    wrong += [text for script in (CUT_OFF, TOO_SMALL, OVERLAPPING) for text in page.evaluate(script)]
    keep(page, name, language)
    assert wrong == []
    assert page.get_by_role("heading", level=1).count() == 1
