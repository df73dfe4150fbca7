"""What the supervisor starts: each program clears away what its killed predecessor left behind,
then becomes the program.
"""

import os
import signal
import sys
from pathlib import Path

from casino.launcher.embedded import postgres
from casino.launcher.embedded.servers import embedded_postgres, embedded_redis
from casino.launcher.places import Place, find_place
from casino.launcher.processes import end, marked, servers_of

FREE_PORT = 1024  # from here on anybody may open one
# one process: more database connections than cores times four only queue inside PostgreSQL
WEB_CONNECTIONS = "8"


def serve(root: Path, program: str) -> None:
    """Become `postgres`, `redis`, `web`, `worker` or `beat`; returns only by raising."""
    if program == "postgres":
        _serve_postgres(root)
    elif program == "redis":
        _serve_redis(root)
    else:
        # A killed parent leaves children (the worker's pool) that would go on taking work, or hold
        # the port.
        end(lambda: marked(str(root), program), signal.SIGTERM, 5)
        _step_down(find_place(root), program)
        os.execv(sys.executable, [sys.executable, "-m", *COMMANDS[program]()])


def _step_down(place: Place, program: str) -> None:
    """Become an ordinary user, if root started us and one can read the clone; for a port that only
    root may open the web stays.
    """
    needs_root = program == "web" and int(os.environ["PORT"]) < FREE_PORT
    if place.account.drop and place.is_open and not needs_root:
        place.hand_over()
        place.account.become()
        os.environ["HOME"] = "/"


def _web() -> list[str]:
    """One process for HTTP and sockets. Nothing stands in front of it, so no proxy's headers are
    believed.
    """
    os.environ["DATABASE_POOL_SIZE"] = WEB_CONNECTIONS
    address = ["--host", os.environ["HOST"], "--port", os.environ["PORT"], "--workers", "1"]
    patience = [
        "--timeout-graceful-shutdown",
        "5",
        "--ws-ping-interval",
        "20",
        "--ws-ping-timeout",
        "20",
    ]
    # a compressor for each socket costs more than the sending
    plain = ["--ws-per-message-deflate", "false"]
    # Sockets take nothing, so little is kept of what somebody sends; of connections, more than a
    # house has screens.
    bounds = ["--ws-max-size", "2048", "--ws-max-queue", "2", "--limit-concurrency", "1000"]
    bounds += ["--http", "casino.live.heads:BoundedProtocol"]
    told = ["--no-proxy-headers", "--no-access-log"]
    return ["uvicorn", "casino.asgi:application", *address, *patience, *plain, *bounds, *told]


def _worker(*more: str) -> list[str]:
    return [
        "celery",
        "-A",
        "casino.celery",
        "worker",
        "--concurrency",
        "2",
        "--without-gossip",
        "--without-mingle",
        *more,
    ]


def _long() -> list[str]:
    return _worker("--queues", "long")


def _beat() -> list[str]:
    return ["celery", "-A", "casino.celery", "beat"]


COMMANDS = {"web": _web, "worker": _worker, "long": _long, "beat": _beat}


def _serve_postgres(root: Path) -> None:
    server = embedded_postgres(find_place(root))
    postgres.heal(server)
    command = server.command()
    os.chdir("/")
    server.account.become()
    os.execve(command[0], command, postgres.plain_environment())


def _serve_redis(root: Path) -> None:
    server = embedded_redis(find_place(root))
    end(lambda: servers_of(server.data), signal.SIGTERM, 5)
    command = server.command()
    os.chdir("/")
    server.account.become()
    os.execve(command[0], command, postgres.plain_environment())
