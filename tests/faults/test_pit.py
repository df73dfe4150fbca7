"""The pit of a campaign goes on whatever others do to the same entry at the same moment."""

from types import SimpleNamespace
from typing import Any

import pytest

from casino.simulate.clients import Refused
from tests.faults.floor import AS_IT_CAME, ScriptedPit

WAITS, BOOKED, CLOSED = "round.correction_waits", "clarify.booked", "clarify.closed"


class Boss:
    """Somebody to whom the house answers so, one request after the other; an empty code is no refusal."""

    def __init__(self, *codes: str) -> None:
        self.codes = list(codes)
        self.asked: list[str] = []
        rows = {"to-clarify/": [{"id": "7", "code": "round.withdrawn"}], "approvals/": []}
        self.client = SimpleNamespace(every=lambda path, **_query: rows[path])
        self.rows = rows

    def post(self, path: str, _body: Any) -> None:
        self.asked.append(path.rstrip("/").rpartition("/")[2])
        if code := self.codes.pop(0):
            raise Refused(409, {"code": code})


def clarified(*codes: str, waits: str = "") -> list[str]:
    """What the pit asks of an entry to which the house answers so; `waits`: why a correction is asked for."""
    pit: Any = ScriptedPit.__new__(ScriptedPit)
    pit.boss, pit.script = Boss(*codes), SimpleNamespace(turned=None)
    pit.boss.rows["approvals/"] += [{"id": "8", "payload": {"reason": waits}}] if waits else []
    pit._clarify()
    return pit.boss.asked


def test_an_entry_whose_round_is_about_to_be_corrected_waits_for_the_next_look() -> None:
    asked = {
        codes: clarified(*codes)
        for codes in (("",), (WAITS,), (CLOSED,), (BOOKED, ""), (BOOKED, WAITS), (BOOKED, CLOSED))
    }
    assert asked == {
        ("",): ["dismiss"],
        (WAITS,): ["dismiss"],
        (CLOSED,): ["dismiss"],
        (BOOKED, ""): ["dismiss", "take"],
        (BOOKED, WAITS): ["dismiss", "take"],
        (BOOKED, CLOSED): ["dismiss", "take"],
    }


def test_a_correction_that_an_entry_asked_for_because_its_round_was_corrected_meanwhile_is_taken_back() -> None:
    assert clarified(BOOKED, "", "", waits=AS_IT_CAME) == ["dismiss", "take", "reject"]
    assert clarified(BOOKED, "", waits="mistyped") == ["dismiss", "take"]  # of a croupier


def test_anything_else_that_is_refused_is_found() -> None:
    for codes in (("person.not_allowed",), (BOOKED, "clarify.guests_unknown")):
        with pytest.raises(Refused, match=codes[-1]):
            clarified(*codes)
