"""How gunicorn serves pages and API (`saalchef-web.service`); the unit says where."""

import os
import subprocess
import sys
from types import SimpleNamespace

from prometheus_client import multiprocess

wsgi_app = "casino.wsgi:application"
logger_class = "casino.ops.logs.GunicornLogger"
workers = 3
threads = 4
# A connection for each thread, kept from one request to the next; the application is loaded after
# the fork, so none is shared. Not by `raw_env`: gunicorn sets that after the logger, which has the
# settings read.
os.environ.setdefault("DATABASE_POOL_SIZE", str(threads))
timeout = 30  # seconds
control_socket_disable = True  # it would lie in a home that the unit may not see


def on_starting(_server: object) -> None:
    """Leave with the application's own status where it refuses to serve: 3 where starting again
    will not help (`casino.ops.startup`).

    Told by workers that all end in one moment, gunicorn may leave with 1 and be started for ever.
    The application is loaded in a process of its own, which counts nothing, and of which no worker
    inherits a connection or a thread.
    """
    alone = {
        name: value for name, value in os.environ.items() if name != "PROMETHEUS_MULTIPROC_DIR"
    }
    status = subprocess.run(
        [sys.executable, "-c", "import casino.wsgi"], env=alone, check=False
    ).returncode
    if status:
        sys.exit(status)


def child_exit(_server: object, worker: SimpleNamespace) -> None:
    """A worker ended: what it counted stays in the sums, its live gauges go."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.mark_process_dead(worker.pid)
