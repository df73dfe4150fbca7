"""The jackpot's control room: the life of a hit as a timeline, its acts where they belong; past
hits; the meter's course.
"""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET

from casino.people.pages.page import allowed, house_clock_of, page, row_of
from casino.people.permissions import VIEW_HIT
from casino.pit.jackpots import course as jackpot_course
from casino.pit.jackpots import life, show
from casino.pit.jackpots.standing import cancel_of
from casino.pit.jackpots.stations import NOW
from casino.pit.jackpots.steps import JackpotStep, Reader
from casino.text.floor import uuid_or_none
from jackpot.models import Award, Hit, Jackpot


@require_GET
def every(request: HttpRequest) -> HttpResponse:
    """The house's jackpots, each with its control room; the only one is opened at once, none is
    said.
    """
    person = allowed(request, VIEW_HIT)
    there = list(show.jackpots_of(person).order_by("name"))
    if len(there) == 1:
        return redirect("pit-jackpot", there[0].pk)
    context = {"place": "jackpot", "jackpots": show.listed(there), "forms": set()}
    return page(request, person, "pit/room/jackpots.html", context, house_clock_of(person).house)


@require_GET
def room(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The running hit, or the one that is asked for by its number; without any, the meter and the
    history alone.
    """
    person = allowed(request, VIEW_HIT)
    jackpot = row_of(person, show.jackpots_of(person), pk)
    reader = Reader(jackpot, person)
    details = show.details(reader)
    progress = details.progress
    newest = progress.hit if progress else None
    hit = _hit(request, jackpot, newest)
    is_now = hit is not None and hit == newest
    before = _number(request, "before")
    history, older = life.history(jackpot, before)

    def cancel(award: Award) -> JackpotStep | None:
        return cancel_of(reader, award, details.requests)

    steps = life.steps(jackpot, hit, progress if is_now else None, cancel)
    own = show.slips_of(details.slips, hit)
    asked = progress.asked if progress and (is_now or hit is None) else []
    context = (progress._asdict() if progress else {}) | details._asdict()
    context |= {
        "place": "jackpot",
        "hit": hit,
        "is_now": is_now or hit is None,
        "steps": steps,
        "at_hand": next((one.code for one in reversed(steps) if one.state == NOW), ""),
        "history": history,
        "older": older,
        "before": before,
        "newest": newest.number if newest else "",
        "loose": [one for one in asked if hit is None or one.row.subject_id != str(hit.pk)],
        "others": [one for one in details.slips if one not in own],
    }
    return page(request, person, "pit/room/jackpot.html", context, jackpot.house)


@require_GET
def meter(request: HttpRequest, pk: UUID) -> JsonResponse:
    """The meter over its running epoch, or another one by `?epoch=`: seconds, amounts, marks;
    labels as the house writes them.
    """
    person = allowed(request, VIEW_HIT)
    jackpot = row_of(person, show.jackpots_of(person), pk)
    epoch_id = (
        uuid_or_none(request.GET.get("epoch")) if "epoch" in request.GET else jackpot.epoch_id
    )
    course = jackpot_course.course(jackpot, epoch_id) if epoch_id else None
    if course is None:
        raise Http404
    return JsonResponse(course)


def _hit(request: HttpRequest, jackpot: Jackpot, newest: Hit | None) -> Hit | None:
    wanted = _number(request, "hit")
    return newest if wanted is None else get_object_or_404(Hit, jackpot=jackpot, number=wanted)


def _number(request: HttpRequest, name: str) -> int | None:
    """A hit's number as the address says it; None if it says none."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > 9:
        raise Http404
    return int(text)
