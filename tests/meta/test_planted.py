"""The list of faults to plant is of today's files: each place is there once, and what it becomes is something else."""

from collections import Counter
from pathlib import Path

from tests.planted.__main__ import faults, planted

ROOT = Path(__file__).parents[2]


def test_every_fault_has_its_place():
    kinds = Counter(one["kind"] for one in faults() if planted(one, ROOT) != (ROOT / one["path"]).read_text())
    assert kinds == {"rules": 8, "services": 8, "edges": 8}
    assert [folder for one in faults() for folder in one["tests"] if not (ROOT / folder).is_dir()] == []
