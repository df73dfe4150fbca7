"""The jackpot's life in plain Python: what should happen, worked out without any code of the project (PRG-3, PRG-7 to PRG-12).

Money in minor units. A coin brings 100 Rappen to the meter; the seed is 10’000 francs; shares are equal, the remainder stays.
Commands give the code of the refusal that must come, or "" and change the model. Rounds, claims and the like are told apart by
what they are and not by what they hold: a claim that is made again after a refusal holds what the refused one holds.
"""

from dataclasses import dataclass, field

COIN, SEED, SIGNERS = 100, 1_000_000, 2
LIVE = ("called", "open", "verified")


@dataclass(eq=False)
class Round:
    """A round at a linked table; `coins`: how many boxes, from the first, had one. `won`: the box its result says, or none.
    `authors`: who else than its croupier has a part in what it says.
    """

    key: object
    table: int
    coins: int
    epoch: int
    state: str = "locked"
    won: int | None = None
    authors: set[str] = field(default_factory=set)


@dataclass(eq=False)
class Claim:
    """A claim of a hit, in server order; `authors` of what its round said when it was made or fixed."""

    round: Round
    box: int | None
    state: str
    authors: set[str] = field(default_factory=set)


@dataclass(eq=False)
class Hit:
    """A hit: what was shown when it began, the rounds that ran then, its claims."""

    shown: int
    listed: list[Round]
    state: str = "draining"
    claims: list[Claim] = field(default_factory=list)


@dataclass(eq=False)
class Gate:
    """What displays have to show: the amount, how often the meter had moved, and what each display has done."""

    amount: int
    moves: int
    displays: dict[int, str]
    state: str = "open"


@dataclass(eq=False)
class Award:
    """A share that was paid, and its slip."""

    round: Round
    box: int
    amount: int
    slip: str = "open"


@dataclass(eq=False)
class Asked:
    """A request that is open, who may not sign it, and who has."""

    excluded: set[str] = field(default_factory=set)
    signed: set[str] = field(default_factory=set)

    def sign(self, person: str, *, may: bool = True) -> str:
        if not may or person in self.excluded:
            return "approval.signer_refused"
        if person in self.signed:
            return "approval.signed_twice"
        self.signed.add(person)
        return ""


