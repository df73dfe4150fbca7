"""A house that takes its first inventory, and each refusal of one."""

from collections.abc import Callable
from typing import Any

import pytest

from payouts.errors import Refused
from payouts.models import Approval
from tables import errors, services
from tables.services.inventory.counted import HouseCount, TableCount, tables_to_count
from tests import floor as floors
from tests.cast import make_person
from tests.floor import Floor

DENOMINATIONS = (1_00, 2_50, 5_00, 10_00, 20_00, 25_00, 50_00, 100_00, 500_00, 1_000_00)
BANK = (2_50, 5_00, 10_00, 20_00, 50_00, 100_00, 500_00, 1_000_00)
# example 1 of the cage's worked examples: 36 600.00
OPENER = dict(zip(BANK, (40, 200, 150, 100, 60, 90, 20, 10), strict=True))
NONE = dict.fromkeys(DENOMINATIONS, 0)


class Counted(Floor):
    """A floor whose house was opened by amounts, with people who take the inventory."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        suffix = values.get("suffix", "")
        self.ada = make_person(f"ada{suffix}", "auditor", house=self.house)
        self.max = make_person(f"max{suffix}", "manager", house=self.house)


def count(floor: Counted, **changes: Any) -> HouseCount:
    """What was counted: in each tray the opener, in the vault hundreds and five hundreds, a hundred of each outside."""
    vault = NONE | {100_00: 7_000, 500_00: 60}
    tables = [
        TableCount(table.pk, OPENER, "Bad Ragaz", "Bad Ragaz", "50 000")
        for table in tables_to_count(house_id=floor.house.pk)
    ]
    issued = {value: 2 * pieces + vault[value] + 100 for value, pieces in (NONE | OPENER).items()}
    return HouseCount(46_000_000, vault, issued, tables)._replace(**changes)


def ask(floor: Counted, **changes: Any) -> Approval:
    """Changed by what each change makes of it."""
    by = {"reason": "opening of the counted books", "requester_id": floor.ines.pk}
    whole = count(floor, **changes)
    return floors.done(services.inventory_request, house_id=floor.house.pk, count=whole, **by)


def sign(floor: Counted, approval: Approval, *people: Any) -> str:
    """The state after these people, or both who may, have signed."""
    for person in people or (floor.ada, floor.max):
        by = {"signer_id": person.pk, "signer_roles": person.roles, "method": "totp"}
        ids = {"approval_id": approval.pk, "house_id": floor.house.pk, "payload_hash": approval.payload_hash}
        approval = floors.done(services.inventory_sign, **ids, **by)
    return approval.state


def closed() -> Counted:
    """Another house, in which nothing is open."""
    return Counted(linked=False, displays=0, suffix=".beside")


def done(_f: Any, _patch: pytest.MonkeyPatch) -> None:
    floor = closed()
    sign(floor, ask(floor))
    ask(floor)


def missing(_f: Any, _patch: pytest.MonkeyPatch) -> None:
    floor = closed()
    ask(floor, tables=count(floor).tables[1:])


def incomplete(_f: Any, _patch: pytest.MonkeyPatch) -> None:
    floor = closed()
    ask(floor, vault=dict.fromkeys(DENOMINATIONS[1:], 0))


CASES: dict[type[Refused], Callable[[Any, pytest.MonkeyPatch], Any]] = {
    errors.InventoryTablesOpen: lambda f, _: ask(f),
    errors.InventoryDone: done,
    errors.InventoryTableMissing: missing,
    errors.InventoryIncomplete: incomplete,
}
