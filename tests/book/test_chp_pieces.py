"""The book's section CHP in the books of a house: chips come into service and go out by pieces, and every one lies somewhere."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any

from casino.people.models import Person
from payouts.models import Account, Approval, ChipMove, Event, Transfer
from payouts.rules.chips import worth
from payouts.rules.ledger import recipes
from payouts.rules.ledger.chart import POSITIONS
from payouts.selectors import chips_issued, transfer_is_free
from payouts.services import chips_request, chips_sign, recipe_post
from tables import services
from tests.cast import make_person
from tests.floor import done
from tests.tables.audits import breached_here
from tests.tables.inventory_cases import OPENER, Counted, ask, count, sign
from tests.tables.test_changes import refused
from tests.turns import each
from tests.worlds import world


class Vault(Counted):
    """A house with somebody at the cage."""

    def __init__(self) -> None:
        super().__init__(stocked=False, linked=False, displays=0)
        self.carla = make_person("carla", "cage", house=self.house)


pytestmark = world(Vault)


def asking(vault: Vault, kind: str, pieces: Any, **changes: Any) -> dict[str, Any]:
    usual = {"house_id": vault.house.pk, "reason": "delivery 4711", "requester_id": vault.ines.pk}
    return {"kind": kind, "pieces": pieces} | usual | changes


def signing(vault: Vault, approval: Approval, person: Person) -> dict[str, Any]:
    by = {"signer_id": person.pk, "signer_roles": person.roles, "method": "totp"}
    return {"approval_id": approval.pk, "house_id": vault.house.pk, "payload_hash": approval.payload_hash} | by


def moved(vault: Vault, kind: str, pieces: dict[int, int]) -> Approval:
    approval = done(chips_request, **asking(vault, kind, pieces))
    return done(chips_sign, **signing(vault, approval, vault.carla))


def books() -> dict[str, int]:
    """What is in the books of chips, but for nothing."""
    rows = Account.objects.filter(kind__in=POSITIONS).exclude(balance_minor=0)
    return dict(rows.values_list("kind", "balance_minor"))


def test_CHP_4_chips_come_into_service_by_pieces_with_two_people_of_two_roles(floor: Vault) -> None:
    request = done(chips_request, **asking(floor, "issue", {100_00: 50, 5_00: 200}))
    assert request.payload == {
        "kind": "issue",
        "lines": [{"value_minor": 5_00, "pieces": 200}, {"value_minor": 100_00, "pieces": 50}],
        "amount_minor": 6_000_00,
    }
    assert (request.signers, request.roles, request.method, books()) == (1, ["cage", "manager"], "totp", {})
    for person in (floor.ines, floor.reto, floor.tim):  # who request, and who has no role for it
        assert refused(chips_sign, **signing(floor, request, person)) == "approval.signer_refused"
    assert done(chips_sign, **signing(floor, request, floor.carla)).state == "used"
    assert books() == {"cage_chips": 6_000_00, "chip_stock": -6_000_00}
    moves = ChipMove.objects.order_by("value_minor").values_list(
        "kind", "value_minor", "pieces", "from_place", "to_place"
    )
    assert list(moves) == [("issue", 5_00, 200, "stock", "vault"), ("issue", 100_00, 50, "stock", "vault")]
    transfer = Transfer.objects.get(kind="chips_in_service")
    assert (transfer.kind, transfer.actor_id, transfer_is_free(transfer)) == ("chips_in_service", floor.carla.pk, False)
    assert Event.objects.get(name="chips.issued").after == {
        "lines": request.payload["lines"],
        "transfer_id": transfer.pk,
    }
    assert breached_here() == {}


def test_CHP_4_chips_go_out_by_pieces_and_no_more_than_came_in(floor: Vault) -> None:
    moved(floor, "issue", {100_00: 50, 5_00: 200})
    moved(floor, "withdraw", {100_00: 20})
    assert chips_issued(house_id=floor.house.pk) == {5_00: 200, 100_00: 30}
    assert books() == {"cage_chips": 4_000_00, "chip_stock": -4_000_00}
    assert Event.objects.get(name="chips.withdrawn").actor_id == floor.carla.pk
    assert refused(chips_request, **asking(floor, "withdraw", {100_00: 31})) == "chips.too_few"
    late = done(chips_request, **asking(floor, "withdraw", {100_00: 30}))
    newer = done(chips_request, **asking(floor, "withdraw", {5_00: 200}))  # takes the other's place
    assert refused(chips_sign, **signing(floor, late, floor.carla)) == "approval.closed"
    done(chips_sign, **signing(floor, newer, floor.carla))
    assert books() == {"cage_chips": 3_000_00, "chip_stock": -3_000_00}
    assert breached_here() == {}


def test_CHP_4_the_vault_gives_no_more_than_it_holds(floor: Vault) -> None:
    moved(floor, "issue", {100_00: 50})
    fill = {
        "house_id": floor.house.pk,
        "gaming_day": Transfer.objects.get(kind="chips_in_service").gaming_day,
        "kind": "fill",
    }
    owners = {"house": floor.house.pk, "table": floor.table.pk}
    done(recipe_post, **fill, key="fill", lines=recipes.fill(4_000_00), owners=owners)
    request = done(chips_request, **asking(floor, "withdraw", {100_00: 11}))
    assert refused(chips_sign, **signing(floor, request, floor.carla)) == "chips.too_few"


@each(
    ("pieces", "code"),
    [
        ({}, "chips.nothing"),
        (None, "chips.nothing"),
        ({100_00: 0}, "chips.pieces_wrong"),
        ({100_00: -1}, "chips.pieces_wrong"),
        ({100_00: 1.5}, "chips.pieces_wrong"),
        ({100_00: True}, "chips.pieces_wrong"),
        ({100_00: "5"}, "chips.pieces_wrong"),
        ({100_00: 100_001}, "chips.pieces_wrong"),
        ({3_00: 1}, "chips.not_of_set"),
    ],
)
def test_CHP_4_what_is_no_number_of_pieces_is_refused(floor: Vault, pieces: Any, code: str) -> None:
    for kind in ("issue", "withdraw"):
        assert refused(chips_request, **asking(floor, kind, pieces)) == code
    assert refused(chips_request, **asking(floor, "melt", {100_00: 1})) == "data.refused"


def test_CHP_2_every_chip_lies_in_one_place(floor: Vault) -> None:
    """After the first inventory stock is vault, trays and outside; what comes in later lies in the vault."""
    sign(floor, ask(floor))
    moved(floor, "issue", {100_00: 50})
    balances = books()
    assert balances["cage_chips"] + 2 * worth(OPENER) + balances["chips_outside"] == -balances["chip_stock"]
    assert balances["cage_chips"] == worth(count(floor).vault) + 5_000_00
    assert chips_issued(house_id=floor.house.pk) == count(floor).issued | {100_00: count(floor).issued[100_00] + 50}


def test_CHP_5_more_counted_than_was_ever_issued_is_told(floor: Vault) -> None:
    """Example 26: of the hundreds 260 are outside; twenty more than there are would be false chips."""
    whole = count(floor)
    issued = whole.issued | {100_00: 2_000}
    vault = whole.vault | {100_00: 2_000 - 2 * OPENER[100_00] + 20}
    by = {"house_id": floor.house.pk, "reason": "counted", "requester_id": floor.ines.pk}
    counted = whole._replace(issued=issued, vault=vault)
    assert refused(services.inventory_request, count=counted, **by) == "chips.too_many"
