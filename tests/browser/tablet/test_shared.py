"""The frame of the tablet plays a game that it has never heard of, at which guests share boxes (BOX-1 to BOX-3, PRM-1, PRM-3).

The game is the tests' own on both sides: `sharing_app.py` lists it on the server, and `sharing.js` is served at the place where the
page looks for its game.
"""

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tables.games import GAMES
from tables.models import Guest, RoundLine, RoundStake
from tests.browser.look.test_tablet import wrong
from tests.browser.people import WORDS
from tests.browser.tablets import Tablet
from tests.sharing import SHARING, Generous, Shared

pytestmark = pytest.mark.browser
GAME = Path(__file__).parents[1] / "sharing.js"
_numbers = itertools.count(1)


@pytest.fixture
def floor(sharing_server: object, monkeypatch: pytest.MonkeyPatch) -> Shared:
    monkeypatch.setitem(GAMES, "sharing", SHARING)
    return Generous(suffix=f".s{next(_numbers)}")


def tablet_of(floor: Shared, page: Page) -> Tablet:
    """A tablet at the table of the game, with its module."""
    page.route(re.compile(r"/tablet/app/uth/game\.\w+\.js$"), lambda route: route.fulfill(path=GAME))
    return Tablet(page, floor.shared, floor.martina)


@pytest.fixture
def tablet(floor: Shared, new_sharing_page: Callable[..., Page]) -> Tablet:
    return tablet_of(
        floor, new_sharing_page(has_touch=True, service_workers="block", allowed="Service Worker|DISCONN|status of 409")
    )


def opened(tablet: Tablet, box: int) -> Locator:
    """The drawer of a box."""
    tablet.box(box).locator(".top").tap()
    return tablet.page.locator(".sheet")


def shut(tablet: Tablet) -> None:
    tablet.page.evaluate("passed += 650")
    tablet.key("Zurück").tap()


def beside(tablet: Tablet) -> list[str]:
    """Who stakes on the box of the open drawer besides its owner."""
    return tablet.page.locator(".beside p").all_inner_texts()


def three_on_a_box(tablet: Tablet) -> None:
    """Guest 1 owns box 1, guest 2 sits at box 2 and stakes on both, guest 3 stands at the third place from the shoe."""
    page = tablet.page
    tablet.seat(1, 2)
    drawer = opened(tablet, 1)
    expect(drawer).to_contain_text("Gast 1 spielt diese Box.")
    drawer.get_by_role("button", name="Gast 2 · sitzt an Box 2").tap()
    expect(page.locator(".beside")).to_have_count(1)
    page.evaluate("passed += 650")
    drawer.get_by_role("button", name="steht, Platz 3 vom Schlitten", exact=True).tap()
    expect(page.locator(".beside")).to_have_count(2)


