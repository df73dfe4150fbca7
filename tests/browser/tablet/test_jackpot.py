"""The jackpot as a croupier's tablet shows it, and what a tablet does without a network. A house with two linked tables."""

from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from jackpot.models import Claim, Jackpot
from tables.models import ReviewItem, Round, RoundResult, RoundStake
from tables.services import table_link
from tests.browser.cable import Cable
from tests.browser.hit_house import HitHouse
from tests.browser.tablets import ASKS_NEVER, STANDS, Tablet
from tests.floor import done
from tests.jackpot.linked import dull

pytestmark = pytest.mark.browser
# A finger that was on its way to the lock, and comes down when something else stands there.
HASTY = """() => {
    window.hasty = 0;
    const watch = new MutationObserver(() => {
        if (window.hasty || !document.querySelector('.action .doing')) return;
        window.hasty += 1;
        document.querySelector('.action').click();
    });
    watch.observe(document.body, {childList: true, subtree: true});
}"""
OFFLINE = (  # what a browser writes into its console then
    "WebSocket connection to .* failed|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_"
    "|ERR_CONTENT_LENGTH_MISMATCH|ERR_EMPTY_RESPONSE|ERR_FAILED|ERR_SOCKET_NOT_CONNECTED|status of 4"
)


@pytest.fixture
def hall(floor_server: object) -> HitHouse:
    return HitHouse(displays=1)


def tablet_of(
    hall: HitHouse, new_page: Callable[..., Page], table: int = 0, *, script: str = "", **options: object
) -> Tablet:
    page = new_page(has_touch=True, allowed=OFFLINE, service_workers="allow", **options)
    page.context.add_init_script(script)
    return Tablet(page, hall.tables[table], hall.croupiers[table])


def off(tablet: Tablet, cable: Cable) -> None:
    """No network; the tablet is told so, and the cable is out in earnest."""
    cable.pull()
    tablet.page.context.set_offline(True)


def on(tablet: Tablet, cable: Cable) -> None:
    """The network is back."""
    cable.plug()
    tablet.page.context.set_offline(False)


def banner(tablet: Tablet, why: str, text: str) -> None:
    expect(tablet.page.locator(f".say[data-why={why}]")).to_contain_text(text)


