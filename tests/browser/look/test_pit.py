"""How the pit, its control room, the start pages and what is printed look: every state, every language, three sizes."""

import uuid
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from django.db import transaction
from django.test import RequestFactory
from django.utils import translation
from playwright.sync_api import Page, expect
from psycopg import InterfaceError

from casino.ops.models import AuditRun
from casino.ops.unavailable import server_error
from casino.pit.alerts import alert_acknowledge
from casino.pit.models import Alert
from casino.pit.shifts import shift_take_over
from jackpot.models import Claim
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.services import display_out_request
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_reject
from tables.models import Pit, Table, TableSession
from tests.browser.conftest import stop_clock
from tests.browser.floor_house import FloorHouse
from tests.browser.hit_house import HitHouse
from tests.browser.look.test_everywhere import CUT_OFF, OVERLAPPING, TOO_SMALL, drawn_at, faults, keep
from tests.browser.look.test_floor import busy_floor
from tests.browser.paper import wrong_on_paper
from tests.browser.people import LOOKED_AT, be, somebody
from tests.browser.pit_page import alert, call, open_pit, room, tile
from tests.browser.poker_house import PokerHouse
from tests.floor import done
from tests.jackpot.linked import dull, royal
from tests.jackpot.lived import four_of_a_kind
from tests.watched import watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
SIZES = ((1920, 1080), (1440, 900), (1280, 800))
REFUSED = "status of (4(0[349]|22)|50[03])"
NewPage = Callable[..., Page]


class Looker:
    """Looks at a page in one language, and keeps what is wrong until the end, so that one walk shows all of it."""

    def __init__(self, page: Page, language: str) -> None:
        self.page, self.language, self.wrong = page, language, []  # type: ignore[var-annotated]

    def at(self, name: str, *, axe: bool = True) -> None:
        """Look at the page as it stands, in each size."""
        page = self.page
        assert page.locator("html").get_attribute("lang") == self.language
        page.evaluate("document.fonts.ready")
        for width, height in SIZES:
            drawn_at(page, width, height)
            is_over = page.locator("dialog[open], .menu[open]").count() > 0
            scripts = (CUT_OFF, TOO_SMALL) if is_over else (CUT_OFF, TOO_SMALL, OVERLAPPING)
            self.wrong += [f"{name} {width}: {text}" for script in scripts for text in page.evaluate(script)]
            keep(page, f"pit_{name}", self.language)
        if axe and self.language == "de":  # colours and structure are those of every language
            self.wrong += [f"{name}: {text}" for text in faults(page)]

    def printed(self, name: str) -> None:
        """On paper: dark on white, nothing to tap, nothing cut off, and who printed it."""
        page = self.page
        drawn_at(page, 760, 1080)  # the width of an A4 page between its margins
        page.emulate_media(media="print")
        expect(page.locator(".printed")).to_be_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        for gone in (".bar", ".button"):
            assert page.locator(gone).filter(visible=True).count() == 0, (name, gone)
        self.wrong += wrong_on_paper(page, name)
        keep(page, f"print_{name}", self.language)
        page.emulate_media(media="screen")


def many(last: int) -> FloorHouse:
    """A busy floor of so many tables, most of them open with a round, in six pits."""
    floor = busy_floor()
    pits = [Pit.objects.create(house=floor.house, name=f"Saal {number}", position=number) for number in range(2, 7)]
    with transaction.atomic():
        for number in range(7, last + 1):
            made = Table.objects.create(
                house=floor.house,
                pit=pits[(number - 7) * len(pits) // (last - 6)],
                name=f"UTH {number}",
                position=number,
                game="uth",
                boxes=7,
                posted=floor.table.posted,
            )
            if number % 4:
                session = TableSession.objects.get(table=floor.table, closed_at=None)
                opened = TableSession.objects.create(
                    house=floor.house,
                    table=made,
                    gaming_day=session.gaming_day,
                    entry_level="fast",
                    versions=session.versions,
                    croupier=floor.boss,
                    opened_by=floor.boss,
                )
                Table.objects.filter(pk=made.pk).update(session=opened)
    return floor


def decorated(floor: FloorHouse) -> FloorHouse:
    """Alerts of every severity, one of them acknowledged, and the floor called."""
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])
    call(floor, None)
    call(floor)
    alert(floor)
    alert(floor, "display_unconfirmed", name="Eingang Nord", jackpot=str(floor.jackpot.pk))
    alert(floor, "too_many_coins", rounds=151, most=150)
    seen: Alert = alert(floor, "pace_off", an_hour=6, least=10, most=90)
    done(alert_acknowledge, house_id=floor.house.pk, alert_id=seen.pk, person_id=floor.boss.pk)
    return floor


