"""Black Jack on the floor: what may lie at the lock, and how a round settles by its result.

Entry levels: `full_cards` settles from cards alone; `fast` from taps, with cards where they were
entered. The progressive jackpot's coin is none of its stakes.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from payouts.errors import mark
from payouts.rules.lines import Reason, Stake
from payouts.rules.rulesets.kinds import Edges, TableKind
from tables.games.base import (
    NOBODY,
    BankGame,
    Came,
    Decider,
    Ended,
    Entered,
    LevelRefused,
    Placed,
    Rules,
)
from tables.games.blackjack import labels, placing, settle
from tables.games.blackjack.deal import deal, fed_until
from tables.games.blackjack.edge.house import house_edge
from tables.games.blackjack.fed_results import check_result, has_all_cards
from tables.games.blackjack.fed_stakes import check_stake
from tables.games.blackjack.form import FORM
from tables.games.blackjack.grounds import check_grounds
from tables.games.blackjack.outcomes import ending_of
from tables.games.blackjack.placement import particulars, read_placement, splits_aces
from tables.games.blackjack.refusals import NoAce
from tables.games.blackjack.result import read_feed, read_result, with_feed, written
from tables.games.blackjack.rules import BOXES, BlackjackRules
from tables.games.blackjack.settle import settle_outcomes
from tables.games.blackjack.stakes import STAKE, check_lock, hands_on
from tables.rules.limits import BoxLimits

CARDS_NEEDED = mark("all cards are entered")
NO_COINS = mark("Black Jack has no coin")


class Blackjack(BankGame):
    """The game's answers to the floor."""

    code = "blackjack"
    title = mark("Black Jack")
    kinds: tuple[TableKind, ...] = (
        TableKind(
            "blackjack_rules",
            mark("Rules of Black Jack"),
            BlackjackRules(),
            edges=Edges(labels.EDGES, lambda rules: house_edge(rules)._asdict()),
        ),
    )
    posted: tuple[str, ...] = ("blackjack_rules", "box_limits")
    boxes_most = BOXES
    main = ("box_limits", STAKE)
    form = FORM
    pace = (15, 130)
    shared = True
    reasons: Mapping[str, Reason] = {
        one.code: one for one in vars(settle).values() if isinstance(one, Reason)
    }
    stakes = labels.STAKES
    fields = labels.FIELDS
    choices = labels.CHOICES
    logged = labels.LOGGED
    words = labels.WORDS
    places = labels.PLACES
    box = labels.BOX
    result = labels.RESULT
    fed = labels.FED
    fed_in_order = True
    irregularities = labels.IRREGULARITIES
    doubted: Mapping[str, str] = {NoAce.code: NoAce.sentence}

    def limits(self, rules: Rules, kind: str) -> BoxLimits:
        """The posted limits of the table's boxes (BOX-3, BOX-4, PRM-1)."""
        return cast(BoxLimits, rules.posted["box_limits"])

    def check(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        *,
        layout: int,
        level: str,
        owners: Mapping[int, str] = NOBODY,
    ) -> None:
        """Raises LevelRefused and what `check_lock` refuses; who may stake on whose box is the
        prime rule's business.
        """
        if level == "jackpot_only":
            raise LevelRefused(level=level, why=NO_COINS)
        check_lock(self.limits(rules, STAKE), stakes, layout)

    def end(self, rules: Rules, stakes: Sequence[Stake], result: object, *, level: str) -> Ended:
        """Raises ResultWrong, LevelRefused, and what `ending_of` refuses (BJ-1 to BJ-9, HAND-6).
        `stakes`: those of the lock, and those that came later in their order.
        """
        entry, posted = read_result(result), cast(BlackjackRules, rules.posted["blackjack_rules"])
        ending = ending_of(posted, stakes, entry)
        if level == "full_cards" and not ending.by_cards:
            raise LevelRefused(level=level, why=CARDS_NEEDED)
        lines = settle_outcomes(posted, stakes, ending.outcomes, ending.bank)
        return Ended(lines, (), (), (), "cards" if ending.by_cards else "taps", written(entry))

    def place(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        placement: object,
        decider: Decider,
        entered: Sequence[Entered] = (),
    ) -> Placed:
        """Raises PlacementWrong and what `placing.place` refuses (BJ-5 to BJ-9). Doubling and
        splitting are the decider's; insurance and even money each guest's own. Where it is not
        known who sat where, anybody doubles; whoever split first on the box, and is not away,
        decides about a split.
        """
        read, away = read_placement(placement)
        decides = decider(read.box, away) if read.act in placing.DECIDED else ""
        if decides is None and read.act == "split":
            began = (
                one.stake.guest
                for one in later
                if one.stake.box == read.box
                and one.stake.kind.startswith("split_")
                and one.stake.guest not in away
            )
            decides = next(began, read.guest)
        posted = cast(BlackjackRules, rules.posted["blackjack_rules"])
        aces = any(box == read.box and splits_aces(more) for box, more in entered)
        return placing.place(posted, stakes, later, read, decides, aces=aces)

    def check_later(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        before: Sequence[Placed],
    ) -> None:
        """As `grounds.check_grounds`."""
        posted = cast(BlackjackRules, rules.posted["blackjack_rules"])
        check_grounds(posted, stakes, later, before)

    def hands_on(self, stakes: Sequence[Stake], box: int) -> int:
        """As `stakes.hands_on`."""
        return hands_on(stakes, box)

    def read_feed(self, cards: object) -> dict[str, Any]:
        """As `result.read_feed`."""
        return read_feed(cards)

    def with_feed(
        self, result: object, fed: Mapping[str, Any] | None, *, staked: Collection[int], level: str
    ) -> object:
        """As `result.with_feed`."""
        return with_feed(result, fed, staked)

    def particulars(self, placement: object) -> dict[str, Any]:
        """As `placement.particulars`."""
        return particulars(placement)

    def drawn(self, fed: Mapping[str, Any], staked: Collection[int]) -> int:
        """Those after two for each box and one for the bank (BJ-2)."""
        return len(deal(fed, staked).drawn)

    def fed_until(
        self, fed: Mapping[str, Any], staked: Collection[int], drawn: int
    ) -> Mapping[str, Any]:
        """As `deal.fed_until`."""
        return fed_until(fed, staked, drawn)

    def check_fed_stake(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        placement: object,
        fed: Mapping[str, Any],
        came: Came,
    ) -> None:
        """As `fed_stakes.check_stake`."""
        posted = cast(BlackjackRules, rules.posted["blackjack_rules"])
        read, _away = read_placement(placement)
        dealt = deal(fed, {stake.box for stake in stakes})
        check_stake(posted, stakes, later, read, dealt, came=came)

    def check_fed_result(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        result: Mapping[str, Any],
        fed: Mapping[str, Any],
        came: Came,
        *,
        level: str,
    ) -> None:
        """As `fed_results.check_result`."""
        posted = cast(BlackjackRules, rules.posted["blackjack_rules"])
        check_result(posted, stakes, read_result(result), fed, came)

    def waits_for_feed(self, rules: Rules, stakes: Sequence[Stake], fed: Mapping[str, Any]) -> bool:
        """As `fed_results.has_all_cards` denies."""
        return not has_all_cards(cast(BlackjackRules, rules.posted["blackjack_rules"]), stakes, fed)


BLACKJACK = Blackjack()
