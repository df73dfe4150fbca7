"""`manage.py rebuild`: what comes out is what stands; what somebody changed comes out otherwise, and is named."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from payouts.models import Account
from tests.databases import superuser
from tests.seals.house import rows_of

RUNNING = "payouts_account a JOIN jackpot_jackpot j ON j.epoch_id = a.detail_id"
SPOILED = f"(SELECT a.id FROM {RUNNING} WHERE a.kind = 'sub_meter' LIMIT 1)"


def rebuilt() -> dict[str, dict]:
    out = StringIO()
    try:
        call_command("rebuild", json=True, stdout=out)
    except SystemExit as end:
        assert end.code == 1
    said = json.loads(out.getvalue())
    assert said["ok"] is not any(table["different"] for table in said["tables"])
    return {table["name"]: table for table in said["tables"]}


def test_what_comes_out_is_what_stands_and_what_was_changed_is_named(own_copy):
    tables = rebuilt()
    assert {name: table["different"] for name, table in tables.items()} == {"account": [], "sub_meter": [], "meter": []}
    assert tables["account"]["rows"] == rows_of("payouts_account")
    assert tables["meter"]["rows"] == 1
    with superuser() as link:
        with link.transaction():
            link.execute("SET LOCAL session_replication_role = replica")
            link.execute("ALTER TABLE payouts_account DISABLE TRIGGER USER")
            [(account,)] = link.execute(f"SELECT {SPOILED}").fetchall()
            link.execute(f"UPDATE payouts_account SET balance_minor = balance_minor - 100 WHERE id = {account}")
            link.execute("UPDATE payouts_account SET version = version + 1 WHERE kind = 'cage_cash'")
        sums = link.execute("SELECT sum_minor, shown_minor, version FROM rebuilt.meter").fetchone()
    found = rebuilt()
    balance = Account.objects.get(pk=account).balance_minor
    wrong = {"account_id": str(account), "kind": "sub_meter", "rebuilt_minor": balance + 100, "stands_minor": balance}
    assert wrong in found["account"]["different"]
    assert [row["kind"] for row in found["account"]["different"] if "version" in row] == ["cage_cash"]
    assert found["sub_meter"]["different"] == [wrong | {"stands_minor": -balance, "rebuilt_minor": -balance - 100}]
    [meter] = found["meter"]["different"]
    assert meter["rebuilt"] == list(sums)
    assert meter["stands"] == [sums[0] + 100, sums[1] + 100, sums[2]]


def test_the_serving_role_gains_nothing_by_it(own_copy, settings):
    call_command("rebuild", stdout=StringIO())
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, has_schema_privilege('rebuilt', 'USAGE')")
        assert cursor.fetchone() == ("saalchef_app", False)
    settings.DATABASE_OWNER_URL = ""
    with pytest.raises(CommandError, match="DATABASE_OWNER_URL"):
        call_command("rebuild")
