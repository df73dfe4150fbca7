"""What the page of each record shows, each in a fixed number of statements."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.audit import found as audit_found
from casino.audit import links as audit_links
from casino.devices.models import Device, DeviceSession
from casino.people.context import Here
from casino.people.models import Person
from casino.pit.jackpots import life as dashboard_jackpot_show
from casino.pit.rounds import show as floor_round_show
from casino.records import codes as admin_codes
from casino.records import words as audit_words
from casino.records.names import SUBJECTS, Names
from casino.records.told import refusal, told
from casino.rulesets import show as posted_show
from casino.text import floor as floor_words
from casino.text.floor import colon
from casino.text.refusal_words import ACTIONS
from casino.text.states import ENDED_REQUESTS
from jackpot.models import Award, Contribution, Epoch, Hit, Jackpot, ListedRound, Slip, WaitingPrize
from payouts.models import Account, Approval, ApprovalSignature, Entry, Event, House, PostedTable, Transfer
from tables.models import CardFeed, Round, Table, TableSession, ToClarify
from tables.rules.kinds import KINDS

PAGE = 50
SOME = 20  # rows beside the list that is paged


class Versions:
    """Posted versions by what they count for."""

    def __init__(self, ids: Mapping[str, str]) -> None:
        rows = PostedTable.objects.defer("data").in_bulk([UUID(pk) for pk in ids.values()])
        named = [(KINDS[kind].title if kind in KINDS else kind, rows.get(UUID(pk))) for kind, pk in ids.items()]
        self.rows = [(_(title), row) for title, row in named if row is not None]


# --- a round ----------------------------------------------------------------------------------------------------------------
def round_details(row: Round, person: Person) -> dict[str, Any]:
    """Everything that is kept of a round."""
    details = floor_round_show.details(row, person)._asdict()
    hits = Hit.objects.filter(pk__in=ListedRound.objects.filter(round_id=row.pk).values("hit"))
    awards = Prefetch("awards", Award.objects.select_related("slip").order_by("slip__number"))
    prizes = WaitingPrize.objects.filter(source_id=row.pk, house=row.house).prefetch_related(awards)
    return details | {
        "versions": Versions(row.versions or {}).rows,
        "signed_in": audit_links.signed_in(row),
        "people": audit_links.people_of_round(row),
        "slips": audit_links.slips(Award.objects.filter(round_id=row.pk, house=row.house)),
        "contributions": list(Contribution.objects.filter(round_id=row.pk).select_related("epoch").order_by("pk")),
        "feeds": list(CardFeed.objects.filter(round=row).order_by("pk")),
        "clarify": _clarify(row),
        "hits": list(hits.select_related("jackpot").order_by("begun_at")),
        "prizes": [(one, floor_words.say(floor_words.LINE_KINDS, one.kind)) for one in prizes.order_by("place")],
        "transfers": _transfers(row.house, row.pk),
        "acts": _acts("round", row.pk),
        "approvals": _approvals("round", row.pk),
    }


def _clarify(row: Round) -> list[tuple[ToClarify, str, str]]:
    """What came for the round and was refused: why, and what it was."""
    kept = ToClarify.objects.filter(house=row.house, round_id=row.pk)
    kept = kept.select_related("closed_by").order_by("received_at")
    names = Names.of((one.payload for one in kept), row.house_id)
    return [(one, refusal(one.code, one.data, row.house), names.in_text(told(one.payload, row.house))) for one in kept]


# --- a hit ------------------------------------------------------------------------------------------------------------------
def hit_details(row: Hit) -> dict[str, Any]:
    """Everything that is kept of a hit: its stations, versions, transfers, acts."""
    epoch = row.epoch
    ids = {"progressive": epoch.progressive_id, "funding": epoch.funding_id, "jackpot_rules": epoch.rules_id}
    awards = Award.objects.filter(hit=row).select_related("slip").order_by("slip__number")
    claims = [str(pk) for pk in row.claims.values_list("pk", flat=True)]
    slips = [str(one.slip.pk) for one in awards]
    about = Q(subject_kind="hit", subject_id=str(row.pk)) | Q(subject_kind="claim", subject_id__in=claims)
    about |= Q(subject_kind="slip", subject_id__in=slips)
    transfers = Transfer.objects.filter(house=row.house, subject_id__in=[row.pk, *[one.pk for one in awards]])
    return {
        "hit": row,
        "jackpot": row.jackpot,
        "state": audit_words.hit_state(row.state, sum(one.slip.state == Slip.State.OPEN for one in awards)),
        "steps": dashboard_jackpot_show.steps(row.jackpot, row, None),
        "won_minor": sum(one.amount_minor for one in awards if one.kind == "share"),
        "slips": audit_links.slips(awards),
        "people": audit_links.people_of_hit(row),
        "displays": audit_links.displays_of_hit(row),
        "versions": Versions({kind: str(pk) for kind, pk in ids.items() if pk}).rows,
        "transfers": _transfer_rows(transfers),
        "acts": audit_found.acts(Event.objects.filter(about, house=row.house).exclude(name="audit.viewed"), (), PAGE),
        "others": list(Hit.objects.filter(jackpot=row.jackpot).exclude(pk=row.pk).order_by("-number")[:SOME]),
    }


# --- accounts and transfers -------------------------------------------------------------------------------------------------
def account_details(row: Account, before: int | None) -> dict[str, Any]:
    """An account with its owner, and entries from the version `before` down."""
    entries = Entry.objects.filter(account=row).select_related("transfer__actor").order_by("-account_version")
    if before is not None:
        entries = entries.filter(account_version__lt=before)
    shown = list(entries[: PAGE + 1])
    return {
        "account": row,
        "title": capfirst(audit_words.account(row.kind)),
        "owner": _owner(row),
        "of_table": Table.objects.filter(house=row.house, pk=row.owner_id).exists(),
        "epoch": Epoch.objects.filter(pk=row.detail_id).select_related("jackpot").first() if row.detail_id else None,
        "entries": [(one, audit_words.transfer(one.transfer.kind)) for one in shown[:PAGE]],
        "after": shown[PAGE - 1].account_version if len(shown) > PAGE else None,
        "paged": before is not None,
    }


def transfer_details(row: Transfer) -> dict[str, Any]:
    """A transfer with its entries; it sums to zero."""
    entries = list(row.entries.select_related("account").order_by("pk"))
    names = _owners(row.house, [one.account for one in entries])
    return {
        "transfer": row,
        "title": audit_words.transfer(row.kind),
        "about": _subject(row),
        "reversed_by": row.reversals.first(),
        "entries": [
            (one, capfirst(audit_words.account(one.account.kind)), names.get(one.account.owner_id, ""))
            for one in entries
        ],
        "sum_minor": sum(one.amount_minor for one in entries),
        "acts": _acts("transfer", row.pk),
    }


def _subject(row: Transfer) -> tuple[str, str]:
    """What a transfer is about: its page and its words."""
    words = admin_codes.word(row, "subject_kind", row.subject_kind)
    pk = str(row.subject_id or "")
    kind = SUBJECTS.get(row.subject_kind)
    name = Names({kind: [pk]}, row.house_id).in_text(pk) if kind and pk else pk
    return audit_links.about(row.house_id, row.subject_kind, pk), colon(words, name) if name else words


def _owner(row: Account) -> str:
    return _owners(row.house, [row]).get(row.owner_id, "")


def _owners(house: House, accounts: Sequence[Account]) -> dict[UUID, str]:
    ids = {one.owner_id for one in accounts}
    names = dict(Table.objects.filter(house=house, pk__in=ids).values_list("pk", "name"))
    names |= dict(Jackpot.objects.filter(house=house, pk__in=ids).values_list("pk", "name"))
    return names | {house.pk: house.name}


# --- people and devices -----------------------------------------------------------------------------------------------------
def person_details(row: Person, before: int | None) -> dict[str, Any]:
    """What a person did, and what he was given or refused; what he looked at stands among his acts."""
    signed = ApprovalSignature.objects.filter(signer=row).select_related("approval").order_by("-pk")[:SOME]
    asked = Approval.objects.filter(requester=row).order_by("-requested_at")[:SOME]
    pages = audit_links.pages_of_approvals([*(one.approval for one in signed), *asked])
    signings = (
        DeviceSession.objects.filter(person=row).select_related("device", "ended_by").order_by("-began_at")[:SOME]
    )
    return _paged_acts(Event.objects.filter(actor=row), before) | {
        "person": row,
        "roles": audit_words.roles(row),
        "about": [one for one in _acts("person", row.pk) if one.who != row.full_name],
        "signed": [(one, _action(one.approval.action), pages[one.approval_id]) for one in signed],
        "asked": [(one, _action(one.action), pages[one.pk]) for one in asked],
        "found_by": audit_links.found_by(row),
        "signings": list(signings),
    }


def device_details(row: Device, before: int | None) -> dict[str, Any]:
    """What a device is, who was signed in on it, and what was done with it."""
    sessions = DeviceSession.objects.filter(device=row).select_related("person", "ended_by").order_by("-began_at")
    acts = Event.objects.filter(subject_kind="device", subject_id=str(row.pk)).exclude(name="audit.viewed")
    shown = list(sessions[:SOME])
    return _paged_acts(acts, before) | {
        "device": row,
        "sessions": shown,
        "rounds": audit_links.rounds_of_device(row, shown),
        "hits": audit_links.hits_of_display(row),
    }


def _paged_acts(rows: Any, before: int | None) -> dict[str, Any]:
    acts = audit_found.acts(rows, (before,) if before is not None else (), PAGE + 1)
    after = acts[PAGE - 1].place[0] if len(acts) > PAGE else None
    return {"acts": acts[:PAGE], "after": after, "paged": before is not None}


# --- what is posted ---------------------------------------------------------------------------------------------------------
def posted_details(row: PostedTable) -> dict[str, Any]:
    """A version: what it says and gives back, its own history, and every version of its name with who let it in."""
    kind = KINDS[row.kind]
    details = posted_show.details(row, kind, Here.at(row.house))
    return details | {
        "table": row,
        "hash": bytes(row.data_hash).hex(),
        "kind": kind,
        "rows": _versions(details["versions"]),
        "epochs": audit_links.epochs_under(row),
        "opened": audit_links.sessions_under(row),
        "sessions": TableSession.objects.filter(house=row.house, versions__contains={row.kind: str(row.pk)}).count()
        if row.starts == "day"
        else None,
    }


def _versions(versions: Iterable[PostedTable]) -> list[dict[str, Any]]:
    """Every version of a name, newest first, each with the day before the next one began, and its signers. Two statements."""
    rows = list(versions)
    asked = Approval.objects.filter(pk__in=[one.approval_id for one in rows if one.approval_id]).select_related(
        "requester"
    )
    approvals = {one.pk: one for one in asked.prefetch_related("signatures__signer")}
    return [{"row": one, "approval": approvals.get(one.approval_id) if one.approval_id else None} for one in rows]


# --- parts ------------------------------------------------------------------------------------------------------------------
def _transfers(house: House, subject: UUID) -> list[dict[str, Any]]:
    return _transfer_rows(Transfer.objects.filter(house=house, subject_id=subject))


def _transfer_rows(rows: Any) -> list[dict[str, Any]]:
    """Transfers with what they moved: the sum of their debits."""
    shown = list(rows.select_related("actor").prefetch_related("entries").order_by("pk"))
    return [
        {
            "row": one,
            "title": audit_words.transfer(one.kind),
            "moved_minor": sum(entry.amount_minor for entry in one.entries.all() if entry.amount_minor > 0),
        }
        for one in shown
    ]


def _acts(kind: str, pk: object) -> list[audit_found.Found]:
    """What was done with a subject, newest first, without who looked at it."""
    rows = Event.objects.filter(subject_kind=kind, subject_id=str(pk)).exclude(name="audit.viewed")
    return audit_found.acts(rows, (), PAGE)


def _approvals(kind: str, pk: object) -> list[dict[str, Any]]:
    rows = Approval.objects.filter(subject_kind=kind, subject_id=str(pk)).select_related("requester")
    asked = rows.prefetch_related("signatures__signer").order_by("requested_at", "pk")
    return [
        {
            "row": one,
            "title": _action(one.action),
            "state": floor_words.say(ENDED_REQUESTS, one.state),
        }
        for one in asked
    ]


def _action(code: str) -> str:
    return capfirst(floor_words.say(ACTIONS, code))
