"""What waits for signatures about a jackpot, as its signer sees it and signs it or turns it
down."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.people.acts import act_of
from casino.people.pages.fields import Hash, Subject
from casino.people.pages.signed_step import ProvedStep, RefusalStep
from casino.people.permissions import VIEW_APPROVAL
from casino.pit.jackpots.evidence import Evidence
from casino.pit.jackpots.steps import JackpotStep, Reader, ReasonedStep
from casino.rulesets.signers import Signers
from casino.text import floor
from casino.text.differences import Difference, Differences, differences, money_difference
from casino.text.formats import format_money
from casino.text.vocabulary import ACTIONS, CHECKLIST
from jackpot.hints import hint
from jackpot.models import Hit, Jackpot, Phase, WaitingPrize
from jackpot.models.states import PrizeState
from jackpot.services.approved import ACTIONS as SIGNED_HERE
from jackpot.services.split import AWARD
from payouts.errors import mark
from payouts.models import Approval, House, PostedTable
from payouts.models.approval import WAITING
from payouts.rules.approval import ApprovalUnknown, role_fits
from payouts.rules.plain import Json
from payouts.services import approval_reject, whole_payload

NOTHING = "–"
REST = ("remainder", "carried", "overflow", "shortfall")


class Names(NamedTuple):
    """What ids of this page are called."""

    tables: Mapping[UUID, str]
    rounds: Mapping[UUID, int | None]
    guests: Mapping[UUID, str]
    displays: Mapping[UUID, str]
    results: Mapping[UUID, Mapping[str, Any]]  # of rounds that claim, the newest
    people: Mapping[UUID, str]
    hits: Mapping[UUID, int]  # of late awards


class BoxLine(NamedTuple):
    """A share, a refused claim or a prize: where it lies, and whose it is; older requests name no
    guest.
    """

    claim: int | None
    table: str
    round: int | str
    box: int | None
    guest: str
    amount_minor: int = 0
    kind: str = ""
    noted: Sequence[tuple[str, str]] = ()
    by: str = ""
    reason: str = ""


class Payout(NamedTuple):
    """What is paid of a meter, and the meter before and after it; `after_minor` is None while
    nothing is to be signed.
    """

    before_minor: int
    won_minor: int
    shares: list[BoxLine]
    rest: list[tuple[str, int]]
    revision: int | None = None
    refused: Sequence[BoxLine] = ()
    prizes: Sequence[BoxLine] = ()
    seed_minor: int = 0
    funding: PostedTable | None = None
    after_minor: int | None = None


@dataclass(frozen=True)
class Request:
    """What is to be signed, as it will be signed, on what it rests, and the forms of who may;
    `own`: which part bars them.
    """

    row: Approval
    title: str
    split: Payout | None
    refused: list[BoxLine]
    facts: list[tuple[str, object]]
    evidence: Evidence | None
    differences: Differences
    signers: Signers
    own: list[str]
    signed: bool
    sign: JackpotStep | None
    turn_down: JackpotStep | None

    @property
    def progress(self) -> str:
        """How many of its signatures are there."""
        return floor.colon(
            self.title, floor.signatures(len(self.row.signatures.all()), self.row.signers)
        )


class _RequestStep(JackpotStep):
    """About something that waits for signatures about this jackpot."""

    about, permission = "approval", VIEW_APPROVAL
    approval = Subject(ApprovalUnknown)

    @cached_property
    def waiting(self) -> Approval:
        wanted = self.values["approval"]
        if found := next((one for one in requests_of(self.row) if one.pk == wanted), None):
            return found
        raise ApprovalUnknown


class _Sign(ProvedStep[Jackpot], _RequestStep):
    """Sign it with a PIN or a code; the last signature carries it out."""

    step, command, done = "sign", "jackpot.sign", mark("Signed.")
    seen = Hash()

    def run(self, request: HttpRequest) -> Json:
        """By the method that the request asks for. Raises ApprovalUnknown too."""
        self.proof = self.waiting.method
        return super().run(request)

    def carry_out(self) -> Json:
        return (
            act_of(self.waiting)
            .sign(
                house_id=self.row.house_id,
                approval_id=self.waiting.pk,
                payload_hash=self.values["seen"],
                signer_id=self.person.pk,
                signer_roles=self.person.roles,
                method=self.proof,
            )
            .state
        )


class _TurnDown(RefusalStep[Jackpot], _RequestStep, ReasonedStep):
    """Say no to it, with a PIN or a code; or take back what one has asked for."""

    step, command, done = "turn-down", "jackpot.turn_down", mark("Done.")

    def pending(self) -> Approval:
        return self.waiting

    def prepare(self) -> Callable[[], Json]:
        values = self.ids | {"approval_id": self.waiting.pk, "reason": self.values["reason"]}

        def work() -> Json:
            approval_reject(**values, person_roles=self.person.roles)
            hint(self.row.pk)  # screens show how many signatures are there
            return None

        return work


def requests_of(jackpot: Jackpot) -> list[Approval]:
    """What waits for signatures about this jackpot, its hits, displays, prizes and slips; oldest
    first.
    """
    rows = Approval.objects.filter(WAITING, house_id=jackpot.house_id, action__in=SIGNED_HERE)
    hits = list(
        Hit.objects.filter(jackpot=jackpot, state=Hit.State.VERIFYING).values_list("pk", flat=True)
    )
    waits = WaitingPrize.objects.filter(jackpot=jackpot, state=PrizeState.WAITING)
    prizes = map(str, waits.values_list("pk", flat=True))
    about = Q(subject_kind="hit", subject_id__in=map(str, hits)) | Q(
        subject_kind="prize", subject_id__in=prizes
    )
    rows = rows.filter(about | Q(payload__jackpot=str(jackpot.pk)))
    return list(
        rows.select_related("requester")
        .prefetch_related("signatures__signer", "lists")
        .order_by("requested_at", "pk")
    )


def asked(
    reader: Reader,
    row: Approval,
    names: Names,
    about: tuple[Evidence | None, Sequence[Difference]],
    signers: Signers,
    own: list[str],
) -> Request:
    """A request as the person sees it, with what it rests on and what it changes."""
    fits = role_fits(reader.person.roles, row.roles)
    signed = any(one.signer_id == reader.person.pk for one in row.signatures.all())
    evidence, changes = about
    may_turn_down, is_award = fits or reader.person.pk == row.requester_id, row.action == AWARD
    split = _signed_split(whole_payload(row), names) if is_award else None
    return Request(
        row,
        capfirst(floor.say(ACTIONS, row.action)),
        split,
        [] if is_award else _refused(row.payload, names),
        [] if is_award else _facts(row, names, reader.jackpot.house),
        evidence,
        differences([*(_paid(split, reader.jackpot.house) if split else ()), *changes]),
        signers,
        own,
        signed,
        _sign(reader, row) if fits and not own and not signed else None,
        _turn_down(reader, row) if may_turn_down else None,
    )


def _sign(reader: Reader, row: Approval) -> JackpotStep:
    form = reader.form(_Sign, approval=row.pk)
    form.initial["seen"] = bytes(row.payload_hash).hex()  # as it stands now, also after a refusal
    if row.method != "pin":
        form.fields["secret"].label = _("Code of your authenticator")
        form.fields["secret"].widget.input_type = "text"
    return form


def _turn_down(reader: Reader, row: Approval) -> _TurnDown:
    form = _TurnDown.offered(reader.jackpot, reader.person, reader.wrong, approval=row.pk)
    form.refuse(row)
    return form


def rest(amounts: Mapping[str, int]) -> list[tuple[str, int]]:
    """What a split leaves over, by where it goes (minor units); without what is nothing."""
    words = {
        "remainder": _("What does not divide stays in the meter"),
        "carried": _("What came after stays in the meter"),
        "overflow": _("Above the cap, into the reserve"),
        "shortfall": _("The house adds"),
    }
    return [(words[name], amounts[name]) for name in REST if amounts[name]]


def _signed_split(payload: Mapping[str, Any], names: Names) -> Payout:
    """What is paid, and the meter before and after it: that is what two people sign."""
    amounts = {name: payload[f"{name}_minor"] for name in REST}
    return Payout(
        payload["won_minor"] + amounts["carried"] + amounts["overflow"] - amounts["shortfall"],
        payload["won_minor"],
        [
            _of_box(one, names)._replace(
                amount_minor=one["share_minor"], noted=_noted(one["checklist"])
            )
            for one in payload["shares"]
        ],
        rest(amounts),
        refused=_refused(payload, names),
        prizes=[
            _of_box(one, names)._replace(
                amount_minor=one["amount_minor"],
                kind=floor.say(floor.LINE_KINDS, one["kind"]),
            )
            for one in payload["prizes"]
        ],
        seed_minor=payload["seed_minor"],
        funding=PostedTable.objects.defer("data").filter(pk=payload["next_funding"]).first(),
        after_minor=payload["seed_minor"] + amounts["remainder"] + amounts["carried"],
    )


def _paid(split: Payout, house: House) -> Iterable[Difference]:
    """The meter, and who gets what of it and beside it."""
    yield money_difference(_("In the meter"), split.before_minor, split.after_minor, house)
    for award in (*split.shares, *split.prizes):
        box = _("Box %(number)s") % {"number": award.box}
        what = " · ".join(filter(None, (award.table, box, award.guest, award.kind)))
        yield money_difference(what, None, award.amount_minor, house)


def _refused(payload: Mapping[str, Any], names: Names) -> list[BoxLine]:
    """Claims that one person refused."""
    return [
        _of_box(one, names)._replace(by=names.people.get(_id(one["by"]), ""), reason=one["reason"])
        for one in payload.get("refused", ())
    ]


def parts_of(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A payload, and the lines of it: each may name a round and a guest."""
    return [
        payload,
        *(line for name in ("shares", "refused", "prizes") for line in payload.get(name, ())),
    ]


