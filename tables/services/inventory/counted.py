"""What was counted, checked against the house."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import Max

from payouts.errors import mark
from payouts.models import Account, Inventory, Transfer
from payouts.rules.chips import (
    Pieces,
    TooManyOutside,
    check_none_over,
    check_of_set,
    check_pieces,
    together,
    worth,
)
from payouts.rules.ledger.postings import whole_amount
from payouts.selectors import chip_sets, chips_issued, gaming_day_at, posted_in_force
from tables.errors import (
    InventoryDone,
    InventoryIncomplete,
    InventoryTableMissing,
    InventoryTablesOpen,
    PostedMissing,
)
from tables.models import PokerStay, Table
from tables.services.floor.changes import TableSetUp, newest_version, set_up_of

# in a refusal the name of a table stands in their place
VAULT = mark("vault")
ISSUED = mark("ever put into service")
AT_TABLES = ("tray", "drop", "tronc")


class TableCount(NamedTuple):
    """What was counted at a table: the chips of its tray, cash in its drop box and chips in its
    tronc box (minor units); and the names of what it counts by from then on.
    """

    table_id: UUID
    pieces: Mapping[int, object]
    chip_set: str = ""
    cage_rules: str = ""
    tray_float: str = ""
    drop_minor: int = 0
    tronc_minor: int = 0


class HouseCount(NamedTuple):
    """All of it. `issued`: the pieces that were ever put into service, as the supplier's record
    has them.
    """

    cash_minor: int
    vault: Mapping[int, object]
    issued: Mapping[int, object]
    tables: Sequence[TableCount]


class CheckedCount(NamedTuple):
    """What was counted, beside what the books say by kind of account and owner. `after`: by table
    its new set-up; `last_transfer`: the number of the newest one.
    """

    house_id: UUID
    whole: HouseCount
    vault: Pieces
    issued: Pieces
    trays: dict[UUID, Pieces]
    recorded: Mapping[tuple[str, UUID], int]
    tables: Mapping[UUID, Table]
    after: Mapping[UUID, TableSetUp]
    last_transfer: int


class Denominations(NamedTuple):
    """`sets`: by name the values of the chip sets in force; `every`: these, and whatever else was
    put into service.
    """

    sets: Mapping[str, tuple[int, ...]]
    every: Sequence[int]


def denominations(*, house_id: UUID) -> Denominations:
    """What chips there are in a house. Three statements."""
    sets = {name: chips.values() for name, chips in chip_sets(house_id=house_id).items()}
    every = {value for values in sets.values() for value in values}
    return Denominations(sets, sorted(every | chips_issued(house_id=house_id).keys()))


def tables_to_count(*, house_id: UUID) -> list[Table]:
    """Those in use, and retired ones of which the books say that something lies there. Two
    statements.
    """
    left = Account.objects.filter(house_id=house_id, kind__in=AT_TABLES).exclude(balance_minor=0)
    some = set(left.values_list("owner_id", flat=True))
    rows = Table.objects.filter(house_id=house_id).select_related("pit").order_by("pk")
    return [table for table in rows if not table.retired or table.pk in some]


def hold_tables(house_id: UUID) -> dict[UUID, Table]:
    """All tables of a house, held until the transaction ends."""
    rows = Table.objects.select_for_update(no_key=True).filter(house_id=house_id).order_by("pk")
    return {table.pk: table for table in rows}


def check_count(house_id: UUID, count: HouseCount, tables: Mapping[UUID, Table]) -> CheckedCount:
    """Check what was counted against the house, whose tables are held.

    Raises InventoryDone, InventoryTablesOpen, InventoryTableMissing, InventoryIncomplete,
    PostedMissing, PiecesRefused, NotOfSet, ChipsTooMany, AmountRefused.
    """
    if Inventory.objects.filter(pk=house_id).exists():
        raise InventoryDone
    _check_closed(house_id, tables.values())
    _check_each_once(house_id, count, tables)
    chips = denominations(house_id=house_id)
    checked = CheckedCount(
        house_id=house_id,
        whole=count,
        vault=_whole(count.vault, chips.every, VAULT),
        issued=_whole(count.issued, chips.every, ISSUED),
        trays={
            counted.table_id: _tray(counted, tables[counted.table_id], chips)
            for counted in count.tables
        },
        recorded=recorded(house_id),
        tables=tables,
        after={
            counted.table_id: _named(counted, tables[counted.table_id])
            for counted in count.tables
            if not tables[counted.table_id].retired
        },
        last_transfer=_last_transfer(house_id),
    )
    check_none_over(together([checked.vault, *checked.trays.values()]), checked.issued)
    _check_amounts(checked)
    return checked


def recorded(house_id: UUID) -> dict[tuple[str, UUID], int]:
    """What the books say, by kind of account and owner, as somebody counts it: never a credit."""
    kinds = ("cage_cash", "cage_chips", "chip_stock", *AT_TABLES)
    rows = Account.objects.filter(house_id=house_id, kind__in=kinds)
    return {
        (kind, owner): -balance if kind in ("chip_stock", "tronc") else balance
        for kind, owner, balance in rows.values_list("kind", "owner_id", "balance_minor")
    }


def _last_transfer(house_id: UUID) -> int:
    newest = Transfer.objects.filter(house_id=house_id).aggregate(last=Max("pk"))["last"]
    return newest or 0


def _check_closed(house_id: UUID, tables: Iterable[Table]) -> None:
    stays = PokerStay.objects.filter(house_id=house_id, left_at=None)
    staying = set(stays.values_list("guest__session__table_id", flat=True))
    moving = [table.name for table in tables if table.session_id or table.pk in staying]
    if moving:
        raise InventoryTablesOpen(places=", ".join(sorted(moving)))


def _check_each_once(house_id: UUID, count: HouseCount, tables: Mapping[UUID, Table]) -> None:
    """Each table to be counted stands there once, and no other does."""
    given = [counted.table_id for counted in count.tables]
    needed = [table.pk for table in tables_to_count(house_id=house_id)]
    if sorted(given) == needed:
        return
    twice = {table_id for table_id in given if given.count(table_id) > 1}
    names = {
        tables[table_id].name if table_id in tables else str(table_id)
        for table_id in {*given} ^ {*needed} | twice
    }
    raise InventoryTableMissing(places=", ".join(sorted(names)))


def _whole(pieces: Mapping[int, object], values: Sequence[int], place: str) -> Pieces:
    """The pieces at a place, a figure for each of these values and for no other."""
    check_of_set(pieces, values)
    for value in values:
        if value not in pieces:
            raise InventoryIncomplete(where=place, value_minor=value)
    return check_pieces(pieces, least=0) if values else {}


def _tray(one: TableCount, table: Table, chips: Denominations) -> Pieces:
    """Of a retired table in any denomination, of any other in those of the set that it names."""
    if table.retired:
        return _whole(one.pieces, chips.every, table.name)
    if one.chip_set not in chips.sets:
        raise PostedMissing(name=one.chip_set, kind="chip_set")
    return _whole(one.pieces, chips.sets[one.chip_set], table.name)


def _named(one: TableCount, table: Table) -> TableSetUp:
    """The table as it will be, with the names of what it counts by."""
    day = gaming_day_at(house_id=table.house_id)
    names = {"cage_rules": one.cage_rules}
    names |= {"tray_float": one.tray_float} if one.tray_float else {}
    for kind, name in names.items():
        if not posted_in_force(house_id=table.house_id, kind=kind, name=name, day=day):
            raise PostedMissing(name=name, kind=kind)
    set_up = set_up_of(newest_version(table))
    posted = {kind: name for kind, name in set_up.posted.items() if kind != "tray_float"}
    return set_up._replace(posted={**posted, "chip_set": one.chip_set, **names})


def _check_amounts(checked: CheckedCount) -> None:
    """Amounts are whole and none below nothing; tronc boxes hold no more than is outside."""
    whole_amount(checked.whole.cash_minor, least=0)
    troncs = 0
    for counted in checked.whole.tables:
        whole_amount(counted.drop_minor, least=0)
        troncs += whole_amount(counted.tronc_minor, least=0)
    inside = worth(together([checked.vault, *checked.trays.values()]))
    if troncs > worth(checked.issued) - inside:
        raise TooManyOutside(amount_minor=troncs)
