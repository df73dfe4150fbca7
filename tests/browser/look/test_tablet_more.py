"""How the tablet looks in what is rarer: other entry levels, a croupier's own keys, what he is told, a table without a jackpot.

`SHOTS=<folder>` keeps the pictures.
"""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Person
from tables.models import Table
from tables.services import table_entry_level_set
from tests.browser.floor_house import FloorHouse
from tests.browser.look.test_tablet import AT_ONCE, HEARD, SET, wrong
from tests.browser.people import LOOKED_AT
from tests.browser.pit_page import call
from tests.browser.tablets import DEAD_MS, Tablet
from tests.floor import done

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
NewPage = Callable[..., Page]

SKEW = "(() => { const now = Date.now.bind(Date); window.skew = 0; Date.now = () => now() + window.skew; })()"
# A lock can be taken back for as long as somebody looks at the key.
REOPENS = "async () => { (await import('tablet/frame/page')).page.game.reopen_s = 900; }"
ENDED = """async () => {
    const { settled } = await import('tablet/round/state');
    settled.value = {...settled.value, until: 0};
}"""
# A command whose answer is waited for, and after how long (ms) that is said.
BUSY = """async ([what, patience]) => {
    window.patience = patience;
    (await import('tablet/frame/screen')).working.value = what;
}"""
# The server as it was heard: so long ago (ms), or not since the tablet woke (null); it stays so, until it is heard again ("").
SAY = """async ([name, kind, act]) => {
    const [{ notice }, { w }] = await Promise.all(["screen", "words"].map(one => import(`tablet/frame/${one}`)));
    const help = name.startsWith("elsewhere") ? "elsewhere_help" : `${name}_help`;
    notice.value = { title: w(name, { number: 128 }), help: w(help), kind, act: act && { words: w(act), go() {} } };
}"""
SAID = {
    "elsewhere_locked": ("lock", ""),
    "elsewhere_ended": ("lock", ""),
    "changed_elsewhere": ("lock", "look"),
    "lock_stale": ("lock", ""),
    "coins_changed": ("alarm", ""),
    "seat_offline": ("alarm", ""),
    "asked_pit": ("appr", ""),
}
HUSH = "async () => { (await import('tablet/frame/screen')).notice.value = null; }"
BACK = """async (amount) => {
    const [{ alarms }, { w }] = await Promise.all(["screen", "words"].map(one => import(`tablet/frame/${one}`)));
    const lines = [[3, 12], [5, 7]].map(([box, number]) => w("stake_back", { box, number, amount, rule: "PRM-3" }));
    alarms.value = amount ? [{ title: w("stakes_back"), help: lines.join(" "), count: 1 }] : [];
}"""
WITH_PIT = """async (is) => {
    const { draft } = await import("tablet/round/state");
    const [outbox, { w }] = await Promise.all(["outbox", "words"].map(one => import(`tablet/frame/${one}`)));
    const { value: now } = draft;
    const stored = [8, 9].map(seq => ({ kind: "queued", seq, round: `stored ${seq}`, draft: now, open: true }));
    const kept = { kind: "settle", seq: 7, number: 128, round: "x", draft: now, kept: { title: w("to_clarify") } };
    outbox.pending.value = is ? [kept, ...stored] : [];
}"""
# The round that was just booked, as the floor has changed it since: six boxes, each for another reason.
CHANGED = """async () => {
    const { settled } = await import("tablet/round/state");
    const { sheet } = await import("tablet/frame/screen");
    const before = settled.value.draft;
    const results = {
        1: { play: 4, result: "lose" },
        2: { play: 1, result: "win", hand: "flush" },
        3: { play: 2, result: "win", hand: "full_house" },
        4: { play: 2, result: "tie", was: "win" },
        5: { play: 3, result: "win", hand: "three_of_a_kind" },
        6: { play: 0, result: "fold" },
    };
    const after = { ...before, flags: { dealer_without_pair: true }, results };
    sheet.value = { name: "changed", number: 128, before, after };
}"""
NEVER_HEARD = "async () => { (await import('tablet/frame/live')).jackpot.value = null; }"


def opened(
    new_page: NewPage, language: str, floor: FloorHouse, table: Table, person: Person, allowed: str | None = None
) -> Tablet:
    """The croupier's tablet, in his language."""
    Person.objects.filter(pk=person.pk).update(language=language, full_name="Jean-Baptiste Oberholzer")
    page = new_page(has_touch=True, language=language, reduced_motion="reduce", allowed=allowed)
    page.add_init_script(AT_ONCE)
    page.add_init_script(SKEW)
    tablet = Tablet(page, table, person)
    page.evaluate(REOPENS)
    return tablet


