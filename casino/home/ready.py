"""Whether the house is ready for the evening, while there is time to mend what is not: read anew
each time from what is there.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Literal, NamedTuple
from uuid import UUID

from django.db import connection
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.audit.verdict import SEAL_AGE, VERIFY_AGE, Verdict, verdict
from casino.devices.models import Device
from casino.devices.stored import stored_pages
from casino.people.permissions import (
    ADD_PERSON,
    ENROL_DEVICE,
    VIEW_AUDIT,
    VIEW_HIT,
    VIEW_METRICS,
    VIEW_SLIP,
    VIEW_TABLE,
)
from casino.pit.board import read
from casino.pit.board.read import Panel
from casino.pit.labels import at, moment_text
from casino.rulesets.signers import payers, shortage
from casino.text.formats import format_money
from payouts.models import Account, House
from tables.models import Table
from tables.selectors.floor import floor_jackpots

CLOCKS_APART = timedelta(seconds=2)  # between program and database; more is no network's doing
PEOPLE = "admin:casino_person_changelist"
State = Literal["ready", "not_ready", "unknown"]
ICONS = {"ready": "ok", "not_ready": "warn", "unknown": "help"}


class ReadyItem(NamedTuple):
    """One thing that the evening needs: how it stands, what is done about it, and where (the
    address, and the permission that opens it).
    """

    code: str
    state: State
    title: str
    text: str
    remedy: str = ""
    href: str = ""
    needs: str = ""

    def mended(self, remedy: str, view: str, needs: str) -> "ReadyItem":
        """What is done about it, and the view where, with the permission that opens it."""
        return self._replace(remedy=remedy, href=reverse(view), needs=needs)

    @property
    def icon(self) -> str:
        """Of the sprite."""
        return ICONS[self.state]


class Readiness(NamedTuple):
    """All of it."""

    items: list[ReadyItem]

    @property
    def missing(self) -> int:
        """How many items are not ready, or not known to be."""
        return sum(item.state != "ready" for item in self.items)

    @property
    def summary(self) -> str:
        """All of it in a few words."""
        if self.missing:
            return _("%(number)s not ready") % {"number": self.missing}
        return _("all is ready")


def readiness(house: House) -> Readiness:
    """Signers, cashier, cash and displays where there is a jackpot; tablets, seals, verification,
    clocks. At most sixteen statements.
    """
    jackpots = floor_jackpots(house_id=house.pk)
    proof = verdict(house)
    items = [_tablets(house), _seals(proof), _verified(proof, house), _clocks()]
    if jackpots:
        most = max(jackpot.shown_minor for jackpot in jackpots.values())
        shows = read.panels(house_id=house.pk)
        items[:0] = [_signed(house), _paid(house), _cash(house, most), _displays(shows)]
    return Readiness(items)


def _item(code: str, title: str, text: str, *, is_ready: bool | None) -> ReadyItem:
    state: State = "unknown" if is_ready is None else "ready" if is_ready else "not_ready"
    return ReadyItem(code, state, title, text)


def _signed(house: House) -> ReadyItem:
    short = shortage(house)
    if short is None:
        text = _("Enough people can sign a prize now.")
        return _item("signers", _("Signers"), text, is_ready=True)
    what, *why = short.sentences()
    item = _item("signers", _("Signers"), what, is_ready=False)
    return item.mended(" ".join(_stopped(why)), PEOPLE, ADD_PERSON)


def _paid(house: House) -> ReadyItem:
    able = payers(house)
    if able.able:
        text = _("Can pay a slip now: %(names)s.") % {"names": ", ".join(able.able)}
        return _item("cashier", _("Cashier"), text, is_ready=True)
    item = _item(
        "cashier", _("Cashier"), _("Nobody of the cage can pay a slip now."), is_ready=False
    )
    return item.mended(" ".join(_stopped(able.why_not)), PEOPLE, ADD_PERSON)


def _stopped(sentences: Sequence[str]) -> list[str]:
    """Each with a full stop."""
    return [text if text.endswith(".") else f"{text}." for text in sentences]


def _cash(house: House, most_minor: int) -> ReadyItem:
    """Cash against what the highest meter shows, in minor units. One statement."""
    rows = Account.objects.filter(house=house, kind="cage_cash")
    has_minor = sum(rows.values_list("balance_minor", flat=True))
    text = _("There is %(cash)s in the cage; the highest meter shows %(amount)s.") % {
        "cash": format_money(has_minor, house.currency, house.locale),
        "amount": format_money(most_minor, house.currency, house.locale),
    }
    item = _item("cash", _("Cash"), text, is_ready=has_minor >= most_minor)
    if item.state == "ready":
        return item
    remedy = _("Bring the difference into the cage and have it booked before a slip is to be paid.")
    return item.mended(remedy, "floor-jackpots", VIEW_SLIP)


def _displays(panels: Mapping[UUID, Panel]) -> ReadyItem:
    dark = sorted({name for panel in panels.values() for name in (*panel.dark, *panel.new)})
    shows = sum(panel.shows for panel in panels.values())
    if dark:
        text = _("Not heard of: %(names)s.") % {"names": ", ".join(dark)}
        remedy = _("Switch it on, or start its page anew: coins wait for it.")
        item = _item("displays", _("Displays"), text, is_ready=False)
        return item.mended(remedy, "pit-jackpots", VIEW_HIT)
    if not all(panel.shows for panel in panels.values()):
        text = _("No display is named: no coins are taken.")
        remedy = _("Set a display up for the jackpot, and have it required.")
        item = _item("displays", _("Displays"), text, is_ready=False)
        return item.mended(remedy, "devices", ENROL_DEVICE)
    text = _("Displays that are heard: %(count)s.") % {"count": shows}
    return _item("displays", _("Displays"), text, is_ready=True)


def _tablets(house: House) -> ReadyItem:
    """Where tablets lack, and what they would lose, were they loaded again without the network. Two
    statements.
    """
    title = _("Tablets")
    tablets = stored_pages(house)
    if not tablets:
        item = _item("tablets", title, _("No table has a tablet."), is_ready=False)
        return item.mended(_("Enrol one at each table."), "devices", ENROL_DEVICE)
    open_tables = Table.objects.filter(house=house, session__isnull=False)
    bare = open_tables.exclude(pk__in=[tablet.table_id for tablet in tablets])
    if names := ", ".join(bare.order_by("name").values_list("name", flat=True)):
        text = _("Open without a tablet: %(tables)s.") % {"tables": names}
        item = _item("tablets", title, text, is_ready=False)
        return item.mended(_("Enrol one there."), "devices", ENROL_DEVICE)
    named = {state: ", ".join(_places(tablets, page_stored=state)) for state in (False, None)}
    if named[False]:
        text = _("Not stored on the tablet of: %(tables)s.") % {"tables": named[False]}
        remedy = _("Load the page of the tablet again while it is connected.")
        item = _item("tablets", title, text, is_ready=False)
        return item.mended(remedy, "floor", VIEW_TABLE)
    if named[None]:
        text = _("Not known before somebody signs in: %(tables)s.") % {"tables": named[None]}
        item = _item("tablets", title, text, is_ready=None)
        return item.mended(_("Sign in on the tablet once."), "floor", VIEW_TABLE)
    return _item("tablets", title, _("Each tablet has its page stored."), is_ready=True)


def _places(tablets: Sequence[Device], *, page_stored: bool | None) -> list[str]:
    tables = [tablet.table for tablet in tablets if tablet.page_stored is page_stored]
    return [table.name for table in tables if table is not None]


def _seals(proof: Verdict) -> ReadyItem:
    title = _("Seals")
    remedy = _("Have the technician look whether the worker runs.")
    if proof.seal is None:
        item = _item("seals", title, _("Nothing is sealed yet."), is_ready=None)
        return item.mended(remedy, "readyz", VIEW_METRICS)
    age = timezone.now() - proof.seal.taken_at
    text = _("The last seal was taken at %(time)s.") % {"time": at(proof.seal.taken_at)}
    item = _item("seals", title, text, is_ready=age <= SEAL_AGE)
    if item.state == "ready":
        return item
    return item.mended(remedy, "readyz", VIEW_METRICS)


def _verified(proof: Verdict, house: House) -> ReadyItem:
    title = _("Verification")
    due = _("Have all verified before the doors open.")
    run = proof.run
    if run is None or run.ended_at is None:
        item = _item("verified", title, _("Not verified yet."), is_ready=None)
        return item.mended(due, "audit-verify", VIEW_AUDIT)
    failing = next((check for check in proof.checks if check.ok is False), None)
    if failing:
        item = _item("verified", title, failing.sentence(house), is_ready=False)
        remedy = _("Look at it with the auditor before the doors open.")
        return item.mended(remedy, "audit-verify", VIEW_AUDIT)
    text = _("Nothing was found; verified %(when)s.") % {"when": moment_text("at", run.ended_at)}
    item = _item("verified", title, text, is_ready=timezone.now() - run.ended_at <= VERIFY_AGE)
    if item.state == "ready":
        return item
    return item.mended(due, "audit-verify", VIEW_AUDIT)


def _clocks() -> ReadyItem:
    """The program's clock against the database's: how far apart they are at least, since the answer
    was on its way. One statement.
    """
    before = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [(server,)] = cursor.fetchall()
    apart = max(before - server, server - timezone.now(), timedelta())
    is_near = apart <= CLOCKS_APART
    text = (
        _("The clocks of program and database agree.")
        if is_near
        else _("The clocks of program and database are %(seconds)s s apart.")
        % {"seconds": round(apart.total_seconds())}
    )
    item = _item("clock", _("Clock"), text, is_ready=is_near)
    if is_near:
        return item
    remedy = _("Have the technician set both by the same time server.")
    return item.mended(remedy, "readyz", VIEW_METRICS)
