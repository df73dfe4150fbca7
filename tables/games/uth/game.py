"""Ultimate Texas Hold'em on the floor: what may lie at the lock, how a result is read in each entry
level, how it settles.

Entry levels: `full_cards` settles from cards alone; `fast` from taps, with cards where the house
wants them; `jackpot_only` knows coins and hands that the progressive pays, nothing else.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from jackpot.rules.progressive import ProgressiveRules, Seat, settle_coins
from payouts.errors import mark
from payouts.rules.hands.ranks import rank_ids
from payouts.rules.lines import Reason, Stake
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.paytable import MadeHand, Paytable
from payouts.rules.rulesets.schema import picture
from tables.games.base import (
    NOBODY,
    BankGame,
    Came,
    Decider,
    Ended,
    Entered,
    LevelRefused,
    Placed,
    ResultWrong,
    Rules,
)
from tables.games.irregular import COMMON
from tables.games.uth import labels, settle
from tables.games.uth.fed import check_result
from tables.games.uth.form import FORM, NothingLater
from tables.games.uth.kinds import KINDS
from tables.games.uth.possible import UthTaps, check_possible
from tables.games.uth.result import A_GUEST, NO_GUEST, UthReading, read_feed, read_result, with_feed
from tables.games.uth.round import (
    CoinWrong,
    NoProgressive,
    RoundRules,
    RoundSettlement,
    RoundStakes,
    check_coins_stated,
    check_round,
    settle_cards,
    settle_taps,
    stakes_of,
)
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import (
    BoxUnknown,
    CardsMissing,
    DealerCardsMissing,
    Outcome,
    Result,
    UthCards,
    made_hand,
)
from tables.games.uth.stakes import (
    BOXES_MOST,
    NoBox,
    StakeTwice,
    UthBox,
    UthRefused,
    check_box,
)
from tables.games.uth.taps import board_class, contradicted, contradictions
from tables.rules.limits import BoxLimits, StepBand

COINS_ONLY = mark("only coins are entered")
CARDS_NEEDED = mark("all cards are entered")


class BoxOwned(UthRefused):
    """A stake on another guest's box: the boxes that one may play beside their own are free
    ones."""

    code = "uth.box_owned"
    rule = "UTH-8"
    sentence = mark("Box %(box)s belongs to another guest.")
    remedy = mark(
        "Play it for the guest whose box it is, or a free box; if they have left it, say so first."
    )


class Uth(BankGame):
    """The game's answers to the floor."""

    code = "uth"
    title = mark("Ultimate Texas Hold’em")
    kinds: tuple[TableKind, ...] = KINDS
    posted: tuple[str, ...] = ("uth_rules", "blind", "trips")
    boxes_most = BOXES_MOST
    main = ("uth_rules", "ante")
    form = FORM
    pace = (10, 90)
    shared = False
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
    irregularities = COMMON

    def limits(self, rules: Rules, kind: str) -> BoxLimits:
        """Ante and Trips by the posted limits; a box is one guest's, so the prime rule has nothing
        to divide.
        """
        posted = cast(UthRules, rules.posted["uth_rules"])
        name = "trips" if kind == "trips" else "ante"
        low, high = (
            getattr(posted, f"{name}_minimum_minor"),
            getattr(posted, f"{name}_maximum_minor"),
        )
        band = StepBand(from_minor=0, step_minor=posted.stake_step)
        return BoxLimits(minimum_minor=low, maximum_minor=high, steps=(band,))

    def check(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        *,
        layout: int,
        level: str,
        owners: Mapping[int, str] = NOBODY,
    ) -> None:
        """Raises BoxOwned, LevelRefused, NoBox, StakeTwice and what `check_round` refuses (UTH-2,
        UTH-3, UTH-7, UTH-8, PRG-1).
        """
        _check_stakes(rules, stakes, layout=layout, level=level)
        for stake in stakes:
            if owners.get(stake.box, stake.guest) != stake.guest:
                raise BoxOwned(box=stake.box, owner=owners[stake.box])

    def end(self, rules: Rules, stakes: Sequence[Stake], result: object, *, level: str) -> Ended:
        """Raises ResultWrong, LevelRefused, CardsMissing, and what settling refuses (UTH-1 to
        UTH-11, HAND-6, HAND-7).
        """
        reading = read_result(result)
        if level == "jackpot_only":
            return _coins_only(rules, stakes, reading)
        laid, round_rules = stakes_of(stakes), _round_rules(rules)
        _check_no_guest(reading, reading.boxes)
        if level == "full_cards" and reading.tapped:
            raise LevelRefused(level=level, why=CARDS_NEEDED)
        cards = reading.cards()
        if reading.tapped:
            taps = UthTaps(reading.outcomes(), dealer_without_pair=reading.dealer_without_pair)
            settled = settle_taps(round_rules, laid.boxes, taps, laid.coins, cards)
            _require_cards(rules, laid, reading, settled)
        else:
            plays = {number: box.play for number, box in reading.boxes.items()}
            dealt = cards if cards is not None else UthCards.parse("", "")
            settled = settle_cards(round_rules, laid.boxes, dealt, plays, laid.coins)
        source = "taps" if reading.tapped else "cards"
        placed = _placed(laid, settled)
        return Ended(
            settled.lines, placed, settled.claims, settled.paying, source, reading.to_data()
        )

    def place(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        placement: object,
        decider: Decider,
        entered: Sequence[Entered] = (),
    ) -> Placed:
        """Raises NothingLater."""
        raise NothingLater

    def check_later(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        before: Sequence[Placed],
    ) -> None:
        """None comes after its lock."""

    def hands_on(self, stakes: Sequence[Stake], box: int) -> int:
        """One hand where a guest plays."""
        return int(any(one.box == box for one in stakes))

    def read_feed(self, cards: object) -> dict[str, Any]:
        """As `uth_result.read_feed`."""
        return read_feed(cards)

    def with_feed(
        self, result: object, fed: Mapping[str, Any] | None, *, staked: Collection[int], level: str
    ) -> object:
        """As `uth_result.with_feed`."""
        return with_feed(result, fed, staked=staked, coins_alone=level == "jackpot_only")

    def particulars(self, placement: object) -> dict[str, Any]:
        """None comes after its lock."""
        return {}

    def drawn(self, fed: Mapping[str, Any], staked: Collection[int]) -> int:
        """None: what a card is, a feed says by name."""
        return 0

    def fed_until(
        self, fed: Mapping[str, Any], staked: Collection[int], drawn: int
    ) -> Mapping[str, Any]:
        """All: none was drawn."""
        return fed

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
        """By the fed cards, where all of a place were read, the round pays the same (HAND-6)."""
        staked = {stake.box for stake in stakes}

        def end(result: object) -> Ended:
            return self.end(rules, stakes, result, level=level)

        def by_feed(whole: Mapping[str, Any]) -> object:
            return self.with_feed({**result, "feed": True}, whole, staked=staked, level=level)

        check_result(result, fed, end, by_feed)


