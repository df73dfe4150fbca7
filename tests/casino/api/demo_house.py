"""A demo house on a server and a database of its own, for what is typed or run against one."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from django.conf import settings

from tests import databases
from tests.browser.conftest import Server, _serve


def demo_house(database: str, django_db_blocker: Any) -> Iterator[Server]:
    """The server, with this process's ORM on the same database."""
    static = ["manage.py", "collectstatic", "--noinput", "-v0", "--ignore", "drf_spectacular_sidecar"]
    subprocess.run(
        [sys.executable, *static], cwd=settings.BASE_DIR, check=True
    )  # as the server names them, not the tests
    with django_db_blocker.unblock():
        for server in _serve(database, SAALCHEF_DEMO="1"):
            databases.use(server.database)
            try:
                yield server
            finally:
                databases.use("tests")
