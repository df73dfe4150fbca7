"""A hand was entered wrong, or did not count: its fee is taken back and booked anew, never changed.

For a few seconds the croupier puts it right alone; later the pit looks and signs.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import Sum

from payouts.db.constraints import require_transaction
from payouts.errors import mark
from payouts.models import Approval, Entry
from payouts.rules.ledger.stacks import table_emptied
from payouts.rules.plain import Json, check_text
from payouts.selectors import house_now
from payouts.services import (
    approval_kill,
    approval_request,
    approval_use,
    event_record,
    recipe_post,
    transfer_reverse,
)
from tables.errors import HandChanged, HandMissing, HandNeedsApproval, HandVoided, LevelOther
from tables.games.poker.entered import entry_data, pots_entry
from tables.games.poker.raking import Pot
from tables.models import Hand, HandOverride, HandResult
from tables.models.hands import ENTRY_WRONG
from tables.selectors.hands import CORRECTION, OVERRIDE, VOID
from tables.services.counts.back import Came, session_follow
from tables.services.hands.award import check_correction, check_void
from tables.services.hands.entry import (
    Author,
    HandFigures,
    PlayedHand,
    check_corrected,
    floor_rules,
    hand_figures,
    result_write,
)
from tables.services.hands.pots import check_same, pots_post
from tables.services.parts import dealt_by, table_locked
from tables.services.seats.parts import PokerTable, in_session, plays_on

TOO_LATE = mark("too much time has passed")
PLAYED_ON = mark("the next hand has ended")
NOT_DEALER = mark("another person entered the hand, or has the table")
TABLE_CLOSED = mark("the table has closed since")
OVERRULED = mark("a guest was paid against the rules for it already")


def hand_correct(
    *,
    house_id: UUID,
    hand_id: UUID,
    revision: int,
    entry: PlayedHand,
    reason: str,
    person_id: UUID,
    approval_id: UUID | None = None,
    correction: str = ENTRY_WRONG,
) -> Hand:
    """Put right what was entered of a hand, `revision` being the last; its variant stays.
    `correction`: `entry_wrong`, only the book was wrong; or `award_moved`, chips are carried to
    another seat.

    Raises HandMissing, HandVoided, HandChanged, HandNeedsApproval, TextRefused, TooFew, StayGone,
    NotThere, OffChip, RakingRefused, and as `check_correction` and `approval_use`.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    hand, at = hand_locked(house_id, hand_id, revision)
    dealt, figures = _corrected(at, hand, entry, correction)
    if approval_id is None:
        _check_alone(hand, person_id)
    else:
        payload = _correction(hand, dealt, entry, figures, correction) | {"reason": reason}
        use_about(hand, CORRECTION, approval_id, payload, person_id)
    _outdate_overrides(hand)
    last = _last(hand)
    if figures.played is None:
        _take_back(at, hand, last, reason, person_id)
    hand.revision += 1
    hand.save(update_fields=["revision"])
    result = result_write(
        at,
        hand,
        dealt=dealt,
        entry=entry,
        figures=figures,
        author=Author(person_id, approval_id, reason, correction),
        replaces=last,
        source="in_play" if plays_on(hand.session) else "circulation",
    )
    if figures.played is not None:
        _empty_again(at, hand, last, person_id)
    session_follow(at.session, Came("hand", hand.pk), actor_id=person_id)
    event_record(
        "hand.corrected",
        hand,
        actor_id=person_id,
        before={"revision": revision, "rake_minor": last.rake_minor},
        after={
            "revision": hand.revision,
            "rake_minor": result.rake_minor,
            "correction": correction,
        },
        reason=reason,
    )
    return hand


