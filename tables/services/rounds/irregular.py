"""What goes wrong in a round is recorded with what was decided about it (BJ-11, BJ-12). Nothing
else moves: a misdeal that ends the round is voided beside it.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from payouts.db.constraints import require_transaction
from payouts.errors import mark
from payouts.rules.hands.cards import card_text, parse_cards
from payouts.rules.plain import check_text
from payouts.rules.rulesets.schema import picture
from payouts.services import Subject, event_record
from tables.errors import (
    DecisionNotAllowed,
    IrregularityBoxWrong,
    IrregularityHandWrong,
    IrregularityLate,
    IrregularityUnknown,
    RoundState,
    RoundUnknown,
)
from tables.games import bank_game, game_of
from tables.games.irregular import About, IrregularityKind
from tables.models import Irregularity, Round
from tables.selectors.rounds import round_record
from tables.services.later.staked import stakes_of
from tables.services.rounds.settle import check_duty

NONE = mark("no box")
PLAYS = mark("a box that plays")
EMPTY = mark("a box on which nobody plays")


def irregularity_record(
    *,
    house_id: UUID,
    round_id: UUID,
    person_id: UUID,
    kind: str,
    decision: str,
    reason: str,
    box: int | None = None,
    hand: int | None = None,
    card: str = "",
    supervisor: bool = False,
) -> Irregularity:
    """Record what went wrong in a round, and what was decided: by the croupier on duty while it
    runs, by a supervisor after its end too.

    Raises RoundUnknown, RoundState (it was withdrawn before its lock came), IrregularityLate,
    CroupierWrong, TextRefused, IrregularityUnknown, DecisionNotAllowed, IrregularityBoxWrong,
    IrregularityHandWrong, CardUnknown, CardCount.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    held = Round.objects.select_for_update(no_key=True).filter(pk=round_id, house_id=house_id)
    if not held.values_list("pk").first():
        raise RoundUnknown
    record = round_record(house_id=house_id, round_id=round_id)
    _check_who(record, person_id, supervisor=supervisor)
    found = game_of(record["game"]).irregularities.get(kind)
    if found is None:
        raise IrregularityUnknown(irregularity=picture(kind))
    if decision not in found.decisions:
        raise DecisionNotAllowed(irregularity=kind, decision=picture(decision))
    _check_box(record, found, box, hand)
    cards = parse_cards(card, (1,)) if card else ()
    what: dict[str, Any] = {
        "kind": kind,
        "decision": decision,
        "box": box,
        "hand": hand,
        "card": card_text(cards[0]) if cards else "",
    }
    event_record(
        "round.irregularity",
        Subject("round", round_id),
        house_id=house_id,
        actor_id=person_id,
        after=what,
        reason=reason,
    )
    whose: dict[str, Any] = {"house_id": house_id, "round_id": round_id}
    return Irregularity.objects.create(**whose, **what, reason=reason, recorded_by_id=person_id)


def _check_who(record: Mapping[str, Any], person_id: UUID, *, supervisor: bool) -> None:
    if record["state"] == Round.State.WITHDRAWN:
        raise RoundState(state=record["state"])
    if record["state"] != Round.State.LOCKED and not supervisor:
        raise IrregularityLate
    check_duty(record, person_id, supervisor=supervisor)


def _check_box(
    record: Mapping[str, Any], found: IrregularityKind, box: int | None, hand: int | None
) -> None:
    """Raise IrregularityBoxWrong where it cannot have happened at the box, IrregularityHandWrong
    where it has no such hand.
    """
    laid, later = stakes_of(record)
    stakes = [*laid, *(one.stake for one in later)]
    hands = 0 if box is None else bank_game(record["game"]).hands_on(stakes, box)
    fits, expected = {
        About.ROUND: (box is None, NONE),
        About.BOX: (hands > 0, PLAYS),
        About.HAND: (hands > 0, PLAYS),
        About.BOX_OR_NONE: (box is None or hands > 0, PLAYS),
        About.EMPTY_BOX: (box is not None and not hands and box <= record["boxes"], EMPTY),
    }[found.about]
    if not fits:
        raise IrregularityBoxWrong(expected=expected)
    if hand is not None and (found.about is not About.HAND or hand > hands):
        raise IrregularityHandWrong(hand=hand)
