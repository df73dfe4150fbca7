"""The jackpot's life in plain Python: what should happen, worked out without any code of the project (PRG-3, PRG-7 to PRG-12).

Money in minor units. A coin brings 100 Rappen to the meter; the seed is 10’000 francs; shares are equal, the remainder stays.
Commands give the code of the refusal that must come, or "" and change the model. What people do to it as a whole: `whole_model`.
"""

from tests.machines.desk_model import Request
from tests.machines.prize_model import Prizes
from tests.machines.things import LIVE, Award, Claim, Gate, Hit, Round

COIN, SEED, SIGNERS = 100, 1_000_000, 2
BACK_S = 60  # to reopen or withdraw a round
AWARD, REJECT = "jackpot.award", "jackpot.reject"


class Barrier(Prizes):
    """Rounds, hits, claims and the steps between them."""

    def __init__(self, people: dict[str, str], displays: int) -> None:
        super().__init__(people)
        self._number, self._phase, self._suspended = 0, "open", False
        self.epoch, self.meter, self.moves = 1, SEED, 0
        self.gates: list[Gate] = []
        self.required = dict.fromkeys(range(displays), 0)  # by display, the line of the list on which it stands
        self.splits: list[object] = []  # of the hit at hand

    # Phase and meter
    @property
    def phase(self) -> str:  # type: ignore[override]
        return self._phase

    @phase.setter
    def phase(self, phase: str) -> None:
        self._number += phase != self._phase
        self._phase = phase

    @property
    def suspended(self) -> bool:
        return self._suspended

    @suspended.setter
    def suspended(self, suspended: bool) -> None:
        self._number += suspended != self._suspended
        self._suspended = suspended

    def feed(self, amount: int) -> None:
        if amount:
            self.meter, self.moves = self.meter + amount, self.moves + 1

    @property
    def gate(self) -> Gate | None:
        """The gate that is open."""
        return self.gates[-1] if self.gates and self.gates[-1].state == "open" else None

    def outdate(self) -> None:
        """What was asked about the jackpot as a whole was about another epoch, or another phase."""
        self.kill(("jackpot", None))

    # Rounds
    def running(self, table: int | None = None) -> list[Round]:
        """Rounds that run, at one table or at all."""
        return [one for one in self.rounds if one.state == "locked" and table in (None, one.table)]

    def live(self, one: Round) -> Claim | None:
        """The claim of a round that counts in the hit at hand."""
        claims = self.hit.claims if self.hit else []
        return next((claim for claim in claims if claim.round is one and claim.state in LIVE), None)

    def lock(self, key: object, table: int, coins: int) -> str:
        if self.running(table):
            return "table.round_running"
        if self.phase != "open" or self.suspended:
            return "jackpot.not_open"
        self.rounds.append(Round(key, table, coins, self.epoch, self.now, authors={f"dealer{table}"}))
        self.feed(COIN * coins)
        return ""

    def take_back(self, one: Round, how: str) -> str:
        """Reopen, withdraw or void a round; `void signed`: people have approved that its claim goes with it."""
        if how == "withdraw" and one.state in ("voided", "reopened"):
            return ""
        if one.state != "locked":
            return "round.state_refused"
        claim = self.live(one)
        if claim and how != "void signed":
            return "jackpot.round_claims"
        code = {"reopen": self._reopens, "withdraw": self._withdraws}.get(how, lambda _one: "")(one)
        if code:
            return code
        if claim:
            claim.state = "dropped"
            self.outdated()
        one.state = "reopened" if how == "reopen" else "voided"
        self.feed(-COIN * one.coins)
        return ""

    def _reopens(self, one: Round) -> str:
        if abs(self.now - one.at) > BACK_S:
            return "round.reopen_late"
        if one.cards:
            return "round.cards_out"
        return "" if self.phase == "open" and not self.suspended else "jackpot.not_open"

    def _withdraws(self, one: Round) -> str:
        """A lock that came is taken back only while its answer may be on the way, and a hit that lists it waits for its result."""
        if one.cards:
            return "round.cards_out"
        if self.hit and one in self.hit.listed:
            return "round.stands"
        return "round.withdraw_late" if abs(self.now - one.at) > BACK_S else ""

    def read_card(self, one: Round) -> str:
        one.cards |= one.state == "locked"
        return "" if one.state in ("locked", "settled") else "round.state_refused"

    def settle(self, one: Round, box: int | None, by: str = "") -> str:
        """`by`: the pit boss acts for the croupier, and is an author then."""
        if one.state != "locked":
            return "round.state_refused"
        author = by or f"dealer{one.table}"
        code = self._says(one, box, {author}, claims=True)
        one.entered_by = one.entered_by if code else author
        return code

    def correct(self, one: Round, box: int | None, authors: set[str]) -> str:
        """Whoever corrects has an approval: what he may, the floor's machine asks. He and who signed it are authors from now on."""
        if one.state != "settled":
            return "round.state_refused"
        return self.corrected(one) or self._says(one, box, authors, claims=one.epoch == self.epoch)

    def _says(self, one: Round, box: int | None, authors: set[str], *, claims: bool) -> str:
        """The round has this result from now on; one whose meter was paid claims nothing any more."""
        before, one.authors = one.authors, one.authors | authors
        if code := self.claims(one, box) if claims else "":
            one.authors = before
            return code
        self.drop(one)
        one.state, one.won, one.revision = "settled", box, one.revision + 1
        self.owe(one)
        return ""

    def call(self, one: Round, by: str = "") -> str:
        if one.state != "locked":
            return "round.state_refused"
        if not one.coins:
            return "jackpot.call_without_coin"
        if self.live(one):
            return "jackpot.second_call"
        code = self.join(one)
        if not code:
            one.authors |= {by or f"dealer{one.table}"}
            self.hits[-1].claims.append(Claim(one, None, "called", set(one.authors)))
        return code

    # Claims
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
        self.phase, self.splits = "draining", []
        return ""

    def outdated(self) -> None:
        """What people were asked about has changed."""
        if self.hit and self.hit.state == "verifying":
            self.kill(("hit", self.hit))

    def decide(self, claim: Claim, state: str, person: str) -> str:
        """Whoever dealt the round, or is an author of what it says, decides nothing; nor does who rests."""
        if self.hit is None or claim not in self.hit.claims or self.hit.state != "verifying":
            return "jackpot.claim_state"
        if claim.state in ("called", "dropped"):
            return "jackpot.claim_state"
        if person in claim.authors:
            return "jackpot.dealer_decides"
        if state == claim.state == "verified" and self.open(("hit", self.hit)):
            return "jackpot.claim_unchanged"
        if code := self.resting(person):
            return code
        claim.state = state
        claim.decided.add(person)
        self.outdated()
        for request in [one for one in self.asked if one.about == ("hit", self.hit) and one.state == "rejected"]:
            request.looked = True
        return ""

    def part_in(self, award: Award) -> set[str]:
        claims = [claim for hit in self.hits for claim in hit.claims if claim.round is award.round]
        parts = (claim.authors | claim.decided for claim in claims)
        return (award.barred | award.round.authors).union(*parts)

    def took_part(self, hit: Hit) -> set[str]:
        """The authors of its claims: they sign nothing about it."""
        return {person for claim in hit.claims if claim.state != "dropped" for person in claim.authors}

    def ask_rejection(self, requester: str) -> str:
        hit = self.hit
        if hit is None or hit.state != "verifying" or any(claim.state in LIVE for claim in hit.claims):
            return "jackpot.hit_state"
        if code := self.resting(requester):
            return code
        self.ask(REJECT, ("hit", hit), requester, excluded=self.took_part(hit))
        return ""

    # Steps
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
            return self.rejected(hit)
        split = (tuple(winners), self.meter, hit.shown)
        asked = self.newest(AWARD, ("hit", hit))
        if not self.splits or self.splits[-1] != split:
            self.splits.append(split)
        elif asked is not None and not self.to_ask_again(asked, hit):
            return asked.state == "open" and self.counted(asked) >= SIGNERS and self.pay(hit, winners, asked)
        excluded = self.took_part(hit).union(*(prize.authors for prize in self.with_hit(hit)))
        self.ask(AWARD, ("hit", hit), excluded=excluded, seen=self.to_pay(hit))
        return True

    def to_pay(self, hit: Hit) -> object:
        """What is signed: the split and the prizes that go with it. Who looked at a claim ends the request anyway."""
        return len(self.splits), tuple(self.with_hit(hit))

    def to_ask_again(self, asked: Request, hit: Hit) -> bool:
        """Not while a request waits, nor of people who said no and saw nothing new."""
        changed = asked.seen != self.to_pay(hit)
        again = {"killed": True, "open": changed or self.over(asked), "rejected": changed or asked.looked}
        return again.get(asked.state, False)

    def rejected(self, hit: Hit) -> bool:
        """People said that it was none: what its rounds owe is asked for by itself."""
        asked = next(iter(self.open(("hit", hit), REJECT)), None)
        if asked is None or self.over(asked) or not self.counted(asked):
            return False
        asked.state, hit.state = "used", "rejected"
        for prize in self.listed(hit):
            self.ask_prize(prize)
        self.show()
        return True

    def pay(self, hit: Hit, winners: list[Claim], asked: Request) -> bool:
        """Equal shares of what the meter holds when the last listed round has ended; the rest and the seed are the next meter."""
        share, rest = divmod(self.meter, len(winners))
        self.awards += [Award(claim.round, claim.box or 0, share, "share", list(asked.signed)) for claim in winners]
        for prize in self.with_hit(hit):
            self.kill(("prize", prize))
            self.award(prize, asked.signed)
        hit.state, asked.state = "paid", "used"
        self.epoch, self.meter, self.moves = self.epoch + 1, SEED + rest, self.moves + 1
        self.outdate()
        self.show()
        return True

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
