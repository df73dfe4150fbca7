"""What a tablet has to fetch before it shows a round."""

import gzip
import json
import re
from pathlib import Path

from casino.tablet.round import MODULES, SHELL, VENDOR, worker

STATIC = Path(__file__).parents[3] / "casino" / "static"
MOST = 150_000  # bytes, compressed, without fonts


def test_the_page_is_small() -> None:
    files = [name for name in SHELL if not name.endswith(".woff2")]
    files += [f"casino/vendor/{name}.js" for name in VENDOR.values()]
    files += [f"casino/tablet/app/{name}.js" for name in MODULES]
    size = sum(len(gzip.compress((STATIC / name).read_bytes(), 6)) for name in files)
    assert size < MOST


def test_the_worker_knows_every_file_that_it_keeps(rf) -> None:
    source = worker(rf.get("/")).content.decode()
    files = json.loads(re.search(r"^const FILES = (.*);", source, re.MULTILINE)[1])
    assert len(files) == len(SHELL) + len(VENDOR) + len(MODULES) > 40
    assert all(name.startswith("/static/casino/") for name in files)


def test_scripts_fit_on_a_few_screens() -> None:
    long = [path.name for path in (STATIC / "casino/tablet/app").rglob("*.js") if path.read_text().count("\n") > 400]
    assert long == []
