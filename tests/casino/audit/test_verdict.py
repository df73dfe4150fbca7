"""Desk and reports say one verdict: each of the four checks where it agrees, where it does not, where it is not known."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from io import BytesIO

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook
from pypdf import PdfReader

from casino.audit import runs
from casino.audit import verdict as audit_verdict
from casino.ops.models import AuditRun, SealRun, VerifyRun
from casino.people.models import Person
from casino.records.findings import WORDS
from payouts.models import Seal
from payouts.rules.seal import Statement, head_of
from tests.casino.audit.desk import ENGLISH
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.casino.pit.floor.floor_desk import words
from tests.cast import make_house
from tests.databases import app_may
from tests.turns import each

LOOKED_AT = {
    "seals_are_a_chain": 2,
    "rows_are_as_they_were_sealed": 1234,
    "no_row_was_slipped_in": None,
    "rounds_settle_again_to_their_lines": 7,
    "stakes_are_within_their_limits": 7,
    "awards_are_of_rounds_that_claim": 7,
    "rounds_settle_as_the_shoe_read": 7,
    "stakes_come_before_their_card": 7,
    "splits_come_out_again": 1,
}
REPLAYED = [*LOOKED_AT][3:]
ANSWERS = {True: "yes", False: "no", None: "unknown"}
ALL_YES = dict.fromkeys(("chain", "complete", "anchor", "balances"), "yes")
AUDIT = {"audit": "balances_equal_entries", "rows": []}
CHAIN, ROWS, SLIPPED_IN = [*LOOKED_AT][:3]


class Reader:
    """An auditor who reads both verdicts of a house of which so much was kept."""

    def __init__(self, settings) -> None:
        self.settings = settings
        self.person: Person = people.make(make_house(), "vera.c", "auditor", language="en")
        self.client: Client = people.signed_in(self.person)

    def keep(
        self,
        *,
        breaches: dict[str, list[dict]] | None = None,
        looked_at: dict[str, int] | None = None,
        verified: bool = True,
        seals: int = 2,
        heads: str = "/elsewhere",
        webhook: str = "",
        kept: int = 2,
        failed: str = "",
        audits: list[dict] | None = None,
        audited: bool = True,
    ) -> None:
        self.settings.SEAL_HEADS, self.settings.SEAL_WEBHOOK = heads, webhook
        for number in range(1, seals + 1):
            self.seal(number)
        SealRun.objects.create(what="webhook" if webhook else "folder", number=kept, at=timezone.now(), failed=failed)
        if audited:
            AuditRun.objects.create(seconds=0.1, ok=not audits, breaches=audits or [])
        if verified:
            self.verified(breaches or {}, LOOKED_AT | (looked_at or {}))

    def seal(self, number: int) -> None:
        at = timezone.now()
        rows = {"payouts_event": 1000, "payouts_entry": 234} if number == 2 else {"payouts_event": 1000}
        plain = {"open": (), "highest": {}, "low": {}, "closed_at": "", "server": "", "key": "", "root": ""}
        text = Statement(number=number, taken_at=at.isoformat(), previous="", rows=rows, **plain).text()
        Seal.objects.create(number=number, taken_at=at, statement=text, signature=b"s" * 64)

    def verified(self, breaches: dict[str, list[dict]], looked_at: dict[str, int | None]) -> None:
        checks = [
            {"name": name, "breaches": rows, "count": len(rows), "looked_at": count, "ok": not rows}
            for name, count in looked_at.items()
            for rows in (breaches.get(name, []),)
        ]
        made = VerifyRun.objects.create(asked_by=self.person)
        run = VerifyRun.objects.filter(pk=made.pk)
        run.update(state="running", begun_at=Now())
        run.update(state="done", ended_at=Now(), ok=not any(breaches.values()), checks=checks)

    def read(self) -> tuple[dict[str, str], dict[str, str], str, str]:
        """Of desk and report: the answer of each check; then the words of both."""
        desk = self.client.get("/audit/", headers=ENGLISH)
        report = self.client.get("/audit/reports/slips/?format=json", headers=ENGLISH).json()
        shown = self.client.get("/audit/reports/slips/", headers=ENGLISH)
        answers = {one.code: ANSWERS[one.ok] for one in desk.context["verdict"].checks}
        told = {name: one["answer"] for name, one in report["verdict"].items()}
        return answers, told, words(desk.content.decode()), words(shown.content.decode())


@pytest.fixture
def reader(db: None, settings) -> Iterator[Reader]:
    plain_settings(settings)
    with app_may("INSERT", "payouts_seal"):
        yield Reader(settings)


CASES = {
    "all agrees": (
        {},
        {},
        ["2 seals, 1’234 rows", "1’234 of 1’234 sealed rows", "head of seal 2", "accounts, difference"],
    ),
    "a seal was changed": (
        {"breaches": {CHAIN: [{"seal": 2, "why": "its signature is wrong"}]}},
        {"chain": "no"},
        ["not as they were: 1; the first is of seal 2"],
    ),
    "a row was changed": (
        {"breaches": {ROWS: [{"table": "t", "key": "1", "seal": 1, "what": "changed"}]}},
        {"chain": "no"},
        ["not as they were: 1; the first is of seal 1"],
    ),
    "never verified": (
        {"verified": False},
        {"chain": "unknown", "complete": "unknown", "anchor": "unknown"},
        ["Not verified yet", "no verification has compared it yet"],
    ),
    "a row is missing, another was slipped in": (
        {
            "breaches": {
                ROWS: [{"table": "t", "key": "1", "seal": 1, "what": "missing"}],
                SLIPPED_IN: [{"table": "t", "key": "9", "what": "added"}],
            }
        },
        {"complete": "no"},
        ["1’233 of 1’234 sealed rows are there; missing: 1, slipped in: 1"],
    ),
    "fewer rows were listed than the seal counts": (
        {"looked_at": {ROWS: 1200}},
        {"complete": "no"},
        ["1’200 of 1’234 sealed rows are there; missing: 34"],
    ),
    "a seal is gone": (
        {"breaches": {CHAIN: [{"seal": 2, "why": "is missing"}]}},
        {"chain": "no", "complete": "no"},
        ["Seals that are missing: 1; the first is seal 2"],
    ),
    "a head is another one": (
        {"breaches": {CHAIN: [{"seal": 2, "why": audit_verdict.OTHER_HEAD}]}},
        {"chain": "no", "anchor": "no"},
        ["Seal 2 is not the one whose head was kept elsewhere"],
    ),
    "heads cannot be kept": ({"failed": "full", "kept": 1}, {"anchor": "no"}, ["the last one kept is that of seal 1"]),
    "heads are kept nowhere": ({"heads": ""}, {"anchor": "unknown"}, ["No head is kept elsewhere"]),
    "heads are posted only": (
        {"heads": "", "webhook": "https://heads.example"},
        {"anchor": "unknown"},
        ["The head of seal 2 was posted to the webhook", "no verification compares it"],
    ),
    "heads lag behind": ({"kept": 1, "seals": 3}, {"anchor": "unknown"}, ["up to seal 1 of 3 only"]),
    "an audit found something": (
        {"audits": [AUDIT]},
        {"balances": "no"},
        ["difference CHF 0.00. Does not hold: Every balance is the sum of its account"],
    ),
    "never audited": ({"audited": False}, {"balances": "unknown"}, ["The books were not checked yet"]),
} | {
    f"{name} found something": (
        {"breaches": {name: [{"round_id": "x", "why": "y"}]}},
        {"balances": "no"},
        [f"Does not hold: {WORDS[name]} The", "Everything else that is checked holds"],
    )
    for name in REPLAYED
}


@each("case", CASES)
def test_desk_and_reports_say_the_same_of_each_check(reader: Reader, case: str) -> None:
    given, differs, says = CASES[case]
    reader.keep(**given)
    desk, report, on_desk, in_report = reader.read()
    expected = ALL_YES | differs
    assert desk == report == expected
    for text in says:
        assert text in on_desk, text
        assert text in in_report, text
    headline, summary = {
        "yes": ("All is as it was", "All that was checked agrees"),
        "no": ("Something is not as it was", "Something does not agree"),
        "unknown": ("Not everything is proved yet", "Not everything could be checked"),
    }[next((one for one in ("no", "unknown") if one in expected.values()), "yes")]
    assert headline in on_desk
    assert summary in in_report
    if given == {}:
        assert in_report.count("As of ") == 4  # each check says when that was


@pytest.mark.parametrize(("age", "check"), [("SEAL_AGE", "complete"), ("AUDIT_AGE", "balances")])
def test_what_is_old_is_not_known(reader: Reader, monkeypatch: pytest.MonkeyPatch, age: str, check: str) -> None:
    monkeypatch.setattr(audit_verdict, age, timedelta(0))
    reader.keep()
    desk, report, on_desk, _ = reader.read()
    assert desk == report == ALL_YES | {check: "unknown"}
    assert "lately" in on_desk


def test_accounts_that_do_not_sum_to_zero_or_stand_on_the_wrong_side_are_told(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No guard lets such rows in, so what the sums would say is put in their place."""
    monkeypatch.setattr(audit_verdict, "_SUMS", "SELECT 3, 150, 1")
    reader.keep()
    desk, report, on_desk, in_report = reader.read()
    assert desk == report == ALL_YES | {"balances": "no"}
    for said in (on_desk, in_report):
        assert "3 accounts, difference CHF 1.50. Does not hold: Every balance is on its proper side." in said


