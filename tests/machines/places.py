"""Places and pieces by the model of `test_places.py`: what lies in a tray and in its drop boxes, and what the books should have.

Amounts are in minor units.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

from django.utils import timezone

from payouts.models import Count
from payouts.rules.cash import cash_values
from tables.models import TableSession
from tests.counts import OPENER, VALUES

AGAIN_FROM, EXPLAIN_FROM = 50_00, 25_00
NOTES = cash_values("CHF")


def pieces_for(amount_minor: int, stock: Counter[int] | None, values: tuple[int, ...] = VALUES) -> Counter[int] | None:
    """The fewest pieces, of those in stock (None: there are plenty); None where it does not come out."""
    given: Counter[int] = Counter()
    for value in sorted(values, reverse=True):
        number = amount_minor // value
        given[value] = number if stock is None else min(number, stock[value])
        amount_minor -= given[value] * value
    return None if amount_minor else given


def worth(pieces: Counter[int]) -> int:
    return sum(value * number for value, number in pieces.items())


@dataclass
class Left:
    """A signed count: what is left of its difference, and whether somebody must say why."""

    minor: int
    state: str = ""
    explained: int | None = None

    def __post_init__(self) -> None:
        self.follow(0)

    def follow(self, back_minor: int) -> None:
        """Set back by as much."""
        self.minor -= back_minor
        is_large = abs(self.minor) >= EXPLAIN_FROM
        if self.state == "open":
            self.state = "open" if is_large else "settled"
        elif is_large and self.minor != self.explained:
            self.state = "open"


@dataclass(eq=False)
class Evening:
    """A session of the table. `closer`: signed, and not given up."""

    row: TableSession
    is_open: bool = True
    closer: UUID | None = None


@dataclass(eq=False)
class DropBox:
    """`cash`: what lies in it; `booked`: what the books have of that; `late`: what they heard after it was taken."""

    cash: int = 0
    booked: int = 0
    late: list[int] = field(default_factory=list)
    count: Count | None = None
    is_signed: bool = False


@dataclass(eq=False, kw_only=True)
class Play:
    """A round with its outcome, or a buy-in. `takes`: what it takes out of the tray; `booked`: the books know of it."""

    evening: Evening
    takes: int
    box: DropBox
    outcome: str = ""
    at: datetime = field(default_factory=timezone.now)
    pk: UUID = field(default_factory=uuid4)
    booked: bool = True
    is_back: bool = False


@dataclass
class Places:
    """The tray with its books, the boxes, and what each signed count has left."""

    tray: Counter[int] = field(default_factory=lambda: Counter(dict(zip(VALUES, OPENER, strict=True))))
    books: int = 3_660_000
    boxes: list[DropBox] = field(default_factory=lambda: [DropBox()])
    left: dict[UUID, Left] = field(default_factory=dict)

    @property
    def box(self) -> DropBox:
        return self.boxes[-1]

    @property
    def drop(self) -> int:
        """What the books have in all boxes."""
        return sum(box.booked + sum(box.late) for box in self.boxes if not box.is_signed)

    def pays(self, amount_minor: int) -> bool:
        """Chips go out, or come in where it is below nothing."""
        pieces = pieces_for(abs(amount_minor), self.tray if amount_minor > 0 else None)
        if pieces is None:
            return False
        for value, number in pieces.items():
            self.tray[value] -= number if amount_minor > 0 else -number
        return True

    def book(self, play: Play, takes: int) -> None:
        """The books hear that so much left the tray: they move, or the closer of its session is set back."""
        if play.evening.closer is not None:
            self.left[play.evening.closer].follow(-takes)
        else:
            self.books -= takes