def come(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("main").wait_for()


# The board, the shift, start pages, errors
@pytest.mark.parametrize("language", LOOKED_AT)
def test_pit_in_every_state(new_floor_page: NewPage, language: str) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    open_pit(page, FloorHouse())
    look.at("quiet_board")
    poker = PokerHouse()
    poker.rotation()
    poker.opened_an_hour_ago()
    hands = poker.deal(6, apart_s=0.4)
    open_pit(page, poker)
    page.locator("time.long").first.wait_for()
    look.at("board_of_poker")
    poker.ask(hands[0])
    expect(page.locator("time.long")).to_have_count(0)  # the worst comes first
    tile(page, "Poker 1").click()
    page.locator("#panel-body .floor").wait_for()
    look.at("panel_of_a_poker_table")
    floor = decorated(busy_floor())
    open_pit(page, floor)
    look.at("board_of_six")
    page.keyboard.press("x")
    look.at("exceptions_only")
    page.keyboard.press("x")
    for query in ("?by=game", "?kiosk=1"):
        come(page, f"/pit/{query}")
        look.at(f"board_{query[1:].partition('=')[0]}", axe="kiosk" in query)
    come(page, "/pit/")
    page.locator(".menu summary").click()
    look.at("menu", axe=False)
    page.locator(".menu summary").click()
    _panels(page, look, floor)
    _shift(page, look, floor)
    assert look.wrong == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_pit_where_something_fails(new_floor_page: NewPage, language: str) -> None:
    """Nobody raises alerts, an act is not done, a page of the panel does not come; the sound waits for a tap."""
    page = new_floor_page(language=language, allowed=REFUSED + "|htmx:|Response Status", reduced_motion="reduce")
    look = Looker(page, language)
    floor = decorated(busy_floor())
    other = str(Table.objects.get(house=floor.house, name="UTH 3").pk)
    alert(floor, "too_many_coins", table=other, rounds=151, most=150, again=True)
    alert(floor, "request_expired", table=other, action="round.correct", asked="2026-11-21T22:14:05+00:00")
    watched(for_s=-60)
    open_pit(page, floor)
    page.locator("[data-sound]").click()
    page.reload()
    page.locator("#unwatched-alerts").wait_for()
    page.route("**/acknowledge/", lambda route: route.fulfill(status=503, body="{}"))
    page.locator("#alerts [id^=alert-] button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-failed-words]")).not_to_be_empty()
    page.locator(".rail").evaluate("rail => { document.activeElement.blur(); rail.scrollTop = 0; }")
    look.at("something_fails")
    page.locator("[data-failed-close]").click()
    page.route("**/floor/tables/**", lambda route: route.fulfill(status=500, body="broken"))
    tile(page, "UTH 1").click()
    page.locator("[data-panel-failed]").wait_for()
    look.at("panel_fails")
    assert look.wrong == []


def _panels(page: Page, look: Looker, floor: FloorHouse) -> None:
    """What opens beside the board: a table, a refusal, a running round, devices, PINs."""
    tile(page, "UTH 1").click()
    page.locator("#panel-body .floor").wait_for()
    look.at("panel_of_a_table")
    page.keyboard.press("Escape")
    tile(page, "UTH 5").click()
    panel = page.get_by_role("dialog")
    panel.locator("form[action$='/open/'] [name=croupier]").select_option(index=1)
    floor.open(Table.objects.get(house=floor.house, name="UTH 5"), somebody(floor.house, "croupier"))  # meanwhile
    panel.locator("form[action$='/open/'] button").click()
    panel.get_by_role("alert").wait_for()
    look.at("panel_refused")
    page.keyboard.press("Escape")
    for place, name in (("devices", "panel_devices"), ("pins", "panel_pins")):
        page.locator(f".tabs a[href='/{place}/']").click()
        page.locator("#panel-body > *").first.wait_for()
        look.at(name)
        page.keyboard.press("Escape")


