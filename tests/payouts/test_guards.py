"""Control tests: each trigger, grant, constraint and unique key is taken away once, and the harm that it prevents is shown.

With the guard in place the harm is refused; without it the harm is done. A guard whose control does no harm would be a guard that
nothing needs, and a test that proves nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models.functions import Now
from pytest_django import DjangoDbBlocker

from casino.demo.rulesets import DEMO_TABLES
from casino.ops.models import AuditRun
from casino.people.models import Person
from payouts import services
from payouts.db import expected, guards, rights
from payouts.models import Account, AppendOnly, Approval, CommandKey, Entry, Guarded, House, Transfer
from payouts.rules.ledger.postings import Leg, Posting
from payouts.rules.rulesets.paytable import UTH_TRIPS
from payouts.selectors import gaming_day_at
from payouts.services.posted import release_payload
from tables.kinds import KINDS
from tests.cast import DAY, TABLE, make_house, make_person, stock_house
from tests.databases import module_database, owner, superuser
from tests.payouts.chip_guards import CHIP_GUARDS
from tests.turns import each

APP = "SET ROLE saalchef_app; "


@dataclass(frozen=True)
class Guard:
    """A guard: what refuses the harm (constraint name, or SQLSTATE for grants), how it is taken away, the harm in SQL."""

    name: str
    refused_by: str
    take_away: str
    harm: str


ENTRY = "INSERT INTO payouts_entry (house_id, transfer_id, account_id, amount_minor, account_version, balance_after_minor, note)"
TRANSFER = (
    "INSERT INTO payouts_transfer (house_id, key, kind, subject_kind, gaming_day, reason, posted_at, reverses_id)"
)
SIGN = "INSERT INTO payouts_approvalsignature (approval_id, signer_id, payload_hash, method, mac, signed_at)"
POST_TABLE = (
    "INSERT INTO payouts_postedtable (id, house_id, kind, name, version, data, data_hash, note, state, starts, in_force_from,"
    " created_at)"
)
UNPOSTED = "ALTER TABLE payouts_postedtable DISABLE TRIGGER posted_table_guard"
RULE = (
    "INSERT INTO payouts_approvalrule (house_id, action, version, signers, roles, method, lifetime_s)"
    " SELECT house_id, action, version + 1, {} FROM payouts_approvalrule LIMIT 1"
)
HOUSE = (
    "INSERT INTO payouts_house (id, name, currency, gaming_day_change, locale, time_zone)"
    " SELECT gen_random_uuid(), {}, locale, time_zone FROM payouts_house"
)
ANY_ENTRY = "SELECT house_id, transfer_id, account_id, {amount}, 99, 1, '' FROM payouts_entry ORDER BY id LIMIT 1"
# In a house that has locked, somebody else gave a person a password a moment ago.
ANEW = (
    "CREATE OR REPLACE FUNCTION house_has_locked_v1(p_house uuid) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT true';"
    " INSERT INTO payouts_event (name, subject_kind, subject_id, actor_id, reason, request_id)"
    " SELECT 'password.reset', 'person', p.id::text, o.id, '', '' FROM casino_person p, casino_person o"
    " WHERE p.username = '{}' AND o.username = '{}'; "
)
THIRD_SIGNS = (
    f"{SIGN} SELECT a.id, p.id, a.payload_hash, 'pin', sha256(''), now() FROM payouts_approval a, casino_person p"
    " WHERE a.state = 'open' AND a.method = 'pin' AND p.username = 'third'"
)

A_LIST = (
    "INSERT INTO payouts_approvallist (approval_id, name, text)"
    " SELECT min(id::text)::uuid, 'prizes', '[]' FROM payouts_approval"
)

# fmt: off
GUARDS = [
    Guard("row", "append_only", "ALTER TABLE payouts_entry DISABLE TRIGGER append_only_row",
          "UPDATE payouts_entry SET note = 'changed'"),
    Guard("delete from an append-only table", "append_only", "ALTER TABLE payouts_event DISABLE TRIGGER append_only_row",
          "DELETE FROM payouts_event"),
    Guard("truncate of an append-only table", "append_only", "ALTER TABLE payouts_entry DISABLE TRIGGER append_only_truncate",
          "TRUNCATE payouts_entry"),
    Guard("truncate of a guarded table", "append_only", "ALTER TABLE payouts_commandkey DISABLE TRIGGER append_only_truncate",
          "TRUNCATE payouts_commandkey"),
    Guard("ENABLE ALWAYS", "append_only", "ALTER TABLE payouts_entry ENABLE TRIGGER append_only_row",
          "SET session_replication_role = replica; UPDATE payouts_entry SET note = 'changed'"),
    Guard("sum of zero", "entries_sum_to_zero", "ALTER TABLE payouts_entry DISABLE TRIGGER entries_sum_to_zero",
          f"{ENTRY} {ANY_ENTRY.format(amount=7)}"),
    Guard("sum of zero under replication", "entries_sum_to_zero", "ALTER TABLE payouts_entry ENABLE TRIGGER entries_sum_to_zero",
          f"SET session_replication_role = replica; {ENTRY} {ANY_ENTRY.format(amount=7)}"),
    Guard("transfer with entries", "transfer_has_entries", "ALTER TABLE payouts_transfer DISABLE TRIGGER transfer_has_entries",
          f"{TRANSFER} SELECT house_id, 'empty', 'x', '', gaming_day, '', now(), NULL FROM payouts_transfer LIMIT 1"),
    Guard("balance moves by postings only", "account_guard", "ALTER TABLE payouts_account DISABLE TRIGGER account_guard",
          "UPDATE payouts_account SET balance_minor = balance_minor + 1 WHERE kind = 'circulation'"),
    Guard("account keeps its owner", "account_guard", "ALTER TABLE payouts_account DISABLE TRIGGER account_guard",
          "UPDATE payouts_account SET owner_id = gen_random_uuid(), version = version + 1"),
    Guard("account on its side", "account_on_its_side", "ALTER TABLE payouts_account DROP CONSTRAINT account_on_its_side",
          "UPDATE payouts_account SET balance_minor = -1, version = version + 1 WHERE kind = 'cage_cash'"),
    Guard("meter lowered by no more than it holds", "meter_bears_its_base",
          "ALTER TABLE payouts_account DISABLE TRIGGER meter_bears_its_base",
          "INSERT INTO payouts_account (house_id, currency, kind, owner_id, detail_id, side) SELECT id, currency, 'meter_base',"
          " id, id, 'any' FROM payouts_house LIMIT 1;"
          " UPDATE payouts_account SET balance_minor = 1, version = version + 1 WHERE kind = 'meter_base'"),
    Guard("no chips before a guest who has left", "stack_of_a_stay", "ALTER TABLE payouts_account DISABLE TRIGGER stack_of_a_stay",
          "SET LOCAL session_replication_role = replica; INSERT INTO tables_pokerstay (guest_id, house_id, left_at)"
          " SELECT id, id, now() FROM payouts_house LIMIT 1;"
          " INSERT INTO payouts_account (house_id, currency, kind, owner_id, detail_id, side) SELECT id, currency, 'stack',"
          " id, id, 'credit' FROM payouts_house WHERE id = (SELECT guest_id FROM tables_pokerstay);"
          " UPDATE payouts_account SET balance_minor = -1, version = version + 1 WHERE kind = 'stack'"),
    Guard("one account for one purpose", "account_once", "ALTER TABLE payouts_account DROP CONSTRAINT account_once",
          "INSERT INTO payouts_account (house_id, currency, kind, owner_id, side) SELECT house_id, currency, kind, owner_id, side"
          " FROM payouts_account"),
    Guard("account in its house's currency", "account_currency_of_house",
          "ALTER TABLE payouts_account DROP CONSTRAINT account_currency_of_house",
          "INSERT INTO payouts_account (house_id, currency, kind, owner_id, side) SELECT id, 'EUR', 'tray', id, 'debit'"
          " FROM payouts_house"),
    Guard("house with accounts keeps its currency", "account_currency_of_house",
          "ALTER TABLE payouts_account DROP CONSTRAINT account_currency_of_house", "UPDATE payouts_house SET currency = 'EUR'"),
    Guard("entry in its account's house", "entry_account_of_house",
          "ALTER TABLE payouts_entry DROP CONSTRAINT entry_account_of_house; ALTER TABLE payouts_entry DISABLE TRIGGER"
          " entries_sum_to_zero", f"{ENTRY} SELECT house_id, transfer_id, 10^9, 1, 1, 1, '' FROM payouts_entry LIMIT 1"),
    Guard("entry in its transfer's house", "entry_transfer_of_house",
          "ALTER TABLE payouts_entry DROP CONSTRAINT entry_transfer_of_house; ALTER TABLE payouts_entry DISABLE TRIGGER"
          " entries_sum_to_zero", f"{ENTRY} SELECT house_id, 10^9, account_id, 1, 99, 1, '' FROM payouts_entry LIMIT 1"),
    Guard("one entry per version", "entry_version_once",
          "DROP INDEX entry_version_once; ALTER TABLE payouts_entry DISABLE TRIGGER"
          " entries_sum_to_zero",
          f"{ENTRY} SELECT house_id, transfer_id, account_id, 1, account_version, 1, '' FROM payouts_entry"),
    Guard("no entry of zero", "entry_amount_sane", "ALTER TABLE payouts_entry DROP CONSTRAINT entry_amount_sane",
          f"{ENTRY} {ANY_ENTRY.format(amount=0)}"),
    Guard("the same thing is posted once", "transfer_key_once",
          "ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_key_once; ALTER TABLE payouts_transfer DISABLE TRIGGER"
          " transfer_has_entries", f"{TRANSFER} SELECT house_id, key, kind, '', gaming_day, '', now(), NULL FROM payouts_transfer"),
    Guard("a transfer is reversed once", "transfer_reverses_once",
          "ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_reverses_once; ALTER TABLE payouts_transfer DISABLE TRIGGER"
          " transfer_has_entries", f"{TRANSFER} SELECT house_id, 'r' || n, 'reversal', '', gaming_day, 'x', now(), id"
          " FROM payouts_transfer, generate_series(1, 2) n WHERE kind = 'fill'"),
    Guard("a reversal in its transfer's house", "transfer_reverses_of_house",
          "ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_reverses_of_house; ALTER TABLE payouts_transfer DISABLE TRIGGER"
          " transfer_has_entries", f"{TRANSFER} SELECT house_id, 'r', 'reversal', '', gaming_day, 'x', now(), 10^9"
          " FROM payouts_transfer LIMIT 1"),
    Guard("answer stays", "command_key_guard", "ALTER TABLE payouts_commandkey DISABLE TRIGGER command_key_guard",
          "UPDATE payouts_commandkey SET answer = '{}'"),
    Guard("answer stays for thirty days", "command_key_guard", "ALTER TABLE payouts_commandkey DISABLE TRIGGER command_key_guard",
          """UPDATE payouts_commandkey SET kept = false, answer = '{"forgotten": true}'"""),
    Guard("key stays", "command_key_guard", "ALTER TABLE payouts_commandkey DISABLE TRIGGER command_key_guard",
          "DELETE FROM payouts_commandkey"),
    Guard("no key without answer", "command_key_answered", "ALTER TABLE payouts_commandkey DISABLE TRIGGER command_key_answered",
          "INSERT INTO payouts_commandkey VALUES ('unanswered', '\\x00', NULL, now())"),
    Guard("a key is taken once", "payouts_commandkey_pkey",
          "ALTER TABLE payouts_commandkey DROP CONSTRAINT payouts_commandkey_pkey",
          "INSERT INTO payouts_commandkey SELECT key, '\\x01', '{}', now() FROM payouts_commandkey"),
    Guard("matrix changes by approval", "approval_rule_approved",
          "ALTER TABLE payouts_approvalrule DISABLE TRIGGER approval_rule_guard",
          f"{APP}INSERT INTO payouts_approvalrule (house_id, action, version, signers, roles, method, lifetime_s)"
          " SELECT house_id, action, version + 1, 1, roles, 'pin', 86400 FROM payouts_approvalrule LIMIT 1"),
    Guard("a requester does not sign", "signer_is_not_requester",
          "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER approval_signature_guard",
          f"{SIGN} SELECT id, requester_id, payload_hash, 'pin', sha256(''), now() FROM payouts_approval"
          " WHERE state = 'open' AND method = 'pin'"),
    Guard("who took part does not sign", "signer_is_not_excluded",
          "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER approval_signature_guard",
          f"{SIGN} SELECT id, excluded[1], payload_hash, 'pin', sha256(''), now() FROM payouts_approval"
          " WHERE state = 'open' AND method = 'pin'"),
    Guard("no signature for another payload", "signature_of_payload",
          "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER approval_signature_guard",
          f"{SIGN} SELECT a.id, p.id, '\\x00', 'pin', sha256(''), now() FROM payouts_approval a, casino_person p"
          " WHERE a.state = 'open' AND a.method = 'pin' AND p.username = 'third'"),
    Guard("no signature under a closed approval", "approval_is_open",
          "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER approval_signature_guard",
          f"{SIGN} SELECT a.id, p.id, a.payload_hash, 'pin', sha256(''), now() FROM payouts_approval a, casino_person p"
          " WHERE a.state = 'killed' AND p.username = 'third'"),
    Guard("a person signs once", "signer_once", "ALTER TABLE payouts_approvalsignature DROP CONSTRAINT signer_once",
          f"{SIGN} SELECT a.id, p.id, a.payload_hash, 'pin', sha256(''), now()"
          " FROM payouts_approval a, casino_person p, generate_series(1, 2)"
          " WHERE a.state = 'open' AND a.method = 'pin' AND p.username = 'third'"),
    Guard("what was asked for stays", "approval_guard", "ALTER TABLE payouts_approval DISABLE TRIGGER approval_guard",
          "UPDATE payouts_approval SET payload = '{}', state = 'killed' WHERE state = 'open'"),
    Guard("a closed approval stays closed", "approval_guard", "ALTER TABLE payouts_approval DISABLE TRIGGER approval_guard",
          "UPDATE payouts_approval SET state = 'open' WHERE state = 'killed'"),
    Guard("unsigned is not used", "approval_signed", "ALTER TABLE payouts_approval DISABLE TRIGGER approval_guard;"
          " ALTER TABLE payouts_approval DISABLE TRIGGER signers_stand",
          "UPDATE payouts_approval SET state = 'used' WHERE state = 'open' AND method = 'pin'"),
    Guard("who rests asks for nothing", "person_rests", "ALTER TABLE payouts_approval DISABLE TRIGGER person_rests",
          f"{ANEW.format('nora', 'third')}INSERT INTO payouts_approval SELECT (a).* FROM (SELECT jsonb_populate_record(p,"
          " jsonb_build_object('id', gen_random_uuid(), 'subject_id', 'another')) AS a FROM payouts_approval p"
          " WHERE state = 'open' AND method = 'pin') AS copied"),
    Guard("who rests signs nothing", "person_rests", "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER person_rests",
          f"{ANEW.format('third', 'dealer')}{THIRD_SIGNS}"),
    Guard("nobody signs for whom he made anew", "signer_made_requester",
          "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER person_rests",
          f"{ANEW.format('nora', 'third')}{THIRD_SIGNS}"),
    Guard("who rests says no to nothing", "person_rests", "ALTER TABLE payouts_event DISABLE TRIGGER rejector_rests",
          f"{ANEW.format('third', 'dealer')}INSERT INTO payouts_event (name, subject_kind, subject_id, actor_id, reason,"
          " request_id) SELECT 'approval.rejected', 'approval', a.id::text, p.id, '', '' FROM payouts_approval a,"
          " casino_person p WHERE a.state = 'open' AND a.method = 'pin' AND p.username = 'third'"),
    Guard("nobody sees his own sign-in", "credential_excludes",
          "ALTER TABLE payouts_approval DISABLE TRIGGER credential_excludes",
          "INSERT INTO payouts_approval SELECT (a).* FROM (SELECT jsonb_populate_record(p, jsonb_build_object('id',"
          " gen_random_uuid(), 'action', r.action, 'rule_id', r.id, 'signers', r.signers, 'roles', r.roles, 'method', r.method,"
          " 'subject_id', (SELECT id FROM casino_person WHERE username = 'nora'), 'excluded', ARRAY[]::uuid[])) AS a"
          " FROM payouts_approval p JOIN payouts_approvalrule r ON r.action = 'person.credential'"
          " AND r.house_id = p.house_id"
          " WHERE p.state = 'open' AND p.method = 'pin' LIMIT 1) AS copied"),
    Guard("a sign-in is seen by approval", "credential_seen", "ALTER TABLE payouts_event DISABLE TRIGGER credential_seen",
          "INSERT INTO payouts_event (name, subject_kind, subject_id, reason, request_id)"
          " SELECT 'sign_in.seen', 'person', id::text, '', '' FROM casino_person WHERE username = 'nora'"),
    Guard("who was barred does not count", "signers_stand", "ALTER TABLE payouts_approval DISABLE TRIGGER signers_stand",
          f"{THIRD_SIGNS}; UPDATE casino_person SET is_active = false WHERE username = 'third';"
          " UPDATE payouts_approval SET state = 'used' WHERE state = 'open' AND method = 'pin'"),
    Guard("nobody makes a signer alone", "sign_role_approved", "ALTER TABLE payouts_event DISABLE TRIGGER sign_role_approved",
          "UPDATE casino_person SET roles = '{manager}'; INSERT INTO payouts_event (name, subject_kind, subject_id, reason,"
          " request_id) SELECT 'person.activated', 'person', id::text, '', '' FROM casino_person WHERE username = 'nora'"),
    Guard("an approval begins open", "approval_begin", "ALTER TABLE payouts_approval DISABLE TRIGGER approval_begin",
          "INSERT INTO payouts_approval SELECT (a).* FROM (SELECT jsonb_populate_record(p, jsonb_build_object('id',"
          " gen_random_uuid(), 'state', 'used', 'signers', 0)) AS a FROM payouts_approval p LIMIT 1) AS copied"),
    Guard("a list that was not signed", "approval_list_signed",
          "ALTER TABLE payouts_approvallist DISABLE TRIGGER approval_list_signed", A_LIST),
    Guard("one list of a name", "approval_list_once", "ALTER TABLE payouts_approvallist DROP CONSTRAINT approval_list_once",
          f"ALTER TABLE payouts_approvallist DISABLE TRIGGER approval_list_signed; {A_LIST}; {A_LIST}"),
    Guard("a list that is signed is kept", "approval_lists_kept",
          "ALTER TABLE payouts_approval DISABLE TRIGGER approval_lists_kept",
          "INSERT INTO payouts_approval SELECT (a).* FROM (SELECT jsonb_populate_record(p, jsonb_build_object('id',"
          " gen_random_uuid(), 'subject_id', 'another', 'payload', '{\"lists\": {\"prizes\": {}}}'::jsonb)) AS a"
          " FROM payouts_approval p WHERE state = 'open' LIMIT 1) AS copied"),
    Guard("one request is open", "approval_one_open", "DROP INDEX approval_one_open",
          "INSERT INTO payouts_approval SELECT (a).* FROM (SELECT jsonb_populate_record(p, jsonb_build_object('id',"
          " gen_random_uuid())) AS a FROM payouts_approval p WHERE state = 'open' LIMIT 1) AS copied"),
    Guard("no signature before its approval", "signature_of_approval",
          "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER approval_signature_guard;"
          " ALTER TABLE payouts_approvalsignature DISABLE TRIGGER ALL",
          f"{SIGN} SELECT gen_random_uuid(), id, '\\x00', 'pin', sha256(''), now() FROM casino_person LIMIT 1"),
    Guard("no signature by another proof", "signature_by_method",
          "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER approval_signature_guard",
          f"{SIGN} SELECT a.id, p.id, a.payload_hash, 'totp', sha256(''), now() FROM payouts_approval a, casino_person p"
          " WHERE a.state = 'open' AND a.method = 'pin' AND p.username = 'third'"),
    Guard("no signature without the program's proof", "signature_is_attested",
          "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER approval_signature_guard",
          f"{SIGN} SELECT a.id, p.id, a.payload_hash, 'pin', NULL, now() FROM payouts_approval a, casino_person p"
          " WHERE a.state = 'open' AND a.method = 'pin' AND p.username = 'third'"),
    Guard("a code signs for one command", "code_signs_once",
          "ALTER TABLE payouts_approvalsignature DROP CONSTRAINT code_signs_once",
          """ALTER TABLE payouts_approvalsignature DISABLE TRIGGER USER; INSERT INTO payouts_approvalsignature
          (approval_id, signer_id, payload_hash, method, mac, step, ordinal, signed_at) SELECT a.id, p.id, a.payload_hash,
          'pin', sha256(''), 7, 0, now() FROM payouts_approval a, casino_person p WHERE p.username = 'third'"""),
    Guard("grant: temporary tables", "42501", "GRANT TEMPORARY ON DATABASE {database} TO saalchef_app",
          f"{APP}CREATE TEMPORARY TABLE payouts_entry (id int)"),
    Guard("a rule's version is one", "approval_rule_version",
          "ALTER TABLE payouts_approvalrule DROP CONSTRAINT approval_rule_version;"
          " ALTER TABLE payouts_approvalrule DISABLE TRIGGER approval_rule_guard",
          "INSERT INTO payouts_approvalrule (house_id, action, version, signers, roles, method, lifetime_s)"
          " SELECT house_id, action, version, signers, roles, method, lifetime_s FROM payouts_approvalrule"),
    Guard("a rule needs a signer", "approval_rule_signers",
          "ALTER TABLE payouts_approvalrule DROP CONSTRAINT approval_rule_signers",
          "INSERT INTO payouts_approvalrule (house_id, action, version, signers, roles, method, lifetime_s)"
          " SELECT house_id, action, version + 1, 0, roles, method, lifetime_s FROM payouts_approvalrule"),
    Guard("a rule asks for a proof that there is", "approval_rule_method",
          "ALTER TABLE payouts_approvalrule DROP CONSTRAINT approval_rule_method",
          RULE.format("signers, roles, 'sms', lifetime_s")),
    Guard("a rule's approvals run out", "approval_rule_lifetime",
          "ALTER TABLE payouts_approvalrule DROP CONSTRAINT approval_rule_lifetime",
          RULE.format("signers, roles, method, 31536000")),
    Guard("a rule names who signs", "approval_rule_roles",
          "ALTER TABLE payouts_approvalrule DROP CONSTRAINT approval_rule_roles",
          RULE.format("signers, '{}'::varchar[], method, lifetime_s")),
    Guard("states of an approval are known", "approval_state_known",
          "ALTER TABLE payouts_approval DROP CONSTRAINT approval_state_known",
          "ALTER TABLE payouts_approval DISABLE TRIGGER approval_guard; UPDATE payouts_approval SET state = 'maybe'"),
    Guard("a transfer in a house that there is", "transfer_of_known_house",
          "ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_of_known_house; ALTER TABLE payouts_transfer DISABLE TRIGGER"
          " transfer_has_entries",
          f"{TRANSFER} SELECT gen_random_uuid(), 'nowhere', kind, '', gaming_day, '', now(), NULL FROM payouts_transfer LIMIT 1"),
    Guard("a house has a name of its own", "payouts_house_name_key",
          "ALTER TABLE payouts_house DROP CONSTRAINT payouts_house_name_key", HOUSE.format("name, currency, '06:00'")),
    Guard("a currency is one", "house_currency_iso", "ALTER TABLE payouts_house DROP CONSTRAINT house_currency_iso",
          HOUSE.format("'Second', 'A1B', '06:00'")),
    Guard("no gaming day ends while a house plays", "house_gaming_day_change",
          "ALTER TABLE payouts_house DROP CONSTRAINT house_gaming_day_change",
          HOUSE.format("'Second', currency, '21:00'")),
    Guard("a gaming day changes on the minute", "house_gaming_day_change",
          "ALTER TABLE payouts_house DROP CONSTRAINT house_gaming_day_change",
          HOUSE.format("'Second', currency, '06:00:30'")),
    Guard("a version begins as a draft", "posted_table_guard", UNPOSTED,
          f"{POST_TABLE} SELECT gen_random_uuid(), house_id, kind, 'forged', 1, data, data_hash, '', 'approved', starts,"
          " in_force_from, now() FROM payouts_postedtable WHERE state = 'approved' LIMIT 1"),
    Guard("what was requested stays", "posted_table_guard", UNPOSTED,
          "UPDATE payouts_postedtable SET data = '{}' WHERE state = 'requested'"),
    Guard("an approved version stays", "posted_table_guard", UNPOSTED,
          "UPDATE payouts_postedtable SET in_force_from = in_force_from - 30 WHERE state = 'approved'"),
    Guard("no version goes", "posted_table_guard", UNPOSTED, "DELETE FROM payouts_postedtable WHERE state = 'draft'"),
    Guard("no version without its approval", "posted_table_approved", UNPOSTED,
          "UPDATE payouts_postedtable SET state = 'approved' WHERE name = 'unsigned'"),
    Guard("no version in the past", "posted_table_in_time", UNPOSTED,
          "UPDATE payouts_postedtable SET state = 'approved' WHERE name = 'late'"),
    Guard("a version is one", "posted_version_once", "ALTER TABLE payouts_postedtable DROP CONSTRAINT posted_version_once",
          f"{POST_TABLE} SELECT gen_random_uuid(), house_id, kind, name, version, data, data_hash, '', 'draft', starts, NULL,"
          " now() FROM payouts_postedtable WHERE state = 'approved' LIMIT 1"),
    Guard("two versions do not begin together", "posted_start_once", "DROP INDEX posted_start_once",
          f"{UNPOSTED}; {POST_TABLE} SELECT gen_random_uuid(), house_id, kind, name, 9, data, data_hash, '', 'approved', starts,"
          " in_force_from, now() FROM payouts_postedtable WHERE state = 'approved' AND starts = 'day' LIMIT 1"),
    Guard("states of a version are known", "posted_state_known",
          "ALTER TABLE payouts_postedtable DROP CONSTRAINT posted_state_known",
          f"{UNPOSTED}; UPDATE payouts_postedtable SET state = 'maybe'"),
    Guard("a version says from when it counts", "posted_start_stated",
          "ALTER TABLE payouts_postedtable DROP CONSTRAINT posted_start_stated",
          f"{UNPOSTED}; UPDATE payouts_postedtable SET in_force_from = NULL"),
    Guard("demo people stay demo people", "person_guard", "ALTER TABLE casino_person DISABLE TRIGGER person_guard",
          f"{APP}UPDATE casino_person SET is_demo = NOT is_demo"),
    Guard("a person keeps his number", "person_guard", "ALTER TABLE casino_person DISABLE TRIGGER person_guard",
          f"{APP}UPDATE casino_person SET id = gen_random_uuid() WHERE username = 'third'"),
    Guard("demo people stay demo under replication", "person_guard", "ALTER TABLE casino_person ENABLE TRIGGER person_guard",
          "SET session_replication_role = replica; UPDATE casino_person SET is_demo = NOT is_demo"),
    Guard("what an audit found stays", "audit_run_guard", "ALTER TABLE casino_auditrun DISABLE TRIGGER audit_run_guard",
          f"{APP}DELETE FROM casino_auditrun WHERE NOT ok"),
    Guard("a sound audit stays for a week", "audit_run_guard", "ALTER TABLE casino_auditrun DISABLE TRIGGER audit_run_guard",
          f"{APP}DELETE FROM casino_auditrun WHERE ok"),
    Guard("an audit is not rewritten", "audit_run_guard", "ALTER TABLE casino_auditrun DISABLE TRIGGER audit_run_guard",
          "UPDATE casino_auditrun SET ok = true, breaches = '[]'"),
    Guard("grant: audits are not rewritten", "42501", "GRANT UPDATE ON casino_auditrun TO saalchef_app;"
          " ALTER TABLE casino_auditrun DISABLE TRIGGER audit_run_guard", f"{APP}UPDATE casino_auditrun SET seconds = 0"),
    Guard("grant: columns", "42501", "GRANT UPDATE (note) ON payouts_entry TO saalchef_app;"
          " ALTER TABLE payouts_entry DISABLE TRIGGER append_only_row", f"{APP}UPDATE payouts_entry SET note = 'changed'"),
    Guard("grant: own triggers", "42501", "GRANT TRIGGER ON payouts_event TO saalchef_app",
          f"{APP}CREATE TRIGGER zzz BEFORE INSERT ON payouts_event FOR EACH ROW EXECUTE FUNCTION refuse_change_v1()"),
    Guard("grant: numbers of rows", "42501", "GRANT UPDATE ON SEQUENCE payouts_entry_id_seq TO saalchef_app",
          f"{APP}SELECT setval('payouts_entry_id_seq', 1)"),
    Guard("grant: versions", "42501", f"GRANT DELETE ON payouts_postedtable TO saalchef_app; {UNPOSTED}",
          f"{APP}DELETE FROM payouts_postedtable"),
    Guard("grant: entries", "42501", "GRANT INSERT ON payouts_entry TO saalchef_app; ALTER TABLE payouts_entry DISABLE TRIGGER"
          " entries_sum_to_zero", f"{APP}{ENTRY} {ANY_ENTRY.format(amount=7)}"),
    Guard("grant: update of entries", "42501", "GRANT UPDATE ON payouts_entry TO saalchef_app;"
          " ALTER TABLE payouts_entry DISABLE TRIGGER append_only_row", f"{APP}UPDATE payouts_entry SET amount_minor = 1"),
    Guard("grant: truncate of entries", "42501", "GRANT TRUNCATE ON payouts_entry TO saalchef_app;"
          " ALTER TABLE payouts_entry DISABLE TRIGGER append_only_truncate", f"{APP}TRUNCATE payouts_entry"),
    Guard("grant: balances", "42501", "GRANT UPDATE ON payouts_account TO saalchef_app",
          f"{APP}UPDATE payouts_account SET balance_minor = 0, version = version + 1"),
    Guard("grant: an account starts empty", "42501", "GRANT INSERT ON payouts_account TO saalchef_app",
          f"{APP}INSERT INTO payouts_account (house_id, currency, kind, owner_id, side, balance_minor)"
          " SELECT id, currency, 'tray', gen_random_uuid(), 'debit', 5 FROM payouts_house"),
    Guard("grant: events", "42501", "GRANT DELETE ON payouts_event TO saalchef_app;"
          " ALTER TABLE payouts_event DISABLE TRIGGER append_only_row", f"{APP}DELETE FROM payouts_event"),
    Guard("grant: command keys", "42501", "GRANT INSERT ON payouts_commandkey TO saalchef_app",
          f"{APP}INSERT INTO payouts_commandkey VALUES ('forged', '\\x00', '{{}}', now())"),
    Guard("grant: tables", "42501", "GRANT CREATE ON SCHEMA public TO saalchef_app", f"{APP}CREATE TABLE second_book (id int)"),
    Guard("grant: triggers belong to the owner", "42501", "ALTER TABLE payouts_entry OWNER TO saalchef_app",
          f"{APP}ALTER TABLE payouts_entry DISABLE TRIGGER append_only_row"),
    *(Guard(*guard) for guard in CHIP_GUARDS),
]
# fmt: on


@pytest.fixture(scope="module")
def books_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    with django_db_blocker.unblock(), module_database("books") as name:
        _write_books()
        yield name


@pytest.fixture
def books(books_once: str, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Books with something in all of them: a copy for the test alone."""
    with django_db_blocker.unblock(), module_database("books_copy", books_once) as name:
        yield name


