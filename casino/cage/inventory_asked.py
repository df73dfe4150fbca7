"""The page on which the first inventory is signed: each place as the books had it and as it was
counted, the pieces, and by what the tables are counted from then on.
"""

import json
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from casino.cage.chips_asked import details
from casino.cage.show import ChipLine, chip_lines, chips_of, worth_minor
from casino.people.models import Person
from casino.people.pages.asked import Kind
from payouts.models import Approval, House
from payouts.rules.chips import pieces_of, together, worth
from payouts.services import Listed, lists_of
from tables.services.inventory.take import FIRST


class CountedPlace(NamedTuple):
    """A place as the books had it and as it was counted (minor units)."""

    name: str
    recorded_minor: int
    counted_minor: int

    @property
    def more_minor(self) -> int:
        """How much more was counted."""
        return self.counted_minor - self.recorded_minor


class IssuedLine(NamedTuple):
    """A denomination: pieces ever issued, in the vault, in the trays, and outside."""

    chip: Any
    issued: int
    vault: int
    trays: int

    @property
    def outside(self) -> int:
        """What lies nowhere in the house."""
        return self.issued - self.vault - self.trays


class AskedTable(NamedTuple):
    """A table: its tray by the piece, and the names that it counts by from then on."""

    name: str
    lines: list[ChipLine]
    worth_minor: int
    names: list[str]


def inventory_details(house: House, payload: Any, lists: Any) -> dict[str, Any]:
    """What an inventory says, as it is signed."""
    vault = pieces_of(lists["vault"])
    issued = pieces_of(lists["issued"])
    trays = together(pieces_of(line["pieces"]) for line in lists["tables"])
    chips = chips_of(house, issued)
    return {
        "counted_places": _places(payload, lists),
        "difference_minor": payload["difference_minor"],
        "lines": [
            IssuedLine(chip, issued.get(value, 0), vault.get(value, 0), trays.get(value, 0))
            for value, chip in chips.items()
        ],
        "tables": [_table(line, chips) for line in lists["tables"]],
    }


def details_before(house: House, signed: Listed) -> dict[str, Any]:
    """The same of what is not asked for yet."""
    lists = {name: json.loads(text) for name, text in signed.lists.items()}
    return inventory_details(house, signed.payload, lists)


def _places(payload: Any, lists: Any) -> list[CountedPlace]:
    recorded = payload["recorded"]
    places = [
        CountedPlace(_("Cash in the vault"), recorded["cash"], payload["cash_minor"]),
        CountedPlace(_("Chips in the vault"), recorded["vault"], worth(pieces_of(lists["vault"]))),
    ]
    for line in lists["tables"]:
        books, name = line["recorded"], line["name"]
        counted = worth(pieces_of(line["pieces"]))
        places += [
            CountedPlace(_("%(table)s, tray") % {"table": name}, books["tray"], counted),
            CountedPlace(
                _("%(table)s, drop box") % {"table": name}, books["drop"], line["drop_minor"]
            ),
            CountedPlace(
                _("%(table)s, tronc box") % {"table": name}, books["tronc"], line["tronc_minor"]
            ),
        ]
    issued = worth(pieces_of(lists["issued"]))
    places.append(CountedPlace(_("Chips in service"), recorded["issued"], issued))
    return [place for place in places if place.recorded_minor or place.counted_minor]


def _table(line: Any, chips: Any) -> AskedTable:
    lines = chip_lines(chips, pieces_of(line["pieces"]))
    names = [line[kind] for kind in ("chip_set", "cage_rules", "tray_float") if line[kind]]
    return AskedTable(line["name"], lines, worth_minor(lines), names)


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    return details(approval, person) | inventory_details(
        approval.house, approval.payload, lists_of(approval)
    )


KIND = Kind(FIRST, "inventory-asked", "cage/inventory_asked.html", _details)
