"""What waits to be clarified: kept as it came, closed once it is in the books."""

from typing import Any
from uuid import UUID, uuid4

from django.db.models.functions import Now

from payouts.db.constraints import require_transaction
from payouts.errors import Refused
from payouts.rules.plain import check_data, check_text, fingerprint
from payouts.services import event_record
from tables.errors import (
    ClarifyClosed,
    ClarifyFull,
    ClarifyRepeated,
    ClarifyUnknown,
    TableUnknown,
)
from tables.games import Ended
from tables.models import PlayKind, ReviewItem, Round, RoundLine, Table
from tables.models.rounds import TAKEN_BACK
from tables.selectors.rounds import round_record
from tables.services.hands.clarify import HAND_END, hand_is_booked
from tables.services.later.placements import placements_stand
from tables.services.review.form import check_form
from tables.services.rounds.evaluate import round_evaluate
from tables.services.rounds.lock import lock_print, read_stakes

# open entries of one sender: of a round one of each kind, at a table the rounds of a long night
OF_ROUND_MOST, AT_TABLE_MOST = 4, 1_000
PLAYS = dict.fromkeys(("lock", "settle", "queued", "withdraw"), PlayKind.ROUND) | {
    HAND_END: PlayKind.HAND
}


def review_item_record(
    *,
    house_id: UUID,
    table_id: UUID,
    round_id: UUID,
    kind: str,
    payload: object,
    refused: Refused,
    person_id: UUID | None,
) -> ReviewItem:
    """Keep what was refused, as it came. The same thing sent again is kept once, another result for
    the same round beside it; but nothing that cannot be read, and only so much of one sender.

    Raises TableUnknown, DataRefused, ClarifyRepeated, ClarifyFull and as `check_form`.
    """
    require_transaction()
    # of two that are sent at once the second one counts the first
    table = Table.objects.select_for_update(no_key=True).filter(pk=table_id, house_id=house_id)
    at = table.first()
    if at is None:
        raise TableUnknown
    if kind not in PLAYS or not isinstance(payload, dict):
        raise ValueError("kept is what came of a round or a hand, as the object that came")
    plain = check_data(payload, "payload")
    check_form(at, kind, payload)
    about: dict[str, Any] = {"house_id": house_id, "round_id": round_id, "kind": kind}
    about["payload_hash"] = fingerprint(plain)
    if not ReviewItem.objects.filter(**about).exists():
        _check_room(at, round_id, person_id)
    kept, new = ReviewItem.objects.get_or_create(
        **about,
        defaults={
            "id": uuid4(),
            "table_id": table_id,
            "play": PLAYS[kind],
            "payload": plain,
            "code": refused.code,
            "data": check_data(refused.data, "data"),
            "sent_by_id": person_id,
        },
    )
    if new:
        after = {"kind": kind, "code": refused.code}
        if kept.play != PlayKind.ROUND:
            after["play"] = kept.play
        event_record("clarify.recorded", kept, actor_id=person_id, after=after)
    return kept


def _check_room(table: Table, round_id: UUID, person_id: UUID | None) -> None:
    """Raise ClarifyRepeated or ClarifyFull where so much of one sender waits already."""
    waiting = ReviewItem.objects.filter(
        house_id=table.house_id, state=ReviewItem.State.OPEN, sent_by_id=person_id
    )
    if waiting.filter(round_id=round_id).count() >= OF_ROUND_MOST:
        raise ClarifyRepeated(most=OF_ROUND_MOST)
    if waiting.filter(table=table).count() >= AT_TABLE_MOST:
        raise ClarifyFull(most=AT_TABLE_MOST)


def entry_open(*, house_id: UUID, clarify_id: UUID, reason: str) -> ReviewItem:
    """An entry that waits, held until the transaction ends. Raises ClarifyUnknown, ClarifyClosed,
    TextRefused.
    """
    check_text(reason, "reason", least=3, most=500)
    entry = (
        ReviewItem.objects.select_for_update(of=("self",))
        .filter(pk=clarify_id, house_id=house_id)
        .first()
    )
    if entry is None:
        raise ClarifyUnknown
    if entry.state != ReviewItem.State.OPEN:
        raise ClarifyClosed
    return entry


def entry_close(
    entry: ReviewItem,
    state: str,
    *,
    actor_id: UUID,
    reason: str,
    after: dict[str, Any] | None = None,
) -> None:
    """Close a held entry as taken or dismissed, with who and why."""
    entry.state, entry.closed_by_id, entry.closed_at, entry.reason = state, actor_id, Now(), reason
    entry.save(update_fields=["state", "closed_by", "closed_at", "reason"])
    entry.refresh_from_db()
    event_record(f"clarify.{state}", entry, actor_id=actor_id, reason=reason, after=after)