def _write_books() -> None:
    from payouts.commands import run_once
    from payouts.services import approval_kill, approval_request

    house = make_house()
    stock_house(house)
    requester, dealer, _third = make_person("nora"), make_person("dealer", "croupier"), make_person("third")
    run_once("a-key-of-a-command", b"f" * 32, lambda: {"done": True})
    with transaction.atomic():
        values = {
            "house_id": house.pk,
            "action": "transfer.reverse",
            "subject_kind": "transfer",
            "payload": {"transfer": 1},
        }
        approval_request(**values, subject_id=1, requester_id=requester.pk)
        approval_kill(house_id=house.pk, subject_kind="transfer", subject_id=1, reason="changed")
        approval_request(**values, subject_id=2, requester_id=requester.pk, excluded=[dealer.pk])
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])
    AuditRun.objects.create(seconds=1, ok=False, breaches=[{"audit": "a", "rows": [{}]}])
    post_tables(house, requester, dealer)


def post_tables(house: House, requester: Person, drafter: Person) -> None:
    """A version in each state that a guard watches: approved, draft, requested, and signed for a day that is over."""
    draft = {"house_id": house.pk, "kind": KINDS["trips"], "data": UTH_TRIPS.to_data(), "actor_id": drafter.pk}
    with transaction.atomic():
        services.posted_tables_seed(house_id=house.pk, tables=DEMO_TABLES)
    today = gaming_day_at(house_id=house.pk)
    with transaction.atomic():
        services.posted_table_draft(**draft, name="draft")
        unsigned = services.posted_table_draft(**draft, name="unsigned")
        services.posted_table_request(
            table_id=unsigned.pk, kind=KINDS["trips"], in_force_from=today, actor_id=requester.pk
        )
        late = services.posted_table_draft(**draft, name="late")
        late.in_force_from = today - timedelta(days=1)
        late.approval = services.approval_request(
            house_id=house.pk,
            action="posted_table.release",
            subject_kind="posted_table",
            subject_id=late.pk,
            payload=release_payload(late),
        )
        late.state = "requested"
        late.save()
        for number in (1, 2):
            signer = make_person(f"signer{number}", "manager")
            values = {"house_id": house.pk, "signer_id": signer.pk, "signer_roles": signer.roles, "method": "totp"}
            services.approval_sign(approval_id=late.approval_id, payload_hash=late.approval.payload_hash, **values)
        services.approval_use(
            approval_id=late.approval_id,
            house_id=house.pk,
            action="posted_table.release",
            subject_kind="posted_table",
            subject_id=late.pk,
            payload=release_payload(late),
        )


