"""Files of long reports: a maker who comes back late overwrites nothing, what the dead left is forgotten, what is kept stays."""

import os
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from xlsxwriter import Workbook

from casino.audit.models import ReportRun
from casino.audit.reports import runs
from casino.audit.reports.files.formats import FORMATS
from tests.casino.audit.reports.evening import Evening
from tests.casino.audit.reports.test_runs import ask
from tests.casino.people import people


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Files lie here, and no worker is told: the test is the worker."""
    settings.REPORTS_DIR = str(tmp_path / "reports")
    monkeypatch.setattr(runs, "send", lambda run_id: None)
    yield tmp_path / "reports"
    ReportRun.objects.all().delete()


def silent(run: ReportRun) -> None:
    """Nothing was heard of its maker for long."""
    ReportRun.objects.filter(pk=run.pk).update(alive_at=timezone.now() - timedelta(minutes=5))


def test_maker_who_comes_back_after_another_has_made_it_changes_neither_row_nor_file(
    evening: Evening, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first stands still in the middle of its file; the second makes the report; then the first goes on to its end."""
    run = ask(evening)
    at_it, go_on = threading.Event(), threading.Event()
    plain = FORMATS["csv"].write
    first = threading.Thread(target=lambda: (runs.report_make(run.pk), connection.close()))

    def slowly(found, head, out) -> None:
        if threading.current_thread() is first:
            out.write(b"of the first")
            at_it.set()
            assert go_on.wait(120)
            return
        plain(found, head, out)

    form = FORMATS["csv"].__class__(**{**FORMATS["csv"].__dict__, "write": slowly})
    monkeypatch.setattr(runs, "FORMATS", FORMATS | {"csv": form})
    monkeypatch.setattr(runs, "PULSE_S", 1000)  # it stands still as a whole: no sign of life
    first.start()
    assert at_it.wait(120)
    silent(run)
    assert runs.report_make(run.pk)
    runs.reports_sweep()  # takes the half of the first away under its hands
    go_on.set()
    first.join()
    run.refresh_from_db()
    assert (run.state, run.tries, run.failed) == ("done", 2, "")
    file: Any = people.signed_in(evening.auditor).get(f"/audit/reports/runs/{run.pk}/file/")
    assert b"of the first" not in b"".join(file.streaming_content)
    runs.reports_sweep()
    assert [path.name for path in folder.iterdir()] == [f"{run.pk}.2.csv"]


def test_what_the_dead_left_is_forgotten_and_nothing_else(evening: Evening, folder: Path, settings) -> None:
    done, running, failed = ask(evening, "slips"), ask(evening, "results"), ask(evening, "hits")
    runs.report_make(done.pk)
    ReportRun.objects.filter(pk=running.pk).update(state="running", tries=2)
    ReportRun.objects.filter(pk=failed.pk).update(state="failed", tries=3, ended_at=timezone.now())
    gone = "0b0e8f5c-4c58-4f6e-9d3b-2f6a1c9d7e11"
    stays = {f"{done.pk}.1.csv", f"{running.pk}.2.half", f"{running.pk}.2.half.parts", f"{gone}.1.csv", "README", "x.d"}
    goes = {f"{done.pk}.7.half", f"{running.pk}.1.half", f"{running.pk}.1.half.parts", f"{failed.pk}.3.half"}
    goes |= {f"{gone}.2.half", f"{gone}.3.half.parts", f"{running.pk}.csv"}
    for name in stays | goes:
        path = folder / name
        if name.endswith((".parts", ".d")):
            path.mkdir()
            (path / "one").write_text("a part")
        elif not path.exists():
            path.write_text("half of i")
    long_ago = timezone.now().timestamp() - (settings.REPORTS_KEEP_H + 1) * 3600
    for name in (f"{gone}.2.half", f"{gone}.3.half.parts", "README", "x.d"):
        os.utime(folder / name, (long_ago, long_ago))
    runs.reports_sweep()
    assert {path.name for path in folder.iterdir()} == stays


def test_workbook_that_fails_leaves_no_part_of_itself(
    evening: Evening, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parts lie in a folder beside it while it is written; none lies where temporary files of the machine do."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    seen: list[list[str]] = []

    def full(book: Workbook, *_: object) -> None:
        for sheet in book.worksheets():
            sheet.row_data_fh.close()  # the library leaves it to the collector of garbage, which warns
        seen.append(sorted(path.name.split(".half")[0] for path in folder.iterdir()))
        seen.append([path.name for path in elsewhere.iterdir()])
        raise OSError("no space left on device")

    monkeypatch.setattr("casino.audit.reports.files.xlsx._facts", full)
    run = ask(evening, form="xlsx")
    assert runs.report_make(run.pk)
    run.refresh_from_db()
    assert seen == [[f"{run.pk}.1"] * 2, []]
    assert (run.state, list(folder.iterdir()), list(elsewhere.iterdir())) == ("failed", [], [])
