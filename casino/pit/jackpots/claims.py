"""The claims of a hit: on what each rests, and what people decide about it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.text import capfirst

from casino.people.pages.fields import Subject, Text
from casino.people.permissions import VERIFY
from casino.pit.jackpots.asked import Names
from casino.pit.jackpots.steps import JackpotStep, Reader, ReasonedStep
from casino.rulesets.signers import Signers
from casino.text import floor
from casino.text.vocabulary import CHECKLIST
from jackpot import services
from jackpot.models import Claim, Hit
from jackpot.rules.jackpot_rules import CHECKS
from jackpot.services.state import rules_of
from payouts.errors import mark
from payouts.rules.plain import Json
from tables.models import Round, RoundResult


class _ClaimStep(JackpotStep):
    about = "claim"
    claim = Subject(Http404)

    def prepare(self) -> Callable[[], Json]:
        """The claim is one of this jackpot. Raises Http404."""
        self.claimed = get_object_or_404(Claim, pk=self.values["claim"], hit__jackpot=self.row)
        return self.carry_out


class _Verify(_ClaimStep):
    """Note each check, and call the claim true."""

    step, command, done = "verify", "claim.verify", mark("Claim verified.")

    def offer(self) -> None:
        """A field for each check of the jackpot's rules."""
        for check in rules_of(self.row).checklist():
            self.fields[check] = Text(
                required=True,
                label=capfirst(floor.say(CHECKLIST, check)),
                help_text=floor.say(floor.CHECK_HINTS, check),
                widget=forms.TextInput(attrs={"maxlength": 200, "autocomplete": "off"}),
            )

    def carry_out(self) -> Json:
        noted = {check: self.data[check].strip() for check in CHECKS if check in self.data}
        return services.claim_verify(**self.ids, claim_id=self.claimed.pk, checklist=noted).state


class _Refuse(_ClaimStep, ReasonedStep):
    """Call the claim untrue."""

    step, command, done = "refuse", "claim.refuse", mark("Claim rejected.")

    def carry_out(self) -> Json:
        return services.claim_refuse(
            **self.ids, claim_id=self.claimed.pk, reason=self.values["reason"]
        ).state


class RejectHit(ReasonedStep):
    """Ask for the rejection of a hit of which no claim is true."""

    step, command = "reject-hit", "hit.reject_request"

    def body(self, words: dict[str, str]) -> Mapping[str, object]:
        """Once for each hit."""
        return words | {"hit": str(self.row.hit_id)}

    def prepare(self) -> Callable[[], Json]:
        """Raises Http404 where no hit runs."""
        if self.row.hit_id is None:
            raise Http404
        values = self.ids | {"hit_id": self.row.hit_id, "reason": self.values["reason"]}
        return lambda: str(services.hit_reject_request(**values).pk)


class ClaimHand(NamedTuple):
    """On what a claim rests: the cards of its box, those of the board, and what was noted about
    it."""

    box: int | None
    own: list[floor.DrawnCard]
    board: list[floor.DrawnCard]
    noted: list[tuple[str, str]]
    cause: str  # for which the jackpot itself decided


class ClaimSheet(NamedTuple):
    """A claim, and the forms by which the person decides about it. `bars`: which part in its round
    keeps them from it.
    """

    row: Claim
    hand: ClaimHand
    table: str
    round: int | None
    guest: str
    state: str
    origin: str
    bars: list[str]
    verify: JackpotStep | None
    refuse: JackpotStep | None
    signers: Signers | None


def hand_of(row: Claim, result: Mapping[str, Any]) -> ClaimHand:
    """By this result."""
    own, noted = result.get("boxes", {}).get(str(row.box), {}).get("cards"), row.checklist or {}
    return ClaimHand(
        row.box,
        floor.drawn_cards(own or ""),
        floor.drawn_cards(result.get("board") or ""),
        [(floor.say(CHECKLIST, check), noted[check]) for check in CHECKS if check in noted],
        (floor.say(floor.CLAIM_REASONS, row.reason) if row.reason in floor.CLAIM_REASONS else ""),
    )


def claim_sheet(
    reader: Reader, row: Claim, played_at: datetime, names: Names, bars: list[str], signers: Signers
) -> ClaimSheet:
    """A claim whose hand was played then, and what the person may do about it; the services decide
    again.
    """
    hit = reader.jackpot.hit
    at_work = hit is not None and hit.pk == row.hit_id and hit.state == Hit.State.VERIFYING
    is_open = (
        at_work
        and reader.person.has_perm(VERIFY)
        and row.state not in (Claim.State.CALLED, Claim.State.DROPPED)
    )
    may = is_open and not bars
    noted = {"camera_time": _clock(played_at)} | {
        check: text for check, text in (row.checklist or {}).items() if text
    }
    return ClaimSheet(
        row,
        hand_of(row, names.results.get(row.pk, {})),
        names.tables.get(row.table_id, ""),
        names.rounds.get(row.round_id),
        names.guests.get(row.guest_id, "") if row.guest_id else "",
        floor.say(Claim.State, row.state),
        floor.say(floor.CLAIM_ORIGINS, row.origin),
        bars if is_open else [],
        reader.form(_Verify, claim=row.pk, **noted) if may else None,
        reader.form(_Refuse, claim=row.pk) if may and row.state != Claim.State.REFUSED else None,
        signers if row.state == Claim.State.OPEN and at_work else None,
    )


def _clock(at: datetime) -> str:
    """A moment by the house's clock, as it is looked for on camera."""
    return timezone.localtime(at).strftime("%d.%m.%Y %H:%M:%S")


def played_at(claims: Sequence[Claim]) -> list[tuple[Claim, datetime]]:
    """Each claim with when its hand was played: when it came, if it did not come later by a
    correction.
    """
    late = {one.round_id for one in claims if one.origin == "corrected"}
    ended = dict(Round.objects.filter(pk__in=late).values_list("pk", "ended_at"))
    return [(one, ended.get(one.round_id) or one.made_at) for one in claims]


def results_of(claims: Iterable[Claim]) -> dict[UUID, Mapping[str, Any]]:
    """By claim how its round ended: by the result on which it was decided, by the newest one while
    it is open.
    """
    rows = list(claims)
    results = RoundResult.objects.filter(round__in={one.round_id for one in rows}).order_by(
        "revision"
    )
    entered: dict[UUID, list[RoundResult]] = {}
    for result in results:
        entered.setdefault(result.round_id, []).append(result)
    found: dict[UUID, Mapping[str, Any]] = {}
    for one in rows:
        until = one.decided_at if one.state in (Claim.State.VERIFIED, Claim.State.REFUSED) else None
        for result in entered.get(one.round_id, ()):
            if until is None or result.at <= until:
                found[one.pk] = result.result
    return found


STEPS = (_Verify, _Refuse, RejectHit)
