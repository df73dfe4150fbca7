"""The pages on which a manager signs that somebody may sign: who they are, what they are now, what
they are to be; and that they have seen a sign-in that others have set.
"""

from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.people.permissions import VIEW_PERSON
from casino.people.resting import ACTION as CREDENTIAL
from casino.people.roles import label
from casino.people.signing_roles import ACTION
from casino.records.report_labels import EVENTS
from casino.text.differences import Difference, Differences, differences
from payouts.models import Approval, Event, House

SIGN_IN_ACTS = (
    "person.created",
    "password.reset",
    "sign_in.second_factor_reset",
    "sign_in.enrolled",
    "pin.set",
)
ACTS_MOST = 6


class _Standing(TypedDict):
    """What a person is, as it is signed."""

    house: str | None
    roles: list[str]
    active: bool


class _SignIn(NamedTuple):
    """Whose sign-in is to be seen. `rows`: what was done to it, by whom, when, the newest first."""

    full_name: str
    username: str
    rows: list[tuple[str, Person | None, datetime]]
    may_open: bool


class _Signer(NamedTuple):
    """Who is to sign, and what changes about them."""

    full_name: str
    username: str
    differences: Differences
    may_open: bool


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    payload = approval.payload
    changes = _changes(payload["before"], payload["after"])
    may_open = person.has_perm(VIEW_PERSON)
    return _Signer(payload["full_name"], payload["username"], changes, may_open)._asdict()


def _changes(before: _Standing, after: _Standing) -> Differences:
    ids = [one["house"] for one in (before, after) if one["house"]]
    houses = House.objects.filter(pk__in=ids).values_list("pk", "name")
    names = {str(pk): name for pk, name in houses}

    def row(one: _Standing) -> tuple[str, str, str]:
        active = _("may sign in") if one["active"] else _("may not sign in")
        house = names.get(one["house"] or "", "–")
        return house, ", ".join(label(code) for code in one["roles"]), active

    rows = zip((_("House"), _("Roles"), _("Sign-in")), row(before), row(after), strict=True)
    return differences(Difference(*texts) for texts in rows)


def _sign_in(approval: Approval, person: Person) -> dict[str, Any]:
    acts = (
        Event.objects.filter(subject_kind="person", subject_id=approval.subject_id)
        .filter(Q(pk__lte=approval.payload["event"]) | Q(name="pin.set"), name__in=SIGN_IN_ACTS)
        .filter(at__lte=approval.closed_at or Now())
        .select_related("actor")
        .order_by("-pk")[:ACTS_MOST]
    )
    payload = approval.payload
    rows = [(_(EVENTS[act.name]), act.actor, act.at) for act in acts]
    may_open = person.has_perm(VIEW_PERSON)
    return _SignIn(payload["full_name"], payload["username"], rows, may_open)._asdict()


KIND = Kind(ACTION, "person-asked", "pit/person_asked.html", _details)
SEEN = Kind(CREDENTIAL, "credential-asked", "pit/credential_asked.html", _sign_in)
