"""What a round of Black Jack pays, worked out a second time from the rulebook (BJ-1 to BJ-9, BOX-3,
PRM-1, PRM-3).

Nothing here comes from the service: neither a function nor a table. What the house posts is read
from the API.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from casino.simulate.books.lines import Line, Lines, add
from casino.simulate.books.rules import NotPlayable, Posted

DOUBLE, SPLIT, INSURANCE, EVEN_MONEY = "double", "split", "insurance", "even_money"
MOST, STANDS = 21, 17
Cards = Sequence[str]


@dataclass(frozen=True)
class BlackjackRules:
    """The posted tables of one table. `amounts`: all that may be staked on a box, the lowest
    first; the last is the box maximum (BOX-3, BOX-4).
    """

    amounts: tuple[int, ...]
    cuts: bool  # a stake that fits only in part is cut (PRM-3)
    hits_soft_17: bool
    takes_all: bool  # a Black Jack of the bank takes doubled and split stakes too (BJ-4)
    insurance_step: int


def rules_of(posted: Posted, names: Mapping[str, str], day: str) -> BlackjackRules:
    """The rules of a table whose posted tables have these names. Raises NotPlayable."""
    game, box = (
        posted.on_day(kind, names[kind], day) for kind in ("blackjack_rules", "box_limits")
    )
    if game["coplayer_doubles"] != "with_owner" or box["minimum_per"] != "stake":
        raise NotPlayable(
            f"“{names['blackjack_rules']}” lets co-players double alone, or “{names['box_limits']}”"
            " has a minimum of the box: our books do not know that."
        )
    bands = [(band["from_minor"], band["step_minor"]) for band in box["steps"]]
    ends = [*(start for start, _step in bands[1:]), box["maximum_minor"] + 1]
    amounts = [
        amount
        for (start, step), end in zip(bands, ends, strict=True)
        for amount in range(-(-max(start, 1) // step) * step, end, step)
    ]
    return BlackjackRules(
        amounts=tuple(one for one in amounts if one >= box["minimum_minor"]),
        cuts=box["prime_partial"] == "cut",
        hits_soft_17=game["bank_hits_soft_17"],
        takes_all=game["bank_blackjack_takes"] == "all",
        insurance_step=game["insurance_step"],
    )


class Laid(NamedTuple):
    """A stake as it is offered before the cards, with the place of its guest (PRM-1)."""

    box: int
    guest: str
    amount: int
    owner: bool
    seated: bool
    distance: int


class Act(NamedTuple):
    """What a guest does when the cards lie. `amount`: of an insurance. `source`: whose stake it
    goes with. `cards`: those of the hand at that moment.
    """

    box: int
    guest: str
    act: str
    source: str
    hand: int = 1
    amount: int = 0
    cards: tuple[str, ...] = ()


class Coup(NamedTuple):
    """What was dealt and done: the hands of each box and the bank, each with all its cards in their
    order, and the acts in theirs.
    """

    hands: dict[int, list[list[str]]]
    bank: list[str]
    acts: list[Act]


class Outcome(NamedTuple):
    """A round worked out. `results`: how each hand ended, and how for who doubled a Black Jack;
    `bank`: how the bank did.
    """

    lines: Lines
    results: dict[int, list[tuple[str, str]]]
    bank: str
    winners: tuple[int, ...] = ()


class Points(NamedTuple):
    """What cards count; `soft`: an ace counts 11 among them."""

    total: int
    soft: bool


def pips(card: str) -> int:
    """Pictures count 10, aces 11 for now, the rest their pips (BJ-1)."""
    return 11 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def points(cards: Cards) -> Points:
    """Aces count 1 where 11 would pass 21 (BJ-1, BJ-10).

    >>> points(["Ah", "7d"]), points(["Ah", "7d", "9c"]), points(["As", "Ad"])
    (Points(total=18, soft=True), Points(total=17, soft=False), Points(total=12, soft=True))
    """
    total, elevens = sum(map(pips, cards)), sum(card[0] == "A" for card in cards)
    while total > MOST and elevens:
        total, elevens = total - 10, elevens - 1
    return Points(total, elevens > 0)


def natural(cards: Cards) -> bool:
    """Whether the first two cards are a Black Jack (BJ-4); on a split hand they are none (BJ-7)."""
    return len(cards) >= 2 and points(cards[:2]).total == MOST


def draws(rules: BlackjackRules, bank: Cards) -> bool:
    """Whether the bank draws to its cards (BJ-1)."""
    held = points(bank)
    return held.total < STANDS or (held == Points(STANDS, soft=True) and rules.hits_soft_17)


def stays(rules: BlackjackRules, laid: Sequence[Laid]) -> dict[str, int]:
    """By guest, what stays of the stakes on one box: the owner's first, then the highest, the
    seated, the nearest to the shoe (PRM-1); what fits in part is cut, and nothing lower comes after
    it (PRM-3).
    """
    ranks = sorted(laid, key=lambda one: (not one.owner, -one.amount, not one.seated, one.distance))
    room, found = rules.amounts[-1], {}
    for one in ranks:
        fitting = [amount for amount in rules.amounts if amount <= room and rules.cuts]
        amount = one.amount if one.amount <= room else max(fitting, default=0)
        found[one.guest] = amount
        room = room - amount if amount == one.amount else 0
    return found


def settle(rules: BlackjackRules, laid: Sequence[Laid], coup: Coup) -> Outcome:
    """Work a round out from what was staked, dealt and done."""
    stakes = [
        _Stake(box, guest, "stake", 1, amount)
        for box in coup.hands
        for guest, amount in stays(rules, [one for one in laid if one.box == box]).items()
        if amount
    ]
    for act in coup.acts:
        stakes.append(_placed(act, stakes, len(coup.hands[act.box])))
    lines: Lines = {}
    for stake in stakes:
        add(lines, (stake.box, f"{stake.kind} {stake.guest}"), _line(rules, stake, stakes, coup))
    results = {
        box: [_result(hand, coup.bank, split=len(hands) > 1) for hand in hands]
        for box, hands in coup.hands.items()
    }
    return Outcome(lines, results, _bank(coup.bank))


class _Stake(NamedTuple):
    """A stake that lies there: `hand` 0 for one beside the hands."""

    box: int
    guest: str
    kind: str
    hand: int
    amount: int


def _placed(act: Act, stakes: Sequence[_Stake], hands: int) -> _Stake:
    """The stake that comes with an act: as large as the one that it goes with (BJ-6, BJ-7)."""
    if act.act == INSURANCE:
        return _Stake(act.box, act.guest, INSURANCE, 0, act.amount)
    if act.act == EVEN_MONEY:
        return _Stake(act.box, act.guest, EVEN_MONEY, 0, 0)
    amount = sum(
        one.amount
        for one in stakes
        if (one.box, one.guest, one.hand) == (act.box, act.source, act.hand)
        if not one.kind.startswith(DOUBLE)
    )
    hand = hands if act.act == SPLIT else act.hand
    return _Stake(act.box, act.guest, f"{act.act}_{hand}", hand, amount)


def _line(rules: BlackjackRules, stake: _Stake, stakes: Sequence[_Stake], coup: Coup) -> Line:
    amount, bank_has_it = stake.amount, natural(coup.bank)
    if stake.kind == EVEN_MONEY:
        return Line(0)
    if stake.kind == INSURANCE:  # BJ-8
        return Line(amount, amount, 2 * amount) if bank_has_it else Line(amount)
    hands = coup.hands[stake.box]
    doubled = any(
        (one.box, one.guest, one.kind) == (stake.box, stake.guest, f"double_{stake.hand}")
        for one in stakes
    )
    cards = hands[stake.hand - 1]
    if natural(cards) and len(hands) == 1 and not doubled:
        if any(one[:3] == (stake.box, stake.guest, EVEN_MONEY) for one in stakes):  # BJ-9
            return Line(amount, amount, amount)
        return Line(amount, amount, 0 if bank_has_it else amount * 3 // 2)  # BJ-4
    result = _compared(cards, coup.bank)
    if result == "win":
        return Line(amount, amount, amount)  # BJ-3
    spared = bank_has_it and result == "lose" and stake.kind != "stake" and not rules.takes_all
    return Line(amount, amount if result == "push" or spared else 0)


def _compared(cards: Cards, bank: Cards) -> str:
    """How a hand that is no Black Jack ended (BJ-3, BJ-4)."""
    own, other = points(cards).total, points(bank).total
    if own > MOST:
        return "bust"
    if natural(bank):
        return "lose"
    if other > MOST or own > other:
        return "win"
    return "lose" if own < other else "push"


def _result(cards: Cards, bank: Cards, *, split: bool) -> tuple[str, str]:
    if not natural(cards) or split:
        return _compared(cards, bank), ""
    return "blackjack", _compared(cards, bank) if len(cards) > 2 else ""


def _bank(bank: Cards) -> str:
    """How the bank ended; “none” where it drew no cards because no hand waited for it."""
    total = points(bank).total
    if natural(bank):
        return "blackjack"
    if len(bank) < 2 or total < STANDS:
        return "none"
    return "bust" if total > MOST else str(total)
