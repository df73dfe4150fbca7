"""What `double_royal.py` needs of a running house: a patient caller, its processes, and a display played over HTTP.

Standard library only.
"""

import http.client
import json
import signal
import sys
import threading
import time
import urllib.parse
import uuid
from datetime import UTC, datetime
from pathlib import Path

from evening import Caller, Refused

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))
from casino.launcher.places import ELSEWHERE, place_key  # noqa: E402  (both are standard library)
from casino.launcher.processes import marked, send, servers_of  # noqa: E402

PATIENCE_S = 120  # a busy machine is no failure
UNSURE = (502, 503, 504)


def say(text):
    """Tell who watches, at once."""
    print(text, flush=True)  # noqa: T201


def until(what, look, seconds=PATIENCE_S):
    """Look until there is something; give it. SystemExit when the time is over."""
    end = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > end:
            raise SystemExit(f"waited in vain {what}")
        time.sleep(0.1)
    return found


class Patient(Caller):
    """Asks again, word for word and under the same key, until there is an answer: no answer is never "not done"."""

    def ask(self, path, data=None, headers=None):
        """One request, answered. Raises Refused."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return super().ask(path, data, headers)
            except Refused as refused:
                unsure = refused.problem.get("status") in UNSURE or refused.code == "command.in_flight"
                if not unsure or time.monotonic() > end:
                    raise
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end:
                    raise
            time.sleep(0.2)


class House:
    """The processes of the house in this folder, to be killed by id."""

    def __init__(self, address):
        where = ROOT / "var" / "run.lock"
        running = where.read_text().split() if where.exists() else []
        if not running or urllib.parse.urlsplit(running[0]).port != urllib.parse.urlsplit(address).port:
            raise SystemExit(f"The house in {ROOT} does not serve {address}: its processes are not for us to kill.")
        self.killed = {}

    def of(self, program):
        """Ids of all processes of one program."""
        if program == "redis":
            homes = (ROOT / "var", ELSEWHERE / f"saalchef-{place_key(ROOT)}")
            return [pid for home in homes for pid in servers_of(home / program)]
        return marked(str(ROOT), program)

    def kill(self, program, pids, when):
        """Kill these processes of a program. SystemExit if there are none."""
        if not pids:
            raise SystemExit(f"there is no {program} to kill")
        send(pids, signal.SIGKILL)
        self.killed[program] = (set(pids), datetime.now(UTC))
        say(f"    {program} killed ({', '.join(map(str, pids))}) {when}")

    def back(self):
        """Whether whatever was killed runs again."""
        return all(set(self.of(program)) - pids for program, (pids, _at) in self.killed.items())


class Screen:
    """The display, played here as its page does it: it lives, hears, and says which digits it shows."""

    def __init__(self, address, jackpot):
        self.caller, self.session = Patient(address), str(uuid.uuid4())
        self.caller.ask("/display/enrol/")
        where, _page = self.caller.form("/display/demo/", jackpot=jackpot)
        self.id = urllib.parse.urlsplit(where).path.split("/")[2]
        self.caller.headers["X-Saalchef-Device"] = self.id
        threading.Thread(target=self.live, daemon=True).start()

    def post(self, what, **body):
        """Say something under this session."""
        data = json.dumps(body | {"session": self.session}).encode()
        return self.caller.ask(f"/display/{self.id}/{what}/", data, {"Content-Type": "application/json"})

    def snapshot(self):
        """The newest snapshot."""
        return json.loads(self.caller.ask(f"/display/{self.id}/now/")[1])

    def live(self):
        """A sign of life each second: what it shows is what it was told."""
        while True:
            told = self.snapshot()
            self.post("alive", shown=told["text"], version=told["version"])
            time.sleep(1)

    def asked(self):
        """The newest snapshot, if it has a gate that waits for this display."""
        told = self.snapshot()
        waiting = [one["display"] for one in told["waiting_for"]["displays"] if one["state"] == "waiting"]
        return told if told["gate"] and self.id in waiting else None

    def confirm(self):
        """Wait for the gate, and say what is shown."""
        told = until("for the gate", self.asked)
        gate = told["gate"]
        self.post("confirm", gate=gate["number"], nonce=gate["nonce"], version=gate["version"], shown=told["text"])