def attempt(database: str, harm: str) -> psycopg.Error | None:
    """Do the harm as superuser (or in the role that the harm takes) in one transaction; give the error that refused it."""
    with superuser(database) as link:
        try:
            with link.transaction():
                link.execute(harm)
        except psycopg.Error as error:
            return error
    return None


@pytest.mark.parametrize("guard", GUARDS)
def test_guard_refuses_and_without_it_the_harm_is_done(books: str, guard: Guard) -> None:
    refused = attempt(books, guard.harm)
    assert refused is not None
    assert guard.refused_by in (refused.diag.constraint_name, refused.sqlstate), refused
    with superuser(books) as link:
        link.execute(guard.take_away.replace("{database}", books))
    assert attempt(books, guard.harm) is None


def test_every_trigger_and_constraint_of_the_books_has_a_control(books: str) -> None:
    """A new guard without a control fails here."""
    taken_away = set(" ".join(guard.take_away for guard in GUARDS).replace(";", " ").split())
    with owner(books) as link:
        rows = link.execute(
            "SELECT conname FROM pg_constraint WHERE contype IN ('c', 'u', 'f') AND condeferrable = false"
            " AND conrelid::regclass::text ~ '^payouts_(account|entry|transfer|approval|command|event|house|posted)'"
        ).fetchall()
    named = {name for (name,) in rows if not name.endswith("_check")}  # those are Django's own: positive numbers
    plain = {
        *("account_of_house", "transfer_of_house", "house_currency"),  # what foreign keys by pairs refer to
        "account_side_known",  # an unknown side is on no side: `account_on_its_side` refuses it first
    }
    assert {name for name in named if name not in taken_away} == plain & named
    triggers = {
        trigger
        for table, trigger in expected.triggers()
        if table.startswith(("payouts_", "casino_person", "casino_audit"))
        and not table.startswith("payouts_count")  # tests/tables/test_count_guards.py
    }
    assert triggers - taken_away == {
        "stamp",
        "award_excludes",
        "authors_excluded",
        "credential_reset",
    }  # refuses nothing: see below; tests/jackpot/test_guards.py, tests/casino/people/test_credentials.py