def _check_stakes(rules: Rules, stakes: Sequence[Stake], *, layout: int, level: str) -> None:
    for stake in stakes:
        check_box(stake.box, layout)
    if level != "jackpot_only":
        laid = stakes_of(stakes)
        check_round(_round_rules(rules), laid.boxes, laid.coins, layout)
        return
    coins: dict[int, int] = {}
    for stake in stakes:
        if stake.kind != "coin":
            raise LevelRefused(level=level, why=COINS_ONLY)
        if stake.box in coins:
            raise StakeTwice(box=stake.box, kind="coin")
        coins[stake.box] = stake.amount_minor
    if not coins:
        raise NoBox
    _check_coins(rules, coins)


def _require_cards(
    rules: Rules, laid: RoundStakes, reading: UthReading, settled: RoundSettlement
) -> None:
    """Refuse taps without the cards that the house wants to see (PRG-2: what is paid by the meter
    is proved by cards).
    """
    for box in laid.boxes:
        number = box.box
        outcome = settled.outcomes[number]
        folded = outcome.result is Result.FOLD
        wanted = rules.floor.needs_cards(outcome.hand, coin=number in laid.coins) or (
            reading.dispute and not folded
        )
        given = reading.boxes[number].cards
        if wanted and not (given and reading.board):
            raise CardsMissing(box=number)
    is_played = any(one.result is not Result.FOLD for one in settled.outcomes.values())
    if reading.dispute and not reading.dealer and is_played:
        raise DealerCardsMissing


