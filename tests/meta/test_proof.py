"""`make proof ARGS=show`: on which commit a group was last green, and what touches it since."""

import pytest

from tests import proof
from tests.groups import PROOF

FILES = {
    "casino/pit/alerts.py": {*PROOF},
    "templates/base.html": {*PROOF},
    "tests/floor.py": {*PROOF},
    "tests/casino/live/places.py": {*PROOF},
    "docs/API.md": {"live"},
    "tests/casino/live/test_hub.py": {"live"},
    "tests/payouts/test_idempotency.py": {"live", "fuzz"},  # two of its tests are in a group, the others in the gate
    "tests/payouts/test_ledger.py": {"fuzz"},
    "tests/browser/look/test_print.py": {"browser-look"},
}


def test_a_file_touches_every_group_but_tests_and_pages_their_own() -> None:
    touched = {file: {group for group in PROOF if proof.touching(group, [file])} for file in FILES}
    assert touched == FILES


def test_show_names_the_commit_and_what_touches_a_group_since(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"a" * 40: ["casino/x.py", "docs/API.md", "tests/scale/test_weeks.py"], "b" * 40: []}
    monkeypatch.setattr(proof, "changed_since", files.__getitem__)
    monkeypatch.setattr(proof, "_git", lambda *_words: "3")
    monkeypatch.setattr(proof, "PROOF", ("live", "scale", "model", "bench"))
    row = {"seconds": 60, "passed": 2, "red": [], "unsteady": [], "broken": False, "commit": "c" * 40}
    first, second = ({"commit": letter * 40, "at": "2026-11-27 12:00"} for letter in "ab")
    proof.show(
        {
            "live": row | {"green": True, "last_green": first},
            "scale": row | {"green": False, "last_green": first, "red": ["tests/scale/test_weeks.py::test_it"]},
            "model": row | {"green": True, "last_green": second},
        }
    )
    assert capsys.readouterr().out.splitlines() == [
        "live           green    60 s     2 passed, 3 commits ago; last seen green 2026-11-27 12:00 (aaaaaaaaaa)",
        "               touched since by casino/x.py, docs/API.md",
        "scale          RED      60 s     2 passed, 3 commits ago; last seen green 2026-11-27 12:00 (aaaaaaaaaa)",
        "               touched since by casino/x.py, tests/scale/test_weeks.py",
        "               red: tests/scale/test_weeks.py::test_it",
        "model          green    60 s     2 passed, 3 commits ago; last seen green 2026-11-27 12:00 (bbbbbbbbbb)",
        "               touched since by nothing",
        "bench          never run here",
    ]
