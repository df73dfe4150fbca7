"""What the house posts, as the API gives it: read here a second time, for books of our own (PRG);
what belongs to one game stands with its settlement.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from casino.simulate.books.hands import NAMES

CATEGORY = {name: place for place, name in enumerate(NAMES)}


class NotPlayable(Exception):
    """The house posts something that these books do not know, or nothing at all."""


class Prize(NamedTuple):
    """What one category wins with the coin; amount None is the meter (PRG-3 to PRG-5)."""

    category: int
    amount: int | None
    hole_card: bool


@dataclass(frozen=True)
class JackpotRules:
    """Prizes, Envy and funding of the progressive (PRG)."""

    coin: int
    prizes: tuple[Prize, ...]
    shared_community: bool
    envy: int
    envy_leaves_box: bool  # the winning box alone is left out, not all boxes of its guest
    envy_on_community: bool
    unit: int
    at_claim: bool  # what was shown at the claim is won, not the epoch's total (PRG-12)
    to_meter: int
    to_reserve: int
    to_house: int
    seed: int
    cap: int | None


class Posted:
    """All released tables of the house, from the API's list."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self.rows = list(rows)

    def on_day(self, kind: str, name: str, day: str) -> dict[str, Any]:
        """The data in force on a gaming day. Raises NotPlayable."""
        begun = [
            row
            for row in self._named(kind, name)
            if row["in_force_from"] and row["in_force_from"] <= day
        ]
        return self._data(begun, "in_force_from", kind, name)

    def released_last(self, kind: str, name: str) -> dict[str, Any]:
        """The data that an epoch takes which opens now. Raises NotPlayable."""
        return self._data(self._named(kind, name), "released_at", kind, name)

    def _named(self, kind: str, name: str) -> list[Mapping[str, Any]]:
        return [row for row in self.rows if (row["kind"], row["name"]) == (kind, name)]

    @staticmethod
    def _data(rows: list[Mapping[str, Any]], newest: str, kind: str, name: str) -> dict[str, Any]:
        if not rows:
            raise NotPlayable(f"The house has released no “{name}” ({kind}).")
        data: dict[str, Any] = max(rows, key=lambda row: str(row[newest]))["data"]
        return data


def jackpot_rules(posted: Posted, jackpot: Mapping[str, Any]) -> JackpotRules:
    """The rules of a jackpot as the API shows it. Raises NotPlayable."""
    prizes = posted.released_last("progressive", jackpot["progressive"])
    funding = posted.released_last("funding", jackpot["funding"])
    if prizes["paid_by"] != "house" or prizes["envy_scope"] != "table":
        raise NotPlayable(
            f"“{jackpot['progressive']}” pays prizes from the meter, or Envy at other tables: our"
            " books do not know that."
        )
    return JackpotRules(
        coin=prizes["coin_minor"],
        prizes=tuple(
            Prize(CATEGORY[one["hand"]], one["amount_minor"], one["hole_card_required"])
            for one in prizes["prizes"]
        ),
        shared_community=prizes["community_royal"] == "shared",
        envy=prizes["envy_minor"],
        envy_leaves_box=prizes["envy_excludes"] == "winner_box",
        envy_on_community=prizes["envy_on_community_royal"],
        unit=prizes["payout_unit"],
        at_claim=prizes["award_amount"] == "shown_at_claim",
        to_meter=funding["meter_minor"],
        to_reserve=funding["reserve_minor"],
        to_house=funding["house_minor"],
        seed=funding["seed_minor"],
        cap=funding["cap_minor"],
    )