def test_what_only_the_verification_found_is_said_as_of_the_verification(reader: Reader) -> None:
    reader.keep(breaches={REPLAYED[0]: [{"round_id": "x", "why": "y"}]})
    found = audit_verdict.verdict()
    assert [one.at for one in found.checks if one.code == "balances"] == [VerifyRun.objects.get().ended_at]


def test_what_the_audits_have_asked_again_since_counts_by_their_newest_answer(reader: Reader) -> None:
    """What is asked anew each minute counts by the last minute; what only a whole run asks, by the verification until then."""
    found = {name: [{"why": "y"}] for name in ("commands_are_answered", "balances_equal_entries", REPLAYED[2])}
    reader.verified(found, LOOKED_AT | dict.fromkeys(found, 1))
    named = []
    for whole in (False, True):
        AuditRun.objects.create(seconds=0.1, ok=True, breaches=[], whole=whole)
        named.append(next(one for one in audit_verdict.verdict().checks if one.code == "balances").broken)
    assert named == [[REPLAYED[2], "balances_equal_entries"], [REPLAYED[2]]]


def test_a_run_that_is_not_ok_is_never_green(reader: Reader) -> None:
    """Whatever it found: also where no check of the four speaks of it."""
    reader.keep()
    verdict = audit_verdict.verdict()
    assert verdict.ok is True
    assert verdict.run is not None
    verdict.run.ok = False
    assert verdict.ok is False


