"""A table changes: its name, its place, its boxes, the names of what is posted at it; it retires.
As versions, the newest of which comes in force when the table is closed, so with its next opening.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID, uuid4

from django.db import connection

from payouts.db.constraints import refusing, require_transaction
from payouts.errors import mark
from payouts.models import Approval
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import DataRefused, Json, check_name, check_text, check_whole
from payouts.selectors import house_now, posted_in_force
from payouts.services import (
    approval_request,
    approval_sign,
    approval_signed,
    approval_use,
    event_record,
)
from tables.errors import (
    LayoutRefused,
    NameRefused,
    PitUnknown,
    PostedNamesRefused,
    TableLinked,
    TableOpened,
    TableUnchanged,
)
from tables.games import Game, game_of
from tables.models import Pit, Table, TableSession, TableVersion
from tables.services.parts import COUNT_KINDS, FLOOR_KINDS, posted_of, table_locked

CHANGE = "table.change"
POSITION_MOST = 32_767
_NAMES = "SELECT pg_advisory_xact_lock(hashtextextended('names of tables of ' || %s, 0))"
_NAME_GIVEN = """
    SELECT EXISTS (SELECT FROM tables_table t WHERE t.house_id = %s AND t.id IS DISTINCT FROM %s
        AND (t.name = %s OR (SELECT v.name FROM tables_tableversion v WHERE v.table_id = t.id
            ORDER BY v.number DESC LIMIT 1) = %s))
"""


class TableSetUp(NamedTuple):
    """What a version says of a table. `position`: its place in the pit; `posted`: by kind, the name
    of the posted table that counts there; `retired`: it opens no more.
    """

    pit_id: UUID
    name: str
    position: int
    boxes: int
    posted: Mapping[str, str]
    retired: bool = False

    def data(self) -> dict[str, Json]:
        """As it is signed and logged."""
        return {
            "pit": str(self.pit_id),
            "name": self.name,
            "position": self.position,
            "boxes": self.boxes,
            "posted": dict(self.posted),
            "retired": self.retired,
        }


def set_up_of(version: TableVersion | Table) -> TableSetUp:
    """What a version says, or a table's row."""
    return TableSetUp(
        pit_id=version.pit_id,
        name=version.name,
        position=version.position,
        boxes=version.boxes,
        posted=version.posted,
        retired=version.retired,
    )


def check_set_up(
    house_id: UUID, game: Game, set_up: TableSetUp, *, table_id: UUID | None = None
) -> None:
    """What a table of this game may be, and that its name is free until the transaction ends.

    Raises PitUnknown, LayoutRefused, PostedNamesRefused, PostedRefused, NameRefused, TextRefused,
    DataRefused.
    """
    check_name(set_up.name, "name", most=40)
    check_whole(set_up.position, "position", most=POSITION_MOST)
    if type(set_up.retired) is not bool:
        raise DataRefused(field="retired", why=mark("neither true nor false"))
    if not Pit.objects.filter(pk=set_up.pit_id, house_id=house_id).exists():
        raise PitUnknown
    boxes, posted = set_up.boxes, set_up.posted
    if type(boxes) is not int or not game.players_least <= boxes <= game.boxes_most:
        raise LayoutRefused(least=game.players_least, most=game.boxes_most)
    kinds = (*game.posted, *FLOOR_KINDS)
    may = {*kinds, *game.optional, *COUNT_KINDS}
    if not isinstance(posted, Mapping) or not {*kinds} <= {*posted} <= may:
        raise PostedNamesRefused(kinds=", ".join(kinds))
    for kind in posted:
        check_text(posted[kind], kind, least=2, most=60)
    _check_fit(house_id, game, posted)
    _check_name_free(house_id, set_up.name, table_id)


def _check_fit(house_id: UUID, game: Game, posted: Mapping[str, str]) -> None:
    """As the opening of a table does, once a version of each name is in force. Raises
    PostedRefused.
    """
    day = house_now(house_id=house_id).day
    versions = [
        str(begun.pk)
        for kind, name in posted.items()
        if (begun := posted_in_force(house_id=house_id, kind=kind, name=name, day=day))
    ]
    if len(versions) == len(posted):
        game.fit(posted_of(versions))


def _check_name_free(house_id: UUID, name: str, table_id: UUID | None) -> None:
    """A name that a table has, or will have from its next opening on, is not given again: a table
    that closes takes the name that was signed for it. Raises NameRefused.
    """
    with connection.cursor() as cursor:
        cursor.execute(_NAMES, [str(house_id)])
        cursor.execute(_NAME_GIVEN, [house_id, table_id, name, name])
        [(is_given,)] = cursor.fetchall()
        if is_given:
            raise NameRefused(name=name)


