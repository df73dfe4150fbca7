"""The demo house's floor: a pit, four tables of Ultimate Texas Hold'em linked to one progressive, a
table of Black Jack beside them, chips in the trays.
"""

from django.db.models import Q

from jackpot.models import Jackpot
from jackpot.services import jackpot_create
from payouts.models import House, PostedState, PostedTable
from payouts.rules.ledger import recipes
from payouts.selectors import gaming_day_at
from payouts.services import recipe_post
from tables.models import Pit, Table
from tables.services import pit_create, table_create, table_link

TABLES, BLACKJACK = ("UTH 1", "UTH 2", "UTH 3", "UTH 4"), "Black Jack 1"
BOXES = 7
FLOOR = {"floor_rules": "Bad Ragaz", "calendar": "Rund um die Uhr"}
POSTED = {"uth_rules": "UTH 5–50", "blind": "UTH Blind", "trips": "UTH Trips"} | FLOOR
BLACKJACK_POSTED = {"blackjack_rules": "Black Jack", "box_limits": "Box 10–500"} | FLOOR
CAPITAL_MINOR, CHIPS_MINOR, FILL_MINOR = (
    200_000_000,
    150_000_000,
    5_000_000,
)  # two millions in cash, 50 000 in each tray


def demo_floor_load(house: House) -> None:
    """Furnish the demo house's floor, once. Its posted tables must be there."""
    tables = Table.objects.filter(house=house)
    if tables.exists():
        calendars = PostedTable.objects.filter(
            house=house, kind="calendar", name=POSTED["calendar"]
        )
        if calendars.filter(state=PostedState.APPROVED).exists():
            # An older demo house: its tables named the hours of the real one, and stayed shut in
            # the morning, or these in English
            for former in ("Bad Ragaz", "Round the clock"):
                tables.filter(posted=POSTED | {"calendar": former}).update(posted=POSTED)
        _blackjack(house, tables.earliest("position").pit)
        return
    _post(house, "capital_in", recipes.capital_in(CAPITAL_MINOR))
    _post(house, "chips_in_service", recipes.chips_in_service(CHIPS_MINOR))
    jackpot: Jackpot = jackpot_create(
        house_id=house.pk,
        name="Bad Ragaz Progressive",
        progressive="Bad Ragaz Progressive",
        funding="Bad Ragaz Progressive",
        rules="Bad Ragaz Progressive",
    )
    pit = pit_create(house_id=house.pk, name="Saal")
    for position, name in enumerate(TABLES, 1):
        table = _table(house, pit, name, "uth", POSTED, position)
        table_link(house_id=house.pk, table_id=table.pk, jackpot_id=jackpot.pk)
    _blackjack(house, pit)


def _blackjack(house: House, pit: Pit) -> None:
    """The table of Black Jack, once its rule set is released."""
    posted = PostedTable.objects.filter(house=house, kind="blackjack_rules", name="Black Jack")
    tables = Table.objects.filter(house=house)
    if tables.filter(Q(game="blackjack") | Q(name=BLACKJACK)).exists():
        return  # or an older house, in which somebody has set it up
    if not posted.filter(state=PostedState.APPROVED).exists():
        return
    _table(house, pit, BLACKJACK, "blackjack", BLACKJACK_POSTED, tables.count() + 1)


def _table(
    house: House, pit: Pit, name: str, game: str, posted: dict[str, str], position: int
) -> Table:
    """A table with chips in its tray."""
    table = table_create(
        house_id=house.pk,
        pit_id=pit.pk,
        name=name,
        game=game,
        boxes=BOXES,
        posted=posted,
        position=position,
    )
    _post(house, "fill", recipes.fill(FILL_MINOR), table)
    return table


def _post(house: House, kind: str, lines: list[recipes.Line], table: Table | None = None) -> None:
    owners = {"house": house.pk} | ({"table": table.pk} if table else {})
    recipe_post(
        house_id=house.pk,
        gaming_day=gaming_day_at(house_id=house.pk),
        key=f"demo:{kind}:{table.name if table else ''}",
        kind=kind,
        lines=lines,
        owners=owners,
    )
