"""Pits and tables, and which jackpot a table is linked to."""

from collections.abc import Mapping
from uuid import UUID, uuid4

from jackpot.errors import JackpotNotOpen, JackpotUnknown
from jackpot.models import Jackpot, Phase
from jackpot.services import epoch_accounts_open, jackpot_exclude
from payouts.db.constraints import refusing, require_transaction
from payouts.rules.ledger.chart import CHART
from payouts.rules.plain import check_name, check_whole
from payouts.services import AccountKey, accounts_open, event_record
from tables.errors import LevelNeedsJackpot, NameRefused, RoundRunning, TableRetired
from tables.games import GameUnknown, bank_game, game_of
from tables.models import Pit, Round, Table, TableSession
from tables.services.floor.changes import POSITION_MOST, TableSetUp, check_set_up, newest_version
from tables.services.parts import table_locked


def pit_create(
    *, house_id: UUID, name: str, position: int = 0, actor_id: UUID | None = None
) -> Pit:
    """Add a pit. Raises NameRefused, TextRefused, DataRefused."""
    require_transaction()
    check_name(name, "name", most=40)
    check_whole(position, "position", most=POSITION_MOST)
    with refusing({"pit_name_once": NameRefused(name=name)}):
        pit = Pit.objects.create(id=uuid4(), house_id=house_id, name=name, position=position)
    event_record("pit.created", pit, actor_id=actor_id, after={"name": name, "position": position})
    return pit


def table_create(
    *,
    house_id: UUID,
    pit_id: UUID,
    name: str,
    game: str,
    boxes: int,
    posted: Mapping[str, str],
    position: int = 0,
    actor_id: UUID | None = None,
) -> Table:
    """Add a table, its first version, and open its accounts. `posted`: by kind, the name of the
    posted table that counts there.

    Raises GameUnknown and as `check_set_up`.
    """
    require_transaction()
    dealt = game_of(game)
    if not dealt.levels:
        raise GameUnknown(game=game)
    set_up = TableSetUp(pit_id=pit_id, name=name, position=position, boxes=boxes, posted=posted)
    check_set_up(house_id, dealt, set_up)
    with refusing({"table_name_once": NameRefused(name=name)}):
        table = Table.objects.create(
            id=uuid4(),
            house_id=house_id,
            pit_id=pit_id,
            name=name,
            game=game,
            boxes=boxes,
            posted=dict(posted),
            position=position,
        )
    owned = [
        kind for kind in CHART.values() if kind.owner in ("table", "place") and not kind.detail
    ]
    accounts_open(house_id=house_id, keys=[AccountKey(kind.code, table.pk) for kind in owned])
    after = {"name": name, "game": game, "boxes": boxes, "posted": dict(posted)}
    event_record("table.created", table, actor_id=actor_id, after=after)
    return table


def table_link(
    *, house_id: UUID, table_id: UUID, jackpot_id: UUID | None, actor_id: UUID | None = None
) -> Table:
    """Link a table to a jackpot, to another one, or to none (None). A table has one progressive at
    most.

    Refused while a round is locked at the table or one of the jackpots is not open; a table may
    leave a closed or retired one. Locks old and new jackpot, then the table. Raises TableUnknown,
    JackpotUnknown, NoRounds, JackpotNotOpen, RoundRunning, LevelNeedsJackpot (coins alone are
    entered there), TableRetired.
    """
    require_transaction()
    if (
        jackpot_id is not None
        and not Jackpot.objects.filter(pk=jackpot_id, house_id=house_id).exists()
    ):
        raise JackpotUnknown  # before its lock: nobody holds up another house's tables
    before = (
        Table.objects.filter(pk=table_id, house_id=house_id)
        .values_list("jackpot_id", flat=True)
        .first()
    )
    for each in sorted({one for one in (before, jackpot_id) if one is not None}):
        jackpot_exclude(each)
    table = table_locked(house_id, table_id, expected_jackpot=before)
    if jackpot_id is not None:
        bank_game(table.game)
        if newest_version(table).retired:
            raise TableRetired(place=table.name)
    found = {
        one.pk: one
        for one in Jackpot.objects.filter(house_id=house_id, pk__in=[before, jackpot_id])
    }
    ended = [
        one
        for one in found.values()
        if one.pk != jackpot_id and one.phase in (Phase.CLOSED, Phase.RETIRED)
    ]
    if any(one.phase != Phase.OPEN and one not in ended for one in found.values()):
        raise JackpotNotOpen
    if Round.objects.filter(table=table, state=Round.State.LOCKED).exists():
        raise RoundRunning
    opened = TableSession.objects.filter(table=table, closed_at=None)
    if jackpot_id is None and opened.filter(entry_level="jackpot_only").exists():
        raise LevelNeedsJackpot
    table.jackpot_id = jackpot_id
    table.save(update_fields=["jackpot"])
    if jackpot_id is not None:
        epoch_id = found[jackpot_id].epoch_id
        if epoch_id is None:
            raise RuntimeError("a jackpot without an epoch")
        epoch_accounts_open(house_id=house_id, table_id=table.pk, epoch_id=epoch_id)
    event_record(
        "table.linked",
        table,
        actor_id=actor_id,
        before={"jackpot": str(before) if before else None},
        after={"jackpot": str(jackpot_id) if jackpot_id else None},
    )
    return table
