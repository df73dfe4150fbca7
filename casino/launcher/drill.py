"""`make drill`: a backup is restored into a second place and everything is done there that would be
done in earnest.

The house that runs is read once, for the backup, and not touched. In the second place: PostgreSQL
recovers, a start that forgets `manage.py restored` is refused; that command begins an incarnation
and suspends the jackpots, nothing is sealed, all audits run and every round is settled again; at a
demo house two people then sign that the seals go on, look at the slips and resume each jackpot,
through the API of a web process of that place. At the end it is deleted.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import psycopg

from casino.launcher.backup import (
    check,
    per_gb,
    run_as,
    running_server,
    seconds_per_gb,
    size_of,
    take,
)
from casino.launcher.demo import answers
from casino.launcher.embedded.postgres import Postgres
from casino.launcher.embedded.throwaway import ThrowawayServers, throwaway_servers
from casino.launcher.errors import StartError
from casino.launcher.plan import Plan, as_it_runs, make_plan
from casino.launcher.processes import MARKER, die_with_parent
from casino.launcher.terminal import Terminal
from casino.simulate.reconcile import NotReconciled, reconcile
from payouts.seal_keys import LastSigned, remember

WEB_S = 60.0
GROWS = ("backup", "checksums", "copy into the second place", "recovery")  # with the size
JACKPOTS = (
    "SELECT id::text, name, phase, incarnation FROM jackpot_jackpot WHERE phase <> 'retired' ORDER"
    " BY name, id"
)
ROUNDS = "SELECT count(*), count(*) FILTER (WHERE state = 'locked') FROM tables_play"
NEWEST = "SELECT count(*), coalesce(max(at)::text, 'never') FROM payouts_event"


@dataclass
class Drill:
    """One drill: what it reads, where it restores to, and the seconds of each step."""

    plan: Plan
    terminal: Terminal
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, title: str) -> Iterator[None]:
        """A step with its seconds."""
        begun = time.monotonic()
        with self.terminal.step(title):
            yield
        self.seconds[title] = time.monotonic() - begun


def drill(root: Path) -> int:
    """Restore a backup (FROM, else one taken now) in a second place and prove it; 1 if it does not
    hold. Raises StartError.
    """
    drilled = Drill(make_plan(root, as_it_runs(root)), Terminal())
    place = Path(tempfile.mkdtemp(prefix="saalchef-drill-"))
    try:
        place.chmod(0o711)
        server = drilled.plan.postgres if os.environ.get("FROM") else running_server(drilled.plan)
        if server is None:
            raise StartError(
                "DATABASE_URL names a PostgreSQL of your own.", "Drill where its backups are kept."
            )
        server.account.own(place)
        source = _source(drilled, server, place)
        size_bytes = size_of(source)
        with drilled.timed("copy into the second place"):
            command = ["cp", "-a", str(source), str(place / "postgres")]
            run_as(server.account, command, f"The backup in {source} could not be read")
        return _prove(drilled, place, size_bytes)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _source(drilled: Drill, server: Postgres, place: Path) -> Path:
    """The backup: checked. Raises StartError."""
    if given := os.environ.get("FROM"):
        source = Path(given).absolute()
        if not (source / "backup_manifest").is_file():
            raise StartError(
                f"{source} is no backup.", "Take one with `make backup`, or leave FROM out."
            )
        drilled.seconds["checksums"] = check(server, source, drilled.terminal)
        return source
    taken = take(server, place / "backup", drilled.terminal)
    drilled.seconds |= {"backup": taken.copied_s, "checksums": taken.checked_s}
    return taken.folder


def _prove(drilled: Drill, place: Path, size_bytes: int) -> int:
    """Start the restored place and do there what is done in earnest."""
    begun = time.monotonic()
    with throwaway_servers(place) as servers:
        drilled.seconds["recovery"] = time.monotonic() - begun
        drilled.terminal.say(f"  {'recovery':<24} {drilled.seconds['recovery']:5.1f} s")
        environ = _environment(drilled.plan, servers) | _keys(drilled.plan, place)
        before, (events, newest) = _read(servers, JACKPOTS), _read(servers, NEWEST)[0]
        rounds, running = _read(servers, ROUNDS)[0]
        _check_noticed(drilled, environ)
        with drilled.timed("suspend the jackpots"):
            _manage(drilled, environ, "restored")
        _check_suspended(before, _read(servers, JACKPOTS))
        _check_unsealed(drilled, environ)
        with drilled.timed("audits, rounds again"):
            _manage(drilled, environ, "audit", "--replay")
        said = _reconciled(drilled, environ) if drilled.plan.demo else []
        if drilled.plan.demo:
            with drilled.timed("seals go on"):
                _manage(drilled, environ, "seal")
    held = (
        f"  {events} events, the newest of {newest}; {rounds} rounds, {running} of them running"
        " when it was copied"
    )
    _tell(drilled, size_bytes, [held, *said], len(before))
    return 0


def _environment(plan: Plan, servers: ThrowawayServers) -> dict[str, str]:
    """The house's own environment, with the second place's servers; unmarked, so that no run takes
    it for its own.
    """
    environ = {
        name: value for name, value in plan.environ.items() if name not in (MARKER, "METRICS_TOKEN")
    }
    urls = {
        "DATABASE_URL": servers.app_url,
        "DATABASE_OWNER_URL": servers.owner_url,
        "DATABASE_SEAL_URL": servers.seal_url,
        "REDIS_URL": servers.redis_url,
    }
    return environ | urls | {"SAALCHEF_INSTANCE": "drill", "ALLOWED_HOSTS": "127.0.0.1"}


def _keys(plan: Plan, place: Path) -> dict[str, str]:
    """A copy of the key of the seals, whose signer remembers one more than the backup holds, as it
    does in earnest. Heads are kept nowhere.
    """
    key = Path(plan.environ["SEAL_KEY_PATH"])
    folder = place / "seals"
    shutil.copytree(key.parent, folder, ignore=lambda *_: {"heads"})
    lost = LastSigned(seal=sys.maxsize, head=sha256(b"lost").hexdigest())
    remember(folder / key.name, lost)
    return {"SEAL_KEY_PATH": str(folder / key.name), "SEAL_HEADS": ""}


def _check_unsealed(drilled: Drill, environ: Mapping[str, str]) -> None:
    """Nothing is sealed before two people have signed from where. Raises StartError."""
    done = _run(drilled, environ, "seal")
    if done.returncode == 0 or str(sys.maxsize) not in _output(done):
        raise StartError(
            f"Seals go on after the restore, unsigned:\n{_output(done)[-4_000:]}",
            "Let nothing serve from this restore.",
        )


def _read(servers: ThrowawayServers, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(servers.superuser_url) as link:
        return link.execute(sql.encode()).fetchall()


def _check_noticed(drilled: Drill, environ: Mapping[str, str]) -> None:
    """What a start asks says that this was restored, and that nobody has said so. Raises
    StartError.
    """
    said = _output(_run(drilled, environ, "check", "--database", "default"))
    if "casino.database.restored" not in said:
        raise StartError(
            f"That this place was restored goes unnoticed:\n{said[-4_000:]}",
            "Take a new backup with this version.",
        )


def _run(
    drilled: Drill, environ: Mapping[str, str], *arguments: str
) -> "subprocess.CompletedProcess[str]":
    """A command of `manage.py` in the second place."""
    command = [sys.executable, str(drilled.plan.place.root / "manage.py"), *arguments]
    return subprocess.run(
        command,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        cwd=drilled.plan.place.root,
    )


def _output(done: "subprocess.CompletedProcess[str]") -> str:
    return (done.stdout + done.stderr).strip()


def _manage(drilled: Drill, environ: Mapping[str, str], *arguments: str) -> None:
    """A command that must succeed there. Raises StartError with what it said."""
    done = _run(drilled, environ, *arguments)
    if done.returncode != 0:
        said = _output(done)
        raise StartError(
            f"In the restored place `manage.py {' '.join(arguments)}` ended with"
            f" {done.returncode}:\n{said[-4_000:]}",
            "The backup is kept if it was your own; nothing of the house that runs was touched.",
        )


def _check_suspended(before: list[tuple[object, ...]], after: list[tuple[object, ...]]) -> None:
    wanted = [(pk, name, "suspended") for pk, name, _phase, _incarnation in before]
    raised = all(
        int(str(now[3])) > int(str(was[3])) for was, now in zip(before, after, strict=False)
    )
    if wanted != [row[:3] for row in after] or not raised:
        raise StartError(
            f"The jackpots stand as {after}, before they were {before}.",
            "Let nothing serve from this restore.",
        )


def _reconciled(drilled: Drill, environ: Mapping[str, str]) -> list[str]:
    """Two demo people look at the slips and resume the jackpots; what came of it."""
    with _web(drilled, environ) as address, drilled.timed("two people reconcile"):
        try:
            return [f"  {line}" for line in reconcile(address)]
        except NotReconciled as error:
            raise StartError(
                f"The restored place could not be reconciled: {error}", "Look into its books."
            ) from error


@contextmanager
def _web(drilled: Drill, environ: Mapping[str, str]) -> Iterator[str]:
    """A web process of the second place; gives its address. Raises StartError."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        command = [
            sys.executable,
            "-m",
            "uvicorn",
            "casino.asgi:application",
            "--fd",
            str(listener.fileno()),
        ]
        process = subprocess.Popen(
            [*command, "--log-level", "warning", "--timeout-graceful-shutdown", "2"],
            cwd=drilled.plan.place.root,
            env=dict(environ),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509  (there are no threads here)
        )
    try:
        _wait(lambda: answers(address), process)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _wait(ready: Callable[[], bool], process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + WEB_S
    while not ready():
        if process.poll() is not None or time.monotonic() > end:
            raise StartError(
                "No web process came up in the restored place.",
                "`manage.py check` there tells why.",
            )
        time.sleep(0.1)


def _tell(drilled: Drill, size_bytes: int, said: list[str], jackpots: int) -> None:
    total = sum(drilled.seconds.values())
    say = drilled.terminal.say
    say(f"\nRestored: {size_bytes / 1_000_000:.1f} MB in {total:.1f} s, of it")
    for title, seconds in drilled.seconds.items():
        say(
            f"  {title:<28} {seconds:6.1f} s  "
            f" {per_gb(seconds, size_bytes) if title in GROWS else ''}".rstrip()
        )
    for line in said:
        say(line)
    say(f"All audits hold and every round settles again as it did. Jackpots suspended: {jackpots}.")
    if not drilled.plan.demo:
        say("In earnest two people now compare the slips with the books and resume each jackpot.")
    say(json.dumps(figures(drilled.seconds, size_bytes)))


def figures(seconds: Mapping[str, float], size_bytes: int) -> dict[str, object]:
    """What a drill took, for programs: of each step the seconds; of those that grow with the data
    also seconds per GB.
    """
    rates = {
        name: seconds_per_gb(spent, size_bytes) for name, spent in seconds.items() if name in GROWS
    }
    return {
        "bytes": size_bytes,
        "seconds": {name: round(spent, 2) for name, spent in seconds.items()},
        "seconds_per_gb": rates | {"all of these": round(sum(rates.values()), 1)},
    }
