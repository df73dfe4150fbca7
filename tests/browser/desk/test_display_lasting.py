"""A display that nobody touches for months: what it keeps, where its picture stands, when it begins anew, how it celebrates."""

import asyncio
import base64
import json
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Error, Page, WebSocketRoute, expect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.browser.cable import Cable
from tests.browser.conftest import Server, stop_clock
from tests.browser.display_house import STANDS, show, shown, state
from tests.browser.display_states import CROWD, HARD, TOLD, Teller, paid
from tests.screens import Shown

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]


# Memory
# What a page keeps of each update shows with two thousand; `DISPLAY_UPDATES=10000` is half a minute more, and no kilobyte.
UPDATES = int(os.environ.get("DISPLAY_UPDATES") or "2000")
GROWS_MOST = (
    400_000  # bytes of the heap, whatever the number of updates; a page that keeps what it hears grows by 1 kB for each
)
STATES = [name for name in (TOLD | HARD) if name != "retired"]


class Flood(Cable):
    """The server with another socket: it tells its one reader so many snapshots, as fast as they are taken."""

    def __init__(self, address: str, told: dict[str, object]) -> None:
        self.told, self.number = told, 0
        self._joined = asyncio.Event()
        super().__init__(address)

    async def _serve(self) -> None:
        async with serve(self._tell, "127.0.0.1", 0) as sockets:
            self._sockets = sockets.sockets[0].getsockname()[:2]
            await super()._serve()

    async def _connect(self, reader: asyncio.StreamReader) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        head = await reader.readuntil(b"\r\n\r\n")
        is_socket = head.startswith(b"GET /ws/")
        far = await (asyncio.open_connection(*self._sockets) if is_socket else super()._connect(reader))
        far[1].write(head)
        return far

    async def _tell(self, link: ServerConnection) -> None:
        """Alive as the server is: a socket that says nothing for seconds is left by the page, and joined anew."""
        self.link = link
        self._joined.set()
        with suppress(ConnectionClosed):
            while True:
                await link.send(json.dumps({"type": "heartbeat", "at": datetime.now(UTC).isoformat()}))
                await asyncio.sleep(1)
        if self.link is link:
            self._joined.clear()

    def send(self, count: int) -> int:
        """Send so many; the version of the last one."""
        asyncio.run_coroutine_threadsafe(self._send(count), self._loop).result(300)
        return self.version

    async def _send(self, count: int) -> None:
        await self._joined.wait()
        for _ in range(count):
            self.number += 1
            changes = TOLD["open"]
            if self.number % 20 == 0:  # every state has its turn
                changes = (TOLD | HARD)[STATES[self.number // 20 % len(STATES)]]
            amount = f"{100 + self.number // 1000 % 900}’{self.number % 1000:03}.{self.number % 100:02}"
            told = self.told | {"hit": None} | changes | {"text": amount, "version": self.version}
            await self.link.send(json.dumps(told))

    @property
    def version(self) -> int:
        return 1_000 + self.number


def kept(page: Page) -> dict[str, int]:
    """What the page holds when everything that can go is gone."""
    tools = page.context.new_cdp_session(page)
    tools.send("HeapProfiler.enable")
    for _ in range(3):
        tools.send("HeapProfiler.collectGarbage")
    told = tools.send("Memory.getDOMCounters")
    used = tools.send("Runtime.getHeapUsage")["usedSize"]
    tools.detach()
    return {"bytes": round(used), "nodes": told["nodes"], "listeners": told["jsEventListeners"]}


def grown(page: Page, flood: Flood, updates: int) -> dict[str, int]:
    """By how much the page grew with so many updates."""
    for count in (1_000, updates):  # what it needs once for all it has after the first ones
        before = kept(page)
        last = flood.send(count)
        expect(page.locator("html")).to_have_attribute("data-version", str(last), timeout=240_000)
        page.evaluate(STANDS)
    return {name: value - before[name] for name, value in kept(page).items()}


KEEPS = """
const add = WebSocket.prototype.addEventListener;
window.keeps = [];
WebSocket.prototype.addEventListener = function (name, listener) {
    const keeping = event => { if (name === "message") keeps.push(JSON.parse(event.data)); listener(event); };
    return add.call(this, name, keeping);
};
"""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("keeps", [False, True], ids=["as it is", "control: a page that keeps what it hears"])
def test_memory_is_flat(new_display_page: NewPage, display_server: Server, keeps: bool) -> None:
    floor = Shown()
    flood = Flood(display_server.address, floor.screens[0].get("now/").json())
    try:
        page = new_display_page(
            address=flood.address, allowed="WebSocket|ERR_", width=960, height=540, reduced_motion="reduce"
        )
        if keeps:
            page.add_init_script(KEEPS)
        show(page, floor.screens[0])
        state(page, "open")
        more = grown(page, flood, UPDATES if not keeps else 1_000)
    finally:
        flood.close()
    assert (more["bytes"] < GROWS_MOST) is not keeps, more
    if not keeps:
        assert more["nodes"] < 200, more
        assert more["listeners"] == 0, more


# What takes turns
TURN_S = 8  # of display/pages.js


def clocked(page: Page) -> Teller:
    """A display whose clock the test winds; it is always years after the server's."""
    floor = Shown()
    stop_clock(page, datetime(2040, 1, 10, 3, 0, tzinfo=ZoneInfo(floor.house.time_zone)))  # three at night in the house
    teller = Teller(page, floor)
    teller.beat()
    return teller


def joined(teller: Teller, old: WebSocketRoute) -> None:
    """Wind its clock until the display has another socket than this one."""
    while teller.socket is old:
        teller.page.clock.run_for(1_000)
        teller.page.evaluate("0")


def jump(teller: Teller, hours: int) -> None:
    """So many hours at once, as on a machine that slept: the display finds its socket dead and joins again."""
    old = teller.socket
    teller.page.clock.fast_forward(hours * 3_600_000 + 5_000)
    joined(teller, old)
    teller.lasts(2)
    teller.page.clock.run_for(500)


def told(page: Page, part: str) -> str:
    return " ".join(page.locator(part).inner_text().split())


def test_winners_that_do_not_fit_at_once_take_turns(new_display_page: NewPage, display_server: Server) -> None:
    page = new_display_page(width=1920, height=1080)
    teller = clocked(page)
    teller.tell(HARD["hit_crowd"])
    seen: dict[str, list[str]] = {}
    pages = int(told(page, "[data-part=hit-tag]").rpartition("/")[2])
    assert 1 < pages <= 5  # 40 seconds: the least that a hit is shown is a minute
    for _ in range(pages):
        seen[told(page, "[data-part=hit-tag]")] = page.locator(".winners li").all_inner_texts()
        teller.lasts(TURN_S)
    assert sorted(seen) == [f"Jackpot gewonnen · 24 Gewinner · {number}/{pages}" for number in range(1, pages + 1)]
    places = [" ".join(text.split()) for _, texts in sorted(seen.items()) for text in texts]
    assert places == [f"{one['table']} · Box 7 CHF {one['text']}" for one in CROWD]
    teller.tell(TOLD["hit_two"])
    assert told(page, "[data-part=hit-tag]") == "Jackpot gewonnen · 2 Gewinner"


def test_tables_that_do_not_fit_at_once_take_turns(new_display_page: NewPage, display_server: Server) -> None:
    page = new_display_page(width=1280, height=720)
    teller = clocked(page)
    for name, part, before in (
        ("verifying_many", "[data-part=banner-text]", "Gewinn wird geprüft · "),
        ("tables_many", "[data-part=stake]", "Einsatz CHF 5 pro Box · "),
    ):
        teller.tell(HARD[name])
        seen = set()
        for _ in range(6):
            text = told(page, part)
            assert text.startswith(before)
            seen |= set(text.removeprefix(before).replace(", ", " · ").split(" · "))
            teller.lasts(TURN_S)
        assert seen == set(teller.told["hit"]["tables"] if teller.told["hit"] else teller.told["tables"])


# Where it stands, and when it begins anew
def test_picture_wanders_by_a_few_pixels(new_display_page: NewPage, display_server: Server) -> None:
    page = new_display_page(width=1920, height=1080)
    teller = clocked(page)
    teller.tell(TOLD["open"])
    places = []
    for _ in range(31):
        box = page.locator(".stage").bounding_box()
        assert box
        places.append((round(box["x"]) - 4, round(box["y"]) - 4))
        assert shown(page) == "128’450.55"
        page.clock.fast_forward(60_000)
    steps = zip(places, places[1:] + places[:1], strict=True)
    assert max(max(abs(x - to_x), abs(y - to_y)) for (x, y), (to_x, to_y) in steps) == 1
    assert len(set(places)) > 25
    assert {(min(axis), max(axis)) for axis in zip(*places, strict=True)} == {(-4, 4)}


def test_page_is_loaded_anew_once_a_day_and_never_while_tables_wait(
    new_display_page: NewPage, display_server: Server
) -> None:
    page = new_display_page()
    page.add_init_script("Math.random = () => 0; sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1")
    teller = clocked(page)

    def is_for(phase: str, minutes: int) -> None:
        """It is in this phase for so long."""
        teller.tell({"phase": phase})
        with suppress(Error):  # it went while the test wound its clock
            teller.lasts(60 * minutes)

    def loads() -> str:
        return page.evaluate("sessionStorage.loads")

    jump(teller, 3)
    is_for("open", 2)
    assert loads() == "1"  # six in the morning here
    jump(teller, 1)
    is_for("verifying", 3)
    assert loads() == "1"  # seven, but a hit
    old = teller.socket
    with page.expect_navigation():  # it may still be on its way when the minute is over
        is_for("open", 1)
    assert loads() == "2"
    joined(teller, old)
    jump(teller, 0)
    is_for("open", 3)
    assert loads() == "2"  # and not once more


# Celebration
# WCAG 2.3.1 counts a flash as a pair of opposing changes of a tenth of full luminance, of which the darker state is below 0.8, and
# allows three in a second where a quarter of the middle of what is seen changes together. A cell is far smaller than that.
CELLS = """async picture => {
    const [width, height] = [16, 9];
    const image = await createImageBitmap(await (await fetch(picture)).blob(), {resizeWidth: width, resizeHeight: height});
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const linear = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const {data} = canvas.getImageData(0, 0, width, height);
    return Array.from({length: width * height}, (_, cell) =>
        [0.2126, 0.7152, 0.0722].reduce((sum, part, colour) => sum + part * linear(data[4 * cell + colour]), 0));
}"""
AT = """moment => document.getAnimations().forEach(one => { one.pause(); one.currentTime = moment; })"""
FRAME_MS, SHOWN_MS = 50, 2_000
FLASHES = ("@keyframes flash { 50% { opacity: 0 } }", ".stage { animation: flash 400ms 4 }")


def flashes(values: list[float]) -> int:
    """How often the luminance went by a tenth one way and then a tenth back; two of these are what WCAG calls a flash."""
    turns, way, low, high = 0, 0, values[0], values[0]
    for value in values:
        low, high = min(low, value), max(high, value)
        if way <= 0 and value - low >= 0.1:
            turns, way, high = turns + (way < 0), 1, value
        elif way >= 0 and high - value >= 0.1:
            turns, way, low = turns + (way > 0), -1, value
    return turns


def test_flashes_are_counted() -> None:
    assert flashes([0.1, 0.3, 0.5, 0.7]) == 0
    assert flashes([0.1, 0.3, 0.1, 0.3, 0.15]) == 3
    assert flashes([0.5, 0.45, 0.5, 0.45]) == 0


def freeze(page: Page) -> None:
    """From here on nothing moves by itself, and so nothing is over before it was looked at."""
    tools = page.context.new_cdp_session(page)
    tools.send("Animation.enable")
    tools.send("Animation.setPlaybackRate", {"playbackRate": 0})


@pytest.mark.parametrize("planted", [False, True], ids=["as it is", "control: a stage that flashes"])
def test_celebration_does_not_flash(
    chromium: Browser, new_display_page: NewPage, display_server: Server, planted: bool
) -> None:
    page, eye = new_display_page(width=960, height=540), chromium.new_page()
    teller = Teller(page, Shown(), moves=True)
    teller.tell(TOLD["verifying"])
    pictures = [page.screenshot()]
    freeze(page)
    if planted:
        for rule in FLASHES:
            page.evaluate("rule => document.styleSheets[1].insertRule(rule, 0)", rule)
    teller.tell(TOLD["hit"])
    for moment in range(0, SHOWN_MS, FRAME_MS):
        page.evaluate(AT, moment)
        pictures.append(page.screenshot())
    told = [eye.evaluate(CELLS, f"data:image/png;base64,{base64.b64encode(one).decode()}") for one in pictures]
    worst = max(flashes(list(cell)) for cell in zip(*told, strict=True))
    eye.close()
    # A card that rises through a cell makes it light and dark again, once; in two seconds six flashes would be allowed, of twelve.
    assert worst > 3 if planted else worst <= 3, worst


def test_nothing_moves_for_whom_it_is_asked(new_display_page: NewPage, display_server: Server) -> None:
    page = new_display_page(width=1920, height=1080)
    teller = Teller(page, Shown())
    for name in ("open", "hit", "hit_crowd", "showing"):
        teller.tell((TOLD | HARD)[name])
        assert page.evaluate("document.getAnimations().length") == 0
    page.emulate_media(reduced_motion="no-preference")
    freeze(page)
    teller.tell(paid(*CROWD[:2], won="44’037.54"))
    assert page.evaluate("document.getAnimations().length") > 0
