"""The cage: a slip found by what is written or scanned, paid with the cashier's PIN, printed, taken
back within a minute.
"""

import re
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import segno
from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_GET

from casino.people.models import Person
from casino.people.pages.fields import Reason, Secret, Text
from casino.people.pages.page import Wrong, allowed, house_clock_of, page, row_of
from casino.people.pages.signed_step import PROOF, ProvedStep
from casino.people.pages.steps import Page, by_name
from casino.people.permissions import PAY_SLIPS, VIEW_SLIP
from casino.pit.jackpots.claims import hand_of, results_of
from casino.text import floor
from casino.text.problems import sentences
from casino.text.wording import guest_name
from jackpot import services
from jackpot.errors import SlipDoubted, SlipUnknown
from jackpot.models import Award, Slip
from jackpot.rules import slip_number
from jackpot.services.slips import cash_amount
from payouts.errors import mark
from payouts.models import House
from payouts.rules.plain import Json
from tables.models import Guest, Round, Table
from tables.selectors.rounds import awards_doubted

STAYS = timedelta(hours=12)  # how long a slip that is paid keeps its place in the list
TAKE_BACK_S = 60  # as `slip_fresh_v1`


@require_GET
def every(request: HttpRequest) -> HttpResponse:
    """Slips by their number, each in its place whatever becomes of it; what is typed or scanned is
    opened.
    """
    person = allowed(request, VIEW_SLIP)
    house, number = house_clock_of(person).house, request.GET.get("number", "").strip()
    wrong = None
    if number:
        if found := _find(house, number):
            return redirect("floor-slip", found.pk)
        wrong = Wrong("find", SlipUnknown())
    since = timezone.now() - STAYS
    there = Q(state=Slip.State.OPEN) | Q(paid_at__gte=since) | Q(cancelled_at__gte=since)
    rows = list(_rows().filter(there, house=house).order_by("number"))
    context = {
        "slips": _slips(rows, house),
        "forms": {"find"},
        "words": {"number": number},
        "now": timezone.now(),
    }
    return page(request, person, "pit/slips/slips.html", context, house, wrong)


@require_GET
def one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A slip, large: for whom, how much, and the form that is due; on paper the slip itself, and
    once paid its receipt.
    """
    person = allowed(request, VIEW_SLIP)
    return _page(request, person, _slip(person, pk))


class _SlipStep(ProvedStep[Slip]):
    permission, subject = PAY_SLIPS, "slip"

    @property
    def ids(self) -> dict[str, Any]:
        return {"house_id": self.row.house_id, "slip_id": self.row.pk, "actor_id": self.person.pk}

    def message(self, answer: Json) -> str:
        return _(self.done) % {"number": self.row.written}


class _Pay(_SlipStep):
    step, command, done = "pay", "slip.pay", mark("Slip %(number)s is paid.")
    cash_minor = Text(widget=forms.HiddenInput)
    secret = Secret(
        label=lazy("Your PIN"), widget=forms.PasswordInput(PROOF | {"id": "pin", "autofocus": True})
    )

    def carry_out(self) -> Json:
        cash = self.values["cash_minor"]
        minor = int(cash) if cash.isdecimal() and len(cash) < 16 else -1
        return services.slip_pay(**self.ids, cash_minor=minor).state


class _TakeBack(_SlipStep):
    """Take the payment back."""

    step, command, done = (
        "take-back",
        "slip.take_back",
        mark("The payment of slip %(number)s is taken back."),
    )
    reason = Reason(500, label=lazy("Reason"))
    field_order = ("reason", "secret")

    def carry_out(self) -> Json:
        return services.slip_take_back(**self.ids, reason=self.values["reason"]).state


def _rows() -> QuerySet[Slip]:
    return Slip.objects.select_related(
        "award__jackpot", "award__hit", "award__claim", "paid_by", "house", "taken_back"
    )


def _find(house: House, text: str) -> Slip | None:
    """The slip with the number that was typed, or scanned: a scanner that is set for another
    keyboard writes another hyphen.
    """
    number = slip_number.read(re.sub("['’ß)]", "-", text.lstrip("#")))
    return (
        number and Slip.objects.filter(house=house, number=number[0], incarnation=number[1]).first()
    )


class SlipRow(NamedTuple):
    """A slip with what of it is paid in coins and notes (minor units), and where it stands."""

    row: Slip
    cash_minor: int
    kind: str
    table: str
    guest: str
    state: str


def _slips(rows: list[Slip], house: House) -> list[SlipRow]:
    guests = Guest.objects.in_bulk({one.award.guest_id for one in rows})
    tables = Table.objects.in_bulk({one.award.table_id for one in rows})
    open_ = Award.objects.filter(
        pk__in=[one.award_id for one in rows if one.state == Slip.State.OPEN]
    )
    doubted = set(awards_doubted(open_).values_list("pk", flat=True))
    return [
        SlipRow(
            one,
            cash_amount(one.award.amount_minor, house.currency),
            floor.say(floor.AWARD_KINDS, one.award.kind),
            tables[one.award.table_id].name,
            guest_name(guests[one.award.guest_id].number) if one.award.guest_id in guests else "",
            (
                _("not to be paid now: the round was corrected")
                if one.award_id in doubted
                else floor.say(Slip.State, one.state)
            ),
        )
        for one in rows
    ]


def _slip(person: Person, pk: UUID | None) -> Slip:
    return row_of(person, _rows(), pk)


def _page(
    request: HttpRequest, person: Person, slip: Slip, wrong: Wrong | None = None
) -> HttpResponse:
    may_pay, claim = person.has_perm(PAY_SLIPS) and person.house_id is not None, slip.award.claim
    may_take_back = may_pay and slip.paid_by_id == person.pk and services.may_take_back(slip)
    doubted = slip.state == Slip.State.OPEN and services.slip_doubted(slip.award)
    row = _slips([slip], slip.house)[0]
    context = {
        "slip": slip,
        "doubted": sentences(SlipDoubted(), slip.house) if doubted else None,
        "one": row,
        "round": Round.objects.filter(pk=slip.award.round_id).first(),
        "seen": hand_of(claim, results_of([claim]).get(claim.pk, {})) if claim else None,
        "code": (
            segno.make(slip.written, error="m", micro=False).svg_inline(
                omitsize=True, border=2, svgclass="qr", lineclass=None
            )
        ),
        "may_pay": may_pay and slip.state == Slip.State.OPEN,
        "pay": _Pay.offered(slip, person, wrong, cash_minor=row.cash_minor),
        "take_back": _TakeBack.offered(slip, person, wrong) if may_take_back else None,
        "until": slip.paid_at + timedelta(seconds=TAKE_BACK_S) if slip.paid_at else None,
        "has_pin": bool(person.pin),
        "forms": (
            {"pay"} if slip.state == Slip.State.OPEN else {"take-back"} if may_take_back else set()
        ),
    }
    return page(request, person, "pit/slips/slip.html", context, slip.house, wrong)


PAGE = Page("floor-slip", _slip, _page, by_name(_Pay, _TakeBack))
