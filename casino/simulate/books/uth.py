"""What a round pays, worked out a second time from the rulebook (UTH-2 to UTH-11, PRG-1 to PRG-6,
PRG-13).

Nothing here comes from the service: neither a function nor a table. What the house posts is read
from the API.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from casino.simulate.books.hands import FULL_HOUSE, ONE_PAIR, ROYAL, Made, best, made
from casino.simulate.books.lines import Line, Lines
from casino.simulate.books.rules import CATEGORY, JackpotRules, Posted
from casino.simulate.cards import Deal


@dataclass(frozen=True)
class GameRules:
    """The posted tables of one table of Ultimate Texas Hold'em. Amounts in minor units, odds as
    (pays, per) by category.
    """

    ante: tuple[int, int]
    trips: tuple[int, int]
    step: int
    multiples: tuple[int, ...]
    folds: bool  # who makes no Play folds (UTH-3)
    survive: bool  # side stakes of a folded box stay in play (UTH-10)
    round_to: int
    round_up: bool
    blind_odds: Mapping[int, tuple[int, int]]
    trips_odds: Mapping[int, tuple[int, int]]
    cards_from: int  # from this category on a box with a coin is settled from its cards
    approval_from: int  # a correction of a prize of so much needs an approval


class Box(NamedTuple):
    """What a guest does with one box. Amounts in minor units; `play` is a multiple of the Ante, 0
    for none.

    `blind`: a further box whose Play lies there from the start (UTH-8). `ante` 0: only coins are
    entered at the table.
    """

    box: int
    guest: str
    ante: int
    trips: int
    coin: bool
    play: int
    blind: bool = False


class Outcome(NamedTuple):
    """A round worked out: what each box made, how it compares with the dealer, the lines, the boxes
    that win the meter.
    """

    hands: dict[int, Made]
    results: dict[int, str]
    dealer_pair: bool
    lines: Lines
    winners: tuple[int, ...]


def game_rules(posted: Posted, names: Mapping[str, str], day: str) -> GameRules:
    """The rules of a table whose posted tables have these names. Raises NotPlayable."""
    uth, floor = (posted.on_day(kind, names[kind], day) for kind in ("uth_rules", "floor_rules"))
    blind, trips = (posted.on_day(kind, names[kind], day) for kind in ("blind", "trips"))
    return GameRules(
        ante=(uth["ante_minimum_minor"], uth["ante_maximum_minor"]),
        trips=(uth["trips_minimum_minor"], uth["trips_maximum_minor"]),
        step=uth["stake_step"],
        multiples=tuple(uth["play_multiples"]),
        folds=uth["no_play"] == "fold",
        survive=uth["side_bets_survive_fold"],
        round_to=uth["odds_round_to"],
        round_up=uth["odds_round"] == "up",
        blind_odds=_odds_of(blind),
        trips_odds=_odds_of(trips),
        cards_from=CATEGORY.get(floor["cards_from"], FULL_HOUSE),
        approval_from=floor["approval_from_minor"],
    )


def _odds_of(data: Mapping[str, Any]) -> dict[int, tuple[int, int]]:
    found = {}
    for line in data["lines"]:
        pays, per = line["odds"].split(":")
        found[CATEGORY[line["hand"]]] = (int(pays), int(per))
    return found


def settle(
    rules: GameRules, jackpot: JackpotRules | None, boxes: Sequence[Box], deal: Deal
) -> Outcome:
    """Work a round out from its cards."""
    hands = {box.box: made(deal.holes[box.box], deal.board) for box in boxes}
    dealer = best((*deal.board, *deal.dealer))
    pair = dealer[0] >= ONE_PAIR
    results: dict[int, str] = {}
    lines: Lines = {}
    for box in boxes:
        hand = hands[box.box]
        result = _compared(rules, box, hand.strength, dealer)
        results[box.box] = result
        if box.ante:
            lines |= _main(rules, box, hand, result, dealer_pair=pair)
    lines |= _coins(rules, jackpot, boxes, hands, results) if jackpot else {}
    royal = [
        box
        for box in boxes
        if hands[box.box].own_royal and box.coin and _live(rules, results[box.box])
    ]
    return Outcome(hands, results, pair, lines, tuple(box.box for box in royal) if jackpot else ())


def _compared(
    rules: GameRules, box: Box, strength: tuple[int, ...], dealer: tuple[int, ...]
) -> str:
    if box.ante and not box.play and rules.folds:
        return "fold"  # UTH-3
    return "win" if strength > dealer else "lose" if strength < dealer else "tie"


def _live(rules: GameRules, result: str) -> bool:
    """Whether side stakes of the box are still in play (UTH-10)."""
    return result != "fold" or rules.survive


def _main(rules: GameRules, box: Box, hand: Made, result: str, *, dealer_pair: bool) -> Lines:
    """Ante, Blind, Play and Trips of a box (UTH-3 to UTH-7)."""
    ante, play, at = box.ante, box.play * box.ante, box.box
    lines: Lines
    if result == "fold":
        lines = {(at, "ante"): Line(ante), (at, "blind"): Line(ante)}
    elif result == "win":
        odds = rules.blind_odds.get(hand.category)
        lines = {
            (at, "ante"): Line(ante, ante, ante if dealer_pair else 0),  # UTH-4
            (at, "blind"): Line(ante, ante, _odds(rules, ante, odds) if odds else 0),  # UTH-6
        }
        if play:
            lines[at, "play"] = Line(play, play, play)  # UTH-5
    elif result == "tie":
        lines = {(at, "ante"): Line(ante, ante), (at, "blind"): Line(ante, ante)}
        if play:
            lines[at, "play"] = Line(play, play)
    else:
        lines = {(at, "ante"): Line(ante, 0 if dealer_pair else ante), (at, "blind"): Line(ante)}
        if play:
            lines[at, "play"] = Line(play)
    if box.trips:
        odds = rules.trips_odds.get(hand.category) if _live(rules, result) else None
        lines[at, "trips"] = (
            Line(box.trips, box.trips, _odds(rules, box.trips, odds)) if odds else Line(box.trips)
        )
    return lines


def _odds(rules: GameRules, stake: int, odds: tuple[int, int]) -> int:
    """What odds win on top of the stake, rounded as the house posts (UTH-11)."""
    pays, per = odds
    whole, rest = divmod(stake * pays, per * rules.round_to)
    return (whole + (1 if rest and rules.round_up else 0)) * rules.round_to


def _coins(
    rules: GameRules,
    jackpot: JackpotRules,
    boxes: Sequence[Box],
    hands: Mapping[int, Made],
    results: Mapping[int, str],
) -> Lines:
    """What coins win, and who is paid Envy (PRG-2 to PRG-6). The meter's winner has their line
    without a prize (PRG-7).
    """
    live = [box for box in boxes if _live(rules, results[box.box])]
    lines: Lines = {(box.box, "coin"): Line(jackpot.coin) for box in boxes if box.coin}
    staked = [box for box in live if box.coin]
    on_board = [
        box for box in staked if hands[box.box].category == ROYAL and hands[box.box].on_board
    ]
    for box in staked:
        prize = _prize(jackpot, hands[box.box])
        if prize and jackpot.shared_community and box in on_board:
            prize = prize // (len(on_board) * jackpot.unit) * jackpot.unit
        lines[box.box, "coin"] = Line(jackpot.coin, prize=prize or 0)
    holder = next((box for box in live if hands[box.box].own_royal), None)
    for box in staked if jackpot.envy else ():
        if (holder and _envied(jackpot, holder, box)) or (on_board and jackpot.envy_on_community):
            lines[box.box, "envy"] = Line(0, prize=jackpot.envy)
    return lines


def _envied(jackpot: JackpotRules, holder: Box, box: Box) -> bool:
    """Whether the box is paid Envy for the holder's royal flush (PRG-6)."""
    return box.box != holder.box if jackpot.envy_leaves_box else box.guest != holder.guest


def _prize(jackpot: JackpotRules, hand: Made) -> int | None:
    """The fixed prize of a hand: the highest one only (PRG-2); None for nothing, and for the meter,
    which is split later.
    """
    fits = [
        one
        for one in jackpot.prizes
        if one.category == hand.category and not (one.hole_card and hand.on_board)
    ]
    if any(one.amount is None for one in fits):
        return None
    return max((one.amount or 0 for one in fits), default=None)