def ids_in(parts: Sequence[Mapping[str, Any]], name: str) -> set[UUID]:
    """What the parts of payloads call so."""
    return {pk for part in parts if (pk := floor.uuid_or_none(part.get(name)))}


def _of_box(one: Mapping[str, Any], names: Names) -> BoxLine:
    return BoxLine(
        one.get("claim"),
        names.tables.get(_id(one["table"]), ""),
        names.rounds.get(_id(one["round"])) or NOTHING,
        one["box"],
        names.guests.get(_id(one.get("guest")), ""),
    )


def _noted(checklist: Mapping[str, str] | None) -> list[tuple[str, str]]:
    return [(floor.say(CHECKLIST, item), noted) for item, noted in (checklist or {}).items()]


def _id(text: object) -> UUID:
    return floor.uuid_or_none(text) or UUID(int=0)


def _facts(row: Approval, names: Names, house: House) -> list[tuple[str, object]]:
    """What the payload of a request says, in words and in this order; that of a payment is shown as
    a split.
    """
    payload: Mapping[str, Any] = row.payload

    def money(name: str) -> str:
        return format_money(payload[name], house.currency, house.locale)

    display = row.subject_kind == "display"
    told: list[tuple[bool, str, Callable[[], object]]] = [
        (
            display,
            _("Display"),
            lambda: names.displays.get(_id(payload["display"]), payload["text"]),
        ),
        (row.action == "jackpot.display_out", _("Reason"), lambda: payload["text"]),
        ("number" in payload, _("Slip"), lambda: payload["number"]),
        (
            "kind" in payload,
            _("Kind"),
            lambda: floor.say(floor.PAID_KINDS, payload["kind"]),
        ),
        (
            "hit" in payload,
            _("Hit"),
            lambda: names.hits.get(_id(payload["hit"]), payload["hit"] or NOTHING),
        ),
        ("table" in payload, _("Table"), lambda: names.tables.get(_id(payload["table"]), "")),
        (
            "round" in payload,
            _("Round"),
            lambda: names.rounds.get(_id(payload["round"])) or NOTHING,
        ),
        ("revision" in payload, _("Revision"), lambda: payload["revision"]),
        ("box" in payload, _("Box"), lambda: payload["box"]),
        ("guest" in payload, _("Guest"), lambda: names.guests.get(_id(payload["guest"]), NOTHING)),
        ("epoch" in payload, _("Epoch"), lambda: payload["epoch"]),
        ("phase" in payload, _("State"), lambda: _stood(payload)),
        ("version" in payload, _("Version"), lambda: payload["version"]),
        ("amount_minor" in payload, _("Amount"), lambda: money("amount_minor")),
        (payload.get("paid_minor") is not None, _("Paid out"), lambda: money("paid_minor")),
        (
            "how" in payload,
            _("What becomes of it"),
            lambda: floor.say(floor.CANCELS, payload["how"]),
        ),
        (
            "to" in payload,
            _("To jackpot"),
            lambda: Jackpot.objects.values_list("name", flat=True).get(pk=payload["to"]),
        ),
        ("reason" in payload, _("Reason"), lambda: payload["reason"]),
    ]
    return [(what, say()) for is_there, what, say in told if is_there]


def _stood(payload: Mapping[str, Any]) -> str:
    """The phase that was looked at, the one kept inside it, and since when it holds."""
    phases = [payload["phase"], *filter(None, [payload["kept_phase"]])]
    words = " · ".join(floor.say(Phase, phase) for phase in phases)
    since = timezone.localtime(datetime.fromisoformat(payload["since"])).strftime("%d.%m. %H:%M:%S")
    return _("%(state)s since %(time)s") % {"state": words, "time": since}


STEPS = (_Sign, _TurnDown)