@pytest.mark.parametrize("language", LOOKED_AT)
def test_other_entry_levels(floor_server: object, new_floor_page: NewPage, language: str) -> None:
    """Coins alone, then all cards: two rounds of three boxes."""
    floor = FloorHouse()
    floor.open_for()
    where = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    done(table_entry_level_set, **where, entry_level="jackpot_only")
    tablet, found = opened(new_floor_page, language, floor, floor.table, floor.martina), []
    tablet.seat(1, 2, 3, 4, 5)
    for box in (2, 4):
        tablet.tile(box, "coin").tap()
    found += wrong(tablet, "coins_bets", language)
    tablet.lock()
    found += wrong(tablet, "coins_locked", language)
    tablet.box(1).locator(".top").tap()
    tablet.hand("full_house")
    found += wrong(tablet, "coins_cards", language)
    tablet.cards("Ks 8h Kh 2d 8c Kc 4h")
    tablet.act()
    found += wrong(tablet, "coins_done", language)
    tablet.finish()

    done(table_entry_level_set, **where, entry_level="full_cards")
    expect(tablet.tile(1, "ante")).to_be_visible()  # the page hears of it by itself
    tablet.lock()
    found += wrong(tablet, "full_locked", language)
    tablet.box(1).locator("[data-cell='4:']").tap()
    tablet.cell(2, "fold")
    tablet.box(3).locator("[data-cell='1:']").tap()
    tablet.cell(4, "fold")
    found += wrong(tablet, "full_settling", language)
    tablet.cell(5, "fold")
    found += wrong(tablet, "full_cards_missing", language)
    tablet.act()
    found += wrong(tablet, "full_cards", language)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LOOKED_AT)
def test_a_croupier_and_what_he_is_told(floor_server: object, new_floor_page: NewPage, language: str) -> None:
    floor = FloorHouse()
    floor.open_for()
    tablet, found = opened(new_floor_page, language, floor, floor.table, floor.martina), []
    page = tablet.page
    tablet.seat(1, 2, 3, 4, 5, 6)
    for box in (1, 3, 6):
        tablet.tile(box, "coin").tap()
    tablet.tile(5, "trips").tap()
    page.evaluate("document.documentElement.dataset.hand = 'left'")
    found += wrong(tablet, "left_betting", language)
    page.evaluate("document.documentElement.dataset.hand = 'right'")
    for ago, name in ((4_000, "slow"), (None, "unknown")):
        page.evaluate(HEARD, ago)
        page.locator(f".link.{name}").wait_for()
        found += wrong(tablet, f"link_{name}", language)
    page.evaluate(HEARD, "")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator(".link.ok").wait_for()
    page.evaluate(SET, ["open", "", "", "", "stored"])
    page.locator(".link.ok").wait_for()
    found += wrong(tablet, "link_sending", language)
    found += _said(tablet, language)
    found += _keys(tablet, floor, language)
    assert not found, "\n".join(found)


def _said(tablet: Tablet, language: str) -> list[str]:
    """What stands over the boxes, one after the other."""
    page, found = tablet.page, []
    page.evaluate(SET, ["open", "", "", "", ""])
    for name, (kind, act) in SAID.items():
        page.evaluate(SAY, [name, kind, act])
        found += wrong(tablet, f"said_{name}", language)
    page.evaluate(HUSH)
    page.evaluate(BACK, "CHF 1’250.00")
    found += wrong(tablet, "said_stakes_back", language)
    page.evaluate(BACK, "")
    page.evaluate(HEARD, 0)
    page.route("**/surface/**", lambda route: None)  # else it would say that the pit has decided
    page.evaluate(WITH_PIT, True)
    page.locator("[data-why=with-pit]").wait_for()
    found += wrong(tablet, "said_with_pit", language)
    page.evaluate(WITH_PIT, False)
    page.unroute_all(behavior="ignoreErrors")
    page.evaluate(HEARD, "")
    page.evaluate("window.skew = 60_000")  # not so far that the tablet would have lain untouched for too long
    page.locator("[data-why=clock]").wait_for()
    found += wrong(tablet, "said_clock", language)
    page.evaluate("window.skew = 0")
    expect(page.locator("[data-why=clock]")).to_have_count(0)
    for name in ("closed", "retired"):
        page.evaluate(SET, [name, "", "", "", ""])
        page.locator(f"[data-why={name}]").wait_for()
        found += wrong(tablet, f"said_{name}", language)
    page.evaluate(NEVER_HEARD)
    page.locator("[data-why=unknown]").wait_for()
    found += wrong(tablet, "said_unknown", language)
    page.reload()
    page.evaluate(REOPENS)
    tablet.phase("bets")
    return found