def test_royal_freezes_and_reopens(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """Royal is called; both tablets say what is waited for, at every step, until the displays show the new value. They are told:
    neither ever asks by itself. How soon is measured by `make bench ARGS=tablet`.
    """
    tablet, other = (tablet_of(hall, new_floor_page, table, script=ASKS_NEVER) for table in (0, 1))
    for one in (tablet, other):
        one.seat(1, 2)
        one.tile(1, "coin").tap()
    running = hall.start(1)
    expect(other.page.locator(".round")).to_have_attribute("data-phase", "play")
    tablet.lock()

    tablet.key("Royal").tap()
    tablet.page.get_by_role("button", name="Royal: Alle Tische sperren").tap()
    banner(tablet, "draining", "wartet auf: diese Runde · UTH 2")
    banner(other, "draining", "wartet auf: diese Runde · UTH 1")
    expect(tablet.key("Royal")).to_contain_text("Welche Box?")
    expect(tablet.key("Wieder öffnen")).to_have_count(0)  # its seconds are not over, but a hit is decided on
    assert Claim.objects.get(hit__jackpot=hall.jackpot).state == "called"

    tablet.cell(1, "4+")
    tablet.hand("royal_flush")
    tablet.cards("Ah Kh Qh Jh 2d Th 9s")
    tablet.action.tap()
    expect(tablet.box(1).locator(".paid > *")).to_have_text(["+2’525", "Royal Flush", "+2’525 · Jackpot"])
    tablet.cell(2, "fold")
    expect(tablet.action).to_contain_text("meldet den Jackpot")
    tablet.finish()
    banner(tablet, "draining", "wartet auf: UTH 2")
    expect(tablet.action).to_contain_text("Einsätze gesperrt")
    expect(tablet.tile(1, "coin")).to_contain_text("gesperrt")
    hall.end(1, running, dull())
    hall.advance()
    banner(tablet, "verifying", "Gewinn an UTH 1 wird geprüft · wartet auf: Prüfung durch die Aufsicht")
    hall.verify_all()
    banner(tablet, "verifying", "Unterschriften 0 von 2")
    hall.approve()
    banner(tablet, "showing", "wartet auf: Display 1")
    hall.confirm_all()
    hall.advance()
    expect(tablet.page.locator(".say[data-why]")).to_have_count(0)
    expect(tablet.tile(1, "coin")).to_contain_text("5")
    tablet.lock()
    assert [one.state for one in tablet.rounds()] == ["settled", "locked"]


def test_tablet_says_that_a_false_alarm_waits_for_the_pit(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    tablet = tablet_of(hall, new_floor_page)
    hall.false_alarm()
    banner(tablet, "verifying", "Gewinn wird geprüft · wartet auf: Entscheid der Aufsicht")
    hall.reject()
    banner(tablet, "showing", "wartet auf: Display 1")


def test_coins_wait_for_the_first_display(floor_server: object, new_floor_page: Callable[..., Page]) -> None:
    """The tablet says so before the lock, and plays without them (PRG-9); it is told when a technician has named one."""
    hall = HitHouse(displays=0)
    tablet = tablet_of(hall, new_floor_page)
    tablet.seat(1)
    banner(tablet, "no_display", "Noch keine Jackpot-Einsätze: Die Technik bestimmt erst eine Anzeige")
    expect(tablet.tile(1, "coin")).to_be_disabled()
    expect(tablet.tile(1, "coin")).to_contain_text("gesperrt")
    tablet.lock()
    tablet.cell(1, "fold")
    tablet.finish()
    [played] = tablet.rounds()
    assert not RoundStake.objects.filter(round=played, kind="coin").exists()

    hall.hang("Eingang")
    expect(tablet.page.locator(".say[data-why]")).to_have_count(0)
    tablet.tile(1, "coin").tap()
    tablet.lock()
    assert RoundStake.objects.filter(round__session__table=tablet.table, kind="coin").count() == 1


def test_a_linked_table_stops_without_the_server(
    hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """No lock; a round that runs is settled all the same, stored, and sent once, also by a page that was loaded anew."""
    tablet = tablet_of(hall, new_floor_page, address=cable.address)
    tablet.seat(1, 2)
    tablet.tile(1, "coin").tap()
    tablet.lock()
    tablet.has_worker()  # which has kept the page as it was before the lock
    off(tablet, cable)
    tablet.reload()
    tablet.phase("play")
    expect(tablet.page.locator(".link")).to_contain_text("Offline")
    expect(tablet.page.locator(".meter.old")).to_contain_text("Stand")
    tablet.cell(1, "4+")
    tablet.hand("full_house")
    banner(tablet, "offline", "Box 1: Die Aufsicht muss dieses Blatt persönlich sehen.")
    banner(tablet, "offline", "Er hängt am Jackpot. Laufende Runde beenden, Aufsicht informieren.")
    tablet.page.locator(".rail-key").last.tap()  # its cards are not entered: it was none
    tablet.hand("full_house")
    tablet.cell(2, "fold")
    tablet.finish()
    expect(tablet.page.locator(".link")).to_contain_text("Offline · 1 Runde gespeichert")
    expect(tablet.action).to_contain_text("Dieser Tisch steht")
    banner(tablet, "offline", "Er hängt am Jackpot. Aufsicht informieren.")
    since = tablet.page.locator(".say[data-why=offline]")
    expect(since).to_contain_text("Offline seit")
    tablet.page.evaluate(
        "localStorage.setItem(Object.keys(localStorage).find(key => key.includes('-off-')), Date.now() - 1_500_000)"
    )
    tablet.page.reload()
    expect(since).to_contain_text("Seit 25 Minuten offline.")  # the page is another one, the silence is the same
    expect(tablet.page.locator(".link")).to_contain_text("1 Runde gespeichert")
    assert tablet.rounds()[0].state == "locked"
    on(tablet, cable)
    expect(tablet.page.locator(".link")).to_have_text("Verbunden")
    expect(tablet.action).to_contain_text("Nichts geht mehr")
    assert [one.state for one in tablet.rounds()] == ["settled"]
    assert RoundResult.objects.filter(round__table=tablet.table).count() == 1


def test_others_play_on_and_send_each_round_once(
    hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]
) -> None:
    """Three rounds without the server, a reload and a new page between; then they are there, in order, without coins."""
    Jackpot.objects.filter(pk=hall.jackpot.pk).update(offline_linked="play_flagged")
    tablet = tablet_of(hall, new_floor_page, address=cable.address)
    tablet.seat(1, 2)
    tablet.tile(1, "coin").tap()
    tablet.has_worker()
    off(tablet, cable)
    banner(tablet, "offline", "Keine Jackpot-Einsätze.")
    expect(tablet.tile(1, "coin")).to_contain_text("gesperrt")
    expect(tablet.action).to_contain_text("2 Boxen · ohne Jackpot")
    for number in range(1, 4):
        tablet.lock()
        if number == 2:
            tablet.page.reload()  # in the middle of a round
        tablet.phase("play")
        tablet.cell(1, f"{number}+")
        tablet.cell(2, "fold")
        tablet.finish()
        expect(tablet.page.locator(".link")).to_contain_text(f"{number} Runde")
    page = tablet.page.context.new_page()  # the browser was closed, and opened again
    tablet.page.close()
    tablet.page = page
    page.goto(f"/tablet/{tablet.device.pk}/")
    expect(page.locator(".link")).to_contain_text("Offline · 3 Runden gespeichert")
    assert tablet.rounds() == []
    on(tablet, cable)
    expect(page.locator(".link")).to_have_text("Verbunden")
    played = tablet.rounds()
    assert [(one.state, one.queued, one.number) for one in played] == [("settled", True, n) for n in (1, 2, 3)]
    assert [RoundResult.objects.get(round=one).result["boxes"]["1"]["play"] for one in played] == [1, 2, 3]
    assert not RoundStake.objects.filter(round__in=played, kind="coin").exists()


def test_a_refused_round_is_with_the_pit(hall: HitHouse, cable: Cable, new_floor_page: Callable[..., Page]) -> None:
    """The table was closed to offline play meanwhile: nothing is lost, the croupier and the pit both see it."""
    Jackpot.objects.filter(pk=hall.jackpot.pk).update(offline_linked="play_flagged")
    tablet = tablet_of(hall, new_floor_page, address=cable.address)
    tablet.seat(1)
    tablet.has_worker()
    off(tablet, cable)
    expect(tablet.page.locator(".say[data-why=offline]")).to_be_visible()
    tablet.lock()
    tablet.cell(1, "1-")
    tablet.finish()
    Jackpot.objects.filter(pk=hall.jackpot.pk).update(offline_linked="stop")
    on(tablet, cable)
    expect(tablet.page.get_by_role("alert")).to_contain_text("wartet auf die Aufsicht")
    kept = ReviewItem.objects.get(table=tablet.table)
    assert (kept.kind, kept.code, kept.state) == ("queued", "round.queued_stopped", "open")
    assert tablet.rounds() == []


def test_an_answer_that_comes_late_twice_or_never(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """The lock's answer is lost: it is sent again under its key. The result arrives twice, and is booked once; the second answer
    counts. With no server at all the bets are taken back.
    """
    tablet = tablet_of(hall, new_floor_page)
    tablet.seat(1)
    lost: list[UUID] = []

    def lose(route) -> None:
        if not lost:
            lost.append(route.fetch().json()["answer"]["id"])
            return route.abort()
        return route.continue_()

    tablet.page.route("**/lock/", lose)
    tablet.lock()
    assert [str(one.pk) for one in tablet.rounds()] == lost
    tablet.cell(1, "fold")
    answers: list[dict[str, object]] = []

    def twice(route) -> None:
        answers.extend(route.fetch().json() for _ in range(2))
        route.fulfill(json=answers[-1])

    tablet.page.route("**/settle/", twice)
    tablet.finish()
    tablet.page.unroute("**/settle/")
    assert [one["replayed"] for one in answers] == [False, True]
    assert answers[0]["answer"] == answers[1]["answer"]
    assert [(one.state, one.revision) for one in tablet.rounds()] == [("settled", 1)]
    assert RoundResult.objects.filter(round__table=tablet.table).count() == 1
    assert tablet.page.get_by_role("alert").count() == 0

    tablet.page.route("**/lock/", lambda route: route.abort())
    tablet.page.evaluate(HASTY)
    tablet.page.evaluate(STANDS)  # the finger is hasty, however late the machine draws what it hits
    tablet.act()
    expect(tablet.action).to_contain_text("Noch keine Karte")
    expect(tablet.action).to_contain_text("Einsätze zurückgeben")
    assert tablet.page.evaluate("window.hasty") == 1
    expect(tablet.action).to_contain_text("Einsätze zurückgeben")
    tablet.act()
    tablet.page.unroute("**/lock/")
    expect(tablet.action).to_contain_text("Nichts geht mehr")
    tablet.lock()
    assert sorted(one.state for one in Round.objects.filter(table=tablet.table)) == ["locked", "settled", "withdrawn"]


def test_a_table_without_a_jackpot(hall: HitHouse, new_floor_page: Callable[..., Page]) -> None:
    """No coin, no meter, no Royal; offline it plays on."""
    done(table_link, house_id=hall.house.pk, table_id=hall.tables[0].pk, jackpot_id=None, actor_id=hall.tim.pk)
    tablet = tablet_of(hall, new_floor_page)
    tablet.seat(1)
    assert tablet.page.locator(".meter").count() == 0
    assert tablet.tile(1, "coin").count() == 0
    tablet.lock()
    assert tablet.key("Royal").count() == 0
