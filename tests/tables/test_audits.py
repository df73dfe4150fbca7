"""The floor's and the jackpot's audits: quiet on sound books, and each finds and names the harm that it is for."""

import psycopg
import pytest
from django.core.management import call_command

from casino.people.signing_roles import AUDITS as OF_PEOPLE
from jackpot.audit.hits import HITS
from jackpot.audit.meters import AUDITS as OF_JACKPOT
from payouts.audit import NOTICES, REGISTERED, run_notices
from payouts.audit_recent import recent
from tables.audit.cash import CASH
from tables.audit.checks import AUDITS as OF_TABLES
from tables.audit.checks import NOTICES as OF_TABLES_NOTICES
from tables.audit.counts import COUNTS
from tables.audit.grounds import GROUNDS
from tables.audit.hands import HANDS, NUMBERED
from tables.audit.replay import CHECKS, replay
from tables.audit.stays import STAYS
from tests.databases import superuser
from tests.tables.audits import FREE, breached
from tests.turns import each

pytestmark = pytest.mark.random_order(disabled=True)  # PostgreSQL counts changed rows also when they are rolled back

AUDITS = {name: sql for name, sql in (OF_TABLES | OF_JACKPOT).items() if name not in GROUNDS}
LOCKED, SETTLED = (
    "(SELECT id FROM tables_round WHERE state = 'locked')",
    "(SELECT id FROM tables_round WHERE revision = 2)",
)
PLAIN = "(SELECT id FROM tables_round WHERE state = 'settled' AND jackpot_id IS NULL)"

