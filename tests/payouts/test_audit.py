"""The audits: quiet on sound books, and each finds and names the harm that it is for."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import OperationalError, connection, transaction
from pytest_django import DjangoDbBlocker

from payouts import audit
from payouts.audit import AUDITS, run_audits
from payouts.db import expected
from payouts.models import AppendOnly, Guarded, Transfer
from payouts.services import approval_request, transfer_reverse
from tests.cast import DAY, make_house, make_person, stock_house
from tests.databases import module_database, superuser

OFF = "SET session_replication_role = replica; "  # foreign keys and ordinary triggers off; ALWAYS triggers are disabled by name
MONEY = [model._meta.db_table for model in apps.get_models() if issubclass(model, AppendOnly | Guarded)]
FREE = "".join(f"ALTER TABLE {table} DISABLE TRIGGER USER; " for table in MONEY)
BACK = "".join(
    f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}; " for table, trigger in expected.triggers() if table in MONEY
)
ONE = "(SELECT min(id) FROM payouts_entry)"

# What is done to the books, by somebody who can switch every guard off, and which audits must name it.
HARMS = {
    f"UPDATE payouts_entry SET amount_minor = amount_minor + 1 WHERE id = {ONE}": {
        "entries_sum_to_zero_per_transfer",
        "entries_sum_to_zero_in_all",
        "balances_equal_entries",
        "balances_after_run_on",
        "entries_written_with_their_transfer",
        "append_only_tables_unchanged",
    },
    f"UPDATE payouts_entry SET note = 'changed' WHERE id = {ONE}": {
        "entries_written_with_their_transfer",
        "append_only_tables_unchanged",
    },
    "UPDATE payouts_account SET balance_minor = balance_minor + 1 WHERE kind = 'tray'": {"balances_equal_entries"},
    "UPDATE payouts_account SET balance_minor = balance_minor + 1 WHERE kind = 'circulation'": {
        "balances_equal_entries",
        "chips_outside_are_claims",
    },
    "UPDATE payouts_account SET version = version + 1 WHERE kind = 'tray'": {"versions_without_gap"},
    f"UPDATE payouts_entry SET balance_after_minor = 0 WHERE id = {ONE}": {
        "balances_after_run_on",
        "entries_written_with_their_transfer",
        "append_only_tables_unchanged",
    },
    "DELETE FROM payouts_entry WHERE transfer_id = (SELECT id FROM payouts_transfer WHERE kind = 'fill')": {
        "transfers_have_entries",
        "balances_equal_entries",
        "versions_without_gap",
        "balances_after_run_on",
        "append_only_tables_unchanged",
    },
    "INSERT INTO payouts_entry (house_id, transfer_id, account_id, amount_minor, account_version, balance_after_minor, note)"
    f" SELECT house_id, transfer_id, account_id, 5, 77, 5, '' FROM payouts_entry WHERE id = {ONE}": {
        "entries_sum_to_zero_per_transfer",
        "entries_sum_to_zero_in_all",
        "balances_equal_entries",
        "versions_without_gap",
        "balances_after_run_on",
        "entries_written_with_their_transfer",
    },
    "UPDATE payouts_account SET currency = 'EUR' WHERE kind = 'tray'": {"no_account_of_foreign_currency"},
    f"UPDATE payouts_entry SET house_id = gen_random_uuid() WHERE id = {ONE}": {
        "one_house_per_transfer",
        "entries_sum_to_zero_in_all",
        "entries_written_with_their_transfer",
        "append_only_tables_unchanged",
    },
    "UPDATE payouts_transfer SET reverses_id = (SELECT min(id) FROM payouts_transfer WHERE kind = 'fill') WHERE reverses_id"
    " IS NOT NULL": {
        "reversals_mirror_their_transfer",
        "entries_written_with_their_transfer",
        "append_only_tables_unchanged",
    },
    "INSERT INTO payouts_chipmove (house_id, gaming_day, kind, value_minor, pieces, from_place, to_place, transfer_id)"
    " SELECT house_id, gaming_day, 'issue', 100, 1, 'stock', 'vault', id FROM payouts_transfer"
    " WHERE kind = 'chips_in_service'": {"chips_are_issued"},
    "UPDATE payouts_account SET kind = 'award_receivable' WHERE kind = 'cage_chips'": {"circles_balance"},
    "UPDATE payouts_account SET side = 'any' WHERE kind = 'cage_cash'": {"accounts_are_of_the_chart"},
    "UPDATE payouts_account SET kind = 'petty_cash' WHERE kind = 'drop'": {"accounts_are_of_the_chart"},
    "UPDATE payouts_account SET detail_id = owner_id WHERE kind = 'tray'": {"accounts_are_of_the_chart"},
    "UPDATE payouts_approval SET state = 'used'": {"approvals_used_were_signed"},
    """UPDATE payouts_approval SET payload = payload || '{"lists": {"shares": {"sha256": "00"}}}'""": {
        "lists_are_what_was_signed"
    },
    "UPDATE payouts_commandkey SET answer = NULL": {"commands_are_answered"},
    "DELETE FROM payouts_event": {"append_only_tables_unchanged"},
}


@pytest.fixture(scope="module")
def books_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    with django_db_blocker.unblock(), module_database("books") as name:
        _write_books()
        yield name


@pytest.fixture
def books(books_once: str, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    with django_db_blocker.unblock(), module_database("books_copy", books_once) as name:
        yield name


def _write_books() -> None:
    from payouts.commands import run_once

    house = make_house()
    stock_house(house)
    run_once("a-key-of-a-command", b"f" * 32, lambda: {"done": True})
    with transaction.atomic():
        buy_in = Transfer.objects.get(kind="buy_in")
        transfer_reverse(house_id=house.pk, transfer_id=buy_in.pk, gaming_day=DAY, reason="counted twice")
        approval_request(
            house_id=house.pk,
            action="transfer.reverse",
            subject_kind="transfer",
            subject_id=1,
            payload={},
            requester_id=make_person("nora").pk,
        )


# The minute's go on from entry to entry: one of them names what all of an account's entries tell another.
CHAIN = {"balances_equal_entries", "versions_without_gap", "balances_after_run_on"}


def breached() -> dict[str, list[dict[str, object]]]:
    found = {result.name: result.breaches for result in run_audits() if result.breaches}
    new = {one.name for one in run_audits(low={}) if one.breaches}  # the minute's, while all is new
    assert ({*found} - CHAIN, bool({*found} & CHAIN)) == (new - CHAIN, bool(new & CHAIN))
    return found


def test_sound_books_pass_every_audit(books):
    results = run_audits()
    assert [result.name for result in results] == [
        *AUDITS,
        *audit.REGISTERED,
        *audit.COMPUTED,
        "guards_in_place",
        "rights_as_declared",
        "commits_are_durable",
    ]
    assert [row for result in results for row in result.breaches] == []
    assert all(result.seconds >= 0 for result in results)


@pytest.mark.parametrize(("harm", "found"), HARMS.items())
def test_audit_names_the_harm(books, harm, found):
    with superuser(books) as link:
        link.execute(FREE)
        with link.transaction():
            link.execute("SET LOCAL session_replication_role = replica")
            link.execute(harm)
        link.execute(BACK)
        link.execute("SELECT pg_stat_force_next_flush()")  # the statistics are otherwise written within a second
    rows = breached()
    assert set(rows) == found
    assert all(row for many in rows.values() for row in many)


def test_every_audit_was_seen_to_fail():
    assert set().union(*HARMS.values()) == set(AUDITS)


def test_missing_guard_and_needless_right_are_breaches(books):
    with superuser(books) as link:
        link.execute(
            "ALTER TABLE payouts_entry DISABLE TRIGGER append_only_row; GRANT DELETE ON payouts_event TO saalchef_app"
        )
    assert breached() == {
        "guards_in_place": [{"guard": "payouts_entry.append_only_row"}],
        "rights_as_declared": [{"guard": "payouts_event: DELETE"}],
    }


def test_audits_see_one_moment_and_write_nothing(books, django_assert_max_num_queries):
    with django_assert_max_num_queries(len(AUDITS) + len(audit.REGISTERED) + 14):
        run_audits()
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        assert cursor.fetchone() == ("off",)


def test_uncounted_changes_are_a_breach(books):
    """The statistics could not tell whether an append-only table was changed."""
    with superuser(books) as link:
        link.execute(f'ALTER DATABASE "{books}" SET track_counts = off')
    connection.close()
    assert set(breached()) == {"append_only_tables_unchanged"}


def test_commit_that_may_be_lost_is_a_breach(books):
    with superuser(books) as link:
        link.execute(f'ALTER DATABASE "{books}" SET synchronous_commit = off')
    connection.close()
    assert breached() == {"commits_are_durable": [{"guard": "synchronous_commit = off"}]}


def test_audits_have_their_own_time(books, monkeypatch):
    """Longer than a command may take, and no longer than the next run for a lock."""
    monkeypatch.setattr(audit, "REGISTERED", {})
    monkeypatch.setattr(audit, "AUDITS", {name: f"SELECT current_setting('{name}')" for name in TIMEOUTS})
    for low, times in ((None, TIMEOUTS), ({}, TIMEOUTS | {"statement_timeout": "1min"})):
        assert {one.name: one.breaches[0]["current_setting"] for one in run_audits(low=low) if one.breaches} == times
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
        assert cursor.fetchone() == ("30s", "5s")


TIMEOUTS = {"statement_timeout": "2h", "lock_timeout": "2s"}


def test_audits_do_not_wait_for_a_table_that_is_being_changed(books, monkeypatch):
    monkeypatch.setattr(audit, "LOCK_S", 0.01)
    with superuser(books) as link, link.transaction():
        link.execute("LOCK TABLE payouts_entry")
        with pytest.raises(OperationalError, match="lock timeout"):
            run_audits()


def test_breaches_are_cut_at_a_hundred_rows(books):
    with superuser(books) as link:
        link.execute(FREE)
        with link.transaction():
            link.execute("SET LOCAL session_replication_role = replica")
            link.execute(
                "INSERT INTO payouts_commandkey SELECT 'key-' || n, '\\x00', NULL, now() FROM generate_series(1, 250) n"
            )
        link.execute(BACK)
    assert [len(rows) for rows in breached().values()] == [100]
