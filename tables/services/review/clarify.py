"""Rounds that came too late, or were refused when nobody could put them right: the pit takes or
dismisses them.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

from jackpot.services import claims_live
from payouts.commands import try_out
from payouts.db.constraints import require_transaction
from payouts.errors import Refused
from payouts.services import Subject, event_record
from tables.errors import (
    ApprovalNeeded,
    ClarifyBooked,
    ClarifyGuestsUnknown,
    ClarifyPlayed,
    ClarifyRoundOver,
    CorrectionWaits,
    FeedNeedsSecond,
    GuestUnknown,
    TableClosed,
    WinNeedsSecond,
)
from tables.models import Hand, ReviewItem, Round
from tables.selectors.rounds import corrections_wait, round_answer, round_record
from tables.services.hands.clarify import HAND_END, hand_take
from tables.services.later.placements import placements_stand
from tables.services.parts import table_locked
from tables.services.review.entries import (
    entries_follow,
    entry_close,
    entry_is_booked,
    entry_open,
    stakes_stand,
)
from tables.services.review.form import has_form
from tables.services.rounds.correct import round_correct, round_correction_request
from tables.services.rounds.evaluate import round_evaluate
from tables.services.rounds.lock import round_lock
from tables.services.rounds.much_won import CLARIFIED, OFFICE
from tables.services.rounds.queued import round_take_queued
from tables.services.rounds.settle import round_settle
from tables.services.rounds.undo import round_bury, round_withdraw

WHOLE = ("lock", "queued", HAND_END)
NEEDS_SECOND = (FeedNeedsSecond, WinNeedsSecond)
TRIED = "tried"  # of the reason that nobody will read


def review_item_take(
    *, house_id: UUID, clarify_id: UUID, reason: str, actor_id: UUID
) -> dict[str, Any]:
    """Book what came after all, on the pit's word.

    A queued round is booked as it was played, but for its coins, which the table had no right to
    take. A withdrawal voids its round. A result is that of its round while it runs; of a settled
    one it is a correction, and a voided one is booked anew. Where one person may not make that
    alone it is asked for, and the entry waits until it was signed: the jackpot is not paid
    meanwhile. What is in the books already is not booked again.

    A round is booked in the session in which its guests staked, open or closed. Raises
    ClarifyUnknown, ClarifyClosed, ClarifyGuestsUnknown, ClarifyRoundOver, CorrectionWaits, and why
    it still cannot be.
    """
    require_transaction()
    entry = entry_open(house_id=house_id, clarify_id=clarify_id, reason=reason)
    if entry.kind == HAND_END:
        hand = hand_take(entry, actor_id, reason)
        entry_close(entry, ReviewItem.State.TAKEN, actor_id=actor_id, reason=reason)
        return {"id": str(hand.pk), "state": hand.state, "revision": hand.revision}
    asked = _take(entry, actor_id, reason)
    ids: dict[str, Any] = {"house_id": house_id, "round_id": entry.round_id}
    entry.refresh_from_db()
    # what was booked has closed what it is about
    if entry.state == ReviewItem.State.OPEN and not asked:
        entry_close(entry, ReviewItem.State.TAKEN, actor_id=actor_id, reason=reason)
        entries_follow(**ids, actor_id=actor_id, reason=reason)
    anew = Round.objects.filter(house_id=house_id, pk=played_anew(entry.round_id)).first()
    return round_answer(**ids | ({"round_id": anew.pk} if anew else {}))


def review_item_try(entry: ReviewItem, *, actor_id: UUID) -> Refused | None:
    """Why an open entry cannot be taken as things stand; None where it can. Nothing stays written.

    The entry is not held: a booking that is on its way would leave it open to somebody who only
    looks.
    """
    take = hand_take if entry.kind == HAND_END else _take
    return try_out(lambda: take(entry, actor_id, TRIED))


def _take(entry: ReviewItem, actor_id: UUID, reason: str) -> bool:
    """Book an entry unless it is in the books; whether it was only asked for. Raises
    ClarifyGuestsUnknown and what keeps it out.
    """
    try:
        return not entry_is_booked(entry) and _book(entry.house_id, entry, actor_id, reason)
    except (GuestUnknown, TableClosed) as gone:
        raise ClarifyGuestsUnknown from gone


def _book(house_id: UUID, entry: ReviewItem, actor_id: UUID, reason: str) -> bool:
    """Book an entry as what it came as; whether it was only asked for."""
    if entry.kind == "settle" or (
        entry.kind == "queued" and stakes_stand(entry, Round.State.SETTLED)
    ):
        return _settle(house_id, entry, actor_id, reason)
    where: dict[str, Any] = {
        "house_id": house_id,
        "table_id": entry.table_id,
        "round_id": entry.round_id,
        "supervisor": True,
    }
    if entry.kind == "withdraw":
        round_withdraw(**where, person_id=actor_id, follow=reason)
        return False
    stakes = entry.payload.get("stakes")
    dealer = entry.sent_by_id or actor_id  # else who clarifies would have dealt it
    if entry.kind == "lock":
        round_lock(**where, stakes=stakes, croupier_id=dealer, queued=True, clarified=True)
        return False
    if isinstance(stakes, list):
        stakes = [
            one for one in stakes if not (isinstance(one, dict) and one.get("kind") == "coin")
        ]
    came = {"result": entry.payload.get("result"), "placed": entry.payload.get("placed", [])}
    by: dict[str, Any] = {"person_id": actor_id, "reason": reason, "croupier_id": dealer}
    by["entered"] = _entered(entry, actor_id)
    try:
        round_take_queued(**where, **came, **by, stakes=stakes, clarified=True)
    except NEEDS_SECOND:
        record = round_record(house_id=house_id, round_id=entry.round_id)
        if not placements_stand(record, came["placed"]):
            raise  # of a stake: settled by the cards first, it is asked for as a correction
        # the round stays locked until it was signed
        _ask(entry, entry.round_id, actor_id, reason)
        return True
    return False


def _entered(entry: ReviewItem, actor_id: UUID) -> str:
    """Whether the entry was sent by another person than takes it."""
    return OFFICE if entry.sent_by_id in (None, actor_id) else CLARIFIED


def _ask(entry: ReviewItem, round_id: UUID, actor_id: UUID, reason: str) -> None:
    """Ask for the approval of the entry's result for a round that is locked."""
    result = entry.payload.get("result")
    prepared = round_evaluate(house_id=entry.house_id, round_id=round_id, result=result)
    round_correction_request(prepared=prepared, person_id=actor_id, reason=reason)


