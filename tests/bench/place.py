"""A place to measure in: throwaway servers with durability on, a migrated database, accounts to post on."""

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import psycopg

from casino.launcher.embedded import postgres
from casino.launcher.embedded.accounts import server_account
from casino.launcher.embedded.throwaway import ThrowawayServers, throwaway_servers

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Bench:
    """Servers, the environment that a Django process needs to use them, and pgbench."""

    servers: ThrowawayServers
    environment: dict[str, str]
    pgbench: str

    @property
    def pgbench_address(self) -> list[str]:
        """How pgbench reaches the database, as the owner: the app role may not write the books by itself."""
        link = psycopg.conninfo.conninfo_to_dict(self.servers.owner_url)
        return ["-h", str(link["host"]), "-U", str(link["user"]), str(link["dbname"])]

    def new_accounts(self, count: int) -> tuple[str, int]:
        """A house with `count` fresh accounts of consecutive ids; its id and the first account's."""
        house = str(uuid4())
        with psycopg.connect(self.servers.owner_url, autocommit=True) as link:
            link.execute(
                "INSERT INTO payouts_house (id, name, currency, locale, time_zone, gaming_day_change)"
                " VALUES (%s, %s, 'CHF', 'de-CH', 'Europe/Zurich', '06:00')",
                [house, f"Bench {house}"],
            )
            rows = link.execute(
                "INSERT INTO payouts_account (house_id, currency, kind, owner_id, side)"
                " SELECT %s, 'CHF', 'circulation', gen_random_uuid(), 'any' FROM generate_series(1, %s) RETURNING id",
                [house, count],
            ).fetchall()
        first = min(row[0] for row in rows)
        assert sorted(row[0] for row in rows) == list(range(first, first + count))
        return house, first


@contextmanager
def bench_place(*settings: str) -> Iterator[Bench]:
    """Start servers in a temporary folder (PostgreSQL with these settings besides), migrate, and stop them at the end."""
    with (
        tempfile.TemporaryDirectory(prefix="saalchef-bench-") as folder,
        throwaway_servers(Path(folder), *settings) as servers,
    ):
        environment = {
            "DJANGO_SETTINGS_MODULE": "casino.settings",
            "SECRET_KEY": secrets.token_hex(32),
            "SIGNATURE_KEY": secrets.token_hex(32),
            "DATABASE_URL": servers.app_url,
            "DATABASE_OWNER_URL": servers.owner_url,
            "REDIS_URL": servers.redis_url,
            "SAALCHEF_INSTANCE": "bench",  # cookies are named after it
            "LOG_LEVEL": "WARNING",
        }
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0"], check=True, cwd=ROOT, env=os.environ | environment
        )
        programs = postgres.find_programs(Path(folder), server_account(Path(folder)))
        yield Bench(servers, environment, str(programs / "pgbench"))
