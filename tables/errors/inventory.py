"""What the first inventory refuses."""

from payouts.errors import Kind, mark
from tables.errors.floor import FloorRefused


class InventoryDone(FloorRefused):
    """A house has one."""

    code = "inventory.done"
    kind = Kind.CONFLICT
    rule = "CHP-4"
    sentence = mark("This house has its first inventory already.")
    remedy = mark("From now on differences come from counts of the places.")


class InventoryTablesOpen(FloorRefused):
    """Chips move while it is counted."""

    code = "inventory.tables_open"
    kind = Kind.CONFLICT
    rule = "CHP-2"
    sentence = mark("Chips may still move at: %(places)s.")
    remedy = mark("Close every table, and let the guests of the poker tables leave, then count.")


class InventoryTableMissing(FloorRefused):
    """A tray was left out, or is none of the house."""

    code = "inventory.table_missing"
    rule = "CHP-2"
    sentence = mark("Not every tray is counted once: %(places)s.")
    remedy = mark("Count every tray, also an empty one.")


class InventoryIncomplete(FloorRefused):
    """A denomination without a figure."""

    code = "inventory.incomplete"
    rule = "CHP-2"
    sentence = mark("%(where)s: the pieces of %(value_minor)s are missing.")
    remedy = mark("Enter 0 where there is none.")