def _keys(tablet: Tablet, floor: FloorHouse, language: str) -> list[str]:
    """A croupier's keys in a round: open again, the floor called, Royal called; booked, and put right too late for his own hand."""
    page, found = tablet.page, []
    expect(page.locator(".say")).to_have_count(0)
    page.evaluate(BUSY, ["lock", 1e9])
    expect(page.locator(".action .doing")).to_have_count(0)
    found += wrong(tablet, "lock_waits", language)
    page.evaluate(BUSY, ["", 0])
    tablet.lock()
    found += wrong(tablet, "open_again", language)
    for box, cell in ((1, "4+"), (2, "1-"), (3, "fold"), (4, "2+"), (5, "3-")):
        tablet.cell(box, cell)
    call(floor, "payout")
    expect(page.locator("[data-opens=call]")).to_have_attribute("aria-pressed", "true")
    found += wrong(tablet, "floor_called", language)
    page.locator("[data-opens=call]").tap()
    found += wrong(tablet, "floor_called_why", language)
    page.locator(".rail-key").first.tap()
    tablet.cell(6, "fold")
    for patience, name in ((1e9, "booking"), (0, "booking_late")):
        page.evaluate(BUSY, ["settle", patience])
        found += wrong(tablet, name, language)
        page.evaluate(BUSY, ["", 0])
    tablet.finish()
    page.evaluate(CHANGED)
    page.locator(".sheet .why").nth(1).wait_for()
    found += wrong(tablet, "changed", language)
    page.locator(".sheet").evaluate("sheet => sheet.scrollTo(0, sheet.scrollHeight)")
    found += wrong(tablet, "changed_below", language)
    page.evaluate(f"passed += {DEAD_MS}")
    page.locator(".rail-key").first.tap()
    page.evaluate(f"passed += {DEAD_MS}")
    page.evaluate(ENDED)
    expect(page.locator(".rail-key").first).to_be_enabled()
    found += wrong(tablet, "ask_correction", language)
    page.locator(".rail-key").first.tap()
    page.locator("[data-why=asks]").wait_for()
    found += wrong(tablet, "correction_asks", language)
    page.evaluate(f"passed += {DEAD_MS}")
    page.locator(".rail-key").first.tap()
    boxes = {f"b{box}": {"play": 0, "result": "fold"} for box in range(2, 7)}
    floor.ask(tablet.rounds()[-1].pk, **boxes)
    expect(page.locator(".rail-key").first).to_be_disabled()
    found += wrong(tablet, "correction_waits", language)
    tablet.lock()
    page.locator("[data-opens=royal]").tap()
    page.locator(".sheet .do").last.tap()
    page.locator("[data-why=draining]").wait_for()
    found += wrong(tablet, "royal_called", language)
    page.locator("[data-opens=royal]").tap()
    page.locator(".sheet .whose").first.wait_for()
    found += wrong(tablet, "royal_whose", language)
    page.evaluate(f"passed += {DEAD_MS}")
    page.locator(".rail-key").first.tap()
    for box in range(1, 7):
        tablet.cell(box, "fold")
    found += wrong(tablet, "royal_open", language)
    return found


@pytest.mark.parametrize("language", LOOKED_AT)
def test_without_a_jackpot_and_opened_twice(floor_server: object, new_floor_page: NewPage, language: str) -> None:
    floor = FloorHouse()
    floor.open(floor.other, floor.nora)
    tablet, found = opened(new_floor_page, language, floor, floor.other, floor.nora, "reading 'phase'"), []
    tablet.seat(1, 2, 4)
    tablet.tile(2, "trips").tap()
    expect(tablet.page.locator(".meter")).to_have_count(0)
    found += wrong(tablet, "alone_bets", language)
    tablet.lock()
    tablet.cell(1, "4+")
    tablet.cell(2, "2-")
    expect(tablet.page.locator("[data-opens=royal]")).to_have_count(0)
    found += wrong(tablet, "alone_settling", language)
    second = tablet.page.context.new_page()
    second.goto(f"/tablet/{tablet.device.pk}/")
    second.locator(".lone").wait_for()
    found += wrong(SimpleNamespace(page=second), "opened_twice", language)  # type: ignore[arg-type]
    tablet.page.evaluate("async () => { (await import('tablet/round/state')).draft.value = null; }")
    tablet.page.locator(".lone").wait_for()
    found += wrong(tablet, "broken", language)
    assert not found, "\n".join(found)