def _settle(house_id: UUID, entry: ReviewItem, actor_id: UUID, reason: str) -> bool:
    """A result that came late: the round's result if it still runs, a correction if it was settled
    meanwhile.
    """
    ids: dict[str, Any] = {"house_id": house_id, "round_id": entry.round_id}
    result = entry.payload.get("result")
    prepared = round_evaluate(**ids, result=result)
    state = prepared.record["state"]
    if prepared.ended is not None:
        # by a call: what claims takes the jackpot's lock alone
        prepared.claims = claims_live(entry.round_id).exists()
        who: dict[str, Any] = {"person_id": actor_id, "reason": reason}
        try:
            entered = _entered(entry, actor_id)
            round_settle(prepared=prepared, **who, supervisor=True, follow=reason, entered=entered)
        except NEEDS_SECOND:
            round_correction_request(prepared=prepared, **who)
            return True
        return False
    if state == Round.State.VOIDED:
        return _book_anew(entry, prepared.record, actor_id, reason)
    if state != Round.State.SETTLED:
        raise ClarifyRoundOver(state=state)
    changed = round_evaluate(**ids, result=result, state=Round.State.SETTLED)
    try:
        round_correct(prepared=changed, person_id=actor_id, reason=reason)
    except ApprovalNeeded:
        round_correction_request(prepared=changed, person_id=actor_id, reason=reason)
        return True
    return False