def stakes(tablet: Tablet, number: int) -> list[tuple[int, int, int, int]]:
    """Of a round: box, guest, francs that stayed, francs that went back."""
    rows = RoundStake.objects.filter(round=tablet.rounds()[number - 1]).order_by("box", "guest__number")
    found = rows.values_list("box", "guest__number", "accepted_minor", "returned_minor")
    return [(box, guest, stays // 100, back // 100) for box, guest, stays, back in found]


def test_guests_share_a_box_from_bet_to_settlement(tablet: Tablet, floor: Shared) -> None:
    """They come, stake, are cut by the house's rule, settled by one tap, paid line by line; a round is taken back; they leave."""
    page = tablet.page
    three_on_a_box(tablet)
    assert beside(tablet) == ["Gast 2 sitzt an Box 2", "Gast 3 steht, Platz 3 vom Schlitten"]
    expect(page.locator(".sheet")).to_contain_text("Mehr als 3 Gäste dürfen nicht auf eine Box setzen.")
    expect(page.locator(".sheet .place")).to_have_count(0)
    there = Guest.objects.filter(session__table=tablet.table).order_by("number")
    assert list(there.values_list("box", "seated", "distance")) == [(1, True, 1), (2, True, 2), (None, False, 3)]

    page.get_by_role("button", name="Einsatz von Gast 3 weg").tap()
    assert beside(tablet) == ["Gast 2 sitzt an Box 2"]
    shut(tablet)
    expect(tablet.box(1).locator(".guest")).to_have_text("Gäste 1, 2")
    undo = page.locator(".rail-key").first
    expect(undo).to_contain_text("− 3")
    page.evaluate("passed += 650")
    undo.tap()
    expect(tablet.box(1).locator(".guest")).to_have_text("Gäste 1, 2, 3")
    for place, chips in enumerate(("100", "300", "300")):
        tablet.tile(1, f"stake{place}").tap()
        tablet.chip(chips).tap()
    expect(tablet.action).to_contain_text("2 Boxen")

    tablet.lock()
    assert stakes(tablet, 1) == [(1, 1, 100, 0), (1, 2, 300, 0), (1, 3, 100, 200), (2, 2, 10, 0)]
    expect(page.get_by_role("alert")).to_contain_text(
        "Jetons gehen vor der Runde zurück: Box 1, Gast 3: CHF 200.00 (PRM-3)."
    )
    expect(tablet.box(1).locator(".laid")).to_have_text("100 · 300 · 100")
    for ends in ("lose", "win"):
        tablet.box(1).locator(f"[data-cell={ends}]").tap()
    expect(tablet.box(1).locator(".paid")).to_have_text("+500")
    undo.tap()
    expect(tablet.box(1).locator(".paid")).to_have_text("−500")
    tablet.box(1).locator("[data-cell=win]").tap()
    tablet.box(2).locator("[data-cell=lose]").tap()
    tablet.box(1).locator(".paid").tap()
    rows = page.locator(".why tbody tr")
    assert [row.split("\t")[:3] for row in rows.all_inner_texts()] == [
        ["Gast 1 · Einsatz", "100", "200"],
        ["Gast 2 · Einsatz", "300", "600"],
        ["Gast 3 · Einsatz", "100", "200"],
    ]
    shut(tablet)
    tablet.finish()
    assert page.get_by_role("alert").count() == 0  # the house has booked what was shown, and no chips go back any more
    paid = RoundLine.objects.filter(round=tablet.rounds()[0]).order_by("box", "guest__number")
    assert list(paid.values_list("box", "guest__number", "returned_minor", "won_minor")) == [
        (1, 1, 10_000, 10_000),
        (1, 2, 30_000, 30_000),
        (1, 3, 10_000, 10_000),
        (2, 2, 0, 0),
    ]

    tablet.key("Runde 1 korrigieren").tap()
    tablet.box(2).locator("[data-cell=win]").tap()
    tablet.finish()
    [one] = tablet.rounds()
    assert (one.state, one.revision) == ("settled", 2)


def test_who_leaves_stakes_nowhere(tablet: Tablet) -> None:
    """A standing guest leaves the table, then the owner: his box is nobody's, and who stakes on it decides for it (BOX-2)."""
    page = tablet.page
    three_on_a_box(tablet)
    with page.expect_response("**/leave/"):
        page.get_by_role("button", name="Gast 3 geht").tap()
    assert beside(tablet) == ["Gast 2 sitzt an Box 2"]
    with page.expect_response("**/leave/"):
        page.get_by_role("button", name="Der Gast geht").tap()
    expect(tablet.box(1).locator(".guest")).to_have_text("Gast 2")
    expect(opened(tablet, 1)).to_contain_text("Diese Box hat keinen Inhaber.")
    assert beside(tablet) == ["Gast 2 sitzt an Box 2"]
    shut(tablet)
    tablet.lock()
    for box in (1, 2):
        tablet.box(box).locator("[data-cell=win]").tap()
    tablet.finish()
    assert stakes(tablet, 1) == [(1, 2, 10, 0), (2, 2, 10, 0)]
    assert tablet.rounds()[0].state == "settled"
    opened(tablet, 1)
    page.get_by_role("button", name="Ein anderer Gast setzt sich").tap()
    expect(tablet.box(1).locator(".guest")).to_have_text("Gäste 4, 2")


def test_a_guest_who_comes_late_is_looked_at_before_the_lock(tablet: Tablet) -> None:
    """His coming is not answered: the lock waits for him, and the box is looked at again; one who is refused has nothing there."""
    page, held = tablet.page, []
    tablet.seat(1)
    place = opened(tablet, 1).get_by_role("button", name="steht, Platz 4 vom Schlitten", exact=True)
    page.route("**/guests/", lambda route: held.append(route))  # noqa: PLW0108  (it is given a wrapper)
    with page.expect_request("**/guests/"):  # it is stored before it goes
        place.tap()
    shut(tablet)
    tablet.act()
    expect(tablet.action).to_contain_text("Warten")
    page.unroute("**/guests/")
    held.pop().continue_()
    expect(tablet.box(1).locator(".guest")).to_have_text("Gäste 1, 2")
    expect(tablet.action).to_contain_text("Nichts geht mehr")
    assert tablet.rounds() == []
    tablet.lock()
    assert stakes(tablet, 1) == [(1, 1, 10, 0), (1, 2, 10, 0)]
    page.reload()
    tablet.phase("play")
    expect(tablet.box(1).locator(".laid")).to_have_text("10 · 10")
    tablet.box(1).locator("[data-cell=lose]").tap()
    tablet.finish()

    page.route("**/guests/", refused)
    opened(tablet, 1).get_by_role("button", name="steht, Platz 5 vom Schlitten", exact=True).tap()
    expect(page.get_by_role("alert")).to_contain_text("Der Tisch ist geschlossen.")
    assert beside(tablet) == ["Gast 2 steht, Platz 4 vom Schlitten"]
    page.context.set_offline(True)
    expect(page.locator(".sheet .place").first).to_be_disabled()
    page.context.set_offline(False)


def refused(route: Route) -> None:
    problem = {"title": "Der Tisch ist geschlossen.", "status": 409, "detail": "Öffnen.", "code": "table.closed"}
    route.fulfill(status=409, content_type="application/problem+json", body=json.dumps(problem))


@pytest.mark.timeout(300)  # a busy machine is no failure
@pytest.mark.parametrize("language", WORDS)
def test_the_drawer_fits(floor: Shared, new_sharing_page: Callable[..., Page], language: str) -> None:
    """With two who stake on the box, one who could, and places to stand at: in every language and size."""
    type(floor.martina).objects.filter(pk=floor.martina.pk).update(language=language)
    options = {"service_workers": "block", "allowed": "Service Worker", "reduced_motion": "reduce"}
    tablet = tablet_of(floor, new_sharing_page(language=language, has_touch=True, **options))
    page = tablet.page
    tablet.seat(1, 2, 3)
    drawer = opened(tablet, 1)
    drawer.locator(".place").nth(2).tap()
    expect(page.locator(".beside")).to_have_count(1)
    found = wrong(tablet, "drawer", language)
    page.evaluate("passed += 650")
    drawer.locator("section .do").first.tap()
    expect(page.locator(".beside")).to_have_count(2)
    found += wrong(tablet, "drawer_full", language)
    assert not found, "\n".join(found)
