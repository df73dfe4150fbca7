"""The page on which a manager signs that somebody may sign: who they are, what they are now, what
they are to be.
"""

from typing import Any, NamedTuple, TypedDict

from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.people.permissions import VIEW_PERSON
from casino.people.roles import label
from casino.people.signing_roles import ACTION
from payouts.models import Approval, House


class _Standing(TypedDict):
    """What a person is, as it is signed."""

    house: str | None
    roles: list[str]
    active: bool


class _Signer(NamedTuple):
    """Who is to sign. `rows`: what changes, its name, what it is, what it is to be."""

    full_name: str
    username: str
    rows: list[tuple[str, str, str]]
    may_open: bool


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    payload = approval.payload
    rows = _rows(payload["before"], payload["after"])
    may_open = person.has_perm(VIEW_PERSON)
    return _Signer(payload["full_name"], payload["username"], rows, may_open)._asdict()


def _rows(before: _Standing, after: _Standing) -> list[tuple[str, str, str]]:
    ids = [one["house"] for one in (before, after) if one["house"]]
    houses = House.objects.filter(pk__in=ids).values_list("pk", "name")
    names = {str(pk): name for pk, name in houses}

    def row(one: _Standing) -> tuple[str, str, str]:
        active = _("may sign in") if one["active"] else _("may not sign in")
        house = names.get(one["house"] or "", "–")
        return house, ", ".join(label(code) for code in one["roles"]), active

    return list(zip((_("House"), _("Roles"), _("Sign-in")), row(before), row(after), strict=True))


KIND = Kind(ACTION, "person-asked", "pit/person_asked.html", _details)