def _book_anew(entry: ReviewItem, record: Mapping[str, Any], actor_id: UUID, reason: str) -> bool:
    """Book the result of a voided round with its stakes as a round of its own, but for its coins,
    which went back; whether it was only asked for. Raises ClarifyRoundOver where more was staked
    after the lock: what of it lay there at the result is not known.
    """
    if any(stake["placed"] for stake in record["stakes"]):
        raise ClarifyRoundOver(state=record["state"])
    stakes = [
        {
            "box": stake["box"],
            "guest": stake["guest"],
            "kind": stake["kind"],
            "amount_minor": stake["offered_minor"],
        }
        for stake in record["stakes"]
        if stake["kind"] != "coin"
    ]
    anew = played_anew(entry.round_id)
    came: dict[str, Any] = {"stakes": stakes, "result": entry.payload.get("result")}
    by: dict[str, Any] = {"person_id": actor_id, "reason": reason}
    by |= {"croupier_id": entry.sent_by_id or actor_id, "entered": _entered(entry, actor_id)}
    where: dict[str, Any] = {"house_id": entry.house_id, "table_id": entry.table_id}
    where["round_id"] = anew
    try:
        round_take_queued(**where, **came, **by, supervisor=True, clarified=True)
    except NEEDS_SECOND:
        _ask(entry, anew, actor_id, reason)
        return True
    event_record(
        "round.booked_anew",
        Subject("round", entry.round_id),
        house_id=entry.house_id,
        actor_id=actor_id,
        after={"round": str(anew)},
        reason=reason,
    )
    return False


def played_anew(round_id: UUID) -> UUID:
    """Under which id a voided round is booked whose result came after all: once."""
    return uuid5(round_id, "played")


def review_item_is_missing(entry: ReviewItem) -> bool:
    """Whether the books hold nothing of the whole round or hand that this entry alone brings, or
    gave the stakes of the round back whose result it is.
    """
    if not has_form(entry.table, entry.kind, entry.payload):
        return False
    if entry.kind == "settle":
        rounds = Round.objects.filter(house_id=entry.house_id)
        voided = rounds.filter(pk=entry.round_id, state=Round.State.VOIDED)
        return voided.exists() and not rounds.filter(pk=played_anew(entry.round_id)).exists()
    if entry.kind not in WHOLE:
        return False
    play = Hand if entry.kind == HAND_END else Round
    others = ReviewItem.objects.exclude(pk=entry.pk).filter(
        house_id=entry.house_id,
        round_id=entry.round_id,
        kind__in=WHOLE,
        state=ReviewItem.State.OPEN,
    )
    return not others.exists() and not play.objects.filter(pk=entry.round_id).exists()


def review_item_dismiss(
    *,
    house_id: UUID,
    clarify_id: UUID,
    reason: str,
    actor_id: UUID,
    never_played: bool = False,
    untakable: bool = False,
) -> ReviewItem:
    """Book nothing, and say why; the same round sent again is refused too.

    What is booked meanwhile cannot be dismissed: chips that the books have given would be given by
    hand once more. Nor can what somebody has asked a signature for, nor what the books miss unless
    it was `never_played` or is `untakable` (`review_item_try`). The rows of table and round are
    held, so that a booking on its way is seen. Raises ClarifyUnknown, ClarifyClosed, ClarifyBooked,
    ClarifyPlayed, CorrectionWaits, TextRefused.
    """
    require_transaction()
    entry = entry_open(house_id=house_id, clarify_id=clarify_id, reason=reason)
    table_locked(house_id, entry.table_id, any_jackpot=True)
    list(
        Round.objects.select_for_update(of=("self",), no_key=True).filter(
            pk=entry.round_id, house_id=house_id
        )
    )
    if entry_is_booked(entry):
        raise ClarifyBooked
    if corrections_wait([entry.round_id]):
        raise CorrectionWaits
    if not never_played and not untakable and review_item_is_missing(entry):
        raise ClarifyPlayed
    after = {"never_played": True} if never_played else None
    entry_close(entry, ReviewItem.State.DISMISSED, actor_id=actor_id, reason=reason, after=after)
    if (
        entry.kind != HAND_END
        and not ReviewItem.objects.filter(
            house_id=house_id, round_id=entry.round_id, state=ReviewItem.State.OPEN
        ).exists()
    ):
        round_bury(
            house_id=house_id, table_id=entry.table_id, round_id=entry.round_id, person_id=actor_id
        )
    return entry
