"""A house whose jackpot is hit again and again, through the services: by those who measure how long the others take.

Its acts do not advance the jackpot where that is what is measured; moments are those of `time.monotonic()`, one clock for all
processes.
"""

import time
from collections.abc import Callable
from uuid import UUID

from django.db.models import Min

from casino.devices.kinds import DISPLAYS
from casino.devices.services import device_code_make, device_enrol
from jackpot import hints
from jackpot.models import Claim, GateDisplay, ListedRound
from jackpot.services import gate_confirm
from payouts.models import Approval
from tables.models import Round
from tests.bench.floor_place import BOXES, Seat
from tests.floor import done
from tests.jackpot.linked import Linked, dull, royal

WAIT_S = 30.0


class House(Linked):
    """What is asked of it from another process is named by the method."""

    def seats(self) -> list[Seat]:
        """Its tables, for others to play at."""
        return [
            Seat(
                house=str(self.house.pk),
                table=str(table.pk),
                session="",
                day="",
                jackpot=str(self.jackpot.pk),
                epoch="",
                croupier=str(croupier.pk),
                versions={},
                guests=[str(guest.pk) for guest in guests[:BOXES]],
            )
            for table, croupier, guests in zip(self.tables, self.croupiers, self.guests, strict=True)
        ]

    def new_displays(self, count: int) -> list[tuple[str, str]]:
        """Displays that look on: the address of each one's socket, and its cookie."""
        made = []
        for number in range(count):
            _, code = device_code_make(kind="display", place_id=self.jackpot.pk, name=f"Bench {number}", by=self.reto)
            device, token = device_enrol(kind="display", code=code)
            made.append((f"/ws/display/?device={device.pk}", f"{DISPLAYS.cookie(device.pk)}={token}"))
        return made

    # A hit, act by act
    def hit(self) -> UUID:
        """Table 1 wins while table 2 plays: its round, which is the last one listed."""
        mine, last = self.start(0), self.start(1)
        self.end(0, mine, royal("h"))
        return last

    def end_last(self, last: UUID) -> float:
        """The last listed round ends; gives when that was asked for."""
        began = time.monotonic()
        self.end(1, last, dull())
        return began

    def end_last_and_die(self, last: UUID) -> float:
        """The same by a process that is gone after its commit: it told nobody."""
        sender = hints._worker.send
        hints._worker.send = lambda _: True  # type: ignore[method-assign]  # told, as far as it knows
        try:
            return self.end_last(last)
        finally:
            hints._worker.send = sender  # type: ignore[method-assign]

    def end_last_finding_out(self, last: UUID) -> float:
        """The same by a process that does not know yet that Redis is away."""
        hints._worker = hints._Worker()
        return self.end_last(last)

    def sign_first(self) -> None:
        """All claims are verified, and one of two has signed the payment."""
        for claim in Claim.objects.filter(hit__jackpot=self.jackpot, state="open"):
            self.verify(claim)
        asked = Approval.objects.filter(house=self.house, action="jackpot.award", state="open")
        _until(asked.exists)
        self.sign(self.asked(), self.reto)

    def sign_last(self) -> tuple[float, int]:
        """The other one signs; gives when that was asked for, and the number of the epoch that begins."""
        asked, number = self.asked(), self.now().epoch.number
        began = time.monotonic()
        self.sign(asked, self.bea)
        return began, number + 1

    def confirm_but_one(self) -> str:
        """All required displays but one have confirmed; gives that one."""
        waiting = GateDisplay.objects.filter(gate__jackpot=self.jackpot, gate__state="open", state="waiting")
        _until(waiting.exists)
        *others, last = waiting.values_list("display_id", flat=True)
        for display in others:
            self.confirm(display)
        self.heard(last)
        return str(last)

    def confirm_last(self, display: str) -> float:
        """It confirms too; gives when that was asked for."""
        said = self.shows(UUID(display))
        began = time.monotonic()
        done(gate_confirm, **said)
        return began

    # A hit that was none
    def reopen(self) -> int:
        """Reject the hit and have the displays confirm; gives how many stakes were taken between the claim and the reopening."""
        _until(lambda: self.advance() == "verifying")
        hit = self.now().hit
        self.reject()
        froze = ListedRound.objects.filter(hit=hit).aggregate(at=Min("at"))["at"]
        late = Round.objects.filter(jackpot_id=self.jackpot.pk, locked_at__gt=froze).count()
        self.confirm_all()
        _until(lambda: self.advance() == "open")
        return late


def _until(come_true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not come_true():
        assert time.monotonic() < end, "nobody did the step that is due"
        time.sleep(0.005)