# What is done to the rows, by somebody who can switch every guard off, and which audits must name it.
HARMS: dict[str, set[str]] = {
    "UPDATE tables_roundstake SET offered_minor = offered_minor + 5, accepted_minor = accepted_minor + 5"
    f" WHERE round_id = {LOCKED} AND kind = 'ante'": {
        "stakes_are_posted"},
    f"DELETE FROM tables_roundstake WHERE round_id = {LOCKED} AND kind = 'coin' AND box = 1": {
        "stakes_are_posted", "running_rounds_are_rounds"},
    "UPDATE jackpot_contribution SET house_minor = house_minor - 5, meter_minor = meter_minor + 5"
    f" WHERE round_id = {LOCKED}": {
        "stakes_are_posted", "contributions_fill_the_meter", "contributions_follow_their_schedule"},
    "DELETE FROM payouts_entry WHERE transfer_id IN (SELECT id FROM payouts_transfer WHERE kind = 'lock'"
    f" AND subject_id = {LOCKED})": {"stakes_are_posted"},
    "INSERT INTO tables_roundstake (house_id, round_id, revision, placed, box, guest_id, source_id, kind, offered_minor,"
    " accepted_minor, returned_minor, reason, rule) SELECT house_id, round_id, 0, 1, box, guest_id, guest_id, 'double_1', 5, 5, 0,"
    f" '', '' FROM tables_roundstake WHERE round_id = {LOCKED} AND kind = 'ante' AND box = 1": {"later_stakes_are_posted"},
    "INSERT INTO tables_roundstake (house_id, round_id, revision, placed, box, guest_id, source_id, kind, offered_minor,"
    " accepted_minor, returned_minor, reason, rule) SELECT house_id, round_id, 2, 1, box, guest_id, guest_id, 'double_1', 5, 5, 0,"
    f" '', '' FROM tables_roundstake WHERE round_id = {SETTLED} AND kind = 'ante' AND box = 1": {
        "later_stakes_are_posted", "stakes_have_their_lines", "results_are_posted"},
    f"UPDATE tables_roundline SET stake_minor = stake_minor + 5, returned_minor = returned_minor + 5 WHERE round_id = {PLAIN}"
    " AND kind = 'play'": {"stakes_have_their_lines"},
    f"UPDATE tables_roundstake SET guest_id = (SELECT min(id::text)::uuid FROM tables_guest WHERE session_id ="
    f" (SELECT session_id FROM tables_round WHERE id = {PLAIN})) WHERE round_id = {PLAIN}": {"stakes_have_their_lines"},
    f"DELETE FROM tables_roundresult WHERE round_id = {SETTLED} AND revision = 1": {
        "stakes_have_their_lines", "settled_rounds_have_results", "results_are_posted"},
    f"UPDATE tables_round SET revision = 3 WHERE id = {SETTLED}": {
        "settled_rounds_have_results", "rounds_stand_as_posted"},
    "INSERT INTO tables_roundresult (house_id, round_id, revision, source, result, entered_by_id, reason) SELECT house_id, id,"
    " 1, 'taps', '{}', croupier_id, '' FROM tables_round WHERE state = 'voided'": {
        "settled_rounds_have_results", "stakes_have_their_lines"},
    f"UPDATE tables_roundline SET won_minor = won_minor + 5 WHERE round_id = {PLAIN} AND kind = 'play' AND box = 1": {
        "results_are_posted"},
    "UPDATE tables_roundline SET prize_minor = prize_minor - 5 WHERE prize_minor > 0": {"results_are_posted"},
    f"DELETE FROM payouts_transfer WHERE kind = 'settle' AND subject_id = {PLAIN}": {"results_are_posted"},
    "UPDATE payouts_transfer SET subject_id = gen_random_uuid() WHERE kind = 'settle'": {
        "results_are_posted", "rounds_stand_as_posted"},
    "UPDATE tables_round SET state = 'voided', ended_at = now() WHERE state = 'locked'": {
        "rounds_stand_as_posted", "running_rounds_are_rounds", "coins_go_back_with_their_round"},
    f"DELETE FROM payouts_transfer WHERE reverses_id IN (SELECT id FROM payouts_transfer WHERE subject_id = {SETTLED})": {
        "rounds_stand_as_posted"},
    "UPDATE payouts_account SET owner_id = gen_random_uuid() WHERE kind = 'layout'": {"rounds_post_at_their_table"},
    f"UPDATE payouts_transfer SET gaming_day = gaming_day + 1 WHERE subject_id = {PLAIN}": {"rounds_post_at_their_table"},
    f"UPDATE tables_round SET number = 99, session_id = (SELECT session_id FROM tables_round WHERE id = {LOCKED})"
    f" WHERE id = {PLAIN}": {
        "rounds_are_their_sessions", "rows_of_a_round_are_of_its_house"},
    f"UPDATE tables_round SET jackpot_id = NULL, epoch_id = NULL WHERE id = {SETTLED}": {
        "rounds_post_at_their_table", "running_rounds_are_rounds"},
    "UPDATE jackpot_epoch SET jackpot_id = gen_random_uuid()": {
        "rounds_are_their_sessions", "jackpots_run_their_newest_epoch"},
    "UPDATE tables_cardfeed SET house_id = gen_random_uuid()": {"rows_of_a_round_are_of_its_house"},
    "UPDATE tables_override SET amount_minor = amount_minor + 1": {"overrides_are_posted"},
    "UPDATE tables_irregularity SET house_id = gen_random_uuid()": {"rows_of_a_round_are_of_its_house"},
    f"UPDATE tables_roundline SET guest_id = (SELECT min(id::text)::uuid FROM tables_guest WHERE session_id <>"
    f" (SELECT session_id FROM tables_round WHERE id = {PLAIN})) WHERE round_id = {PLAIN} AND box = 1": {
        "rows_of_a_round_are_of_its_house", "stakes_have_their_lines"},
    "UPDATE tables_table SET session_id = NULL WHERE jackpot_id IS NOT NULL": {
        "locked_rounds_have_an_open_table", "open_sessions_are_their_tables"},
    "UPDATE tables_table SET jackpot_id = NULL": {"locked_rounds_have_an_open_table"},
    "UPDATE tables_tablesession SET closed_at = now(), closed_by_id = opened_by_id": {
        "locked_rounds_have_an_open_table", "open_sessions_are_their_tables"},
    f"UPDATE jackpot_runninground SET ended_at = now(), ended_as = 'settled' WHERE round_id = {LOCKED}": {
        "running_rounds_are_rounds"},
    f"DELETE FROM jackpot_runninground WHERE round_id = {LOCKED}": {"running_rounds_are_rounds"},
    f"UPDATE jackpot_runninground SET coins = '{{}}' WHERE round_id = {LOCKED}": {"running_rounds_are_rounds"},
    "DELETE FROM jackpot_contribution WHERE reverses_id IS NOT NULL": {
        "coins_go_back_with_their_round", "contributions_fill_the_meter"},
    "UPDATE payouts_account SET balance_minor = balance_minor - 1 WHERE kind = 'reserve_share'": {
        "contributions_fill_the_meter"},
    "UPDATE jackpot_contribution SET coins = coins + 1 WHERE reverses_id IS NULL": {
        "contributions_follow_their_schedule", "contributions_are_taken_back_whole"},
    f"INSERT INTO jackpot_contribution (house_id, epoch_id, table_id, round_id, coins, meter_minor, reserve_minor, house_minor)"
    f" SELECT house_id, epoch_id, table_id, round_id, 1, 100, 25, 375 FROM jackpot_contribution WHERE round_id = {LOCKED}": {
        "contributions_once_for_a_round", "contributions_fill_the_meter", "stakes_are_posted"},
    "INSERT INTO jackpot_fed SELECT id, 99999999, 1, 1 FROM jackpot_epoch": {"kept_sums_are_of_the_coins"},
    "UPDATE jackpot_epoch SET seed_minor = seed_minor + 1": {"epochs_begin_with_what_was_posted"},
    "INSERT INTO jackpot_epoch (id, house_id, jackpot_id, number, progressive_id, funding_id, seed_minor, remainder_minor)"
    " SELECT gen_random_uuid(), house_id, jackpot_id, 2, progressive_id, funding_id, 0, 0 FROM jackpot_epoch": {
        "jackpots_run_their_newest_epoch"},
    "ALTER TABLE payouts_account DROP CONSTRAINT account_on_its_side; UPDATE payouts_account SET balance_minor = 1 WHERE kind ="
    " 'sub_meter'": {"meters_are_not_negative", "contributions_fill_the_meter"},
}  # fmt: skip


