"""What waits for a person on their start page, the worst first: nothing that somebody else has to
do, each with its way there.
"""

from collections.abc import Iterable
from datetime import date, datetime

from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.audit import verdict
from casino.people.context import HouseClock, people_of
from casino.people.models import Person
from casino.people.permissions import (
    PAY_SLIPS,
    RUN_FLOOR,
    UNLOCK_PIN,
    UNLOCK_SIGN_IN,
    USE_TABLET,
    VERIFY,
    VIEW_ALERT,
    VIEW_AUDIT,
    VIEW_METRICS,
    VIEW_TABLE,
)
from casino.people.resting import setting_event
from casino.people.roles import label, who_may
from casino.pit import labels
from casino.pit.board import read
from casino.pit.board.show import Board
from casino.pit.board.signatures import claim_page, claims_due, requests_elsewhere
from casino.pit.board.waiting import SEVERITIES, Waiting
from casino.pit.board.waits import Waits, station
from casino.text import floor
from casino.text.alerts import ALARM, ALERTS, WARN
from casino.text.formats import format_money
from casino.text.wording import guest_name
from jackpot.models import Slip
from payouts.errors import mark
from tables.models import Guest, Table

# slips in the list, those that fall due first; all are counted, and stand on the page of their
# jackpot
SHOWN = 12
BOOKS, HIT = "audit_failing", "hit_waits"
WRONG = {  # what of the verdict says no
    "chain": mark("Sealed rows were changed"),
    "complete": mark("Sealed rows are missing, or more are there"),
    "anchor": mark("Heads of seals: the copies elsewhere"),
    "balances": mark("The books do not agree"),
}
BESIDE = mark("A check has found something")  # where the accounts agree
LATE = {  # nothing is wrong yet, but nobody looks
    verdict.STALE: mark("No seal was taken lately"),
    verdict.LAGS: mark("Heads of seals: the copies elsewhere"),
    verdict.AUDIT_OLD: mark("The books are not being checked"),
    verdict.VERIFY_OLD: mark("Nothing was verified lately"),
}


def waits(role: str, person: Person, here: HouseClock, board: Board | None) -> list[Waiting]:
    """All of it. `board`: what the pit's board shows, for who may see it. A fixed number of
    statements.
    """
    found = list(_own_pin(person, here))
    found += _own_sign_in(person)
    if role != "croupier":
        if board is not None and person.has_perm(VIEW_TABLE):
            found += _of_the_floor(role, person, board.waiting)
        acts = person.house_id is not None
        if acts and not (board is not None and person.has_perm(VIEW_TABLE)):
            found += requests_elsewhere(here.house, person)
        if acts and person.has_perm(VERIFY):
            found += _to_look_at(person, here)
            found += _to_take_on(person, here)
        if acts and person.has_perm(PAY_SLIPS):
            found += _to_pay(here)
        if person.has_perm(UNLOCK_PIN) or person.has_perm(UNLOCK_SIGN_IN):
            found += _locked_out(person, here)
        if way := _to_the_proof(person):
            found += _of_the_books(here, way, told=any(_is_about_books(one) for one in found))
    return sorted(found, key=lambda one: (SEVERITIES.index(one.severity), one.since))


def _own_sign_in(person: Person) -> Iterable[Waiting]:
    """Who set the person's sign-in, until a second manager has seen it."""
    if event := setting_event(person):
        title = _("Your sign-in was set anew by %(who)s") % {"who": event.actor}
        text = _(
            "You sign nothing until a second manager has seen it: show them your authenticator. If"
            " it was not asked for, tell them."
        )
        yield Waiting(
            code="sign-in",
            severity=ALARM,
            icon="lock",
            title=title,
            text=text,
            who="",
            since=event.at,
            until=None,
            href="",
            ref=str(event.pk),
        )


def _own_pin(person: Person, here: HouseClock) -> Iterable[Waiting]:
    """Who works with a PIN and has none, or whose own is locked."""
    if not (person.has_perm(USE_TABLET) or person.has_perm(PAY_SLIPS)):
        return
    if person.pin_locked_at:
        who = _("Unlocks it: %(roles)s") % {
            "roles": ", ".join(label(code) for code in who_may(UNLOCK_PIN))
        }
        yield _own("locked", _("Your PIN is locked"), who, person.pin_locked_at, "")
    elif not person.pin:
        text = _("You have no PIN yet: tablet and cage ask for it.")
        yield _own("pin", _("Set PIN"), text, person.created_at or here.now, reverse("own-pin"))


def _own(code: str, title: str, text: str, since: datetime, href: str) -> Waiting:
    return Waiting(code, WARN, "code", title, text, "", since, None, href, code)


def _of_the_floor(role: str, person: Person, rail: Waits) -> Iterable[Waiting]:
    """Alarms, but of the auditor's the books alone; requests that they may sign; what is to be
    clarified, for who may.

    A hit that waits is no alarm here: who can take it on reads it below, whether the alert was
    acknowledged or not.
    """
    alarms = [one for one in rail.alarms if (one.kept or {}).get("alert") != HIT]
    yield from (
        one if one.href else _led(one, person)
        for one in alarms
        if role != "auditor" or _is_about_books(one)
    )
    if person.house_id is None:  # they read, and act in no house
        return
    yield from (one for one in rail.approvals if not one.own)
    if not person.has_perm(RUN_FLOOR):
        return
    yield from rail.clarify_first
    if more := rail.clarify_more:
        title = ngettext(
            "%(count)s more is to be clarified", "%(count)s more are to be clarified", more
        )
        since, href = rail.clarify_first[-1].since, reverse("floor")
        yield Waiting(
            "more", WARN, "warn", title % {"count": more}, "", "", since, None, href, "more"
        )


