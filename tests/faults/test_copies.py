"""A refused command that is on record is wrong, unless the wire's own record shows that it brought a copy of it afterwards."""

import asyncio
import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from casino.simulate.clients import Client, Refused
from tests.faults import network as wire
from tests.faults.journal import AFTERWARDS, Journal
from tests.faults.network import HELD, LATER, PLAIN, TWICE, Delivery, Network

CODE, ANSWER = "jackpot.not_open", {"state": "locked"}
REFUSED = (409, {"code": CODE})
DONE = (200, {"replayed": False, "answer": ANSWER})
OTHER = (200, {"replayed": False, "answer": {"state": "voided"}})
BUSY = (409, {"code": "command.in_flight"})
BROKEN, AWAY = (0, None), (503, {})


def refused() -> Journal:
    """The journal of a client that asked once, and was refused."""
    journal = Journal()
    journal.asked(Client("http://127.0.0.1:1", journal), "k", "lock/", b"{}")
    journal.turned_down("k", Refused(*REFUSED))
    return journal


def delivered(*rows: tuple[str, int, int, tuple[int, object]]) -> list[Delivery]:
    """By what it came, when it began and ended, and what was answered."""
    return [Delivery(how, begun, ended, *answer) for how, begun, ended, answer in rows]


FIRST = (PLAIN, 1, 2, REFUSED)
FINE = {
    "repeated later": [FIRST, (LATER, 3, 4, DONE)],
    "repeated later, and killed while it answered": [FIRST, (LATER, 3, 4, BROKEN)],
    "repeated later, and not over yet": [FIRST, (LATER, 3, 0, BROKEN)],
    "repeated later, the database away": [FIRST, (LATER, 3, 4, AWAY)],
    "held back": [FIRST, (HELD, 3, 4, DONE)],
    "twice at once": [(TWICE, 1, 3, REFUSED), (TWICE, 2, 4, DONE)],
    "an earlier try, overtaken": [(PLAIN, 1, 4, DONE), (PLAIN, 2, 3, REFUSED)],
}
WRONG = {
    "no record": [],
    "the refusal alone": [FIRST],
    "nobody refused": [(LATER, 3, 4, DONE)],
    "refused with another code": [(PLAIN, 1, 2, (409, {"code": "round.withdrawn"})), (LATER, 3, 4, DONE)],
    "the copy was refused too": [FIRST, (LATER, 3, 4, REFUSED)],
    "the copy met another one at work": [FIRST, (LATER, 3, 4, BUSY)],
    "another answer is on record": [FIRST, (LATER, 3, 4, OTHER)],
    "no copy: somebody asked again": [FIRST, (PLAIN, 3, 4, DONE)],
    "it was done before it was refused": [(LATER, 1, 2, DONE), (PLAIN, 3, 4, REFUSED)],
    "it was done before, and once more afterwards": [(TWICE, 1, 2, DONE), (PLAIN, 3, 4, REFUSED), (LATER, 5, 6, DONE)],
}


@pytest.mark.parametrize("what", FINE)
def test_a_copy_that_came_after_the_refusal_may_be_carried_out(what: str) -> None:
    journal = refused()
    assert journal.compare({"k": ANSWER}, {"k": delivered(*FINE[what])}) == []
    assert journal.counts[AFTERWARDS] == 1


@pytest.mark.parametrize("what", WRONG)
def test_anything_else_that_was_refused_and_is_there_is_found(what: str) -> None:
    journal = refused()
    [found] = journal.compare({"k": ANSWER}, {"k": delivered(*WRONG[what])})
    assert found == "lock/ under k was refused (jackpot.not_open), and is there"
    assert journal.counts[AFTERWARDS] == 0


# The wire's record
@pytest.fixture
def answers(tmp_path: Path) -> Iterator[list[tuple[int, object]]]:
    """A house at a socket that answers these, one after the other."""
    left: list[tuple[int, object]] = []
    loop, up = asyncio.new_event_loop(), threading.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        status, told = left.pop(0)
        body = json.dumps(told).encode()
        writer.write(
            f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\n\r\n".encode() * bool(status) + body * bool(status)
        )
        writer.close()

    async def serve() -> None:
        async with await asyncio.start_unix_server(answer, str(tmp_path / "web")):
            up.set()
            await over

    over = loop.create_future()
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert up.wait(10)
    yield left
    loop.call_soon_threadsafe(over.set_result, None)
    thread.join()
    loop.close()


@pytest.mark.parametrize(
    ("fate", "given", "seen"),
    [
        (PLAIN, [REFUSED], [(PLAIN, 409)]),
        (LATER, [REFUSED, DONE], [(PLAIN, 409), (LATER, 200)]),
        (LATER, [REFUSED, BROKEN], [(PLAIN, 409), (LATER, 0)]),
        (HELD, [DONE], [(HELD, 200)]),
        (TWICE, [REFUSED, DONE], [(TWICE, 409), (TWICE, 200)]),
    ],
)
def test_the_wire_keeps_a_record_of_what_it_delivers(
    fate: str, given: list[tuple[int, object]], seen: list[tuple[str, int]],
    answers: list[tuple[int, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(wire, "LATER_S", (0, 0))
    monkeypatch.setattr(wire, "HELD_S", (0, 0))
    monkeypatch.setattr(Network, "_fate", lambda *_: fate)
    answers += given
    network = Network(tmp_path / "web", tmp_path / "ws", 1, lambda *_: None).start()
    try:
        connection = http.client.HTTPConnection(network.address.removeprefix("http://"), timeout=10)
        connection.request("POST", "/api/lock/", b"", {"Idempotency-Key": "k"})
        try:
            connection.getresponse().read()
        except http.client.RemoteDisconnected:
            assert fate == HELD
        assert network.calm(10)
        record = sorted(network.delivered["k"], key=lambda one: one.ended)
        assert sorted((one.how, one.status) for one in record) == sorted(seen)
        assert all(one.begun < one.ended for one in record)
        assert fate != LATER or record[0].ended < record[1].ended
    finally:
        connection.close()
        network.stop()
