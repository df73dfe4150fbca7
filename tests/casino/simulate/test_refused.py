"""Nobody there, no demo house, a closed house: a sentence and the exit code 2, never a traceback."""

import io
import random  # noqa: TID251  (nothing is drawn from it)
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from casino.simulate import run as simulate
from casino.simulate import set_up
from casino.simulate.books.rules import NotPlayable, Posted, jackpot_rules
from casino.simulate.clients import Client, Refused, Tally
from casino.simulate.options import Options, Wrong
from casino.simulate.people import MANAGER, Person
from casino.simulate.report import Terminal


def played(url):
    said = io.StringIO()
    return simulate.run(Options(url=url), Terminal(said)), said.getvalue()


class Answering(HTTPServer):
    answers: list[Any]
    asked: list[Any]
    address: str


@pytest.fixture
def house():
    """A server that answers as it is told."""
    answers, asked = [], []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.command, self.path, self.headers.get("Idempotency-Key")))
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, body, *headers = answers.pop(0)
            if not status:
                self.close_connection = True
                return
            self.send_response(status)
            for header in headers:
                self.send_header(*header)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_args):
            pass

    with Answering(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        server.answers, server.asked = answers, asked
        server.address = f"http://127.0.0.1:{server.server_port}"
        yield server
        server.shutdown()
        thread.join()


def test_nobody_there(monkeypatch):
    monkeypatch.setattr(simulate, "FIRST_ANSWER_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    code, said = played(f"http://127.0.0.1:{port}")
    assert code == 2
    assert said.startswith(f"Not played: http://127.0.0.1:{port} does not answer: ")


def test_a_house_that_is_no_demo(house):
    house.answers += [(404, b"no such page")]
    assert played(house.address) == (
        2,
        f"Not played: {house.address} is no demo house: the simulator signs in as its people.\n",
    )


def test_a_house_that_is_closed_is_told_in_the_words_of_the_story_whatever_language_the_house_speaks():
    class Boss:
        def post(self, path, body):
            raise Refused(409, {"code": "table.day_closed", "title": "Das Haus ist an diesem Spieltag geschlossen."})

    with pytest.raises(Wrong, match=r"^UTH 1 does not open: the house is closed on this gaming day\.$"):
        set_up.begin_session(Boss(), set_up.Opening({"id": "1", "name": "UTH 1"}, "fast", "m.frei", "2"))


def test_a_house_that_posts_nothing():
    with pytest.raises(NotPlayable, match="has released no “Big” \\(progressive\\)"):
        jackpot_rules(Posted([]), {"progressive": "Big", "funding": "Big"})


def test_no_answer_and_unsure_ones_are_asked_again_under_the_same_key(house, monkeypatch):
    monkeypatch.setattr("casino.simulate.clients.WAIT_S", 0)
    house.answers += [(0, b""), (503, b"{}"), (409, b'{"code": "command.in_flight"}'), (502, b"<html>")]
    house.answers += [(200, b'{"replayed": true, "answer": {"state": "locked"}}')]
    client = Client(house.address, Tally())
    assert client.post("rounds/1/settle/", {"result": {}}) == {"state": "locked"}
    assert len(house.asked) == 5
    assert len({key for _method, _path, key in house.asked}) == 1
    assert client.tally.counts["asked again"] == 4
    assert client.tally.counts["answered a second time"] == 1
    client.close()


def test_a_refusal_is_final_and_another_command_has_another_key(house):
    house.answers += [(422, b'{"code": "uth.off_step", "title": "Only in steps"}'), (200, b"{}")]
    client = Client(house.address, Tally())
    with pytest.raises(Refused, match=r"^422 uth\.off_step Only in steps$"):
        client.post("rounds/1/settle/", {})
    client.post("rounds/1/settle/", {})
    assert len({key for _method, _path, key in house.asked}) == 2
    assert client.tally.refusals == {"uth.off_step": 1}
    client.close()


def test_who_is_told_that_too_many_sign_in_comes_again_when_it_says_and_loses_no_try(house, monkeypatch):
    waited = []
    monkeypatch.setattr("casino.simulate.people.time.sleep", waited.append)
    house.answers += [(200, b'{"codes": {"b.zumstein": "123456"}}'), (200, b"")]
    house.answers += [(429, b"", ("Retry-After", "2"))] * 2 + [(302, b"", ("Location", "/pit/"))]
    person = Person(house.address, MANAGER, Tally(), random.Random(0)).sign_in()
    assert waited == [2, 2]
    assert house.answers == []
    person.client.close()


def test_a_fault_that_stays_is_one(house, monkeypatch):
    monkeypatch.setattr("casino.simulate.clients.WAIT_S", 0)
    house.answers += [(500, b"{}")] * 4
    client = Client(house.address, Tally())
    with pytest.raises(Refused):
        client.post("rounds/1/settle/", {})
    assert len(house.asked) == 4
    client.close()