def test_guards_are_read_back_and_a_missing_one_is_named(books: str) -> None:
    assert guards.missing_guards() == []
    assert rights.needless_rights() == []
    with superuser(books) as link:
        link.execute("ALTER TABLE payouts_entry DISABLE TRIGGER append_only_row")
        link.execute("ALTER TABLE payouts_event ENABLE TRIGGER append_only_truncate")
        link.execute("DROP TRIGGER account_guard ON payouts_account")
        link.execute("GRANT UPDATE ON payouts_entry TO saalchef_app")
    assert guards.missing_guards() == [
        "payouts_account.account_guard",
        "payouts_entry.append_only_row",
        "payouts_event.append_only_truncate",
    ]
    assert rights.needless_rights() == ["payouts_entry: UPDATE"]


def forged(database: str, insert: str, when: str) -> timedelta:
    """How far from now the row lies that the app role writes for a time of its own choice."""
    with superuser(database) as link, link.transaction(force_rollback=True):
        link.execute(f"{APP}{insert}")
        return link.execute(f"SELECT clock_timestamp() - {when}").fetchone()[0]


@each(
    ("table", "column", "insert"),
    [
        (
            "payouts_event",
            "at",
            (
                "INSERT INTO payouts_event (name, subject_kind, subject_id, reason, request_id, at)"
                " VALUES ('forged', '', '', '', '', '2001-01-01')"
            ),
        ),
        (
            "payouts_house",
            "created_at",
            (
                "INSERT INTO payouts_house (id, name, currency, locale, time_zone, gaming_day_change, created_at)"
                " VALUES (gen_random_uuid(), 'Forged', 'CHF', '', 'UTC', '06:00', '2001-01-01')"
            ),
        ),
        (
            "casino_auditrun",
            "at",
            "INSERT INTO casino_auditrun (at, seconds, ok, breaches) VALUES ('2001-01-01', 1, true, '[]')",
        ),
    ],
)
def test_when_it_was_written_is_the_databases_word(books: str, table: str, column: str, insert: str) -> None:
    newest = f"(SELECT {column} FROM {table} WHERE ctid = (SELECT max(ctid) FROM {table}))"
    assert timedelta(0) <= forged(books, insert, newest) < timedelta(seconds=10)
    with superuser(books) as link:
        link.execute(f"ALTER TABLE {table} DISABLE TRIGGER stamp")
    assert forged(books, insert, newest) > timedelta(days=9000)


