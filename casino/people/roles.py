"""Who may do what: role → permissions. Deny by default: what is not listed here, nobody may; there is no superuser."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Role:
    """One role: how it is called, which theme its pages wear, what it may do.

    `permissions` are Django's `app.codename`, a `*` standing for any ending. `admin` says whether the role enters the admin.
    """

    code: str
    label: str | Promise
    theme: Literal["floor", "office"]
    permissions: frozenset[str]
    admin: bool = False


# About a jackpot: look at claims and ask for what two people decide (`verify`; closing and reopening too); retire it (`manage`);
# ask for a stop (`suspend`); pay its slips.
_VERIFY = frozenset({"jackpot.verify", "jackpot.suspend"})
_READ_FLOOR = frozenset({"payouts.view_*", "jackpot.view_*", "tables.view_*"})
_READ_DEVICES = frozenset({"casino.view_device*"})
_READ_ALERTS = frozenset({"casino.view_alert", "casino.view_shifthandover"})
_READ_ALL = (
    _READ_FLOOR
    | _READ_DEVICES
    | _READ_ALERTS
    | {"casino.view_auditrun", "casino.view_verifyrun"}
    | {"casino.view_person", "casino.view_metrics", "admin.view_logentry"}
)
_AUDIT = frozenset({"casino.view_audit"})  # the audit desk: every record of the house, and proving that it is unchanged
_REPORTS = frozenset({"casino.view_report"})

ROLES: dict[str, Role] = {
    role.code: role
    for role in (
        Role(
            "croupier",
            _("Croupier"),
            "floor",
            frozenset({"casino.use_tablet", "tables.deal"}),
        ),
        Role(
            "pit_boss",
            _("Pit boss"),
            "floor",
            frozenset({"casino.unlock_pin", "casino.use_tablet", "casino.enrol_device"})
            | {"tables.deal", "tables.run_floor", "tables.correct_round", "tables.view_*", "jackpot.view_*"}
            | {"payouts.view_approval"}
            | _VERIFY,
        ),
        Role("cage", _("Cage"), "floor", frozenset({"jackpot.view_slip", "jackpot.pay_slips"})),
        Role("auditor", _("Auditor"), "office", _READ_ALL | _AUDIT | _REPORTS, admin=True),
        Role(
            "surveillance",
            _("Surveillance"),
            "floor",
            _READ_FLOOR | _READ_DEVICES | _READ_ALERTS | {"casino.view_person"},
            admin=True,
        ),
        Role(
            "technician",
            _("Technician"),
            "office",
            frozenset({"payouts.view_house", "jackpot.view_*", "tables.view_*", "casino.view_metrics"})
            | {"payouts.view_postedtable", "payouts.draft_postedtable", "casino.enrol_device", "tables.set_up"}
            | {"payouts.view_approval", "jackpot.suspend"}
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
            | {"casino.add_person", "casino.change_person", "casino.unlock_pin", "casino.unlock_sign_in"}
            | {"casino.enrol_device", "tables.correct_round", "jackpot.manage"}
            | _VERIFY,
            admin=True,
        ),
    )
}
CODES = list(ROLES)


def may(codes: Iterable[str], permission: str) -> bool:
    """Whether one of these roles holds the permission (`app.codename`); an unknown role holds nothing."""
    return any(fnmatchcase(permission, held) for code in codes if code in ROLES for held in ROLES[code].permissions)


def who_may(permission: str) -> list[str]:
    """The roles that hold the permission; none for what is no permission."""
    return [code for code in CODES if "." in permission and may([code], permission)]


def may_any(codes: Iterable[str], app_label: str) -> bool:
    """Whether one of these roles holds any permission in the app."""
    prefix = f"{app_label}."
    return any(held.startswith(prefix) for code in codes if code in ROLES for held in ROLES[code].permissions)


def label(code: str) -> str:
    """The role's name in the language of the page; an unknown code stands for itself."""
    return str(ROLES[code].label) if code in ROLES else code
