"""What waits for a person's signature, of whatever kind."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.people.acts import ACTS
from casino.people.models import Person
from casino.people.permissions import VERIFY, VIEW_APPROVAL, VIEW_CHIPS
from casino.people.resting import ACTION as CREDENTIAL
from casino.people.signing_roles import ACTION as SIGN_ROLE
from casino.pit.board import read
from casino.pit.board.waiting import ShiftEntry, Waiting
from casino.rulesets import matrix
from casino.text.floor import say
from casino.text.formats import format_money
from casino.text.vocabulary import ACTIONS
from jackpot.models import Claim
from jackpot.models.states import RUNNING
from jackpot.services.approved import ACTIONS as OF_JACKPOTS
from jackpot.services.continuation import ACTION as CONTINUE
from jackpot.services.creation import CREATE
from payouts.models import Approval, House, PostedTable
from payouts.models.approval import WAITING
from payouts.models.chips import ChipMoveKind
from payouts.rules.approval import role_fits
from payouts.rules.rulesets.kinds import ACTION as RELEASE
from payouts.services.approved import REVERSE, RULE_CHANGE
from payouts.services.chips import ISSUE
from tables.services.floor.changes import CHANGE as TABLE_CHANGE
from tables.services.inventory.take import FIRST

SIGNED_AT = {  # by action
    SIGN_ROLE: "person-asked",
    CREDENTIAL: "credential-asked",
    RULE_CHANGE: "approval-rule-asked",
    REVERSE: "transfer-asked",
    CREATE: "jackpot-asked",
    CONTINUE: "seals-asked",
    TABLE_CHANGE: "table-asked",
    ISSUE: "chips-asked",
    FIRST: "inventory-asked",
}
# of what is asked for, in minor units: the first that its payload has
AMOUNTS = ("amount_minor", "won_minor", "stakes_minor", "seed_minor")


class Signatures(NamedTuple):
    """How many requests a person may sign and claims they may look at; of the oldest claim, or else
    of the request that expires first, how much it is about, in minor units, until when, and its
    page.
    """

    number: int
    amount_minor: int | None = None
    until: datetime | None = None
    href: str = ""


def may_sign(person: Person, request: Approval) -> bool:
    """Whether it lacks a signature, and the person has a role and the right for it, did not ask for
    it, took no part in it, and has not signed it. `request` with its signatures.
    """
    act = ACTS.get(request.action)
    if not person.has_perm(act.needs if act else VIEW_APPROVAL):
        return False
    signed = {signature.signer_id for signature in request.signatures.all()}
    barred = {request.requester_id, *request.excluded, *signed}
    lacks = len(signed) < request.signers
    return lacks and role_fits(person.roles, request.roles) and person.pk not in barred


def signatures_due(house: House, person: Person) -> Signatures:
    """What the person may sign or look at in the house, of whatever kind. At most five
    statements.
    """
    if person.house_id is None:
        return Signatures(0)
    claims = claims_due(house, person)
    mine: list[Approval] = []
    if _may_sign_any(person):
        waiting = _waiting(house).order_by("expires_at", "requested_at", "pk")
        mine = [request for request in waiting if may_sign(person, request)]
    number = len(claims) + len(mine)
    if claims:
        return Signatures(number, href=claim_page(claims[0]))
    if not mine:
        return Signatures(0)
    first = mine[0]
    amounts = [first.payload[name] for name in AMOUNTS if type(first.payload.get(name)) is int]
    return Signatures(number, next(iter(amounts), None), first.expires_at, _place(first))


def claims_due(house: House, person: Person) -> list[Claim]:
    """Claims with their hits, the oldest first, that the person may look at: who dealt none of
    their rounds. One statement.
    """
    if not person.has_perm(VERIFY):
        return []
    rows = Claim.objects.filter(house=house, state=Claim.State.OPEN, hit__state__in=RUNNING)
    claims = rows.select_related("hit__jackpot").order_by("made_at")
    return [claim for claim in claims if person.pk not in claim.dealers]


def claim_page(claim: Claim) -> str:
    """Where it is looked at."""
    return reverse("floor-jackpot", args=[claim.hit.jackpot_id]) + f"#claim-{claim.number}"


def requests_elsewhere(house: House, person: Person) -> list[Waiting]:
    """Requests outside the floor that the person may sign: posted tables, people, rules of
    approval, the books, a new jackpot, tables, chips. Three statements.
    """
    if person.house_id is None or not _may_sign_any(person):
        return []
    rows = _waiting(house).filter(action__in=(RELEASE, *SIGNED_AT))
    requests = rows.select_related("requester").order_by("requested_at", "pk")
    mine = [approval for approval in requests if may_sign(person, approval)]
    tables = [approval.subject_id for approval in mine if approval.subject_kind == "posted_table"]
    named = {str(row.pk): row for row in PostedTable.objects.filter(pk__in=tables).defer("data")}
    return [_request(approval, named, house) for approval in mine]


def _may_sign_any(person: Person) -> bool:
    return person.has_perm(VIEW_APPROVAL) or person.has_perm(VIEW_CHIPS)


def _waiting(house: House) -> QuerySet[Approval]:
    return Approval.objects.filter(WAITING, house=house).prefetch_related("signatures")


def _request(request: Approval, named: dict[str, PostedTable], house: House) -> Waiting:
    subject = _subject(request, named.get(request.subject_id), house)
    kept: ShiftEntry = {"action": request.action, "at": subject}
    return Waiting(
        code="approval",
        severity="appr",
        icon="code",
        title=capfirst(_(ACTIONS[request.action])) if request.action in ACTIONS else request.action,
        text=subject,
        who=request.requester.full_name if request.requester else "",
        since=request.requested_at,
        until=request.expires_at,
        href=_signing_page(request),
        ref=str(request.pk),
        kept=kept,
    )


def _subject(request: Approval, table: PostedTable | None, house: House) -> str:
    """What it is asked for: the version, the person, the line of the matrix, the transfer, the
    jackpot, the table.
    """
    if table:
        return _("%(name)s, version %(version)s") % {"name": table.name, "version": table.version}
    if request.subject_kind == "approval_rule":
        return matrix.title(request.subject_id)
    if request.subject_kind == "transfer":
        return _("Transfer %(number)s") % {"number": request.subject_id}
    if request.action == CONTINUE:
        return _("from seal %(number)s on") % {"number": request.payload["seal"]}
    if request.action == CREATE:
        seed = format_money(request.payload["seed_minor"], house.currency, house.locale)
        return _("%(name)s, seed %(amount)s") % {"name": request.payload["name"], "amount": seed}
    if request.action == ISSUE:
        return say(ChipMoveKind, request.payload["kind"])
    if request.action == TABLE_CHANGE:
        return str(request.payload["before"]["name"])
    return str(request.payload.get("full_name", ""))


def _place(request: Approval) -> str:
    """Where it is signed, of whatever kind: at its round or hand, at its jackpot, on its page."""
    if request.subject_kind in ("round", "hand"):
        return reverse(f"floor-{request.subject_kind}", args=[request.subject_id])
    if request.action not in OF_JACKPOTS:
        return _signing_page(request)
    jackpot_id = read.jackpots_of([request], house_id=request.house_id)[request.pk]
    if jackpot_id is None:
        return reverse("pit-jackpots")
    return reverse("pit-jackpot", args=[jackpot_id]) + f"#asked-{request.pk}"


def _signing_page(request: Approval) -> str:
    """The page on which it is signed."""
    if request.subject_kind == "posted_table":
        return reverse("posted-table", args=[request.subject_id])
    return reverse(SIGNED_AT[request.action], args=[request.pk])
