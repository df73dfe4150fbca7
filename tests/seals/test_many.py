"""More is wrong than is shown: the count is exact, what is held stays small, and a file names every row."""

import json
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from casino.ops import verify
from payouts import audit, findings
from tests.databases import superuser
from tests.seals.house import Sealed, rows_of
from tests.seals.test_verify import verify as verified

HARMS = (
    "UPDATE tables_roundline SET won_minor = won_minor + 1",  # sealed rows, and rounds that settle otherwise
    "UPDATE payouts_account SET version = version + 1",  # an audit
    "UPDATE jackpot_split SET carried_minor = 5, sum_minor = sum_minor + 5",
)
KEPT = 2


@pytest.fixture
def spoiled(own_copy: Sealed, settings, tmp_path: Path, monkeypatch) -> Sealed:
    settings.SEAL_KEY_PATH, settings.SEAL_HEADS = own_copy.key, str(tmp_path)
    monkeypatch.setattr(findings, "KEPT", KEPT)
    monkeypatch.setattr(verify, "KEPT", KEPT)
    monkeypatch.setattr(findings, "PORTION", 200)
    monkeypatch.setattr(audit, "ROWS_MAX", KEPT)
    monkeypatch.setattr(audit, "BATCH", 3)
    monkeypatch.setattr(verify, "SEALS_A_JOB", 1)
    with superuser() as link:
        link.execute("SET session_replication_role = replica")
        for harm in HARMS:
            link.execute(f"ALTER TABLE {harm.split()[1]} DISABLE TRIGGER USER")
            link.execute(harm)
        for slipped in range(1, 5):
            link.execute(
                "INSERT INTO payouts_event (id, at, name, subject_kind, subject_id, reason, request_id)"
                f" OVERRIDING SYSTEM VALUE VALUES (-{slipped}, now(), 'x', '', '', '', '')"
            )
    return own_copy


def test_every_row_is_counted_a_few_are_held_and_the_file_names_all(spoiled: Sealed, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text("of another time\n")
    checks, well = verified(all=path)
    assert not well
    lines = rows_of("tables_roundline")
    expected = {
        "rows_are_as_they_were_sealed": lines + rows_of("jackpot_split"),
        "no_row_was_slipped_in": 4,
        "versions_without_gap": rows_of("payouts_account"),
        "splits_come_out_again": rows_of("jackpot_split"),
    }
    assert {name: checks[name]["count"] for name in expected} == expected
    assert checks["rounds_settle_again_to_their_lines"]["count"] > KEPT
    assert {len(check["breaches"]) for check in checks.values()} <= {*range(KEPT + 1)}
    named = [json.loads(line) for line in path.read_text().splitlines()]
    assert Counter(one["check"] for one in named) == {
        name: one["count"] for name, one in checks.items() if one["count"]
    }
    keys = {one["key"] for one in named if one["check"][:4] == "rows" and one["table"] == "tables_roundline"}
    assert len(keys) == lines
    assert {one["key"] for one in named if one["check"] == "no_row_was_slipped_in"} == {"-1", "-2", "-3", "-4"}


def test_no_list_of_a_job_grows_beyond_what_is_shown(spoiled: Sealed, monkeypatch) -> None:
    held: list[int] = []

    def add(found: findings.Findings, breach: findings.Breach, add=findings.Findings.add) -> None:
        add(found, breach)
        held.append(len(found.rows))

    def take(found: verify.Outcome, *args: object, take=verify.Outcome.take) -> None:
        take(found, *args)
        held.extend(len(rows) for rows in found.breaches.values())

    monkeypatch.setattr(findings.Findings, "add", add)
    monkeypatch.setattr(verify.Outcome, "take", take)
    verified()
    assert len(held) > rows_of("tables_roundline")
    assert max(held) == KEPT


def test_processes_share_the_file(spoiled: Sealed, tmp_path: Path) -> None:
    """They have their own constants; what they write is the same."""
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    verified(all=one)
    verified(all=two, processes=2)
    assert sorted(one.read_text().splitlines()) == sorted(two.read_text().splitlines())


def test_a_file_that_cannot_be_written_is_said(spoiled: Sealed, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("verify", all=tmp_path / "nowhere" / "all.jsonl")
