"""How it looks where something is asked about a jackpot as a whole or a wrong slip, and what the board says of a stuck one."""

from collections.abc import Callable
from typing import ClassVar

import pytest
from playwright.sync_api import Page

from jackpot import services as jackpots
from jackpot.models import Slip
from jackpot.rules.progressive import ProgressiveRules
from payouts.models import Approval
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_reject
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_pit import REFUSED, Looker, come
from tests.browser.people import LOOKED_AT
from tests.browser.pit_page import open_pit, room
from tests.floor import done, second_jackpot
from tests.jackpot.linked import dull, royal
from tests.jackpot.lived import four_of_a_kind

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
NewPage = Callable[..., Page]
WHY = "Der Schlitten von UTH 2 wird von der Technik untersucht"


class Poor(HitHouse):
    """A meter that pays its prizes, and holds little."""

    posted: ClassVar[dict[str, Posted]] = {
        "progressive": ProgressiveRules(paid_by="meter"),
        "funding": FundingSchedule(seed_minor=10_000),
    }


def unfolded(page: Page) -> None:
    """Everything open that can be opened about the jackpot and its slips."""
    for one in page.locator("#room-standing summary, #standing summary, form[action$='/cancel/']").all():
        one.evaluate("one => one.closest('details').open = true")


def ask(house: HitHouse, action: str, **payload: object) -> Approval:
    """Ask as the boss."""
    ids = {"house_id": house.house.pk, "jackpot_id": house.jackpot.pk, "person_id": house.boss.pk}
    asked: Approval = done(jackpots.jackpot_request, **ids, action=action, payload={"reason": WHY} | payload)
    return asked


@pytest.mark.parametrize("language", LOOKED_AT)
def test_jackpot_as_a_whole_in_every_state(new_floor_page: NewPage, language: str) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    house = HitHouse(displays=1)
    room(page, house, "manager")
    unfolded(page)
    adjusting = page.locator("form[action$='/adjust/']")
    adjusting.locator("[name=amount]").fill("fünfzehn")
    adjusting.locator("[name=reason]").fill("drei Münzen")
    adjusting.locator("button").click()
    adjusting.get_by_role("alert").wait_for()
    look.at("standing_asks")
    house.start(0)
    ask(house, "jackpot.suspend")
    ask(house, "jackpot.adjust", amount_minor=-98_765)
    room(page, house, "second")
    look.at("standing_to_sign")
    come(page, house.page)
    unfolded(page)
    look.at("standing_floor", axe=False)
    house.sign(house.asked("jackpot.suspend"), house.bea)
    ask(house, "jackpot.resume")
    room(page, house, "second")
    look.at("standing_suspended")
    assert look.wrong == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_jackpot_that_is_closed_and_retired(new_floor_page: NewPage, language: str) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    house = HitHouse(displays=1)
    house.end(0, house.start(0), dull())
    ids = {"house_id": house.house.pk, "jackpot_id": house.jackpot.pk}
    done(jackpots.jackpot_close, **ids, actor_id=house.boss.pk, reason="Er wird durch einen neuen ersetzt")
    room(page, house, "manager")
    look.at("standing_alone", axe=False)
    heir = second_jackpot(house.house, name="Alpstein-Jackpot der Ostschweiz")
    room(page, house, "manager")
    unfolded(page)
    look.at("standing_closed")
    ask(house, "jackpot.retire", to=str(heir.pk))
    room(page, house, "second")
    look.at("standing_to_retire", axe=False)
    house.sign(house.asked("jackpot.retire"), house.bea)
    room(page, house, "second")
    look.at("standing_retired")
    come(page, "/pit/jackpots/")
    look.at("jackpots", axe=False)
    assert look.wrong == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_slip_that_was_wrong(new_floor_page: NewPage, language: str) -> None:
    """After a restore, when numbers are longest."""
    done(jackpots.jackpots_restored)
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    house = HitHouse(displays=1)
    house.hit()
    house.verify_all()
    house.approve()
    house.confirm_all()
    first, second = Slip.objects.filter(award__jackpot=house.jackpot).order_by("number")
    ids = {"house_id": house.house.pk, "slip_id": first.pk}
    done(jackpots.slip_pay, **ids, actor_id=house.cage.pk, cash_minor=first.award.amount_minor)
    room(page, house, "boss")
    unfolded(page)
    look.at("slip_wrong")
    for slip, how in ((first, "receivable"), (second, "unpaid")):
        values = {"house_id": house.house.pk, "slip_id": slip.pk, "how": how, "person_id": house.boss.pk}
        done(jackpots.award_cancel_request, **values, reason="Box 2 hatte gewonnen, nicht Box 1")
    room(page, house, "second")
    look.at("slip_to_cancel", axe=False)
    house.hit(winners=1)
    room(page, house, "boss")
    look.at("slip_of_another_hit", axe=False)
    assert look.wrong == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_board_of_a_jackpot_that_does_not_go_on(new_floor_page: NewPage, language: str) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    house = HitHouse(displays=1)
    house.hit(winners=1)
    house.verify_all()
    values = {"house_id": house.house.pk, "person_id": house.bea.pk, "person_roles": house.bea.roles}
    done(approval_reject, approval_id=house.asked().pk, **values, reason="Die Kamera zeigt einen anderen Kartenwert")
    open_pit(page, house, "second")
    look.at("board_turned_down")
    poor = Poor(displays=1)
    first, second = poor.running()
    poor.end(0, first, royal())
    poor.end(1, second, four_of_a_kind())
    poor.advance()
    poor.verify_all()
    open_pit(page, poor, "second")
    look.at("board_below_zero", axe=False)
    assert look.wrong == []
