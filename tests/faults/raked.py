"""Hands and chips of poker tables by the simulator's own books, and what must then be in those of the house: each hand once, its
rake once, each stack moved once by its pots, each movement of a guest's chips once, and nothing in play where nobody sits any more.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from casino.simulate.books.poker import VOIDED, RakedHand, TableBook

Ask = Callable[[str], list[tuple[Any, ...]]]

# Each hand as it stands, and what of its rake is booked.
HANDS = """
SELECT h.id::text, h.number, h.state, h.revision, e.rake_minor,
    coalesce((SELECT -sum(x.amount_minor)::bigint FROM payouts_transfer t JOIN payouts_entry x ON x.transfer_id = t.id
        JOIN payouts_account a ON a.id = x.account_id AND a.kind = 'rake'
        WHERE t.subject_kind = 'hand' AND t.subject_id = h.id), 0)
FROM tables_hand h JOIN tables_handresult e ON e.hand_id = h.id AND e.revision = h.revision ORDER BY h.id
"""
# What a hand has moved of each stack, whatever was taken back of it.
MOVED = """
SELECT t.subject_id::text, a.detail_id::text, -sum(x.amount_minor)::bigint FROM payouts_transfer t
JOIN payouts_entry x ON x.transfer_id = t.id JOIN payouts_account a ON a.id = x.account_id AND a.kind = 'stack'
WHERE t.subject_kind = 'hand' GROUP BY t.subject_id, a.detail_id HAVING sum(x.amount_minor) <> 0
"""
CHIPS = "SELECT stay_id::text, kind, means, amount_minor FROM tables_staychips ORDER BY id"
STILL = """
SELECT kind, coalesce(detail_id, owner_id)::text, balance_minor FROM payouts_account
WHERE kind IN ('in_play', 'stack') AND balance_minor <> 0 ORDER BY kind, id
"""


def raked_amiss(books: Iterable[TableBook], ask: Ask) -> list[str]:
    """What the house has otherwise than our books; all guests have left."""
    books = list(books)
    hands = {hand.id: _as_booked(hand) for book in books for hand in book.hands}
    stays = {stay.id: [tuple(moved) for moved in stay.chips] for book in books for stay in book.stays}
    nets = {
        f"{hand.id} of {stay}": net
        for book in books for hand in book.standing for stay, net in hand.nets.items() if net
    }  # fmt: skip
    booked = {hand_id: tuple(row) for hand_id, *row in ask(HANDS)}
    moved = {f"{hand} of {stay}": net for hand, stay, net in ask(MOVED)}
    chips: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for stay_id, *row in ask(CHIPS):
        chips[stay_id].append(tuple(row))
    return [
        *_differences("hand", hands, booked),
        *_differences("stack in hand", nets, moved),
        *_differences("stay", stays, chips),
        *(f"{kind} of {whose}: {amount} where nobody sits any more" for kind, whose, amount in ask(STILL)),
    ]


def _as_booked(hand: RakedHand) -> tuple[Any, ...]:
    rake = hand.rake_minor
    return hand.number, hand.state, hand.revision, rake, 0 if hand.state == VOIDED else rake


def _differences(what: str, ours: dict[str, Any], booked: dict[str, Any]) -> Iterable[str]:
    for name in sorted(ours.keys() | booked.keys()):
        if name not in ours:
            yield f"{what} {name}: nobody entered {booked[name]}"
        elif ours[name] != booked.get(name):
            yield f"{what} {name}: booked is {booked.get(name)}, by our books {ours[name]}"
