"""Five weeks of a house (`tests/scale`) in a benchmark's place, and the programs that are run against it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench.place import Bench, bench_place
from tests.zone import quiet_zone

ROOT = Path(__file__).parents[2]
FULL, LESS = 10_000_000, 100_000


class Desk:
    """Programs in the environment of the house."""

    def __init__(self, environment: dict[str, str], keys: Path) -> None:
        self.environment = os.environ | environment | {"SAALCHEF_DEMO_TIME_ZONE": quiet_zone()}
        self.environment |= {"SEAL_KEY_PATH": str(keys / "key.pem"), "DJANGO_SETTINGS_MODULE": "tests.settings"}

    def run(self, module: str, *values: str) -> Any:
        """What a program prints last."""
        done = subprocess.run(
            self.command(module, *values), check=True, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True
        )
        return json.loads(done.stdout.splitlines()[-1])

    def command(self, module: str, *values: str) -> list[str]:
        """How such a program is started."""
        return [sys.executable, "-W", "ignore", "-m", module, *values]


@dataclass(frozen=True)
class Weeks:
    """The house that was made. `at`: its id, its first and its last filled day."""

    place: Bench
    desk: Desk
    keys: Path
    at: tuple[str, str, str]
    stakes: int
    rounds: int


@contextmanager
def weeks() -> Iterator[Weeks]:
    """Make the house, of as many stakes as SCALE says."""
    asked = os.environ.get("SCALE") or str(LESS)
    with house_of(FULL if asked == "full" else int(asked)) as made:
        yield made


@contextmanager
def house_of(stakes: int) -> Iterator[Weeks]:
    """Make such a house of so many stakes."""
    with TemporaryDirectory() as folder, bench_place() as place:
        keys = Path(folder)
        desk = Desk(place.environment | {"SCALE_SUPERUSER_URL": place.servers.superuser_url}, keys)
        made = desk.run("tests.scale", str(stakes), str(keys))
        at = (made["house"], made["first"], made["last"])
        yield Weeks(place, desk, keys, at, made["stakes"], made["rounds"])
