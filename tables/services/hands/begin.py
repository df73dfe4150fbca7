"""A hand at *pots* begins, as its tablet tells at the first tap: until it is over it bars what
would move chips of its players (POK-2).
"""

from uuid import UUID

from django.db.models import Max
from django.db.models.functions import Now

from payouts.db.constraints import require_transaction
from payouts.rules.plain import check_text
from payouts.services import event_record
from tables.errors import CroupierWrong, HandTaken, LevelOther, NoHandRuns, NumberUsed
from tables.games.poker.posts import check_button
from tables.games.poker.raking import Pot
from tables.models import BegunHand, Hand
from tables.selectors.running import hand_running
from tables.services.floor.frozen import check_uncounted
from tables.services.hands.entry import PlayedHand, check_dealt, variant_of
from tables.services.seats.parts import PokerTable, check_day, poker_table

ABANDONED = "table.hand_abandoned"


def hand_begin(
    *,
    house_id: UUID,
    table_id: UUID,
    hand_id: UUID,
    number: int,
    button: int,
    dealt: list[UUID],
    variant: str = "",
    person_id: UUID,
    supervisor: bool = False,
) -> BegunHand:
    """A hand runs from now on; the same again is that hand, with who is dealt in by now. One that
    was begun before and never ended is abandoned: nothing was booked of it, and its number goes to
    the next hand. `button`: its seat, 0 where there is none.

    Raises TableUnknown, TableClosed, NoStacks, CroupierWrong, DayOver, TableBeingCounted,
    LevelOther, HandTaken, NumberUsed, TooFew, DealtGone, StayGone, VariantMissing, VariantWrong,
    ButtonMisplaced.
    """
    require_transaction()
    at = poker_table(house_id, table_id)
    session = at.session
    if not supervisor and session.croupier_id != person_id:
        raise CroupierWrong
    check_day(session)
    check_uncounted(session)
    if session.entry_level != "pots":
        raise LevelOther(level=session.entry_level)
    if Hand.objects.filter(pk=hand_id).exists():
        raise HandTaken
    last = Hand.objects.filter(session=session).aggregate(last=Max("number"))["last"] or 0
    if number <= last:
        raise NumberUsed(number=number)
    entry = PlayedHand(dealt, Pot(), variant)
    stays = check_dealt(at, entry, seated=True)
    code = variant_of(at, entry)
    check_button(code, button, stays.values())
    before = hand_running(session)
    if before is not None and before.hand_id != hand_id:
        _abandoned(at, before, person_id)
    goes_on = before is not None and before.hand_id == hand_id
    begun, _new = BegunHand.objects.update_or_create(
        session=session,
        defaults={
            "house_id": house_id,
            "hand_id": hand_id,
            "number": number,
            "after_hand": last,
            "button": button,
            "variant": code,
            "dealt": [*stays],
            "croupier_id": session.croupier_id,
            "begun_by_id": person_id,
            "abandoned": False,
            **({} if goes_on else {"at": Now()}),
        },
    )
    begun.refresh_from_db(fields=["at"])
    return begun


def hand_abandon(*, house_id: UUID, table_id: UUID, reason: str, actor_id: UUID) -> BegunHand:
    """The pit ends a hand that nobody ends, its tablet being dead: nothing is booked of it. It may
    be sent all the same. Raises TableUnknown, TableClosed, NoStacks, TextRefused, NoHandRuns.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    at = poker_table(house_id, table_id)
    begun = hand_running(at.session)
    if begun is None:
        raise NoHandRuns
    begun.abandoned = True
    begun.save(update_fields=["abandoned"])
    _abandoned(at, begun, actor_id, reason)
    return begun


def _abandoned(at: PokerTable, begun: BegunHand, actor_id: UUID, reason: str = "") -> None:
    after = {"session": str(at.session.pk), "hand": str(begun.hand_id), "number": begun.number}
    after |= {"since": begun.at.isoformat()}
    event_record(ABANDONED, at.table, actor_id=actor_id, after=after, reason=reason)
