"""What a tablet has to fetch before it shows a round."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.templatetags.static import static

from casino.tablet.round import MODULES, SHELL, VENDOR, imports, worker
from tables.games import GAMES

STATIC = Path(__file__).parents[3] / "casino" / "static"
MOST = 150_000  # bytes, compressed, without fonts


IMPORTED = re.compile(r'\b(?:from|import)[ (]"([\w@/-]+)"')


def needed(game: str) -> Iterator[Path]:
    """The scripts that a page of this game imports before it draws."""
    places = {name: STATIC / address.removeprefix(static("")) for name, address in imports(game).items()}
    names = ["tablet/frame/main"]
    for name in names:  # grows meanwhile
        names += [other for other in IMPORTED.findall(places[name].read_text()) if other not in names]
        yield places[name]


@pytest.mark.parametrize("game", GAMES)
def test_the_page_is_small(game: str) -> None:
    files = [STATIC / name for name in SHELL if not name.endswith(".woff2")]
    scripts = [*needed(game)]
    assert len(scripts) > 20
    assert sum(len(gzip.compress(path.read_bytes(), 6)) for path in [*files, *scripts]) < MOST


@pytest.mark.parametrize("demo", [False, True])
def test_the_worker_knows_every_file_that_it_keeps(rf, settings, demo: bool) -> None:
    settings.DEMO = demo
    source = worker(rf.get("/")).content.decode()
    files = json.loads(re.search(r"^const FILES = (.*);", source, re.MULTILINE)[1])
    assert len(files) == len(SHELL) + len(VENDOR) + len(MODULES) + demo > 40
    assert all(name.startswith("/static/casino/") for name in files)


def test_scripts_fit_on_a_few_screens() -> None:
    long = [path.name for path in (STATIC / "casino/tablet/app").rglob("*.js") if path.read_text().count("\n") > 400]
    assert long == []