def test_sound_books_pass_every_audit(played):
    """First in this file: PostgreSQL counts changed rows also when they are rolled back."""
    assert breached() == {}
    assert found_after(played.database, "SELECT 1") == {}


@each("harm", HARMS)
def test_audit_names_the_harm(played, harm):
    assert set(found_after(played.database, harm)) == HARMS[harm]


def found_after(database: str, harm: str, audits: dict[str, str] = AUDITS) -> dict[str, list[psycopg.rows.TupleRow]]:
    """The rows that each audit names after the harm, which is rolled back. The minute's question finds it too, while all is new."""
    with superuser(database) as link, link.transaction(force_rollback=True):
        link.execute(FREE)
        link.execute("SET LOCAL session_replication_role = replica")
        link.execute(harm)
        rows = {name: link.execute(sql).fetchall() for name, sql in audits.items()}
        new = {name: link.execute(recent(name, sql, {})).fetchall() for name, sql in audits.items()}
        balances = link.execute(recent("balances_equal_entries", "", {})).fetchall()
    assert {name for name in rows if rows[name] and not new[name]} <= (
        {"contributions_fill_the_meter", "drop_is_its_boxes"} if balances else set()
    )
    return {name: found for name, found in rows.items() if found}


def test_tray_that_paid_more_than_was_brought_is_noticed_and_no_breach(played):
    """LEDGER: the round is booked all the same; nothing in the books is wrong."""
    harm = "UPDATE payouts_account SET balance_minor = -1 WHERE kind = 'tray' AND balance_minor > 0"
    assert found_after(played.database, harm) == {}
    [noticed] = found_after(played.database, harm, OF_TABLES_NOTICES).values()
    assert {balance for _table, balance in noticed} == {-1}
    told = {"trays_lack_no_fill", "nobody_rests_before_the_first_lock"}
    assert ({*NOTICES}, {*OF_TABLES_NOTICES} <= told) == (told, True)
    assert {one.name: one.breaches for one in run_notices()} == {name: [] for name in told}


