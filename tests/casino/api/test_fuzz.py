"""Anything at all, by everybody, to every operation: no 500, answers as the schema says, nobody gets in unasked.

Short here; `make fuzz` sends a hundred thousand (FUZZ_CALLS).
"""

import os
import time
from collections.abc import Iterator
from random import Random  # noqa: TID251  (hypothesis chooses its seed)

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.api.docs import _schema
from casino.live import snapshot
from tests.casino.api.fuzzing import NAMES, Fuzz, connection_kept
from tests.casino.api.ground import Ground

CALLS = int(os.environ.get("FUZZ_CALLS") or "1200")
LABELS = [(path, method) for path, methods in _schema()["paths"].items() for method in methods]
EACH = -(-CALLS // len(LABELS))


@pytest.fixture(scope="module")
def fuzz(ground: Ground) -> Iterator[Fuzz]:
    with connection_kept(), pytest.MonkeyPatch.context() as patch:
        # Every call is taken back, inside a transaction that began before: which one it is, it cannot say any more.
        patch.setattr(snapshot, "_ONE_MOMENT", "SELECT")
        yield Fuzz(ground)


@pytest.mark.parametrize("label", [f"{method.upper()} {path}" for path, method in LABELS])
def test_anything_is_answered_as_the_schema_says(fuzz: Fuzz, label: str) -> None:
    operation = next(one for one in fuzz.operations() if one.label == label)
    sent = st.tuples(st.sampled_from(NAMES), st.integers(0, 2**32), fuzz.cases(operation))

    @settings(
        max_examples=EACH,
        deadline=None,
        database=None,
        derandomize=not os.environ.get("FUZZ_CALLS"),
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(sent)
    def send(sent) -> None:
        name, seed, case = sent
        fuzz.send(case, name, Random(seed))

    before, began = fuzz.counted.total(), time.monotonic()
    send()
    print(f"{label}: {fuzz.counted.total() - before} calls, {time.monotonic() - began:.1f} s")


def test_the_calls_reached_something(fuzz: Fuzz) -> None:
    """Fuzz that is refused at the door proves little: commands were carried out, rules refused, nobody got in."""
    answered = {status for _name, status in fuzz.counted}
    print(f"{fuzz.counted.total()} calls: {dict(sorted(fuzz.counted.items()))}")
    assert fuzz.counted.total() >= CALLS * 0.9
    assert {name for name, _status in fuzz.counted} == set(NAMES) == set(fuzz.callers)
    assert {200, 400, 401, 403, 404, 409, 422} <= answered
    assert {status for name, status in fuzz.counted if name in ("nobody", "half signed in")} <= {401, 404}
