"""Prizes that wait for people, and slips, in plain Python (PRG-5, PRG-6; the house's threshold is 500 francs, which Envy is)."""

from tests.machines.desk_model import Desk, Request
from tests.machines.things import LIVE, Award, Hit, Prize, Round

ENVY = 50_000
PRIZE, CANCEL = "jackpot.prize", "jackpot.award_cancel"
CANCELLED_AS = {"open": ("unpaid",), "paid": ("receivable", "loss")}


class Prizes(Desk):
    """What is owed beside the meter, and every slip."""

    phase: str

    def __init__(self, people: dict[str, str]) -> None:
        super().__init__(people)
        self.rounds: list[Round] = []
        self.hits: list[Hit] = []
        self.awards: list[Award] = []
        self.prizes: list[Prize] = []

    def feed(self, amount: int) -> None:
        """The meter moves."""
        raise NotImplementedError

    def has_locked(self) -> bool:
        return bool(self.rounds)

    @property
    def hit(self) -> Hit | None:
        """The hit at hand."""
        return self.hits[-1] if self.hits and self.hits[-1].state in ("draining", "verifying") else None

    # Prizes
    def owe(self, one: Round) -> None:
        """A royal flush pays Envy to each other box with a coin; it waits, with the hit that lists the round or by itself."""
        for box in range(1, one.coins + 1) if one.won else ():
            if box != one.won:
                self.prizes.append(Prize(one, box, ENVY, one.revision, set(one.authors)))
                if self.alone(self.prizes[-1]):
                    self.ask_prize(self.prizes[-1])

    def ask_prize(self, prize: Prize, by: str | None = None, *, excluded: frozenset[str] = frozenset()) -> None:
        self.ask(PRIZE, ("prize", prize), by, excluded=prize.authors | excluded)

    def alone(self, prize: Prize) -> bool:
        """It goes with no hit at hand."""
        return self.hit is None or prize.round not in self.hit.listed

    def corrected(self, one: Round) -> str:
        """The result that owed them is put right: they are owed no more, unless one has its slip."""
        return "award.prize_there" if any(prize.stands for prize in self.of_result(one)) else ""

    def of_result(self, one: Round) -> list[Prize]:
        return [
            prize
            for prize in self.prizes
            if prize.round is one and prize.revision == one.revision and prize.state != "dropped"
        ]

    def drop(self, one: Round) -> None:
        for prize in self.of_result(one):
            prize.state = "dropped"
            self.kill(("prize", prize))

    def with_hit(self, hit: Hit) -> list[Prize]:
        """What is paid with a hit: what waits of its rounds, but for Envy of a royal flush that nobody believes."""
        believed = {claim.round for claim in hit.claims if claim.state in LIVE}
        refused = {claim.round for claim in hit.claims if claim.state == "refused"} - believed
        return [prize for prize in self.listed(hit) if prize.round not in refused]

    def listed(self, hit: Hit) -> list[Prize]:
        return [prize for prize in self.prizes if prize.state == "waiting" and prize.round in hit.listed]

    def award(self, prize: Prize, signed: list[str]) -> None:
        prize.state = "awarded"
        requests = [request for request in self.asked if (request.action, request.about) == (PRIZE, ("prize", prize))]
        barred = prize.authors | {request.requester or "" for request in requests}
        prize.awards.append(Award(prize.round, prize.box, prize.amount, "prize", list(signed), barred=barred))
        self.awards.append(prize.awards[-1])

    def ask_again(self, prize: Prize, by: str) -> str:
        """The pit asks for a prize that people turned down, or whose slip they cancelled unpaid; for no other one."""
        newest = self.newest(PRIZE, ("prize", prize))
        down = prize.state == "waiting" and newest is not None and newest.state == "rejected"
        if not self.alone(prize) or not (down or (prize.state == "awarded" and not prize.paid)):
            return "prize.not_to_ask"
        if code := self.resting(by):
            return code
        prize.state = "waiting"
        self.ask_prize(prize, by)
        return ""

    def sweep(self) -> list[Prize]:
        """Nobody is asked any more for these, and nobody said no: they are asked for anew; who had asked does not sign."""
        found = []
        for prize in [prize for prize in self.prizes if prize.state == "waiting" and self.alone(prize)]:
            newest = self.newest(PRIZE, ("prize", prize))
            if newest is None or newest.state in ("killed", "used") or (newest.state == "open" and self.over(newest)):
                asked_by = {newest.requester} if newest and newest.requester else set()
                left = newest.excluded | asked_by if newest else frozenset()
                self.ask_prize(prize, excluded=left)
                found.append(prize)
        return found

    # Slips
    def part_in(self, award: Award) -> set[str]:
        """Who dealt its round, has a part in its result, looked at its claim, or asked for it."""
        raise NotImplementedError

    def pay_slip(self, award: Award, by: str, *, more: int = 0) -> str:
        """Once, to the coin, by who did not sign it and does not rest, while the round's result still says that this box won."""
        if award.slip != "open":
            return "slip.state"
        if more:
            return "slip.cash_wrong"
        if award.kind == "share" and award.round.won != award.box:
            return "slip.doubted"
        if by in award.signed:
            return "slip.signer_pays"
        code = "slip.part_pays" if by in self.part_in(award) else self.resting(by)
        award.slip = award.slip if code else "paid"
        return code

    def ask_cancel(self, award: Award, how: str, by: str) -> str:
        code = "" if how in CANCELLED_AS.get(award.slip, ()) else "slip.state"
        code = code or self.resting(by)
        if not code:
            self.ask(CANCEL, ("slip", award), by, detail=how)
        return code

    def cancel(self, request: Request, award: Award) -> str:
        """A share goes back into the running meter, if no hit splits it; a prize is owed still, and can be asked for again if it
        was not paid.
        """
        how = str(request.detail)
        if how not in CANCELLED_AS.get(award.slip, ()):
            return "slip.state"
        if award.kind == "share" and self.phase in ("draining", "verifying"):
            return "jackpot.phase"
        award.slip, award.cancelled = "cancelled", how
        if award.kind == "share":
            self.feed(award.amount)
        return ""

    # What the books hold
    def waiting_minor(self) -> int:
        """Owed at the tables: what waits, and what was awarded and taken back."""
        owed = [one for one in self.prizes if one.state == "waiting" or (one.state == "awarded" and not one.stands)]
        return sum(prize.amount for prize in owed)

    def payable_minor(self) -> int:
        return sum(award.amount for award in self.awards if award.slip == "open")

    def cash_minor(self) -> int:
        """What left the cage: in coins of five."""
        return sum((one.amount + 2) // 5 * 5 for one in self.awards if one.slip == "paid" or one.cancelled in PAID)


PAID = ("receivable", "loss")
