"""What goes wrong at a poker table is recorded with what was decided about it (POK-9). Nothing else
moves: a hand that is void or put right by it is so beside it.
"""

from typing import Any
from uuid import UUID

from payouts.db.constraints import require_transaction
from payouts.rules.hands.cards import card_text, parse_cards
from payouts.rules.plain import check_text
from payouts.rules.rulesets.schema import picture
from payouts.services import event_record
from tables.errors import (
    CroupierWrong,
    HandDecisionUnknown,
    HandMissing,
    HandOverrideByFloor,
    TableClosed,
)
from tables.games.poker.irregular import HAND_CASES, HAND_DECISIONS
from tables.models import Hand, HandIrregularity
from tables.services.parts import session_of, table_locked
from tables.services.seats.parts import PokerTable, check_seat, in_session

IRREGULAR = "hand.irregular"


def hand_irregular(
    *,
    house_id: UUID,
    table_id: UUID,
    kind: str,
    decision: str,
    reason: str,
    person_id: UUID,
    hand_id: UUID | None = None,
    seat: int | None = None,
    card: str = "",
    override: bool = False,
    supervisor: bool = False,
) -> HandIrregularity:
    """Record what went wrong at a poker table, in one of its hands or between two, and what was
    decided: by who has the table while it is open, by a supervisor later too. `override`: the floor
    decides otherwise than the rule.

    Raises TableUnknown, TableClosed, HandMissing, NoStacks, CroupierWrong,
    TextRefused, HandOverrideByFloor, HandDecisionUnknown, SeatOutside, CardUnknown, CardCount.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    hand, at = _played(house_id, table_id, hand_id)
    _check_by(at, person_id, supervisor=supervisor)
    if override and not supervisor:
        raise HandOverrideByFloor
    known = HAND_CASES.get(kind)
    allowed = () if known is None else HAND_DECISIONS if override else known.decisions
    if decision not in allowed:
        raise HandDecisionUnknown(irregularity=picture(kind), decision=picture(decision))
    if seat is not None:
        check_seat(at, seat)
    cards = parse_cards(card, (1,)) if card else ()
    values: dict[str, Any] = {
        "kind": kind,
        "decision": decision,
        "seat": seat,
        "card": card_text(cards[0]) if cards else "",
        "override": override,
    }
    event_record(IRREGULAR, hand or at.table, actor_id=person_id, after=values, reason=reason)
    return HandIrregularity.objects.create(
        house_id=house_id,
        session=at.session,
        hand=hand,
        **values,
        reason=reason,
        recorded_by_id=person_id,
    )


def _played(house_id: UUID, table_id: UUID, hand_id: UUID | None) -> tuple[Hand | None, PokerTable]:
    """The hand that it is about, if it is about one, and its table in that session, held."""
    table = table_locked(house_id, table_id, any_jackpot=True)
    if hand_id is None:
        return None, in_session(table, session_of(table))
    hands = Hand.objects.filter(pk=hand_id, house_id=house_id, table=table)
    hand = hands.select_related("session").first()
    if hand is None:
        raise HandMissing
    return hand, in_session(table, hand.session)


def _check_by(at: PokerTable, person_id: UUID, *, supervisor: bool) -> None:
    """Raise TableClosed for a croupier after the table closed, CroupierWrong for one who does
    not have it.
    """
    if supervisor:
        return
    if at.session.closed_at is not None:
        raise TableClosed
    if at.session.croupier_id != person_id:
        raise CroupierWrong
