"""What the house posts, as the API gives it: read here a second time, for books of our own (UTH,
PRG).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from casino.simulate.books.hands import FULL_HOUSE, NAMES

CATEGORY = {name: place for place, name in enumerate(NAMES)}


class NotPlayable(Exception):
    """The house posts something that these books do not know, or nothing at all."""


class Prize(NamedTuple):
    """What one category wins with the coin; amount None is the meter (PRG-3 to PRG-5)."""

    category: int
    amount: int | None
    hole_card: bool


@dataclass(frozen=True)
class GameRules:
    """The posted tables of one table of Ultimate Texas Hold'em. Amounts in minor units, odds as
    (pays, per) by category.
    """

    ante: tuple[int, int]
    trips: tuple[int, int]
    step: int
    multiples: tuple[int, ...]
    folds: bool  # who makes no Play folds (UTH-3)
    survive: bool  # side stakes of a folded box stay in play (UTH-10)
    round_to: int
    round_up: bool
    blind_odds: Mapping[int, tuple[int, int]]
    trips_odds: Mapping[int, tuple[int, int]]
    cards_from: int  # from this category on a box with a coin is settled from its cards
    approval_from: int  # a correction of a prize of so much needs an approval


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


def game_rules(posted: Posted, names: Mapping[str, str], day: str) -> GameRules:
    """The rules of a table whose posted tables have these names. Raises NotPlayable."""
    uth, floor = (posted.on_day(kind, names[kind], day) for kind in ("uth_rules", "floor_rules"))
    blind, trips = (posted.on_day(kind, names[kind], day) for kind in ("blind", "trips"))
    return GameRules(
        ante=(uth["ante_minimum_minor"], uth["ante_maximum_minor"]),
        trips=(uth["trips_minimum_minor"], uth["trips_maximum_minor"]),
        step=uth["stake_step"],
        multiples=tuple(uth["play_multiples"]),
        folds=uth["no_play"] == "fold",
        survive=uth["side_bets_survive_fold"],
        round_to=uth["odds_round_to"],
        round_up=uth["odds_round"] == "up",
        blind_odds=_odds(blind),
        trips_odds=_odds(trips),
        cards_from=CATEGORY.get(floor["cards_from"], FULL_HOUSE),
        approval_from=floor["approval_from_minor"],
    )


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


def _odds(data: Mapping[str, Any]) -> dict[int, tuple[int, int]]:
    found = {}
    for line in data["lines"]:
        pays, per = line["odds"].split(":")
        found[CATEGORY[line["hand"]]] = (int(pays), int(per))
    return found
