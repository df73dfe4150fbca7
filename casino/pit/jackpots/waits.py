"""What a jackpot waits for, in sentences."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.pit.corrections import waiting_notice
from casino.pit.jackpots.asked import Payout, Request
from casino.pit.jackpots.claims import ClaimSheet
from casino.pit.jackpots.displays import GateSheet, TableDisplay
from casino.pit.jackpots.prizes import LeftPrize
from casino.pit.jackpots.steps import JackpotStep
from casino.rulesets.signers import Signers
from casino.text import floor
from jackpot.models import Claim, Hit, Jackpot, ListedRound, RunningRound
from jackpot.models.states import UNDECIDED, Phase
from jackpot.selectors.jackpots import meter_read
from jackpot.services import UNCLARIFIED
from jackpot.services.gate import ADD, LIST_OPEN
from jackpot.services.split import AWARD
from jackpot.services.state import phase_of
from payouts.models import Approval, Event
from payouts.selectors import requests_in_order
from tables.models import Round


class RoundAtHit(NamedTuple):
    """A round that ran when the hit began, with what it owes."""

    listed: ListedRound
    ran: RunningRound | None
    table: str
    number: int | None
    state: str
    word: str
    row: Round | None = None
    claims: bool = False
    dropped: bool = False  # it claimed the meter, and does not by its newest result
    owed_minor: int = 0
    waiting_minor: int = 0

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self.ran is not None and self.ran.ended_at is None


def round_at_hit(
    listed: ListedRound, ran: RunningRound | None, tables: Mapping[UUID, str], number: int | None
) -> RoundAtHit:
    """A round that is listed at a hit, and what became of it."""
    state = (
        Round.State.SETTLED if ran is None else ran.ended_as if ran.ended_at else Round.State.LOCKED
    )
    return RoundAtHit(
        listed,
        ran,
        tables.get(listed.table_id, ""),
        number,
        state,
        floor.say(Round.State, state),
    )


class Progress(NamedTuple):
    """How far the hit is, the last one too, and what only those see who follow it. `split`: while
    no payment is asked for.
    """

    hit: Hit | None
    rounds: list[RoundAtHit]
    claims: list[ClaimSheet]
    asked: list[Request]
    split: Payout | None
    gate: GateSheet | None
    displays: list[TableDisplay]
    enrolled: bool
    add: JackpotStep | None
    left: list[LeftPrize]
    shortage: Signers | None
    offers: dict[str, JackpotStep]
    corrections: list[tuple[Round, bool]]
    reject: JackpotStep | None
    unclear: str


def waits(jackpot: Jackpot, progress: Progress) -> list[str]:
    """Each thing that is missing, in a sentence; empty while nothing is."""
    phase = jackpot.kept_phase or jackpot.phase
    found: list[str] = []
    if phase == Phase.DRAINING:
        running = [one.table for one in progress.rounds if one.running]
        text = _(
            "Rounds that still run: %(tables)s. Where nobody deals, settle or void the round at its"
            " table's page."
        )
        found.append(text % {"tables": ", ".join(running)} if running else "")
    elif phase == Phase.VERIFYING:
        found += _waits_for_people(jackpot, progress)
    return [one for one in (*found, *_waits_for_displays(jackpot, progress)) if one]


def _waits_for_people(jackpot: Jackpot, progress: Progress) -> list[str]:
    found = []
    states = [one.row.state for one in progress.claims]
    about_hit = [one for one in progress.asked if one.row.subject_kind == "hit"]
    open_ = sum(1 for one in states if one in UNDECIDED)
    if open_:
        text = ngettext(
            "%(count)s claim is to be looked at.", "%(count)s claims are to be looked at.", open_
        )
        found.append(text % {"count": open_})
    elif Claim.State.VERIFIED not in states:
        found += [] if progress.corrections else [_(floor.UNTRUE)]
    elif not about_hit:
        found += _waits_for_a_change(jackpot)
    found += [progress.unclear] if progress.unclear else []
    found += [
        waiting_notice(one.pk, one.table.name, one.number, claims=claims)
        for one, claims in progress.corrections
    ]
    return found + [one.progress for one in about_hit]


def unclear(rounds: Sequence[UUID]) -> str:
    """Of how many listed rounds it is open how they ended, which keeps the last signature back;
    empty where of none.
    """
    count = sum(counted(rounds) for counted in UNCLARIFIED)
    text = ngettext(
        "Of %(count)s round it is not clear yet how it ended: an entry to be clarified, or a"
        " correction to be signed.",
        "Of %(count)s rounds it is not clear yet how they ended: entries to be clarified, or"
        " corrections to be signed.",
        count,
    )
    return text % {"count": count} if count else ""


def _waits_for_a_change(jackpot: Jackpot) -> list[str]:
    """Claims are decided and nothing is asked for: the meter cannot be split, or people said no.
    Then it is their move again.
    """
    below = meter_read(jackpot_id=jackpot.pk).sum_minor
    if below < 0:
        return [
            floor.below_zero(-below, jackpot.house),
            _(
                "Have a wrong prize corrected at its round, or the meter adjusted: then the payment"
                " is asked for by itself."
            ),
        ]
    turned = Event.objects.filter(
        name="approval.rejected", subject_kind="approval", subject_id=_rejected(jackpot.hit)
    )
    found = turned.select_related("actor").order_by("-pk").first()
    if found is None:
        return []
    return [
        floor.turned_down(found.actor.full_name if found.actor else "", found.reason),
        _(
            "Look at a claim again, or have its round corrected: then the payment is asked for by"
            " itself."
        ),
    ]


def _rejected(hit: Hit | None) -> str:
    """The newest request for the payment of a hit, if people turned it down."""
    rows = Approval.objects.filter(
        action=AWARD, subject_kind="hit", subject_id=str(hit.pk if hit else "")
    )
    newest = requests_in_order(rows).last()
    return str(newest.pk) if newest is not None and newest.state == Approval.State.REJECTED else ""


def _waits_for_displays(jackpot: Jackpot, progress: Progress) -> list[str]:
    """What is missing about its displays, each thing with who does it."""
    if not progress.displays:
        return [] if jackpot.phase == Phase.RETIRED else _none_named(jackpot, progress)
    gate = progress.gate if phase_of(jackpot) == Phase.SHOWING else None
    if gate is None or not gate.waiting:
        return []
    text = _(
        "Displays that do not show the new value yet: %(names)s. One that stays dark is taken out,"
        " by two people."
    )
    found = [text % {"names": ", ".join(one.name for one in gate.waiting)}]
    if len(progress.displays) == 1:
        found.append(
            _(
                "It is the only one. If it stays dark: enrol another, ask to add it, then take this"
                " one out."
            )
        )
    return found


def _none_named(jackpot: Jackpot, progress: Progress) -> list[str]:
    asked = [one.progress for one in progress.asked if one.row.action == ADD]
    if asked:
        return asked
    if phase_of(jackpot) in LIST_OPEN:
        found = [_("No coins are taken: a technician names the displays that the tables wait for.")]
    else:
        found = [
            _(
                "No display is named that could show the value: ask for one to be added; another"
                " person signs."
            )
        ]
    if not progress.enrolled:
        found.append(
            _("No display is enrolled: make a code under Devices, and type it on the screen.")
        )
    return found
