"""The demo house's floor: a pit, four tables of Ultimate Texas Hold'em linked to one progressive, a
table of Black Jack and one of poker beside them, in each tray the chips of its float.
"""

from django.db.models import Q

from jackpot.models import Jackpot
from jackpot.services import jackpot_create
from payouts.models import House, PostedState, PostedTable
from payouts.models.chips import ChipMoveKind
from payouts.rules.chips import worth
from payouts.rules.ledger import recipes
from payouts.selectors import gaming_day_at
from payouts.services import recipe_post
from payouts.services.chips import chip_moves_write
from tables.models import Pit, Table
from tables.services import pit_create, table_create, table_link

TABLES = ("UTH 1", "UTH 2", "UTH 3", "UTH 4")
BOXES, SEATS = 7, 9
FLOOR = {"floor_rules": "Bad Ragaz", "calendar": "Rund um die Uhr"}
POSTED = {"uth_rules": "UTH 5–50", "blind": "UTH Blind", "trips": "UTH Trips"} | FLOOR
BLACKJACK_POSTED = {"blackjack_rules": "Black Jack", "box_limits": "Box 10–500"} | FLOOR
POKER_POSTED = {
    "poker_game": "NL 1/2",
    "poker_rules": "Bad Ragaz",
    "hand_rules": "Poker",
    "rake": "Poker",
} | FLOOR
# by what their trays are counted when they open and close
COUNTED = {"chip_set": "Bad Ragaz", "tray_float": "50 000", "cage_rules": "Bad Ragaz"}
POKER_COUNTED = COUNTED | {"chip_set": "Poker", "tray_float": "Poker 50 000"}
BESIDE = (
    ("Black Jack 1", "blackjack", BLACKJACK_POSTED | COUNTED, BOXES),
    ("Poker 1", "poker", POKER_POSTED | POKER_COUNTED, SEATS),
)
# pieces by denomination, of which each tray of the bank and that of poker get their float
CHIPS = {
    1_00: 2_000,
    2_50: 1_200,
    5_00: 6_000,
    10_00: 4_000,
    20_00: 3_000,
    25_00: 1_800,
    50_00: 2_000,
    100_00: 5_200,
    500_00: 1_000,
    1_000_00: 200,
}
CHIPS_MINOR = worth(CHIPS)
CAPITAL_MINOR, FILL_MINOR = 200_000_000, 5_000_000  # two millions in cash, 50 000 in each tray


def demo_floor_load(house: House) -> None:
    """Furnish the demo house's floor, once. Its posted tables must be there."""
    tables = Table.objects.filter(house=house)
    if tables.exists():
        _others(house, tables.earliest("position").pit)
        return
    _post(house, "capital_in", recipes.capital_in(CAPITAL_MINOR))
    chip_moves_write(
        house_id=house.pk,
        gaming_day=gaming_day_at(house_id=house.pk),
        kind=ChipMoveKind.ISSUE.value,
        pieces=CHIPS,
        transfer_id=_post(house, "chips_in_service", recipes.chips_in_service(CHIPS_MINOR)),
    )
    jackpot: Jackpot = jackpot_create(
        house_id=house.pk,
        name="Bad Ragaz Progressive",
        progressive="Bad Ragaz Progressive",
        funding="Bad Ragaz Progressive",
        rules="Bad Ragaz Progressive",
    )
    pit = pit_create(house_id=house.pk, name="Saal")
    for name in TABLES:
        table = _table(house, pit, name, "uth", POSTED | COUNTED)
        table_link(house_id=house.pk, table_id=table.pk, jackpot_id=jackpot.pk)
    _others(house, pit)


def _others(house: House, pit: Pit) -> None:
    """The tables of other games, each once its rule sets are released."""
    released = set(
        PostedTable.objects.filter(house=house, state=PostedState.APPROVED).values_list(
            "kind", "name"
        )
    )
    for name, game, posted, boxes in BESIDE:
        tables = Table.objects.filter(house=house)
        # in an older house somebody may have set one up
        dealt = tables.filter(Q(game=game) | Q(name=name)).exists()
        if not dealt and released.issuperset(posted.items()):
            _table(house, pit, name, game, posted, boxes=boxes)


def _table(
    house: House,
    pit: Pit,
    name: str,
    game: str,
    posted: dict[str, str],
    *,
    boxes: int = BOXES,
) -> Table:
    """A table with chips in its tray, the last so far."""
    position = Table.objects.filter(house=house).count() + 1
    table = table_create(
        house_id=house.pk,
        pit_id=pit.pk,
        name=name,
        game=game,
        boxes=boxes,
        posted=posted,
        position=position,
    )
    _post(house, "fill", recipes.fill(FILL_MINOR), table)
    return table


def _post(house: House, kind: str, lines: list[recipes.Line], table: Table | None = None) -> int:
    owners = {"house": house.pk} | ({"table": table.pk} if table else {})
    return recipe_post(
        house_id=house.pk,
        gaming_day=gaming_day_at(house_id=house.pk),
        key=f"demo:{kind}:{table.name if table else ''}",
        kind=kind,
        lines=lines,
        owners=owners,
    )
