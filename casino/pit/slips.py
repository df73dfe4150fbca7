"""The cage: a slip found by what is written or scanned, paid with the cashier's PIN, printed, taken back within a minute."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import segno
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from casino.people.models import Person
from casino.people.page import Wrong, allowed, here_of, key_of, page, reason_of, row_of, secret, typed
from casino.people.permissions import PAY_SLIPS, VIEW_SLIP
from casino.people.proofs import run_signed
from casino.pit.jackpots.show import evidence_of_claim, results_of
from casino.text import floor as floor_words
from casino.text.problems import sentences
from casino.text.wording import guest_name
from jackpot import services
from jackpot.errors import SlipDoubted, SlipUnknown
from jackpot.models import Award, Slip
from jackpot.rules import slip_number
from jackpot.services.slips import cash_amount
from payouts.commands import request_fingerprint
from payouts.errors import Refused
from payouts.models import House
from tables.models import Guest, Round, Table
from tables.selectors.rounds import awards_doubted

Words = dict[str, str]
STAYS = timedelta(hours=12)  # how long a slip that is paid keeps its place in the list
TAKE_BACK_S = 60  # as `slip_fresh_v1`


@require_GET
def every(request: HttpRequest) -> HttpResponse:
    """Slips by their number, each in its place whatever becomes of it; what is typed or scanned is opened."""
    person = allowed(request, VIEW_SLIP)
    house, number = here_of(person).house, request.GET.get("number", "").strip()
    wrong = None
    if number:
        if found := _find(house, number):
            return redirect("floor-slip", found.pk)
        wrong = Wrong("find", SlipUnknown())
    since = timezone.now() - STAYS
    there = Q(state=Slip.State.OPEN) | Q(paid_at__gte=since) | Q(cancelled_at__gte=since)
    rows = list(_rows().filter(there, house=house).order_by("number"))
    context = {"slips": _shown(rows, house), "forms": {"find"}, "words": {"number": number}, "now": timezone.now()}
    return page(request, person, "pit/slips/slips.html", context, house, wrong)


@require_GET
def one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A slip, large: for whom, how much, and the form that is due; on paper the slip itself, and once paid its receipt."""
    return _page(request, allowed(request, VIEW_SLIP), pk)


@require_POST
@sensitive_post_parameters("secret")
def step(request: HttpRequest, pk: UUID, step: str) -> HttpResponse:
    """Pay it, or take the payment back."""
    if step not in STEPS:
        raise Http404
    person = allowed(request, PAY_SLIPS)
    slip = row_of(person, _rows(), pk)
    try:
        said = STEPS[step](request, person, slip, typed(request))
    except Refused as refused:
        return _page(request, person, pk, Wrong(step, refused))
    messages.success(request, said % {"number": slip.written})
    return redirect("floor-slip", pk)


def _pay(request: HttpRequest, person: Person, slip: Slip, words: Words) -> str:
    cash = words.get("cash_minor", "")
    minor = int(cash) if cash.isdecimal() and len(cash) < 16 else -1
    _proved(request, person, slip, "slip.pay", {"cash_minor": minor}, services.slip_pay)
    return _("Slip %(number)s is paid.")


def _take_back(request: HttpRequest, person: Person, slip: Slip, words: Words) -> str:
    _proved(request, person, slip, "slip.take_back", {"reason": reason_of(words)}, services.slip_take_back)
    return _("The payment of slip %(number)s is taken back.")


def _proved(
    request: HttpRequest, person: Person, slip: Slip, command: str, values: dict[str, Any], act: Callable[..., Slip]
) -> None:
    """Carry out once for the form's key, with the person's PIN."""
    ids = {"house_id": slip.house_id, "slip_id": slip.pk, "actor_id": person.pk}
    asked = request_fingerprint(command, person.pk, {"slip": str(slip.pk), **values})
    key, proof = key_of(request, person), secret(request)
    run_signed(key, asked, person=person, method="pin", secret=proof, work=lambda: act(**ids, **values).state)


STEPS: dict[str, Callable[[HttpRequest, Person, Slip, Words], str]] = {"pay": _pay, "take-back": _take_back}


# --- what is shown --------------------------------------------------------------------------------------------------------------
def _rows() -> QuerySet[Slip]:
    return Slip.objects.select_related("award__jackpot", "award__hit", "award__claim", "paid_by", "house", "taken_back")


def _find(house: House, text: str) -> Slip | None:
    """The slip with the number that was typed, or scanned: a scanner that is set for another keyboard writes another hyphen."""
    number = slip_number.read(re.sub("['’ß)]", "-", text.lstrip("#")))
    return number and Slip.objects.filter(house=house, number=number[0], incarnation=number[1]).first()


def _shown(rows: list[Slip], house: House) -> list[dict[str, Any]]:
    guests = Guest.objects.in_bulk({one.award.guest_id for one in rows})
    tables = Table.objects.in_bulk({one.award.table_id for one in rows})
    open_ = Award.objects.filter(pk__in=[one.award_id for one in rows if one.state == Slip.State.OPEN])
    doubted = set(awards_doubted(open_).values_list("pk", flat=True))
    return [
        {
            "row": one,
            "cash_minor": cash_amount(one.award.amount_minor, house.currency),
            "kind": floor_words.say(floor_words.AWARD_KINDS, one.award.kind),
            "table": tables[one.award.table_id].name,
            "guest": guest_name(guests[one.award.guest_id].number) if one.award.guest_id in guests else "",
            "state": _("not to be paid now: the round was corrected")
            if one.award_id in doubted
            else floor_words.say(Slip.State, one.state),
        }
        for one in rows
    ]


def _page(request: HttpRequest, person: Person, pk: UUID, wrong: Wrong | None = None) -> HttpResponse:
    slip = row_of(person, _rows(), pk)
    may_pay, claim = person.has_perm(PAY_SLIPS) and person.house_id is not None, slip.award.claim
    may_take_back = may_pay and slip.paid_by_id == person.pk and services.may_take_back(slip)
    doubted = slip.state == Slip.State.OPEN and services.slip_doubted(slip.award)
    context = {
        "slip": slip,
        "doubted": sentences(SlipDoubted(), slip.house) if doubted else None,
        "one": _shown([slip], slip.house)[0],
        "round": Round.objects.filter(pk=slip.award.round_id).first(),
        "seen": evidence_of_claim(claim, results_of([claim]).get(claim.pk, {})) if claim else None,
        "code": segno.make(slip.written, error="m", micro=False).svg_inline(
            omitsize=True, border=2, svgclass="qr", lineclass=None
        ),
        "may_pay": may_pay and slip.state == Slip.State.OPEN,
        "may_take_back": may_take_back,
        "until": slip.paid_at + timedelta(seconds=TAKE_BACK_S) if slip.paid_at else None,
        "has_pin": bool(person.pin),
        "forms": {"pay"} if slip.state == Slip.State.OPEN else {"take-back"} if may_take_back else set(),
        "words": typed(request) if wrong else {},
    }
    return page(request, person, "pit/slips/slip.html", context, slip.house, wrong)
