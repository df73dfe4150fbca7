"""What a house posts about how rounds are entered: when cards are needed, how long a lock or a
result can be taken back.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.paytable import CategoryField, MadeHand
from payouts.rules.rulesets.schema import Posted, of_kind, whole

WITHDRAW_S, IDLE_MINUTES = 30, 10  # what holds for a version that was posted before it could say so


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorRules(Posted):
    """`cards_from`: a box with a coin and this class or a higher one is settled from its cards
    only; a royal flush always is.

    `reopen_s`: seconds in which a lock can be taken back by the croupier (no card is out yet).
    `withdraw_s`: seconds in which a lock that came, but whose answer did not, can be withdrawn.
    `undo_s`: seconds in which they alone may put a result right; later, and whenever a box wins
    `approval_from_minor` or more, before or after, or so much more or less is paid in the round, a
    correction needs an approval; so does a first result from the office by which all boxes together
    win so much. `idle_minutes`: how long a tablet that nobody touches between two rounds stays
    open; then it asks for the PIN.
    """

    KIND: ClassVar[str] = "floor_rules"

    cards_from: Category = of_kind(CategoryField(), Category.FULL_HOUSE)  # noqa: RUF009 - a field like the others
    reopen_s: int = whole(5, high=60)
    withdraw_s: int = whole(WITHDRAW_S, high=60)
    undo_s: int = whole(20, high=300)
    idle_minutes: int = whole(IDLE_MINUTES, low=1, high=60)
    approval_from_minor: int = whole(50_000, low=1)

    @classmethod
    def from_data(cls, data: object) -> Self:
        """As any posted table; versions from before `withdraw_s` and `idle_minutes` could be posted
        have their defaults.
        """
        if isinstance(data, dict):
            data = {"withdraw_s": WITHDRAW_S, "idle_minutes": IDLE_MINUTES} | data
        return super(FloorRules, cls).from_data(data)  # by name: slots make the class anew

    def needs_cards(self, hand: MadeHand | None, *, coin: bool) -> bool:
        """Whether a box with this class is settled from its cards only."""
        if hand is None:
            return False
        return hand.category is Category.ROYAL_FLUSH or (coin and hand.category >= self.cards_from)
