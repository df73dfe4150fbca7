"""Croupiers of Black Jack who try in their own rounds what the cards forbid: beside the shoe that has read them, by taps that no
cards make, in steps that are small each. The round ends as it was dealt. And a pit boss who enters a large win in the office.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle
from typing import Any

from casino.simulate.books.blackjack import DOUBLE, EVEN_MONEY, INSURANCE, SPLIT, Coup, Outcome, natural, points
from casino.simulate.books.lines import Line
from casino.simulate.clients import Client, Refused
from casino.simulate.plan import FAST, RoundPlan
from casino.simulate.tablet import Played
from tests.faults.attack import Attack, NotNow, Try
from tests.faults.attackers import BOSS
from tests.faults.placed import Stake
from tests.faults.placing import EVERY, Placing
from tests.faults.prepare import PIN
from tests.faults.script import Turned

CHEAT = "croupier of Black Jack"
DOUBLES, INSURES, TAKES_BACK = (
    "doubles after the shoe has read on", "insures against the cards of the shoe", "takes back after the shoe has read on"
)  # fmt: skip
TAPS, TYPES = "taps a Black Jack that the shoe denies", "types cards that the shoe denies"
BUSTS, NO_BANK, CARD_MORE = (
    "taps a doubled hand bust", "enters no bank while insurance lies", "gives a doubled hand one more card"
)  # fmt: skip
STEPS = "corrects in small steps"
TRIES = (DOUBLES, INSURES, TAKES_BACK, TAPS, TYPES, BUSTS, NO_BANK, CARD_MORE, STEPS)
BOOKS_ALONE = "books a large win in the office alone"
MUCH_MINOR = 50_000  # by the demo's floor rules
STEPPED = {"win": ("push", "lose"), "lose": ("push", "win"), "bust": ("push", "win")}  # each as much as the stakes
TOTALS = ("17", "18", "19", "20")  # of the bank, beside which a hand may end in each of these ways
TOKEN = '<p class="secret long">'  # stands before it
WAITS = ("win", "lose", "push")
Result = dict[str, Any]


def cards_read(deal: Coup) -> list[str]:
    """The cards as a shoe reads them (BJ-2)."""
    order = [deal.hands[box] for box in sorted(deal.hands)]
    second = [hands[0][1] if len(hands) == 1 else hands[1][0] for hands in order]
    drawn: list[str] = []
    for hands in order:
        for hand in hands:
            drawn += hand[2:] if len(hands) == 1 else hand[1:]
    return [*(hands[0][0] for hands in order), deal.bank[0], *second, *drawn, *deal.bank[1:]]


@dataclass(frozen=True)
class Cheat:
    """One round of such a croupier. What is about its first box is about cards of which the order alone says whose they are."""

    table: "Cheating"
    attack: Attack
    played: Played
    plan: RoundPlan
    outcome: Outcome

    # What the round is
    @property
    def first(self) -> int:
        """Its first box."""
        return min(self.plan.deal.hands)

    @property
    def owner_name(self) -> str:
        """Who owns that."""
        [name] = [stake.guest for stake in self.plan.boxes if stake.box == self.first and stake.owner]
        return str(name)

    @property
    def owner(self) -> str:
        """The same, by the house's id."""
        return self.table.guests[self.owner_name]

    def acts(self, box: int = 0) -> set[str]:
        """What was staked after the lock, of one box or of all."""
        return {act.act for act in self.plan.deal.acts if box in (0, act.box)}

    @property
    def right(self) -> Result:
        """The result as it was dealt, anew each time."""
        table = self.table
        result: Result = table.game.result(table.level, table.rules, self.plan, self.outcome)
        return result

    def with_hand(self, box: int, **hand: str) -> Result:
        """The result with another first hand of a box."""
        result = self.right
        result["boxes"][str(box)]["hands"][0] = hand
        return result

    def by_taps(self) -> bool:
        """Whether it is settled by taps."""
        return self.table.level == FAST

    # What is tried
    def attempt(self, name: str, code: str, command: str, **body: object) -> None:
        """Send it, as the tablet does."""
        where = f"rounds/{self.played.id}/{command}/"
        self.attack.attempt(CHEAT, Try(name, lambda: self.table.client.post(where, body), code))

    def overdraw(self) -> None:
        """A doubled hand gets one card, and never passes 21 with it (BJ-6)."""
        hands = self.plan.deal.hands
        doubled = [act.box for act in self.plan.deal.acts if act.act == DOUBLE and len(hands[act.box]) == 1]
        for box in doubled[:1]:
            if self.by_taps():
                bust = self.with_hand(box, result="bust")
                self.attempt(BUSTS, "blackjack.doubled_no_bust", "settle", result=bust)
            else:
                more = self.with_hand(box, cards=" ".join([*hands[box][0], "2c"]))
                self.attempt(CARD_MORE, "blackjack.doubled_one_card", "settle", result=more)

    def forget_the_bank(self) -> None:
        """Insurance waits for the bank where all hands have passed 21 (BJ-8). Where none lies it is placed for that, and stays:
        else a copy of this result that the wire brings later would be right.
        """
        if not self.by_taps() or self.acts() & {DOUBLE, EVEN_MONEY} or self.outcome.bank == "none":
            return
        if INSURANCE not in self.acts():
            self.place_insurance()
        bust = {str(box): {"hands": [{"result": "bust"}] * len(hands)} for box, hands in self.plan.deal.hands.items()}
        self.attempt(NO_BANK, "blackjack.bank_missing", "settle", result={"bank": "none", "boxes": bust})

    def place_insurance(self) -> None:
        """On the first box, by its owner, whatever the bank has: only its Black Jack pays it."""
        placement = self.insured()
        amount = placement["amount_minor"]
        self.table.client.post(f"rounds/{self.played.id}/place/", {"placement": placement})
        self.table.histories[self.played.id].place(Stake(self.first, self.owner, self.owner, INSURANCE, amount))
        line = Line(amount, amount, 2 * amount) if self.outcome.bank == "blackjack" else Line(amount)
        lines = self.outcome.lines | {(self.first, f"{INSURANCE} {self.owner_name}"): line}
        self.played.outcome = self.outcome._replace(lines=lines)

    def insured(self) -> dict[str, Any]:
        """The least insurance of the first box's owner."""
        least = self.table.rules.amounts[0] // 2
        return {"box": self.first, "guest": self.owner, "act": INSURANCE, "amount_minor": least, "bank": "As"}

    def read(self, shoe: Client) -> None:
        """The shoe has read the round to its end; then it is tried to play on, or to end otherwise (BOX-5, HAND-6)."""
        locked_at = datetime.fromisoformat(self.table.client.get(f"rounds/{self.played.id}/")["locked_at"])
        # By a clock that was set back: what a shoe reads then is a doubt, and binds nobody.
        if locked_at < self.table.shoe_since:
            return
        cards = cards_read(self.plan.deal)
        shoe.post(f"rounds/{self.played.id}/cards/", {"cards": {"cards": " ".join(cards)}})
        drawn = len(cards) > 2 * len(self.plan.deal.hands) + 1
        if drawn:
            self.play_on()
        self.insure(drawn=drawn)
        self.have_a_black_jack()

    def play_on(self) -> None:
        """Double the first box, take the newest stake back."""
        if self.by_taps() and not self.acts(self.first) & {DOUBLE, SPLIT, EVEN_MONEY}:
            doubled = {"box": self.first, "guest": self.owner, "act": DOUBLE}
            two = self.plan.deal.hands[self.first][0][:2]
            total, soft = points(two)
            allowed = natural(two) or (total in (9, 10, 11) and not soft)  # BJ-5, BJ-6
            code = "round.feed_read_on" if allowed else "round.feed_bars_stake"
            self.attempt(DOUBLES, code, "place", placement=doubled)
        if self.acts():
            newest = self.table.histories[self.played.id].newest
            self.attempt(TAKES_BACK, "round.feed_read_on", "take-back", placed=newest)

    def insure(self, *, drawn: bool) -> None:
        """Where the bank has no ace, or too late."""
        ace = self.plan.deal.bank[0][0] == "A"
        if self.acts(self.first) or (ace and not drawn):
            return
        code = "round.feed_read_on" if ace else "round.feed_bars_stake"
        self.attempt(INSURES, code, "place", placement=self.insured())

    def have_a_black_jack(self) -> None:
        """Pay the first box 3:2, while another one waits for the bank."""
        others = [end for box, ends in self.outcome.results.items() if box != self.first for end, _doubled in ends]
        if self.acts(self.first) & {DOUBLE, SPLIT, EVEN_MONEY} or not set(others) & set(WAITS):
            return
        if natural(self.plan.deal.hands[self.first][0]):
            return
        if self.by_taps():
            tapped = self.with_hand(self.first, result="blackjack")
            self.attempt(TAPS, "round.feed_ends_otherwise", "settle", result=tapped)
        else:
            typed = self.with_hand(self.first, cards="Ah Kd")
            self.attempt(TYPES, "round.feed_contradicts", "settle", result=typed)

    # What is corrected
    def steps(self) -> tuple[Result, Result] | None:
        """Two results that a finger may slip to: of a box that each moves by less than is much, and both together by more."""
        staked = Counter[int]()
        won = Counter[int]()
        for (box, _kind), line in self.outcome.lines.items():
            staked[box] += line.stake
            won[box] += line.won
        if not self.by_taps() or self.outcome.bank not in TOTALS or max(won.values()) >= MUCH_MINOR:
            return None
        for box, [(end, _doubled), *_more] in self.outcome.results.items():
            if not self.acts(box) and end in STEPPED and staked[box] < MUCH_MINOR <= 2 * staked[box]:
                small, large = (self.with_hand(box, result=other) for other in STEPPED[end])
                return small, large
        return None

    def step(self, small: Result, large: Result) -> None:
        """Correct the settled round to one and on to the other; and back, for it was right."""
        where = f"rounds/{self.played.id}/correct/"
        body = {"reason": "mistyped"}
        try:
            self.table.client.post(where, body | {"result": small, "revision": self.played.revision})
        except Refused as refused:
            if refused.code != "round.approval_needed":
                raise
            return  # too late, for whoever is alone
        self.played.revision += 1

        def onwards() -> object:
            try:
                answer = self.table.client.post(where, body | {"result": large, "revision": self.played.revision})
            except Refused as refused:
                if refused.code == "round.approval_needed" and "threshold" not in refused.problem["data"]["why"]:
                    raise NotNow from refused  # too late by now
                raise
            self.played.revision += 1
            return answer

        self.attack.attempt(CHEAT, Try(STEPS, onwards, "round.approval_needed"))
        self.table._correct(self.played, self.right)


