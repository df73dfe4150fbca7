"""A jackpot's displays as the floor's page and the control room show them: what its tables wait for, the gate, the spare ones."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Case, QuerySet, When
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from casino.devices.models import DISPLAY, Device
from casino.people.models import Person
from casino.people.permissions import SET_UP, VERIFY
from casino.pit.alert_rules import DISPLAY_SILENT_S
from casino.text import floor as floor_words
from jackpot.models import DisplaySession, Gate, GateDisplay, Hit, Jackpot, Phase, RequiredDisplay
from jackpot.services.gate import ADD, LIST_OPEN, OUT
from jackpot.services.state import phase_of
from payouts.models import Approval


def displays_spare(jackpot: Jackpot) -> QuerySet[Device]:
    """Enrolled displays of the jackpot for which its tables do not wait."""
    required = RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None).values("display_id")
    there = Device.objects.filter(jackpot=jackpot, kind=DISPLAY, revoked_at=None)
    return there.exclude(pk__in=required).order_by("name")


def gate_shown(jackpot: Jackpot, hit: Hit | None, spare: Sequence[Device]) -> dict[str, Any] | None:
    """The gate at hand, or the last one of this hit; each display with its state, and those that could be asked as well."""
    gate = jackpot.gate
    if gate is None or gate.state != Gate.State.OPEN:
        gate = Gate.objects.filter(jackpot=jackpot, hit=hit).order_by("-number").first()
    if gate is None:
        return None
    displays = [
        {"row": one, "words": floor_words.say(GateDisplay.State, one.state), "form": f"out:{one.display_id}"}
        for one in gate.displays.order_by("name", "pk")
    ]
    return {"row": gate, "displays": displays, "spare": spare if gate.state == Gate.State.OPEN else []}


def displays_shown(
    jackpot: Jackpot, gate: Mapping[str, Any] | None, requests: Sequence[Approval], *, may_verify: bool
) -> list[dict[str, Any]]:
    """The displays that the tables wait for, whether each is heard of or ever was, and whether one may ask here to take it out.

    One that an open gate waits for is taken out there; one that is asked to be taken out is not asked for twice.
    """
    span = timedelta(seconds=DISPLAY_SILENT_S)
    now = Case(When(seen_at__range=(Now() - span, Now() + span), then=True), default=False)
    heard = dict(DisplaySession.objects.filter(jackpot=jackpot).values_list("display_id", now))
    at_gate = gate["displays"] if gate and gate["row"].state == Gate.State.OPEN else []
    elsewhere = {one["row"].display_id for one in at_gate if one["row"].state == GateDisplay.State.WAITING}
    elsewhere |= {UUID(one.payload["display"]) for one in requests if one.action == OUT}
    required = RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None).order_by("name", "pk")
    return [
        {
            "row": one,
            "new": one.display_id not in heard,
            "dark": not heard.get(one.display_id),
            "may_out": may_verify and one.display_id not in elsewhere,
            "form": f"out:{one.display_id}",
        }
        for one in required
    ]


def adding(jackpot: Jackpot, person: Person) -> str:
    """The form by which the person has the tables wait for one more display: `name` it alone, `add` it with another, or none."""
    if jackpot.phase == Phase.RETIRED:
        return ""
    if person.has_perm(SET_UP) and phase_of(jackpot) in LIST_OPEN:
        return "name"
    return "add" if person.has_perm(VERIFY) or person.has_perm(SET_UP) else ""


def displays_wanted(jackpot: Jackpot, told: Mapping[str, Any]) -> list[str]:
    """What the jackpot waits for about its displays, each thing with who does it; empty while nothing is missing."""
    if not told["displays"]:
        return [] if jackpot.phase == Phase.RETIRED else _none_named(jackpot, told)
    there = told["gate"]["displays"] if told["gate"] and phase_of(jackpot) == Phase.SHOWING else []
    waiting = [one["row"].name for one in there if one["row"].state == GateDisplay.State.WAITING]
    if not waiting:
        return []
    text = _("Displays that do not show the new value yet: %(names)s. One that stays dark is taken out, by two people.")
    found = [text % {"names": ", ".join(waiting)}]
    if len(told["displays"]) == 1:
        found.append(_("It is the only one. If it stays dark: enrol another, ask to add it, then take this one out."))
    return found


def _none_named(jackpot: Jackpot, told: Mapping[str, Any]) -> list[str]:
    asked = [one for one in told["asked"] if one["row"].action == ADD]
    if asked:
        return [
            floor_words.colon(one["title"], floor_words.signatures(len(one["signatures"]), one["row"].signers))
            for one in asked
        ]
    if phase_of(jackpot) in LIST_OPEN:
        found = [_("No coins are taken: a technician names the displays that the tables wait for.")]
    else:
        found = [_("No display is named that could show the value: ask for one to be added; another person signs.")]
    if not told["enrolled"]:
        found.append(_("No display is enrolled: make a code under Devices, and type it on the screen."))
    return found