def _placed(laid: RoundStakes, settled: RoundSettlement) -> tuple[Stake, ...]:
    return tuple(
        Stake(box.box, box.guest, "play", settled.outcomes[box.box].play * box.ante_minor)
        for box in laid.boxes
        if settled.outcomes[box.box].play and not box.blind_play
    )


def _coins_only(rules: Rules, stakes: Sequence[Stake], reading: UthReading) -> Ended:
    """Coins and hands alone: a box that is not named made nothing that pays, so the board alone
    makes nothing either.

    A box without a coin is named for its royal flush alone, with its guest: the others' coins are
    paid Envy, not theirs (PRG-6).
    """
    guests = {stake.box: stake.guest for stake in stakes}
    _check_no_guest(reading, guests)
    others = {number: box.guest for number, box in reading.boxes.items() if number not in guests}
    hands = _hands(guests | others, reading)
    for number, guest in others.items():
        if number not in hands or not hands[number].own_royal:
            raise BoxUnknown(box=number)
        if not guest:
            raise ResultWrong(field=f"boxes.{number}.guest", expected=A_GUEST)
    for number, hand in hands.items():
        if rules.floor.needs_cards(hand, coin=True) and not (
            reading.board and reading.boxes[number].cards
        ):
            raise CardsMissing(box=number)
    progressive = cast(ProgressiveRules, rules.progressive)
    board = board_class(_tapped(hands), reading.cards())
    check_possible(_tapped(hands), board)
    less = [
        number
        for number in guests
        if number not in hands or (board and hands[number].category < board)
    ]
    check_coins_stated(progressive, less, board)
    seats = [
        Seat(number, guest, coin=number in guests, hand=hands.get(number))
        for number, guest in (guests | others).items()
    ]
    settled = settle_coins(progressive, seats)
    claims = tuple(seat.box for seat in settled.claims)
    paying = tuple(seat.box for seat in settled.paying)
    named = tuple(others.values())
    return Ended(settled.lines, (), claims, paying, "coins", reading.to_data(), named)


def _hands(guests: Mapping[int, str], reading: UthReading) -> dict[int, MadeHand]:
    """By box the hand that was tapped, or made by its cards, which outrank (HAND-6). Raises
    CardsContradict.
    """
    hands = {number: box.hand for number, box in reading.boxes.items() if box.hand is not None}
    cards = reading.cards()
    if cards is None:
        return hands
    found = contradictions(
        [UthBox(number, guest, 0, 0) for number, guest in guests.items()], _tapped(hands), cards
    )
    if found:
        raise contradicted(found)
    board = rank_ids(cards.board)
    return hands | {
        number: made_hand(rank_ids(cards.board + hole), board)
        for number, hole in cards.boxes.items()
    }


def _check_no_guest(reading: UthReading, boxes: Iterable[int]) -> None:
    """Refuse a guest named for a box whose stakes say whose it is. Raises ResultWrong."""
    for number in boxes:
        if number in reading.boxes and reading.boxes[number].guest:
            raise ResultWrong(field=f"boxes.{number}.guest", expected=NO_GUEST)


def _tapped(hands: Mapping[int, MadeHand]) -> UthTaps:
    """Hands alone, without decisions."""
    return UthTaps({number: Outcome(0, Result.FOLD, hand) for number, hand in hands.items()})


def _check_coins(rules: Rules, coins: Mapping[int, int]) -> None:
    """Raises NoProgressive, CoinWrong (PRG-1)."""
    for box, amount in coins.items():
        if rules.progressive is None:
            raise NoProgressive(box=box)
        if amount != rules.progressive.coin_minor:
            raise CoinWrong(
                box=box, coin_minor=rules.progressive.coin_minor, amount=picture(amount)
            )


def _round_rules(rules: Rules) -> RoundRules:
    posted = rules.posted
    return _built(posted["uth_rules"], posted["blind"], posted["trips"], rules.progressive)


@lru_cache(maxsize=64)  # the odds of a paytable are worked out once for each version
def _built(
    uth: UthRules, blind: Paytable, trips: Paytable, progressive: ProgressiveRules | None
) -> RoundRules:
    return RoundRules(UthGame(uth, blind, trips), progressive)


UTH = Uth()