def test_every_row_that_the_app_role_adds_is_dated_by_the_database() -> None:
    """In money tables: by `stamp`, or by the table's own guard."""
    files, undated = expected.in_files(), []
    models: list[Any] = apps.get_models()
    for model in models:
        own = [text for (table, _), text in files.triggers.items() if table == model._meta.db_table]
        bodies = [
            function.body for name, function in files.functions.items() if any(f"{name}()" in text for text in own)
        ]
        dated = issubclass(model, AppendOnly) or (
            model._meta.app_label in ("payouts", "casino") and issubclass(model, Guarded)
        )
        for column in model._meta.local_concrete_fields if dated and "INSERT" in model.app_may else ():
            by_guard = any(f"NEW.{column.column} :=" in body for body in bodies)
            if isinstance(column.db_default, Now) and column.name != model.clock and not by_guard:
                undated.append(f"{model.__name__}.{column.name}")
    assert undated == []


UNKNOWN_ACTOR = (
    "INSERT INTO payouts_event (name, actor_id, subject_kind, subject_id, reason, request_id)"
    " VALUES ('forged', gen_random_uuid(), '', '', '', '')"
)


def test_reference_to_nobody_is_refused_at_once(books: str) -> None:
    """While the command still runs and can say so, not at its commit."""
    with superuser(books) as link:
        with pytest.raises(psycopg.errors.ForeignKeyViolation) as refused, link.transaction():
            link.execute(UNKNOWN_ACTOR)
            pytest.fail("was taken")
        assert refused.value.diag.constraint_name == "payouts_event_actor_id_fkey"
        link.execute(
            "ALTER TABLE payouts_event ALTER CONSTRAINT payouts_event_actor_id_fkey DEFERRABLE INITIALLY DEFERRED"
        )
        with pytest.raises(psycopg.errors.ForeignKeyViolation), link.transaction():
            link.execute(UNKNOWN_ACTOR)
            reached = True
        assert reached


