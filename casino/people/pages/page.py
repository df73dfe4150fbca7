"""What all pages of the floor share: who may, which house, one effect for a double click, refusals
where they happened.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from casino.people.context import HouseClock, house_clock_for, look_at
from casino.people.models import Person
from casino.people.roles import ROLES
from casino.text.problems import STATUS, sentences
from casino.text.request_errors import HouseNeeded
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import House
from payouts.rules.plain import Json, check_text

Row = TypeVar("Row", bound=Model)


class Wrong(NamedTuple):
    """A refusal, the form of the page in which it happened, and what was typed there."""

    at: str
    refused: Refused
    form_data: Mapping[str, str] = MappingProxyType({})


def allowed(request: HttpRequest, permission: str) -> Person:
    """The person, if a role of theirs holds the permission. Raises PermissionDenied."""
    person = request.user
    if not isinstance(person, Person) or not person.has_perm(permission):
        raise PermissionDenied(permission)
    return person


def allowed_by_any(request: HttpRequest, *permissions: str) -> Person:
    """The person, if a role of theirs holds one of the permissions. Raises PermissionDenied."""
    person = request.user
    if not isinstance(person, Person) or not any(
        person.has_perm(permission) for permission in permissions
    ):
        raise PermissionDenied(permissions[0])
    return person


def house_clock_of(person: Person) -> HouseClock:
    """The house whose floor the person sees: their own, or the only one. Raises Http404."""
    here = house_clock_for(person)
    if here is None:
        raise Http404
    return here


def house_filter(person: Person) -> dict[str, UUID]:
    """What rows are filtered by: the person's house, or the one they have chosen, or nothing."""
    house_id = person.scope_house_id
    return {"house_id": house_id} if house_id else {}


def row_of(person: Person, rows: "QuerySet[Row]", pk: object) -> Row:
    """The row, if the person reaches it; the page is about its house then. Raises Http404: what
    another house has is not there.
    """
    row = get_object_or_404(rows.filter(**house_filter(person)), pk=pk)
    look_at(person, getattr(row, "house", None))
    return row


def form_data(request: HttpRequest) -> dict[str, str]:
    """What a form sent, without what belongs to the machinery and without its proof: the same words
    again are the same request, and whatever shows them shows no secret.
    """
    return {
        name: str(value)
        for name, value in request.POST.items()
        if name not in ("csrfmiddlewaretoken", "key", "secret")
    }


def key_of(request: HttpRequest, person: Person) -> str:
    """The key that the form carries. Raises TextRefused, HouseNeeded (who is of no house reads all
    of them, and acts in none).
    """
    if person.house_id is None:
        raise HouseNeeded
    return f"floor:{person.pk}:{check_text(request.POST.get('key', ''), 'key', least=32, most=40)}"


def run(
    request: HttpRequest,
    person: Person,
    command: str,
    body: Mapping[str, object],
    work: Callable[[], Json],
    tail: str = "",
) -> Json:
    """Carry the command out once for the form's key: a second click gets the first one's answer.

    `tail` makes another key of the same form's, for a second command that follows from the first
    one's refusal.
    """
    return run_once(
        key_of(request, person) + tail, request_fingerprint(command, person.pk, body), work
    ).body


def page(
    request: HttpRequest,
    person: Person,
    template: str,
    context: dict[str, Any],
    house: House,
    wrong: Wrong | None = None,
) -> HttpResponse:
    """Render in the theme of the person's first role, with the refusal beside the form that it
    belongs to.

    `context["forms"]` names the forms that the page shows now; a refusal of another one (the table
    was closed meanwhile, say) is said at the top.
    """
    theme = ROLES[person.known_roles()[0]].theme
    context = {"theme": theme, "house": house, "at": "", **context}
    if wrong is None:
        return render(request, template, context)
    sentence, remedy = sentences(wrong.refused, house)
    rule = wrong.refused.rule or ""
    context |= {
        "at": wrong.at,
        "astray": wrong.at not in context["forms"],
        "refused": {
            "sentence": sentence,
            "remedy": remedy,
            "rule": rule,
            "code": wrong.refused.code,
        },
    }
    return render(request, template, context, status=STATUS[wrong.refused.kind])