def entries_follow(*, house_id: UUID, round_id: UUID, actor_id: UUID, reason: str) -> None:
    """The round was booked or corrected: what waits and says the same is taken with it, or it would
    be dismissed as not booked.

    What somebody decides about at this moment is left to them: they see the round as it is now.
    """
    waiting = ReviewItem.objects.select_for_update(of=("self",), skip_locked=True)
    for entry in waiting.filter(
        house_id=house_id, round_id=round_id, state=ReviewItem.State.OPEN
    ).order_by("id"):
        if entry_is_booked(entry):
            entry_close(entry, ReviewItem.State.TAKEN, actor_id=actor_id, reason=reason)


def entry_is_booked(entry: ReviewItem) -> bool:
    """Whether its round or hand is in the books just as the entry has it."""
    if entry.kind == HAND_END:
        return hand_is_booked(entry)
    if entry.kind == "lock":
        return stakes_stand(entry, Round.State.LOCKED, Round.State.SETTLED)
    if entry.kind == "withdraw":
        there = Round.objects.filter(
            pk=entry.round_id, house_id=entry.house_id, table_id=entry.table_id
        )
        return there.filter(state__in=TAKEN_BACK).exists()
    ended, revision = _ends(entry)
    return ended is not None and _says_the_same(ended, entry.round_id, revision)


def entry_settles(entry: ReviewItem) -> bool:
    """Whether its round is settled, and the entry has another result for it that the game takes."""
    ended, revision = _ends(entry)
    return ended is not None and not _says_the_same(ended, entry.round_id, revision)


def _ends(entry: ReviewItem) -> tuple[Ended | None, int]:
    """What the entry's result would mean for its round, as `_settled_by`."""
    if entry.kind not in ("queued", "settle") or (
        entry.kind == "queued" and not stakes_stand(entry, Round.State.SETTLED)
    ):
        return None, 0
    return _settled_by(entry.house_id, entry.round_id, entry.payload.get("result"))


def stakes_stand(entry: ReviewItem, *states: str) -> bool:
    """Whether its round is in one of these states, with the stakes that came; of a queued one
    without coins, which go back, and with what came after the lock.
    """
    there = Round.objects.filter(
        pk=entry.round_id, house_id=entry.house_id, table_id=entry.table_id, state__in=states
    ).first()
    if there is None or there.lock_hash is None:
        return False
    try:
        laid = read_stakes(entry.payload.get("stakes"))
    except Refused:
        return False
    if entry.kind == "queued":
        laid = [stake for stake in laid if stake.kind != "coin"]
    prints = [lock_print(entry.table_id, laid, queued=queued) for queued in (False, True)]
    if bytes(there.lock_hash) not in prints:
        return False
    if entry.kind != "queued":
        return True
    record = round_record(house_id=entry.house_id, round_id=entry.round_id)
    return placements_stand(record, entry.payload.get("placed", []))


def result_was(*, house_id: UUID, round_id: UUID, result: object, placed: object) -> bool:
    """Whether a settled round pays what this result would pay with what was placed, or paid that
    before it was corrected.
    """
    ended, newest = _settled_by(house_id, round_id, result, placed)
    return ended is not None and any(
        _says_the_same(ended, round_id, one) for one in range(newest, 0, -1)
    )


def _says_the_same(ended: Ended, round_id: UUID, revision: int) -> bool:
    """Whether a result pays what that revision of the round has paid, and for the same reasons: a
    claim of the meter pays nothing at the table.
    """
    amounts = ("returned_minor", "won_minor", "prize_minor")
    lines = RoundLine.objects.filter(round_id=round_id, revision=revision)
    new = [
        (
            one.box,
            UUID(one.guest),
            one.kind,
            *(getattr(one, name) for name in amounts),
            one.reason.code,
        )
        for one in ended.lines
    ]
    return sorted(new) == sorted(lines.values_list("box", "guest_id", "kind", *amounts, "code"))


def _settled_by(
    house_id: UUID, round_id: UUID, result: object, placed: object = None
) -> tuple[Ended | None, int]:
    """What a result would mean for a round that is settled, and the round's newest revision;
    `placed`: with what came after its lock.
    """
    try:
        prepared = round_evaluate(
            house_id=house_id,
            round_id=round_id,
            result=result,
            state=Round.State.SETTLED,
            placed=placed,
        )
    except Refused:  # it says nothing that the game knows, or there is no such round
        return None, 0
    return prepared.ended, int(prepared.record["revision"])
