"""What people do to the jackpot as a whole, and to its displays, in plain Python: what was looked at is done, or nothing."""

from tests.machines.desk_model import Request
from tests.machines.hit_model import Barrier
from tests.machines.prize_model import CANCEL, PRIZE
from tests.machines.things import Award, Prize

WHOLE = ("jackpot", None)
OUT, ADD = "jackpot.display_out", "jackpot.display_add"
FIRST_S = 1_800_000_000  # what the clock of the house says at the beginning


class Jackpot(Barrier):
    """Everything about one jackpot."""

    def __init__(self, people: dict[str, str], displays: int) -> None:
        super().__init__(people, displays)
        self.incarnation = 1
        self._lines = 0

    # Asked for
    def ask_whole(self, what: str, by: str, amount: int = 0) -> str:
        """Suspend, resume or adjust: with what it is about as it stands now."""
        fits = {"suspend": not self.suspended, "resume": self.suspended, "adjust": self.phase != "draining"}
        code = ("" if fits[what] else "jackpot.phase") or self.resting(by)
        if not code:
            self.ask(f"jackpot.{what}", WHOLE, by, seen=self._looked_at(what), detail=amount)
        return code

    def _looked_at(self, what: str) -> tuple[int, ...]:
        """A suspension is about the epoch; its end about the phase, and an adjustment about the meter besides."""
        if what == "suspend":
            return (self.epoch,)
        phase = (self.epoch, self._number)
        return (*phase, self.moves, self.meter) if what == "adjust" else phase

    def ask_out(self, display: int, by: str) -> str:
        code = ("" if display in self.required else "display.unknown") or self.resting(by)
        if not code:
            self.ask(OUT, ("display", display), by, seen=self.required[display])
        return code

    def ask_in(self, display: int, by: str) -> str:
        code = self.resting(by)
        if not code:
            self.ask(ADD, ("display", display), by)
        return code

    # Carried out
    def carry_out(self, request: Request, name: str) -> str:
        """With the last signature. What it refuses leaves the request as it was."""
        what, about = request.action, request.about[1]
        if what in ("jackpot.suspend", "jackpot.resume", "jackpot.adjust"):
            return self._whole(request)
        if what == OUT and isinstance(about, int):
            return self._take_out(request, about)
        if what == ADD and isinstance(about, int):
            return self._require(request, about)
        if what == CANCEL and isinstance(about, Award):
            code = self.cancel(request, about)
            request.state = request.state if code else "used"
            return code
        if what == PRIZE and isinstance(about, Prize):
            request.state = "used"
            self.award(about, request.signed)
            return ""
        return super().carry_out(request, name)

    def _whole(self, request: Request) -> str:
        what = request.action.removeprefix("jackpot.")
        if request.seen != self._looked_at(what):
            return "approval.changed"
        request.state = "used"
        if what == "adjust":
            self.feed(int(str(request.detail)))
            return ""
        self.suspended = what == "suspend"
        self.outdate()
        if what == "resume" and self.phase in ("open", "showing"):
            self.show()
        return ""

    def _take_out(self, request: Request, display: int) -> str:
        if self.required.get(display) != request.seen:
            return "approval.changed"
        if len(self.required) == 1:
            return "display.last"
        request.state = "used"
        del self.required[display]
        if self.gate and self.gate.displays.get(display) == "waiting":
            self.gate.displays[display] = "out"
        return ""

    def _require(self, request: Request, display: int) -> str:
        if display in self.required:
            return "display.required"
        request.state = "used"
        self._lines += 1
        self.required[display] = self._lines
        if self.phase == "showing":
            self.make_gate()
        return ""

    # By one
    def close(self) -> str:
        if self.suspended or self.phase not in ("open", "showing"):
            return "jackpot.phase"
        if self.running():
            return "jackpot.rounds_running"
        if self.gate:
            self.gate.state = "lapsed"
        self.phase = "closed"
        self.outdate()
        return ""

    def reopen(self) -> str:
        if self.suspended or self.phase != "closed":
            return "jackpot.phase"
        self.outdate()
        self.show()
        return ""

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

    # After a restore
    def restored(self) -> str:
        """No stake until two people have looked: whoever asked before had reconciled nothing."""
        self.incarnation = max(self.incarnation + 1, FIRST_S + self.now)
        self.suspended = True
        self.outdate()
        return ""
