"""What a browser asks for and a worker makes, verifications and long reports: by a real worker, told by a real broker."""

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.casino.ops.own_servers import PROJECT, OwnServers, end, wait_for

pytestmark = pytest.mark.timeout(300)

HOUSE = """
import django; django.setup()
from django.db import transaction
from casino.people.models import Person
from tests.cast import make_house
house = make_house("Casino {name}")
person = Person.objects.create(username="{name}", full_name="{name}", house=house, roles=["auditor"])
"""
VERIFY = """
from casino.audit.runs import verify_ask
from casino.ops.seals import seals_take
seals_take()
with transaction.atomic():
    print(verify_ask(person_id=person.pk, house_id=house.pk).pk)
"""
LOOKS = 20_000
REPORT = f"""
from casino.audit.reports import filters
from casino.audit.reports.files.formats import FORMATS
from casino.audit.reports.kinds import KINDS
from casino.audit.reports.runs import report_ask
from payouts.models import Event
from payouts.selectors import gaming_day_at
Event.objects.bulk_create(
    Event(name="audit.round", house_id=house.pk, actor_id=person.pk, subject_kind="round", subject_id=str(number), after={{}})
    for number in range({LOOKS})
)
today = gaming_day_at(house_id=house.pk)
kind = KINDS["looks"]
query = filters.query_of(kind, house, dict.fromkeys(("from", "to"), today.isoformat()), today)
print(report_ask(kind=kind, query=query, form=FORMATS["csv"], language="de", person=person).pk)
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the worker leaves its files."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def worker(own_servers: OwnServers, reports: Path) -> Iterator[None]:
    process = own_servers.worker(log="asked.log", environment=own_servers.environment(REPORTS_DIR=str(reports)))
    yield
    end(process)


def asked(own_servers: OwnServers, name: str, script: str) -> str:
    """What the script in a new house prints last."""
    done = subprocess.run(
        [sys.executable, "-c", HOUSE.format(name=name) + script],
        cwd=PROJECT,
        env=own_servers.environment(),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout.split()[-1]


def test_worker_carries_it_out_and_keeps_what_was_found(own_servers: OwnServers, worker: None) -> None:
    run = int(asked(own_servers, "vera", VERIFY))
    query = f"SELECT state, ok, done = jobs AND jobs > 0, seal > 0, failed FROM casino_verifyrun WHERE id = {run}"
    wait_for(lambda: own_servers.sql(query)[0][0] not in ("waiting", "running"), 120)
    assert own_servers.sql(query) == [("done", True, True, True, "")]


def test_worker_makes_a_long_report_and_leaves_its_file_whole(
    own_servers: OwnServers, worker: None, reports: Path
) -> None:
    run = asked(own_servers, "rita", REPORT)
    query = f"SELECT state, lines, expected, tries, failed FROM casino_reportrun WHERE id = '{run}'"
    wait_for(lambda: own_servers.sql(query)[0][0] not in ("queued", "running"), 120)
    assert own_servers.sql(query) == [("done", LOOKS, LOOKS, 1, "")]
    [file] = reports.iterdir()
    assert file.name == f"{run}.1.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    assert sorted(int(row[4]) for row in rows) == list(range(LOOKS))
