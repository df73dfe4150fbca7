"""The recipe of the first inventory: every place becomes what was counted there. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from payouts.rules.ledger.postings import whole_amount
from payouts.rules.ledger.recipes import Line, moving


class PlaceCount(NamedTuple):
    """What the books said of a place, and what was counted there (minor units)."""

    recorded_minor: int
    counted_minor: int

    @property
    def more_minor(self) -> int:
        """How much more was counted than recorded."""
        return whole_amount(self.counted_minor, least=0) - self.recorded_minor


NOWHERE: Mapping[str, PlaceCount] = {}


def inventory_first(
    *,
    cash: PlaceCount,
    issued: PlaceCount,
    vault: PlaceCount,
    trays: Mapping[str, PlaceCount] = NOWHERE,
    drops: Mapping[str, PlaceCount] = NOWHERE,
    troncs: Mapping[str, PlaceCount] = NOWHERE,
) -> list[Line]:
    """All chips ever issued, cash and chips in the cage, by table trays and boxes are as counted.

    What is issued and lies nowhere is outside, with the guests but for what the tronc boxes hold;
    the rest is a difference of its own, never the house's capital.
    """
    outside = issued.more_minor - vault.more_minor - _more(trays)
    more_cash = cash.more_minor + _more(drops)
    return moving(
        [
            Line("cage_cash", cash.more_minor),
            *(Line("drop", drop.more_minor, table=table) for table, drop in drops.items()),
            Line("circulation", _more(troncs) - outside),
            *(Line("tronc", -tronc.more_minor, table=table) for table, tronc in troncs.items()),
            Line("inventory_difference", outside - more_cash),
            Line("chip_stock", -issued.more_minor),
            Line("cage_chips", vault.more_minor),
            *(Line("tray", tray.more_minor, table=table) for table, tray in trays.items()),
            Line("chips_outside", outside),
        ]
    )


def _more(places: Mapping[str, PlaceCount]) -> int:
    return sum(place.more_minor for place in places.values())
