"""The pit's screen of the simulator: it keeps the newest that its socket says, comes back again, and is judged."""

import json
import threading
from types import SimpleNamespace

import pytest
from websockets.sync.server import ServerConnection, serve

from casino.simulate import board as pit
from casino.simulate.board import Board, Tile, tiles_of
from casino.simulate.clients import Client, Tally
from tests.turns import each

TRUTH = {"id": "j", "phase": "open", "shown_minor": 100, "version": 7}
TILES = {"a-1": Tile("closed", -7_000), "b-2": Tile("closed", None), "c-3": Tile("closed", 123_450)}
PAGE = """<ul class="tiles"><li class="tile closed" id="tile-a-1">
<a><strong>UTH 1</strong> <span class="result"><span class="visually-hidden">Result today </span>−70</span></a></li>
<li class="tile closed_day marked alarm" id="tile-b-2"><span class="result"><span class="visually-hidden">Result today
</span>–</span></li>
<li class="tile closed" id="tile-c-3"><span class="result"><span>Result today </span>+1’234.50<span>*</span></span></li></ul>
"""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing comes any more that could put it right."""
    monkeypatch.setattr(pit, "CONVERGES_S", 0)


def board(address: str = "http://127.0.0.1:1") -> Board:
    return Board(SimpleNamespace(client=Client(address, Tally())))


def told(version: int, **more: object) -> dict[str, object]:
    return {"type": "jackpot", "jackpot": "j", "incarnation": 1, "version": version, "phase": "open"} | {
        "amount_minor": 100,
        "at": "",
        **more,
    }


def shown() -> Board:
    found = board()
    found.page = PAGE
    found.hear(told(7))
    return found


def test_a_board_that_shows_the_truth_has_nothing_amiss() -> None:
    assert shown().tiles() == TILES
    assert shown().amiss(TRUTH, TILES) == []


def test_what_the_house_says_of_its_tables_is_what_a_board_must_show() -> None:
    rows = [{"id": "a-1", "name": "UTH 1", "state": "closed"}, {"id": "b-2", "name": "UTH 2", "state": "open"}]
    recorded = {("UTH 1", "d"): {"rounds": 3, "result": -7_000}, ("UTH 2", "d"): {"rounds": 0, "result": 0}}
    assert tiles_of(rows, "d", recorded) == {"a-1": Tile("closed", -7_000), "b-2": Tile("open", None)}
    assert tiles_of(rows, "another day", recorded)["a-1"] == Tile("closed", None)


@each(
    ("spoil", "found"),
    [
        (lambda one: one.jackpots.clear(), "the pit's socket says phase None"),
        (lambda one: one.hear(told(8)), "the pit's socket says version 8"),
        (lambda one: one.hear(told(7, amount_minor=5)), "the pit's socket says amount_minor 5"),
        (
            lambda one: setattr(one, "page", PAGE.replace("−70", "−75")),
            "Tile(state='closed', result=-7500) of table a-1",
        ),
        (lambda one: setattr(one, "page", PAGE.replace('"tile closed"', '"tile running"')), "Tile(state='open'"),
        (lambda one: setattr(one, "page", ""), "the pit's board shows None of table a-1"),
        (lambda one: setattr(one, "signed_out", True), "signed out"),
    ],
)
def test_what_a_board_shows_otherwise_is_named(spoil, found) -> None:
    one = shown()
    spoil(one)
    assert found in one.amiss(TRUTH, TILES)[0]


def test_an_older_snapshot_that_comes_late_is_passed_over() -> None:
    one = shown()
    for late in (told(6), told(9, incarnation=0)):
        one.hear(late)
    assert one.amiss(TRUTH, TILES) == []


def test_a_socket_that_breaks_is_opened_again_and_hears_what_is_new() -> None:
    calls, heard = [], threading.Event()

    def speak(socket: ServerConnection) -> None:
        calls.append(socket.request.path)
        socket.send(json.dumps(told(len(calls))))
        if len(calls) == 3:
            heard.wait(60)

    with serve(speak, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        one = board(f"http://127.0.0.1:{server.socket.getsockname()[1]}").start()
        try:
            for _ in range(600):
                if one.jackpots.get("j", {}).get("version") == 3:
                    break
                threading.Event().wait(0.05)
        finally:
            heard.set()
            one.stop()
            server.shutdown()
    assert calls[:3] == ["/ws/pit/"] * 3
    assert one.jackpots["j"]["version"] == 3
