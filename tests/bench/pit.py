"""The pit's board with sixty open tables: what reading it takes, and a page that ten new boards a second reach.

The page is the real one, read from the real service. That ten boards a second come, and that each differs from the one before in a
third of its tiles, is played to it: no floor changes so often. Limits are what a pit boss is promised, so that 1 is just kept.
"""

import json
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

from playwright.sync_api import Browser, Page, Route, WebSocketRoute

from tests.bench.floor_place import boss_of, new_seats
from tests.bench.place import bench_place
from tests.bench.tablet import _most, _row, _web
from tests.bench.tablet_page import WAIT_MS, chromium

TABLES, UPDATES, A_SECOND, READS, SLOWER = 60, 200, 10, 30, 4
TASK_MS, READ_MS, SHOWN_ASKED = 50, 500, 0.9
WATCH = """(() => {
    [window.tasks, window.boards] = [[], 0];
    new PerformanceObserver(list => list.getEntries().forEach(one => tasks.push(one.duration))).observe({ type: 'longtask' });
    addEventListener('DOMContentLoaded', () => {
        let before = '';
        new MutationObserver(() => {
            const now = document.querySelector('#board .pace')?.textContent;
            if (now !== before) [before, window.boards] = [now, boards + 1];
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
})()"""
READ = """async count => {
    const took = [];
    for (let number = 0; number < count; number += 1) {
        const began = performance.now();
        await (await fetch('/pit/board/', { cache: 'no-store' })).text();
        took.push(performance.now() - began);
    }
    return took;
}"""


def measure() -> dict[str, dict[str, float]]:
    """Longest task of the page, boards shown a second, and what a board takes to be read."""
    with ExitStack() as stack:
        place = stack.enter_context(bench_place())
        address = stack.enter_context(_web(place))
        browser = stack.enter_context(chromium())
        seats = new_seats(place, TABLES)
        pit = _Pit(browser, address, boss_of(place, seats[0]))
        reads = pit.page.evaluate(READ, READS)
        tasks, shown = pit.update(UPDATES)
        pit.slow_down(SLOWER)
        slow, _ = pit.update(UPDATES // 2)
        pit.page.context.close()
        return {
            f"longest task, {TABLES} tiles {A_SECOND} times a second, ms": _most(TASK_MS, tasks) | {"boards": shown},
            f"longest task, {SLOWER}× slower, ms": {"ours": round(max(slow, default=0.0))},
            f"boards shown of {UPDATES}": {
                "limit": UPDATES,
                "ours": shown,
                "ratio": round(shown / UPDATES, 2),
                "asked": SHOWN_ASKED,
            },
            f"board of {TABLES} tables read, ms": _row(READ_MS, reads),
        }


class _Pit:
    """The page of the pit in a browser. From `update` on its boards and its socket come from here."""

    def __init__(self, browser: Browser, address: str, cookie: tuple[str, str]) -> None:
        size = {"width": 1920, "height": 1080}
        context = browser.new_context(base_url=address, locale="de", viewport=size)
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(WATCH)
        context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": address}])
        self.page: Page = context.new_page()
        self.cdp = context.new_cdp_session(self.page)
        self.page.route_web_socket("**/ws/**", self._joined)
        self.page.goto("/pit/")
        self.page.locator(".tile").nth(TABLES - 1).wait_for()
        self.numbers: Iterator[int] = count(1)
        self.board = self.page.evaluate("fetch('/pit/board/').then(answer => answer.text())")

    def _joined(self, socket: WebSocketRoute) -> None:
        self.socket = socket

    def slow_down(self, times: float) -> None:
        """Make the page's processor slower."""
        self.cdp.send("Emulation.setCPUThrottlingRate", {"rate": times})

    def update(self, times: int) -> tuple[list[float], int]:
        """So many new boards, ten a second: the long tasks meanwhile in ms, and how many boards were shown."""
        self.page.route("**/pit/board/", self._answer)
        self.page.evaluate("[tasks.length, window.boards] = [0, 0]")
        due = time.monotonic()
        for _ in range(times):
            self.socket.send(json.dumps({"type": "jackpot"}))
            due += 1 / A_SECOND
            self.page.wait_for_timeout(max(1.0, 1_000 * (due - time.monotonic())))
        self.page.wait_for_timeout(500)
        found = self.page.evaluate("[tasks, boards]")
        self.page.unroute("**/pit/board/")
        return found[0], found[1]

    def _answer(self, route: Route) -> None:
        number = next(self.numbers)
        headers = {"ETag": f'"{number}"', "X-Board-At": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())}
        route.fulfill(status=200, content_type="text/html", headers=headers, body=_changed(self.board, number))


def _changed(board: str, number: int) -> str:
    """The board some rounds later: every third tile has locked or ended one, and the figures of all have moved."""
    places = count()

    def tile(found: "re.Match[str]") -> str:
        place, text = next(places), found[0]
        text = re.sub(r'(class="pace">)[^<]*', rf"\g<1>{(place + number) % 90}", text)
        text = re.sub(
            r"(visually-hidden\">[^<]* </span>)[+−–]?[\d’]*(</span></span>)", rf"\g<1>+{number * 10}\g<2>", text
        )
        if (place + number) % 3 == 0:
            text = text.replace('class="tile open', 'class="tile running').replace(
                'class="dot taken', 'class="dot coin'
            )
        return text

    return re.sub(r'<li class="tile .*?</li>', tile, board, flags=re.DOTALL)


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