def test_old_sound_audits_may_go(books: str) -> None:
    with superuser(books) as link:
        link.execute("ALTER TABLE casino_auditrun DISABLE TRIGGER audit_run_guard")
        link.execute("UPDATE casino_auditrun SET at = now() - interval '8 days'")
        link.execute("ALTER TABLE casino_auditrun ENABLE ALWAYS TRIGGER audit_run_guard")
    assert attempt(books, f"{APP}DELETE FROM casino_auditrun WHERE ok") is None
    refused = attempt(books, f"{APP}DELETE FROM casino_auditrun")
    assert refused is not None
    assert refused.diag.constraint_name == "audit_run_guard"


def test_expired_approval_is_refused_by_the_database(books: str) -> None:
    """The clock is the database's: the approval is made one that has expired, and then neither signed nor used."""
    with superuser(books) as link:
        link.execute("ALTER TABLE payouts_approval DISABLE TRIGGER approval_guard")
        link.execute("UPDATE payouts_approval SET expires_at = now() - interval '1 second' WHERE state = 'open'")
        link.execute("ALTER TABLE payouts_approval ENABLE ALWAYS TRIGGER approval_guard")
    sign = f"{SIGN} SELECT a.id, p.id, a.payload_hash, 'pin', sha256(''), now() FROM payouts_approval a, casino_person p WHERE"
    refused = attempt(books, f"{sign} a.state = 'open' AND a.method = 'pin' AND p.username = 'third'")
    assert refused is not None
    assert refused.diag.constraint_name == "approval_is_open"
    refused = attempt(books, "UPDATE payouts_approval SET state = 'used' WHERE state = 'open'")
    assert refused is not None
    assert refused.diag.constraint_name == "approval_in_time"


