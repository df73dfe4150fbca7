"""The campaign's judgement on trial: each guard is taken away, its harm is done once, and the oracle must say so.

That the guards themselves refuse is shown in `tests/races` and in the apps' `test_guards.py`.
"""

import json
import uuid
from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest

from casino.simulate.clients import Client, Refused
from casino.simulate.display import WRONG, Display
from jackpot.services import gate, standing, state
from jackpot.services import gate_confirm as confirm
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused as RefusedByService
from payouts.rules.approval import ApprovalUnknown
from tests.controls import again, rolled_back
from tests.databases import superuser
from tests.faults import oracle
from tests.faults.journal import Journal, stored_answers
from tests.faults.oracle import CHECKS, rows_amiss
from tests.faults.without import any_nonce, take_away
from tests.floor import done, second_jackpot
from tests.races.conftest import hall, hall_ready, no_worker  # noqa: F401
from tests.races.hall import Hall, Part
from tests.races.test_jackpot import LOCKS, claiming
from tests.servers import folder

STAKE, AWARD, EPOCH, UNSHOWN = CHECKS


@pytest.fixture
def paid(hall: Hall) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:  # noqa: F811
    """The superuser, where a hit was paid and its gate waits; what he does is taken back."""
    hall.to_showing()
    with rolled_back(hall.database) as link:
        assert asked(link) == []
        yield link


def asked(link: "psycopg.Connection[tuple[object, ...]]") -> list[str]:
    """What the oracle finds, in short."""
    return [one.partition(":")[0] for one in rows_amiss(lambda query: link.execute(query).fetchall())]


# In the rows
def test_a_stake_that_slips_past_the_freeze_is_found(hall: Hall) -> None:  # noqa: F811
    with superuser(hall.database) as link:
        take_away("barrier", link)
        hall.race(hall.locking(1), claiming(hall, "call"), before=LOCKS["before it writes"])
        assert asked(link) == [STAKE]


