"""Where each role starts: its own screen after the sign-in, and on its start page what waits for it, the worst first."""

from typing import Any

from django.db.models import Count, Sum
from django.urls import reverse

from casino.home import first_steps
from casino.home import waits as home_waits
from casino.people.context import Here, here_for
from casino.people.models import Person
from casino.people.permissions import PAY_SLIPS, VIEW_AUDIT, VIEW_TABLE
from casino.pit.board import show as dashboard_show
from casino.rulesets import starter
from jackpot.models import Slip
from payouts.models import House
from tables.models import TableSession

AT_THE_PIT = ("pit_boss", "surveillance")  # the floor itself is their screen
FIRST = ("manager", "technician")  # whose start page leads to the first steps of a house that has settled no round yet


def landing(person: Person) -> str:
    """The address of the screen on which the person's first role works; in a new house of the role that prepares it."""
    role = person.known_roles()[0]
    prepares = [code for code in person.known_roles() if code in FIRST]
    if role not in FIRST and prepares and (here := here_for(person)) and not first_steps.begun(here.house):
        return reverse("role-home", args=[prepares[0]])
    if role in AT_THE_PIT and person.has_perm(VIEW_TABLE) and here_for(person):
        return reverse("pit")
    if role == "auditor" and person.has_perm(VIEW_AUDIT) and person.house_id:
        return reverse("audit")
    return reverse("role-home", args=[role])


def desk(role: str, person: Person, here: Here | None) -> dict[str, Any]:
    """What the start page of a role shows besides the sign-in.

    `waits`: what waits for somebody, None where the page says nothing of it; `totals` of the floor; `slips` to be paid;
    `session` at which a croupier deals; `first`, the steps of a new house; `houses`, among which who is of none chooses.
    A fixed number of statements.
    """
    shown: dict[str, Any] = {"waits": None, "totals": None, "slips": None, "deals": role == "croupier", "first": None}
    shown["houses"] = _houses(person)
    if here is None:
        return shown
    if role in FIRST and not first_steps.begun(here.house):
        told = first_steps.steps(here, starter.starter_rows(here.house))
        shown["first"] = {"done": sum(1 for one in told if one.done), "steps": told}
    board = None
    if role == "croupier":
        shown["session"] = _dealing(person)
    elif person.has_perm(VIEW_TABLE):
        board = dashboard_show.board(here.house, person)
        shown |= {"totals": board.totals, "books": board.audit, "shift": board.shift}
    if role != "croupier" and person.has_perm(PAY_SLIPS):
        open_slips = Slip.objects.filter(house=here.house, state=Slip.State.OPEN)
        shown["slips"] = open_slips.aggregate(count=Count("pk"), sum_minor=Sum("award__amount_minor", default=0))
    return shown | {"waits": home_waits.waits(role, person, here, board)}


def _dealing(person: Person) -> TableSession | None:
    """The table that the person deals at now."""
    open_now = TableSession.objects.filter(croupier=person, closed_at=None)
    return open_now.select_related("table").first()


def _houses(person: Person) -> list[Here]:
    """Every house at this moment, each by its own clock, for who is of no house; the only one needs no choice."""
    houses = [] if person.house_id else [Here.at(one) for one in House.objects.order_by("name")]
    return houses if len(houses) > 1 else []
