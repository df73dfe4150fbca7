"""What the machines of the jackpot share: a house that each of their lives has a copy of, and no hint that does a step unasked."""

from collections.abc import Iterator
from typing import Any

import pytest

from jackpot import hints
from tests.databases import module_database
from tests.machines.asking import Patient


@pytest.fixture(scope="module")
def patients(django_db_setup: None, django_db_blocker: Any) -> Iterator[Patient]:
    with django_db_blocker.unblock(), module_database("patients") as name:
        yield Patient(name)


@pytest.fixture
def by_rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints._worker, "send", lambda jackpot_id: True)
