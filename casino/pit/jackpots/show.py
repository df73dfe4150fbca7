"""A jackpot as the floor's page shows it: phase, what its hit waits for, claims, the split, signatures, displays, slips."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from casino.people.models import Person
from casino.people.permissions import PAY_SLIPS, RUN_FLOOR, VERIFY, VIEW_HIT
from casino.pit.corrections import waiting_for
from casino.pit.jackpots.asked import AWARD, REST, Names, asked, evidence_of, ids_in, parts_of, rest
from casino.pit.jackpots.change import changes_of
from casino.pit.jackpots.displays import adding, displays_shown, displays_spare, gate_shown
from casino.pit.jackpots.prizes import forms_left, left_of
from casino.pit.jackpots.standing import cancel_of, forms_of, offers
from casino.pit.jackpots.waits import unclear, waits
from casino.pit.signers import lookers_of, part_of, part_of_claim, people_of, shortage, signers_of, taken_in
from casino.records.words import hit_state
from casino.text import floor as floor_words
from casino.text.refusal_words import CHECKLIST
from casino.text.wording import guest_name
from jackpot.models import (
    Award,
    Claim,
    Gate,
    GateDisplay,
    Hit,
    Jackpot,
    ListedRound,
    RequiredDisplay,
    RunningRound,
    Slip,
    WaitingPrize,
)
from jackpot.models.states import LIVE, Phase, PrizeState
from jackpot.rules.jackpot_rules import CHECKS
from jackpot.selectors.jackpots import MeterReading, meter_read, meters_read
from jackpot.services.approved import ACTIONS as SIGNED_HERE
from jackpot.services.gate import ADD
from jackpot.services.split import split_newest
from jackpot.services.state import rules_of
from payouts.models import Approval
from payouts.models.approval import WAITING
from payouts.services import whole_payload
from tables.models import Guest, Round, RoundResult, Table

SLIPS = 12  # newest ones on the page, besides those that are to be paid


def listed(jackpots: Sequence[Jackpot]) -> list[tuple[Jackpot, str, MeterReading]]:
    """Several jackpots, each with its phase in words and its meter."""
    meters = meters_read(jackpots)
    return [(one, phase_words(one), meters[one.pk]) for one in jackpots]


def details(jackpot: Jackpot, person: Person) -> dict[str, Any]:
    """Everything on the page of a jackpot; a fixed number of statements. Who pays slips alone sees no more than these."""
    context: dict[str, Any] = {
        "jackpot": jackpot,
        "phase": phase_words(jackpot),
        "meter": meter_read(jackpot_id=jackpot.pk),
        "now": timezone.now(),
        "whole": person.has_perm(VIEW_HIT),
        "may": {
            "verify": person.has_perm(VERIFY),
            "run": person.has_perm(RUN_FLOOR),
            "pay": person.has_perm(PAY_SLIPS),
        },
    }
    hit = jackpot.hit or Hit.objects.filter(jackpot=jackpot).order_by("-number").first()
    claims = list(Claim.objects.filter(hit=hit).select_related("made_by", "decided_by").order_by("number"))
    rounds = list(ListedRound.objects.filter(hit=hit).order_by("id"))
    awards = _awards(jackpot)
    requests = asked_of(jackpot)
    names = _names(jackpot, claims, rounds, awards, requests)
    context["slips"] = [_slip(one, names) | cancel_of(one, person, requests) for one in awards]
    forms: set[str] = set()
    if context["whole"]:
        own = [one for one in context["slips"] if hit and one["award"].hit_id == hit.pk]
        to_pay = sum(1 for one in own if one["award"].slip.state == Slip.State.OPEN)
        context["hit_state"] = hit_state(hit.state, to_pay) if hit else ""
        context |= {"own_slips": own, "other_slips": [one for one in context["slips"] if one not in own]}
        told = _told(jackpot, person, (hit, claims, rounds, requests), names, context["meter"])
        context |= told
        forms |= _forms(told) | {one["cancel"] for one in context["slips"] if one["hows"]}
    return context | {"forms": forms}


def _told(
    jackpot: Jackpot,
    person: Person,
    rows: tuple[Hit | None, list[Claim], list[ListedRound], list[Approval]],
    names: Names,
    meter: MeterReading,
) -> dict[str, Any]:
    """What only those see who follow the hit: rounds, claims, signatures, split, displays, and what is missing."""
    hit, claims, rounds, requests = rows
    may_verify = person.has_perm(VERIFY)
    evidence = evidence_of(requests, jackpot.house)
    changes = changes_of(requests, jackpot, meter, names.tables)
    taken, people = taken_in(requests, {one.round_id for one in claims}), people_of(jackpot.house)
    can_sign, can_look = signers_of(requests, taken, people), lookers_of(claims, taken, people)
    waiting = [
        asked(one, names, jackpot, person, evidence, part_of(person, one, taken))
        | {"changes": changes.get(one.pk, []), "signers": can_sign[one.pk]}
        for one in requests
    ]
    coming = [one.payload["display"] for one in requests if one.action == ADD]  # not asked for twice
    spare = list(displays_spare(jackpot).exclude(pk__in=coming))
    gate = gate_shown(jackpot, hit, spare)
    at_hand = hit is not None and hit.state == Hit.State.VERIFYING
    told: dict[str, Any] = {
        "hit": hit,
        "running": jackpot.hit is not None,
        "rounds": sorted((_round(one, names) for one in _ran(rounds)), key=lambda one: one["table"]),
        "claims": [
            _claim(one, at, names, jackpot, person, part_of_claim(person, one, taken))
            | {"signers": can_look[one.pk] if one.state == Claim.State.OPEN and at_hand else None}
            for one, at in played_at(claims)
        ],
        "asked": waiting,
        "split": _split(hit, names) if hit and not any(one["row"].action == AWARD for one in waiting) else None,
        "gate": gate,
        "displays": displays_shown(jackpot, gate, requests, may_verify=may_verify),
        "spare": [] if gate and gate["row"].state == Gate.State.OPEN else spare,
        "enrolled": bool(spare),
        "adding": adding(jackpot, person),
        "left": left_of(jackpot, person, names.tables),
        "shortage": shortage(jackpot.house, can_sign.values()),
        "offers": offers(jackpot, person, requests),
        "corrections": waiting_for([one.round_id for one in rounds]) if at_hand else [],
    }
    told["may_reject"] = (
        may_verify
        and jackpot.hit is not None
        and jackpot.hit.state == Hit.State.VERIFYING
        and not told["corrections"]
        and not any(one.state in LIVE for one in claims)
        and not any(one["row"].action == "jackpot.reject" for one in waiting)
    )
    told["unclear"] = unclear(told["rounds"]) if (jackpot.kept_phase or jackpot.phase) == Phase.VERIFYING else ""
    told["waits"] = waits(jackpot, told)
    return told


def phase_words(jackpot: Jackpot) -> str:
    """The phase; of a suspended jackpot also the one that goes on inside."""
    words = floor_words.say(Phase, jackpot.phase)
    kept = jackpot.kept_phase
    return f"{words} · {floor_words.say(Phase, kept)}" if kept and kept != Phase.OPEN else words


def asked_of(jackpot: Jackpot) -> list[Approval]:
    """What waits for signatures about this jackpot, its hits, displays, prizes and slips; oldest first."""
    rows = Approval.objects.filter(WAITING, house_id=jackpot.house_id, action__in=SIGNED_HERE)
    hits = list(Hit.objects.filter(jackpot=jackpot, state=Hit.State.VERIFYING).values_list("pk", flat=True))
    waits = WaitingPrize.objects.filter(jackpot=jackpot, state=PrizeState.WAITING)
    prizes = map(str, waits.values_list("pk", flat=True))
    about = Q(subject_kind="hit", subject_id__in=map(str, hits)) | Q(subject_kind="prize", subject_id__in=prizes)
    rows = rows.filter(about | Q(payload__jackpot=str(jackpot.pk)))
    return list(
        rows.select_related("requester").prefetch_related("signatures__signer", "lists").order_by("requested_at", "pk")
    )


# --- rows -----------------------------------------------------------------------------------------------------------------------
def _names(
    jackpot: Jackpot,
    claims: Iterable[Claim],
    rounds: Iterable[ListedRound],
    awards: Iterable[Award],
    requests: Iterable[Approval],
) -> Names:
    of_guests: list[Claim | Award] = [*claims, *awards]
    signed = [part for one in requests for part in parts_of(whole_payload(one))]
    ids = {one.round_id for one in of_guests} | {one.round_id for one in rounds} | ids_in(signed, "round")
    seated = {one.guest_id for one in of_guests if one.guest_id} | ids_in(signed, "guest")
    guests = Guest.objects.filter(pk__in=seated)
    return Names(
        dict(Table.objects.filter(house_id=jackpot.house_id).values_list("pk", "name")),
        dict(Round.objects.filter(pk__in=ids).values_list("pk", "number")),
        {pk: guest_name(number) for pk, number in guests.values_list("pk", "number")},
        dict(RequiredDisplay.objects.filter(jackpot=jackpot).order_by("added_at").values_list("display_id", "name")),
        results_of(claims),
        {one.decided_by.pk: one.decided_by.full_name for one in claims if one.decided_by},
        dict(Hit.objects.filter(pk__in=ids_in(signed, "hit")).values_list("pk", "number")),
    )


def results_of(claims: Iterable[Claim]) -> dict[UUID, Mapping[str, Any]]:
    """By claim how its round ended: by the result on which it was decided, by the newest one while it is open."""
    rows = list(claims)
    results = RoundResult.objects.filter(round__in={one.round_id for one in rows}).order_by("revision")
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


def _ran(rounds: Sequence[ListedRound]) -> list[tuple[ListedRound, RunningRound | None]]:
    ran = RunningRound.objects.in_bulk([one.round_id for one in rounds])
    return [(one, ran.get(one.round_id)) for one in rounds]


def _round(one: tuple[ListedRound, RunningRound | None], names: Names) -> dict[str, Any]:
    row, ran = one
    running = ran is not None and ran.ended_at is None
    state = Round.State.LOCKED if running else ran.ended_as if ran else Round.State.SETTLED
    return {
        "id": row.round_id,
        "table": names.tables.get(row.table_id, ""),
        "number": names.rounds.get(row.round_id),
        "running": running,
        "state": state,
        "words": floor_words.say(Round.State, state),
    }


def played_at(claims: Sequence[Claim]) -> list[tuple[Claim, datetime]]:
    """Each claim with when its hand was played: when it came, if it did not come later by a correction."""
    late = {one.round_id for one in claims if one.origin == "corrected"}
    ended = dict(Round.objects.filter(pk__in=late).values_list("pk", "ended_at"))
    return [(one, ended.get(one.round_id) or one.made_at) for one in claims]


def _claim(
    row: Claim, at: datetime, names: Names, jackpot: Jackpot, person: Person, dealt: list[str]
) -> dict[str, Any]:
    """A claim whose hand was played then, and what the person may do about it; the services decide again. `dealt`: which part keeps
    him from it.
    """
    at_work = jackpot.hit is not None and row.hit_id == jackpot.hit_id and jackpot.hit.state == Hit.State.VERIFYING
    open_ = at_work and person.has_perm(VERIFY) and row.state not in (Claim.State.CALLED, Claim.State.DROPPED)
    noted = row.checklist or {}
    return evidence_of_claim(row, names.results.get(row.pk, {})) | {
        "row": row,
        "table": names.tables.get(row.table_id, ""),
        "round": names.rounds.get(row.round_id),
        "guest": names.guests.get(row.guest_id, "") if row.guest_id else "",
        "state": floor_words.say(Claim.State, row.state),
        "origin": floor_words.say(floor_words.CLAIM_ORIGINS, row.origin),
        "checks": [
            {
                "name": check,
                "text": floor_words.say(CHECKLIST, check),
                "hint": floor_words.say(floor_words.CHECK_HINTS, check),
                "noted": noted.get(check) or (_clock(at) if check == "camera_time" else ""),
            }
            for check in rules_of(jackpot).checklist()
        ],
        "dealt": dealt if open_ else [],
        "may": open_ and not dealt,
        "verify": f"verify:{row.pk}",
        "refuse": f"refuse:{row.pk}",
    }


def _clock(at: datetime) -> str:
    """A moment by the house's clock, as it is looked for on camera."""
    return timezone.localtime(at).strftime("%d.%m.%Y %H:%M:%S")


