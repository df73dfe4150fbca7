"""A jackpot as the floor's page shows it: phase, what its hit waits for, claims, the split,
signatures, displays, slips.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from casino.people.models import Person
from casino.people.pages.page import house_filter
from casino.people.pages.steps import Step
from casino.people.permissions import VERIFY, VIEW_HIT
from casino.pit.corrections import waiting_for
from casino.pit.jackpots.asked import (
    REST,
    BoxLine,
    Names,
    Payout,
    asked,
    ids_in,
    parts_of,
    requests_of,
    rest,
)
from casino.pit.jackpots.change import changes_of
from casino.pit.jackpots.claims import RejectHit, claim_sheet, played_at, results_of
from casino.pit.jackpots.displays import adding, displays_spare, gate_sheet, table_displays
from casino.pit.jackpots.evidence import evidence_of
from casino.pit.jackpots.prizes import left_of
from casino.pit.jackpots.standing import SlipRow, cancel_of, offers, slip_row
from casino.pit.jackpots.steps import Reader
from casino.pit.jackpots.waits import Progress, RoundAtHit, round_at_hit, unclear, waits
from casino.records.labels import hit_state
from casino.rulesets.signers import (
    lookers_of,
    part_of,
    part_of_claim,
    people_of,
    shortage,
    signers_of,
    taken_in,
)
from casino.text import floor
from casino.text.wording import guest_name
from jackpot.models import (
    Award,
    Claim,
    Hit,
    Jackpot,
    ListedRound,
    RequiredDisplay,
    RunningRound,
    Slip,
)
from jackpot.models.states import LIVE, Phase
from jackpot.selectors.jackpots import MeterReading, meter_read, meters_read
from jackpot.services.gate import ADD
from jackpot.services.split import AWARD, split_newest
from payouts.models import Approval
from payouts.services import whole_payload
from tables.models import Guest, Round, Table

SLIPS = 12  # newest ones on the page, besides those that are to be paid


class Details(NamedTuple):
    """Everything on the page of a jackpot. Who pays slips alone sees no more than the first seven:
    `progress` is None then. `forms`: those on the page; `waits`: what is missing.
    """

    jackpot: Jackpot
    phase: str
    meter: MeterReading
    now: datetime
    slips: list[SlipRow]
    requests: list[Approval]
    progress: Progress | None
    forms: set[str]
    own_slips: Sequence[SlipRow] = ()
    other_slips: Sequence[SlipRow] = ()
    hit_state: str = ""
    waits: Sequence[str] = ()


def slips_of(slips: Sequence[SlipRow], hit: Hit | None) -> list[SlipRow]:
    """Those of a hit."""
    return [one for one in slips if hit and one.award.hit_id == hit.pk]


def jackpots_of(person: Person) -> QuerySet[Jackpot]:
    """The jackpots that the person reaches, with what their pages show."""
    rows = Jackpot.objects.select_related("house", "epoch__funding", "epoch__rules", "hit", "gate")
    return rows.filter(**house_filter(person)).exclude(epoch=None)


def listed(jackpots: Sequence[Jackpot]) -> list[tuple[Jackpot, str, MeterReading]]:
    """Several jackpots, each with its phase in words and its meter."""
    meters = meters_read(jackpots)
    return [(one, phase_label(one), meters[one.pk]) for one in jackpots]


def details(reader: Reader) -> Details:
    """A fixed number of statements."""
    jackpot = reader.jackpot
    meter, now = meter_read(jackpot_id=jackpot.pk), timezone.now()
    hit = jackpot.hit or Hit.objects.filter(jackpot=jackpot).order_by("-number").first()
    claims = list(
        Claim.objects.filter(hit=hit).select_related("made_by", "decided_by").order_by("number")
    )
    rounds = list(ListedRound.objects.filter(hit=hit).order_by("id"))
    awards = _awards(jackpot)
    requests = requests_of(jackpot)
    names = _names(jackpot, claims, rounds, awards, requests)
    slips = [
        slip_row(one, names.tables, names.guests, cancel_of(reader, one, requests))
        for one in awards
    ]
    slip_desk = (jackpot, phase_label(jackpot), meter, now, slips, requests)
    if not reader.person.has_perm(VIEW_HIT):
        return Details(*slip_desk, None, set())
    progress = _progress(reader, (hit, claims, rounds, requests), names, meter)
    own = slips_of(slips, hit)
    to_pay = sum(1 for one in own if one.award.slip.state == Slip.State.OPEN)
    return Details(
        *slip_desk,
        progress,
        {form.at for form in _forms(progress, slips) if form},
        own,
        [one for one in slips if one not in own],
        hit_state(hit.state, to_pay) if hit else "",
        waits(jackpot, progress),
    )


def _forms(progress: Progress, slips: Sequence[SlipRow]) -> list[Step[Jackpot] | None]:
    """The forms that are on the page."""
    return [
        *(form for one in progress.claims for form in (one.verify, one.refuse)),
        *(form for one in progress.asked for form in (one.sign, one.turn_down)),
        *(
            one.out
            for one in (*(progress.gate.displays if progress.gate else ()), *progress.displays)
        ),
        *progress.offers.values(),
        *(one.ask for one in progress.left),
        *(one.cancel for one in slips),
        progress.add,
        progress.reject,
    ]


def _progress(
    reader: Reader,
    rows: tuple[Hit | None, list[Claim], list[ListedRound], list[Approval]],
    names: Names,
    meter: MeterReading,
) -> Progress:
    (hit, claims, rounds, requests), jackpot, person = rows, reader.jackpot, reader.person
    evidence, changes = (
        evidence_of(requests, jackpot.house),
        changes_of(requests, jackpot, meter, names.tables),
    )
    taken, people = taken_in(requests, {one.round_id for one in claims}), people_of(jackpot.house)
    can_sign, can_look = signers_of(requests, taken, people), lookers_of(claims, taken, people)
    # not asked for twice
    coming = [one.payload["display"] for one in requests if one.action == ADD]
    spare = list(displays_spare(jackpot).exclude(pk__in=coming))
    gate = gate_sheet(reader, hit)
    at_hand = hit is not None and hit.state == Hit.State.VERIFYING
    corrections = waiting_for([one.round_id for one in rounds]) if at_hand else []
    actions = {one.action for one in requests}
    may_reject = (
        at_hand
        and jackpot.hit is not None
        and person.has_perm(VERIFY)
        and "jackpot.reject" not in actions
    )
    may_reject = may_reject and not corrections and not any(one.state in LIVE for one in claims)
    is_verifying = (jackpot.kept_phase or jackpot.phase) == Phase.VERIFYING
    return Progress(
        hit,
        _at_hit(rounds, names),
        [
            claim_sheet(reader, one, at, names, part_of_claim(person, one, taken), can_look[one.pk])
            for one, at in played_at(claims)
        ],
        [
            asked(
                reader,
                one,
                names,
                (evidence.get(one.pk), changes.get(one.pk, [])),
                can_sign[one.pk],
                own,
            )
            for one in requests
            for own in [part_of(person, one, taken)]
        ],
        _split(hit, names) if hit and AWARD not in actions else None,
        gate,
        table_displays(reader, gate, requests),
        bool(spare),
        adding(reader, spare),
        left_of(reader, names.tables),
        shortage(jackpot.house, can_sign.values()),
        offers(reader, requests),
        corrections,
        reader.form(RejectHit) if may_reject else None,
        unclear([one.round_id for one in rounds]) if is_verifying else "",
    )


def _at_hit(rounds: list[ListedRound], names: Names) -> list[RoundAtHit]:
    ran = RunningRound.objects.in_bulk([one.round_id for one in rounds])
    found = [
        round_at_hit(one, ran.get(one.round_id), names.tables, names.rounds.get(one.round_id))
        for one in rounds
    ]
    return sorted(found, key=lambda one: one.table)


def phase_label(jackpot: Jackpot) -> str:
    """The phase; of a suspended jackpot also the one that goes on inside."""
    words = floor.say(Phase, jackpot.phase)
    kept = jackpot.kept_phase
    return f"{words} · {floor.say(Phase, kept)}" if kept and kept != Phase.OPEN else words


def _names(
    jackpot: Jackpot,
    claims: Iterable[Claim],
    rounds: Iterable[ListedRound],
    awards: Iterable[Award],
    requests: Iterable[Approval],
) -> Names:
    of_guests: list[Claim | Award] = [*claims, *awards]
    signed = [part for one in requests for part in parts_of(whole_payload(one))]
    ids = (
        {one.round_id for one in of_guests}
        | {one.round_id for one in rounds}
        | ids_in(signed, "round")
    )
    seated = {one.guest_id for one in of_guests if one.guest_id} | ids_in(signed, "guest")
    guests = Guest.objects.filter(pk__in=seated)
    return Names(
        dict(Table.objects.filter(house_id=jackpot.house_id).values_list("pk", "name")),
        dict(Round.objects.filter(pk__in=ids).values_list("pk", "number")),
        {pk: guest_name(number) for pk, number in guests.values_list("pk", "number")},
        dict(
            RequiredDisplay.objects.filter(jackpot=jackpot)
            .order_by("added_at")
            .values_list("display_id", "name")
        ),
        results_of(claims),
        {one.decided_by.pk: one.decided_by.full_name for one in claims if one.decided_by},
        dict(Hit.objects.filter(pk__in=ids_in(signed, "hit")).values_list("pk", "number")),
    )


def _split(hit: Hit, names: Names) -> Payout | None:
    """The newest revision of how the hit's meter is, or was, split."""
    split = split_newest(hit)
    if split is None:
        return None
    claims = [
        (one, one.claim) for one in split.shares.select_related("claim").order_by("claim__number")
    ]
    shares = [
        BoxLine(
            claim.number, names.tables.get(claim.table_id, ""), "", claim.box, "", share.share_minor
        )
        for share, claim in claims
    ]
    amounts = {name: getattr(split, f"{name}_minor") for name in REST}
    return Payout(split.sum_minor, split.won_minor, shares, rest(amounts), split.revision)


def _awards(jackpot: Jackpot) -> list[Award]:
    rows = Award.objects.filter(jackpot=jackpot).select_related("slip__paid_by", "hit")
    to_pay = list(rows.filter(slip__state=Slip.State.OPEN).order_by("slip__number"))
    others = list(rows.exclude(slip__state=Slip.State.OPEN).order_by("-slip__number")[:SLIPS])
    # none moves when it, or another, is paid
    return sorted(to_pay + others, key=lambda one: one.slip.number)
