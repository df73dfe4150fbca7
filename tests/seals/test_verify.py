"""`manage.py verify` as an auditor calls it: it says that all is well where it is, and names what is not."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from casino.ops.seals import seals_take
from tables.audit.replay import CHECKS
from tests.databases import superuser
from tests.seals.house import rows_of


def told(**options: object) -> str:
    """What it says in words about a house in which nothing was changed."""
    out = StringIO()
    call_command("verify", stdout=out, **options)
    assert out.getvalue().endswith("All is as it was.\n")
    return out.getvalue()


def verify(**options: object) -> tuple[dict[str, dict], bool]:
    """The checks by name, and whether the command ends well."""
    out = StringIO()
    try:
        call_command("verify", json=True, stdout=out, stderr=StringIO(), **options)
        ended_well = True
    except SystemExit as end:
        ended_well = end.code == 0
    said = json.loads(out.getvalue())
    assert said["ok"] is ended_well
    return {check["name"]: check for check in said["checks"]}, ended_well


@pytest.fixture
def kept(own_copy, settings, tmp_path):
    settings.SEAL_KEY_PATH = own_copy.key
    settings.SEAL_HEADS = str(tmp_path)
    seals_take()
    return own_copy


HARMS = {
    "rows_are_as_they_were_sealed": "UPDATE tables_roundline SET won_minor = won_minor + 1 WHERE id = 1",
    "rounds_settle_again_to_their_lines": "UPDATE tables_roundline SET won_minor = won_minor + 1 WHERE id = 1",
    "splits_come_out_again": "UPDATE jackpot_split SET carried_minor = 5, sum_minor = sum_minor + 5",
    "balances_equal_entries": "UPDATE payouts_account SET balance_minor = balance_minor - 1 WHERE kind = 'sub_meter'",
    "signatures_are_attested": "UPDATE payouts_approvalsignature SET mac = sha256(mac) WHERE id = 1",
    "seals_are_a_chain": "UPDATE payouts_seal SET signature = sha512(signature) WHERE number = 2",
    "no_row_was_slipped_in": "INSERT INTO payouts_event (id, at, name, subject_kind, subject_id, reason, request_id)"
    " OVERRIDING SYSTEM VALUE VALUES (-3, now(), 'x', '', '', '', '')",
}


def test_all_is_named_that_is_not_as_it_was_by_one_process_or_two(kept):
    checks, well = verify()
    assert well
    assert checks["rows_are_as_they_were_sealed"]["looked_at"] > 300
    assert checks["seals_are_a_chain"]["looked_at"] == 3
    assert checks["splits_come_out_again"]["looked_at"] == rows_of("jackpot_split")
    settled = rows_of("tables_round WHERE state <> 'withdrawn'")
    assert [checks[name]["looked_at"] for name in CHECKS] == [settled] * len(CHECKS)
    with superuser() as link:
        link.execute("SET session_replication_role = replica")
        for table in {harm.split()[1 if harm.startswith("UPDATE") else 2] for harm in HARMS.values()}:
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for harm in HARMS.values():
            assert link.execute(harm).rowcount
    one, _ = verify()
    two, well = verify(processes=2)
    assert not well
    assert one == two
    assert {name for name in HARMS if not two[name]["count"]} == set()
    line = {"table": "tables_roundline", "key": "1", "seal": 1, "what": "changed"}
    assert line in two["rows_are_as_they_were_sealed"]["breaches"]
    assert two["no_row_was_slipped_in"]["breaches"] == [
        {"table": "payouts_event", "key": "-3", "seal": None, "what": "added"}
    ]
    assert two["seals_are_a_chain"]["breaches"] == [{"seal": 2, "why": "its signature is wrong"}]


def test_it_is_told_in_words_and_with_keys_and_heads_of_ones_own(kept, settings, tmp_path):
    assert f"Heads kept elsewhere: 3 that are kept in {tmp_path} were compared, up to seal 3." in told()
    strange = tmp_path / "strange"
    strange.mkdir()
    checks, well = verify(keys=strange)
    assert not well
    assert {breach["why"][:36] for breach in checks["seals_are_a_chain"]["breaches"]} == {
        "was signed by a key that is not ours"
    }
    (strange / "heads.jsonl").write_text('{"seal": 9, "head": "aa"}\n{"seal": 1, "head": "bb"}\n')
    found = verify(heads=strange)[0]["seals_are_a_chain"]["breaches"]
    assert {"seal": 9, "why": "is missing"} in found
    assert {"seal": 1, "why": "is not the one whose head was kept elsewhere"} in found
    (strange / "heads.jsonl").write_text("not a line")
    with pytest.raises(CommandError, match="cannot be read"):
        verify(heads=strange)


def test_it_says_what_of_the_heads_it_could_compare_and_what_not(kept, settings, tmp_path):
    """Heads that went to a webhook alone are of no use to a verification here, and nobody is to think otherwise."""
    settings.SEAL_HEADS, settings.SEAL_WEBHOOK = "", "https://heads.example"
    said = told()
    assert "Heads kept elsewhere: no folder is named by SEAL_HEADS or --heads; nothing was compared." in said
    assert "Heads that were posted to the webhook cannot be read from here" in said
    said = told(heads=tmp_path)
    assert "were compared, up to seal 3." in said
    assert "cannot be read from here" in said
    (tmp_path / "none").mkdir()
    assert f"none is kept in {tmp_path / 'none'}; nothing was compared." in told(heads=tmp_path / "none")
    out = StringIO()
    call_command("verify", json=True, stdout=out)
    assert json.loads(out.getvalue())["anchors"] == {"heads_compared": 0, "webhook_unread": True}
