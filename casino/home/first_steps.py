"""What a new house does before its first round: each step with its state, who does it, and why some
of them take two people.

Read anew each time from what is there: nobody ticks anything off. A house has gone through once it
has settled a round or a hand has ended.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.devices.models import TABLET, Device
from casino.people.authenticators import Authenticator
from casino.people.context import HouseClock
from casino.people.models import Person
from casino.people.permissions import (
    ADD_PERSON,
    DRAFT_POSTED_TABLE,
    ENROL_DEVICE,
    SET_UP,
    USE_TABLET,
    VIEW_CHIPS,
    VIEW_POSTED_TABLE,
    VIEW_TABLE,
)
from casino.people.roles import label
from casino.rulesets import starter
from casino.rulesets.show import in_force
from casino.rulesets.signers import shortage
from casino.text.floor import colon
from casino.text.formats import format_money
from jackpot.models import DisplaySession, Jackpot, Phase, RequiredDisplay
from payouts.models import (
    Account,
    ApprovalRule,
    House,
    Inventory,
    PostedState,
    PostedTable,
)
from payouts.rules.rulesets.cage import CageRules
from payouts.rules.rulesets.chips import ChipSet
from payouts.rules.rulesets.kinds import ACTION
from tables.models import Pit, Play, Table
from tables.models.plays import COUNTED

# roles without which an evening stands still
NEEDED = ("manager", "technician", "pit_boss", "croupier", "cage")
BY_PIN = "croupier"


class Way(NamedTuple):
    """Where something is done, and the permission that opens it."""

    words: str
    href: str
    needs: str


class Step(NamedTuple):
    """One step. `who`: the roles that do it; `lines`: what is there and what is missing; `why`: why
    it takes two people.
    """

    code: str
    title: str
    who: tuple[str, ...]
    done: bool
    lines: Sequence[str]
    why: str = ""
    ways: Sequence[Way] = ()


class Progress(NamedTuple):
    """All steps in their order, and how many of them are done."""

    steps: list[Step]
    done: int


def begun(house: House) -> bool:
    """Whether the house has settled a round or hand: then it has gone through its first steps. One
    statement.
    """
    return Play.objects.filter(house_id=house.pk, state__in=COUNTED).exists()


def progress(here: HouseClock, rows: Sequence[PostedTable]) -> Progress:
    """How far the house is; `rows` are `starter.starter_rows`. A fixed number of statements."""
    house = here.house
    steps = [
        _house(here),
        _people(house),
        _rules(house, rows),
        _hours(rows),
        *_floor(house),
        _cash(house),
        *_inventory(house),
        _round(house),
    ]
    return Progress(steps, sum(one.done for one in steps))


def _house(here: HouseClock) -> Step:
    house = here.house
    lines = [
        (
            f"{house.name} · {house.currency} ·"
            f" {format_money(128450, house.currency, house.locale)} · {house.time_zone}"
        ),
        _("The gaming day changes at %(time)s. All this stays as it was given.")
        % {"time": f"{house.gaming_day_change:%H:%M}"},
    ]
    return Step("house", _("House"), (), done=True, lines=lines)


def _people(house: House) -> Step:
    code = Exists(Authenticator.objects.filter(user=OuterRef("pk"), confirmed=True))
    there = list(
        Person.objects.filter(house=house, is_active=True)
        .annotate(has_code=code)
        .order_by("full_name")
    )
    held = {role: [one for one in there if role in one.roles] for role in NEEDED}
    missing = [role for role, people in held.items() if not people]
    lines = [
        colon(label(role), ", ".join(one.full_name for one in people))
        for role, people in held.items()
        if people
    ]
    if missing:
        lines.append(colon(_("Still missing"), ", ".join(label(role) for role in missing)))
    if new := [one.full_name for one in there if not one.has_code]:
        lines.append(colon(_("Have not signed in yet"), ", ".join(new)))
    if bare := [one.full_name for one in held[BY_PIN] if not one.pin]:
        lines.append(colon(_("Have no PIN for the tablet yet"), ", ".join(bare)))
    short = shortage(house)
    lines += short.sentences()[:1] if short else []
    done = not (missing or short) and any(one.pin for one in held[BY_PIN])
    why = _(
        "Three people at least: two sign what the third has drafted, and two who did not deal sign"
        " what a jackpot pays. One person may have several roles. Once a house has two managers,"
        " one of them signs before somebody new may sign: so make the technician and the pit boss"
        " before the second manager."
    )
    ways = [
        Way(_("Add a person"), reverse("admin:casino_person_add"), ADD_PERSON),
        Way(_("People"), reverse("admin:casino_person_changelist"), ADD_PERSON),
        Way(_("Set PIN"), reverse("own-pin"), USE_TABLET),
    ]
    return Step("people", _("People"), ("manager",), done, lines, why, ways)


def _rules(house: House, rows: Sequence[PostedTable]) -> Step:
    kinds = starter.starter_kinds(house)
    counting = [
        code
        for code in kinds
        if in_force([row for row in rows if (row.kind, row.state) == (code, PostedState.APPROVED)])
    ]
    line = ApprovalRule.objects.filter(house=house, action=ACTION).latest("version")
    roles = ", ".join(label(role) for role in line.roles)
    why = ngettext(
        "%(count)s other looks at what guests are paid by: who drafted or changed it does not sign."
        " May sign: %(roles)s.",
        "%(count)s others look at what guests are paid by: who drafted or changed it does not sign."
        " May sign: %(roles)s.",
        line.signers,
    )
    told = _(
        "%(there)s of %(all)s count: limits, paytables, jackpot, how rounds are entered, opening"
        " hours."
    )
    return Step(
        "rules",
        _("Rule sets"),
        ("technician", *(role for role in line.roles if role != "technician")),
        len(counting) == len(kinds),
        [told % {"there": len(counting), "all": len(kinds)}],
        why % {"count": line.signers, "roles": roles},
        [Way(_("Posted tables"), reverse("posted-tables"), VIEW_POSTED_TABLE)],
    )


def _hours(rows: Sequence[PostedTable]) -> Step:
    calendars = [row for row in rows if row.kind == "calendar"]
    counts = in_force([row for row in calendars if row.state == PostedState.APPROVED])
    drafts = [row for row in calendars if row.state == PostedState.DRAFT]
    lines = [
        _(
            "No table opens outside them. Change them while they are a draft; afterwards a new"
            " version is signed."
        )
    ]
    ways = [
        Way(_("Change the draft"), reverse("posted-edit", args=[row.pk]), DRAFT_POSTED_TABLE)
        for row in drafts
    ]
    ways += (
        [Way(_("Look at them"), reverse("posted-table", args=[counts.pk]), VIEW_POSTED_TABLE)]
        if counts
        else []
    )
    return Step("hours", _("Opening hours"), ("technician",), counts is not None, lines, ways=ways)


def _floor(house: House) -> list[Step]:
    pits = Pit.objects.filter(house=house).count()
    tables = list(Table.objects.filter(house=house, retired=False).values_list("pk", "jackpot_id"))
    shown = RequiredDisplay.objects.filter(jackpot=OuterRef("pk"), ended_at=None)
    jackpots = list(
        Jackpot.objects.filter(house=house)
        .exclude(phase=Phase.RETIRED)
        .annotate(shown=Exists(shown))
    )
    linked = len([1 for _pk, jackpot_id in tables if jackpot_id])
    there = _("Pits %(pits)s, tables %(tables)s, jackpots %(jackpots)s, linked tables %(linked)s.")
    figures = {"pits": pits, "tables": len(tables), "jackpots": len(jackpots), "linked": linked}
    dark = any(not one.shown for one in jackpots)
    begun = DisplaySession.objects.filter(display_id=OuterRef("display_id"))
    never = list(
        RequiredDisplay.objects.filter(~Exists(begun), jackpot__in=jackpots, ended_at=None)
        .order_by("jackpot__name", "name")
        .values_list("name", flat=True)
    )
    return [
        Step(
            "tables",
            _("Tables and jackpot"),
            ("technician",),
            bool(tables) and (bool(linked) or not jackpots),
            [
                there % figures,
                _("In this order: the pit, the jackpot, the table, and the link between the two."),
            ],
            ways=[Way(_("Set up the floor"), reverse("floor-set-up"), SET_UP)],
        ),
        Step(
            "displays",
            _("Displays"),
            ("technician",),
            bool(tables) and not dark and not never,
            [
                _display_gaps(jackpots, never),
                _(
                    "Make a code, type it on the screen at %(address)s, then have the tables wait"
                    " for the display."
                )
                % {"address": reverse("display")},
            ],
            ways=[Way(_("Devices"), reverse("devices"), ENROL_DEVICE)],
        ),
        _tablets(house),
    ]


def _tablets(house: House) -> Step:
    tablets = Device.objects.filter(table__house=house, kind=TABLET, revoked_at=None).count()
    return Step(
        "tablets",
        _("Tablets"),
        ("pit_boss", "technician", "manager"),
        bool(tablets),
        [
            ngettext("%(count)s tablet is enrolled.", "%(count)s tablets are enrolled.", tablets)
            % {"count": tablets},
            _("Make a code for the table, and type it on the tablet at %(address)s.")
            % {"address": reverse("tablet")},
        ],
        ways=[Way(_("Devices"), reverse("devices"), ENROL_DEVICE)],
    )


def _display_gaps(jackpots: Sequence[Any], never: Sequence[str]) -> str:
    """Which of them have no display that their tables wait for, and which displays have never shown
    anything.
    """
    if not jackpots:
        return _("A jackpot needs one; without a jackpot none is needed.")
    dark = [one.name for one in jackpots if not one.shown]
    if dark:
        return colon(_("No display, and so no coins"), ", ".join(dark))
    if never:
        return colon(_("Required, and never started"), ", ".join(never))
    return _("Each jackpot has a display that its tables wait for.")


def _cash(house: House) -> Step:
    held = Account.objects.filter(
        house=house, kind__in=("cage_cash", "cage_chips", "tray")
    ).values_list("kind", "balance_minor")
    sums = dict.fromkeys(("cage_cash", "cage_chips", "tray"), 0)
    for kind, balance in held:
        sums[kind] += balance
    names = {
        "cage_cash": _("Cash in the cage"),
        "cage_chips": _("Chips in the cage"),
        "tray": _("Chips in the trays"),
    }
    lines = [
        colon(names[kind], format_money(minor, house.currency, house.locale))
        for kind, minor in sums.items()
    ]
    lines.append(_("Without cash in the cage no slip of a jackpot can be paid."))
    return Step("cash", _("Cash and chips"), ("manager",), sums["cage_cash"] > 0, lines)


def _inventory(house: House) -> list[Step]:
    """Where a chip set is posted: without one its chips are not counted by the piece."""
    done = Inventory.objects.filter(pk=house.pk).exists()
    posted = PostedTable.objects.filter(
        house=house, kind=ChipSet.KIND, state=PostedState.APPROVED
    ).exists()
    if not (done or posted):
        return []
    lines = [
        _(
            "All cash and all chips are counted at one moment, with every table closed. From then"
            " on the tables are counted, and results stand beside what the rounds say."
        )
    ]
    why = _(
        "Whoever enters what was counted could enter too much: two others were there, and sign."
    )
    ways = [Way(_("First inventory"), reverse("cage-inventory"), VIEW_CHIPS)]
    who = ("manager", "auditor")
    return [
        Step(
            code="inventory",
            title=_("First inventory"),
            who=who,
            done=done,
            lines=lines,
            why=why,
            ways=ways,
        )
    ]


def _round(house: House) -> Step:
    tables = Table.objects.filter(house=house, retired=False)
    opener = _(
        "A table that is counted opens on its opener alone: its croupier counts the tray on the"
        " tablet, and the pit boss or a manager signs there. Before it closes they count again."
    )
    lines = [
        *([opener] if tables.filter(posted__has_key=CageRules.KIND).exists() else []),
        _(
            "The pit boss opens the table. Its croupier signs in on the tablet with name and PIN,"
            " seats a guest, and locks; at a poker table guests buy in, and a hand ends."
        ),
        _(
            "From the first lock on, who was made or changed by another signs and pays nothing for"
            " 24 hours: so make your people a day before the first evening."
        ),
    ]
    who, ways = ("pit_boss", "croupier"), [Way(_("Floor"), reverse("floor"), VIEW_TABLE)]
    return Step("round", _("The first round"), who, begun(house), lines, ways=ways)