def _shift(page: Page, look: Looker, floor: FloorHouse) -> None:
    come(page, "/pit/hand-over/")
    look.at("shift_of_nobody", axe=False)
    since = "2026-11-21T22:14:05+00:00"

    def was_open() -> list[dict[str, str]]:
        return [{"what": "Alarm", "place": "UTH 1: Tablet offline", "since": since}]

    for number, person in enumerate((floor.second, floor.manager)):
        values = {"house_id": floor.house.pk, "person_id": person.pk, "seen": number}
        done(shift_take_over, **values, was_open=was_open, note="Anzeige Eingang Nord wird am Sonntag repariert")
    come(page, "/pit/hand-over/")
    for one in page.locator("main details summary").all():
        one.click()
    look.at("shift")
    look.printed("shift")


@pytest.mark.parametrize("language", LOOKED_AT)
def test_start_pages_and_errors(new_floor_page: NewPage, language: str) -> None:
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    floor = decorated(busy_floor())
    cage = somebody(floor.house, "cage")
    people = {"manager": floor.manager, "technician": floor.tech, "cage": cage, "croupier": floor.martina}
    for role in ("manager", "technician", "cage", "croupier"):
        person = somebody(floor.house, "croupier") if role == "croupier" else people[role]
        be(page, person)
        page.wait_for_url(f"**/home/{role}/")
        look.at(f"home_{role}")
    be(page, cage)
    for address, name in (
        ("/pit/", "error_403"),
        (f"/posted-tables/{uuid.uuid4()}/", "error_403_posted"),
        ("/x/", "error_404"),
    ):
        come(page, address)
        look.at(name, axe=name != "error_403_posted")
    for status in (500, 503):
        answer = broken(status, language)
        page.route("**/broken/", lambda route: route.fulfill(**answer))  # noqa: B023  (asked for before the next one)
        come(page, "/broken/")
        expect(page.locator(".status")).to_have_text(str(status))
        look.at(f"error_{status}")
        page.unroute("**/broken/")
    assert look.wrong == []


def broken(status: int, language: str) -> dict[str, Any]:
    """What a browser gets when something breaks behind the page, or the database is away."""
    request = RequestFactory().get("/broken/")
    with translation.override(language):
        try:
            raise InterfaceError("connection already closed") if status == 503 else ValueError("planted")
        except (InterfaceError, ValueError):
            answer = server_error(request)
    return {"status": answer.status_code, "content_type": "text/html; charset=utf-8", "body": answer.content}


HIDDEN = "() => { const box = document.querySelector('.tables'); return box.scrollHeight - box.clientHeight; }"


@pytest.mark.parametrize("language", LOOKED_AT)
def test_twenty_four_tables_stand_on_one_screen(new_floor_page: NewPage, language: str) -> None:
    """In six pits, each tile with all that it says, on the desk's screen and on the wall's."""
    page = new_floor_page(language=language, reduced_motion="reduce")
    look = Looker(page, language)
    open_pit(page, decorated(many(24)))
    for query, name in (("", "board_of_24"), ("?kiosk=1", "wall_of_24")):
        come(page, f"/pit/{query}")
        page.evaluate("document.fonts.ready")
        for width, height in SIZES:
            drawn_at(page, width, height)
            assert page.evaluate(HIDDEN) <= 0, (name, width)
            for part in (".limits", ".pace", ".result"):
                assert page.locator(f"#board .tile.open {part}").filter(visible=True).count() > 12, (name, width, part)
        look.at(name, axe="board" in name)
    assert look.wrong == []


@pytest.mark.parametrize("language", LOOKED_AT)
def test_sixty_tables_stand_on_one_screen(new_floor_page: NewPage, language: str) -> None:
    page = new_floor_page(language=language, width=1920, height=1080, reduced_motion="reduce")
    look = Looker(page, language)
    open_pit(page, decorated(many(60)))
    expect(page.locator("#board .tile")).to_have_count(60)
    page.evaluate("document.fonts.ready")
    assert page.evaluate(HIDDEN) <= 0
    look.at("board_of_sixty")
    assert look.wrong == []


