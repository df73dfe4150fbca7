"""Posted tables: draft, request, release, reject, withdraw; and the first tables of a new house.

The database refuses again what is refused here (`payouts/sql/posted_table_v1.sql`). Locks: the
version, then its approval.
"""

from collections.abc import Iterable
from datetime import date
from uuid import UUID, uuid4

from django.db.models import Max

from payouts.db.constraints import refusing, require_transaction
from payouts.models import Event, House, PostedState, PostedTable
from payouts.models.posted import PENDING
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.ledger.postings import HouseUnknown, check_actor, check_house
from payouts.rules.plain import Json, check_data, check_name, check_text, fingerprint
from payouts.rules.rulesets.kinds import (
    ACTION,
    BEGUN,
    DAY_NEEDED,
    EPOCH_ONLY,
    TAKEN,
    NotFirst,
    StartRefused,
    TableKind,
    TableOfAnother,
    TableStateRefused,
    TableUnknown,
    TableWarned,
)
from payouts.rules.rulesets.schema import Advice, Posted
from payouts.selectors import gaming_day_at, posted_in_force, posted_newest
from payouts.services.approval import (
    approval_kill,
    approval_reject,
    approval_request,
    approval_sign,
    approval_signed,
    approval_use,
)
from payouts.services.event import event_of, event_record, events_record

_STARTS = {
    "posted_table_in_time": StartRefused(why=BEGUN),
    "posted_start_once": StartRefused(why=TAKEN),
}


def posted_table_draft(
    *,
    house_id: UUID,
    kind: TableKind,
    name: str,
    data: object,
    note: str = "",
    actor_id: UUID | None = None,
) -> PostedTable:
    """Draft the next version of a table (version 1 of a new name).

    Raises what the rules refuse (hours that do not fit the house's gaming day too), TextRefused,
    TableStateRefused, HouseUnknown.
    """
    require_transaction()
    check_house(house_id)
    check_actor(actor_id)
    check_name(name, "name", least=2, most=60)
    check_text(note, "note", most=500)
    posted = _read(house_id, kind, data)
    there = PostedTable.objects.filter(house_id=house_id, kind=kind.code, name=name)
    last = there.aggregate(Max("version"))["version__max"] or 0
    with refusing(
        {"posted_version_once": TableStateRefused(state=PostedState.DRAFT)}, PostedTable
    ):  # somebody else drafted the same version
        table = PostedTable.objects.create(
            id=uuid4(),
            house_id=house_id,
            kind=kind.code,
            name=name,
            version=last + 1,
            note=note,
            starts=kind.starts,
            drafted_by_id=actor_id,
            **_stored(posted),
        )
    event_record("posted_table.drafted", table, actor_id=actor_id, after=table.data)
    return table


def posted_table_edit(
    *, table_id: UUID, kind: TableKind, data: object, note: str = "", actor_id: UUID | None = None
) -> PostedTable:
    """Change a draft. Raises TableUnknown, TableStateRefused, TextRefused and what the rules
    refuse.
    """
    require_transaction()
    check_text(note, "note", most=500)
    table = _locked(table_id, kind, PostedState.DRAFT)
    before, stored = table.data, _stored(_read(table.house_id, kind, data))
    table.data, table.data_hash, table.note = stored["data"], stored["data_hash"], note
    table.save(update_fields=["data", "data_hash", "note"])
    event_record("posted_table.edited", table, actor_id=actor_id, before=before, after=table.data)
    return table


def posted_table_advice(*, table: PostedTable, kind: TableKind) -> tuple[Advice, ...]:
    """What is likely a mistake in a version: to be confirmed with a reason when it is requested."""
    beside: dict[str, list[Json]] = {code: [] for code in kind.beside}
    for row in posted_newest(house_id=table.house_id, kinds=kind.beside):
        beside[row.kind].append(row.data)
    return kind.advise(kind.read(table.data), beside)