def _is_about_books(one: Waiting) -> bool:
    return one.code == "unwatched" or (one.kept or {}).get("alert") == BOOKS


def _led(one: Waiting, person: Person) -> Waiting:
    """An alarm about no table and no jackpot leads to where it is kept, or to the board."""
    if one.code == "alert" and person.has_perm(VIEW_ALERT):
        return one._replace(href=reverse("admin:casino_alert_change", args=[one.ref]))
    return one._replace(href=reverse("pit"))


def _to_look_at(person: Person, here: HouseClock) -> Iterable[Waiting]:
    """Claims that somebody has to look at who has not dealt their round."""
    claims = claims_due(here.house, person)
    tables = Table.objects.in_bulk({one.table_id for one in claims})
    for one in claims:
        place = _("%(table)s, Box %(box)s") % {"table": tables[one.table_id].name, "box": one.box}
        yield Waiting(
            code="claim",
            severity=ALARM,
            icon="eye",
            title=f"{one.hit.jackpot.name} · " + _("Claim %(number)s") % {"number": one.number},
            text=floor.colon(place, _("to be looked at")),
            who="",
            since=one.made_at,
            until=None,
            href=claim_page(one),
            ref=str(one.pk),
        )


def _to_take_on(person: Person, here: HouseClock) -> Iterable[Waiting]:
    """Hits of which nothing is asked until somebody acts who has not dealt a round that claims. One
    statement.
    """
    kind = ALERTS[HIT]
    for one in read.hits_waiting(house_id=here.house.pk):
        if person.pk in one.dealers:
            continue
        yield Waiting(
            code="hit",
            severity=kind.severity,
            icon=kind.icon,
            title=f"{one.jackpot} · " + _(kind.title),
            text=labels.alert_text(HIT, one.data, here.house),
            who="",
            since=datetime.fromisoformat(one.data["since"]),
            until=None,
            href=reverse("pit-jackpot", args=[one.data["jackpot"]]) + station(HIT, one.data),
            ref=one.data["hit"],
        )


def _to_pay(here: HouseClock) -> Iterable[Waiting]:
    """The slips that are to be paid, the one that falls due first at the head."""
    rows = Slip.objects.filter(house=here.house, state=Slip.State.OPEN)
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
            title=_("Slip %(number)s") % {"number": one.written}
            + " · "
            + _money(award.amount_minor, here),
            text=_("%(table)s, Box %(box)s")
            % {
                "table": tables[award.table_id].name,
                "box": award.box,
            },
            who=guest_name(guest.number) if guest else "",
            since=one.made_at,
            until=None,
            href=reverse("floor-slip", args=[one.pk]),
            ref=str(one.pk),
        )


def _is_due(day: date, here: HouseClock) -> bool:
    return day <= here.gaming_day


def _money(amount_minor: int, here: HouseClock) -> str:
    return format_money(amount_minor, here.house.currency, here.house.locale)


def _locked_out(person: Person, here: HouseClock) -> Iterable[Waiting]:
    """Other people of the house whose PIN or sign-in wrong tries have locked, for who may unlock
    it. One statement.
    """
    locked = (
        people_of(person)
        .filter(house=here.house, is_active=True)
        .exclude(pk=person.pk)
        .order_by("pk")
    )
    for one in locked.filter(Q(pin_locked_at__isnull=False) | Q(sign_in_locked_until__gt=Now())):
        if one.pin_locked_at and person.has_perm(UNLOCK_PIN):
            yield _locked("pin", _("PIN locked"), one, one.pin_locked_at, reverse("locked-pins"))
        if (
            one.sign_in_locked_until
            and one.sign_in_locked_until > here.now
            and person.has_perm(UNLOCK_SIGN_IN)
        ):
            href = reverse("admin:casino_person_changelist") + "?" + urlencode({"q": one.username})
            yield _locked("sign-in", _("Sign-in locked"), one, here.now, href)


def _locked(code: str, title: str, one: Person, since: datetime, href: str) -> Waiting:
    return Waiting(code, WARN, "lock", title, one.full_name, "", since, None, href, str(one.pk))


def _to_the_proof(person: Person) -> str:
    """Where the person sees how books and seals stand: at the audit desk, or among the signs of
    life of the whole.
    """
    if person.has_perm(VIEW_AUDIT):
        return reverse("audit-verify")
    return reverse("readyz") if person.has_perm(VIEW_METRICS) else ""


def _of_the_books(here: HouseClock, way: str, *, told: bool) -> Iterable[Waiting]:
    """What of the verdict is not as it should be, or not looked at any more; `told`: an alarm tells
    of the books already.
    """
    for one in verdict.verdict(here.house).checks:
        title = (
            LATE.get(one.says)
            if one.ok is not False
            else BESIDE
            if one.says == verdict.FOUND
            else WRONG[one.code]
        )
        if title and not (told and one.code == "balances"):
            severity, icon = (ALARM, "warn") if one.ok is False else (WARN, "clock")
            since = one.at or here.now
            yield Waiting(
                "verdict",
                severity,
                icon,
                _(title),
                one.sentence(here.house),
                "",
                since,
                None,
                way,
                one.code,
            )
