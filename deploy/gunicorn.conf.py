"""How gunicorn serves pages and API (`saalchef-web.service`); the unit says where."""

import os
from types import SimpleNamespace

from prometheus_client import multiprocess

wsgi_app = "casino.wsgi:application"
logger_class = "casino.logs.GunicornLogger"
workers = 3
threads = 4
# A connection for each thread, kept from one request to the next; the application is loaded after the fork, so none is shared.
# Not by `raw_env`: gunicorn sets that after the logger, which has the settings read.
os.environ.setdefault("DATABASE_POOL_SIZE", str(threads))
timeout = 30  # seconds


def child_exit(_server: object, worker: SimpleNamespace) -> None:
    """A worker ended: what it counted stays in the sums, what it alone was (its live gauges) goes."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.mark_process_dead(worker.pid)
