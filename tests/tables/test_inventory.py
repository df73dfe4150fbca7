"""The first inventory: counted once with every table closed, signed, taken over into the books; from then on tables are counted."""

from typing import Any

from payouts.models import Account, Entry, Event, Inventory, Transfer
from payouts.rules.chips import worth
from payouts.rules.ledger import recipes
from payouts.selectors import chips_issued, gaming_day_at, transfer_is_free
from tables import services
from tables.models import Table, TableVersion
from tables.services.floor.changes import newest_version, set_up_of
from tables.services.inventory.counted import HouseCount, TableCount
from tests.cast import TABLE, make_person, post
from tests.floor import done
from tests.tables.audits import breached_here
from tests.tables.inventory_cases import DENOMINATIONS, OPENER, Counted, ask, count, sign
from tests.tables.test_changes import refused
from tests.turns import each
from tests.worlds import world

pytestmark = world(Counted)


def balances() -> dict[str, int]:
    """Of the house by kind; apart from the trays that were counted that of no table."""
    sums: dict[str, int] = {}
    for kind, owner, balance in Account.objects.values_list("kind", "owner_id", "balance_minor"):
        name = "elsewhere" if (kind, owner) == ("tray", TABLE) else kind
        sums[name] = sums.get(name, 0) + balance
    return sums


def refusal(floor: Counted, whole: HouseCount, **changes: Any) -> str:
    by = {"house_id": floor.house.pk, "reason": "counted", "requester_id": floor.ines.pk} | changes
    return refused(services.inventory_request, count=whole, **by)


def at_first_table(whole: HouseCount, **changes: Any) -> HouseCount:
    first, *others = whole.tables
    return whole._replace(tables=[first._replace(**changes), *others])


def test_every_place_becomes_what_was_counted_and_the_rest_is_outside(floor):
    before = balances()
    approval = ask(floor)
    assert (approval.signers, sign(floor, approval, floor.ada)) == (2, "open")
    assert sign(floor, approval, floor.max) == "used"
    after = balances()
    whole = count(floor)
    vault = worth(whole.vault)
    issued = worth(whole.issued)
    trays = 2 * worth(OPENER)
    outside = issued - vault - trays - before["elsewhere"]
    assert after == before | {
        "cage_cash": 46_000_000,
        "cage_chips": vault,
        "chip_stock": -issued,
        "tray": trays,
        "drop": before["drop"],
        "chips_outside": outside,
        "circulation": -outside,
        "inventory_difference": before["cage_cash"] - 46_000_000 + outside - before["chips_outside"],
    }
    assert chips_issued(house_id=floor.house.pk) == dict(whole.issued)
    inventory = Inventory.objects.get()
    assert (inventory.house_id, inventory.gaming_day) == (floor.house.pk, gaming_day_at(house_id=floor.house.pk))
    assert (inventory.approval_id, inventory.difference_minor) == (approval.pk, after["inventory_difference"])
    assert Event.objects.get(name="inventory.taken").actor_id == floor.max.pk
    assert breached_here() == {}


def test_boxes_are_taken_over_too(floor):
    """Cash in a drop box is the house's, chips in a tronc box the staff's."""
    sign(floor, ask(floor, tables=at_first_table(count(floor), drop_minor=200_00, tronc_minor=15_00).tables))
    table = count(floor).tables[0].table_id
    inventory = dict(
        Account.objects.filter(owner_id=table, kind__in=("drop", "tronc")).values_list("kind", "balance_minor")
    )
    assert inventory == {"drop": 200_00, "tronc": -15_00}
    assert breached_here() == {}


def test_its_tables_are_counted_from_their_next_opening_on(floor):
    approval = ask(floor)
    sign(floor, approval)
    names = {"chip_set": "Bad Ragaz", "cage_rules": "Bad Ragaz", "tray_float": "50 000"}
    for table in Table.objects.all():
        first, second = TableVersion.objects.filter(table=table).order_by("number")
        assert (second.approval_id, second.posted) == (approval.pk, first.posted | names)
        assert (table.version, table.posted) == (2, second.posted)


def test_once_and_for_the_figures_that_were_signed(floor):
    """What is booked meanwhile makes it an old count; a second inventory there is none, and nothing before it is taken back."""
    request = ask(floor)
    sign(floor, request, floor.ada)
    post(floor.house, "capital_in", recipes.capital_in(100))
    by = {"signer_id": floor.max.pk, "signer_roles": floor.max.roles, "method": "totp"}
    ids = {"approval_id": request.pk, "house_id": floor.house.pk, "payload_hash": request.payload_hash}
    assert refused(services.inventory_sign, **ids, **by) == "approval.changed"
    older = Transfer.objects.filter(kind="capital_in").latest("pk")
    assert transfer_is_free(older)
    sign(floor, ask(floor))
    assert not transfer_is_free(older)
    assert refusal(floor, count(floor)) == "inventory.done"