def test_wall_shows_one_screen_of_pits_after_the_other(new_floor_page: NewPage) -> None:
    page = new_floor_page(width=1280, height=720, allowed="WebSocket")
    be(page, decorated(many(60)).boss)
    stop_clock(page)
    page.goto("/pit/")
    page.get_by_role("link", name="An der Wand zeigen").click()
    page.wait_for_url("**/pit/?kiosk=1")
    expect(page.get_by_role("button")).to_have_count(0)
    tops: dict[str, list[float]] = {".tables": [0], ".rail": [0]}  # what waits turns, too
    while any(len(seen) == 1 or seen[-1] for seen in tops.values()):
        page.clock.run_for(20_000)
        for part, seen in tops.items():
            if len(seen) == 1 or seen[-1]:
                seen.append(page.locator(part).evaluate("box => box.scrollTop"))
                assert len(seen) < 8
    assert [part for part, seen in tops.items() if len(set(seen)) != len(seen) - 1 or len(seen) < 3] == []
    page.keyboard.press("Escape")
    page.wait_for_url("**/pit/")


# The control room
@pytest.mark.parametrize("language", LOOKED_AT)
def test_room_in_every_state(new_floor_page: NewPage, language: str) -> None:
    """One hit with two winners from before it to after it, as the pit sees it; and what is printed of it."""
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    house = HitHouse(displays=2)
    first, second = house.running()

    def stand(name: str) -> None:
        room(page, house, "boss")
        page.locator("#room-head").wait_for()
        look.at(f"room_{name}")

    stand("before")
    house.end(0, first, royal())
    stand("draining")
    house.end(1, second, royal("d"))
    house.advance()
    stand("verifying")
    house.verify_all()
    stand("to_be_signed")
    look.printed("award")
    values = {"house_id": house.house.pk, "person_id": house.bea.pk, "person_roles": house.bea.roles}
    done(approval_reject, approval_id=house.asked().pk, **values, reason="Die Kamera zeigt einen anderen Kartenwert")
    stand("turned_down")
    house.verify(Claim.objects.filter(hit__jackpot=house.jackpot).order_by("number").first())  # looked at again
    house.advance()
    house.approve()
    stand("showing")
    house.confirm_all()
    house.end(0, house.start(0), dull())
    stand("reopened")
    look.printed("hit")
    be(page, house.cage)
    come(page, house.page)
    look.at("slips")
    look.printed("slips")
    be(page, house.boss)
    come(page, f"/floor/rounds/{first}/")
    look.printed("round")
    come(page, f"/pit/jackpots/{house.jackpot.pk}/?hit=1")
    look.at("room_over", axe=False)
    assert look.wrong == []


class Careful(HitHouse):
    """Four of a kind is paid by a signature."""

    posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(prize_approval_from_minor=50_000)}


@pytest.mark.parametrize("language", LOOKED_AT)
def test_what_waits_for_signatures_looks_and_prints(new_floor_page: NewPage, language: str) -> None:
    """A correction with before and after, a prize with its cards, a display to be taken out; the board itself."""
    page = new_floor_page(language=language, allowed=REFUSED, reduced_motion="reduce")
    look = Looker(page, language)
    floor = FloorHouse()
    round_id = floor.lost()
    floor.ask(round_id)
    open_pit(page, floor, "second")
    look.printed("board")
    come(page, f"/floor/rounds/{round_id}/")
    look.printed("correction")
    house = Careful(displays=2)
    house.end(0, house.start(0), four_of_a_kind())
    house.heard(house.displays[1])
    ids = {"house_id": house.house.pk, "jackpot_id": house.jackpot.pk, "person_id": house.boss.pk}
    done(display_out_request, **ids, display_id=house.displays[0], reason="Der Bildschirm bleibt schwarz")
    room(page, house, "second")
    page.locator("#room-displays summary").first.click()
    look.at("room_prize")
    look.printed("prize")
    assert look.wrong == []
