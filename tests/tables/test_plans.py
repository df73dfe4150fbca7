"""A round reads as many rows in a house that has played for months as on its first evening: no plan reads a table as a whole."""

from uuid import uuid4

import pytest
from django.db import connection

from casino.live.snapshot import snapshots_read
from jackpot.models import RunningRound
from jackpot.selectors.fed import fed, fed_keep
from jackpot.services.prizes import _ran_with
from payouts.audit import run_audits
from payouts.audit_recent import MARKED
from payouts.commands import request_fingerprint, run_once
from payouts.decided import look
from tables import services
from tables.selectors.floor import floor_tables
from tests.databases import owner
from tests.floor import Floor, stakes_for, taps

FOLDED = taps(**{f"b{box}": {"result": "fold"} for box in range(1, 8)})
PLAYED, OLDER = 100, 2_000
GROWS = {
    *("tables_round", "tables_roundstake", "tables_roundline", "tables_roundresult", "tables_cardfeed"),
    *("tables_irregularity", "tables_override"),
    *(
        "jackpot_runninground",
        "jackpot_contribution",
        "payouts_transfer",
        "payouts_entry",
        "payouts_event",
        "payouts_commandkey",
    ),
}
FEW = {
    "tables_toclarify",
    "tables_table",
    "tables_pit",
    "casino_person",
    "payouts_house",
    "jackpot_jackpot",
    "jackpot_epoch",
}
# Rounds of the same session with a feed for each.
OLDER_ROUNDS = """
DO $$
DECLARE
    pattern tables_round;
    fresh uuid;
BEGIN
    SELECT * INTO pattern FROM tables_round ORDER BY number LIMIT 1;
    FOR place IN 1..{} LOOP
        fresh := gen_random_uuid();
        INSERT INTO tables_round (id, house_id, table_id, session_id, number, state, entry_level, revision, versions, lock_hash,
            croupier_id, queued, reason)
        VALUES (fresh, pattern.house_id, pattern.table_id, pattern.session_id, 1000 + place, 'locked', pattern.entry_level, 0,
            pattern.versions, pattern.lock_hash, pattern.croupier_id, false, '');
        INSERT INTO tables_cardfeed (house_id, round_id, cards) VALUES (pattern.house_id, fresh, '{{}}');
        UPDATE tables_round SET state = 'settled', revision = 1, ended_at = now(), ended_by_id = croupier_id WHERE id = fresh;
    END LOOP;
END $$
"""


@pytest.fixture(scope="module")
def floor(database_of_module):
    floor = Floor()
    floor.guests = floor.open()
    return floor


def play(floor: Floor) -> None:
    """Lock and settle a round as the API does."""
    values = {"house_id": floor.house.pk, "round_id": uuid4()}
    stakes, croupier = stakes_for(floor.guests, coins=7), floor.martina.pk

    def command(work):
        run_once(str(uuid4()), request_fingerprint("play", "test", {}), work)

    command(lambda: services.round_lock(**values, table_id=floor.table.pk, stakes=stakes, croupier_id=croupier))
    prepared = services.round_evaluate(**values, result=FOLDED)
    command(lambda: services.round_settle(prepared=prepared, person_id=croupier))


def counts() -> dict[str, tuple[int, int]]:
    """By table: how often it was read as a whole, and how many rows were taken through its indexes, up to now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT relname, seq_scan, coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables")
        return {table: (scans, rows) for table, scans, rows in cursor.fetchall()}


def read_by_a_round(floor: Floor) -> dict[str, tuple[int, int]]:
    """By table that grows: how often a lock and a settle read it as a whole, and how many rows through its indexes."""
    before = counts()
    play(floor)
    after = counts()
    return {
        table: (after[table][0] - scans, after[table][1] - rows)
        for table, (scans, rows) in before.items()
        if table not in FEW
    }


def test_round_reads_no_more_in_a_house_that_has_played_for_long(floor):
    play(floor)
    new = read_by_a_round(floor)
    for _ in range(PLAYED):
        play(floor)
    with connection.cursor() as cursor:
        cursor.execute(OLDER_ROUNDS.format(OLDER))
    with owner(connection.settings_dict["NAME"]) as link:
        link.execute("ANALYZE")
    for plans in ("of a connection that knew the house when it was new", "of a new connection"):
        old = read_by_a_round(floor)
        assert {table: scans for table, (scans, _) in old.items() if scans} == {}, plans
        more = {table: (rows, new[table][1]) for table, (_, rows) in old.items() if rows > new[table][1] + 20}
        assert more == {}, plans
        connection.close()


def test_pages_and_audits_read_no_more_either(floor):
    """The pit's board, the coins of all time, Envy of a link and the minute's audit, each time but the first."""
    play(floor)
    jackpot, last = floor.jackpot.pk, RunningRound.objects.exclude(ended_at=None).order_by("-ended_at").first()
    low = look(dict.fromkeys(MARKED, "id")).highest
    fed_keep(upto=low["jackpot_contribution"])
    with owner(connection.settings_dict["NAME"]) as link:
        link.execute("ANALYZE")
    reads = {
        "board": lambda: floor_tables(house_id=floor.house.pk),
        "coins": lambda: fed(jackpot_id=jackpot),
        "envy": lambda: _ran_with(jackpot, last.round_id),
        "audit": lambda: run_audits(low=low),
        "signs": lambda: snapshots_read([jackpot]),
    }
    for name, read in reads.items():
        with connection.cursor() as cursor:
            # Of a few thousand rows the planner rather reads all
            cursor.execute("SET enable_seqscan = off")
        read()
        before = counts()
        read()
        after = counts()
        taken = {table: (after[table][0] - scans, after[table][1] - rows) for table, (scans, rows) in before.items()}
        assert {table: read for table, read in taken.items() if table in GROWS and (read[0] or read[1] > 200)} == {}, (
            name
        )