def test_report_prints_the_head_of_the_newest_seal(reader: Reader) -> None:
    """To be compared letter by letter with the one that was kept elsewhere: on screen, on paper, in a workbook."""
    reader.keep()
    head = head_of(Seal.objects.get(number=2).statement)
    pdf, xlsx = (
        reader.client.get(f"/audit/reports/slips/?format={code}", headers=ENGLISH).getvalue()
        for code in ("pdf", "xlsx")
    )
    cells = [str(cell) for sheet in load_workbook(BytesIO(xlsx)) for row in sheet.values for cell in row]
    pages = "".join(one.extract_text() for one in PdfReader(BytesIO(pdf)).pages).split()
    for told in (reader.read()[3], "".join(pages), " ".join(cells)):
        assert "Head of seal 2".replace(" ", "") in told.replace(" ", "")
        assert head in told


def test_a_verification_that_nobody_asked_for_is_carried_out_and_stays(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a day, by the clock; what was given up meanwhile is told nothing more."""
    runs.verify_daily()
    runs.verify_daily()
    run = VerifyRun.objects.get()
    end = partial(runs._end, state=VerifyRun.State.DONE, ok=True, checks=[])
    monkeypatch.setattr(runs, "_carry_out", end)
    runs.verify_next()
    run.refresh_from_db()
    assert (run.asked_by, run.state, run.ok) == (None, VerifyRun.State.DONE, True)
    with pytest.raises(IntegrityError), transaction.atomic():
        VerifyRun.objects.update(ok=False)