def test_a_second_award_is_found(paid: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Behind the trigger stand two others: one asks for an approval of its own, one for what the epoch gives."""
    take_away("award", paid)
    for trigger in ("award_approved", "award_late_bound"):
        paid.execute(f"ALTER TABLE jackpot_award DISABLE TRIGGER {trigger}")
    paid.execute(again("jackpot_award", kind="'late'", claim_id="NULL"))
    assert asked(paid) == [AWARD]


def test_a_closed_epoch_that_is_fed_is_found(paid: "psycopg.Connection[tuple[object, ...]]") -> None:
    take_away("epoch", paid)
    running = "(SELECT epoch_id FROM jackpot_jackpot WHERE epoch_id IS NOT NULL LIMIT 1)"
    paid.execute(again("jackpot_contribution", "x.reverses_id IS NULL", id="10^9::bigint - 1", epoch_id=running))
    assert asked(paid) == []
    closed = "x.epoch_id IN (SELECT epoch_id FROM jackpot_epochend) AND x.reverses_id IS NULL"
    paid.execute(again("jackpot_contribution", closed))
    assert asked(paid) == [EPOCH]


def test_tables_that_open_unshown_are_found(paid: "psycopg.Connection[tuple[object, ...]]") -> None:
    paid.execute("ALTER TABLE jackpot_gate DISABLE TRIGGER USER")
    paid.execute("UPDATE jackpot_gate SET state = 'passed', ended_at = clock_timestamp() WHERE state = 'open'")
    assert asked(paid) == [UNSHOWN] * 2  # displays


# In the clients' history
def history(hall: Hall, key: str, times: int) -> list[str]:  # noqa: F811
    """A command that is delivered so many times under one key, as the wire and the journal see it."""
    journal = Journal()
    journal.asked(Client("http://127.0.0.1:1", journal), key, "guests/", b"{}")
    for _ in range(times):
        answer = run_once(f"me:{key}", request_fingerprint("try", "me", {}), lambda: {"done": str(uuid.uuid4())})
        told = {"replayed": answer.replayed, "answer": answer.body}
        journal.note(key, "POST guests/", 200, json.dumps(told).encode())
        journal.acknowledged(key, told)
    with superuser(hall.database) as link:
        rows = link.execute("SELECT key, answer FROM payouts_commandkey WHERE key = %s", [f"me:{key}"]).fetchall()
    return journal.compare(stored_answers(rows))


def test_a_command_that_is_done_twice_is_found(hall: Hall) -> None:  # noqa: F811
    assert history(hall, "whole-key", 2) == []
    with superuser(hall.database) as link:
        take_away("key", link)
    acknowledged, answered = history(hall, "broken-key", 2)
    assert "acknowledged with another answer than is on record" in acknowledged
    assert "answered in 2 ways" in answered


def hearing(heard: str) -> Journal:
    """The journal of a client that asked once, and heard this."""
    journal = Journal()
    journal.asked(Client("http://127.0.0.1:1", journal), "k", "guests/", b"{}")
    if heard == "done":
        journal.acknowledged("k", {"replayed": False, "answer": {"id": 1}})
    elif heard == "refused":
        journal.turned_down("k", Refused(409, {"code": "round.state_refused"}))
    elif heard == "500":
        journal.note("k", "POST guests/", 500, b"a traceback")
    return journal


@pytest.mark.parametrize(
    ("heard", "stored", "found"),
    [
        ("done", {}, "is not there"),
        ("done", {"k": {"id": 2}}, "another answer"),
        ("refused", {"k": {"id": 1}}, "and is there"),
        ("nothing", {"k": {"id": 1}, "other": {}}, "nobody asked"),
        ("500", {}, "answer 500"),
    ],
)
def test_a_history_that_does_not_hold_is_found(heard: str, stored: dict[str, object], found: str) -> None:
    assert [found in one for one in hearing(heard).compare(stored)] == [True]


@pytest.mark.parametrize(
    ("heard", "stored"), [("done", {"k": {"id": 1}}), ("refused", {}), ("nothing", {}), ("nothing", {"k": {"id": 1}})]
)
def test_a_history_that_holds_is_not_complained_of(heard: str, stored: dict[str, object]) -> None:
    assert hearing(heard).compare(stored) == []


# At the displays, and in the server's log
def test_a_confirmation_with_another_gates_nonce_that_is_taken_is_found(
    hall: Hall,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall.to_showing()
    here, there = hall.displays[0], hall.now().gate
    hall.heard(here)
    display = Display("http://127.0.0.1:1", "liar", WRONG, Journal())

    def post(what: str, **body: object) -> None:
        ids = {"jackpot_id": hall.jackpot.pk, "display_id": here, "session_id": hall.sessions[here]}
        try:
            done(confirm, **hall.house_id, **ids, **body)
        except RefusedByService as refused:
            raise Refused(409, {"code": refused.code}) from refused

    monkeypatch.setattr(display, "_post", post)
    amount = f"{there.amount_minor // 100}.{there.amount_minor % 100:02}"
    told = {"text": amount}
    seen = {"number": there.number, "nonce": there.nonce, "version": there.version}
    display._confirm_wrongly(seen, told)
    assert (display.wrong_refused, display.wrong_taken) == (2, 0)
    monkeypatch.setattr(gate, "secrets", any_nonce())
    display._confirm_wrongly(seen, told)
    assert (display.wrong_refused, display.wrong_taken) == (3, 1)


def handing_over(hall: Hall, whose: UUID, to: UUID) -> Part:  # noqa: F811
    """All that one jackpot holds to another. Both are locked first; that nobody has signed it is seen afterwards."""
    values = {**hall.house_id, "jackpot_id": whose, "to": to, "reason": "the end", "approval_id": uuid.uuid4()}
    return lambda: standing.jackpot_retire(**values)


def test_jackpots_that_are_locked_in_any_order_are_found(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """Two hand-overs that cross: one waits for the other, as both begin with the same jackpot; else each waits for the other."""
    log = folder / "postgres.log"
    mine, other = hall.jackpot.pk, second_jackpot(hall.house).pk
    there, back = (handing_over(hall, *pair) for pair in ((mine, other), (other, mine)))

    def crossing() -> list[str]:
        before = len(log.read_text(errors="replace"))
        met = hall.race(there, back, before=(state, "jackpot_read"))  # holds its first one
        assert met.waited
        assert [type(one) for one in (met.first, met.second)] == [ApprovalUnknown] * 2
        return oracle.deadlocks(log.read_text(errors="replace")[before:])

    assert crossing() == []
    monkeypatch.setattr(standing, "sorted", tuple, raising=False)
    assert crossing() == ["the database broke 1 deadlocks"]
