"""What a display can be told, and a display that is told it."""

import json
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.display_house import show, state
from tests.screens import Shown


def winner(table: str, box: int, text: str, cards: str = "") -> dict[str, Any]:
    amount = int("".join(sign for sign in text if sign.isdigit()))
    return {"table": table, "box": box, "amount_minor": amount, "text": text, "cards": cards.split()}


def paid(*winners: dict[str, Any], won: str) -> dict[str, Any]:
    tables = list(dict.fromkeys(one["table"] for one in winners))
    hit = {"number": 1, "state": "paid", "tables": tables, "winners": winners, "won_minor": 1, "won_text": won}
    return {"phase": "showing", "text": "50’000.00", "hit": hit}


def running(*tables: str) -> dict[str, Any]:
    rounds = [{"round": name, "table": name, "name": name} for name in tables]
    return {"waiting_for": {"rounds": rounds, "claims": 1, "signatures": None, "displays": []}}


CLAIMED = {"number": 1, "state": "verifying", "tables": ["UTH 2"], "winners": [], "won_minor": 0, "won_text": ""}
ROYAL = winner("UTH 2", 4, "1’128’450.55", "Ah Kh Qh Jh Th")
MANY = [winner(f"UTH {number}", number, "141’056.30") for number in range(1, 9)]
CROWD = [winner(f"Ultimate Texas Hold’em {number}", 7, f"{number}7’018.77") for number in range(1, 25)]
TOLD: dict[str, dict[str, Any]] = {
    "open": {"phase": "open", "text": "128’450.55"},
    "draining": {"phase": "draining"} | running("UTH 1", "UTH 3"),
    "draining_one": {"phase": "draining"} | running("UTH 1"),
    "verifying": {"phase": "verifying", "hit": CLAIMED | {"state": "verifying"}},
    "showing": {"phase": "showing", "text": "50’000.00"},
    "suspended": {"phase": "suspended", "kept_phase": "open"},
    "closed": {"phase": "closed"},
    "retired": {"phase": "retired"},
    "hit": paid(ROYAL, won=ROYAL["text"]),
    "hit_two": paid(winner("UTH 1", 3, "64’225.27"), winner("UTH 2", 4, "64’225.27"), won="128’450.54"),
}
HARD: dict[str, dict[str, Any]] = {  # what a house may have, and is hard to find room for
    "long": {
        "phase": "open",
        "text": "12’345’678.90",
        "name": "Grosser Progressiver Jackpot am Rhein – Ultimate Texas Hold’em",
        "tables": [f"UTH {number}" for number in (1, 2, 3, 5, 7, 9, 11)] + ["Salon Privé Nord", "Salon Privé Süd"],
    },
    "hit_many": paid(*MANY, won="1’128’450.40"),
    "hit_crowd": paid(*CROWD, won="1’128’450.40"),
    "hit_uneven": paid(winner("UTH 1", 3, "900.10"), winner("UTH 2", 4, "100.05"), won="1’000.15"),
    "verifying_many": {
        "phase": "verifying",
        "hit": CLAIMED | {"tables": [f"Ultimate Texas Hold’em {number}" for number in range(1, 7)]},
    },
    "tables_many": {
        "phase": "open",
        "text": "128’450.55",
        "tables": [f"Salon Privé {name}" for name in "ABCDEFGHIJKLMN"],
    },
}


class Teller:
    """Tells the page what the test wants: the server's own snapshot with changes, always the newest."""

    def __init__(self, page: Page, floor: Shown, *, moves: bool = False) -> None:
        self.page = page
        self.told = floor.screens[0].get("now/").json()
        self.version = self.told["version"]
        page.route_web_socket("**/ws/**", self._joined)
        page.route("**/now/", lambda route: route.fulfill(json=self.told))
        page.route("**/alive/", lambda route: route.fulfill(json={"state": "live"}))
        if not moves:
            page.emulate_media(reduced_motion="reduce")
        show(page, floor.screens[0])
        while not hasattr(self, "socket"):  # the page has opened it, and this end hears of it
            page.evaluate("0")

    def _joined(self, socket: WebSocketRoute) -> None:
        self.socket = socket  # its other end is here, not on the server

    def tell(self, changes: dict[str, Any]) -> None:
        """Send this, and wait until the page shows it."""
        self.version += 1
        basis = {"hit": None, "gate": None, "text": "128’450.55", "coin_text": "5.00"} | running()
        self.told = self.told | {"name": "Progressive"} | basis | changes | {"version": self.version}
        self.socket.send(json.dumps(self.told))
        expect(self.page.locator("html")).to_have_attribute("data-version", str(self.version))
        state(self.page, changes["phase"])

    def beat(self) -> None:
        """A sign of life, at the page's own time."""
        at = datetime.fromtimestamp(self.page.evaluate("Date.now()") / 1_000, UTC).isoformat()
        self.socket.send(json.dumps({"type": "heartbeat", "at": at}))
        self.page.evaluate("0")  # the message has come when this answers

    def lasts(self, seconds: int) -> None:
        """Let the page's clock run on, with a sign of life every two seconds of it."""
        for _ in range(seconds // 2):
            self.page.clock.run_for(2_000)
            self.beat()
