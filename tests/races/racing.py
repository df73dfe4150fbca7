"""The floor that commands race on, and parts of commands to be raced."""

from uuid import UUID, uuid4

from tables import services
from tables.models import Round
from tests.floor import Floor, stakes_for, taps
from tests.races.meet import Met, meet

WON = taps(b1={"play": 4, "result": "win"}, b2={"result": "fold"})
LOST = taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"})


class Racing(Floor):
    """The linked table, open; parts of commands to be raced."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database, self.guests = database, self.open()
        self.own = {"house_id": self.house.pk, "person_id": self.martina.pk}

    def race(self, first, second, **more) -> Met:
        return meet(self.database, first, second, **more)

    def locked(self, **changes) -> UUID:
        return UUID(self.lock(stakes_for(self.guests[:2], coins=2), **changes)["id"])

    def locking(self, round_id: UUID | None = None, *, coins: int = 2, **changes):
        values = {"house_id": self.house.pk, "table_id": self.table.pk, "croupier_id": self.martina.pk}
        values |= {"round_id": round_id or uuid4(), "stakes": stakes_for(self.guests[:2], coins=coins)}
        return lambda: services.round_lock(**(values | changes))

    def prepared(self, round_id: UUID, result=WON, state="locked"):
        return services.round_evaluate(house_id=self.house.pk, round_id=round_id, result=result, state=state)

    def settling(self, round_id: UUID, result=WON, **changes):
        values = {"prepared": self.prepared(round_id, result), "person_id": self.martina.pk}
        return lambda: services.round_settle(**(values | changes))

    def correcting(self, round_id: UUID, result=LOST):
        prepared = self.prepared(round_id, result, "settled")
        return lambda: services.round_correct(prepared=prepared, person_id=self.martina.pk, reason="mistyped")

    def voiding(self, round_id: UUID):
        values = self.own | {"person_id": self.reto.pk}
        return lambda: services.round_void(**values, round_id=round_id, reason="misdeal")

    def reopening(self, round_id: UUID):
        return lambda: services.round_reopen(**self.own, round_id=round_id)

    def withdrawing(self, round_id: UUID):
        return lambda: services.round_withdraw(**self.own, table_id=self.table.pk, round_id=round_id)

    def state(self, round_id: UUID) -> tuple[str, int]:
        return Round.objects.values_list("state", "revision").get(pk=round_id)


def ends(met: Met) -> tuple[object, object]:
    """State or code of refusal, of both."""
    return tuple(
        one["state"] if isinstance(one, dict) else getattr(one, "code", one) for one in (met.first, met.second)
    )
