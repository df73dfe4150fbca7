"""A jackpot's displays as the floor's page and the control room show them: what its tables wait
for, the gate, the spare ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Case, QuerySet, When
from django.db.models.functions import Now
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from casino.devices.models import DISPLAY, Device
from casino.people.pages.fields import RowChoice, Subject
from casino.people.permissions import SET_UP, VERIFY, VIEW_HIT
from casino.pit.alert_rules import DISPLAY_SILENT_S
from casino.pit.jackpots.steps import JackpotStep, Reader, ReasonedStep
from casino.text import floor
from jackpot import services
from jackpot.models import DisplaySession, Gate, GateDisplay, Hit, Jackpot, Phase, RequiredDisplay
from jackpot.services.gate import LIST_OPEN, OUT
from jackpot.services.state import phase_of
from payouts.errors import mark
from payouts.models import Approval, Event
from payouts.rules.plain import Json


def displays_spare(jackpot: Jackpot) -> QuerySet[Device]:
    """Enrolled displays of the jackpot for which its tables do not wait."""
    required = RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None).values("display_id")
    there = Device.objects.filter(jackpot=jackpot, kind=DISPLAY, revoked_at=None)
    return there.exclude(pk__in=required).order_by("name")


class _Out(ReasonedStep):
    """Ask to take a display out."""

    step, command, about = "out", "display.out_request", "display"
    display = Subject(Http404)

    def prepare(self) -> Callable[[], Json]:
        """Raises Http404 for what is no id."""
        ids = self.ids | {"jackpot_id": self.row.pk, "display_id": self.values["display"]}
        return lambda: str(services.display_out_request(**ids, reason=self.values["reason"]).pk)


class _Add(JackpotStep):
    """Ask to have the tables wait for one more display; as by the API: who looks at hits, and who
    sets the floor up.
    """

    step, command, permission = "add", "display.add_request", VIEW_HIT
    display = RowChoice(Http404)

    def device(self) -> dict[str, Any]:
        """The enrolled display of the form, for which the tables do not wait. Raises Http404."""
        found = get_object_or_404(displays_spare(self.row), pk=self.values["display"])
        return {"jackpot_id": self.row.pk, "display_id": found.pk, "name": found.name}

    def prepare(self) -> Callable[[], Json]:
        """Raises PermissionDenied for others, Http404."""
        if not self.person.has_perm(VERIFY) and not self.person.has_perm(SET_UP):
            raise PermissionDenied(SET_UP)
        asked = self.device()
        return lambda: str(services.display_add_request(**self.ids, **asked).pk)


class _Name(_Add):
    """Have the tables wait for one more display."""

    step, command, permission = "name", "display.require", SET_UP
    done = mark("Its tables wait for “%(name)s”.")

    def prepare(self) -> Callable[[], Json]:
        self.named = self.device() | {"house_id": self.row.house_id, "actor_id": self.person.pk}
        return lambda: str(services.display_require(**self.named).pk)

    def message(self, answer: Json) -> str:
        return _(self.done) % self.named


class ClosedRequest(NamedTuple):
    """A request that is signed, turned down or replaced, with the event by which it was closed
    unused, and how it ended.
    """

    row: Approval
    event: Event | None
    title: str
    state: str
    closed_at: datetime | None
    reason: str


class DisplayAtGate(NamedTuple):
    """A display for which a gate waits, or waited; with the request by which it was taken out."""

    row: GateDisplay
    state: str
    out: JackpotStep | None = None
    request: ClosedRequest | None = None


@dataclass(frozen=True)
class GateSheet:
    """A gate with its displays. `acts`: with what may be done about them."""

    row: Gate
    displays: list[DisplayAtGate]
    acts: bool = True

    @property
    def waiting(self) -> list[GateDisplay]:
        """The displays that have not shown the value yet."""
        return [one.row for one in self.displays if one.row.state == GateDisplay.State.WAITING]


def gate_sheet(reader: Reader, hit: Hit | None) -> GateSheet | None:
    """The gate at hand, or the last one of this hit; each display with its state."""
    gate = reader.jackpot.gate
    if gate is None or gate.state != Gate.State.OPEN:
        gate = Gate.objects.filter(jackpot=reader.jackpot, hit=hit).order_by("-number").first()
    if gate is None:
        return None
    may_out = reader.person.has_perm(VERIFY) and gate.state == Gate.State.OPEN
    displays = []
    for one in gate.displays.order_by("name", "pk"):
        may = may_out and one.state == GateDisplay.State.WAITING
        out = reader.form(_Out, display=one.display_id) if may else None
        displays.append(DisplayAtGate(one, floor.say(GateDisplay.State, one.state), out))
    return GateSheet(gate, displays)


class TableDisplay(NamedTuple):
    """A display that the tables wait for. `dark`: it is not heard of now; `new`: it never was."""

    row: RequiredDisplay
    new: bool
    dark: bool
    out: JackpotStep | None


def table_displays(
    reader: Reader, gate: GateSheet | None, requests: Sequence[Approval]
) -> list[TableDisplay]:
    """The displays that the tables wait for, whether each is heard of or ever was, and the form by
    which one asks to take it out.

    One that an open gate waits for is taken out there; one that is asked to be taken out is not
    asked for twice.
    """
    span, may_out = timedelta(seconds=DISPLAY_SILENT_S), reader.person.has_perm(VERIFY)
    now = Case(When(seen_at__range=(Now() - span, Now() + span), then=True), default=False)
    heard = dict(
        DisplaySession.objects.filter(jackpot=reader.jackpot).values_list("display_id", now)
    )
    elsewhere = (
        {one.display_id for one in gate.waiting}
        if gate and gate.row.state == Gate.State.OPEN
        else set()
    )
    elsewhere |= {UUID(one.payload["display"]) for one in requests if one.action == OUT}
    displays = []
    for one in RequiredDisplay.objects.filter(jackpot=reader.jackpot, ended_at=None).order_by(
        "name", "pk"
    ):
        may = may_out and one.display_id not in elsewhere
        out = reader.form(_Out, display=one.display_id) if may else None
        displays.append(
            TableDisplay(one, one.display_id not in heard, not heard.get(one.display_id), out)
        )
    return displays


def adding(reader: Reader, spare: Sequence[Device]) -> JackpotStep | None:
    """The form by which the person has the tables wait for one more display, alone or with another;
    None where they may not.
    """
    sets_up, phase = reader.person.has_perm(SET_UP), phase_of(reader.jackpot)
    may = sets_up or reader.person.has_perm(VERIFY)
    if not may or not spare or reader.jackpot.phase == Phase.RETIRED:
        return None
    form = reader.form(_Name if sets_up and phase in LIST_OPEN else _Add)
    form.options("display", [(one.pk, one.name) for one in spare])
    return form


STEPS = (_Out, _Add, _Name)
