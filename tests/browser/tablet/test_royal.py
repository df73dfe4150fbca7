"""*Royal!* was called: no round is finished before somebody has said which box has it, or that it was a false alarm (PRG-3)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from jackpot.models import Claim
from tables.models import RoundResult
from tables.services import round_call, table_entry_level_set
from tests.browser.cable import Cable
from tests.browser.hit_house import PatientHall
from tests.browser.tablet.test_jackpot import OFFLINE, off, on
from tests.browser.tablets import DEAD_MS, Tablet
from tests.floor import done

pytestmark = pytest.mark.browser
CARDS = "Ah Kh Qh Jh 2d Th 9s"  # the board, then box 2, which has the royal flush


@pytest.fixture
def hall(floor_server: object) -> PatientHall:
    return PatientHall(displays=1)


@pytest.fixture
def tablet(hall: PatientHall, cable: Cable, new_floor_page: Callable[..., Page]) -> Tablet:
    """Three boxes, two of them with a coin."""
    page = new_floor_page(has_touch=True, allowed=OFFLINE, service_workers="allow", address=cable.address)
    tablet = Tablet(page, hall.tables[0], hall.croupiers[0])
    tablet.seat(1, 2, 3)
    for box in (1, 2):
        tablet.tile(box, "coin").tap()
    return tablet


def keys(tablet: Tablet) -> list[str]:
    return [one.replace("\n", " ") for one in tablet.page.locator(".sheet .whose").all_inner_texts()]


def royal(tablet: Tablet) -> Locator:
    """The key of the rail, not that of the hand."""
    return tablet.page.locator(".rail-key.royal")


def false_alarm(tablet: Tablet) -> Locator:
    return tablet.page.locator("[data-false-alarm]")


def call(tablet: Tablet) -> None:
    royal(tablet).tap()
    tablet.page.get_by_role("button", name="Royal: Alle Tische sperren").tap()
    expect(royal(tablet)).to_contain_text("Welche Box?")


def folded(tablet: Tablet, *boxes: int) -> None:
    for box in boxes:
        tablet.cell(box, "fold")


def claim(hall: PatientHall) -> tuple[str, int | None]:
    found = Claim.objects.get(hit__jackpot=hall.jackpot)
    return found.state, found.box


def asked(tablet: Tablet) -> None:
    """Where the round is finished otherwise stands the question."""
    expect(tablet.action).to_contain_text("Royal ausgerufen")
    tablet.act()
    expect(tablet.page.locator(".sheet .choices")).to_contain_text("Welche Box hat den Royal Flush?")


def test_the_box_is_named_before_the_round_is_finished(hall: PatientHall, tablet: Tablet) -> None:
    """The name is a step that undo takes back, with the sheet of the cards; the next page still asks."""
    tablet.lock()
    call(tablet)
    tablet.cell(2, "4+")
    folded(tablet, 1, 3)
    asked(tablet)
    assert keys(tablet) == ["Box 1 Jackpot", "Box 2 Jackpot", "Box 3 ohne Jackpot"]
    tablet.page.locator(".whose[data-box='2']").tap()
    tablet.cards(CARDS[:2])
    for step in ("A Herz", "Box 2: Royal Flush"):
        expect(tablet.page.locator(".rail-key").first).to_contain_text(step)
        tablet.page.locator(".rail-key").first.tap()
        tablet.page.evaluate(f"passed += {DEAD_MS}")
    expect(tablet.action).to_contain_text("Royal ausgerufen")
    tablet.reload()
    asked(tablet)
    tablet.page.locator(".whose[data-box='2']").tap()
    tablet.cards(CARDS)
    tablet.act()
    expect(royal(tablet)).to_contain_text("Box 2")
    expect(tablet.action).to_contain_text("meldet den Jackpot")
    tablet.finish()
    assert claim(hall) == ("open", 2)


def test_a_false_alarm_that_was_called_elsewhere_ends_without_the_server(
    hall: PatientHall, tablet: Tablet, cable: Cable
) -> None:
    """What was tapped before the call came, and is taken back after it, does not take the call back."""
    tablet.lock()
    [running] = tablet.rounds()
    folded(tablet, 1)
    done(round_call, house_id=hall.house.pk, round_id=running.pk, person_id=tablet.person.pk)
    expect(royal(tablet)).to_contain_text("Welche Box?")
    tablet.key("Rückgängig").tap()
    off(tablet, cable)
    expect(tablet.page.locator(".say[data-why=offline]")).to_be_visible()
    folded(tablet, 1, 2, 3)
    asked(tablet)
    false_alarm(tablet).tap()
    expect(royal(tablet)).to_contain_text("Falscher Alarm")
    expect(tablet.action).to_contain_text("Runde fertig")
    tablet.page.evaluate(f"passed += {DEAD_MS}")
    tablet.key("Rückgängig").tap()
    asked(tablet)
    false_alarm(tablet).tap()
    tablet.finish()
    on(tablet, cable)
    expect(tablet.page.locator(".link")).to_have_text("Verbunden")
    assert claim(hall) == ("dropped", None)
    assert set(RoundResult.objects.get(round=running).result["boxes"]) == {"1", "2", "3"}


def test_where_all_cards_are_entered_they_say_which_box_it_is(hall: PatientHall, tablet: Tablet) -> None:
    where = {"house_id": hall.house.pk, "table_id": tablet.table.pk, "actor_id": hall.tim.pk}
    done(table_entry_level_set, **where, entry_level="full_cards")
    tablet.reload()
    tablet.phase("bets")
    tablet.lock()
    call(tablet)
    royal(tablet).tap()
    expect(tablet.page.locator(".sheet .choices")).to_contain_text("Die erfassten Karten zeigen")
    assert keys(tablet) == []
    tablet.key("Zurück").tap()
    tablet.page.evaluate(f"passed += {DEAD_MS}")
    for box in (1, 2, 3):
        tablet.box(box).locator("[data-cell='1:']").tap()
    tablet.act()
    tablet.cards("Ah Kh Qh Jh 2d 3c 4d Th 9s 3s 4s 5c 6d")
    tablet.act()
    expect(royal(tablet)).to_contain_text("Box 2")
    tablet.finish()
    assert claim(hall) == ("open", 2)
