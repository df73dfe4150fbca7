"""Where each role starts: its own screen after the sign-in, and on its start page what waits for it, the worst first."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import Count, Sum
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino import dashboard_show, dashboard_waits, first_steps, starter
from casino.audit_parts import VIEW as AUDIT
from casino.context import Here, here_for
from casino.dashboard_words import WARN
from casino.floor_parts import PAY, SIGN, VIEW
from casino.formats import format_money
from casino.models import Person
from casino.refusal_words import ACTIONS
from casino.wording import guest_name
from jackpot.models import Slip
from payouts.models import Approval, PostedTable
from payouts.rules.approval import role_fits
from tables.models import Guest, Table, TableSession

AT_THE_PIT = ("pit_boss", "surveillance")  # the floor itself is their screen
FIRST = ("manager", "technician")  # whose start page leads to the first steps of a house that has settled no round yet
DESKS = ("cage", "technician", "manager", *AT_THE_PIT)  # whose start page says what waits for them
SHOWN = 12  # slips in the list, those that fall due first; all are counted, and stand on the page of their jackpot

Waiting = dashboard_waits.Waiting


def landing(person: Person) -> str:
    """The address of the screen on which the person's first role works; in a new house of the role that prepares it."""
    role = person.known_roles()[0]
    prepares = [code for code in person.known_roles() if code in FIRST]
    if role not in FIRST and prepares and (here := here_for(person)) and not first_steps.begun(here.house):
        return reverse("role-home", args=[prepares[0]])
    if role in AT_THE_PIT and person.has_perm(VIEW) and here_for(person):
        return reverse("pit")
    if role == "auditor" and person.has_perm(AUDIT) and person.house_id:
        return reverse("audit")
    return reverse("role-home", args=[role])


def desk(role: str, person: Person, here: Here | None) -> dict[str, Any]:
    """What the start page of a role shows besides the sign-in.

    `waits`: what waits for somebody, None where the page says nothing of it; `totals` of the floor; `slips` to be paid;
    `session` at which a croupier deals; `first`, the steps of a new house. A fixed number of statements.
    """
    shown: dict[str, Any] = {"waits": None, "totals": None, "slips": None, "deals": role == "croupier", "first": None}
    if here is None:
        return shown
    if role == "croupier":
        return shown | {"session": _dealing(person)}
    if role not in DESKS:
        return shown
    if role in FIRST and not first_steps.begun(here.house):
        told = first_steps.steps(here, starter.starter_rows(here.house))
        shown["first"] = {"done": sum(1 for one in told if one.done), "steps": told}
    waits: list[Waiting] = []
    if person.has_perm(VIEW):
        board = dashboard_show.board(here.house, person)
        waits += board["waiting"]["alarms"]
        waits += [one for one in board["waiting"]["approvals"] if not one.own]
        shown |= {"totals": board["totals"], "books": board["audit"], "shift": board["shift"]}
    if person.has_perm(SIGN):
        waits += _to_sign(person, here)
    if person.has_perm(PAY):
        waits += _to_pay(here)
        open_slips = Slip.objects.filter(house=here.house, state="open")
        shown["slips"] = open_slips.aggregate(count=Count("pk"), sum_minor=Sum("award__amount_minor", default=0))
    order = dashboard_waits.SEVERITIES
    return shown | {"waits": sorted(waits, key=lambda one: (order.index(one.severity), one.since))}


def _dealing(person: Person) -> TableSession | None:
    """The table that the person deals at now."""
    open_now = TableSession.objects.filter(croupier=person, closed_at=None)
    return open_now.select_related("table").first()


def _to_sign(person: Person, here: Here) -> Iterable[Waiting]:
    """Requests outside the floor that wait for a signature of this person: posted tables, people, rules of approval, the books."""
    kinds = ("posted_table", "person", "approval_rule", "transfer")
    rows = Approval.objects.filter(house=here.house, subject_kind__in=kinds, state="open", expires_at__gt=Now())
    asked = rows.select_related("requester").prefetch_related("signatures").order_by("requested_at", "pk")
    mine = [one for one in asked if _may_sign(person, one)]
    tables = [one.subject_id for one in mine if one.subject_kind == "posted_table"]
    named = {str(row.pk): row for row in PostedTable.objects.filter(pk__in=tables).defer("data")}
    for one in mine:
        row = named.get(one.subject_id)
        yield Waiting(
            code="approval",
            severity="appr",
            icon="code",
            title=capfirst(_(ACTIONS[one.action])) if one.action in ACTIONS else one.action,
            text=_("%(name)s, version %(version)s") % {"name": row.name, "version": row.version}
            if row
            else str(one.payload.get("full_name", "")),
            who=one.requester.full_name if one.requester else "",
            since=one.requested_at,
            until=one.expires_at,
            href=_where(one),
            ref=str(one.pk),
        )


def _where(asked: Approval) -> str:
    """The page on which it is signed."""
    if asked.subject_kind == "posted_table":
        return reverse("posted-table", args=[asked.subject_id])
    if asked.subject_kind == "person":
        return reverse("person-asked", args=[asked.pk])
    return reverse("admin:payouts_approval_change", args=[asked.pk])


def _may_sign(person: Person, asked: Approval) -> bool:
    signed = any(one.signer_id == person.pk for one in asked.signatures.all())
    barred = person.pk == asked.requester_id or person.pk in asked.excluded
    return role_fits(person.roles, asked.roles) and not barred and not signed


def _to_pay(here: Here) -> Iterable[Waiting]:
    """The slips that are to be paid, the one that falls due first at the head."""
    rows = Slip.objects.filter(house=here.house, state="open")
    slips = list(rows.select_related("award").order_by("due_on", "number")[:SHOWN])
    guests = Guest.objects.in_bulk({one.award.guest_id for one in slips})
    tables = Table.objects.in_bulk({one.award.table_id for one in slips})
    for one in slips:
        award = one.award
        guest = guests.get(award.guest_id)
        yield Waiting(
            code="slip",
            severity=WARN if _is_due(one.due_on, here) else "",
            icon="coins",
            title=_("Slip %(number)s") % {"number": one.written} + " · " + _money(award.amount_minor, here),
            text=_("%(table)s, Box %(box)s") % {"table": tables[award.table_id].name, "box": award.box},
            who=guest_name(guest.number) if guest else "",
            since=one.made_at,
            until=None,
            href=reverse("floor-slip", args=[one.pk]),
            ref=str(one.pk),
        )


def _is_due(day: date, here: Here) -> bool:
    return day <= here.gaming_day


def _money(amount_minor: int, here: Here) -> str:
    return format_money(amount_minor, here.house.currency, here.house.locale)