def hand_void(
    *,
    house_id: UUID,
    hand_id: UUID,
    revision: int,
    reason: str,
    person_id: UUID,
    approval_id: UUID,
) -> Hand:
    """A hand does not count: what was taken out of its pot goes back, by an approval.

    Raises HandMissing, HandVoided, HandChanged, TextRefused, StacksRolled, and as `approval_use`.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    hand, at = hand_locked(house_id, hand_id, revision)
    check_void(at, hand)
    use_about(hand, VOID, approval_id, _void(hand, reason), person_id)
    _outdate_overrides(hand)
    last = _last(hand)
    hand.state = Hand.State.VOIDED
    hand.save(update_fields=["state"])
    if last.entered is None:
        _take_back(at, hand, last, reason, person_id)
    else:
        pots_post(at, hand, {}, revision=revision, replaces=last, actor_id=person_id, reason=reason)
        _empty_again(at, hand, last, person_id)
    session_follow(at.session, Came("hand", hand.pk), actor_id=person_id)
    event_record(
        "hand.voided",
        hand,
        actor_id=person_id,
        after={"revision": revision, "rake_minor": last.rake_minor},
        reason=reason,
    )
    return hand


def hand_correction_request(
    *,
    house_id: UUID,
    hand_id: UUID,
    revision: int,
    entry: PlayedHand,
    reason: str,
    person_id: UUID,
    correction: str = ENTRY_WRONG,
) -> Approval:
    """Ask the pit to look at a correction and sign it; who dealt the hand may not. Raises as
    `hand_correct`.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    hand, at = hand_locked(house_id, hand_id, revision)
    dealt, figures = _corrected(at, hand, entry, correction)
    payload = _correction(hand, dealt, entry, figures, correction) | {"reason": reason}
    return request_about(hand, CORRECTION, payload, person_id)


def hand_void_request(
    *, house_id: UUID, hand_id: UUID, revision: int, reason: str, person_id: UUID
) -> Approval:
    """Ask the pit to sign that a hand does not count; who dealt it may not. Raises as
    `hand_void`.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    hand, at = hand_locked(house_id, hand_id, revision)
    check_void(at, hand)
    return request_about(hand, VOID, _void(hand, reason), person_id)


def signed_entry(payload: Mapping[str, Any]) -> PlayedHand:
    """What the payload of a signed correction has entered: corrected with it, the hand has the same
    payload again; with it goes its `signed_kind`.
    """
    pot = Pot(
        rake_minor=payload["taken_minor"],
        pot_minor=payload["pot_minor"],
        flop=payload["flop"],
        walk=payload["walk"],
    )
    pots = payload.get("pots")
    entered = None if pots is None else pots_entry(pots)
    return PlayedHand([UUID(stay) for stay in payload["dealt"]], pot, pots=entered)


def signed_kind(payload: Mapping[str, Any]) -> str:
    """Which kind of correction was signed."""
    return str(payload.get("correction", ENTRY_WRONG))


def _corrected(
    at: PokerTable, hand: Hand, entry: PlayedHand, correction: str
) -> tuple[list[UUID], HandFigures]:
    """Who is dealt in by a correction, and what it comes to."""
    if (hand.entry_level == "pots") is not (entry.pots is not None):
        raise LevelOther(level=hand.entry_level)
    dealt = check_corrected(at, hand, entry)
    figures = hand_figures(at, entry, hand.variant)
    if entry.pots is not None:
        check_same(entry.pots, figures.places, _last(hand))
        dealt = [*entry.dealt]
    check_correction(at, hand, figures, correction)
    return dealt, figures


def hand_locked(house_id: UUID, hand_id: UUID, revision: int) -> tuple[Hand, PokerTable]:
    """A hand that counts, and its table as it was in the hand's session, both held."""
    table_id = Hand.objects.filter(pk=hand_id, house_id=house_id).values_list("table_id", flat=True)
    if not table_id:
        raise HandMissing
    table = table_locked(house_id, table_id[0], any_jackpot=True)
    rows = Hand.objects.select_for_update(of=("self",)).select_related("session")
    hand = rows.get(pk=hand_id)
    if hand.state == Hand.State.VOIDED:
        raise HandVoided(number=hand.number)
    if hand.revision != revision:
        raise HandChanged
    return hand, in_session(table, hand.session)


def _last(hand: Hand) -> HandResult:
    return HandResult.objects.get(hand=hand, revision=hand.revision)


def _check_alone(hand: Hand, person_id: UUID) -> None:
    """Raise HandNeedsApproval unless the croupier may still put it right by themselves."""
    if {_last(hand).entered_by_id, hand.session.croupier_id} != {person_id}:
        raise HandNeedsApproval(why=NOT_DEALER)
    if hand.session.closed_at is not None:
        raise HandNeedsApproval(why=TABLE_CLOSED)
    # also of a clock that was set back since
    passed = house_now(house_id=hand.house_id).moment - hand.ended_at
    if abs(passed.total_seconds()) > floor_rules(hand.session).undo_s:
        raise HandNeedsApproval(why=TOO_LATE)
    if Hand.objects.filter(session=hand.session, number__gt=hand.number).exists():
        raise HandNeedsApproval(why=PLAYED_ON)
    if HandOverride.objects.filter(hand=hand).exists():  # or they were paid for it twice
        raise HandNeedsApproval(why=OVERRULED)


