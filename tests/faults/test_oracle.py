"""The oracle's other judgements, each shown to fail without a process: audits, seals, opening again, what was never seen."""

import json
import subprocess
from typing import Any

import psycopg
import pytest

from casino.api.show_hits import hit_whole
from jackpot.models import Hit
from tests.controls import rolled_back
from tests.faults import oracle
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


@pytest.mark.parametrize(("seconds", "wrong"), [(0.0, False), (30.0, False), (31.0, True), (-1.0, True)])
def test_a_floor_that_opens_too_late_or_never_is_found(seconds: float, wrong: bool) -> None:
    told = f"the floor opened again {seconds:.0f} s after the last fault, not within 30"
    assert oracle.opened_late(seconds) == [told] * wrong


def test_what_was_never_seen_is_found() -> None:
    assert oracle.never({"rejection": 0, "double royal": 1, "kill ws": 0}) == [
        "never happened: kill ws",
        "never happened: rejection",
    ]


# --- counters that a campaign must not win by luck --------------------------------------------------------------------------------
def hit(*claims: int, drained: int | None = 20) -> dict[str, Any]:
    """A hit that begins in second 10 of a minute with its first claim; the seconds of further ones, and of its drain."""
    at = "2026-11-21T20:00:{}+00:00".format
    made = [{"made_at": at(second)} for second in (10, *claims)]
    return {"drained_at": at(drained) if drained else None, "claims": made}


@pytest.mark.parametrize(
    ("one", "counts"),
    [(hit(), 0), (hit(15), 1), (hit(15, 16), 1), (hit(25), 0), (hit(15, drained=None), 1), (hit(20), 1)],
    ids=["alone", "while draining", "two more", "after the drain", "drains still", "the one that ends it"],
)
def test_a_claim_counts_as_one_while_draining_by_its_own_time(one: dict[str, Any], counts: int) -> None:
    assert oracle.claimed_while_draining([one]) == counts


@pytest.mark.parametrize(("tables", "counts"), [((0,), 0), ((0, 1), 1)])
def test_the_service_dates_claims_and_hits_by_one_clock(hall: Hall, tables: tuple[int, ...], counts: int) -> None:  # noqa: F811
    hall.to_verifying(*tables)
    assert oracle.claimed_while_draining([hit_whole(Hit.objects.get())]) == counts


def test_only_the_late_display_confirms_late_and_only_if_it_does(hall: Hall) -> None:  # noqa: F811
    hall.to_showing()
    with rolled_back(hall.database) as link:
        link.execute("ALTER TABLE jackpot_gatedisplay DISABLE TRIGGER USER")

        def counted(name: str, state: str, after_s: int) -> int:
            link.execute(
                "UPDATE jackpot_gatedisplay d SET name = %s, state = %s, at = g.made_at + make_interval(secs => %s)"
                " FROM jackpot_gate g WHERE g.id = d.gate_id AND d.id = (SELECT min(id) FROM jackpot_gatedisplay)",
                [name, state, after_s],
            )
            return oracle.late_confirmations(lambda query: asked(link, query))

        assert counted("Display 2 (late)", "confirmed", 4) == 1
        assert counted("Display 2 (late)", "confirmed", 2) == 0
        assert counted("Display 2 (late)", "out", 60) == 0
        assert counted("Display 1 (prompt)", "confirmed", 60) == 0


def asked(link: "psycopg.Connection[tuple[Any, ...]]", query: str) -> list[tuple[Any, ...]]:
    """As `House.sql` asks, who always gives values."""
    return link.execute(query, ()).fetchall()
