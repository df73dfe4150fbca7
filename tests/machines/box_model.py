"""Rounds of Black Jack in plain Python: what lies on each box, who may bring what to it, and what an outcome pays.

Money in minor units, maximum 500 francs a box in tens. Each question gives the code of the refusal that must come, or "". The
arithmetic is that of the rules as people read them: BOX-2, BOX-5, PRM-1 to PRM-3, BJ-3 to BJ-9.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tests.machines.model import Coup, Ending, Guest, Session

MOST, HANDS = 50_000, 3
BESIDE = {"bust": ("win", "bust"), "19": ("win", "lose", "push", "bust"), "blackjack": ("lose", "bust")}


@dataclass(eq=False)
class Chips:
    """A stake: whose, and with whose it goes; `hand` is the one that it is on, 0 for insurance and even money."""

    box: int
    guest: Guest
    kind: str
    amount: int
    source: Guest | None = None
    placed: int = 0

    @property
    def hand(self) -> int:
        return 1 if self.kind == "stake" else int(self.kind[-1]) if self.kind[-1].isdigit() else 0

    @property
    def name(self) -> str:
        """What is paid for it is one sum by guest, box and kind."""
        return f"{self.kind} of {self.guest.key}"


@dataclass(eq=False)
class Act:
    """What a guest does when the cards lie; `away`: who is not at the table for the moment."""

    box: int
    guest: Guest
    what: str
    hand: int = 1
    instead: Guest | None = None
    ace: bool = True
    amount: int = 0
    away: tuple[Guest, ...] = ()

    @property
    def source(self) -> Guest:
        return self.instead or self.guest


Outcomes = dict[
    int, list[tuple[str, str]]
]  # by box, of each hand: what it is, and what is doubled of it where that differs


@dataclass(eq=False)
class Deal(Coup):
    """A round of Black Jack. `chips` lie there; `numbers`: of all that came after the lock, and what each takes back."""

    chips: list[Chips] = field(default_factory=list)
    numbers: list[tuple[int, Chips]] = field(default_factory=list)
    records: list[tuple[str, str, int | None, int | None]] = field(default_factory=list)

    def on(self, box: int, *kinds: str) -> list[Chips]:
        return [one for one in self.chips if one.box == box and (not kinds or one.kind in kinds)]

    def hands(self, box: int) -> int:
        return max((one.hand for one in self.on(box)), default=0)

    def has(self, box: int, kind: str, source: Guest) -> bool:
        return any(one.source is source for one in self.on(box, kind))

    def newest(self) -> Chips | None:
        return max((one for one in self.chips if one.placed), key=lambda one: one.placed, default=None)

    # After the lock
    def decider(self, act: Act) -> tuple[str, Guest | None]:
        """Who decides for a box now, by its owner and the prime rule; of a round that came later nobody knows."""
        if self.queued:
            began = (one.guest for one in self.on(act.box) if one.kind.startswith("split"))
            return "", next(began, act.guest)
        here = [one for one in self.on(act.box, "stake") if one.guest.here and one.guest not in act.away]
        order = sorted((right(act.box, one.guest, one.amount), one.guest.key) for one in here)
        if not here:
            return ("box.nobody_decides" if self.on(act.box, "stake") else ""), None
        if len(order) > 1 and order[0][0] == order[1][0]:
            return "box.decider_unclear", None
        return "", next(one.guest for one in here if one.guest.key == order[0][1])

    def brings(self, act: Act) -> tuple[str, Chips]:
        """The stake that an act brings, or by which code it is refused."""
        decided = act.what in ("double", "split")
        code, decider = self.decider(act) if decided else ("", None)
        there = [one for one in self.on(act.box) if one.hand == act.hand and not one.kind.startswith("double")]
        goes_with = [one for one in there if one.guest is act.source]
        if not code and not goes_with:
            code = "blackjack.no_stake_there"
        if not code:
            code = getattr(self, f"_{act.what}")(act, decider)
        amount = act.amount if act.what == "insurance" else sum(one.amount for one in goes_with)
        kind = self._kind(act, follows=self._follows(act, decider))
        if not code and decided and self.has(act.box, kind, act.source):
            code = "blackjack.placed_already"
        return code, Chips(act.box, act.guest, kind, 0 if kind == "even_money" else amount, act.source)

    def _kind(self, act: Act, *, follows: bool) -> str:
        if act.what == "double":
            return f"double_{act.hand}"
        return f"split_{self.hands(act.box) + (not follows)}" if act.what == "split" else act.what

    def _follows(self, act: Act, decider: Guest | None) -> bool:
        """Also who decides since another has left, until they have come along with the last split."""
        hands = self.hands(act.box)
        came = hands == 1 or self.has(act.box, f"split_{hands}", act.source)
        return not (act.guest is act.source is decider and came)

    def _double(self, act: Act, decider: Guest | None) -> str:
        if act.source is not act.guest and self.on(
            act.box, "even_money"
        ):  # a Black Jack: who does not double it is paid
            return "blackjack.no_stake_there"
        if self.has(act.box, "even_money", act.source):
            return "blackjack.even_money_taken"
        first = act.guest is act.source is decider or (decider and self.has(act.box, f"double_{act.hand}", decider))
        return "" if first or self.queued else "blackjack.not_first"

    def _split(self, act: Act, decider: Guest | None) -> str:
        hands = self.hands(act.box)
        if self._follows(act, decider):
            return "blackjack.not_first" if act.hand >= hands else ""
        if self.on(act.box, "even_money"):  # a Black Jack is no pair
            return "blackjack.not_a_pair"
        if hands >= HANDS:
            return "blackjack.hands_most"
        return "blackjack.hand_doubled" if self.on(act.box, f"double_{act.hand}") else ""

    def _insurance(self, act: Act, _decider: None) -> str:
        if act.source is not act.guest:
            return "blackjack.own_stakes_only"
        if not act.ace:
            return "blackjack.no_ace"
        if self.has(act.box, "even_money", act.guest):
            return "blackjack.even_money_or_insurance"
        mine = [one for one in self.on(act.box) if one.guest is act.guest]
        insured = sum(one.amount for one in mine if one.kind == "insurance")
        half = (sum(one.amount for one in mine) - insured) // 2
        return "" if insured + act.amount <= half else "blackjack.insurance_too_much"

    def _even_money(self, act: Act, _decider: None) -> str:
        if act.source is not act.guest:
            return "blackjack.own_stakes_only"
        if not act.ace:
            return "blackjack.no_ace"
        if self.has(act.box, "insurance", act.guest):
            return "blackjack.even_money_or_insurance"
        if self.hands(act.box) > 1 or self.has(act.box, "double_1", act.guest):
            return "blackjack.no_blackjack"
        return "blackjack.even_money_taken" if self.has(act.box, "even_money", act.guest) else ""

    def place(self, chips: Chips) -> Counter[str]:
        """It lies there; give what is posted."""
        chips.placed = len(self.numbers) + 1
        self.numbers.append((0, chips))
        self.chips.append(chips)
        return self._move(chips.amount)

    def take_back(self, chips: Chips) -> Counter[str]:
        self.numbers.append((chips.placed, chips))
        self.chips.remove(chips)
        return self._move(-chips.amount)

    def _move(self, amount: int) -> Counter[str]:
        moves = Counter(circulation=amount, layout=-amount)
        for kind, moved in moves.items():
            self.locked[kind] += moved
        return moves

    # The end
    def ends(self, box: int, hand: int, bank: str) -> list[str]:
        """How a hand ends beside the bank; with one card more than 9, 10 or 11 it is never bust."""
        return [one for one in BESIDE[bank] if one != "bust" or not self.on(box, f"double_{hand}")]

    def end(self, outcomes: Outcomes, bank: str) -> Ending:
        """Settle a round."""
        paid: dict[tuple[int, str], int] = Counter()
        won: Counter[int] = Counter()
        for one in self.chips:
            amount = self._pays(one, outcomes[one.box], bank)
            paid[one.box, one.name] += amount
            won[one.box] += amount - one.amount if amount else 0
        back, stake = sum(paid.values()), sum(one.amount for one in self.chips)
        posted = Counter(
            circulation=-back, layout=stake, table_win=back - stake, tray=stake - back, chips_outside=back - stake
        )
        return Ending(dict(paid), posted, claim=False, highest=max(won.values(), default=0))

    def _pays(self, one: Chips, hands: list[tuple[str, str]], bank: str) -> int:
        if not one.hand:
            return 3 * one.amount if one.kind == "insurance" and bank == "blackjack" else 0
        result, doubled = hands[one.hand - 1]
        doubles = self.on(one.box, f"double_{one.hand}")
        whose = [other.source for other in doubles if result != "blackjack" or other.source is other.guest]
        if doubled and (one in doubles or one.guest in whose):
            result = doubled
        if result != "blackjack":
            return one.amount * {"win": 2, "push": 1}.get(result, 0)
        if any(other.guest is one.guest for other in self.on(one.box, "even_money")):
            return 2 * one.amount
        return one.amount if bank == "blackjack" else one.amount + one.amount * 3 // 2


def right(box: int, guest: Guest, amount: int) -> tuple[int, ...]:
    """What puts one stake before another; the smaller one is first (PRM-1)."""
    owner = guest.box == box and guest.here
    return (0,) if owner else (1, -amount, guest.box is None, guest.distance)


def allotted(offered: Sequence[Chips]) -> tuple[str, list[tuple[Chips, int]]]:
    """What stays of the stakes on one box, the rest goes back before the cards (PRM-1, PRM-3)."""
    order = sorted(offered, key=lambda one: right(one.box, one.guest, one.amount))
    found: list[tuple[Chips, int]] = []
    room, closed = MOST, False
    for one in order:
        stays = 0 if closed else min(one.amount, room)
        room, closed = room - stays, closed or stays < one.amount
        found.append((one, stays))
    for (one, stays), (after, left) in pairwise(found):
        same = right(one.box, one.guest, one.amount) == right(after.box, after.guest, after.amount)
        if same and stays != left:
            return "box.order_unclear", []
    return "", found


def locked(offered: Sequence[Chips]) -> tuple[str, list[tuple[Chips, int]]]:
    """The same of a table, box by box."""
    found: list[tuple[Chips, int]] = []
    for box in sorted({one.box for one in offered}):
        code, stay = allotted([one for one in offered if one.box == box])
        if code:
            return code, []
        found += stay
    return "" if found else "blackjack.no_box", found


def deal(table: int, session: Session, stay: Sequence[tuple[Chips, int]], *, queued: bool) -> Deal:
    """A round as its lock leaves it; the stakes lie in the order of boxes and rights, never of ids: the same choices must come to
    the same round again.
    """
    chips = [Chips(one.box, one.guest, "stake", amount) for one, amount in stay if amount]
    coup = Deal(table, session, {}, queued, chips=chips)
    staked = sum(one.amount for one in chips)
    coup.locked = Counter(circulation=staked, layout=-staked)
    return coup
