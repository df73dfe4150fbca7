"""What a house posts about counts of its tables and about their differences."""

from dataclasses import dataclass
from typing import ClassVar

from payouts.rules.rulesets.schema import (
    BETWEEN,
    MAXIMUM_MINOR,
    Posted,
    choice,
    flag,
    whole,
    wrong,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CageRules(Posted):
    """`counts_required`: a table opens and closes on a signed count only. `interim`: when a tray is
    counted between the two.

    From `count_again_from_minor` on, a difference is counted a second time before anybody hears
    its amount; from `explain_from_minor` on it stays open until somebody explains it, from
    `report_from_minor` on together with a second person. `theft_kept_days`: how long words and
    names of an explanation as theft are kept.
    """

    KIND: ClassVar[str] = "cage_rules"

    counts_required: bool = flag(default=True)
    interim: str = choice("none", "relief", default="none")
    count_again_from_minor: int = whole(5_000, low=1)
    explain_from_minor: int = whole(2_500, low=1)
    report_from_minor: int = whole(10_000, low=1)
    theft_kept_days: int = whole(3_650, low=1, high=36_500)

    def verify(self) -> None:
        """What is reported is explained, too."""
        low, reported = self.explain_from_minor, self.report_from_minor
        if reported < low:
            where = "cage_rules.report_from_minor"
            raise wrong(where, reported, BETWEEN, low=low, high=MAXIMUM_MINOR)
