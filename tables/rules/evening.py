"""What a table has won by its counts, beside what its rounds and hands say (RES-1)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvening:
    """A session of a table, in minor units. `game_minor` sums the lines of its rounds, without
    overrides; `boxes_minor` are chips of its coin and rake boxes; `drop_minor` is cash.

    >>> evening = TableEvening(opener_minor=100, closer_minor=130, drop_minor=50, game_minor=80)
    >>> evening.counted_minor, evening.recorded_minor, evening.difference_minor
    (80, 80, 0)
    """

    opener_minor: int
    closer_minor: int
    drop_minor: int
    fills_minor: int = 0
    credits_minor: int = 0
    boxes_minor: int = 0
    game_minor: int = 0
    coins_minor: int = 0
    fees_minor: int = 0
    prizes_minor: int = 0
    overrides_minor: int = 0
    faults_minor: int = 0

    @property
    def counted_minor(self) -> int:
        """What chips and cash say."""
        return (
            self.drop_minor
            + self.closer_minor
            + self.credits_minor
            + self.boxes_minor
            - self.opener_minor
            - self.fills_minor
        )

    @property
    def recorded_minor(self) -> int:
        """What rounds and hands say."""
        costs_minor = self.prizes_minor + self.overrides_minor + self.faults_minor
        return self.game_minor + self.coins_minor + self.fees_minor - costs_minor

    @property
    def difference_minor(self) -> int:
        """How far the counts are from the rounds."""
        return self.counted_minor - self.recorded_minor

    @property
    def hold_permille(self) -> int | None:
        """The counted result in thousandths of the drop, floored; None without a drop (RES-2)."""
        return self.counted_minor * 1000 // self.drop_minor if self.drop_minor else None