class Jackpot:
    """Everything about one jackpot."""

    def __init__(self, displays: int) -> None:
        self.phase, self.suspended, self.epoch = "open", False, 1
        self.meter, self.moves = SEED, 0
        self.rounds: list[Round] = []
        self.hits: list[Hit] = []
        self.gates: list[Gate] = []
        self.awards: list[Award] = []
        self.required = set(range(displays))
        self.splits: list[object] = []  # of the hit at hand
        self.award: Asked | None = None
        self.reject: Asked | None = None

    @property
    def hit(self) -> Hit | None:
        """The hit at hand."""
        return self.hits[-1] if self.hits and self.hits[-1].state in ("draining", "verifying") else None

    @property
    def gate(self) -> Gate | None:
        """The gate that is open."""
        return self.gates[-1] if self.gates and self.gates[-1].state == "open" else None

    def running(self, table: int | None = None) -> list[Round]:
        """Rounds that run, at one table or at all."""
        return [one for one in self.rounds if one.state == "locked" and table in (None, one.table)]

    def live(self, one: Round) -> Claim | None:
        """The claim of a round that counts in the hit at hand."""
        claims = self.hit.claims if self.hit else []
        return next((claim for claim in claims if claim.round is one and claim.state in LIVE), None)

    def feed(self, amount: int) -> None:
        """The meter moves."""
        if amount:
            self.meter, self.moves = self.meter + amount, self.moves + 1

    # --- rounds -------------------------------------------------------------------------------------------------------------
    def lock(self, key: object, table: int, coins: int) -> str:
        if self.running(table):
            return "table.round_running"
        if self.phase != "open" or self.suspended:
            return "jackpot.not_open"
        self.rounds.append(Round(key, table, coins, self.epoch))
        self.feed(COIN * coins)
        return ""

    def take_back(self, one: Round, *, reopen: bool = False, signed: bool = False) -> str:
        """Reopen, void or withdraw a round; `signed`: people have approved that its claim goes with it."""
        if one.state != "locked":
            return "round.state_refused"
        claim = self.live(one)
        if claim and not signed:
            return "jackpot.round_claims"
        if reopen and (self.phase != "open" or self.suspended):
            return "jackpot.not_open"
        if claim:
            claim.state = "dropped"
            self.outdated()
        one.state = "reopened" if reopen else "voided"
        self.feed(-COIN * one.coins)
        return ""

    def settle(self, one: Round, box: int | None) -> str:
        if one.state != "locked":
            return "round.state_refused"
        code = self.claims(one, box)
        if not code:
            one.state, one.won = "settled", box
        return code

    def correct(self, one: Round, box: int | None, authors: set[str]) -> str:
        """Whoever corrects has an approval: what he may, the floor's machine asks. He and who signed it are authors from now on."""
        if one.state != "settled":
            return "round.state_refused"
        before, one.authors = one.authors, one.authors | authors
        code = self.claims(one, box) if one.epoch == self.epoch else ""
        if code:
            one.authors = before
        else:
            one.won = box
        return code

    def call(self, one: Round) -> str:
        if one.state != "locked":
            return "round.state_refused"
        if not one.coins:
            return "jackpot.call_without_coin"
        if self.live(one):
            return "jackpot.second_call"
        code = self.join(one)
        if not code:
            self.hits[-1].claims.append(Claim(one, None, "called"))
        return code

    # --- claims --------------------------------------------------------------------------------------------------------------
    def claims(self, one: Round, box: int | None) -> str:
        """The round's result says this box, if it had a coin."""
        won, there = (box if box and box <= one.coins else None), self.live(one)
        same = there is not None and won is not None and there.box in (None, won)
        if won is not None and not same and (code := self.join(one)):
            return code
        if there and same:
            there.box, there.state, there.authors = won, "open", there.authors | one.authors
        elif there:
            there.state = "dropped"
        if won is not None and not same:
            self.hits[-1].claims.append(Claim(one, won, "open", set(one.authors)))
        if there or won is not None:
            self.outdated()
        return ""

    def join(self, one: Round) -> str:
        """The hit at hand, if it lists the round, or a new one that lists what runs, and this round."""
        if self.hit:
            return "" if one in self.hit.listed else "jackpot.not_listed"
        if self.phase not in ("open", "showing"):
            return "jackpot.phase"
        others = [other for other in self.running() if other is not one]
        self.hits.append(Hit(self.meter, [one, *others]))
        if self.gate:
            self.gate.state = "lapsed"
        self.phase, self.splits, self.award, self.reject = "draining", [], None, None
        return ""

    def outdated(self) -> None:
        """What people were asked about has changed."""
        if self.hit and self.hit.state == "verifying":
            self.award = self.reject = None

    def decide(self, claim: Claim, state: str, person: str, *, dealer: bool) -> str:
        """Whoever dealt the round, or is an author of what it says, decides nothing."""
        if self.hit is None or claim not in self.hit.claims or self.hit.state != "verifying":
            return "jackpot.claim_state"
        if claim.state in ("called", "dropped"):
            return "jackpot.claim_state"
        if dealer or person in claim.authors:
            return "jackpot.dealer_decides"
        claim.state = state
        self.outdated()
        return ""

    def took_part(self, hit: Hit) -> set[str]:
        """The authors of its claims: they sign nothing about it."""
        return {person for claim in hit.claims if claim.state != "dropped" for person in claim.authors}

    def ask_rejection(self, requester: str) -> str:
        hit = self.hit
        if hit is None or hit.state != "verifying" or any(claim.state in LIVE for claim in hit.claims):
            return "jackpot.hit_state"
        self.reject = Asked(self.took_part(hit) | {requester})
        return ""

    # --- steps ---------------------------------------------------------------------------------------------------------------
    def advance(self) -> None:
        """Every step that is due."""
        while self.step():
            pass

    def step(self) -> bool:
        if self.phase == "draining" and self.hit:
            if any(one.state == "locked" for one in self.hit.listed):
                return False
            self.hit.state = self.phase = "verifying"
            return True
        if self.phase == "verifying" and self.hit:
            return self.verified(self.hit)
        return self.phase == "showing" and self.shown()

    def verified(self, hit: Hit) -> bool:
        if any(claim.state in ("called", "open") for claim in hit.claims):
            return False
        winners = [claim for claim in hit.claims if claim.state == "verified"]
        if not winners:
            if self.reject is None or not self.reject.signed:
                return False
            hit.state, self.reject = "rejected", None
            self.show()
            return True
        split = (tuple(id(claim) for claim in winners), self.meter, hit.shown)
        if not self.splits or self.splits[-1] != split:
            self.splits.append(split)
            self.award = Asked(self.took_part(hit))
            return True
        if self.award is None:
            self.award = Asked(self.took_part(hit))
            return True
        if len(self.award.signed) < SIGNERS:
            return False
        self.pay(hit, winners)
        return True

    def pay(self, hit: Hit, winners: list[Claim]) -> None:
        """Equal shares of what the meter holds when the last listed round has ended; the rest and the seed are the next meter."""
        share, rest = divmod(self.meter, len(winners))
        self.awards += [Award(claim.round, claim.box or 0, share) for claim in winners]
        hit.state, self.award = "paid", None
        self.epoch, self.meter, self.moves = self.epoch + 1, SEED + rest, self.moves + 1
        self.show()

    def show(self) -> None:
        self.phase = "showing"
        self.make_gate()

    def make_gate(self) -> None:
        if self.gate:
            self.gate.state = "lapsed"
        if self.required:
            self.gates.append(Gate(self.meter, self.moves, dict.fromkeys(self.required, "waiting")))

    def shown(self) -> bool:
        gate = self.gate
        if gate is None or gate.moves != self.moves:
            self.make_gate()
            return True
        if "waiting" in gate.displays.values() or self.suspended:
            return False
        gate.state, self.phase = "passed", "open"
        return True

    # --- displays ------------------------------------------------------------------------------------------------------------
    def confirm(self, number: int, display: int, *, digits: bool = True) -> str:
        """A display confirms a gate of its own time, as it saw it then."""
        gate = self.gates[number]
        state = gate.displays.get(display)
        if state is None:
            return "gate.display_unknown"
        if state == "confirmed":
            return ""
        if gate.state != "open" or state != "waiting":
            return "gate.over"
        if gate.moves != self.moves:
            return "gate.version_wrong"
        if not digits:
            return "gate.value_wrong"
        gate.displays[display] = "confirmed"
        return ""

    def take_out(self, display: int) -> str:
        if display not in self.required:
            return "display.unknown"
        if len(self.required) == 1:
            return "display.last"
        self.required.discard(display)
        if self.gate and self.gate.displays.get(display) == "waiting":
            self.gate.displays[display] = "out"
        return ""

    def require(self, display: int) -> str:
        """By an approval, at any time."""
        if display in self.required:
            return "display.required"
        self.required.add(display)
        if self.phase == "showing":
            self.make_gate()
        return ""

    def adjust(self, amount: int) -> str:
        if self.phase == "draining":
            return "jackpot.phase"
        self.feed(amount)
        return ""

    # --- the whole -----------------------------------------------------------------------------------------------------------
    def suspend(self) -> str:
        if self.suspended:
            return "jackpot.phase"
        self.suspended = True
        return ""

    def resume(self) -> str:
        if not self.suspended:
            return "jackpot.phase"
        self.suspended = False
        if self.phase in ("open", "showing"):
            self.show()
        return ""

    def close(self) -> str:
        if self.suspended or self.phase not in ("open", "showing"):
            return "jackpot.phase"
        if self.running():
            return "jackpot.rounds_running"
        if self.gate:
            self.gate.state = "lapsed"
        self.phase = "closed"
        return ""

    def reopen(self) -> str:
        if self.suspended or self.phase != "closed":
            return "jackpot.phase"
        self.show()
        return ""

    def pay_slip(self, award: Award) -> str:
        """The cage pays it, while the round's result still says that this box won."""
        if award.slip != "open":
            return "slip.state"
        if award.round.won != award.box:
            return "slip.doubted"
        award.slip = "paid"
        return ""

    def cancel(self, award: Award) -> str:
        """An unpaid share goes back into the running meter, a paid one is asked back; not while a hit splits it."""
        if award.slip == "cancelled":
            return "slip.state"
        if self.phase in ("draining", "verifying"):
            return "jackpot.phase"
        award.slip = "cancelled"
        self.feed(award.amount)
        return ""
