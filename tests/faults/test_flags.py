"""What `make faults` and `make soak` cannot read ends with a sentence and 2, before anything is started."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults import __main__ as faults
from tests.faults import soak
from tests.faults.campaign import Campaign
from tests.faults.house import House
from tests.faults.report import again
from tests.faults.without import REWRITTEN, SERVED_BY, STATEMENTS


@pytest.mark.parametrize(
    ("main", "name", "value"),
    [
        (faults.main, "MINUTES", "0"),
        (faults.main, "MINUTES", "soon"),
        (faults.main, "SEED", "1.5"),
        (faults.main, "TABLES", "2"),
        (faults.main, "WITHOUT", "luck"),
        (faults.main, "ATTACKERS", "many"),
        (soak.main, "ROUNDS", "10"),
        (soak.main, "TABLES", "65"),
    ],
)
def test_a_wrong_value_ends_with_a_sentence_and_2(
    main: Callable[[], int], name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, value)
    assert main() == 2
    assert name in capsys.readouterr().out


def test_a_run_says_how_it_is_run_again() -> None:
    assert again(Campaign(7, 3.0)) == "make faults MINUTES=3 SEED=7"
    assert again(Campaign(7, 0.5, 12)) == "make faults MINUTES=0.5 SEED=7 TABLES=12"
    without = Campaign(7, 3.0, without="key", attackers=False)
    assert again(without) == "make faults MINUTES=3 SEED=7 WITHOUT=key ATTACKERS=0"


def test_a_house_without_a_guard_of_its_code_is_served_by_another_application(tmp_path: Path) -> None:
    commands = {}
    for guard in ("key", "nonce", "once"):
        (tmp_path / guard).mkdir()
        commands[guard] = House(tmp_path / guard, served_by=SERVED_BY.get(guard, "")).programs["web"].command
    whole = commands.pop("key")
    assert {guard: command[-1] for guard, command in commands.items()} == {
        "nonce": "tests.faults.unguarded:without('nonce')",
        "once": "tests.faults.unguarded:without('once')",
    }
    assert {len(command) for command in commands.values()} == {len(whole) + 1}
    assert set(SERVED_BY) < set(STATEMENTS) == set(REWRITTEN)
