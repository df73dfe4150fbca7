"""Rows as the API shows them: plain JSON, ids as text, times in ISO 8601, amounts in minor units."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from casino.text import floor as floor_words
from jackpot.models import Jackpot
from jackpot.selectors.jackpots import MeterReading
from payouts.models import Approval, House, PostedTable
from payouts.rules.plain import Json
from payouts.services import lists_of
from tables.models import Guest, HandOver, Pit, Round, RoundLine, RoundStake, Table, TableSession, ToClarify


def id_of(value: UUID | None) -> str | None:
    """An id as text."""
    return None if value is None else str(value)


def time_of(value: datetime | None) -> str | None:
    """A moment in ISO 8601."""
    return None if value is None else value.isoformat()


def person(row: Any) -> dict[str, Json] | None:
    """Somebody, by id and name."""
    return None if row is None else {"id": str(row.pk), "name": row.full_name}


def posted(row: PostedTable) -> dict[str, Json]:
    """A released version of a posted table."""
    return {
        "id": str(row.pk),
        "house": str(row.house_id),
        "kind": row.kind,
        "name": row.name,
        "version": row.version,
        "in_force_from": None if row.in_force_from is None else str(row.in_force_from),
        "released_at": time_of(row.released_at),
        "data": row.data,
    }


def pit(row: Pit) -> dict[str, Json]:
    """A pit."""
    return {"id": str(row.pk), "house": str(row.house_id), "name": row.name, "position": row.position}


def session(row: TableSession) -> dict[str, Json]:
    """A table from opening to closing."""
    return {
        "id": str(row.pk),
        "table": str(row.table_id),
        "gaming_day": str(row.gaming_day),
        "entry_level": row.entry_level,
        "croupier": str(row.croupier_id),
        "opened_at": time_of(row.opened_at),
        "closed_at": time_of(row.closed_at),
    }


def table(row: Table) -> dict[str, Json]:
    """A table as it is set up."""
    return {
        "id": str(row.pk),
        "house": str(row.house_id),
        "pit": str(row.pit_id),
        "name": row.name,
        "position": row.position,
        "game": row.game,
        "boxes": row.boxes,
        "posted": row.posted,
        "jackpot": id_of(row.jackpot_id),
    }


def table_now(row: Table, running: Mapping[UUID, Round]) -> dict[str, Json]:
    """A table as it stands: session, who deals, the round that runs."""
    there, playing = row.session, running.get(row.pk)
    return table(row) | {
        "state": "open" if there else "closed",
        "session": session(there) if there else None,
        "croupier": person(there.croupier) if there else None,
        "running_round": {"id": str(playing.pk), "number": playing.number, "locked_at": time_of(playing.locked_at)}
        if playing
        else None,
    }


def hand_over(row: HandOver | None, table_id: UUID, croupier_id: UUID) -> dict[str, Json]:
    """Who has the table now, and who had it if that changed."""
    before = id_of(row.from_croupier_id) if row else str(croupier_id)
    return {"table": str(table_id), "from_croupier": before, "to_croupier": str(croupier_id)}


def guest(row: Guest) -> dict[str, Json]:
    """A guest, as a token."""
    return {
        "id": str(row.pk),
        "session": str(row.session_id),
        "number": row.number,
        "box": row.box,
        "seated": row.seated,
        "distance": row.distance,
        "arrived_at": time_of(row.arrived_at),
        "left_at": time_of(row.left_at),
    }


def jackpot(row: Jackpot) -> dict[str, Json]:
    """A jackpot's parameters and phase."""
    names = ("name", "progressive", "funding", "rules", "offline_linked", "phase", "kept_phase")
    return {"id": str(row.pk), "house": str(row.house_id), **{name: getattr(row, name) for name in names}}


def jackpot_now(row: Jackpot, reading: MeterReading) -> dict[str, Json]:
    """A jackpot with its meter, the hit and the gate at hand; the gate's nonce is for its displays alone."""
    hit, gate = row.hit, row.gate
    return jackpot(row) | {
        "phase_at": time_of(row.phase_at),
        "incarnation": row.incarnation,
        "epoch": reading.epoch_number,
        "version": reading.version,
        "shown_minor": reading.shown_minor,
        "hit": {"id": str(hit.pk), "number": hit.number, "state": hit.state} if hit else None,
        "gate": {
            "number": gate.number,
            "state": gate.state,
            "version": gate.version,
            "amount_minor": gate.amount_minor,
            "made_at": time_of(gate.made_at),
        }
        if gate
        else None,
    }


def clarify(row: ToClarify) -> dict[str, Json]:
    """Something that the pit has to look at, as it came."""
    return {
        "id": str(row.pk),
        "table": str(row.table_id),
        "round": str(row.round_id),
        "kind": row.kind,
        "payload": row.payload,
        "code": row.code,
        "data": row.data,
        "sent_by": id_of(row.sent_by_id),
        "received_at": time_of(row.received_at),
        "state": row.state,
        "closed_by": id_of(row.closed_by_id),
        "closed_at": time_of(row.closed_at),
        "reason": row.reason,
    }


def approval(row: Approval, signed: Iterable[Any] = ()) -> dict[str, Json]:
    """What is asked for, exactly as it is signed: payload and its hash; and the lists whose digests stand in it."""
    return {
        "id": str(row.pk),
        "house": str(row.house_id),
        "action": row.action,
        "subject_kind": row.subject_kind,
        "subject_id": row.subject_id,
        "revision": row.revision,
        "payload": row.payload,
        "payload_hash": bytes(row.payload_hash).hex(),
        "lists": lists_of(row),
        "requester": id_of(row.requester_id),
        "state": row.state,
        "signers": row.signers,
        "roles": list(row.roles),
        "method": row.method,
        "requested_at": time_of(row.requested_at),
        "expires_at": time_of(row.expires_at),
        "signed_by": [str(one.signer_id) for one in signed],
    }


# --- rounds --------------------------------------------------------------------------------------------------------------------
def round_row(row: Round) -> dict[str, Json]:
    """A round as lists show it."""
    return {
        "id": str(row.pk),
        "house": str(row.house_id),
        "table": str(row.table_id),
        "session": id_of(row.session_id),
        "number": row.number,
        "state": row.state,
        "revision": row.revision,
        "entry_level": row.entry_level,
        "queued": row.queued,
        "croupier": id_of(row.croupier_id),
        "locked_at": time_of(row.locked_at),
        "ended_at": time_of(row.ended_at),
        "ended_by": id_of(row.ended_by_id),
        "reason": row.reason,
    }


def stake(row: RoundStake, house: House) -> dict[str, Json]:
    """A stake: what was offered, what stayed, and why not all of it."""
    names = ("box", "kind", "offered_minor", "accepted_minor", "returned_minor", "rank", "reason", "rule", "data")
    shown = {name: getattr(row, name) for name in names}
    words = floor_words.stake_words(row, house)
    return {"guest": str(row.guest_id), "revision": row.revision, **shown, "words": words}


def line(row: RoundLine, house: House) -> dict[str, Json]:
    """What became of a stake, with the rule and the words."""
    amounts = ("stake_minor", "returned_minor", "won_minor", "prize_minor")
    names = ("place", "box", "kind", *amounts, "odds", "hand", "paid_by", "code", "rule")
    shown = {name: getattr(row, name) for name in names}
    paid = row.returned_minor + row.won_minor + row.prize_minor
    words = floor_words.line_words(row, house)
    return {"guest": str(row.guest_id), **shown, "paid_minor": paid, "words": words}
