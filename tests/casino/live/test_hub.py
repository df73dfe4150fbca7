"""The hub by itself: the newest state wins, nobody waits for a slow reader, nothing ends it."""

import asyncio
import time
from types import SimpleNamespace
from uuid import uuid4

import pytest

from casino.live import hub as hub_module
from casino.live.hub import APART_S, Hub, _for_ever
from casino.live.mailbox import Mailbox
from casino.live.snapshot import DISPLAY, FEEDS, PIT, Snapshot

JACKPOT = uuid4()


def snapshot(version: int, **changed: str) -> Snapshot:
    """One whose text is its version; `changed` says another one for a feed."""
    bodies = {feed: str(version) for feed in FEEDS} | changed
    return Snapshot(JACKPOT, uuid4(), bodies, bodies)


class Screen:
    """A socket's far end: `sent` is what arrived. It reads nothing while `reads` is not set."""

    def __init__(self, hub: Hub, feed: str = DISPLAY, *, reads: bool = True) -> None:
        self.mailbox, self.sent, self.reads = Mailbox(self.send), list[str](), asyncio.Event()
        if reads:
            self.reads.set()
        hub.join(self.mailbox, feed, [JACKPOT])

    async def send(self, message: dict[str, str]) -> None:
        await self.reads.wait()
        self.sent.append(message["text"])


async def settle() -> None:
    """Let every task go on as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_slow_reader_gets_the_newest_and_holds_up_nobody():
    async def play() -> None:
        hub = Hub()
        slow, quick = Screen(hub, reads=False), Screen(hub)
        for version in range(1, 51):
            hub.hand_out({JACKPOT: snapshot(version)})
            await settle()
        assert quick.sent == [str(version) for version in range(1, 51)]
        slow.reads.set()
        await settle()
        assert slow.sent == ["1", "50"]  # the one it was being sent, and the newest

    asyncio.run(play())


@pytest.mark.parametrize("harm", [ConnectionError, RuntimeError, ValueError])
def test_socket_that_fails_is_told_nothing_more_and_the_others_are(harm):
    async def play() -> None:
        hub = Hub()

        async def fail(message: dict[str, str]) -> None:
            tries.append(message["text"])
            raise harm

        tries: list[str] = []
        hub.join(Mailbox(fail), DISPLAY, [JACKPOT])
        screens = [Screen(hub) for _ in range(5)]
        for version in (1, 2):
            hub.hand_out({JACKPOT: snapshot(version)})
        assert [screen.sent for screen in screens] == [["1", "2"]] * 5
        assert tries == ["1"]

    asyncio.run(play())


def test_socket_that_is_left_while_its_reader_hangs_leaves_nothing_behind():
    async def play() -> None:
        hub = Hub()
        slow = Screen(hub, reads=False)
        hub.hand_out({JACKPOT: snapshot(1)})
        await settle()
        hub.leave(slow.mailbox)
        slow.mailbox.close()
        await settle()
        slow.reads.set()
        hub.hand_out({JACKPOT: snapshot(2)})
        await settle()
        assert slow.sent == []
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())


def test_heartbeat_pushes_no_state_out():
    async def play() -> None:
        hub = Hub()
        screen = Screen(hub, reads=False)
        await settle()
        hub.hand_out({JACKPOT: snapshot(1)})
        await settle()
        hub.hand_out({JACKPOT: snapshot(2)})
        screen.mailbox.put("heartbeat", "beat")
        screen.mailbox.put("heartbeat", "beat again")
        screen.reads.set()
        await settle()
        assert screen.sent == ["1", "2", "beat again"]

    asyncio.run(play())


def test_only_what_is_new_to_a_feed_is_sent_and_a_newcomer_gets_what_there_is():
    async def play() -> None:
        hub = Hub()
        display, pit = Screen(hub), Screen(hub, PIT)
        hub.hand_out({JACKPOT: snapshot(1)})
        hub.hand_out({JACKPOT: snapshot(1)})
        hub.hand_out({JACKPOT: snapshot(1, display="1 with a gate")})
        late = Screen(hub)
        await settle()
        hub.leave(display.mailbox)
        hub.hand_out({JACKPOT: snapshot(2)})
        await settle()
        assert (display.sent, pit.sent, late.sent) == (["1", "1 with a gate"], ["1", "2"], ["1 with a gate", "2"])

    asyncio.run(play())


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A database whose jackpot is another one at each read, that counts reads, and fails while `away`."""
    told = SimpleNamespace(reads=0, away=False)

    def read(wanted: list[object]) -> dict[object, Snapshot]:
        if told.away:
            raise ConnectionError
        told.reads += 1
        return {JACKPOT: snapshot(told.reads)} if JACKPOT in wanted else {}

    monkeypatch.setattr(hub_module, "snapshots_read", read)
    return told


def test_ten_sends_a_second_at_most_however_often_something_changes(versions):
    async def play() -> None:
        hub = Hub()
        screen = Screen(hub)
        reading = asyncio.create_task(_for_ever(hub._read))
        began = time.monotonic()
        while len(screen.sent) < 10:
            hub._wake.set()
            await asyncio.sleep(0.001)
        assert time.monotonic() - began > 8 * APART_S
        while screen.sent[-1] != str(versions.reads):  # and the last state is not left out
            await asyncio.sleep(APART_S)
        reading.cancel()

    asyncio.run(asyncio.wait_for(play(), 60))


def test_failure_ends_nothing_and_is_logged_once(versions, settings, monkeypatch):
    settings.LIVE_READ_S, settings.LIVE_HEARTBEAT_S = 0.05, 0.05
    monkeypatch.setattr(hub_module, "STALE_S", 0.3)
    logged: list[str] = []
    monkeypatch.setattr(
        hub_module,
        "log",
        SimpleNamespace(warning=lambda event, **_: logged.append(event), info=lambda event, **_: logged.append(event)),
    )

    async def play() -> None:
        hub = Hub()
        screen = Screen(hub)
        tasks = [asyncio.create_task(_for_ever(step)) for step in (hub._read, hub._beat)]
        while not any('"stale": false' in text for text in screen.sent):
            await asyncio.sleep(0.01)
        versions.away = True
        while not any('"stale": true' in text for text in screen.sent):
            await asyncio.sleep(0.01)
        versions.away, reads = False, versions.reads
        while versions.reads < reads + 2 or '"stale": true' in screen.sent[-1]:
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()

    asyncio.run(asyncio.wait_for(play(), 60))
    assert logged == ["live_failing", "live_back"]


def test_nothing_is_read_while_nobody_looks(versions, settings):
    settings.LIVE_READ_S = 0.01

    async def play() -> None:
        hub = Hub()
        reading = asyncio.create_task(_for_ever(hub._read))
        await asyncio.sleep(3 * APART_S)
        assert versions.reads == 0
        Screen(hub)
        while not versions.reads:
            await asyncio.sleep(APART_S)
        reading.cancel()

    asyncio.run(asyncio.wait_for(play(), 60))


def test_process_ends_though_a_task_forgets_that_it_was_cancelled():
    """As `wait_for` does before Python 3.12 when what it waits for comes in that moment."""
    forgotten = 0

    async def forgetful() -> None:
        nonlocal forgotten
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            if forgotten:
                raise
            forgotten += 1

    async def play() -> None:
        hub = Hub()
        hub._tasks = {asyncio.create_task(_for_ever(forgetful))}
        await settle()
        await asyncio.wait_for(hub.stop(), 5)
        assert hub._tasks == set()

    asyncio.run(play())
    assert forgotten == 1
