"""`make run`: servers, database, demo house, web, worker and beat; until Ctrl-C, and then nothing
is left.
"""

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from casino.launcher.embedded import postgres, redis
from casino.launcher.embedded.remnants import end_remnants
from casino.launcher.errors import StartError
from casino.launcher.fit import BEGUN
from casino.launcher.places import LEFT, Place, command_line, run_lock, say_running, writable_var
from casino.launcher.plan import Plan, check_port, for_commands, make_plan
from casino.launcher.processes import die_with_parent, output_of
from casino.launcher.supervise import HOUSE, Supervisor
from casino.launcher.terminal import Terminal
from casino.simulate.broken import clear_away
from casino.simulate.clients import Refused, Unreachable
from casino.simulate.left import Left
from casino.simulate.options import Wrong
from casino.simulate.people import NoEntry

READY_S = 180.0  # of a house that hangs: what dies is told at once
# What people look into while the house serves: by check of /readyz, words of its detail, and the
# command of `manage.py` that tells more.
AMISS = {
    "audits": ("in breach", "audit"),
    "seals": ("failed: ", "seal"),
    "verified": ("not as it was", "verify"),
}
REBIRTHS = 5  # how often a dead supervisor is replaced within one run


class Stopped(BaseException):
    """Ctrl-C, a closed terminal, or a polite kill."""


def run(root: Path) -> int:
    """Run the house until it is stopped; returns the exit status. Raises StartError."""
    terminal = Terminal()
    var = writable_var(root)
    with stop_signals() as arm, run_lock(var):
        plan = make_plan(root, os.environ)
        house = House(plan, terminal)
        try:
            arm()
            house.start()
            house.watch()
        except Stopped:
            terminal.say("\nStopping ...")
        finally:
            arm(quiet=True)
            house.stop()
            with suppress(OSError):  # somebody moved or deleted the clone under us
                say_running(var, "")
    terminal.say("Stopped; nothing is left running.")
    return 0


@contextmanager
def stop_signals() -> Iterator[Callable[..., None]]:
    """Turn the first signal to stop into `Stopped` once armed; while we clean up, further ones
    change nothing.
    """
    armed, asked = False, False

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked, armed
        asked = True
        if armed:
            armed = False
            raise Stopped

    def arm(*, quiet: bool = False) -> None:
        nonlocal armed
        armed = not quiet
        if armed and asked:
            raise Stopped

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield arm
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class House:
    """The processes of one run."""

    def __init__(self, plan: Plan, terminal: Terminal) -> None:
        self.plan, self.terminal = plan, terminal
        self.place: Place = plan.place
        self.supervisor: Supervisor | None = None

    def start(self) -> None:
        """Bring everything up and say where it is. Raises StartError."""
        begun = command_time()
        self.terminal.say(f"Saalchef in {self.place.root}")
        if count := end_remnants(self.place):
            self.terminal.say(f"  Ended {count} processes that an earlier run had left.")
        check_port(self.plan.host, self.plan.port)
        say_running(self.place.var, f"{self.plan.address} (process {os.getpid()})")
        self._servers()
        people = Preparation(self.plan, self.terminal).run()
        self._house()
        self._clear_away()
        self.terminal.say(f"\nReady after {time.monotonic() - begun:.1f} s:  {self.plan.address}\n")
        self.terminal.say(f"{addresses(self.plan)}\n{people}".rstrip())
        if self.place.home != self.place.var and self.plan.programs:
            self.terminal.say(
                f"\nThe data lie in {self.place.home} (PostgreSQL's user cannot enter this folder)."
            )
        if self.place.account.drop and not self.place.is_open:
            self.terminal.say(
                "\nWeb and workers run as root, for no ordinary user can read this folder."
            )
        if self.plan.open_to_network and self.plan.demo:
            self.terminal.say(
                "\nEverybody in this network can reach it and sign in as a demo person."
            )
        self.terminal.say(f"\nLogs: {self.place.log}    Stop: Ctrl-C")

    def _servers(self) -> None:
        """The supervisor, and the embedded servers under it."""
        plan, log = self.plan, self.place.log
        if plan.postgres and not plan.postgres.data.exists():
            with self.terminal.step("PostgreSQL, first time"):
                postgres.initialise(plan.postgres)
        if plan.postgres:
            postgres.initialise(plan.postgres)
        if plan.redis:
            redis.initialise(plan.redis)
        with self.terminal.step("servers") as step:
            self.supervisor = supervisor = Supervisor(
                self.place, plan.sockets, plan.programs, plan.environ
            )
            supervisor.launch(*plan.programs)

            def bears(name: str) -> bool:
                step.note()
                return supervisor.lives and supervisor.bears(name)

            if plan.postgres:
                postgres.wait_ready(plan.postgres, lambda: bears("postgres"), log / "postgres.log")
                postgres.make_roles(plan.postgres)
            if plan.redis:
                redis.wait_ready(plan.redis, lambda: bears("redis"), log / "redis.log")

    def _house(self) -> None:
        """Web, worker and beat, until they answer that all is well. Raises StartError."""
        assert self.supervisor is not None
        with self.terminal.step("web, worker and beat") as step:
            self.supervisor.launch(*HOUSE)
            end = time.monotonic() + READY_S
            while (answer := readiness(self.plan)) and not isinstance(answer, Amiss):
                for name in HOUSE:
                    if not self.supervisor.bears(name):
                        raise StartError(
                            f"The program '{name}' does not start.",
                            log_tail(self.place.log / f"{name}.log"),
                        )
                if time.monotonic() > end:
                    raise StartError(
                        f"The house does not get ready: {answer}.",
                        f"The logs are in {self.place.log}; start again.",
                    )
                step.note(answer)
                time.sleep(0.2)
        for name in answer.checks if isinstance(answer, Amiss) else ():
            command = command_line(self.place.root, AMISS[name][1])
            self.terminal.say(f"  Not as it should be: {name}; this tells more:\n  {command}")

    def _clear_away(self) -> None:
        """A demo that was killed leaves tables, displays and tablets behind; somebody else's hit
        must not wait for them.
        """
        left = Left(str(self.place.var / LEFT)) if self.plan.demo else Left()
        if not left or left.is_played:
            return
        try:
            clear_away(
                self.plan.address.rstrip("/"), left, lambda text: self.terminal.say(f"  {text}")
            )
        except (Wrong, NoEntry, Refused, Unreachable) as error:
            self.terminal.say(f"  It cannot be cleared away: {error} `make demo` tries it again.")

    def watch(self) -> None:
        """Wait until somebody stops us; say when a program died, and see that it comes back. Raises
        StartError.
        """
        rebirths = 0
        seen: dict[str, int] = {}
        while True:
            time.sleep(1)
            assert self.supervisor is not None
            if self.terminal.gone:
                raise Stopped
            with suppress(OSError):
                self.supervisor.revive()
                born = {name: len(pids) for name, pids in self.supervisor.pids.items()}
                for name in born:
                    if seen and born[name] > seen.get(name, 0):
                        self.terminal.say(
                            f"  {name} ended and was started again; its log:"
                            f" {self.place.log / name}.log"
                        )
                seen = born
            if not self.supervisor.lives:
                rebirths += 1
                if rebirths > REBIRTHS:
                    raise StartError(
                        "The supervisor keeps dying.",
                        f"The log is {self.place.log / 'supervisor.log'}.",
                    )
                self.terminal.say("  The supervisor died; starting everything again.")
                end_remnants(self.place)
                self._servers()
                self._house()
                seen = {}

    def stop(self) -> None:
        """Stop everything in order, and make sure of it."""
        if self.supervisor:
            self.supervisor.stop()
        end_remnants(self.place)
        shutil.rmtree(self.plan.sockets, ignore_errors=True)


