"""`manage.py audit`: a table for people, JSON for programs, and a status for scripts."""

import json

import pytest
from django.core.management import call_command

from casino.ops.models import AuditRun
from payouts.audit import AUDITS, NOTICES
from tests.cast import make_house, stock_house
from tests.databases import superuser


@pytest.fixture
def books(own_database: str) -> None:
    stock_house(make_house())


@pytest.fixture
def broken(books: None) -> None:
    """Somebody who can switch the guards off raised an account's balance."""
    with superuser() as link:
        link.execute("ALTER TABLE payouts_account DISABLE TRIGGER account_guard")
        link.execute("UPDATE payouts_account SET balance_minor = balance_minor + 7 WHERE kind = 'tray'")


def test_sound_books_end_with_status_0(books: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit")
    written = capsys.readouterr().out
    for name in AUDITS:
        assert name in written
    assert written.endswith("No breach.\n")
    assert " in breach" not in written


def test_each_breach_is_named_with_its_rows(broken: None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        call_command("audit")
    assert left.value.code == 1
    written = capsys.readouterr().out
    assert written.splitlines()[-1] == "In breach: balances_equal_entries, guards_in_place."
    assert "balance_minor=4000007, entries_minor=4000000" in written
    assert "guard=payouts_account.account_guard" in written


def test_json_holds_the_same(broken: None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        call_command("audit", json=True)
    assert left.value.code == 1
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is False
    audits = {audit["name"]: audit for audit in document["audits"]}
    assert set(audits) >= set(AUDITS)
    assert [name for name, audit in audits.items() if not audit["ok"]] == ["balances_equal_entries", "guards_in_place"]
    [row] = audits["balances_equal_entries"]["breaches"]
    assert row["balance_minor"] - int(row["entries_minor"]) == 7
    assert all(isinstance(audit["seconds"], float) for audit in audits.values())


def test_json_of_sound_books(books: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit", json=True)
    assert json.loads(capsys.readouterr().out)["ok"] is True


def test_what_is_still_to_be_recorded_is_no_breach(
    books: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(NOTICES, "trays_lack_no_fill", "SELECT 'UTH 1' AS table, -500 AS balance_minor")
    call_command("audit")
    written = capsys.readouterr().out
    assert "1 to be recorded" in written
    assert "    table=UTH 1, balance_minor=-500" in written
    assert written.endswith("No breach.\n")
    call_command("audit", json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    notices = {one["name"]: one["breaches"] for one in told["notices"]}
    assert notices["trays_lack_no_fill"] == [{"table": "UTH 1", "balance_minor": -500}]


def test_command_stores_nothing(books: None) -> None:
    """Unless it is asked to: then it is a whole audit as the worker does one."""
    call_command("audit")
    assert not AuditRun.objects.exists()
    call_command("audit", store=True)
    assert AuditRun.objects.get().whole
