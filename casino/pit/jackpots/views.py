"""A jackpot of the floor: what its hit waits for, and the steps by which people bring it on: look,
sign, show.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from casino.people.models import Person
from casino.people.pages.page import Wrong, allowed, house_clock_of, page, row_of
from casino.people.pages.steps import Page, by_name
from casino.people.permissions import VIEW_SLIP
from casino.pit.jackpots import asked, claims, displays, life, prizes, show, standing
from casino.pit.jackpots.steps import Reader
from jackpot.models import Jackpot


@require_GET
def every(request: HttpRequest) -> HttpResponse:
    """The house's jackpots; the only one is opened at once, none is said."""
    person = allowed(request, VIEW_SLIP)
    there = list(show.jackpots_of(person).order_by("name"))
    if len(there) == 1:
        return redirect("floor-jackpot", there[0].pk)
    context = {"jackpots": show.listed(there), "forms": set()}
    return page(
        request, person, "pit/jackpots/jackpots.html", context, house_clock_of(person).house
    )


@require_GET
def one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What the jackpot waits for, with everything that people decide about its hit; the cage sees
    its slips.
    """
    person = allowed(request, VIEW_SLIP)
    return _jackpot_page(request, person, _found(person, pk))


def _found(person: Person, pk: UUID | None) -> Jackpot:
    return row_of(person, show.jackpots_of(person), pk)


def _jackpot_page(
    request: HttpRequest, person: Person, jackpot: Jackpot, wrong: Wrong | None = None
) -> HttpResponse:
    details = show.details(Reader(jackpot, person, wrong))
    context = details._asdict()
    if details.progress:
        history, older = life.history(jackpot)
        context |= details.progress._asdict() | {"history": history, "older": older, "is_now": True}
    return page(request, person, "pit/jackpots/jackpot.html", context, jackpot.house, wrong)


STEPS = by_name(*claims.STEPS, *displays.STEPS, *asked.STEPS, *standing.STEPS, *prizes.STEPS)
PAGE = Page("floor-jackpot", _found, _jackpot_page, STEPS)
