"""Who may do what: role → permissions. Deny by default: what is not listed here, nobody may; there
is no superuser.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.people.permissions import (
    ADD_PERSON,
    CHANGE_PERSON,
    CORRECT,
    COUNT_DROP,
    DEAL,
    DRAFT_POSTED_TABLE,
    ENROL_DEVICE,
    EXPLAIN_DIFFERENCE,
    MANAGE,
    PAY_SLIPS,
    REQUEST_CHIPS,
    REQUEST_INVENTORY,
    REQUEST_RULE,
    REVERSE_TRANSFER,
    RUN_FLOOR,
    SET_UP,
    SUSPEND,
    UNLOCK_PIN,
    UNLOCK_SIGN_IN,
    USE_TABLET,
    VERIFY,
    VIEW_ALERT,
    VIEW_APPROVAL,
    VIEW_AUDIT,
    VIEW_AUDIT_RUN,
    VIEW_CHIPS,
    VIEW_COUNT,
    VIEW_HOUSE,
    VIEW_LOG_ENTRY,
    VIEW_METRICS,
    VIEW_PERSON,
    VIEW_POSTED_TABLE,
    VIEW_REPORT,
    VIEW_SHIFT_HAND_OVER,
    VIEW_SLIP,
    VIEW_THEFT,
    VIEW_VERIFY_RUN,
    WITNESS_COUNT,
)
from casino.people.refusals import DropCounterPit


@dataclass(frozen=True)
class Role:
    """One role: how it is called, which theme its pages wear, what it may do.

    `permissions` are Django's `app.codename`, a `*` standing for any ending. `admin` says whether
    the role enters the admin.
    """

    code: str
    label: str | Promise
    theme: Literal["floor", "office"]
    permissions: frozenset[str]
    admin: bool = False


# About a jackpot: look at claims and ask for what two people decide (`verify`; closing and
# reopening too); retire it (`manage`); ask for a stop (`suspend`); pay its slips.
_VERIFY = frozenset({VERIFY, SUSPEND})
_READ_FLOOR = frozenset({"payouts.view_*", "jackpot.view_*", "tables.view_*"})
_READ_DEVICES = frozenset({"casino.view_device*"})
_READ_ALERTS = frozenset({VIEW_ALERT, VIEW_SHIFT_HAND_OVER})
_READ_ALL = (
    _READ_FLOOR
    | _READ_DEVICES
    | _READ_ALERTS
    | {VIEW_AUDIT_RUN, VIEW_VERIFY_RUN}
    | {VIEW_PERSON, VIEW_METRICS, VIEW_LOG_ENTRY}
)
# the audit desk: every record of the house, and proving that it is unchanged
_AUDIT = frozenset({VIEW_AUDIT})
_REPORTS = frozenset({VIEW_REPORT})
PIT = frozenset({"pit_boss", "croupier"})

ROLES: dict[str, Role] = {
    role.code: role
    for role in (
        Role(
            "croupier",
            _("Croupier"),
            "floor",
            frozenset({USE_TABLET, DEAL}),
        ),
        Role(
            "pit_boss",
            _("Pit boss"),
            "floor",
            frozenset({UNLOCK_PIN, USE_TABLET, ENROL_DEVICE})
            | {DEAL, RUN_FLOOR, CORRECT, "tables.view_*", "jackpot.view_*"}
            | {VIEW_APPROVAL, VIEW_COUNT, WITNESS_COUNT, REVERSE_TRANSFER}
            | {EXPLAIN_DIFFERENCE, VIEW_THEFT}
            | _VERIFY,
        ),
        Role(
            "cage",
            _("Cage"),
            "floor",
            frozenset({VIEW_SLIP, PAY_SLIPS, VIEW_CHIPS, VIEW_COUNT})
            | {COUNT_DROP, EXPLAIN_DIFFERENCE},
        ),
        Role(
            "auditor",
            _("Auditor"),
            "office",
            _READ_ALL | _AUDIT | _REPORTS | {VIEW_CHIPS, VIEW_THEFT},
            admin=True,
        ),
        Role(
            "surveillance",
            _("Surveillance"),
            "floor",
            _READ_FLOOR | _READ_DEVICES | _READ_ALERTS | {VIEW_PERSON},
            admin=True,
        ),
        Role(
            "technician",
            _("Technician"),
            "office",
            frozenset({VIEW_HOUSE, "jackpot.view_*", "tables.view_*", VIEW_METRICS})
            | {VIEW_POSTED_TABLE, DRAFT_POSTED_TABLE, ENROL_DEVICE, SET_UP}
            | {VIEW_APPROVAL, SUSPEND}
            | _READ_DEVICES
            | _READ_ALERTS,
            admin=True,
        ),
        Role(
            "manager",
            _("Manager"),
            "office",
            _READ_ALL
            | _AUDIT
            | _REPORTS
            | {ADD_PERSON, CHANGE_PERSON, UNLOCK_PIN, UNLOCK_SIGN_IN}
            | {ENROL_DEVICE, CORRECT, MANAGE, REQUEST_RULE, REVERSE_TRANSFER, WITNESS_COUNT}
            | {VIEW_CHIPS, REQUEST_CHIPS, REQUEST_INVENTORY, COUNT_DROP}
            | {EXPLAIN_DIFFERENCE, VIEW_THEFT}
            | _VERIFY,
            admin=True,
        ),
    )
}
CODES = list(ROLES)


def may(codes: Iterable[str], permission: str) -> bool:
    """Whether one of these roles holds the permission (`app.codename`); an unknown role holds
    nothing.
    """
    return any(
        fnmatchcase(permission, held)
        for code in codes
        if code in ROLES
        for held in ROLES[code].permissions
    )


def who_may(permission: str) -> list[str]:
    """The roles that hold the permission; none for what is no permission."""
    return [code for code in CODES if "." in permission and may([code], permission)]


def may_any(codes: Iterable[str], app_label: str) -> bool:
    """Whether one of these roles holds any permission in the app."""
    prefix = f"{app_label}."
    return any(
        held.startswith(prefix)
        for code in codes
        if code in ROLES
        for held in ROLES[code].permissions
    )


def label(code: str) -> str:
    """The role's name in the language of the page; an unknown code stands for itself."""
    return str(ROLES[code].label) if code in ROLES else code


def check_counter(roles: Iterable[str]) -> None:
    """Raise DropCounterPit where somebody of these roles works in the pit, whatever else they do:
    they count no drop box (DRP-4).
    """
    if PIT.intersection(roles):
        raise DropCounterPit
