"""Guards taken away, one at a time: a campaign on such a house must end with something wrong (`make faults WITHOUT=key`).

That each guard refuses its harm is shown in `tests/races` and the apps' `test_guards.py`; here it is the campaign's judgement that
is on trial: `test_can_fail.py` does each harm once and asks the oracle.
"""

import secrets
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import psycopg

KEY_OF_JACKPOT = "(hashtextextended('jackpot:' || p_jackpot::text, 0))"
# What stands behind the barrier: without it a stake after the freeze is refused by the database.
BEHIND_THE_BARRIER = (
    "ALTER TABLE jackpot_runninground DISABLE TRIGGER running_round_open",
    "ALTER TABLE jackpot_jackpot DISABLE TRIGGER jackpot_step",
)
# By guard: functions whose text is changed (name, before, after), and statements.
REWRITTEN: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "barrier": (
        ("jackpot_share_v1", f"pg_advisory_xact_lock_shared{KEY_OF_JACKPOT}", "NULL::void"),
        ("jackpot_exclude_v1", f"pg_advisory_xact_lock{KEY_OF_JACKPOT}", "NULL::void"),
    ),
    "key": (
        ("command_claim_v2", "WHERE k.key = p_key", "WHERE false"),
        ("command_answer_v2", "p_answer, now())", "p_answer, now()) ON CONFLICT DO NOTHING"),
    ),
    "epoch": (),
    "award": (),
    "nonce": (),
    "once": (),
    "feed": (),
    # Whose sign-in another has set rests for a day, and longer where nobody has seen it.
    "rest": (
        ("person_made_anew_v1", "SELECT EXISTS", "SELECT false AND EXISTS"),
        ("credential_waits_v1", "SELECT EXISTS (SELECT FROM turned", "SELECT false AND EXISTS (SELECT FROM turned"),
    ),
}
STATEMENTS: Mapping[str, tuple[str, ...]] = {
    "barrier": BEHIND_THE_BARRIER,
    "key": (),
    "epoch": (
        "ALTER TABLE jackpot_contribution DISABLE TRIGGER epoch_runs",
        "ALTER TABLE jackpot_hit DISABLE TRIGGER epoch_runs",
    ),
    "award": ("ALTER TABLE jackpot_award DISABLE TRIGGER award_once_a_winner",),
    "nonce": (),
    "once": (),
    "feed": (),
    "rest": (),
}
# Guards that stand in the code of the web: a house without one is served by this application instead.
SERVED_BY: Mapping[str, str] = {
    guard: f"tests.faults.unguarded:without('{guard}')" for guard in ("nonce", "once", "feed")
}


def any_nonce() -> SimpleNamespace:
    """In the place of `secrets` at the gate: whatever a display says is the nonce of the gate that is open."""
    return SimpleNamespace(token_hex=secrets.token_hex, compare_digest=lambda _said, _there: True)


def twice(write: Callable[..., None]) -> Callable[..., None]:
    """Whatever it writes, written once more."""

    def both(*given: Any) -> None:
        write(*given)
        write(*given)

    return both


def take_away(guard: str, link: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Take a guard away, as the superuser. KeyError for one that is not known."""
    for statement in STATEMENTS[guard]:
        link.execute(statement)
    for function, before, after in REWRITTEN[guard]:
        query = "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = %s"
        (text,) = link.execute(query, [function]).fetchone() or ("",)
        assert before in str(text), f"{function} does not say {before!r}"
        link.execute(str(text).replace(before, after))