def evidence_of_claim(row: Claim, result: Mapping[str, Any]) -> dict[str, Any]:
    """On what a claim rests: the cards of its box, those of the board, and what was noted about it."""
    own, noted = result.get("boxes", {}).get(str(row.box), {}).get("cards"), row.checklist or {}
    return {
        "box": row.box,
        "own": floor_words.shown_cards(own or ""),
        "board": floor_words.shown_cards(result.get("board") or ""),
        "noted": [(floor_words.say(CHECKLIST, check), noted[check]) for check in CHECKS if check in noted],
        "of_itself": floor_words.say(floor_words.CLAIM_REASONS, row.reason)
        if row.reason in floor_words.CLAIM_REASONS
        else "",
    }


def _split(hit: Hit, names: Names) -> dict[str, Any] | None:
    """The newest revision of how the hit's meter is, or was, split."""
    split = split_newest(hit)
    if split is None:
        return None
    shares = [
        {
            "claim": share.claim.number,
            "table": names.tables.get(share.claim.table_id, ""),
            "box": share.claim.box,
            "share_minor": share.share_minor,
        }
        for share in split.shares.select_related("claim").order_by("claim__number")
    ]
    amounts = {name: getattr(split, f"{name}_minor") for name in REST}
    return {
        "revision": split.revision,
        "before_minor": split.sum_minor,
        "won_minor": split.won_minor,
        "shares": shares,
        "rest": rest(amounts),
        "prizes": [],
        "after_minor": None,
    }


