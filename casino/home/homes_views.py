"""Start pages: each role's own, and the way to it."""

from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.home import homes
from casino.home.ready import readiness
from casino.people.context import house_clock_for
from casino.people.pages.page import allowed, house_clock_of
from casino.people.permissions import VIEW_TABLE
from casino.people.roles import ROLES
from casino.people.views import person_of
from casino.pit.board.signatures import signatures_due


def home(request: HttpRequest) -> HttpResponse:
    """To the screen of the person's first role."""
    return redirect(homes.landing(person_of(request)))


@require_GET
def role_home(request: HttpRequest, role: str) -> HttpResponse:
    """The home of one role; only for who has it."""
    if role not in ROLES:
        raise Http404
    person = person_of(request)
    if role not in person.roles:
        raise PermissionDenied
    here = house_clock_for(person)
    previous = request.session.get("previous_sign_in")
    context = {
        "role": ROLES[role],
        "greeting": _greeting(here.now.hour if here else None),
        "previous_sign_in": datetime.fromisoformat(previous) if previous else None,
        "wrong_tries": request.session.get("wrong_tries", 0),
        "has_pin": bool(person.pin),
    }
    return render(request, "home/home.html", context | homes.desk(role, person, here)._asdict())


@require_GET
def waits_for_you(request: HttpRequest) -> HttpResponse:
    """What of every page's bar says how much the person may sign now; empty if nothing."""
    house = person_of(request).house
    due = signatures_due(house, person_of(request)) if house else None
    return render(request, "home/_signatures.html", {"due": due, "house": house})


@require_GET
def ready_for_tonight(request: HttpRequest) -> HttpResponse:
    """Whether the house is ready for the evening: a part of the pit's board and of the manager's
    start page, where it is unfolded.
    """
    person = allowed(request, VIEW_TABLE)
    house = house_clock_of(person).house
    ready = readiness(house)
    ways = {item.code for item in ready.items if item.needs and person.has_perm(item.needs)}
    context = {"ready": ready, "ways": ways, "unfolded": "unfolded" in request.GET}
    return render(request, "home/_ready.html", context)


def _greeting(hour: int | None) -> str:
    if hour is None:
        return _("Welcome")
    if 5 <= hour < 11:
        return _("Good morning")
    return _("Good day") if 11 <= hour < 17 else _("Good evening")