class Preparation:
    """The Django process that migrates, collects and loads, shown step by step."""

    def __init__(self, plan: Plan, terminal: Terminal) -> None:
        self.plan, self.terminal, self.shown = plan, terminal, ""
        self.step, self.log = "", plan.place.log / "prepare.log"

    def run(self) -> str:
        """Run it; returns what there is to show at the end. Raises StartError."""
        with self.log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "casino.launcher", "prepare"],
                cwd=self.plan.place.root,
                env=self.plan.environ | {"SAALCHEF_PROGRAM": "prepare"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=output,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509  (there are no threads here)
            )
        with process, ExitStack() as lines:
            try:
                self._show(process, lines)
            except BaseException:
                process.terminate()
                raise
        if process.returncode != 0:
            raise StartError(f"The step '{self.step}' failed.", log_tail(self.log))
        return self.shown

    def _show(self, process: "subprocess.Popen[bytes]", lines: ExitStack) -> None:
        said, step = b"", None
        for chunk in output_of(process):
            said += chunk
            *whole, said = said.split(b"\n")
            for message in map(json.loads, whole):
                if "step" in message:
                    lines.close()
                    self.step = message["step"]
                    step = lines.enter_context(self.terminal.step(self.step))
                elif "refused" in message:
                    raise StartError(*message["refused"])
                self.shown = message.get("show", self.shown)
            if step:
                step.note()


def command_time() -> float:
    """When the command was typed, as `time.monotonic` counts: its first step wrote it down, before
    any package was installed.
    """
    now = time.monotonic()
    try:
        return min(float(os.environ.get(BEGUN) or now), now)
    except ValueError:
        return now


def addresses(plan: Plan) -> str:
    """Where everybody begins, a line each."""
    tap = "one tap makes a browser" if plan.demo else "a code made under Devices makes a browser"
    places = (
        ("board", "pit/", "all tables on one screen"),
        ("tablet", "tablet/", f"{tap} the tablet of a table"),
        ("display", "display/", f"{tap} the display that tables wait for after a hit"),
        ("API", "api/docs/", "all that the screens use, for programs"),
    )
    return "".join(
        f"{name:<12}  {plan.address + path:<34}  {told}\n" for name, path, told in places
    )


class Amiss(NamedTuple):
    """The house serves, and people have to look into these checks."""

    checks: tuple[str, ...]


def readiness(plan: Plan) -> str | Amiss | None:
    """What the house says is still missing; None when it is ready."""
    connection = http.client.HTTPConnection(plan.reachable, plan.port, timeout=5)
    try:
        connection.request("GET", "/readyz", headers={"Authorization": f"Bearer {plan.token}"})
        response = connection.getresponse()
        body = response.read()
    except (OSError, http.client.HTTPException):
        return "no answer yet"
    finally:
        connection.close()
    if response.status == http.HTTPStatus.OK:
        return None
    try:
        missing = {
            name: check["detail"]
            for name, check in json.loads(body)["checks"].items()
            if not check["ok"]
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"/readyz answers {response.status}"
    if all(name in AMISS and AMISS[name][0] in detail for name, detail in missing.items()):
        return Amiss(tuple(missing))
    return "waiting for " + ", ".join(missing)


def log_tail(log: Path) -> str:
    """The end of a log, and where the rest is."""
    lines = log.read_text(errors="replace").splitlines()[-12:] if log.exists() else []
    return "\n".join([*(f"    {line[:300]}" for line in lines), f"The whole log is {log}."])


def manage(root: Path, arguments: list[str]) -> None:
    """Become `manage.py` with the environment of this clone's house, which should be running."""
    os.chdir(root)
    os.execve(
        sys.executable, [sys.executable, str(root / "manage.py"), *arguments], for_commands(root)
    )