class Cheating(Placing):
    """A table whose croupier does so, in rounds in which nothing else goes wrong: in turns with a shoe and without one."""

    attack: Attack | None = None
    shoe: Client
    shoe_since: datetime

    def turn(self, attack: Attack, technician: Client) -> None:
        """From now on; the technician enrols the shoe."""
        self.attack = attack
        self.shoe = technician.beside()
        self.shoe.cookies.clear()
        _where, page = technician.form("/devices/feed/", table=self.row["id"], name="Shoe")
        _before, _mark, after = page.decode().partition(TOKEN)
        self.shoe.headers["Authorization"] = f"Bearer {after.partition('<')[0]}"
        self.shoe_since = datetime.now(UTC)
        self._reads = cycle((True, False))
        attack.refused.update({f"{CHEAT} {name}": 0 for name in TRIES})

    def _settle(self, one: Played, plan: RoundPlan, outcome: Any) -> None:
        if self.attack is None or plan.mishap or plan.number % EVERY == 0:
            super()._settle(one, plan, outcome)
            return
        cheat = Cheat(self, self.attack, one, plan, outcome)
        cheat.overdraw()
        newest = [act.act for act in plan.deal.acts[-1:]]
        if next(self._reads) and newest != [INSURANCE]:  # that is put right: beside a feed by two people
            cheat.read(self.shoe)
            super()._settle(one, plan, outcome)
            return
        cheat.forget_the_bank()
        super()._settle(one, plan, outcome)
        if steps := cheat.steps():
            cheat.step(*steps)


def enter_in_the_office(turned: Turned, round_id: str, result: Mapping[str, Any]) -> None:
    """A pit boss enters a large win, which is true: refused to him alone, and booked when a manager has signed it."""
    where, body = f"rounds/{round_id}", {"result": result, "reason": "seen on camera"}
    alone = Try(BOOKS_ALONE, lambda: turned.enters.post(f"{where}/settle/", body), "round.win_needs_second")
    turned.attack.attempt(BOSS, alone)
    request = turned.enters.post(f"{where}/correction-request/", body)
    turned.cosigns(f"approvals/{request['id']}/sign/", {"payload_hash": request["payload_hash"], "secret": PIN})
    turned.enters.post(f"{where}/settle/", body | {"approval": request["id"]})