def _outdate_overrides(hand: Hand) -> None:
    """An override that is asked for was about the result that goes now."""
    about: dict[str, Any] = {"house_id": hand.house_id, "subject_kind": "hand"}
    about |= {"subject_id": str(hand.pk)}
    if Approval.objects.filter(**about, action=OVERRIDE, state=Approval.State.OPEN).exists():
        approval_kill(**about, reason="the result was corrected")


def _take_back(
    at: PokerTable, hand: Hand, result: HandResult, reason: str, person_id: UUID
) -> None:
    """Reverse what was posted, on the hand's own gaming day: a day's fees are those of its
    hands, whenever one is put right.
    """
    if result.transfer_id is None:
        return
    transfer_reverse(
        house_id=hand.house_id,
        transfer_id=result.transfer_id,
        gaming_day=at.session.gaming_day,
        reason=reason,
        actor_id=person_id,
    )
    _empty_again(at, hand, result, person_id)


def _empty_again(at: PokerTable, hand: Hand, result: HandResult, person_id: UUID) -> None:
    """Where all have left, what came back of a result to the table is owed to pockets."""
    in_play = Entry.objects.filter(transfer=result.transfer_id, account__kind="in_play")
    moved_minor = in_play.aggregate(minor=Sum("amount_minor", default=0))["minor"]
    if not moved_minor or plays_on(hand.session):
        return
    what = "cleared" if result.entered is None else "emptied"
    recipe_post(
        house_id=hand.house_id,
        gaming_day=at.session.gaming_day,
        key=f"hand:{hand.pk}:{what}:{result.revision}",
        kind="table_emptied",
        lines=table_emptied(-moved_minor),
        owners={"house": hand.house_id, "table": hand.table_id},
        actor_id=person_id,
        subject_kind="hand",
        subject_id=hand.pk,
    )


def _correction(
    hand: Hand, dealt: list[UUID], entry: PlayedHand, figures: HandFigures, correction: str
) -> dict[str, Json]:
    """What signers sign, but for the reason: the hand as it stands, and what is entered instead."""
    return {
        **_void(hand, ""),
        **({"correction": correction} if correction != ENTRY_WRONG else {}),
        "dealt": [str(stay) for stay in dealt],
        "flop": figures.flop,
        "walk": figures.walk,
        "pot_minor": figures.pot_minor,
        "posted_minor": figures.fee.posted_minor,
        "taken_minor": figures.fee.rake_minor,
        **({"pots": entry_data(entry.pots)} if entry.pots else {}),
    }


def _void(hand: Hand, reason: str) -> dict[str, Json]:
    """What signers sign of the hand as it stands, with what management has paid for it, which stays
    paid.
    """
    rows = HandOverride.objects.filter(hand=hand).order_by("pk").values_list("seat", "amount_minor")
    overridden: list[Json] = [[seat, amount_minor] for seat, amount_minor in rows]
    return {
        **({"overridden": overridden} if overridden else {}),
        "hand": str(hand.pk),
        "number": hand.number,
        "revision": hand.revision,
        "rake_minor": _last(hand).rake_minor,
        "reason": reason,
    }


def _about(hand: Hand, action: str) -> dict[str, Any]:
    return {
        "house_id": hand.house_id,
        "action": action,
        "subject_kind": "hand",
        "subject_id": str(hand.pk),
        "revision": hand.revision,
    }


def request_about(
    hand: Hand, action: str, payload: Mapping[str, Json], person_id: UUID
) -> Approval:
    """Ask for a signature about a hand; who dealt it or entered it may not sign."""
    record = {
        "number": hand.number,
        "queued": hand.queued,
        "session_id": hand.session_id,
        "croupier_id": str(hand.croupier_id),
        "duty": str(hand.session.croupier_id),
    }
    entered = HandResult.objects.filter(hand=hand).values_list("entered_by_id", flat=True)
    return approval_request(
        **_about(hand, action),
        payload=payload,
        requester_id=person_id,
        excluded=dealt_by(record) | {*entered},
    )


def use_about(
    hand: Hand, action: str, approval_id: UUID, payload: Mapping[str, Json], person_id: UUID
) -> Approval:
    """Use an approval about a hand up. Raises as `approval_use`."""
    about = _about(hand, action)
    return approval_use(**about, approval_id=approval_id, payload=payload, actor_id=person_id)
