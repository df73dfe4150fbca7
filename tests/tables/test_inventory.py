"""The first inventory: counted once with every table closed, signed, taken over into the books; from then on tables are counted."""

from typing import Any

from payouts.models import Account, Approval, Entry, Event, Inventory, Transfer
from payouts.rules.chips import worth
from payouts.rules.ledger import recipes
from payouts.selectors import chips_issued, gaming_day_at, transfer_is_free
from tables import services
from tables.models import Table, TableVersion
from tables.services.inventory.counted import HouseCount, TableCount, tables_to_count
from tests.cast import TABLE, make_person, post
from tests.floor import Floor, done
from tests.tables.audits import breached_here
from tests.tables.test_changes import refused
from tests.worlds import world

DENOMINATIONS = (1_00, 2_50, 5_00, 10_00, 20_00, 25_00, 50_00, 100_00, 500_00, 1_000_00)
BANK = (2_50, 5_00, 10_00, 20_00, 50_00, 100_00, 500_00, 1_000_00)
# example 1 of the cage's worked examples: 36 600.00
OPENER = dict(zip(BANK, (40, 200, 150, 100, 60, 90, 20, 10), strict=True))
NONE = dict.fromkeys(DENOMINATIONS, 0)


class Counted(Floor):
    """A floor whose house was opened by amounts, with people who take the inventory."""

    def __init__(self) -> None:
        super().__init__()
        self.ada = make_person("ada", "auditor", house=self.house)
        self.max = make_person("max", "manager", house=self.house)


pytestmark = world(Counted)


def count(floor: Counted, **changes: Any) -> HouseCount:
    """What was counted: 10 000 hundreds were ever issued, besides what a tray holds that was filled twice."""
    vault = NONE | {100_00: 7_000, 500_00: 60}
    tables = [
        TableCount(table.pk, OPENER, "Bad Ragaz", "Bad Ragaz", "50 000")
        for table in tables_to_count(house_id=floor.house.pk)
    ]
    issued = {value: 2 * pieces + vault[value] + 100 for value, pieces in (NONE | OPENER).items()}
    return HouseCount(46_000_000, vault, issued, tables)._replace(**changes)


def ask(floor: Counted, **changes: Any) -> Approval:
    by = {"reason": "opening of the counted books", "requester_id": floor.ines.pk}
    return done(services.inventory_request, house_id=floor.house.pk, count=count(floor, **changes), **by)


def sign(floor: Counted, approval: Approval, *people: Any) -> str:
    for person in people or (floor.ada, floor.max):
        by = {"signer_id": person.pk, "signer_roles": person.roles, "method": "totp"}
        ids = {"approval_id": approval.pk, "house_id": floor.house.pk, "payload_hash": approval.payload_hash}
        approval = done(services.inventory_sign, **ids, **by)
    return approval.state


def balances(floor: Counted) -> dict[str, int]:
    """Of the house by kind, and of the trays that were counted."""
    found: dict[str, int] = {}
    for kind, owner, balance in Account.objects.values_list("kind", "owner_id", "balance_minor"):
        name = "elsewhere" if (kind, owner) == ("tray", TABLE) else kind
        found[name] = found.get(name, 0) + balance
    return found


def test_every_place_becomes_what_was_counted_and_the_rest_is_outside(floor):
    before = balances(floor)
    approval = ask(floor)
    assert (approval.signers, sign(floor, approval, floor.ada)) == (2, "open")
    assert sign(floor, approval, floor.max) == "used"
    after, whole = balances(floor), count(floor)
    vault, issued, trays = worth(whole.vault), worth(whole.issued), 2 * worth(OPENER)
    outside = issued - vault - trays - before["elsewhere"]
    assert after == before | {
        "cage_cash": 46_000_000,
        "cage_chips": vault,
        "chip_stock": -issued,
        "tray": trays,
        "chips_outside": outside,
        "circulation": -outside,
        "inventory_difference": before["cage_cash"] - 46_000_000 + outside - before["chips_outside"],
    }
    assert chips_issued(house_id=floor.house.pk) == dict(whole.issued)
    kept = Inventory.objects.get()
    assert (kept.house_id, kept.gaming_day, kept.approval_id, kept.difference_minor) == (
        floor.house.pk, gaming_day_at(house_id=floor.house.pk), approval.pk, after["inventory_difference"],
    )  # fmt: skip
    assert breached_here() == {}


def test_its_tables_are_counted_from_their_next_opening_on(floor):
    approval = ask(floor)
    sign(floor, approval)
    names = {"chip_set": "Bad Ragaz", "cage_rules": "Bad Ragaz", "tray_float": "50 000"}
    for table in Table.objects.all():
        version = TableVersion.objects.get(table=table, number=2)
        assert (version.approval_id, version.posted) == (approval.pk, version.posted | names)
        assert (table.version, table.posted) == (2, version.posted)
    assert Event.objects.filter(name="table.version_made").count() == 2
    assert Event.objects.get(name="inventory.taken").actor_id == floor.max.pk


def test_once_and_for_the_figures_that_were_signed(floor):
    """What is booked meanwhile makes the count an old one; a second inventory there is none."""
    asked = ask(floor)
    sign(floor, asked, floor.ada)
    post(floor.house, "capital_in", recipes.capital_in(100))
    by = {"signer_id": floor.max.pk, "signer_roles": floor.max.roles, "method": "totp"}
    ids = {"approval_id": asked.pk, "house_id": floor.house.pk, "payload_hash": asked.payload_hash}
    assert refused(services.inventory_sign, **ids, **by) == "approval.changed"
    older = Transfer.objects.filter(kind="capital_in").latest("pk")
    assert transfer_is_free(older)
    sign(floor, ask(floor))
    assert not transfer_is_free(older)
    assert (
        refused(
            services.inventory_request,
            house_id=floor.house.pk,
            count=count(floor),
            reason="again",
            requester_id=floor.ines.pk,
        )
        == "inventory.done"
    )


def test_nothing_is_booked_where_all_is_as_the_books_say(floor):
    """Only the pieces come in, and the names."""
    sign(floor, ask(floor))
    assert Entry.objects.filter(transfer=Inventory.objects.get().transfer).count() > 0
