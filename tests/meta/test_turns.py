"""A turn that fails is told, the next ones are played all the same, and nothing that one wrote is there for the next."""

from collections.abc import Iterator
from contextlib import contextmanager

from payouts.models import House
from tests.cast import make_house
from tests.turns import each


class Told:
    """Stands for pytest's subtests, and keeps what failed."""

    def __init__(self) -> None:
        self.turns: list[tuple[dict[str, str], bool]] = []

    @contextmanager
    def test(self, **case: str) -> Iterator[None]:
        try:
            yield
        except AssertionError:
            self.turns.append((case, False))
        else:
            self.turns.append((case, True))


def test_all_that_fail_are_told_and_what_was_written_is_undone(db: None) -> None:
    @each("size", [1, 2])
    @each("name, fits", [("a", True), ("b", False)])
    def played(size: int, name: str, fits: bool) -> None:
        make_house(f"{name}{size}")
        assert House.objects.count() == 1
        assert fits

    told = Told()
    played(subtests=told)
    cases = [("1", "a", True), ("1", "b", False), ("2", "a", True), ("2", "b", False)]
    assert told.turns == [({"size": size, "name": name, "fits": str(fits)}, fits) for size, name, fits in cases]
    assert House.objects.count() == 0