# --- slips ---------------------------------------------------------------------------------------------------------
def _awards(jackpot: Jackpot) -> list[Award]:
    rows = Award.objects.filter(jackpot=jackpot).select_related("slip__paid_by", "hit")
    to_pay = list(rows.filter(slip__state=Slip.State.OPEN).order_by("slip__number"))
    others = list(rows.exclude(slip__state=Slip.State.OPEN).order_by("-slip__number")[:SLIPS])
    return sorted(to_pay + others, key=lambda one: one.slip.number)  # none moves when it, or another, is paid


def _slip(award: Award, names: Names) -> dict[str, Any]:
    return {
        "award": award,
        "kind": floor_words.say(floor_words.AWARD_KINDS, award.kind),
        "table": names.tables.get(award.table_id, ""),
        "guest": names.guests.get(award.guest_id, ""),
        "state": floor_words.say(Slip.State, award.slip.state),
    }


def _forms(told: Mapping[str, Any]) -> set[str]:
    """The forms that are on the page."""
    found = {one["verify"] for one in told["claims"] if one["may"]}
    found |= {one["refuse"] for one in told["claims"] if one["may"] and one["row"].state != Claim.State.REFUSED}
    found |= {one["sign"] for one in told["asked"] if one["may_sign"]}
    found |= {one["turn_down"] for one in told["asked"] if one["may_turn_down"]}
    at_gate = told["gate"] or {"displays": (), "spare": ()}
    can_add = told["adding"] and (told["spare"] or at_gate["spare"])
    found |= {one["form"] for one in at_gate["displays"] if one["row"].state == GateDisplay.State.WAITING}
    found |= {one["form"] for one in told["displays"] if one["may_out"]}
    found |= {told["adding"]} if can_add else set()
    found |= forms_of(told["offers"]) | forms_left(told["left"])
    return found | ({"reject-hit"} if told["may_reject"] else set())
