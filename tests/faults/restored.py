"""A backup that is restored in a second place, as after a fire: its servers, its commands, a process that serves there."""

import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from casino.launcher.backup import run_as
from casino.launcher.demo import answers
from casino.launcher.embedded.throwaway import ThrowawayServers, throwaway_servers
from casino.launcher.processes import die_with_parent, wait_until
from tests.casino.ops.own_servers import PROJECT
from tests.faults.house import House

WEB_S = 120.0
JACKPOT = "SELECT phase, incarnation FROM jackpot_jackpot WHERE phase <> 'retired'"


@dataclass
class Place:
    """A restored place: its servers, and what a program of ours needs to work on them."""

    servers: ThrowawayServers
    environment: Mapping[str, str]

    def manage(self, *command: str) -> None:
        """Run a command of `manage.py` here."""
        whole = [sys.executable, "manage.py", *command]
        done = subprocess.run(
            whole, cwd=PROJECT, env=self.environment, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def jackpot(self) -> tuple[Any, ...]:
        """Phase and incarnation of its only jackpot."""
        with psycopg.connect(self.servers.superuser_url) as link:
            [row] = link.execute(JACKPOT).fetchall()
        return row

    @contextmanager
    def web(self) -> Iterator[str]:
        """A process that serves here; gives its address."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            command = ["uvicorn", "casino.asgi:application", "--fd", str(listener.fileno()), "--log-level", "warning"]
            process = subprocess.Popen(
                [sys.executable, "-m", *command, "--timeout-graceful-shutdown", "2"],
                cwd=PROJECT,
                env=dict(self.environment),
                pass_fds=[listener.fileno()],
                preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509
            )
        try:
            assert wait_until(lambda: answers(address), WEB_S, step=0.2)
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


@contextmanager
def restored(house: House, backup: Path, folder: Path) -> Iterator[Place]:
    """The backup in a place of its own; nothing said and nothing served there yet."""
    folder.mkdir()
    house.servers.account.own(folder)
    run_as(house.servers.account, ["cp", "-a", str(backup), str(folder / "postgres")], "The backup could not be read")
    with throwaway_servers(folder) as servers:
        if (heads := Path(house.environment["SEAL_HEADS"])).exists():  # the house itself goes on, and keeps its own
            shutil.copytree(heads, folder / "heads")
        urls = {"DATABASE_URL": servers.app_url, "DATABASE_OWNER_URL": servers.owner_url}
        urls |= {"SEAL_HEADS": str(folder / "heads")}
        plain = {name: value for name, value in house.environment.items() if name not in house.clock.environment}
        yield Place(servers, plain | urls | {"REDIS_URL": servers.redis_url})


def next_second() -> None:
    """Incarnations are seconds: nobody restores a house twice within one."""
    begun = int(time.time())
    assert wait_until(lambda: int(time.time()) > begun, 5)
