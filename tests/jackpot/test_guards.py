"""Control tests of the jackpot's guards: each is taken away once, and the harm that it prevents is done (`tests/controls.py`).

The harm is done as the app role, which is all that a fault of the app's, or who got into it, can act as.
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from pytest_django import DjangoDbBlocker

from payouts.models import AppendOnly
from tests import controls
from tests.controls import Guard, again, off, refused
from tests.databases import module_database
from tests.jackpot.moments import Moments
from tests.turns import each

APP = "SET LOCAL ROLE saalchef_app; "
MODELS: list[Any] = controls.money_models("jackpot")
TABLES = [model._meta.db_table for model in MODELS]

JACKPOT, HIT, LISTED, CLAIM = "jackpot_jackpot", "jackpot_hit", "jackpot_listedround", "jackpot_claim"
SPLIT, SHARE, AWARD, SLIP, PRIZE = (
    "jackpot_split",
    "jackpot_share",
    "jackpot_award",
    "jackpot_slip",
    "jackpot_waitingprize",
)
GATE, ON_GATE, REQUIRED, RUNNING = (
    "jackpot_gate",
    "jackpot_gatedisplay",
    "jackpot_requireddisplay",
    "jackpot_runninground",
)
APPROVAL = "payouts_approval"
BOOKS = "jackpot_incarnation"
BACK = "jackpot_takenback"
FED, EPOCH, END = "jackpot_contribution", "jackpot_epoch", "jackpot_epochend"


def to(phase: str, was: str, **more: str) -> str:
    """A step of the jackpot that is in this phase."""
    values = {"phase": f"'{phase}'"} | more
    return (
        f"UPDATE {JACKPOT} SET {', '.join(f'{name} = {value}' for name, value in values.items())} WHERE phase = '{was}'"
    )


def of(phase: str, column: str = "id") -> str:
    """The jackpot in this phase, or another of its columns."""
    return f"(SELECT {column} FROM {JACKPOT} WHERE phase = '{phase}')"


# A request under the rule in force which lets everybody sign; another one about the same is over.
AN_APPROVAL = (
    f"UPDATE {APPROVAL} SET state = 'killed' WHERE state = 'open' AND action = '{{0}}'; INSERT INTO {APPROVAL} (id, house_id,"
    " rule_id, action, subject_kind, subject_id, revision, payload, payload_hash, excluded, signers, roles, method, state,"
    " requested_at, expires_at) SELECT gen_random_uuid(), r.house_id, r.id, '{0}', '{1}', {2}::text, 9, '{{}}', sha256('none'),"
    " '{{}}', r.signers, r.roles, r.method, 'open', now(), now() FROM payouts_approvalrule r"
    " WHERE r.action = '{0}' AND r.version = 1 LIMIT 1"
)
A_HIT = (
    f"INSERT INTO {HIT} (id, house_id, jackpot_id, epoch_id, number, state, shown_minor, reason, drained_at, ended_at, begun_at)"
    " SELECT '00000000-0000-4000-8000-000000000099', house_id, id, epoch_id, 9, {}, 1, 'a reason', {}, {}, now()"
    f" FROM {JACKPOT} WHERE phase = 'open'"
)
BEGUN = A_HIT.format("'draining'", "NULL", "NULL")
WAITING = f"(SELECT id FROM {PRIZE} WHERE state = 'waiting')"
A_CLAIMED = f"(SELECT round_id FROM {CLAIM} WHERE state = 'called')"
OURS = "'00000000-0000-4000-8000-000000000099'"
AN_END = (
    f"INSERT INTO {END} (epoch_id, house_id, hit_id, ended_as, at)"
    f" SELECT epoch_id, house_id, {{}}, {{}}, now() FROM {JACKPOT} WHERE phase = '{{}}'"
)
NEW = "gen_random_uuid()"
IN_VERIFYING, IN_DRAINING = f"x.hit_id = {of('verifying', 'hit_id')}", f"x.hit_id = {of('draining', 'hit_id')}"
PAID_HIT = f"(SELECT hit_id FROM {SLIP} s JOIN {AWARD} a ON a.id = s.award_id WHERE s.state = 'paid')"
UNADDED = f"{off(SPLIT, 'split_shares_add_up')}; {off(SHARE, 'shares_add_up')}"
FREE_SPLIT = f"{UNADDED}; {off(SPLIT, 'split_of_verifying')}"
FREE_CLAIM = off(CLAIM, "claim_begin", "claim_guard")
FREE_AWARD = off(AWARD, "award_approved", "award_late_bound")
ANOTHER_CLAIM = f"(SELECT min(id::text)::uuid FROM {CLAIM} WHERE hit_id = {of('verifying', 'hit_id')})"
ONE_SHARE = "x.kind = 'share' AND x.id = (SELECT award_id FROM jackpot_slip s WHERE s.state = 'paid')"
SIGNER = "(SELECT id FROM casino_person WHERE username = 'bea.l.s')"
OF_SHOWING = f"state = 'open' AND house_id = {of('showing', 'house_id')}"
AMOUNT = f"(SELECT a.amount_minor FROM {AWARD} a WHERE a.id = award_id)"
DEALER = "(SELECT id FROM casino_person WHERE username = 'dealer0.l.s')"
CASHIER = "(SELECT id FROM casino_person WHERE username = 'cage.l.s')"
OPEN_GATE = f"(SELECT id FROM {GATE} WHERE state = 'open')"
SHOWN = f"(SELECT g.amount_minor::text FROM {GATE} g WHERE g.id = gate_id)"

# Another gave the person a password a moment ago, in a house that has locked.
ANEW = (
    "INSERT INTO payouts_event (name, subject_kind, subject_id, actor_id, reason, request_id)"
    " SELECT 'password.reset', 'person', p.id::text, o.id, '', '' FROM casino_person p JOIN casino_person o"
    " ON o.house_id = p.house_id AND o.username LIKE 'ines.%' WHERE p.username = '{}'; "
)
WAITS = "WHERE state = 'waiting'"
PAY = f"UPDATE {SLIP} SET state = 'paid', paid_at = now(),"
PASS = f"UPDATE {GATE} SET state = 'passed', ended_at = now() WHERE state = 'open'"
CONFIRM = f"UPDATE {ON_GATE} SET state = 'confirmed', at = now(), shown ="

LOCKED = "house_has_locked_v1(x.house_id)"

GUARDS = [
    # Begun twice; gone on with at a server that is no standby of the one before.
    Guard("incarnation_begin", BOOKS, again(BOOKS, how="'begun'")),
    Guard("incarnation_begin", BOOKS, again(BOOKS, how="'promoted'")),
    Guard("incarnation_how_known", BOOKS, again(BOOKS, how="'copied'"), off(BOOKS, "incarnation_begin")),
    Guard("jackpot_guard", JACKPOT, f"UPDATE {JACKPOT} SET funding = 'other'"),
    Guard("jackpot_name_once", JACKPOT, again(JACKPOT), off(JACKPOT, "jackpot_needs_two")),
    Guard("jackpot_needs_two", JACKPOT, again(JACKPOT, LOCKED, name="'Another'")),
    Guard("jackpot_phase_known", JACKPOT, to("resting", "open"), off(JACKPOT, "jackpot_step")),
    Guard("jackpot_phase_kept", JACKPOT, f"UPDATE {JACKPOT} SET kept_phase = 'open' WHERE phase = 'open'"),
    Guard("jackpot_offline_known", JACKPOT, f"UPDATE {JACKPOT} SET offline_linked = 'pray'"),
    # Draining without a hit, or with a list that lacks a round; decided, undrained, unpaid; opened by nobody, by an
    # old gate, by ending a suspension; without the hit at hand; backwards; in another's epoch; retired with its money.
    Guard("jackpot_step", JACKPOT, to("draining", "open")),
    Guard("jackpot_step", JACKPOT, f"{BEGUN}; {to('draining', 'open', hit_id=OURS)}"),
    Guard("jackpot_step", JACKPOT, to("verifying", "draining")),
    Guard("jackpot_step", JACKPOT, to("showing", "draining", hit_id="NULL")),
    Guard("jackpot_step", JACKPOT, to("showing", "verifying", hit_id="NULL")),
    Guard("jackpot_step", JACKPOT, to("open", "showing")),
    Guard("jackpot_step", JACKPOT, to("open", "closed")),
    Guard("jackpot_step", JACKPOT, to("open", "suspended", kept_phase="''")),
    Guard("jackpot_step", JACKPOT, to("showing", "suspended", kept_phase="''")),
    Guard("jackpot_step", JACKPOT, to("retired", "closed")),
    Guard("jackpot_step", JACKPOT, f"UPDATE {JACKPOT} SET hit_id = NULL WHERE phase = 'draining'"),
    Guard("jackpot_step", JACKPOT, f"UPDATE {JACKPOT} SET gate_id = (SELECT min(id::text)::uuid FROM {GATE} WHERE state = 'passed')"
                                   " WHERE phase = 'showing'"),
    Guard("jackpot_step", JACKPOT, f"UPDATE {JACKPOT} SET incarnation = incarnation - 1"),
    Guard("jackpot_step", JACKPOT, f"UPDATE {JACKPOT} SET version_base = version_base - 1"),
    Guard("jackpot_step", JACKPOT, f"UPDATE {JACKPOT} SET epoch_id = {of('closed', 'epoch_id')} WHERE phase = 'verifying'"),
    Guard("epoch_once", EPOCH, again(EPOCH), off(EPOCH, "epoch_needs_two")),
    Guard("epoch_needs_two", EPOCH, again(EPOCH, f"x.number = 1 AND {LOCKED}"), f"ALTER TABLE {EPOCH} DROP CONSTRAINT epoch_once"),
    Guard("epoch_not_negative", EPOCH, again(EPOCH, number="9", remainder_minor="-1")),
    Guard("epoch_end_begin", END, AN_END.format("hit_id", "'won'", "verifying")),
    Guard("epoch_end_begin", END, AN_END.format("NULL", "'retired'", "closed")),
    Guard("epoch_end_known", END, AN_END.format("NULL", "'won'", "verifying"), off(END, "epoch_end_begin")),
    Guard("running_round_guard", RUNNING, f"UPDATE {RUNNING} SET coins = '{{}}' WHERE ended_at IS NULL"),
    Guard("running_round_guard", RUNNING, f"UPDATE {RUNNING} SET ended_at = NULL, ended_as = '' WHERE ended_as = 'settled'",
          "DROP INDEX running_round_one_per_table"),
    Guard("running_round_ended", RUNNING, f"UPDATE {RUNNING} SET ended_at = now() WHERE ended_at IS NULL"),
    Guard("running_round_one_per_table", RUNNING,
          again(RUNNING, f"x.ended_at IS NULL AND x.jackpot_id = {of('open')}", key="round_id")),
    Guard("running_round_open", RUNNING,
          again(RUNNING, f"x.jackpot_id = {of('closed')}", key="round_id", ended_at="NULL", ended_as="''")),
    Guard("running_round_open", RUNNING,
          again(RUNNING, f"x.jackpot_id = {of('showing')}", key="round_id", ended_at="NULL", ended_as="''")),
    Guard("running_round_open", RUNNING,  # with a coin, and no display to show what it would win
          again(RUNNING, f"x.jackpot_id = {of('open')} AND x.coins <> '{{}}'", key="round_id", ended_at="NULL", ended_as="''"),
          f"{off(REQUIRED, 'required_display_guard')}; UPDATE {REQUIRED} SET ended_at = now();"
          " DROP INDEX running_round_one_per_table"),
    Guard("contribution_sign", FED, again(FED, f"x.reverses_id IS NULL AND x.epoch_id = {of('open', 'epoch_id')}", coins="0")),
    Guard("contribution_sign", FED, again(FED, "x.reverses_id IS NOT NULL", reverses_id="NULL")),
    Guard("contribution_of_boxes", FED, again(FED, f"x.reverses_id IS NULL AND x.epoch_id = {of('open', 'epoch_id')}", coins="8")),
    Guard("jackpot_contribution_reverses_id_key", FED, again(FED, "x.reverses_id IS NOT NULL")),
    Guard("epoch_runs", FED, again(FED, f"x.epoch_id IN (SELECT epoch_id FROM {END}) AND x.reverses_id IS NULL")),
    Guard("epoch_runs", HIT, again(HIT, "x.state = 'paid'", number="9"), off(HIT, "hit_begin")),
    Guard("hit_begin", HIT, A_HIT.format("'paid'", "now()", "now()")),
    Guard("hit_begin", HIT, again(HIT, "x.state = 'draining'", number="9"), "DROP INDEX hit_one_running"),
    Guard("hit_once", HIT, BEGUN.replace("9, 'draining'", "2, 'draining'")),
    Guard("hit_one_running", HIT, again(HIT, "x.state = 'draining'", number="9"), off(HIT, "hit_begin")),
    Guard("hit_state_known", HIT, f"UPDATE {HIT} SET state = 'gone'",
          f"{off(HIT, 'hit_guard')}; ALTER TABLE {HIT} DROP CONSTRAINT hit_times"),
    Guard("hit_times", HIT, f"UPDATE {HIT} SET drained_at = now() WHERE state = 'draining'", off(HIT, "hit_guard")),
    Guard("hit_guard", HIT, f"UPDATE {HIT} SET state = 'verifying', drained_at = now() WHERE state = 'draining'"),
    Guard("hit_guard", HIT, f"UPDATE {HIT} SET state = 'paid', ended_at = now() WHERE state = 'verifying'"),
    Guard("hit_guard", HIT, f"UPDATE {HIT} SET state = 'rejected', ended_at = now(), reason = 'none' WHERE state = 'verifying'"),
    Guard("hit_guard", HIT, f"UPDATE {HIT} SET shown_minor = shown_minor + 1"),
    Guard("hit_guard", HIT, f"UPDATE {HIT} SET state = 'verifying', ended_at = NULL WHERE state = 'rejected'"),
    Guard("listed_round_begin", LISTED, again(LISTED, IN_DRAINING, round_id=NEW)),
    Guard("listed_round_begin", LISTED, again(LISTED, IN_VERIFYING, round_id=NEW)),
    Guard("listed_round_once", LISTED, again(LISTED), off(LISTED, "listed_round_begin")),
    Guard("claim_of_listed_round", CLAIM, again(CLAIM, IN_DRAINING, number="9", table_id=NEW, round_id=NEW), FREE_CLAIM),
    Guard("claim_begin", CLAIM, again(CLAIM, IN_VERIFYING, number="9"), "DROP INDEX claim_one_a_round"),  # verified by nobody
    Guard("claim_begin", CLAIM,
          again(CLAIM, IN_VERIFYING, number="9", state="'open'", decided_by_id="NULL", decided_at="NULL", box="2"),
          "DROP INDEX claim_one_a_round"),  # of a box without a coin
    Guard("claim_number_once", CLAIM, again(CLAIM, IN_VERIFYING), f"{FREE_CLAIM}; DROP INDEX claim_one_a_round"),
    Guard("claim_one_a_round", CLAIM, again(CLAIM, IN_VERIFYING, number="9"), FREE_CLAIM),
    Guard("claim_state_known", CLAIM, f"UPDATE {CLAIM} SET state = 'gone' WHERE state = 'verified'", FREE_CLAIM),
    Guard("claim_of_a_box", CLAIM, f"UPDATE {CLAIM} SET state = 'open' WHERE state = 'called'"),
    Guard("claim_guard", CLAIM,
          f"UPDATE {CLAIM} x SET state = 'refused', reason = 'none', decided_by_id = dealers[1] WHERE {IN_VERIFYING}",
          off(CLAIM, "claim_by_author")),
    Guard("claim_guard", CLAIM, f"UPDATE {CLAIM} x SET decided_by_id = made_by_id WHERE {IN_VERIFYING}",
          f"{off(CLAIM, 'claim_by_author', 'claim_guard')}; UPDATE {CLAIM} SET dealers = '{{}}';"
          f" ALTER TABLE {CLAIM} ENABLE ALWAYS TRIGGER claim_guard"),
    Guard("claim_by_author", CLAIM, f"UPDATE {CLAIM} x SET decided_by_id = dealers[1] WHERE {IN_VERIFYING}",
          off(CLAIM, "claim_guard")),
    Guard("claim_guard", CLAIM, f"UPDATE {CLAIM} x SET dealers = '{{}}' WHERE {IN_VERIFYING}"),
    Guard("claim_guard", CLAIM, f"UPDATE {CLAIM} x SET decided_by_id = NULL WHERE {IN_VERIFYING}"),
    Guard("claim_guard", CLAIM, f"UPDATE {CLAIM} x SET box = 2 WHERE {IN_VERIFYING}"),
    Guard("claim_guard", CLAIM, f"UPDATE {CLAIM} x SET state = 'dropped' WHERE x.hit_id = {PAID_HIT}"),
    Guard("claim_guard", CLAIM, f"UPDATE {CLAIM} x SET state = 'verified', box = 1, guest_id = {NEW}, decided_by_id = x.made_by_id"
                                f" WHERE {IN_DRAINING}", off(CLAIM, "claim_by_author")),
    Guard("person_rests", CLAIM, f"{ANEW.format('bea.l.v')}UPDATE {CLAIM} x SET decided_by_id ="
                                 f" (SELECT id FROM casino_person WHERE username = 'bea.l.v') WHERE {IN_VERIFYING}"),
    Guard("split_of_verifying", SPLIT, again(SPLIT, f"x.hit_id = {PAID_HIT}", revision="x.revision + 1"), UNADDED),
    Guard("split_of_verifying", SPLIT, again(SPLIT, IN_VERIFYING, revision="x.revision + 5"), UNADDED),
    Guard("split_revision_once", SPLIT, again(SPLIT, IN_VERIFYING), FREE_SPLIT),
    Guard("split_not_negative", SPLIT, again(SPLIT, IN_VERIFYING, revision="9", unit_minor="0"), FREE_SPLIT),
    Guard("split_adds_up", SPLIT, again(SPLIT, IN_VERIFYING, revision="9", carried_minor="x.carried_minor + 1"), FREE_SPLIT),
    Guard("split_shares_add_up", SPLIT, again(SPLIT, IN_VERIFYING, revision="x.revision + 1")),
    Guard("share_of_verified", SHARE, again(SHARE, claim_id=f"(SELECT id FROM {CLAIM} WHERE state = 'called')"), UNADDED),
    Guard("share_once", SHARE, again(SHARE), UNADDED),
    Guard("share_not_negative", SHARE, again(SHARE, share_minor="-1"),
          f"{UNADDED}; ALTER TABLE {SHARE} DROP CONSTRAINT share_once"),
    Guard("shares_add_up", SHARE, again(SHARE), f"ALTER TABLE {SHARE} DROP CONSTRAINT share_once"),
    Guard("award_approved", AWARD, again(AWARD, ONE_SHARE, claim_id=ANOTHER_CLAIM, round_id=NEW)),
    # Under an approval that was used for something else: another hit's share, another amount, another box, as a late award.
    Guard("award_approved", AWARD, again(
        AWARD, ONE_SHARE, claim_id=ANOTHER_CLAIM, hit_id=of("verifying", "hit_id"), house_id=of("verifying", "house_id"),
        jackpot_id=of("verifying"), round_id=f"(SELECT round_id FROM {CLAIM} WHERE id = {ANOTHER_CLAIM})")),
    Guard("award_approved", AWARD, again(AWARD, ONE_SHARE, amount_minor="x.amount_minor + 5", claim_id=ANOTHER_CLAIM, box="7")),
    Guard("award_approved", AWARD, again(AWARD, ONE_SHARE, kind="'late'", claim_id="NULL", box="2")),
    Guard("award_approved", AWARD, again(AWARD, "x.kind = 'prize'", prize_id=f"(SELECT id FROM {PRIZE} WHERE state = 'waiting')")),
    Guard("award_excludes", APPROVAL, AN_APPROVAL.format("jackpot.award", "hit", of("verifying", "hit_id"))),
    Guard("award_excludes", APPROVAL, AN_APPROVAL.format("jackpot.reject", "hit", of("verifying", "hit_id"))),
    Guard("award_excludes", APPROVAL, AN_APPROVAL.format("jackpot.prize", "prize", WAITING)),
    Guard("authors_excluded", APPROVAL, AN_APPROVAL.format("jackpot.award_late", "round", A_CLAIMED)),
    Guard("authors_excluded", APPROVAL, AN_APPROVAL.format("round.void_claimed", "round", A_CLAIMED)),
    Guard("award_kind_known", AWARD, again(AWARD, ONE_SHARE, kind="'late'", claim_id=ANOTHER_CLAIM, box="2"), FREE_AWARD),
    Guard("award_late_bound", AWARD, again(
        AWARD, ONE_SHARE, kind="'late'", claim_id="NULL", box="2", amount_minor="x.amount_minor * 100"),
          off(AWARD, "award_approved")),
    Guard("award_pays", AWARD, again(AWARD, ONE_SHARE, amount_minor="0", claim_id=ANOTHER_CLAIM, box="2"), FREE_AWARD),
    Guard("award_once_a_winner", AWARD, again(AWARD, ONE_SHARE, claim_id=ANOTHER_CLAIM), FREE_AWARD),
    Guard("jackpot_award_claim_id_key", AWARD, again(AWARD, ONE_SHARE, box="2"), FREE_AWARD),
    Guard("award_once_a_winner", AWARD, again(AWARD, "x.kind = 'prize'"), FREE_AWARD),
    Guard("slip_number", SLIP, again(SLIP, "x.state = 'paid'", number="77"), "ALTER TABLE jackpot_slip DROP CONSTRAINT"
          " jackpot_slip_award_id_key"),
    Guard("slip_number_once", SLIP, again(SLIP), f"{off(SLIP, 'slip_number')}; ALTER TABLE {SLIP} DROP CONSTRAINT"
          " jackpot_slip_award_id_key"),
    Guard("jackpot_slip_award_id_key", SLIP, again(SLIP, "x.state = 'open'")),
    Guard("slip_state_known", SLIP, f"UPDATE {SLIP} SET paid_at = now(), cash_minor = 5 WHERE state = 'open'",
          off(SLIP, "slip_guard")),
    Guard("slip_cash", SLIP, f"UPDATE {SLIP} SET cash_minor = NULL WHERE state = 'paid'", off(SLIP, "slip_guard")),
    Guard("slip_guard", SLIP, f"UPDATE {SLIP} SET incarnation = 7"),
    Guard("slip_guard", SLIP, f"{PAY} paid_by_id = {CASHIER}, cash_minor = {AMOUNT} + 100"
                              f" WHERE {OF_SHOWING}"),
    Guard("slip_guard", SLIP, f"{PAY} paid_by_id = {SIGNER}, cash_minor = {AMOUNT}"
                              f" WHERE {OF_SHOWING}"),
    Guard("person_rests", SLIP, f"{ANEW.format('cage.l.s')}{PAY} paid_by_id = {CASHIER}, cash_minor = {AMOUNT}"
                                f" WHERE {OF_SHOWING}"),
    Guard("payer_took_part", SLIP, f"{PAY} paid_by_id = {DEALER}, cash_minor = {AMOUNT} WHERE {OF_SHOWING}"),
    Guard("slip_guard", SLIP,
          f"UPDATE {SLIP} SET state = 'cancelled', cancelled_at = now(), cancelled_as = 'unpaid' WHERE {OF_SHOWING}"),
    Guard("slip_guard", SLIP, f"UPDATE {SLIP} SET state = 'open', paid_at = NULL, cash_minor = NULL WHERE state = 'paid'"),
    Guard("taken_back", BACK, again(BACK), f"ALTER TABLE {BACK} DROP CONSTRAINT jackpot_takenback_slip_id_key"),
    Guard("taken_back_opens", BACK, again(BACK, paid_at=f"(SELECT s.paid_at FROM {SLIP} s WHERE s.id = x.slip_id)"),
          f"{off(BACK, 'taken_back')}; ALTER TABLE {BACK} DROP CONSTRAINT jackpot_takenback_slip_id_key"),
    Guard("jackpot_takenback_slip_id_key", BACK, again(BACK), off(BACK, "taken_back")),
    Guard("waiting_prize_guard", PRIZE, f"UPDATE {PRIZE} SET state = 'awarded' WHERE state = 'waiting'"),
    Guard("waiting_prize_guard", PRIZE, f"UPDATE {PRIZE} SET amount_minor = amount_minor + 1"),
    # What has its slip does not wait again.
    Guard("waiting_prize_guard", PRIZE, f"UPDATE {PRIZE} SET state = 'waiting' WHERE state = 'awarded'"),
    Guard("waiting_prize_guard", PRIZE, f"UPDATE {PRIZE} SET state = 'dropped' WHERE state = 'awarded'"),
    Guard("prize_names_authors", PRIZE, again(PRIZE, place="99", dealers="'{}'::uuid[]")),
    Guard("waiting_prize_once", PRIZE, again(PRIZE)),
    Guard("waiting_prize_pays", PRIZE, again(PRIZE, place="99", amount_minor="0")),
    Guard("required_display_guard", REQUIRED, f"UPDATE {REQUIRED} SET ended_at = now(), reason = 'dark' WHERE ended_at IS NULL"),
    Guard("required_display_guard", REQUIRED, f"UPDATE {REQUIRED} SET display_id = {NEW}"),
    Guard("required_display_once", REQUIRED, again(REQUIRED)),
    Guard("gate_begin", GATE, again(GATE, "x.state = 'open'", number="x.number + 1", state="'passed'", ended_at="now()")),
    Guard("gate_begin", GATE, again(GATE, f"x.jackpot_id = {of('open')}", number="99")),
    Guard("gate_once", GATE, again(GATE, "x.state = 'passed'"), off(GATE, "gate_begin")),
    Guard("gate_one_open", GATE, again(GATE, "x.state = 'open'", number="99"), off(GATE, "gate_begin")),
    Guard("gate_ended", GATE, f"UPDATE {GATE} SET ended_at = now() WHERE state = 'open'", off(GATE, "gate_guard")),
    Guard("gate_not_negative", GATE, again(GATE, "x.state = 'passed'", number="99", amount_minor="-1"), off(GATE, "gate_begin")),
    Guard("gate_guard", GATE, PASS),
    Guard("gate_guard", GATE, f"UPDATE {GATE} SET amount_minor = 1 WHERE state = 'open'"),
    Guard("gate_guard", GATE, f"UPDATE {GATE} SET state = 'open', ended_at = NULL WHERE state = 'passed'",
          "DROP INDEX gate_one_open"),
    # A display that is required and was left off the list, or confirmed for another: the gate still waits for it.
    Guard("gate_guard", GATE, PASS,
          f"SET LOCAL session_replication_role = replica; {off(ON_GATE, 'gate_display_guard')};"
          f" DELETE FROM {ON_GATE} WHERE state = 'waiting'; SET LOCAL session_replication_role = origin"),
    Guard("gate_display_begin", ON_GATE,
          again(ON_GATE, f"x.gate_id = {OPEN_GATE}", display_id=NEW, state="'confirmed'", at="now()")),
    Guard("gate_display_begin", ON_GATE, again(ON_GATE, f"x.gate_id <> {OPEN_GATE}", display_id=NEW, state="'waiting'", at="NULL")),
    Guard("gate_display_once", ON_GATE, again(ON_GATE, f"x.gate_id = {OPEN_GATE} AND x.state = 'waiting'")),
    Guard("gate_display_known", ON_GATE, f"UPDATE {ON_GATE} SET at = now() {WAITS}", off(ON_GATE, "gate_display_guard")),
    Guard("gate_display_guard", ON_GATE, f"{CONFIRM} '1' {WAITS}"),
    Guard("gate_display_guard", ON_GATE, f"UPDATE {ON_GATE} SET state = 'out', at = now(), reason = 'dark' {WAITS}"),
    Guard("gate_display_guard", ON_GATE, f"UPDATE {ON_GATE} SET state = 'waiting', at = NULL WHERE state = 'confirmed'"),
    Guard("gate_display_guard", ON_GATE, f"{CONFIRM} {SHOWN} {WAITS}",
          f"UPDATE {GATE} SET state = 'lapsed' WHERE state = 'open'"),
]  # fmt: skip
POINTED_AT = {
    "jackpot_of_house"
}  # only there to be pointed at by a key of two columns; its first column alone is unique


@pytest.fixture(scope="module")
def moments(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Moments]:
    with django_db_blocker.unblock(), module_database("moments") as name:
        yield Moments(name)


@pytest.fixture
def link(moments: Moments) -> Iterator[psycopg.Connection]:
    with controls.rolled_back(moments.database) as connected:
        yield connected


@each("guard", GUARDS)
def test_guard_refuses_and_without_it_the_harm_is_done(link, guard):
    if guard.nets:
        link.execute(guard.nets)
    assert refused(link, APP + guard.harm) == guard.name
    link.execute(guard.take_away)
    assert refused(link, APP + guard.harm) == ""


@each("table", [one._meta.db_table for one in MODELS if issubclass(one, AppendOnly)])
@each("change", controls.CHANGES.values())
def test_row_of_an_append_only_table_stays(link, table, change):
    controls.row_stays(link, table, change)


@each("table", TABLES)
def test_table_is_not_emptied(link, table):
    controls.not_emptied(link, table)


CLOCKS = {one._meta.db_table: one._meta.get_field(one.clock).column for one in MODELS if one.clock}


@each(("table", "column"), CLOCKS.items())
def test_row_is_dated_by_the_database(link, table, column):
    controls.dated_by_the_database(link, table, column)


@each(("table", "right"), controls.forbidden("jackpot"))
def test_app_role_lacks_the_right(link, table, right):
    controls.lacks_the_right(link, table, right)


def test_every_guard_has_a_control():
    """A new trigger, key or check without one fails here."""
    assert controls.without_control("jackpot", GUARDS, POINTED_AT) == set()