def test_app_role_owns_nothing_and_reads_everything(books: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, count(*) FROM pg_tables WHERE tableowner = current_user GROUP BY 1")
        assert cursor.fetchall() == []
    for model in (Account, Approval, CommandKey, Entry, Transfer):
        assert model.objects.exists()


# The locks --------------------------------------------------------------------------------------------------------------------


def _weakened(database: str, change: Callable[[str], str]) -> None:
    """Replace ledger_post_v1 by a version that lacks something."""
    with superuser(database) as link:
        (source,) = link.execute("SELECT pg_get_functiondef('ledger_post_v1'::regproc)").fetchone()
        weaker = change(source)
        assert weaker != source
        link.execute(weaker)


POST = (
    "SELECT ledger_post_v1(%s, NULL, %s, jsonb_build_array(jsonb_build_object('key', %s::text, 'kind', 'x', 'subject_kind', '',"
    " 'reason', '')), '{1,1}', %s::bigint[], '{5,-5}', NULL)"
)


def _two_posters(database: str, first: list[int], second: list[int]) -> list[str]:
    """Two transactions post on the same accounts, the second while the first is open; give the SQLSTATEs of what failed."""
    import threading

    house = Account.objects.values_list("house_id", flat=True).first()
    failed: list[str] = []
    with superuser(database) as one, superuser(database) as two:
        pid = two.info.backend_pid

        def late() -> None:
            try:
                with two.transaction():
                    two.execute(POST, [house, DAY, "late", second])
            except psycopg.Error as error:
                failed.append(error.sqlstate)

        thread = threading.Thread(target=late)
        with one.transaction():
            one.execute(POST, [house, DAY, "early", first])
            thread.start()
            _wait_until_blocked(database, pid)
        thread.join(60)
    assert not thread.is_alive()
    return failed


def _wait_until_blocked(database: str, pid: int) -> None:
    import time

    deadline = time.monotonic() + 60
    with superuser(database) as watcher:
        while not watcher.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [pid]).fetchone()[0]:
            assert time.monotonic() < deadline, "the second transaction never waited"


