"""What a house posts for poker: the game at a table, and how the house settles what the rules leave
open (POK-1 to POK-10).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from payouts.errors import mark
from payouts.rules.rulesets.rake import RakeSchedule, TimeCharge
from payouts.rules.rulesets.schema import (
    Advice,
    Posted,
    choice,
    choice_kind,
    flag,
    several,
    whole,
    wrong,
)
from tables.games.poker.variants import HORSE, SEATS_MOST, VARIANTS

FEES = {"rake": "rake", "time": "time_charge"}  # by what a house takes, the kind that says it
ON_CHIP = mark("a multiple of the table's smallest chip, %(step)s")
FEE_POSTED = mark("the fee that is posted for the table, and no other")
ROTATION = mark("one variant, or these in their order: %(horse)s")
AT_LEAST = mark("at least %(low)s")
AT_MOST = mark("at most %(high)s")
DECK_FEEDS = mark("at most %(seats)s, as many as the deck feeds")
ALL_VARIANTS = mark("at most %(rounds)s, as many as there are streets")


@dataclass(frozen=True, slots=True, kw_only=True)
class PokerGame(Posted):
    """What is played at a table, in minor units.

    `variants`: one, or HORSE; `rotate_hands`: after how many hands the next one comes, None after
    an orbit. `limit`: `split` bets `small_bet_minor`, and `big_bet_minor` from `big_from_round` on;
    `spread` from `least_minor` to `most_minor`. Blinds open with a button, `bring_in_minor` with a
    door card. `buy_in_most_minor`: None is no most (POK-2). `fee`: what the house takes.
    """

    KIND: ClassVar[str] = "poker_game"

    variants: tuple[str, ...] = several(choice_kind(*VARIANTS), ("holdem",), low=1, high=len(HORSE))
    rotate_hands: int | None = whole(None, low=1, high=100, optional=True)
    limit: str = choice("no_limit", "pot", "split", "spread", default="no_limit")
    small_blind_minor: int = whole(100)
    big_blind_minor: int = whole(200)
    ante_minor: int = whole(0)
    bring_in_minor: int = whole(0)
    small_bet_minor: int = whole(0)
    big_bet_minor: int = whole(0)
    big_from_round: int = whole(3, low=2, high=5)
    least_minor: int = whole(0)
    most_minor: int = whole(0)
    straddle: str = choice("none", "utg", default="none")
    seats: int = whole(9, low=2, high=SEATS_MOST)
    chip_minor: int = whole(100, low=1)
    buy_in_least_minor: int = whole(4_000, low=1)
    buy_in_most_minor: int | None = whole(20_000, low=1, optional=True)
    fee: str = choice(*FEES, "nothing", default="rake")

    def verify(self) -> None:
        """Chips, bets and seats fit one another, and the variants a rotation."""
        if len(self.variants) > 1 and self.variants != HORSE:
            horse = [VARIANTS[code].title for code in HORSE]
            raise wrong("poker_game.variants", list(self.variants), ROTATION, horse=horse)
        self._verify_chips()
        seats = min(VARIANTS[code].seats_most for code in self.variants)
        if self.seats > seats:
            raise wrong("poker_game.seats", self.seats, DECK_FEEDS, seats=seats)
        self._verify_bets()

    def _verify_chips(self) -> None:
        for name, amount in self.fields_data().items():
            if name.endswith("_minor") and isinstance(amount, int) and amount % self.chip_minor:
                raise wrong(f"poker_game.{name}", amount, ON_CHIP, step=self.chip_minor)

    def _verify_bets(self) -> None:
        least = {
            "big_blind_minor": self.small_blind_minor,
            "big_bet_minor": self.small_bet_minor,
            "most_minor": self.least_minor,
            "buy_in_least_minor": self.bet_minor,
            "buy_in_most_minor": self.buy_in_least_minor,
        }
        if any(not VARIANTS[code].doors for code in self.variants):
            least["big_blind_minor"] = max(self.small_blind_minor, self.chip_minor)
        if any(VARIANTS[code].doors for code in self.variants):
            least["bring_in_minor"] = self.chip_minor
        if self.limit == "split":
            least["small_bet_minor"] = self.chip_minor
        if self.limit == "spread":
            least["least_minor"] = self.chip_minor
        for name, minor in least.items():
            amount = getattr(self, name)
            if amount is not None and amount < minor:
                raise wrong(f"poker_game.{name}", amount, AT_LEAST, low=minor)
        self._verify_most()

    def _verify_most(self) -> None:
        bet = self.bet_minor
        if self.bring_in_minor > bet:
            raise wrong("poker_game.bring_in_minor", self.bring_in_minor, AT_MOST, high=bet)
        rounds = min(VARIANTS[code].rounds for code in self.variants)
        if self.limit == "split" and self.big_from_round > rounds:
            raise wrong(
                "poker_game.big_from_round", self.big_from_round, ALL_VARIANTS, rounds=rounds
            )

    @property
    def bet_minor(self) -> int:
        """The least bet (POK-3)."""
        by_limit = {"split": self.small_bet_minor, "spread": self.least_minor}
        return by_limit.get(self.limit) or max(self.big_blind_minor, self.bring_in_minor)

    def advice(self) -> tuple[Advice, ...]:
        """Warn of a buy-in below ten least bets (POK-2)."""
        if self.buy_in_least_minor >= 10 * self.bet_minor:
            return ()
        return (Advice("poker.buy_in_short", mark("A buy-in below ten least bets is short."), {}),)

    def fit_fees(self, posted: Mapping[str, Posted]) -> None:
        """Refuse a fee that is not posted beside the game, another than it names, or one off the
        smallest chip (RAK-1, RAK-2). `posted`: by kind. Raises ValueWrong.
        """
        for fee, kind in FEES.items():
            if (fee == self.fee) is not (kind in posted):
                raise wrong("poker_game.fee", self.fee, FEE_POSTED)
        rake = posted.get("rake")
        charge = posted.get("time_charge")
        if isinstance(rake, RakeSchedule) and rake.step_minor % self.chip_minor:
            raise wrong("rake.step_minor", rake.step_minor, ON_CHIP, step=self.chip_minor)
        if isinstance(charge, TimeCharge) and charge.half_hour_minor % self.chip_minor:
            minor = charge.half_hour_minor
            raise wrong("time_charge.half_hour_minor", minor, ON_CHIP, step=self.chip_minor)


@dataclass(frozen=True, slots=True, kw_only=True)
class PokerRules(Posted):
    """Each Open of the rules is a field here; the defaults are the rules' own.

    `min_raise`, `raise_cap` (None: none), `half_bet` (an all-in of half a bet is a raise): POK-3.
    `stud_opens`, `razz_opens`, `opener_may_complete`, `tied_doors`, `draw_most`,
    `draw_second_opens`, `first_round_check`, `openers`, `button_posts_small`: POK-4.
    `draw_low`: the low hand that lowball draw is played for (HAND-5). `first_dealer`: POK-5.
    `odd_chips`: POK-7. `showdown_first`: POK-8. `missed_blinds`: who comes back posts or waits, or
    neither. `rake_gap`: less than posted is told to the pit, or refused
    (RAK-3). `tips_from_stack`, `time_from`: whether chips on the table pay these (POK-2, RAK-2).
    """

    KIND: ClassVar[str] = "poker_rules"
    SCHEMA: ClassVar[int] = 2
    ADDED: ClassVar[Mapping[str, object]] = MappingProxyType({"draw_low": "ace_to_five"})

    min_raise: str = choice("increment", "double_total", default="increment")
    raise_cap: int | None = whole(3, low=3, high=4, optional=True)
    half_bet: bool = flag(default=True)
    odd_chips: str = choice("one_each", "all_to_worst", default="one_each")
    showdown_first: str = choice("last_round", "whole_hand", default="last_round")
    stud_opens: str = choice("by_limit", "lowest", default="by_limit")
    razz_opens: str = choice("lowest", "highest", default="lowest")
    opener_may_complete: bool = flag(default=False)
    tied_doors: str = choice("suit", "dealers_left", default="suit")
    draw_most: int = whole(4, low=1, high=5)
    draw_second_opens: str = choice("left_of_button", "opener", default="left_of_button")
    first_round_check: bool = flag(default=False)
    openers: str = choice("any", "jacks", default="any")
    draw_low: str = choice("ace_to_five", "ace_to_six", "deuce_to_seven", default="ace_to_five")
    first_dealer: str = choice("high_card", "high_card_suit", "first_jack", default="high_card")
    button_posts_small: bool = flag(default=True)
    missed_blinds: str = choice("post_or_wait", "free", default="post_or_wait")
    rake_gap: str = choice("booked", "refused", default="booked")
    tips_from_stack: bool = flag(default=True)
    time_from: str = choice("stack", "pocket", default="stack")