def test_nothing_is_booked_where_all_is_as_the_books_say(floor):
    """A house in which nothing was ever entered has nothing: no transfer, and the names count all the same."""
    bare = Counted(stocked=False, linked=False, displays=0, suffix=".bare")
    none = dict.fromkeys(DENOMINATIONS, 0)
    tables = [tray._replace(pieces=dict.fromkeys(OPENER, 0)) for tray in count(bare).tables]
    sign(bare, ask(bare, cash_minor=0, vault=none, issued=none, tables=tables))
    inventory = Inventory.objects.get(pk=bare.house.pk)
    assert (inventory.transfer_id, inventory.difference_minor) == (None, 0)
    assert not Entry.objects.filter(house_id=bare.house.pk).exclude(transfer__kind="seed").exists()
    assert {table.version for table in Table.objects.filter(house=bare.house)} == {2}


@each(
    ("changed", "code"),
    [
        (lambda whole: whole._replace(cash_minor=-1), "ledger.amount"),
        (lambda whole: whole._replace(cash_minor=1.5), "ledger.amount"),
        (lambda whole: whole._replace(vault=whole.vault | {100_00: -1}), "chips.pieces_wrong"),
        (lambda whole: whole._replace(vault=whole.vault | {100_00: 1.5}), "chips.pieces_wrong"),
        (lambda whole: whole._replace(issued=whole.issued | {100_00: 100_001}), "chips.pieces_wrong"),
        (lambda whole: whole._replace(vault=whole.vault | {3_00: 1}), "chips.not_of_set"),
        (lambda whole: whole._replace(vault=whole.vault | {100_00: 7_101}), "chips.too_many"),
        (lambda whole: whole._replace(tables=[*whole.tables, whole.tables[0]]), "inventory.table_missing"),
        (lambda whole: at_first_table(whole, pieces=OPENER | {1_00: 1}), "chips.not_of_set"),
        (lambda whole: at_first_table(whole, pieces={}), "inventory.incomplete"),
        (lambda whole: at_first_table(whole, chip_set="No such"), "table.posted_missing"),
        (lambda whole: at_first_table(whole, cage_rules="No such"), "table.posted_missing"),
        (lambda whole: at_first_table(whole, tray_float="No such"), "table.posted_missing"),
        (lambda whole: at_first_table(whole, drop_minor=-5), "ledger.amount"),
        (lambda whole: at_first_table(whole, tronc_minor=10**9), "chips.too_many"),
    ],
)
def test_what_is_no_count_is_refused(floor, changed, code):
    assert refusal(floor, changed(count(floor))) == code


def test_no_table_is_open_as_it_is_asked_for_and_as_it_is_signed(floor):
    request = ask(floor)
    sign(floor, request, floor.ada)
    floor.open(floor.other, floor.nora)
    assert refusal(floor, count(floor)) == "inventory.tables_open"
    by = {"signer_id": floor.max.pk, "signer_roles": floor.max.roles, "method": "totp"}
    ids = {"approval_id": request.pk, "house_id": floor.house.pk, "payload_hash": request.payload_hash}
    assert refused(services.inventory_sign, **ids, **by) == "inventory.tables_open"


def test_who_asked_and_other_roles_do_not_sign(floor):
    request = ask(floor)
    cage = make_person("carla", "cage", house=floor.house)
    for person in (floor.ines, cage, floor.tim):
        by = {"signer_id": person.pk, "signer_roles": person.roles, "method": "totp"}
        ids = {"approval_id": request.pk, "house_id": floor.house.pk, "payload_hash": request.payload_hash}
        assert refused(services.inventory_sign, **ids, **by) == "approval.signer_refused"


def test_what_a_retired_table_still_holds_is_counted(floor):
    """In any denomination; it names nothing new, for it opens no more."""
    gone = set_up_of(newest_version(floor.other))._replace(retired=True)
    done(
        services.table_change,
        house_id=floor.house.pk,
        table_id=floor.other.pk,
        set_up=gone,
        actor_id=floor.tim.pk,
    )
    left = TableCount(floor.other.pk, dict.fromkeys(DENOMINATIONS, 0) | {1_00: 40})
    tables = [left if tray.table_id == floor.other.pk else tray for tray in count(floor).tables]
    sign(floor, ask(floor, tables=tables))
    floor.other.refresh_from_db()
    assert (floor.other.version, Account.objects.get(kind="tray", owner_id=floor.other.pk).balance_minor) == (2, 40_00)
    assert breached_here() == {}
