"""The oracle's other judgements, each shown to fail without a process: audits, seals, opening again, what was never seen."""

import json
import subprocess
import time
from collections.abc import Collection
from typing import Any

import pytest

from casino.simulate.clients import Client, Tally
from casino.simulate.display import LATE, LATE_S, PROMPT, Display
from jackpot.models import Claim
from tests.controls import rolled_back
from tests.databases import superuser
from tests.faults import oracle
from tests.faults.journal import Journal, stored_answers
from tests.jackpot.linked import dull, once, royal
from tests.races.conftest import hall, hall_ready, no_worker  # noqa: F401
from tests.races.hall import Hall


class Says:
    """A house whose command says this."""

    def __init__(self, told: object, stderr: str = "") -> None:
        self.stdout, self.stderr = told if isinstance(told, str) else json.dumps(told), stderr

    def manage(self, *_command: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        assert not check  # a breach ends with 1
        return subprocess.CompletedProcess([], 1, self.stdout, self.stderr)


def audited(**breaches: list[str]) -> dict[str, Any]:
    return {"audits": [{"name": name, "breaches": found} for name, found in breaches.items()]}


def sealed(taken: int, **breaches: list[str]) -> dict[str, Any]:
    rows = {"seals_are_a_chain": [], **breaches}
    return {
        "checks": [
            {"name": name, "looked_at": taken, "breaches": found, "count": len(found)} for name, found in rows.items()
        ]
    }


@pytest.mark.parametrize(
    ("house", "found"),
    [
        (Says(audited(sums=[], epochs=[])), []),
        (Says(audited(sums=["account 7"], epochs=[])), ["audit sums: ['account 7']"]),
        (Says("", "OperationalError: it is gone"), ["the audits cannot run: OperationalError: it is gone"]),
        (Says("{}", "nothing"), ["the audits cannot run: nothing"]),
    ],
    ids=["sound", "a breach", "no answer", "an empty answer"],
)
def test_an_audit_that_names_a_breach_is_found(house: Any, found: list[str]) -> None:
    assert oracle.audits_amiss(house) == found


@pytest.mark.parametrize(
    ("house", "found"),
    [
        (Says(sealed(3)), []),
        (Says(sealed(3, rows_are_as_sealed=["round 5"])), ["rows_are_as_sealed: ['round 5']"]),
        (Says(sealed(0)), ["no seal was taken"]),
        (Says("", "no key"), ["the seals cannot be verified: no key"]),
    ],
    ids=["sound", "a changed row", "no seal", "no answer"],
)
def test_a_row_that_is_not_as_it_was_sealed_is_found(house: Any, found: list[str]) -> None:
    assert oracle.seals_amiss(house) == found


def test_a_floor_that_never_opens_again_is_found() -> None:
    assert oracle.not_opened(31.0) == []
    assert oracle.not_opened(-1.0) == ["the floor did not open again by itself after the last fault"]


def test_what_was_never_seen_is_found() -> None:
    assert oracle.never({"rejection": 0, "double royal": 1, "kill ws": 0}) == [
        "never happened: kill ws",
        "never happened: rejection",
    ]


def test_a_command_is_on_record_though_the_clock_went_back_in_the_first_minute(hall: Hall) -> None:  # noqa: F811
    """It is older by the clock than what the house had done before the campaign's first command."""
    journal = Journal()
    do = (
        "INSERT INTO payouts_commandkey (key, fingerprint, answer, created_at)"
        " VALUES ('me:' || %s, sha256(''), '{\"id\": 1}', now() + %s::interval)"
    )
    with rolled_back(hall.database) as link:

        def recorded(before: Collection[str]) -> list[tuple[str, Any]]:
            return oracle.recorded_since(before, lambda query: link.execute(query).fetchall())

        link.execute(do, ["before", "0 minutes"])
        before = {key for key, _answer in recorded(())}
        link.execute(do, ["k", "-1 minute"])
        assert recorded(before) == [("me:k", {"id": 1})]
        for key in ("k", "lost"):
            journal.asked(Client("http://127.0.0.1:1", journal), key, "guests/", b"{}")
            journal.acknowledged(key, {"replayed": False, "answer": {"id": 1}})
        lost = ["guests/ under lost was acknowledged, and is not there"]
        assert journal.compare(stored_answers(recorded(before))) == lost


# Counters that a campaign must not win by luck
def counted(hall: Hall) -> int:  # noqa: F811
    with superuser(hall.database) as link:
        return oracle.claimed_while_draining(lambda query: link.execute(query).fetchall())


@pytest.mark.parametrize(("tables", "counts"), [((0,), 0), ((0, 1), 1)])
def test_a_claim_counts_as_one_while_draining_by_the_log(hall: Hall, tables: tuple[int, ...], counts: int) -> None:  # noqa: F811
    hall.to_verifying(*tables)
    assert counted(hall) == counts


def test_a_claim_by_a_correction_after_all_rounds_have_ended_does_not_count(hall: Hall) -> None:  # noqa: F811
    first, second = hall.start(0), hall.start(1)
    hall.end(0, first, royal("h"))
    hall.end(1, second, dull())
    assert hall.advance() == "verifying"
    once(hall.correcting(second, royal("d")))
    assert Claim.objects.count() == 2
    assert counted(hall) == 0


def test_only_the_late_display_confirms_late_and_only_once_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "gate": {"number": 1, "nonce": "n", "version": 1}, "text": "10.00",
        "waiting_for": {"displays": [{"display": "here", "state": "waiting"}]},
    }  # fmt: skip
    for manner, since_s, counts in ((LATE, LATE_S, 1), (LATE, 0, 0), (PROMPT, LATE_S, 0)):
        display = Display("http://127.0.0.1:1", "one", manner, Tally())
        monkeypatch.setattr(display, "_post", lambda _what, **_body: None)
        display.id, display._asked_at[1] = "here", time.monotonic() - since_s
        display._answer(told)
        assert display.late_taken == counts
