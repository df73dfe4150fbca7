"""PostgreSQL and Redis for one test run: the same launcher as `make run`, in a folder that is
deleted afterwards.
"""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from casino.launcher.embedded import postgres, redis
from casino.launcher.embedded.accounts import Account, server_account
from casino.launcher.embedded.folders import fits_sockets
from casino.launcher.errors import StartError
from casino.launcher.processes import die_with_parent


@dataclass(frozen=True)
class ThrowawayServers:
    """Where the servers of this run answer (every URL names a unix socket in the run's own folder),
    and PostgreSQL's programs.
    """

    programs: Path
    superuser_url: str
    owner_url: str
    app_url: str
    seal_url: str
    redis_url: str


@contextmanager
def throwaway_servers(folder: Path, *settings: str) -> Iterator[ThrowawayServers]:
    """Start both servers in `folder` (private, short; it is handed to the servers' user) and stop
    them at the end.

    `settings` are PostgreSQL's own, as `name=value`. The database `saalchef` is empty and belongs
    to the owner role. Durability stays on: the start-up checks demand it. A test run that is killed
    takes its servers with it. Raises StartError.
    """
    folder = folder.resolve()
    if not fits_sockets(folder):
        raise StartError(
            f"The path {folder} is too long, or too special, for unix sockets.",
            "Set TMPDIR to a short folder.",
        )
    account = server_account(folder)
    account.own(folder)
    if not account.may("x", folder):
        raise StartError(
            f"PostgreSQL's user cannot reach {folder}.",
            "Set TMPDIR to a folder that every user may enter.",
        )
    database = postgres.Postgres(
        folder / "postgres", folder, postgres.find_programs(folder, account), account
    )
    cache = redis.Redis(folder / "redis", folder, redis.find_program(folder, account), account)
    with ExitStack() as stack:
        redis.initialise(cache)
        redis_process = _start(
            stack, cache.command(), folder / "redis.log", account, signal.SIGTERM
        )
        postgres.initialise(database, durable=False)
        # After a kill the server brings all files to disk: one by one that takes minutes for the
        # many databases of a test run.
        command = [*database.command(), "-c", "recovery_init_sync_method=syncfs"]
        command += [part for one in settings for part in ("-c", one)]
        process = _start(stack, command, folder / "postgres.log", account, signal.SIGINT)
        postgres.wait_ready(database, lambda: process.poll() is None, folder / "postgres.log")
        postgres.make_roles(database)
        redis.wait_ready(cache, lambda: redis_process.poll() is None, folder / "redis.log")
        yield ThrowawayServers(
            programs=database.programs,
            superuser_url=database.url(postgres.SUPERUSER),
            owner_url=database.url(postgres.OWNER),
            app_url=database.url(postgres.APP),
            seal_url=database.url(postgres.SEALER),
            redis_url=cache.url,
        )


def _start(
    stack: ExitStack, command: list[str], log: Path, account: Account, stop: signal.Signals
) -> "subprocess.Popen[bytes]":
    """Start a server that the stack stops again with the signal `stop` (SIGINT ends PostgreSQL's
    sessions at once).
    """
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd="/",
            env=postgres.plain_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            # Ctrl-C in a test run must not end the servers before the tests
            start_new_session=True,
            preexec_fn=die_with_parent(stop),  # noqa: PLW1509  (it calls nothing that another thread may hold)
            **account.popen,
        )
    stack.callback(_stop, process, stop)
    return process


def _stop(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    process.send_signal(number)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