def test_account_lock_lets_the_second_posting_see_the_first(books: str) -> None:
    accounts = list(
        Account.objects.filter(kind__in=["circulation", "table_win", "chips_outside"]).values_list("id", flat=True)
    )[:2]
    assert _two_posters(books, accounts, accounts) == []
    _weakened(books, lambda source: source.replace("ORDER BY id FOR NO KEY UPDATE", "ORDER BY id"))
    assert _two_posters_again(books, accounts) == ["23505"]  # it read a stale version; entry_version_once catches it


def _two_posters_again(database: str, accounts: list[int]) -> list[str]:
    with superuser(database) as link:
        link.execute("ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_key_once")
    return _two_posters(database, accounts, accounts)


def _crossing(database: str, batches: int = 40) -> set[str]:
    """Two connections post back and forth between the same two accounts; give the SQLSTATEs of what failed."""
    import threading

    house = Account.objects.values_list("house_id", flat=True).first()
    pair = list(
        Account.objects.filter(kind__in=["circulation", "chips_outside"]).order_by("id").values_list("id", flat=True)
    )
    failed: set[str] = set()
    start = threading.Barrier(2)

    def poster(accounts: list[int], name: str) -> None:
        with superuser(database) as link:
            link.execute("SET deadlock_timeout = '20ms'")
            start.wait(60)
            for number in range(batches):
                try:
                    with link.transaction():
                        link.execute(POST, [house, DAY, f"{name}{number}", accounts])
                except psycopg.Error as error:
                    failed.add(error.sqlstate)

    threads = [
        threading.Thread(target=poster, args=(pair, "there")),
        threading.Thread(target=poster, args=(pair[::-1], "back")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return failed


def test_lock_order_keeps_opposite_postings_from_deadlock(books: str) -> None:
    assert _crossing(books) == set()
    # Without the order each locks its accounts as they come: the first leg's account first. A pause between the two makes sure
    # that both hold one when they ask for the other.
    _weakened(
        books,
        lambda source: source.replace(
            "PERFORM FROM public.payouts_account WHERE id = ANY (p_leg_accounts) AND house_id = p_house ORDER BY id"
            " FOR NO KEY UPDATE;",
            "PERFORM FROM payouts_account WHERE id = p_leg_accounts[1] FOR NO KEY UPDATE; PERFORM pg_sleep(0.05);"
            " PERFORM FROM payouts_account WHERE id = ANY (p_leg_accounts) FOR NO KEY UPDATE;",
        ),
    )
    with superuser(books) as link:
        link.execute("ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_key_once")
    assert _crossing(books, batches=5) == {"40P01"}


def test_posting_carries_its_legs_in_the_order_given(books: str) -> None:
    from payouts.services import transfer_post

    house = Account.objects.first().house_id
    accounts = list(Account.objects.filter(owner_id=TABLE, side="any").values_list("id", flat=True))[:2]
    legs = [Leg(accounts[1], 3, "one"), Leg(accounts[0], -5, "two"), Leg(accounts[1], 2, "three")]
    with transaction.atomic():
        transfer_id = transfer_post(house_id=house, gaming_day=DAY, posting=Posting(str(uuid4()), "x", legs))
    assert list(Entry.objects.filter(transfer_id=transfer_id).order_by("id").values_list("note", flat=True)) == [
        "one",
        "two",
        "three",
    ]
