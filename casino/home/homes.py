"""Where each role starts: its own screen after the sign-in, and on its start page what waits for
it, the worst first.
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import Count, Sum
from django.urls import reverse

from casino.home import first_steps
from casino.home import waits as home_waits
from casino.people.context import HouseClock, house_clock_for
from casino.people.models import Person
from casino.people.permissions import PAY_SLIPS, VIEW_AUDIT, VIEW_TABLE
from casino.pit.board import show
from casino.pit.board.show import Board
from casino.pit.board.waiting import Waiting
from casino.rulesets import starter
from jackpot.models import Slip
from payouts.models import House
from tables.models import TableSession

AT_THE_PIT = ("pit_boss", "surveillance")  # the floor itself is their screen
# whose start page leads to the first steps of a house that has settled no round yet
FIRST = ("manager", "technician")


def landing(person: Person) -> str:
    """The address of the screen on which the person's first role works; in a new house of the role
    that prepares it.
    """
    role = person.known_roles()[0]
    prepares = [code for code in person.known_roles() if code in FIRST]
    if (
        role not in FIRST
        and prepares
        and (here := house_clock_for(person))
        and not first_steps.begun(here.house)
    ):
        return reverse("role-home", args=[prepares[0]])
    if role in AT_THE_PIT and person.has_perm(VIEW_TABLE) and house_clock_for(person):
        return reverse("pit")
    if role == "auditor" and person.has_perm(VIEW_AUDIT) and person.house_id:
        return reverse("audit")
    return reverse("role-home", args=[role])


class Desk(NamedTuple):
    """What the start page of a role shows besides the sign-in.

    `waits`: what waits for somebody, None where the page says nothing of it; `board` of the floor;
    `slips` to be paid, how many and how much; `session` at which a croupier deals; `first`, the
    steps of a new house; `houses`, among which who is of none chooses.
    """

    deals: bool
    houses: list[HouseClock]
    first: first_steps.Progress | None = None
    session: TableSession | None = None
    board: Board | None = None
    slips: Mapping[str, int] | None = None
    waits: list[Waiting] | None = None


def desk(role: str, person: Person, here: HouseClock | None) -> Desk:
    """The start page of a role; a fixed number of statements."""
    deals, houses = role == "croupier", _houses(person)
    if here is None:
        return Desk(deals, houses)
    new = role in FIRST and not first_steps.begun(here.house)
    board = show.board(here.house, person) if not deals and person.has_perm(VIEW_TABLE) else None
    return Desk(
        deals,
        houses,
        first=first_steps.progress(here, starter.starter_rows(here.house)) if new else None,
        session=_dealing(person) if deals else None,
        board=board,
        slips=_to_pay(here.house) if not deals and person.has_perm(PAY_SLIPS) else None,
        waits=home_waits.waits(role, person, here, board),
    )


def _to_pay(house: House) -> dict[str, int]:
    slips = Slip.objects.filter(house=house, state=Slip.State.OPEN)
    return slips.aggregate(count=Count("pk"), sum_minor=Sum("award__amount_minor", default=0))


def _dealing(person: Person) -> TableSession | None:
    """The table that the person deals at now."""
    open_now = TableSession.objects.filter(croupier=person, closed_at=None)
    return open_now.select_related("table").first()


def _houses(person: Person) -> list[HouseClock]:
    """Every house at this moment, each by its own clock, for who is of no house; the only one needs
    no choice.
    """
    houses = (
        [] if person.house_id else [HouseClock.at(one) for one in House.objects.order_by("name")]
    )
    return houses if len(houses) > 1 else []
