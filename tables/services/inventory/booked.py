"""What was counted as it is signed and as it is booked."""

from collections.abc import Mapping
from uuid import UUID

from payouts.models import Approval
from payouts.rules.chips import lines_of, pieces_of, worth
from payouts.rules.ledger.inventory import PlaceCount, inventory_first
from payouts.rules.ledger.postings import PostingEmpty
from payouts.rules.ledger.recipes import Line
from payouts.rules.plain import Json
from payouts.services import Listed, listed, lists_of
from tables.services.floor.changes import newest_version, set_up_of
from tables.services.inventory.counted import AT_TABLES, CheckedCount, HouseCount, TableCount

_HOUSE = {"cash": "cage_cash", "issued": "chip_stock", "vault": "cage_chips"}


def as_signed(checked: CheckedCount) -> Listed:
    """What was counted beside what the books said, and each table as it will be."""
    payload: dict[str, Json] = {
        "cash_minor": checked.whole.cash_minor,
        "recorded": {name: place.recorded_minor for name, place in _of_house(checked).items()},
        "difference_minor": sum(
            line.amount_minor
            for line in posted_lines(checked)
            if line.kind == "inventory_difference"
        ),
        "last_transfer": checked.last_transfer,
    }
    lists = {
        "vault": lines_of(checked.vault),
        "issued": lines_of(checked.issued),
        "tables": [_table_line(checked, table) for table in checked.whole.tables],
    }
    return listed(payload, lists)


def asked_count(approval: Approval) -> HouseCount:
    """What was counted, as it is asked for."""
    lists = lists_of(approval)
    return HouseCount(
        cash_minor=approval.payload["cash_minor"],
        vault=pieces_of(lists["vault"]),
        issued=pieces_of(lists["issued"]),
        tables=[
            TableCount(
                table_id=UUID(line["table"]),
                pieces=pieces_of(line["pieces"]),
                chip_set=line["chip_set"],
                cage_rules=line["cage_rules"],
                tray_float=line["tray_float"],
                drop_minor=line["drop_minor"],
                tronc_minor=line["tronc_minor"],
            )
            for line in lists["tables"]
        ],
    )


def posted_lines(checked: CheckedCount) -> list[Line]:
    """What is posted; nothing where all is as the books said."""
    tray, drop, tronc = (_of_tables(checked, kind) for kind in AT_TABLES)
    try:
        return inventory_first(**_of_house(checked), trays=tray, drops=drop, troncs=tronc)
    except PostingEmpty:
        return []


def as_counted(checked: CheckedCount) -> dict[tuple[str, UUID], int]:
    """What the books say once it is posted, as `recorded`: no account is opened for nothing."""
    counted = {
        (kind, checked.house_id): _of_house(checked)[name].counted_minor
        for name, kind in _HOUSE.items()
    }
    for kind in AT_TABLES:
        tables = _of_tables(checked, kind)
        counted |= {(kind, UUID(table)): place.counted_minor for table, place in tables.items()}
    return {
        place: minor
        for place, minor in {**checked.recorded, **counted}.items()
        if minor or place in checked.recorded
    }


def _of_house(checked: CheckedCount) -> dict[str, PlaceCount]:
    """Cash, chips ever issued, and chips in the vault."""
    counted = {
        "cash": checked.whole.cash_minor,
        "issued": worth(checked.issued),
        "vault": worth(checked.vault),
    }
    return {
        name: PlaceCount(checked.recorded.get((_HOUSE[name], checked.house_id), 0), minor)
        for name, minor in counted.items()
    }


def _of_tables(checked: CheckedCount, kind: str) -> dict[str, PlaceCount]:
    """Trays, drop boxes or tronc boxes by their tables."""
    return {
        str(table.table_id): PlaceCount(
            checked.recorded.get((kind, table.table_id), 0), _counted(checked, table)[kind]
        )
        for table in checked.whole.tables
    }


def _counted(checked: CheckedCount, one: TableCount) -> Mapping[str, int]:
    trays = checked.trays
    return {
        "tray": worth(trays[one.table_id]),
        "drop": one.drop_minor,
        "tronc": one.tronc_minor,
    }


def _table_line(checked: CheckedCount, one: TableCount) -> Json:
    """What was counted at a table. `after`: its next version, none where it stays as it is."""
    table = checked.tables[one.table_id]
    before = newest_version(table)
    after = checked.after.get(one.table_id)
    recorded: dict[str, Json] = {
        kind: checked.recorded.get((kind, one.table_id), 0) for kind in AT_TABLES
    }
    changes = after is not None and after.data() != set_up_of(before).data()
    return {
        "table": str(one.table_id),
        "name": table.name,
        "pieces": lines_of(checked.trays[one.table_id]),
        "chip_set": one.chip_set,
        "cage_rules": one.cage_rules,
        "tray_float": one.tray_float,
        "drop_minor": one.drop_minor,
        "tronc_minor": one.tronc_minor,
        "recorded": recorded,
        "number": before.number + 1,
        "after": after.data() if after and changes else None,
    }
