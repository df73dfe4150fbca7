"""What the page of each record shows, each in a fixed number of statements."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.audit import found
from casino.audit import links as audit_links
from casino.audit.postings import TransferRow, transfer_rows
from casino.devices.models import Device, DeviceSession
from casino.people.models import Person
from casino.pit.jackpots import life
from casino.pit.jackpots.stations import Station
from casino.records import labels
from casino.records.descriptions import data_text, refusal
from casino.records.names import Names
from casino.text import floor
from casino.text.states import ENDED_REQUESTS
from casino.text.vocabulary import ACTIONS
from jackpot.models import Award, Contribution, Epoch, Hit, Jackpot, ListedRound, Slip, WaitingPrize
from payouts.models import (
    Approval,
    ApprovalSignature,
    Event,
    PostedTable,
    Transfer,
)
from tables.kinds import KINDS
from tables.models import CardFeed, Hand, ReviewItem, Round, TableSession

Clarified = tuple[ReviewItem, str, str]

PAGE = 50
SOME = 20  # rows beside the list that is paged


class Request(NamedTuple):
    """A request for approval and how it ended, in words."""

    row: Approval
    title: str
    state: str


class RoundDetails(NamedTuple):
    """What the desk shows of a round besides its own page (`casino/pit/rounds/show.py`)."""

    versions: list[tuple[str, PostedTable]]
    signed_in: list[tuple[DeviceSession, str]]
    people: list[Person]
    slips: list[audit_links.SlipRow]
    contributions: list[Contribution]
    feeds: list[CardFeed]
    clarify: list[Clarified]
    hits: list[Hit]
    prizes: list[tuple[WaitingPrize, str]]
    transfers: list[TransferRow]
    acts: list[found.Found]
    approvals: list[Request]


def round_details(row: Round) -> RoundDetails:
    """Everything else that is kept of a round."""
    hits = Hit.objects.filter(pk__in=ListedRound.objects.filter(round_id=row.pk).values("hit"))
    awards = Prefetch("awards", Award.objects.select_related("slip").order_by("slip__number"))
    prizes = WaitingPrize.objects.filter(source_id=row.pk, house=row.house).prefetch_related(awards)
    return RoundDetails(
        versions=in_force(row.versions or {}),
        signed_in=audit_links.signed_in(row),
        people=audit_links.people_of_round(row),
        slips=audit_links.slips(Award.objects.filter(round_id=row.pk, house=row.house)),
        contributions=list(
            Contribution.objects.filter(round_id=row.pk).select_related("epoch").order_by("pk")
        ),
        feeds=list(CardFeed.objects.filter(round=row).order_by("pk")),
        clarify=clarified(row),
        hits=list(hits.select_related("jackpot").order_by("begun_at")),
        prizes=[(one, floor.say(floor.LINE_KINDS, one.kind)) for one in prizes.order_by("place")],
        transfers=transfer_rows(Transfer.objects.filter(house=row.house, subject_id=row.pk)),
        acts=found.acts_of("round", row.pk),
        approvals=requests("round", row.pk),
    )


def clarified(row: Round | Hand) -> list[Clarified]:
    """What came for the round or hand and was refused: why, and what it was."""
    kept = ReviewItem.objects.filter(house=row.house, round_id=row.pk)
    kept = kept.select_related("closed_by").order_by("received_at")
    names = Names.of((one.payload for one in kept), row.house_id)
    return [
        (
            one,
            refusal(one.code, one.data, row.house),
            names.in_text(data_text(one.payload, row.house)),
        )
        for one in kept
    ]


class HitDetails(NamedTuple):
    """A hit: its stations, versions, transfers, acts."""

    hit: Hit
    jackpot: Jackpot
    state: str
    steps: list[Station]
    won_minor: int
    slips: list[audit_links.SlipRow]
    people: list[Person]
    displays: list[Device]
    versions: list[tuple[str, PostedTable]]
    transfers: list[TransferRow]
    acts: list[found.Found]
    others: list[Hit]


def hit_details(row: Hit) -> HitDetails:
    """Everything that is kept of a hit."""
    epoch = row.epoch
    ids = {
        "progressive": epoch.progressive_id,
        "funding": epoch.funding_id,
        "jackpot_rules": epoch.rules_id,
    }
    awards = Award.objects.filter(hit=row).select_related("slip").order_by("slip__number")
    claims = [str(pk) for pk in row.claims.values_list("pk", flat=True)]
    slips = [str(one.slip.pk) for one in awards]
    about = Q(subject_kind="hit", subject_id=str(row.pk)) | Q(
        subject_kind="claim", subject_id__in=claims
    )
    about |= Q(subject_kind="slip", subject_id__in=slips)
    transfers = Transfer.objects.filter(
        house=row.house, subject_id__in=[row.pk, *[one.pk for one in awards]]
    )
    return HitDetails(
        hit=row,
        jackpot=row.jackpot,
        state=labels.hit_state(row.state, sum(one.slip.state == Slip.State.OPEN for one in awards)),
        steps=life.steps(row.jackpot, row, None),
        won_minor=sum(one.amount_minor for one in awards if one.kind == "share"),
        slips=audit_links.slips(awards),
        people=audit_links.people_of_hit(row),
        displays=audit_links.displays_of_hit(row),
        versions=in_force({kind: str(pk) for kind, pk in ids.items() if pk}),
        transfers=transfer_rows(transfers),
        acts=found.acts(
            Event.objects.filter(about, house=row.house).exclude(name="audit.viewed"), (), PAGE
        ),
        others=list(
            Hit.objects.filter(jackpot=row.jackpot).exclude(pk=row.pk).order_by("-number")[:SOME]
        ),
    )


class ActsPage(NamedTuple):
    """A page of acts, newest first. `after`: where the next one begins."""

    rows: list[found.Found]
    after: int | None
    paged: bool


class PersonDetails(NamedTuple):
    """What a person did, and what they were given or refused; what they looked at stands among
    their acts.
    """

    person: Person
    roles: str
    about: list[found.Found]
    signed: list[tuple[ApprovalSignature, str, str]]
    asked: list[tuple[Approval, str, str]]
    found_by: list[tuple[str, str]]
    signings: list[DeviceSession]
    acts: ActsPage


def person_details(row: Person, before: int | None) -> PersonDetails:
    """The person, the newest of each list, and acts from the event `before` down."""
    signed = (
        ApprovalSignature.objects.filter(signer=row)
        .select_related("approval")
        .order_by("-pk")[:SOME]
    )
    asked = Approval.objects.filter(requester=row).order_by("-requested_at")[:SOME]
    pages = audit_links.pages_of_approvals([*(one.approval for one in signed), *asked])
    signings = (
        DeviceSession.objects.filter(person=row)
        .select_related("device", "ended_by")
        .order_by("-began_at")[:SOME]
    )
    return PersonDetails(
        person=row,
        roles=labels.roles(row),
        about=[one for one in found.acts_of("person", row.pk) if one.who != row.full_name],
        signed=[(one, _action(one.approval.action), pages[one.approval_id]) for one in signed],
        asked=[(one, _action(one.action), pages[one.pk]) for one in asked],
        found_by=audit_links.found_by(row),
        signings=list(signings),
        acts=_acts_page(Event.objects.filter(actor=row), before),
    )


class DeviceDetails(NamedTuple):
    """A device: who was signed in on it, and which rounds and hits it took part in."""

    device: Device
    sessions: list[DeviceSession]
    rounds: list[Round]
    hits: list[Hit]
    acts: ActsPage


def device_details(row: Device, before: int | None) -> DeviceDetails:
    """The device, the newest of each list, and what was done with it from the event `before`
    down."""
    sessions = (
        DeviceSession.objects.filter(device=row)
        .select_related("person", "ended_by")
        .order_by("-began_at")
    )
    shown = list(sessions[:SOME])
    return DeviceDetails(
        device=row,
        sessions=shown,
        rounds=audit_links.rounds_of_device(row, shown),
        hits=audit_links.hits_of_display(row),
        acts=_acts_page(found.events_about("device", row.pk), before),
    )


def _acts_page(rows: "QuerySet[Event]", before: int | None) -> ActsPage:
    acts = found.acts(rows, (before,) if before is not None else (), PAGE + 1)
    return ActsPage(
        acts[:PAGE], acts[PAGE - 1].place[0] if len(acts) > PAGE else None, before is not None
    )


class PostedDetails(NamedTuple):
    """What the desk shows of a version besides its own page (`casino/rulesets/show.py`)."""

    hash: str
    rows: list[tuple[PostedTable, Approval | None]]
    epochs: list[tuple[Epoch, list[Hit]]]
    opened: list[tuple[TableSession, str]]
    sessions: int | None


def posted_details(row: PostedTable, versions: Iterable[PostedTable]) -> PostedDetails:
    """Every version of the name with who let it in, and where this one counted."""
    opened = TableSession.objects.filter(
        house=row.house, versions__contains={row.kind: str(row.pk)}
    )
    return PostedDetails(
        hash=bytes(row.data_hash).hex(),
        rows=_with_approvals(versions),
        epochs=audit_links.epochs_under(row),
        opened=audit_links.sessions_under(row),
        sessions=opened.count() if row.starts == "day" else None,
    )


def _with_approvals(versions: Iterable[PostedTable]) -> list[tuple[PostedTable, Approval | None]]:
    """The versions, each with the request by which it was let in, and its signers. Two
    statements."""
    rows = list(versions)
    asked = Approval.objects.filter(pk__in=[one.approval_id for one in rows if one.approval_id])
    asked = asked.select_related("requester").prefetch_related("signatures__signer")
    approvals = {one.pk: one for one in asked}
    return [(one, approvals.get(one.approval_id) if one.approval_id else None) for one in rows]


def in_force(ids: Mapping[str, str]) -> list[tuple[str, PostedTable]]:
    """Posted versions, each with what it counts for."""
    rows = PostedTable.objects.defer("data").in_bulk([UUID(pk) for pk in ids.values()])
    named = [
        (KINDS[kind].title if kind in KINDS else kind, rows.get(UUID(pk)))
        for kind, pk in ids.items()
    ]
    return [(_(title), row) for title, row in named if row is not None]


def requests(kind: str, pk: object) -> list[Request]:
    """What was asked for about a record, the oldest first."""
    rows = Approval.objects.filter(subject_kind=kind, subject_id=str(pk)).select_related(
        "requester"
    )
    asked = rows.prefetch_related("signatures__signer").order_by("requested_at", "pk")
    return [
        Request(
            one,
            _action(one.action),
            _("waits for a signature") if one.waits else floor.say(ENDED_REQUESTS, one.state),
        )
        for one in asked
    ]


def _action(code: str) -> str:
    return capfirst(floor.say(ACTIONS, code))
