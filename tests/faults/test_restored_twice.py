"""One backup, taken in the middle of an evening, restored in two places: both go on, and what stands on a screen or on paper says
in which of them it was made.
"""

import json
import random  # noqa: TID251  (nothing is drawn from it)
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from casino.launcher.backup import take
from casino.launcher.processes import wait_until
from casino.launcher.terminal import Terminal
from casino.simulate.clients import Tally
from casino.simulate.display import Display
from casino.simulate.floor import Evening
from casino.simulate.options import Options
from casino.simulate.people import CAGE, Person
from casino.simulate.reconcile import reconcile
from casino.simulate.report import Terminal as Report
from casino.simulate.run import EQUAL, play
from tests.faults.house import House
from tests.faults.network import Network
from tests.faults.restored import Place, next_second, restored

PLAYED_S = 600
ROYAL = "table=2,box=1,round=3"


class Went(NamedTuple):
    """How it went on in one place: its incarnation, what a screen shows that hung there before, the slips made there."""

    incarnation: int
    shown: dict[str, Any]
    slips: list[dict[str, Any]]


@pytest.fixture
def house() -> Iterator[House]:
    with tempfile.TemporaryDirectory(prefix="saalchef-twice-") as folder, ExitStack() as stack:
        made = House(Path(folder), coordinators=False)
        stack.callback(made.stop)
        made.start()
        yield made


@pytest.mark.timeout(900)
def test_a_backup_that_is_restored_twice_makes_two_houses_that_nobody_takes_for_one(house: House) -> None:
    kept, network = house.folder / "left.json", Network(house.web_socket, house.ws_socket, 1, lambda *_: None)
    backup, screen = copied_while_it_plays(house, network, kept)
    told = screen.told
    went = []
    for name in ("one", "two"):
        next_second()
        with restored(house, backup, house.folder / name) as place:
            went.append(goes_on(place, kept, screen))
    one, two = went
    assert told["incarnation"] < one.incarnation < two.incarnation
    assert [each.shown["incarnation"] for each in went] == [one.incarnation, two.incarnation]
    assert [len(each.slips) for each in went] == [1, 1]
    written = [{slip["written"] for slip in each.slips if "written" in slip} for each in went]
    assert not written[0] & written[1]


def copied_while_it_plays(house: House, network: Network, kept: Path) -> tuple[Path, Display]:
    """An evening, a backup taken when its first hit was paid and rounds run; and a screen that hung there."""
    backup = house.folder / "backup"
    network.start()
    evening = Evening(options(network.address, kept, rounds=100), lambda _text: None)

    def copy() -> None:
        pit = evening.pit
        if pit and wait_until(lambda: bool(pit.hits) and pit.now["phase"] == "open" and not pit.unpaid(), PLAYED_S):
            take(house.servers.postgres, backup, Terminal())

    beside = threading.Thread(target=copy)
    try:
        house.module("tests.faults.fill")
        evening.open()
        beside.start()
        evening.play(lambda: None)
        beside.join()
        evening.close()
        evening.compare()
        assert evening.differences == []
        return backup, evening.displays.all[0]
    finally:
        evening.end()
        network.stop()


def options(address: str, kept: Path, rounds: int, *, take: bool = False) -> Options:
    return Options(
        url=address, seed=5, rounds=rounds, royals=(ROYAL,), displays="prompt", lossy=0.0, keep=str(kept), take=take
    ).check()


def goes_on(place: Place, kept: Path, hung: Display) -> Went:
    """It is said to be restored; two people resume; a screen that was told more takes what stands here; an evening is played."""
    before = place.jackpot()
    place.manage("restored")
    phase, incarnation = place.jackpot()
    assert (phase, incarnation > before[1]) == ("suspended", True)
    with place.web() as address:
        reconcile(address)
        screen = Display(address, hung.name, hung.manner, Tally())
        screen.id, screen.told = hung.id, hung.told
        screen.client.cookies, screen.client.headers = dict(hung.client.cookies), dict(hung.client.headers)
        screen._hear(json.loads(screen.client.ask(f"/display/{screen.id}/now/")[1]))
        screen.client.close()
        cage = Person(address, CAGE, Tally(), random.Random(0)).sign_in()
        known = {one["id"] for one in cage.client.every("slips/")}
        assert known
        assert play(Evening(options(address, kept, rounds=16, take=True), lambda _text: None), Report()) == EQUAL
        slips = [one for one in cage.client.every("slips/") if one["id"] not in known]
        cage.client.close()
        return Went(incarnation, screen.told, slips)
