"""Ten who open the same report at the same time: it is read once, all see the same, and each look is recorded."""

import threading
from collections import Counter
from io import BytesIO

import pytest
from django.db import connection
from django.http import HttpResponse

from casino.audit.reports import gather
from casino.audit.reports.errors import TooLong
from casino.audit.reports.shared import Shared
from payouts.models import Event
from tests.casino.audit.reports.evening import Evening
from tests.casino.people import people
from tests.turns import each

TEN = 10


def at_once(evening: Evening, paths: list[str]) -> list[HttpResponse]:
    """Each path asked for by a client of its own, all at the same time."""
    answers: dict[int, HttpResponse] = {}
    clients = [people.signed_in(evening.auditor) for _ in paths]

    def ask(place: int) -> None:
        try:
            answers[place] = clients[place].get(paths[place], headers={"accept-language": "en"})
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=[place]) for place in range(len(paths))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [answers[place] for place in range(len(paths))]


class Counted:
    """Readings, each of which goes on only when so many wait for it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, waiting: int) -> None:
        self.read: Counter[str] = Counter()
        self.shared: Shared[gather.Gathered] = Shared()
        monkeypatch.setattr(gather, "READINGS", self.shared)
        monkeypatch.setattr(gather, "DIRECT_S", 60.0)  # the machine may be busy; what is tested is no time
        plain = gather._read

        def read(kind, *more):
            self.read[kind.code] += 1
            given_up = threading.Event()
            for _ in range(3_000):
                if sum(work.waiting for work in self.shared._here.values()) >= waiting:
                    return plain(kind, *more)
                given_up.wait(0.02)
            raise AssertionError("they did not all wait")

        monkeypatch.setattr(gather, "_read", read)


def test_ten_at_once_are_one_reading_and_ten_looks(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    day = evening.day.isoformat()
    counted = Counted(monkeypatch, waiting=TEN - 1)
    before = Event.objects.filter(name="report.looked").count()
    forms = ["json", "csv", "", "xlsx", "excel"] * 2
    paths = [f"/audit/reports/results/?from={day}&to={day}&by=hour&format={form}" for form in forms]
    answers = at_once(evening, paths)
    assert [answer.status_code for answer in answers] == [200] * TEN
    assert counted.read == {"results": 1}
    (sha,) = {answer["X-Data-SHA256"] for answer in answers if answer.has_header("X-Data-SHA256")}
    assert all(sha in answers[place].content.decode() for place in (2, 7))
    assert answers[0].content == answers[5].content
    assert answers[1].content == answers[6].content
    assert Event.objects.filter(name="report.looked").count() - before == TEN
    assert counted.shared._here == {}


def test_other_questions_at_the_same_time_are_read_by_themselves(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = evening.day.isoformat()
    counted = Counted(monkeypatch, waiting=0)
    asked = [f"results/?from={day}&to={day}&by={by}" for by in ("hour", "day")] + [f"slips/?from={day}&to={day}"]
    answers = at_once(evening, [f"/audit/reports/{path}&format=csv" for path in asked])
    assert counted.read == {"results": 2, "slips": 1}
    assert len({answer.content for answer in answers}) == 3


def test_what_is_too_long_is_so_for_all_who_wait(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "DIRECT_ROWS", 0)
    counted = Counted(monkeypatch, waiting=2)
    day = evening.day.isoformat()
    answers = at_once(evening, [f"/audit/reports/results/?from={day}&to={day}"] * 3)
    assert [answer.status_code for answer in answers] == [422] * 3
    assert all("too long to wait for" in answer.content.decode() for answer in answers)
    assert counted.read == {"results": 1}


class Copy(BytesIO):
    """The least that may be handed to several."""

    def copies(self, count: int) -> "list[Copy]":
        return [Copy(self.getvalue()) for _ in range(count)]


@each("fault", [TooLong(), ValueError("a disk is full")])
def test_after_a_fault_of_the_first_each_does_it_himself_and_a_refusal_is_everybodys(fault: Exception) -> None:
    shared: Shared[Copy] = Shared()
    there, told = threading.Event(), []

    def fails() -> Copy:
        there.set()
        while not shared._here["x"].waiting:
            threading.Event().wait(0.01)
        raise fault

    def ask(do) -> None:
        try:
            told.append(shared.one("x", do).getvalue())
        except (TooLong, ValueError) as error:
            told.append(type(error))

    first = threading.Thread(target=ask, args=[fails])
    first.start()
    assert there.wait(60)
    ask(lambda: Copy(b"his own"))
    first.join()
    assert sorted(told, key=str) == sorted(
        [type(fault), TooLong if isinstance(fault, TooLong) else b"his own"], key=str
    )
    assert shared.one("x", lambda: Copy(b"anew")).getvalue() == b"anew"
