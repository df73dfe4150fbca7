"""The chips of a house: what is in service by denomination, what came in and went out, and asking
for either.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from casino.cage.show import ChipLine, PiecesField, chip_lines, chips_of, worth_minor
from casino.people.models import Person
from casino.people.pages.fields import Choice, Reason
from casino.people.pages.page import Wrong, allowed, house_clock_of, page
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import REQUEST_CHIPS, VIEW_CHIPS
from casino.rulesets.signers import signers_besides
from casino.text.floor import say
from payouts.errors import mark
from payouts.models import Account, Approval, ChipMove, House, Inventory
from payouts.models.approval import WAITING
from payouts.models.chips import ChipMoveKind
from payouts.rules.chips import worth
from payouts.rules.plain import Json
from payouts.selectors import chips_issued
from payouts.services import chips_request
from payouts.services.chips import ISSUE

MOVES_MOST = 200  # movements in the history
ASKED_FOR = (ChipMoveKind.ISSUE, ChipMoveKind.WITHDRAW)


@require_GET
def every(request: HttpRequest) -> HttpResponse:
    """All denominations, the form, and the history."""
    person = allowed(request, VIEW_CHIPS)
    return _page(request, person, _house(person))


class _ChipsRequest(Step[House]):
    step, command, permission, subject = "ask", "chips.request", REQUEST_CHIPS, "house"
    done = mark("Asked for: another person looks at it and signs.")
    kind = Choice(label=gettext_lazy("What happens"))
    reason = Reason(500, label=gettext_lazy("Reason"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.chips = chips_of(self.row, chips_issued(house_id=self.row.pk))
        for value in self.chips:
            self.fields[f"pieces-{value}"] = PiecesField(value, least=1)

    def offer(self) -> None:
        kinds = [(kind.value, capfirst(say(ChipMoveKind, kind))) for kind in ASKED_FOR]
        self.options("kind", kinds)

    def figures(self) -> list[tuple[Any, Any]]:
        """Each denomination with its field."""
        return [(chip, self[f"pieces-{value}"]) for value, chip in self.chips.items()]

    def carry_out(self) -> Json:
        given = {value: self.values[f"pieces-{value}"] for value in self.chips}
        approval = chips_request(
            house_id=self.row.pk,
            kind=self.values["kind"],
            pieces={value: count for value, count in given.items() if count is not None},
            reason=self.values["reason"],
            requester_id=self.person.pk,
        )
        return str(approval.pk)

    def after(self, answer: Json) -> tuple[Any, ...]:
        return "chips-asked", UUID(str(answer))


@dataclass(frozen=True)
class Moved:
    """One issue or withdrawal. `by`: who asked for it; `signers`: by name; `approval`: the request,
    none before the house has played.
    """

    words: str
    at: datetime
    lines: list[ChipLine]
    by: str
    signers: list[str]
    approval: Approval | None

    @property
    def sum_minor(self) -> int:
        """What they are worth."""
        return worth_minor(self.lines)


def _page(
    request: HttpRequest, person: Person, house: House, refusal: Wrong | None = None
) -> HttpResponse:
    issued = chips_issued(house_id=house.pk)
    form = _ChipsRequest.offered(house, person, refusal, kind=ChipMoveKind.ISSUE.value)
    lines = chip_lines(form.chips, {value: issued.get(value, 0) for value in form.chips})
    may_ask = person.has_perm(REQUEST_CHIPS) and bool(form.chips)
    waiting = Approval.objects.filter(WAITING, house=house, action=ISSUE).order_by("requested_at")
    context = {
        "lines": lines,
        "pieces": sum(line.pieces for line in lines),
        "worth_minor": worth(issued),
        "sums": _sums(house),
        "inventory": Inventory.objects.filter(pk=house.pk).first(),
        "form": form if may_ask else None,
        "signers": signers_besides(person, ISSUE, house) if may_ask else None,
        "asked": [(approval, say(ChipMoveKind, approval.payload["kind"])) for approval in waiting],
        "moves": _moves(house, form),
        "forms": {form.at} if may_ask else set(),
    }
    return page(request, person, "cage/chips.html", context, house=house, wrong=refusal)


def _sums(house: House) -> Mapping[str, int]:
    """What is in service by the books, and of that in vault, trays and outside, in minor units."""
    kinds = {"chip_stock": "stock", "cage_chips": "vault", "tray": "trays", "chips_outside": "out"}
    sums = dict.fromkeys(kinds.values(), 0)
    rows = Account.objects.filter(house=house, kind__in=kinds)
    for kind, balance in rows.values_list("kind", "balance_minor"):
        sums[kinds[kind]] += balance
    return sums | {"stock": -sums["stock"]}


def _moves(house: House, form: _ChipsRequest) -> list[Moved]:
    """The newest ones first, the lines of one request together."""
    rows = ChipMove.objects.filter(house=house).select_related("approval__requester")
    rows = rows.prefetch_related("approval__signatures__signer").order_by("-pk")[:MOVES_MOST]
    groups: dict[object, list[ChipMove]] = {}
    for row in rows:
        groups.setdefault(row.approval_id or row.transfer_id, []).append(row)
    return [_moved(moves, form) for moves in groups.values()]


def _moved(moves: list[ChipMove], form: _ChipsRequest) -> Moved:
    first = moves[0]
    pieces = {
        move.value_minor: move.pieces if move.to_place == first.to_place else -move.pieces
        for move in sorted(moves, key=lambda move: move.value_minor)
    }
    approval = first.approval
    signatures = approval.signatures.all() if approval else ()
    return Moved(
        words=say(ChipMoveKind, first.kind),
        at=first.at,
        lines=chip_lines(form.chips, pieces),
        by=approval.requester.full_name if approval and approval.requester else "",
        signers=[signature.signer.full_name for signature in signatures],
        approval=approval,
    )


def _house(person: Person, _pk: None = None) -> House:
    return house_clock_of(person).house


PAGE = Page("cage-chips", _house, _page, by_name(_ChipsRequest))
