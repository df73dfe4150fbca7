"""A floor with a table of Black Jack: guests at its boxes, and what they do after the lock."""

from typing import Any, ClassVar
from uuid import UUID

from payouts.models import Account
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.games.blackjack.rules import BlackjackRules
from tables.models import Guest, RoundStake, Table
from tables.rules.floor import FloorRules
from tests.cast import post
from tests.floor import POSTED, Floor, done


def blackjack_table(floor: Floor) -> Table:
    """A table of Black Jack on a floor, filled and closed; maximum 500 a box, in tens."""
    names = {kind: POSTED[kind] for kind in ("floor_rules", "calendar")}
    names |= {"box_limits": "Box 10–500", "blackjack_rules": "Black Jack"}
    values = {"house_id": floor.house.pk, "pit_id": floor.pit.pk, "game": "blackjack", "boxes": 7, "posted": names}
    table: Table = done(services.table_create, **values, name="Black Jack 1")
    post(floor.house, "fill", recipes.fill(10_000_000), owners={"house": floor.house.pk, "table": table.pk})
    return table


class Blackjack(Floor):
    """A floor with a third table, open, of Black Jack."""

    posted: ClassVar[dict[str, Posted]] = {
        "floor_rules": FloorRules(approval_from_minor=1_000_000, undo_s=300),
        "blackjack_rules": BlackjackRules(max_hands_per_box=3),
    }

    def __init__(self, *, suffix: str = "", **changes: bool) -> None:
        super().__init__(suffix=suffix, **({"linked": False} | changes))
        self.bj = blackjack_table(self)
        at = {"house_id": self.house.pk, "table_id": self.bj.pk, "croupier_id": self.martina.pk}
        done(services.table_open, **at, actor_id=self.reto.pk)

    def guest(self, box: int | None = None, **place: object) -> Guest:
        return self.seat(self.bj, box, **place)

    def lay(self, *stakes: tuple[Guest, int, int]) -> UUID:
        """Lock a round: guest, box, francs."""
        rows = [{"box": box, "guest": str(g.pk), "kind": "stake", "amount_minor": chf * 100} for g, box, chf in stakes]
        return UUID(self.lock(rows, table_id=self.bj.pk)["id"])

    def placing(self, round_id: UUID, guest: Guest, act: str, box: int = 1, **more: Any) -> dict[str, Any]:
        """What `round_place` is asked for by the croupier on duty."""
        sent = {"box": box, "guest": str(guest.pk), "act": act}
        sent |= {name: str(value.pk) if isinstance(value, Guest) else value for name, value in more.items()}
        return {"house_id": self.house.pk, "round_id": round_id, "placement": sent, "person_id": self.martina.pk}

    def place(self, round_id: UUID, guest: Guest, act: str, box: int = 1, **more: Any) -> dict[str, Any]:
        """Place a stake after the lock; give it."""
        return done(services.round_place, **self.placing(round_id, guest, act, box, **more))["stakes"][-1]

    def later(self, round_id: UUID) -> list[tuple[int, int, UUID, UUID | None, str, int]]:
        """The stakes that came after the lock: number, box, guest, whose they go with, kind, francs."""
        rows = RoundStake.objects.filter(round_id=round_id, placed__gt=0).order_by("placed")
        return [(row.placed, row.box, row.guest_id, row.source_id, row.kind, row.accepted_minor // 100) for row in rows]

    def balance(self, kind: str) -> int:
        return Account.objects.get(owner_id=self.bj.pk, kind=kind).balance_minor


def hands(**boxes: list[str]) -> dict[str, Any]:
    """What was tapped of hands: `hands(b1=["win", "lose"])`."""
    return {name.removeprefix("b"): {"hands": [{"result": one} for one in ends]} for name, ends in boxes.items()}
