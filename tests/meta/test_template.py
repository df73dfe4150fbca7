"""The tests' template, read from a dump: it is what the migrations make, and another one as soon as they change."""

import re
import subprocess

import psycopg
import pytest

from casino.launcher.embedded.postgres import OWNER, plain_environment
from tests import databases, template
from tests.servers import servers

# PostgreSQL writes a list of words with one cast for all, and after reading that with one for each.
CAST_AS_A_WHOLE = re.compile(r"\(ARRAY\[([^\]]*)\]\)::text\[\]")


def dumped(url: str) -> list[str]:
    run = [servers.programs / "pg_dump", url]
    told = subprocess.run(run, check=True, capture_output=True, text=True, env=plain_environment()).stdout
    told = CAST_AS_A_WHOLE.sub(cast_one_by_one, told)
    return [line for line in told.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]


def cast_one_by_one(found: re.Match[str]) -> str:
    words = ", ".join(f"({word})::text" for word in found[1].split(", "))
    return f"ARRAY[{words}]"


@pytest.fixture
def empty(django_db_setup):
    """An empty database of the owner; gives its URL."""
    with databases.owner("postgres") as link:
        link.execute(f"CREATE DATABASE template_empty OWNER {OWNER}")
    yield servers.owner_url.replace(f"/{databases.TEMPLATE}?", "/template_empty?")
    with databases.owner("postgres") as link:
        link.execute("DROP DATABASE template_empty")


def test_what_is_read_from_the_dump_is_what_was_dumped(empty, tmp_path):
    def no_migration():
        (tmp_path / "migrated").touch()
        with psycopg.connect(empty) as link:
            link.execute("CREATE TABLE made (id int PRIMARY KEY); INSERT INTO made VALUES (7)")

    assert template.restore(servers.programs, empty, no_migration, tmp_path) is True
    made = dumped(empty)
    with psycopg.connect(empty) as link:
        link.execute("DROP TABLE made")
    (tmp_path / "migrated").unlink()
    assert template.restore(servers.programs, empty, no_migration, tmp_path) is False
    assert not (tmp_path / "migrated").exists()
    assert dumped(empty) == made


def test_the_template_of_this_run_survives_its_own_dump(empty, tmp_path):
    """Tables, rows, triggers, functions and rights alike, whether this process migrated or read."""
    whole = dumped(servers.owner_url)
    (tmp_path / f"{template.made_from()}.sql").write_text("\n".join(whole) + "\n")
    assert template.restore(servers.programs, empty, lambda: pytest.fail("migrated"), tmp_path) is False
    assert dumped(empty) == whole
    assert sum(line.startswith("CREATE TRIGGER") for line in whole) > 50


def test_another_migration_makes_another_template(monkeypatch, tmp_path):
    root = tmp_path / "project"
    for path in template._files():
        there = root / path.relative_to(template.ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(path.read_bytes())
    monkeypatch.setattr(template, "ROOT", root)
    before = template.made_from()
    for name in ("tables/migrations/0099_more.py", "payouts/sql/more_v1.sql", "jackpot/models/more.py"):
        (root / name).touch()
        assert template.made_from() != before, name
        before = template.made_from()
    (root / "tables" / "errors.py").touch()
    assert template.made_from() == before


def test_a_place_that_others_may_write_to_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(template.tempfile, "gettempdir", lambda: str(tmp_path))
    place = template._place()
    assert template._place() == place
    place.chmod(0o770)
    with pytest.raises(PermissionError):
        template._place()


def test_the_oldest_dumps_go(tmp_path):
    for number in range(template.KEPT + 2):
        (tmp_path / f"{number:02}.sql").touch()
        template.os.utime(tmp_path / f"{number:02}.sql", (number, number))
    template._clear(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{one:02}.sql" for one in range(2, template.KEPT + 2)]
