"""Before the doors open: the cash that the house puts into the cage, the chips that it puts into
service, and those in its trays.

One manager enters them, in their name, while the house has never played, as its first
people sign its first rules then.
"""

from uuid import UUID, uuid4

from django.db import connection

from payouts.db.constraints import require_transaction
from payouts.errors import Kind, Refused, mark
from payouts.models import ChipMove, House, Inventory
from payouts.rules.ledger import recipes
from payouts.rules.ledger.recipes import Line
from payouts.selectors import gaming_day_at
from payouts.services import recipe_post
from tables.models import Table


class OpeningOver(Refused):
    """The house has played or was counted: from then on its cash and chips move by what
    happens.
    """

    code = "house.opening_over"
    kind = Kind.CONFLICT
    sentence = mark("This house has played or was counted: its opening cash and chips are entered.")
    remedy = mark("Nothing is to be done here.")


class ChipsByThePiece(Refused):
    """Chips of this house have come in by the piece: no amount is added to them."""

    code = "house.chips_by_the_piece"
    kind = Kind.CONFLICT
    rule = "CHP-4"
    sentence = mark("The chips of this house come into service by the piece.")
    remedy = mark("Ask for further ones on the page of the chips.")


def opening_post(
    *, house: House, cash_minor: int, chips_minor: int, fill_minor: int, actor_id: UUID
) -> list[int]:
    """Post what was counted, each with the person's name: cash, chips, and so many of these into
    each tray. What is 0 is left out.

    Gives the transfers. Raises OpeningOver, ChipsByThePiece, AmountRefused, AccountOverdrawn (more
    in the trays than was put into service).
    """
    require_transaction()
    if not is_opening(house):
        raise OpeningOver
    if chips_minor and ChipMove.objects.filter(house=house).exists():
        raise ChipsByThePiece
    found = []
    if cash_minor:
        found.append(_post(house, "capital_in", recipes.capital_in(cash_minor), actor_id))
    if chips_minor:
        found.append(
            _post(house, "chips_in_service", recipes.chips_in_service(chips_minor), actor_id)
        )
    tables = Table.objects.filter(house=house, retired=False).order_by("pk") if fill_minor else ()
    return found + [
        _post(house, "fill", recipes.fill(fill_minor), actor_id, table.pk) for table in tables
    ]


def has_locked(house: House) -> bool:
    """Whether the house has ever locked a round or ended a hand. One statement."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT house_has_locked_v1(%s)", [house.pk])
        return bool(cursor.fetchone()[0])


def is_opening(house: House) -> bool:
    """Whether its opening cash and chips may still be entered: it has neither played nor taken its
    first inventory.
    """
    return not has_locked(house) and not Inventory.objects.filter(pk=house.pk).exists()


def _post(
    house: House, kind: str, lines: list[Line], actor_id: UUID, table_id: UUID | None = None
) -> int:
    owners = {"house": house.pk} | ({"table": table_id} if table_id else {})
    return recipe_post(
        house_id=house.pk,
        gaming_day=gaming_day_at(house_id=house.pk),
        key=f"opening:{uuid4()}",
        kind=kind,
        lines=lines,
        owners=owners,
        actor_id=actor_id,
    )
