"""What seals hold is asked of the database itself, so that a column that somebody adds cannot be forgotten."""

from django.apps import apps
from django.db import connection

from payouts.models import AppendOnly
from payouts.sealed import forms
from tests.seals.test_tampering import CHAIN, OTHER

# Of tables whose rows change: what may change, and so is not sealed. A new column is sealed, or stands here with its reason.
CHANGING = {
    "jackpot_hit": {"begun_turn", "state", "drained_at", "ended_at", "reason"},  # how it goes on
    "jackpot_slip": {
        "state",
        "paid_at",
        "paid_by_id",
        "cash_minor",
        "cancelled_at",
        "cancelled_as",
        "reason",
    },  # what became of it
    "tables_hand": {"state", "revision"},  # corrections and the void
    "tables_pokerstay": {"away_since", "left_at"},  # a pause and the end
    "tables_table": {
        *("jackpot_id", "session_id"),  # the link and the session move
        *("version", "posted", "retired"),  # as its version in force says, which is sealed
    },
    "tables_difference": {"state"},  # what is left of it says so
    "payouts_count": {"state", "ended_by_id", "ended_at"},  # its end; what was entered and signed are rows of their own
    # the croupier, the closing, and its counts but for the first
    "tables_tablesession": {"entry_level", "croupier_id", "closed_by_id", "closed_at", "closer_id", "counting_id"},
}
WALK = """
    SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = ANY (%s)
"""


def columns(tables: list[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {table: {} for table in tables}
    with connection.cursor() as cursor:
        cursor.execute(WALK, [tables])
        for table, column, of in cursor.fetchall():
            found[table][column] = of
    return found


def test_each_column_of_each_sealed_table_is_sealed_or_named_here(db: None) -> None:
    unsealed = {table: set(there) - set(forms()[table].columns) for table, there in columns([*forms()]).items()}
    assert {table: names for table, names in unsealed.items() if names} == CHANGING


def test_each_append_only_table_is_sealed_whole(db: None) -> None:
    tables = {one._meta.db_table for one in apps.get_models() if issubclass(one, AppendOnly)} - {*CHAIN}
    assert tables - {*forms()} == set()
    for table, there in columns([*tables]).items():
        assert set(there) == set(forms()[table].columns), table


def test_there_is_another_value_for_each_type(db: None) -> None:
    """So `test_tampering` changes every one of them."""
    types = {of for there in columns([*forms(), *CHAIN]).values() for of in there.values()}
    assert types - {*OTHER} == set()