def posted_table_request(
    *,
    table_id: UUID,
    kind: TableKind,
    in_force_from: date | None,
    reason: str = "",
    actor_id: UUID | None = None,
) -> PostedTable:
    """Ask for the approval of a draft, or again for one whose request ran out; from now on its data
    stays.

    `in_force_from`: the gaming day from which it should count; None for kinds that count from the
    next epoch. A reason is needed if the table looks like a mistake. Raises TableUnknown,
    TableStateRefused, TableOfAnother, StartRefused, TableWarned (with the `warnings`),
    ApprovalRuleMissing, TextRefused and what the rules refuse.
    """
    require_transaction()
    check_text(reason, "reason", most=500)
    table = _locked(table_id, kind, *PENDING)
    _check_own(table, actor_id)
    _check_start(table, in_force_from)
    warnings = posted_table_advice(table=table, kind=kind)
    if warnings and not reason.strip():
        raise TableWarned(warnings=[advice._asdict() for advice in warnings])
    table.in_force_from = in_force_from
    table.approval = approval_request(
        house_id=table.house_id,
        action=ACTION,
        subject_kind="posted_table",
        subject_id=table.pk,
        payload=release_payload(table),
        requester_id=actor_id,
        excluded=_authors(table),
    )
    table.state = PostedState.REQUESTED
    table.save(update_fields=["in_force_from", "approval", "state"])
    after = {"in_force_from": _start(table), "warnings": [advice.code for advice in warnings]}
    event_record("posted_table.requested", table, actor_id=actor_id, after=after, reason=reason)
    return table


