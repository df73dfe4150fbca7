"""The supervisor of a place: PyPI `supervisor`, which starts again what dies; its configuration,
and how we talk to it.
"""

import http.client
import os
import signal
import subprocess
import sys
import xmlrpc.client
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import cast

from supervisor.xmlrpc import SupervisorTransport

from casino.launcher.errors import StartError
from casino.launcher.places import Place
from casino.launcher.processes import die_with_parent, wait_until

SERVERS, HOUSE = ("postgres", "redis"), ("web", "worker", "long", "beat")
TRIES = 3  # how often a program may die while the house starts, before we say that it cannot

# Paths are relative to the clone, where the supervisor works: a path may hold characters that mean
# something here. A program that keeps dying is tried ten times, each time a second later;
# `Supervisor.revive` then begins again, so it never gives up.
HEAD = """\
[unix_http_server]
file = {sockets}/supervisor.sock
chmod = 0700

[supervisord]
logfile = var/log/supervisor.log
logfile_maxbytes = 1MB
logfile_backups = 1
pidfile = var/supervisor.pid
identifier = saalchef
nodaemon = true
silent = true
minfds = 256
minprocs = 16
umask = 077
strip_ansi = false

[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
"""
PROGRAM = """
[program:{name}]
command = {python} -m casino.launcher serve {name}
environment = SAALCHEF_PROGRAM="{name}"
autostart = false
autorestart = true
startsecs = 5
startretries = 10
stopsignal = {signal}
stopwaitsecs = {patience}
{group}
priority = {priority}
redirect_stderr = true
stdout_logfile = var/log/{name}.log
stdout_logfile_maxbytes = 5MB
stdout_logfile_backups = 3
"""
WHOLE_GROUP = "stopasgroup = false\nkillasgroup = true"
# The house goes down as one and first, then Redis, then PostgreSQL (SIGINT: it ends its sessions
# and writes a checkpoint).
ORDER = "\n[group:house]\nprograms = web,worker,long,beat\npriority = 30\n"


def configuration(sockets: Path, python: str, servers: tuple[str, ...]) -> str:
    """The supervisor's configuration for these embedded servers and the house."""
    signals, priorities = {"postgres": "INT"}, {"postgres": 10, "redis": 20}
    parts = [HEAD.format(sockets=sockets)]
    for name in (*servers, *HOUSE):
        parts.append(
            PROGRAM.format(
                name=name,
                python=python,
                signal=signals.get(name, "TERM"),
                patience=20 if name in SERVERS else 10,
                group=WHOLE_GROUP,
                priority=priorities.get(name, 30),
            )
        )
    return "".join(parts) + ORDER


class Supervisor:
    """The supervisor process of this run."""

    def __init__(
        self, place: Place, sockets: Path, servers: tuple[str, ...], environ: dict[str, str]
    ) -> None:
        self.place, self.servers, self.environ = place, servers, environ
        self.socket = sockets / "supervisor.sock"
        self.pids: dict[str, set[int]] = defaultdict(set)  # every process a program has had so far
        python = (
            os.path.relpath(sys.executable, place.root) if _inside(place.root) else sys.executable
        )
        (place.var / "supervisor.conf").write_text(configuration(sockets, python, servers))
        self.process = self._start()
        if not wait_until(lambda: not self.lives or self._answers(), 15) or not self.lives:
            raise StartError(
                "The supervisor does not start.", f"The log is {place.log / 'supervisor.log'}."
            )

    def _start(self) -> "subprocess.Popen[bytes]":
        with (self.place.log / "supervisor.err").open("wb") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "supervisor.supervisord", "-c", "var/supervisor.conf"],
                cwd=self.place.root,
                env=self.environ | {"SAALCHEF_PROGRAM": "supervisor"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C is for us alone; we stop the rest in order
                preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509  (there are no threads here)
            )

    @property
    def lives(self) -> bool:
        """Whether the supervisor itself runs."""
        return self.process.poll() is None

    def _answers(self) -> bool:
        try:
            self._ask("getState")
        except OSError:
            return False
        return True

    def _ask(self, method: str, *arguments: object) -> object:
        """Call the supervisor, on a connection of its own (a broken one would not heal). Raises
        OSError if it is not there.
        """
        transport = SupervisorTransport(serverurl=f"unix://{self.socket}")
        try:
            with xmlrpc.client.ServerProxy("http://localhost", transport=transport) as proxy:
                return getattr(proxy.supervisor, method)(*arguments)
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error

    def launch(self, *names: str) -> None:
        """Start programs, without waiting for them."""
        for name in names:
            self._ask("startProcess", _full(name), False)  # noqa: FBT003  (XML-RPC has no names)

    def look(self) -> dict[str, str]:
        """The state of each program; remembers its process. Raises OSError when the supervisor is
        gone.
        """
        found = cast("list[dict[str, object]]", self._ask("getAllProcessInfo"))
        for item in found:
            if item["pid"]:
                self.pids[str(item["name"])].add(cast("int", item["pid"]))
        return {str(item["name"]): str(item["statename"]) for item in found}

    def bears(self, *names: str) -> bool:
        """Whether the programs still have a chance to come up: none of them died more than a few
        times.
        """
        self.look()
        return all(len(self.pids[name]) <= TRIES for name in names)

    def revive(self) -> None:
        """Begin again with programs that the supervisor gave up (it restarts by itself what merely
        exited).
        """
        for name, state in self.look().items():
            if state == "FATAL":
                with suppress(
                    xmlrpc.client.Fault
                ):  # somebody else was quicker, or it failed at once: the next look tells
                    self.launch(name)

    def stop(self) -> None:
        """Stop everything in order: the house, Redis, PostgreSQL; the supervisor ends with the
        last.
        """
        if self.lives:
            self.process.terminate()
            try:
                self.process.wait(45)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def _full(name: str) -> str:
    return f"house:{name}" if name in HOUSE else name


def _inside(root: Path) -> bool:
    return Path(sys.executable).is_relative_to(root)
