"""The tests' template database: migrated once by whoever comes first, and read from its dump by every other process.

To migrate takes half a minute of computing, to read a dump a second. A dump is kept for the exact migrations, models, guards and
versions that it was made from, below the folder for temporary files; any change of one of them makes another one.
"""

import fcntl
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from casino.launcher.embedded.postgres import APP, DATABASE, plain_environment

ROOT = Path(__file__).parents[1]
APPS = ("casino", "tables", "jackpot", "payouts")
MADE_FROM = ("migrations/*.py", "sql/*", "models/*.py", "models*.py", "apps.py", "guards.py", "declared.py", "roles.py")
KEPT = 8  # dumps, a megabyte each


def restore(programs: Path, url: str, migrate: Callable[[], None], place: Path | None = None) -> bool:
    """Bring the empty database `url` to where `migrate` would bring it; whether `migrate` had to be called."""
    place = place or _place()
    dump = place / f"{made_from()}.sql"
    with (place / "lock").open("w") as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if not dump.exists():
            migrate()
            _dump(programs, url, dump)
            _clear(place)
            return True
    run = [
        programs / "psql",
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        "--output=/dev/null",
        f"--file={dump}",
        url,
    ]
    subprocess.run(run, check=True, env=plain_environment())
    return False


def made_from() -> str:
    """What the template depends on, hashed."""
    found = hashlib.sha256()
    for path in sorted(_files()):
        found.update(f"{path.relative_to(ROOT)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:32]


def _files() -> Iterator[Path]:
    yield ROOT / "requirements.txt"
    yield ROOT / "casino" / "settings.py"
    for app in APPS:
        for pattern in MADE_FROM:
            yield from (path for path in (ROOT / app).glob(pattern) if path.is_file())


def _place() -> Path:
    """A folder of this user alone: who could write there would write the tests' database."""
    place = Path(tempfile.gettempdir()) / f"saalchef-template-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    told = place.lstat()
    if (told.st_uid, told.st_mode & 0o777) != (os.getuid(), 0o700) or place.is_symlink():
        raise PermissionError(f"{place} belongs to somebody else, or others may write there: delete it")
    return place


def _dump(programs: Path, url: str, dump: Path) -> None:
    unfinished = dump.with_suffix(".part")
    run = [programs / "pg_dump", f"--file={unfinished}", url]
    subprocess.run(run, check=True, env=plain_environment())
    with unfinished.open("a") as file:  # a right of the database, which is not in its dump
        file.write(f"REVOKE TEMPORARY ON DATABASE {DATABASE} FROM PUBLIC, {APP};\n")
    unfinished.rename(dump)


def _clear(place: Path) -> None:
    for old in sorted(place.glob("*.sql"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        old.unlink()
