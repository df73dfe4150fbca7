"""The jackpot's audits of hits, awards, slips and gates: quiet on sound books, and each finds and names the harm that it is for."""

import psycopg
import pytest

from jackpot.audit.hits import HITS
from jackpot.audit.meters import AUDITS as OF_METERS
from payouts.audit import AUDITS as OF_BOOKS
from payouts.audit_recent import recent
from tables.audit.checks import AUDITS as OF_TABLES
from tables.audit.grounds import GROUNDS
from tests.databases import superuser
from tests.tables.audits import FREE, breached
from tests.turns import each

pytestmark = pytest.mark.random_order(disabled=True)  # PostgreSQL counts changed rows also when they are rolled back
LISTS = "lists_are_what_was_signed"
AUDITS = {name: sql for name, sql in OF_TABLES.items() if name not in GROUNDS} | OF_METERS | {LISTS: OF_BOOKS[LISTS]}
PAID = "(SELECT id FROM jackpot_hit WHERE state = 'paid')"
SHARE = (
    "(SELECT a.id FROM jackpot_award a JOIN jackpot_slip s ON s.award_id = a.id"
    " WHERE a.kind = 'share' AND s.state = 'paid')"
)

# What is done to the rows, by somebody who can switch every guard off, and which of these audits must name it.
HARMS: dict[str, set[str]] = {
    f"UPDATE jackpot_split SET sum_minor = sum_minor + 1, carried_minor = carried_minor + 1 WHERE hit_id = {PAID}": {
        "splits_are_of_the_whole_meter", "paid_hits_are_paid_whole"},
    "UPDATE payouts_account SET balance_minor = -1 WHERE kind = 'sub_meter'"
    " AND detail_id IN (SELECT epoch_id FROM jackpot_epochend)": {
        "ended_epochs_hold_nothing"},
    "UPDATE jackpot_epochend SET ended_as = 'retired', hit_id = NULL": {"ended_epochs_have_a_successor"},
    f"UPDATE jackpot_award SET amount_minor = amount_minor + 1 WHERE id = {SHARE}": {"paid_hits_are_paid_whole"},
    f"UPDATE jackpot_award SET hit_id = (SELECT id FROM jackpot_hit WHERE state = 'rejected') WHERE id = {SHARE}": {
        "hits_that_are_not_paid_award_nothing", "winners_are_listed_and_verified", "paid_hits_are_paid_whole"},
    f"UPDATE jackpot_claim SET state = 'open' WHERE id = (SELECT claim_id FROM jackpot_award WHERE id = {SHARE})": {
        "winners_are_listed_and_verified"},
    "INSERT INTO jackpot_award (id, house_id, jackpot_id, hit_id, kind, amount_minor, round_id,"
    " table_id, box, guest_id, approval_id, transfer_id, reason, at)"
    " SELECT gen_random_uuid(), house_id, jackpot_id, hit_id, 'late', 1, round_id, table_id, box, guest_id, approval_id,"
    " transfer_id, '', at FROM jackpot_award"
    f" WHERE id = {SHARE}": {"one_award_a_winner", "awards_have_their_slips"},
    "INSERT INTO jackpot_award (id, house_id, jackpot_id, hit_id, prize_id, kind, amount_minor, round_id,"
    " table_id, box, guest_id, approval_id, transfer_id, reason, at)"
    " SELECT gen_random_uuid(), house_id, jackpot_id, hit_id, prize_id, kind, amount_minor, round_id, table_id, box, guest_id,"
    " approval_id, transfer_id, '', at FROM jackpot_award WHERE kind = 'prize'": {
        "one_award_a_prize", "awards_have_their_slips"},
    "UPDATE payouts_approvallist SET text = '[]' WHERE name = 'shares'": {LISTS},
    "DELETE FROM jackpot_listedround WHERE table_id = (SELECT id FROM tables_table WHERE name = 'UTH 3')": {
        "hits_list_what_ran"},
    "UPDATE jackpot_runninground SET begun_turn = (SELECT min(begun_turn) + 1 FROM jackpot_hit),"
    " ended_turn = (SELECT min(begun_turn) + 2 FROM jackpot_hit)"
    " WHERE round_id = (SELECT id FROM tables_round WHERE state = 'voided')": {
        "no_coin_between_a_hit_and_its_gate", "no_round_between_a_hit_and_its_gate"},
    "UPDATE jackpot_gatedisplay SET shown = 'CHF 10’000.01'": {"gates_were_passed_by_what_was_shown"},
    "UPDATE jackpot_slip SET number = 9 WHERE number = 3": {"slips_are_numbered_without_gap"},
    # Of a restore that nobody knows of; of none, though it was made after one.
    "UPDATE jackpot_slip SET incarnation = 7 WHERE number = 3": {"slips_are_of_their_incarnation"},
    "UPDATE jackpot_slip SET incarnation = 7 WHERE number = 2;"
    " UPDATE jackpot_incarnation SET number = 7": {"slips_are_of_their_incarnation"},
    "UPDATE jackpot_slip SET state = 'open', cancelled_at = NULL, cancelled_as = '' WHERE state = 'cancelled'": {
        "slips_are_paid_as_posted", "what_is_payable_has_open_slips", "bases_move_by_what_was_signed"},
    "UPDATE payouts_account SET balance_minor = balance_minor - 1 WHERE kind = 'awards_payable'": {
        "what_is_payable_has_open_slips"},
    "UPDATE payouts_account SET balance_minor = 0 WHERE kind = 'prizes_waiting'": {"waiting_prizes_are_owed"},
    "UPDATE jackpot_jackpot SET phase = 'draining'": {"phases_agree_with_hits_and_gates"},
    "UPDATE tables_roundline SET paid_by = 'meter' WHERE prize_minor > 0": {"meter_pays_what_results_say", "results_are_posted"},
    "UPDATE jackpot_contribution SET coins = 8, meter_minor = 800, reserve_minor = 200, house_minor = 3000"
    " WHERE round_id = (SELECT id FROM tables_round WHERE state = 'locked')": {
        "no_round_has_more_coins_than_boxes", "stakes_are_posted", "contributions_fill_the_meter"},
}  # fmt: skip


def test_sound_books_pass_every_audit(lived):
    assert breached() == {}
    assert found_after(lived.database, "SELECT 1") == {}


@each("harm", HARMS)
def test_audit_names_the_harm(lived, harm):
    assert set(found_after(lived.database, harm)) == HARMS[harm]


def found_after(database: str, harm: str) -> dict[str, list[psycopg.rows.TupleRow]]:
    """The rows that each audit names after the harm, which is rolled back; so does the minute's question, while all is new."""
    with superuser(database) as link, link.transaction(force_rollback=True):
        link.execute(FREE)
        link.execute("SET LOCAL session_replication_role = replica")
        link.execute(harm)
        rows = {name: link.execute(sql).fetchall() for name, sql in AUDITS.items()}
        new = {name: link.execute(recent(name, sql, {})).fetchall() for name, sql in AUDITS.items()}
    assert {name for name, found in new.items() if found} == {name for name, found in rows.items() if found}
    return {name: found for name, found in rows.items() if found}


def test_every_audit_of_hits_was_seen_to_fail():
    seen = set().union(*HARMS.values())
    assert set(HITS) <= seen
    assert {
        "no_round_between_a_hit_and_its_gate",
        "meter_pays_what_results_say",
        "no_round_has_more_coins_than_boxes",
        "bases_move_by_what_was_signed",
    } <= seen
