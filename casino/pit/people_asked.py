"""The page on which a manager signs that somebody may sign: who they are, what they are now, what
they are to be.
"""

from typing import Any

from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.people.permissions import VIEW_PERSON
from casino.people.roles import label
from casino.people.signing_roles import ACTION, sign_role_sign
from payouts.models import Approval, House


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    payload = approval.payload
    return {
        "who": {name: payload[name] for name in ("full_name", "username")},
        "rows": _rows(payload["before"], payload["after"]),
        "may_open": person.has_perm(VIEW_PERSON),
    }


def _rows(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What changes: its name, what it is, what it is to be."""
    names = {
        str(pk): name
        for pk, name in House.objects.filter(pk__in=_ids(before, after)).values_list("pk", "name")
    }

    def told(one: dict[str, Any]) -> tuple[str, str, str]:
        active = _("may sign in") if one["active"] else _("may not sign in")
        return names.get(one["house"], "–"), ", ".join(label(code) for code in one["roles"]), active

    return list(zip((_("House"), _("Roles"), _("Sign-in")), told(before), told(after), strict=True))


def _ids(*standings: dict[str, Any]) -> list[str]:
    return [one["house"] for one in standings if one["house"]]


KIND = Kind(ACTION, "person-asked", "pit/person_asked.html", sign_role_sign, _details)
