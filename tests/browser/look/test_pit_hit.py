"""How a hit looks in the pit besides its own page: the board in each phase with what waits, and a hit that was none."""

from collections.abc import Callable

import pytest
from django.db.models.functions import Now
from playwright.sync_api import Page, expect

from casino.ops.models import AuditRun
from casino.pit.models import Alert
from jackpot import services as jackpots
from jackpot.models import Claim
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_pit import REFUSED, Looker, come
from tests.browser.people import LOOKED_AT
from tests.browser.pit_page import open_pit, room
from tests.floor import done
from tests.jackpot.linked import royal

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
NewPage = Callable[..., Page]
SINCE = "2026-11-21T22:14:05+00:00"
WHY = "Der Schlitten von UTH 2 wird von der Technik untersucht"


def tell(house: HitHouse, kind: str, **data: object) -> None:
    """An alert as the rules would raise it."""
    Alert.objects.create(house=house.house, kind=kind, subject=kind, data={"since": SINCE} | data)


def is_over(house: HitHouse) -> None:
    """What was told is so no more, and was seen: it leaves the board."""
    told = Alert.objects.filter(house=house.house, over_at=None)
    told.update(over_at=Now(), acknowledged_at=Now(), acknowledged_by=house.boss.pk)


def decide(house: HitHouse, action: str) -> None:
    """Something about the jackpot as a whole, asked for by the boss and signed by the manager."""
    ids = {"house_id": house.house.pk, "jackpot_id": house.jackpot.pk, "person_id": house.boss.pk}
    done(jackpots.jackpot_request, **ids, action=action, payload={"reason": WHY})
    house.sign(house.asked(action), house.bea)


@pytest.mark.parametrize("language", LOOKED_AT)
def test_board_in_each_phase_of_a_jackpot(new_floor_page: NewPage, language: str) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    house = HitHouse(displays=2)
    jackpot = str(house.jackpot.pk)
    first, second = house.running()

    def board(phase: str, person: str = "second", name: str = "") -> None:
        open_pit(page, house, person)
        expect(page.locator(f"#jackpot-{jackpot}")).to_have_class(f"meter {phase}")
        look.at(f"board_{name or phase}")

    house.end(0, first, royal())
    tell(house, "draining_silent", table=str(house.tables[1].pk), round=str(second))
    tell(house, "display_offline", jackpot=jackpot, name="Display 2")
    board("draining")
    is_over(house)
    house.end(1, second, royal("d"))
    house.advance()
    AuditRun.objects.create(seconds=1, ok=False, breaches=[{"audit": "balances_are_sums"}])
    tell(house, "audit_failing", audits=["balances_equal_entries", "contributions_fill_the_meter"])
    tell(house, "cap_near", jackpot=jackpot, cap_minor=500_000_000)
    board("verifying")
    is_over(house)
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])
    house.verify_all()
    board("verifying", name="award_to_sign")
    house.sign(house.asked(), house.bea)
    board("verifying", "manager", name="award_not_mine")
    house.sign(house.asked(), house.reto)
    house.advance()
    house.confirm(house.displays[0])
    board("showing")
    house.confirm_all()
    decide(house, "jackpot.suspend")
    board("suspended")
    decide(house, "jackpot.resume")
    house.confirm_all()
    ids = {"house_id": house.house.pk, "jackpot_id": house.jackpot.pk}
    done(jackpots.jackpot_close, **ids, actor_id=house.boss.pk, reason=WHY)
    board("closed")
    assert look.wrong == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_hit_that_was_none(new_floor_page: NewPage, language: str) -> None:
    """Its one claim is not true, it is rejected, and the old value is shown again."""
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    house = HitHouse(displays=1)
    house.hit(winners=1)
    ids = {"house_id": house.house.pk, "person_id": house.boss.pk}
    claim = Claim.objects.get(hit__jackpot=house.jackpot)
    done(jackpots.claim_refuse, **ids, claim_id=claim.pk, reason="Die Zehn war aus Kreuz, nicht aus Herz")
    open_pit(page, house)
    look.at("board_without_a_true_claim", axe=False)
    room(page, house, "boss")
    look.at("room_without_a_true_claim")
    reason = "Die Kamera zeigt eine Zehn aus Kreuz"
    asked = done(jackpots.hit_reject_request, **ids, hit_id=claim.hit_id, reason=reason)
    room(page, house, "second")
    look.at("room_rejection_to_sign", axe=False)
    house.sign(asked, house.bea)
    house.advance()
    room(page, house, "boss")
    look.at("room_rejected_showing", axe=False)
    house.confirm_all()
    come(page, f"/pit/jackpots/{house.jackpot.pk}/?hit=1")
    look.at("room_rejected")
    assert look.wrong == []
