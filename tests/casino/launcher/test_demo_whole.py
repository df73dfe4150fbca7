"""`make demo` as a newcomer types it on a fresh clone: the house comes up, the evening is played to its end, and its links lead on.

The packages are those of the tests, put where `make` looks for them; all else is the real thing. Nobody reads along, so it makes no
pauses (SPEED=0).
"""

import hashlib
import json
import os
import random  # noqa: TID251  (nothing is drawn from it)
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from casino.launcher.packages import FILES, PYTHON
from casino.launcher.processes import die_with_parent, marked, servers_of
from casino.simulate import people
from casino.simulate.clients import Client, Tally
from casino.simulate.people import Person
from tests.casino.launcher.clones import copy_project, free_port
from tests.zone import quiet_zone

AUDITOR = "s.keller"  # she reads everything, and the evening needs none of her codes
LINK = re.compile(r"http://127\.0\.0\.1:\d+(/\S*)")
OVER = "The house runs on at "
LEADS_ON = 3  # to a page that sends on, at most


@pytest.fixture
def clone(folder: Path) -> Path:
    """A fresh clone, as it is once `make` has put the packages into `var/venv`."""
    clone = copy_project(folder / "clone")
    venv = clone / "var" / "venv"
    venv.mkdir(parents=True)
    for name in ("bin", "lib"):
        (venv / name).symlink_to(Path(sys.prefix, name))
    (venv / "pyvenv.cfg").write_text(Path(sys.prefix, "pyvenv.cfg").read_text())
    pins = hashlib.sha256((clone / FILES["runtime"]).read_bytes()).hexdigest()
    (venv / "installed.json").write_text(json.dumps({"python": PYTHON, "runtime": pins}))
    return clone


@contextmanager
def demo(clone: Path, port: int) -> Iterator["subprocess.Popen[str]"]:
    """`make demo`, in a terminal of its own."""
    process = subprocess.Popen(
        ["make", f"PYTHON={sys.executable}", "demo", "SPEED=0", f"PORT={port}"],
        cwd=clone,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "SAALCHEF_DEMO_TIME_ZONE": quiet_zone()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509  (there are no threads here)
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)


@pytest.mark.timeout(420)  # a minute and a half; more where other work shares the machine
def test_an_evening_of_make_demo_is_played_to_its_end(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(people.NAMES, AUDITOR, "S. Keller")
    port = free_port()
    with demo(clone, port) as process:
        assert process.stdout is not None
        said: list[str] = []
        for line in process.stdout:
            said.append(line)
            if line.startswith(OVER):
                break
        whole = "".join(said)
        assert said, "nothing was said"
        assert said[-1].startswith(f"{OVER}http://127.0.0.1:{port}/"), whole[-6_000:]
        check_what_was_told(whole)
        auditor = Person(f"http://127.0.0.1:{port}", AUDITOR, Tally(), random.Random(0)).sign_in()
        with closing(auditor.client) as client:
            check_that_the_links_lead_on(client, set(LINK.findall(whole)))
            check_that_two_were_paid(client)
        [recipe] = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(recipe), signal.SIGINT)  # Ctrl-C, but that make itself goes on to tell the status
        process.stdout.read()
        assert process.wait(60) == 0
    assert [*marked(str(clone)), *servers_of(clone / "var" / "postgres"), *servers_of(clone / "var" / "redis")] == []


def check_what_was_told(whole: str) -> None:
    """The life of a jackpot, in its order: each part behind the one before."""
    assert whole.count("a royal flush with the coin! It claims the jackpot.") == 2
    place = 0
    for part in (
        "Ready after",
        "Watch it meanwhile",
        "The last running round has ended",
        "No claim is true",
        "betting is open again.",
        "The last running round has ended",
        "the claim is true.",
        "for 2 = ",
        "has signed with hers: shares are awarded, slips are printed.",
        "its confirmation is refused, the tables stay shut.",
        "betting is open again.",
        "at the cage pays slip 2",
        "figures are equal.",
        "Look around now",
    ):
        place = whole.find(part, place)
        assert place >= 0, (part, whole[-6_000:])


def check_that_the_links_lead_on(client: Client, paths: set[str]) -> None:
    """Each address that was printed answers with a page."""
    assert len(paths) > 8
    for path in sorted(paths):
        where, body = client.ask(path)
        for _ in range(LEADS_ON):
            if where:
                where, body = client.ask(where)
        assert not where, path
        assert b"<html" in body[:2_000].lower(), path


def check_that_two_were_paid(client: Client) -> None:
    """The false call was rejected, the double royal is paid: two winners at two tables, equal shares, slips paid at the cage."""
    hits = [client.get(f"hits/{one['id']}/") for one in client.every("hits/")]
    assert sorted((hit["state"], len(hit["awards"])) for hit in hits) == [("paid", 2), ("rejected", 0)]
    awards = [award for hit in hits for award in hit["awards"]]
    assert len({award["table"] for award in awards}) == 2
    assert len({award["amount_minor"] for award in awards}) == 1
    assert [award["slip"]["state"] for award in awards] == ["paid", "paid"]
