"""The audits of counts: quiet on sound books, and each finds and names the harm that it is for (CNT)."""

import pytest

from payouts.audit import REGISTERED
from tables.audit.counts import COUNTS
from tests.tables.audits import breached, disagreeing
from tests.tables.test_audits import found_after
from tests.tables.test_count_guards import Signed
from tests.tables.test_difference_guards import Explained
from tests.turns import each
from tests.worlds import for_module

pytestmark = pytest.mark.random_order(disabled=True)  # PostgreSQL counts changed rows also when they are rolled back
signed = for_module(Signed)
explained = for_module(Explained)
MEET, PIECES = "counts_meet_their_transfer", "entries_are_their_pieces"
TWO, FROZEN = "counts_are_signed_by_two", "sessions_are_frozen_by_their_count"
BOXES = "drop_is_its_boxes"
TRAY = "account_id IN (SELECT id FROM payouts_account WHERE kind = 'tray')"
COUNTED = "(SELECT id FROM payouts_transfer WHERE kind = 'tray_count')"
# What is done to the rows, by somebody who can switch every guard off, and which audits must name it.
HARMS: dict[str, set[str]] = {
    "UPDATE payouts_countsignature SET recorded_minor = recorded_minor + 1": {MEET},
    "UPDATE payouts_countsignature SET difference_minor = 1, recorded_minor = recorded_minor - 1"
    " WHERE difference_minor = 0": {MEET},
    f"UPDATE payouts_entry SET amount_minor = amount_minor + 1 WHERE transfer_id = {COUNTED} AND {TRAY}": {MEET},
    f"UPDATE payouts_entry SET balance_after_minor = 7 WHERE transfer_id = {COUNTED} AND {TRAY}": {MEET},
    f"DELETE FROM payouts_transfer WHERE id = {COUNTED}": {MEET},
    "UPDATE payouts_countline SET pieces = pieces + 1": {PIECES},
    "DELETE FROM payouts_countline": {PIECES},
    "UPDATE payouts_count SET state = 'signed', ended_at = now(), ended_by_id = begun_by_id WHERE state = 'entered'": {
        TWO, FROZEN},
    "DELETE FROM payouts_countsignature WHERE stands": {TWO},
    "UPDATE payouts_countsignature SET counter_id = gen_random_uuid()": {TWO},
    "UPDATE payouts_countentry SET counter_id = gen_random_uuid()": {TWO},
    "UPDATE payouts_account SET balance_minor = balance_minor + 1 WHERE kind = 'drop'"
    " AND owner_id IN (SELECT id FROM tables_table)": {BOXES},
    "UPDATE tables_tablesession SET counting_id = NULL": {FROZEN},
    "UPDATE tables_tablesession SET counting_id = opener_id": {FROZEN},
    "UPDATE payouts_count SET session_id = gen_random_uuid() WHERE state = 'entered'": {FROZEN},
}  # fmt: skip
RESULT = "counted_result_is_the_books"
BACK = "counts_are_set_back_as_posted"
GAP = "differences_are_as_large_as_they_say"
# The same, of differences.
EXPLAINED: dict[str, set[str]] = {
    "DELETE FROM payouts_countback": {RESULT},
    "UPDATE payouts_countback SET transfer_id = (SELECT min(id) FROM payouts_transfer)": {BACK},
    "UPDATE payouts_countback SET amount_minor = amount_minor + 1": {RESULT, BACK},
    "UPDATE tables_difference SET state = 'settled'": {GAP},
    "UPDATE tables_explanation SET amount_minor = amount_minor - 1": {GAP},
}


def test_sound_counts_pass_every_audit(signed: Signed) -> None:
    assert (breached(), disagreeing()) == ({}, [])
    assert found_after(signed.database, "SELECT 1", COUNTS) == {}


@each("harm", HARMS)
def test_audit_names_the_harm(signed: Signed, harm: str) -> None:
    assert set(found_after(signed.database, harm, COUNTS)) == HARMS[harm]


@each("harm", EXPLAINED)
def test_audit_of_differences_names_the_harm(explained: Explained, harm: str) -> None:
    assert set(found_after(explained.database, harm, COUNTS)) == EXPLAINED[harm]


def test_every_audit_of_counts_was_seen_to_fail_and_is_asked() -> None:
    assert set().union(*HARMS.values(), *EXPLAINED.values()) == set(COUNTS)
    assert COUNTS.items() <= REGISTERED.items()