def posted_table_sign(
    *,
    table_id: UUID,
    kind: TableKind,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> PostedTable:
    """Sign a requested version as it was seen; the last signature that is needed releases it in the
    same transaction.

    Raises what `approval_sign` and `posted_table_release` raise.
    """
    require_transaction()
    table = _locked(table_id, kind, PostedState.REQUESTED)
    if table.approval_id is None:
        raise ApprovalUnknown
    approval = approval_sign(
        approval_id=table.approval_id,
        house_id=table.house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval_signed(approval) < approval.signers:
        return table
    return posted_table_release(table_id=table_id, kind=kind, actor_id=signer_id)


def posted_table_release(
    *, table_id: UUID, kind: TableKind, actor_id: UUID | None = None
) -> PostedTable:
    """Put a version in force that enough others have signed.

    Raises TableUnknown, TableStateRefused, StartRefused, ApprovalRefused.
    """
    require_transaction()
    table = _locked(table_id, kind, PostedState.REQUESTED)
    if table.approval_id is None:
        raise ApprovalUnknown
    approval_use(
        approval_id=table.approval_id,
        house_id=table.house_id,
        action=ACTION,
        subject_kind="posted_table",
        subject_id=table.pk,
        payload=release_payload(table),
        actor_id=actor_id,
    )
    table.state = PostedState.APPROVED
    with refusing(_STARTS):
        table.save(update_fields=["state"])
    event_record("posted_table.released", table, actor_id=actor_id, after=release_payload(table))
    return table


def posted_table_reject(
    *, table_id: UUID, kind: TableKind, person_id: UUID, person_roles: Iterable[str], reason: str
) -> PostedTable:
    """Refuse a requested version for good. Raises TableUnknown, TableStateRefused, TextRefused,
    ApprovalRefused.
    """
    require_transaction()
    table = _locked(table_id, kind, PostedState.REQUESTED)
    if table.approval_id is None:
        raise ApprovalUnknown
    approval_reject(
        approval_id=table.approval_id,
        house_id=table.house_id,
        person_id=person_id,
        person_roles=person_roles,
        reason=reason,
    )
    table.state = PostedState.REJECTED
    table.save(update_fields=["state"])
    event_record("posted_table.rejected", table, actor_id=person_id, reason=reason)
    return table


def posted_table_withdraw(
    *, table_id: UUID, kind: TableKind, reason: str = "", actor_id: UUID | None = None
) -> PostedTable:
    """Give up a draft, or one's own request; an open approval is killed. Raises TableUnknown,
    TableStateRefused, TableOfAnother, TextRefused.
    """
    require_transaction()
    check_text(reason, "reason", most=500)
    table = _locked(table_id, kind, *PENDING)
    _check_own(table, actor_id)
    approval_kill(
        house_id=table.house_id,
        subject_kind="posted_table",
        subject_id=table.pk,
        reason="withdrawn",
    )
    table.state = PostedState.WITHDRAWN
    table.save(update_fields=["state"])
    event_record("posted_table.withdrawn", table, actor_id=actor_id, reason=reason)
    return table


def posted_tables_seed(
    *, house_id: UUID, tables: Iterable[tuple[TableKind, str, Posted]]
) -> list[PostedTable]:
    """Furnish a new house with its first tables, approved by the system, in force from this gaming
    day or the first epoch.

    Only while the house has none: afterwards every version needs its signatures. Raises NotFirst.
    """
    require_transaction()
    if PostedTable.objects.filter(house_id=house_id).exists():
        raise NotFirst
    today, house = gaming_day_at(house_id=house_id), _house(house_id)
    drafts = [_first(house, kind, name, posted.to_data()) for kind, name, posted in tables]
    with refusing({"posted_version_once": TableStateRefused(state=PostedState.DRAFT)}, PostedTable):
        made = PostedTable.objects.bulk_create(drafts)
    events_record(event_of("posted_table.drafted", table, after=table.data) for table in made)
    with refusing({"posted_table_approved": NotFirst()}):
        for state in (PostedState.REQUESTED, PostedState.APPROVED):
            for table in made:
                table.state, table.in_force_from = state, today if table.starts == "day" else None
            PostedTable.objects.bulk_update(made, ["state", "in_force_from"])
    events_record(
        event_of("posted_table.seeded", table, after=release_payload(table)) for table in made
    )
    return made


def _first(house: House, kind: TableKind, name: str, data: object) -> PostedTable:
    posted = kind.read(data)
    posted.fit(house.gaming_day_change)
    return PostedTable(
        id=uuid4(),
        house=house,
        kind=kind.code,
        name=check_name(name, "name", least=2, most=60),
        version=1,
        starts=kind.starts,
        **_stored(posted),
    )


def _check_own(table: PostedTable, actor_id: UUID | None) -> None:
    """Raise TableOfAnother where others sign what somebody else has asked for: only a rejection,
    with its proof, ends that.
    """
    approval = table.approval if table.state == PostedState.REQUESTED else None
    if approval is not None and approval.waits and approval.requester_id != actor_id:
        raise TableOfAnother


def _authors(table: PostedTable) -> set[UUID]:
    """Everybody who wrote on a version: none of them signs it."""
    edits = Event.objects.filter(
        subject_kind="posted_table", subject_id=str(table.pk), name="posted_table.edited"
    )
    writers = {table.drafted_by_id, *edits.values_list("actor_id", flat=True)}
    return {writer for writer in writers if writer is not None}


def release_payload(table: PostedTable) -> dict[str, Json]:
    """What signers sign: kind, name, version, hash of the data, and from when it counts."""
    return {
        "kind": table.kind,
        "name": table.name,
        "version": table.version,
        "data_hash": bytes(table.data_hash).hex(),
        "in_force_from": _start(table),
    }


def _start(table: PostedTable) -> str:
    return table.in_force_from.isoformat() if table.in_force_from else table.starts


def _read(house_id: UUID, kind: TableKind, data: object) -> Posted:
    posted = kind.read(data)
    posted.fit(_house(house_id).gaming_day_change)
    return posted


def _house(house_id: UUID) -> House:
    house = House.objects.filter(pk=house_id).first()
    if house is None:
        raise HouseUnknown
    return house


def _stored(posted: Posted) -> dict[str, object]:
    data = check_data(posted.to_data(), "data")
    return {"data": data, "data_hash": fingerprint(data)}


def _locked(table_id: UUID, kind: TableKind, *states: str) -> PostedTable:
    if not isinstance(table_id, UUID):
        raise TableUnknown
    table = (
        PostedTable.objects.select_for_update(no_key=True)
        .filter(pk=table_id, kind=kind.code)
        .first()
    )
    if table is None:
        raise TableUnknown
    if table.state not in states:
        raise TableStateRefused(state=table.state)
    return table


def _check_start(table: PostedTable, day: date | None) -> None:
    if table.starts != "day":
        if day is not None:
            raise StartRefused(why=EPOCH_ONLY)
        return
    if type(day) is not date:  # a moment is none: which day it is on depends on the house
        raise StartRefused(why=DAY_NEEDED)
    house_id, kind, name = table.house_id, table.kind, table.name
    today = gaming_day_at(house_id=house_id)
    replaces = posted_in_force(house_id=house_id, kind=kind, name=name, day=today)
    if day < today or (day == today and replaces):
        raise StartRefused(why=BEGUN)
    same = PostedTable.objects.filter(
        house_id=house_id, kind=kind, name=name, state=PostedState.APPROVED, in_force_from=day
    )
    if same.exists():
        raise StartRefused(why=TAKEN)
