"""The recipe of the first inventory: every place becomes what was counted there. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from payouts.rules.ledger.postings import whole_amount
from payouts.rules.ledger.recipes import Line, moving


class Found(NamedTuple):
    """What the books said of a place, and what was counted there (minor units)."""

    recorded_minor: int
    counted_minor: int

    @property
    def more_minor(self) -> int:
        """How much more was counted than recorded."""
        return whole_amount(self.counted_minor, least=0) - self.recorded_minor


NOWHERE: Mapping[str, Found] = {}


def inventory_first(
    *,
    cash: Found,
    issued: Found,
    vault: Found,
    trays: Mapping[str, Found] = NOWHERE,
    drops: Mapping[str, Found] = NOWHERE,
    troncs: Mapping[str, Found] = NOWHERE,
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
            *(Line("drop", one.more_minor, table=table) for table, one in drops.items()),
            Line("circulation", _more(troncs) - outside),
            *(Line("tronc", -one.more_minor, table=table) for table, one in troncs.items()),
            Line("inventory_difference", outside - more_cash),
            Line("chip_stock", -issued.more_minor),
            Line("cage_chips", vault.more_minor),
            *(Line("tray", one.more_minor, table=table) for table, one in trays.items()),
            Line("chips_outside", outside),
        ]
    )


def _more(places: Mapping[str, Found]) -> int:
    return sum(one.more_minor for one in places.values())
