"""A house that runs an older version comes up to date whole: its books, its matrix, and every guard of today."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from payouts.audit import run_audits
from payouts.db.guards import missing_guards
from payouts.db.rights import needless_rights
from payouts.models import ApprovalRule, Event, House
from payouts.rules.approval import DEFAULT_MATRIX
from tests.databases import owner, superuser, use
from tests.servers import servers

NAME = "landed"
# The first version that houses ran: there was no floor, no jackpot and no device yet.
LANDED = {"payouts": "0005_approved_rules", "casino": "0002_heartbeats", "jackpot": None, "tables": None}
APPEND_ONLY = ("transfer", "entry", "approvalrule", "approvalsignature", "event")
GUARDED = ("house", "account", "approval", "commandkey", "postedtable")
# What that version's start put in place after its migrations.
DEFENDED = "".join(
    [f"SELECT make_append_only_v1('payouts_{table}');" for table in APPEND_ONLY]
    + [f"SELECT refuse_truncate_v1('payouts_{table}');" for table in GUARDED]
)
MATRIX = "INSERT INTO payouts_approvalrule (house_id, action, version, signers, roles, method, lifetime_s)"
LEDGER_POST = "SELECT ledger_post_v1(%s, %s, '2026-11-20', %s::jsonb, '{1,1}', %s, %s, NULL)"
HOUSE, PERSON = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
OTHER = "33333333-3333-4333-8333-333333333333"
ROWS = f"""
    INSERT INTO payouts_house (id, name, currency, locale, time_zone, gaming_day_change) VALUES
        ('{HOUSE}', 'Casino Bad Ragaz', 'CHF', 'de-CH', 'Europe/Zurich', '06:00'),
        ('{OTHER}', 'Casino Bregenz', 'EUR', 'de-AT', 'Europe/Vienna', '07:00');
    {MATRIX} SELECT id, 'transfer.reverse', 1, 1, '{{pit_boss,manager}}', 'pin', 3600 FROM payouts_house;
    {MATRIX} SELECT id, 'approval_rule.change', 1, 2, '{{manager,auditor}}', 'totp', 3600 FROM payouts_house;
    {MATRIX} SELECT id, 'posted_table.release', 1, 2, '{{technician,manager,auditor}}', 'totp', 86400 FROM payouts_house;
    {MATRIX} VALUES ('{OTHER}', 'transfer.reverse', 2, 2, '{{manager}}', 'totp', 600);
    INSERT INTO casino_person (password, id, username, full_name, roles, language, is_active, is_demo, sign_in_failures,
        sessions_void, pin, pin_failures, house_id)
    VALUES ('!', '{PERSON}', 'm.leitung', 'Maria Leitung', '{{manager}}', '', true, false, 0, 0, '', 0, '{HOUSE}');
    INSERT INTO payouts_account (house_id, currency, kind, owner_id, side) VALUES
        ('{HOUSE}', 'CHF', 'cage_cash', '{HOUSE}', 'debit'), ('{HOUSE}', 'CHF', 'house_capital', '{HOUSE}', 'credit');
    INSERT INTO payouts_postedtable (id, house_id, kind, name, version, data, data_hash, note, state, starts)
    VALUES (gen_random_uuid(), '{HOUSE}', 'hand_rules', 'Poker', 1, '{{}}', sha256('{{}}'), '', 'draft', 'day');
    INSERT INTO payouts_event (house_id, actor_id, name, subject_kind, subject_id, reason, request_id)
    VALUES ('{HOUSE}', '{PERSON}', 'house.created', 'house', '{HOUSE}', '', '');
"""


@pytest.fixture
def landed(django_db_setup: None, django_db_blocker: DjangoDbBlocker, settings) -> Iterator[None]:
    """A database as the first version left it, with a house in it that has moved money and taken a part of it back."""
    settings.DATABASE_OWNER_URL = servers.owner_url.replace("@/saalchef?", f"@/{NAME}?")
    with owner("postgres") as link:
        link.execute(f"CREATE DATABASE {NAME}")
    with django_db_blocker.unblock():
        try:
            _migrate_as_then()
            with owner(NAME) as link:
                link.execute(DEFENDED)
                link.execute(ROWS)
                accounts = [pk for (pk,) in link.execute("SELECT id FROM payouts_account ORDER BY id")]
                for amount, transfer in (
                    (100, '[{"key": "cast:one", "kind": "capital_in", "subject_kind": "", "reason": ""}]'),
                    (70, '[{"key": "cast:two", "kind": "capital_in", "subject_kind": "", "reason": ""}]'),
                    (
                        -70,
                        '[{"key": "three", "kind": "reversal", "subject_kind": "", "reason": "twice", "reverses": 2}]',
                    ),
                ):
                    link.execute(LEDGER_POST, [HOUSE, PERSON, transfer, accounts, [amount, -amount]])
            use(NAME)
            yield
        finally:
            use("tests")
            with superuser("postgres") as link:
                link.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def _migrate_as_then() -> None:
    """By the executor, as the owner: the command would end by putting in place what the code of today declares."""
    serving = connection.settings_dict
    connection.close()
    connection.settings_dict = serving | {"NAME": NAME, "USER": "saalchef_owner"}
    try:
        executor = MigrationExecutor(connection)
        others = [node for node in executor.loader.graph.leaf_nodes() if node[0] not in LANDED]
        executor.migrate([*((app, name) for app, name in LANDED.items() if name), *others])
    finally:
        connection.close()
        connection.settings_dict = serving


def test_house_of_the_first_version_comes_up_to_date_whole(landed: None) -> None:
    assert missing_guards() != []
    call_command("migrate", verbosity=0)
    assert missing_guards() == []
    assert needless_rights() == []
    assert [result for result in run_audits() if result.breaches] == []

    lines = {
        (str(rule.house_id), rule.action, rule.version): (
            rule.signers,
            tuple(rule.roles),
            rule.method,
            rule.lifetime_s,
        )
        for rule in ApprovalRule.objects.all()
    }
    defaults = {
        (house, action, 1): (need.signers, need.roles, need.method, need.lifetime_s)
        for house in (HOUSE, OTHER)
        for action, need in DEFAULT_MATRIX.items()
    }
    assert lines == defaults | {(OTHER, "transfer.reverse", 2): (2, ("manager",), "totp", 600)}, (
        "A new line of the matrix comes to houses that run by a migration that calls matrix_line_add_v1."
    )
    added = {action for _, action, _ in defaults} - {"transfer.reverse", "approval_rule.change", "posted_table.release"}
    events = Event.objects.filter(name="approval_rule.added", actor=None)
    assert sorted((str(event.house_id), event.after["action"]) for event in events) == sorted(
        (house, action) for house in (HOUSE, OTHER) for action in added
    )
    assert {event.subject_id for event in events} == {
        str(rule.pk) for rule in ApprovalRule.objects.filter(action__in=added)
    }
    assert House.objects.count() == 2
