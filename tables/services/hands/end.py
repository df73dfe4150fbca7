"""A hand ends: who was dealt in, and what the house takes out of its pot (RAK-1, RAK-3)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Max

from payouts.db.constraints import refusing, require_transaction
from payouts.rules.plain import fingerprint
from payouts.selectors import gaming_day_at
from tables.errors import CroupierWrong, HandDismissed, HandTaken, StayGone
from tables.games.poker.entered import entry_data
from tables.models import Hand, HandOver, ReviewItem, Table, TableSession
from tables.services.counts.back import Came, session_follow
from tables.services.floor.frozen import check_uncounted
from tables.services.hands.counted import counted_later
from tables.services.hands.entry import (
    Author,
    PlayedHand,
    check_dealt,
    hand_figures,
    result_write,
    session_dealt,
    stays_then,
    variant_of,
)
from tables.services.hands.pots import check_stacks, level_entered
from tables.services.parts import session_of, table_locked
from tables.services.seats.parts import PokerTable, check_day, in_session, plays_on


def hand_end(
    *,
    house_id: UUID,
    table_id: UUID,
    hand_id: UUID,
    entry: PlayedHand,
    person_id: UUID,
    supervisor: bool = False,
    queued: bool = False,
    croupier_id: UUID | None = None,
    clarified: bool = False,
    began_at: datetime | None = None,
    reason: str = "",
) -> Hand:
    """Book a hand; the same again is the hand as it stands by now.

    `queued`: played while the table had no server, so that who had the table before may send it.
    `clarified`: the pit books it, `croupier_id` dealt it, and its guests may have left. `began_at`:
    by the tablet's clock; a hand that began before the gaming day changed ends on it. One that
    comes late is of the session in which it was dealt, open or closed, and of the level at which
    it was entered; at *pots* the pit takes one whose session was rolled, for its stacks ran on.

    Raises TableUnknown, TableClosed, TableBeingCounted, NoStacks, CroupierWrong, DayOver,
    HandTaken, HandDismissed, LevelOther, TooFew, StayGone, NotThere, VariantWrong, OffChip,
    RakingRefused; at *pots* SeatOther, StacksDiffer, CarriedDiffers, and as the course of play.
    """
    require_transaction()
    table = table_locked(house_id, table_id, any_jackpot=True)
    sent_hash = _fingerprint(table_id, entry)
    if (known := _known(house_id, hand_id, sent_hash)) is not None:
        return known
    is_late = queued or clarified
    entry = stays_then(table, entry, began_at) if is_late else entry
    at = in_session(table, _session_uncounted(table, entry, is_late=is_late))
    if not clarified:
        _check_dismissed(house_id, hand_id, queued=queued)
        _check_began(at, began_at)
    if not supervisor and not _deals(at.session, person_id, before=queued):
        raise CroupierWrong
    level = level_entered(at, entry.pots, late=is_late)
    dealt = check_dealt(at, entry, seated=not clarified, began_at=began_at)
    variant = variant_of(at, entry)
    figures = hand_figures(at, entry, variant)
    if not clarified and entry.pots is not None:
        check_stacks(at, entry.pots, figures.places, dealt)
    hand = _numbered(
        at,
        id=hand_id,
        entry_level=level,
        variant=variant,
        sent_hash=sent_hash,
        croupier_id=_dealer(at.session, person_id, croupier_id, queued=queued),
        queued=is_late,
    )
    source = "circulation" if is_late and not plays_on(at.session) else "in_play"
    played: dict[str, Any] = {"dealt": [*dealt], "entry": entry, "stacks_stand": not clarified}
    played |= {"figures": figures, "counted": clarified and counted_later(at, began_at)}
    result_write(at, hand, **played, author=Author(person_id, reason=reason), source=source)
    session_follow(at.session, Came("hand", hand.pk), actor_id=person_id)
    return hand


def _session_uncounted(table: Table, entry: PlayedHand, *, is_late: bool) -> TableSession:
    """The session of a hand. Raises TableClosed, TableBeingCounted."""
    session = (is_late and session_dealt(table, entry)) or session_of(table)
    check_uncounted(session)
    return session


def hand_was(*, house_id: UUID, table_id: UUID, hand_id: UUID, entry: PlayedHand) -> bool:
    """Whether just this hand was booked."""
    return Hand.objects.filter(
        pk=hand_id, house_id=house_id, sent_hash=_fingerprint(table_id, entry)
    ).exists()


def _numbered(at: PokerTable, **values: Any) -> Hand:
    """The next hand of a session. Raises HandTaken."""
    session = at.session
    last = Hand.objects.filter(session=session).aggregate(last=Max("number"))["last"]
    with refusing({"tables_hand_pkey": HandTaken()}):
        return Hand.objects.create(
            house_id=session.house_id,
            table=at.table,
            session=session,
            number=(last or 0) + 1,
            **values,
        )


def _fingerprint(table_id: UUID, entry: PlayedHand) -> bytes:
    dealt = sorted(str(stay) for stay in {*entry.dealt})
    if entry.pots is None:
        return fingerprint([str(table_id), *dealt, *entry.pot, entry.variant])
    order = [str(stay) for stay in entry.dealt]
    return fingerprint([str(table_id), *order, entry_data(entry.pots), entry.variant])


def _known(house_id: UUID, hand_id: UUID, sent_hash: bytes) -> Hand | None:
    hand = Hand.objects.filter(pk=hand_id).first()
    if hand is not None and (hand.house_id, bytes(hand.sent_hash)) != (house_id, sent_hash):
        raise HandTaken
    return hand


def _check_dismissed(house_id: UUID, hand_id: UUID, *, queued: bool) -> None:
    dismissed = ReviewItem.objects.filter(
        house_id=house_id, round_id=hand_id, state=ReviewItem.State.DISMISSED
    )
    if queued and dismissed.exists():
        raise HandDismissed


def _deals(session: TableSession, person_id: UUID, *, before: bool) -> bool:
    if session.croupier_id == person_id:
        return True
    overs = HandOver.objects.filter(session=session, from_croupier_id=person_id)
    return before and overs.exists()


def _dealer(
    session: TableSession, person_id: UUID, croupier_id: UUID | None, *, queued: bool
) -> UUID:
    """Who dealt a hand: who sends it later, or has the table as it ends."""
    if croupier_id is not None:
        return croupier_id
    return person_id if queued else session.croupier_id


def _check_began(at: PokerTable, began_at: datetime | None) -> None:
    """Raise DayOver for a hand that began after the gaming day of its session, StayGone after its
    session.
    """
    closed_at = at.session.closed_at
    if closed_at is not None and (began_at is None or began_at > closed_at):
        raise StayGone
    if began_at is not None:
        day = gaming_day_at(house_id=at.session.house_id, moment=began_at)
        if day == at.session.gaming_day:
            return
    check_day(at.session)
