"""A jackpot that was hit twice: one hit paid to two winners, one rejected; a slip paid at the second try, one cancelled."""

from typing import Any, ClassVar

from jackpot import services as jackpots
from jackpot.models import Slip
from jackpot.rules.jackpot_rules import JackpotRules
from payouts.rules.rulesets.schema import Posted
from tables import services
from tests.floor import done
from tests.jackpot.linked import Linked, dull, once, royal

FOUR = {"board": "7h 7d 7c Kh 2s", "dealer": "3c 4d"}


def four_of_a_kind(boxes: int = 2) -> dict[str, Any]:
    """A result by which box 1 has four of a kind: 500 for its coin."""
    plays = {str(box): {"play": 0, "cards": f"{'9TJ'[box - 2]}c {'9TJ'[box - 2]}d"} for box in range(2, boxes + 1)}
    return FOUR | {"boxes": {"1": {"play": 4, "cards": "7s 5c"}} | plays}


class Lived(Linked):
    """`threshold` of 500 francs: four of a kind waits for an approval."""

    posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(prize_approval_from_minor=50_000)}

    def __init__(self, database: str) -> None:
        super().__init__(count=3, displays=2)
        self.database = database
        rounds = [self.start(table) for table in range(3)]
        self.end(0, rounds[0], royal("h"))
        self.end(1, rounds[1], royal("d"))
        self.end(2, rounds[2], four_of_a_kind())
        self.advance()
        self.verify_all()
        self.approve()
        self.confirm_all()
        slips = list(Slip.objects.order_by("number"))
        self.pay(slips[0])
        ids = {"house_id": self.house.pk, "slip_id": slips[0].pk, "actor_id": self.cage.pk}
        done(jackpots.slip_take_back, **ids, reason="the other guest's slip")
        self.pay(slips[0])
        self.cancel(slips[1], "unpaid")
        self.overlooked = rounds[2]
        self.end(0, self.start(0), royal("h"))
        self.advance()
        self.reject()
        self.confirm_all()
        self.waits = self.start(1)
        self.end(1, self.waits, four_of_a_kind())
        self.voided = self.start(2)
        self.void(self.voided)
        self.locked = self.start(2)

    def pay(self, slip: Slip, **changes: Any) -> dict[str, Any]:
        cash = (slip.award.amount_minor + 2) // 5 * 5
        ids = {"house_id": self.house.pk, "slip_id": slip.pk, "actor_id": self.cage.pk, "cash_minor": cash}
        return done(jackpots.slip_pay, **(ids | changes))

    def cancel(self, slip: Slip, how: str) -> None:
        ids = {"house_id": self.house.pk, "slip_id": slip.pk, "person_id": self.reto.pk}
        self.sign(done(jackpots.award_cancel_request, **ids, how=how, reason="the wrong box"), self.bea)

    def late(self, round_id: Any, box: int, amount_minor: int) -> None:
        ids = {"house_id": self.house.pk, "round_id": round_id, "person_id": self.reto.pk}
        asked = done(
            services.late_award_request, **ids, box=box, amount_minor=amount_minor, reason="overlooked at the table"
        )
        self.sign(asked, self.bea)


__all__ = ["Lived", "dull", "four_of_a_kind", "once"]
