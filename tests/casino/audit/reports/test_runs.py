"""Long reports: made by the worker, once however many ask; taken up when a maker died; said when it cannot be made."""

import csv
import io
import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from casino.audit.models import ReportRun
from casino.audit.reports import gather, runs
from casino.audit.reports.files.formats import FORMATS
from casino.audit.reports.kinds import KINDS
from tests.casino.audit.reports.asked import query
from tests.casino.audit.reports.evening import Evening
from tests.casino.people import people

SENT: list[str] = []


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Files lie here, and no worker is told: the test is the worker."""
    settings.REPORTS_DIR = str(tmp_path / "reports")
    SENT.clear()
    monkeypatch.setattr(runs, "send", lambda run_id: SENT.append(str(run_id)))
    yield tmp_path / "reports"
    ReportRun.objects.all().delete()


def ask(evening: Evening, kind: str = "results", form: str = "csv") -> ReportRun:
    return runs.report_ask(
        kind=KINDS[kind], query=query(evening, kind), form=FORMATS[form], language="de", person=evening.auditor
    )


def post(evening: Evening, status: int = 302, **fields: str):
    day = evening.day.isoformat()
    client = people.signed_in(evening.auditor)
    response = client.post("/audit/reports/results/", {"from": day, "to": day, "format": "csv"} | fields)
    assert response.status_code == status, response.content[:500]
    return client, response


def test_a_long_report_is_handed_to_the_worker_and_its_file_is_the_one_of_the_screen(
    evening: Evening, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gather, "DIRECT_ROWS", 0)
    client = people.signed_in(evening.auditor)
    day = evening.day.isoformat()
    page = client.get(f"/audit/reports/results/?from={day}&to={day}&by=hour", headers={"accept-language": "en"})
    assert page.status_code == 422
    assert "too long to wait for" in page.content.decode()
    assert '<input type="hidden" name="by" value="hour">' in page.content.decode()
    client, response = post(evening, by="hour")
    run = ReportRun.objects.get()
    assert (response["Location"], SENT) == (f"/audit/reports/runs/{run.pk}/", [str(run.pk)])
    assert "data-waits" in client.get(response["Location"]).content.decode()
    assert client.get(f"{response['Location']}file/").status_code == 404
    assert runs.report_make(run.pk)
    run.refresh_from_db()
    assert (run.state, run.lines, run.tries) == ("done", run.expected, 1)
    monkeypatch.undo()
    file = client.get(f"{response['Location']}file/")
    content = b"".join(file.streaming_content)
    straight = client.get(f"/audit/reports/results/?from={day}&to={day}&by=hour&format=csv")
    assert (content, file["X-Data-SHA256"]) == (straight.content, straight["X-Data-SHA256"])
    assert len(list(csv.reader(io.StringIO(content.decode())))) == run.lines + 1
    assert run.sha256 in client.get(response["Location"]).content.decode()
    assert (folder / f"{run.pk}.1.csv").stat().st_mode & 0o777 == 0o600


def test_ten_who_ask_at_once_are_given_one_computation(evening: Evening) -> None:
    found: list[object] = []
    together = threading.Barrier(10)

    def one() -> None:
        try:
            together.wait()
            found.append(ask(evening).pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(found), len(set(found)), ReportRun.objects.count(), len(SENT)) == (10, 1, 1, 1)
    assert ask(evening, form="json").pk != found[0]
    (first,) = set(found)
    assert runs.report_make(first)
    assert not runs.report_make(first)
    assert ask(evening).pk != first  # it is over: what is asked now is computed now


def test_who_died_over_it_is_followed_by_another_and_given_up_after_three(evening: Evening, folder: Path) -> None:
    run = ask(evening)
    long_ago = timezone.now() - timedelta(minutes=5)
    for tries in (1, 2):
        ReportRun.objects.filter(pk=run.pk).update(state="running", tries=tries, alive_at=long_ago)
        SENT.clear()
        runs.reports_sweep()
        assert [str(run.pk)] == SENT
    assert runs.report_make(run.pk)
    run.refresh_from_db()
    assert (run.state, run.tries) == ("done", 3)
    other = ask(evening, "slips")
    ReportRun.objects.filter(pk=other.pk).update(state="running", tries=3, alive_at=long_ago)
    runs.reports_sweep()
    other.refresh_from_db()
    assert (other.state, other.failed) == ("failed", "interrupted")
    page = people.signed_in(evening.auditor).get(f"/audit/reports/runs/{other.pk}/", headers={"accept-language": "en"})
    assert "interrupted three times" in page.content.decode()


def test_what_failed_and_what_is_no_longer_kept_is_asked_for_again_as_it_was(evening: Evening, folder: Path) -> None:
    """With its filters, its format and the amount in the way the form takes it."""
    client, table = people.signed_in(evening.auditor), evening.tables[0]
    whole = query(evening, "payouts", table=table.pk, least="1250.50")
    ways = {"kind": KINDS["payouts"], "form": FORMATS["xlsx"], "language": "en", "person": evening.auditor}
    run = runs.report_ask(query=whole, **ways)
    for change in ({"state": "failed", "failed": "fault"}, {"state": "done", "failed": ""}):
        ReportRun.objects.filter(pk=run.pk).update(ended_at=timezone.now(), **change)
        path = f"/audit/reports/runs/{run.pk}/" + ("file/" if change["state"] == "done" else "")
        said = client.get(path, headers={"accept-language": "en"})
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', said.content.decode()))
        assert "Ask for it again" in said.content.decode()
        assert (fields["least"], fields["table"], fields["format"]) == ("1250.50", str(table.pk), "xlsx")
        again = client.post("/audit/reports/payouts/", fields, headers={"accept-language": "en"})
        other = ReportRun.objects.exclude(pk=run.pk).get()
        assert again["Location"] == f"/audit/reports/runs/{other.pk}/"
        assert (other.asked, other.form, other.key) == (run.asked, "xlsx", run.key)
        other.delete()


def test_a_maker_who_was_followed_by_another_says_nothing_more(evening: Evening) -> None:
    run = ask(evening)
    ReportRun.objects.filter(pk=run.pk).update(state="running", tries=2)
    run.tries = 1
    runs._end(run, state="failed", failed="fault")
    run.refresh_from_db()
    assert run.state == "running"


def test_a_fault_is_said_and_leaves_no_half_file(
    evening: Evening, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(evening)

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(
        runs, "FORMATS", {"csv": FORMATS["csv"].__class__(**{**FORMATS["csv"].__dict__, "write": full})}
    )
    assert runs.report_make(run.pk)
    run.refresh_from_db()
    assert (run.state, run.failed, list(folder.iterdir())) == ("failed", "fault", [])


def test_files_are_kept_for_a_while_and_then_gone(evening: Evening, folder: Path, settings) -> None:
    run = ask(evening)
    runs.report_make(run.pk)
    runs.reports_sweep()
    assert (folder / f"{run.pk}.1.csv").exists()
    (folder / f"{run.pk}.1.csv").unlink()
    client = people.signed_in(evening.auditor)
    gone = client.get(f"/audit/reports/runs/{run.pk}/file/", headers={"accept-language": "en"})
    assert (gone.status_code, b"no longer kept" in gone.content) == (404, True)
    ReportRun.objects.filter(pk=run.pk).update(ended_at=timezone.now() - timedelta(hours=settings.REPORTS_KEEP_H + 1))
    runs.reports_sweep()
    assert not ReportRun.objects.filter(pk=run.pk).exists()
