"""Early pytest plugin (`-p tests.servers`): throwaway PostgreSQL and Redis for this run, before Django reads its settings."""

import atexit
import os
import secrets
import shutil

from casino.launcher.embedded.throwaway import throwaway_servers
from payouts import seal_keys
from tests.memory import new_folder
from tests.zone import quiet_zone

folder = new_folder()
_context = throwaway_servers(folder, "track_commit_timestamp=on")  # a benchmark in short asks for it
servers = _context.__enter__()


def _stop() -> None:
    _context.__exit__(None, None, None)
    shutil.rmtree(folder, ignore_errors=True)


atexit.register(_stop)
seal_keys.make(folder / "seals" / "key.pem")

os.environ.update(
    DJANGO_SETTINGS_MODULE="tests.settings",
    SECRET_KEY=secrets.token_hex(32),
    SIGNATURE_KEY=secrets.token_hex(32),
    DATABASE_URL=servers.app_url,
    DATABASE_OWNER_URL=servers.owner_url,
    DATABASE_SEAL_URL=servers.seal_url,
    REDIS_URL=servers.redis_url,
    SAALCHEF_DEMO="0",
    SAALCHEF_DEMO_TIME_ZONE=quiet_zone(),
    SAALCHEF_HTTPS="0",
    SAALCHEF_INSTANCE="test",
    STATIC_ROOT=str(folder / "static"),
    LOG_LEVEL="WARNING",
    SEAL_KEY_PATH=str(folder / "seals" / "key.pem"),
)