def table_change(
    *, house_id: UUID, table_id: UUID, set_up: TableSetUp, actor_id: UUID
) -> TableVersion:
    """Put a table right that was never opened: at once, without signatures, as it was made.

    Raises TableUnknown, TableOpened, TableUnchanged, TableLinked and as `check_set_up`.
    """
    require_transaction()
    table = table_locked(house_id, table_id, any_jackpot=True)
    if TableSession.objects.filter(table=table).exists():
        raise TableOpened
    before = _check_change(table, set_up)
    return _version_add(table, before, set_up, approval=None, actor_id=actor_id)


def table_change_request(
    *, house_id: UUID, table_id: UUID, set_up: TableSetUp, reason: str, requester_id: UUID
) -> Approval:
    """Ask for what a table is to be from its next opening on.

    Raises TableUnknown, TableUnchanged, TableLinked, as `check_set_up` and as the request.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    table = table_locked(house_id, table_id, any_jackpot=True)
    before = _check_change(table, set_up)
    return approval_request(
        house_id=house_id,
        action=CHANGE,
        subject_kind="table",
        subject_id=table_id,
        payload=_payload(before, set_up),
        revision=before.number + 1,
        requester_id=requester_id,
        reason=reason,
    )


def table_change_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign a change of a table; the last signature makes the version in the same transaction, in
    force at once where the table is closed.

    Raises ApprovalUnknown (also of another action), as `table_change_request`, `approval_sign` and
    `approval_use`.
    """
    require_transaction()
    request = Approval.objects.filter(pk=approval_id, house_id=house_id, action=CHANGE).first()
    if request is None:
        raise ApprovalUnknown
    table = table_locked(house_id, UUID(request.subject_id), any_jackpot=True)
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval_signed(approval) < approval.signers:
        return approval
    set_up = asked_set_up(approval.payload["after"])
    before = _check_change(table, set_up)
    used = approval_use(
        approval_id=approval.pk,
        house_id=house_id,
        action=CHANGE,
        subject_kind="table",
        subject_id=table.pk,
        payload=_payload(before, set_up),
        revision=before.number + 1,
        actor_id=signer_id,
    )
    _version_add(table, before, set_up, approval=used, actor_id=signer_id)
    return used


def version_take(table: Table, *, actor_id: UUID) -> None:
    """Let the newest version of a closed table, its row held, come in force."""
    newest = newest_version(table)
    if newest.number == table.version:
        return
    before = {"version": table.version, **set_up_of(table).data()}
    table.version = newest.number
    for name in TableSetUp._fields:
        setattr(table, name, getattr(newest, name))
    table.save(update_fields=["version", "pit", *TableSetUp._fields[1:]])
    after = {"version": newest.number, **set_up_of(newest).data()}
    event_record("table.changed", table, actor_id=actor_id, before=before, after=after)


def asked_set_up(after: Mapping[str, Json]) -> TableSetUp:
    """The set-up that an approval names."""
    values = dict(after)
    return TableSetUp(pit_id=UUID(str(values.pop("pit"))), **values)  # type: ignore[arg-type]


def newest_version(table: Table) -> TableVersion:
    """The version that counts from the table's next opening on."""
    return TableVersion.objects.filter(table=table).latest("number")


def _check_change(table: Table, set_up: TableSetUp) -> TableVersion:
    """The version that changes, the table's row held. Raises TableUnchanged, TableLinked and as
    `check_set_up`.
    """
    check_set_up(table.house_id, game_of(table.game), set_up, table_id=table.pk)
    before = newest_version(table)
    if set_up_of(before).data() == set_up.data():
        raise TableUnchanged
    if set_up.retired and table.jackpot_id:
        raise TableLinked(place=table.name)
    return before


def _payload(before: TableVersion, set_up: TableSetUp) -> dict[str, Json]:
    return {"before": set_up_of(before).data(), "after": set_up.data()}


def _version_add(
    table: Table,
    before: TableVersion,
    set_up: TableSetUp,
    *,
    approval: Approval | None,
    actor_id: UUID,
) -> TableVersion:
    names = {"table_version_once": TableUnchanged(), "table_version_guard": TableOpened()}
    with refusing(names):
        version = TableVersion.objects.create(
            id=uuid4(),
            house_id=table.house_id,
            table=table,
            number=before.number + 1,
            approval=approval,
            **set_up._asdict(),
        )
    event_record(
        "table.version_made",
        table,
        actor_id=actor_id,
        before={"version": before.number, **set_up_of(before).data()},
        after={"version": version.number, **set_up.data()},
    )
    if table.session_id is None:
        version_take(table, actor_id=actor_id)
    return version