def test_every_audit_was_seen_to_fail_and_is_asked():
    elsewhere = {
        "no_round_between_a_hit_and_its_gate",
        "meter_pays_what_results_say",
        "no_round_has_more_coins_than_boxes",
        "bases_move_by_what_was_signed",
        *STAYS,  # test_stays_audited.py
        *CASH,  # test_cash_audited.py
        *HANDS,  # likewise
        *NUMBERED,
        *COUNTS,  # test_counts_audited.py
    }
    assert set().union(*HARMS.values()) == set(AUDITS) - set(HITS) - elsewhere  # tests/jackpot/test_audits.py
    assert REGISTERED == OF_TABLES | OF_JACKPOT | OF_PEOPLE  # tests/casino/people/test_signing_roles.py


REPLAY_HARMS = {
    f"UPDATE tables_roundline SET won_minor = won_minor + 5 WHERE round_id = {SETTLED}": "rounds_settle_again_to_their_lines",
    f"UPDATE tables_roundline SET code = 'uth.forged' WHERE round_id = {PLAIN}": "rounds_settle_again_to_their_lines",
    f"UPDATE tables_roundstake SET accepted_minor = 1, offered_minor = 1 WHERE round_id = {PLAIN} AND kind = 'play'": (
        "rounds_settle_again_to_their_lines"
    ),
    f"UPDATE tables_roundresult SET result = '{{}}' WHERE round_id = {SETTLED}": "rounds_settle_again_to_their_lines",
    "UPDATE tables_roundstake SET accepted_minor = 900000, offered_minor = 900000 WHERE kind IN ('ante', 'blind')"
    f" AND round_id = {LOCKED}": "stakes_are_within_their_limits",
    f"UPDATE tables_roundstake SET box = 9 WHERE box = 1 AND round_id = {LOCKED}": "stakes_are_within_their_limits",
}


@pytest.mark.parametrize("harm", REPLAY_HARMS)
def test_replay_names_the_harm(played, own_copy, harm):
    with superuser(own_copy) as link:
        link.execute(FREE)
        link.execute(harm)
    broken = {result.name: result.breaches for result in replay(everything=True) if result.breaches}
    assert set(broken) == {REPLAY_HARMS[harm]}
    assert all(row["why"] for row in broken[REPLAY_HARMS[harm]])


def test_replay_of_sound_rounds(played):
    for everything in (True, False):
        results = replay(everything=everything)
        assert [(result.name, result.breaches) for result in results] == [(name, []) for name in CHECKS]


def test_replay_looks_back_one_gaming_day_or_at_all_rounds(played, own_copy):
    with superuser(own_copy) as link:
        link.execute(FREE)
        link.execute(f"UPDATE tables_roundline SET won_minor = won_minor + 5 WHERE round_id = {PLAIN}")
        link.execute(
            f"UPDATE tables_tablesession SET gaming_day = gaming_day - 1 WHERE table_id <> (SELECT table_id FROM"
            f" tables_round WHERE id = {LOCKED})"
        )
    assert [result.name for result in replay() if result.breaches] == []
    breaches = [(result.name, len(result.breaches)) for result in replay(everything=True) if result.breaches]
    assert breaches == [("rounds_settle_again_to_their_lines", 1)]


@each("everything", [False, True])
def test_command_settles_rounds_again(played, own_copy, capsys, everything):
    with superuser(own_copy) as link:
        link.execute(FREE)
        link.execute(f"UPDATE tables_roundline SET won_minor = won_minor + 5 WHERE round_id = {PLAIN}")
    with pytest.raises(SystemExit):
        call_command("audit", replay=everything)
    written = capsys.readouterr().out
    assert f"round_id={played.plain}, why=result 1 gives other lines" in written
    assert "rounds_settle_again_to_their_lines" in written.splitlines()[-1]
