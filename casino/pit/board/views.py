"""The pit's dashboard: all tables at a glance, what waits for somebody, alerts to acknowledge, the
hand-over of a shift.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST, require_safe

from casino.people.models import Person
from casino.people.pages.fields import Text
from casino.people.pages.page import (
    Wrong,
    allowed,
    form_data,
    house_clock_of,
    house_filter,
    page,
    run,
)
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import RUN_FLOOR, VIEW_TABLE
from casino.people.roles import ROLES
from casino.pit.alerts import AlertUnknown, alert_acknowledge, alerts_over_acknowledge
from casino.pit.board import shift, show
from casino.pit.models import ShiftHandOver
from casino.pit.shifts import shift_take_over, shifts_before
from casino.text.problems import STATUS, problem
from casino.text.request_errors import HouseNeeded
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused, mark
from payouts.models import House
from payouts.rules.plain import Json
from tables.models import Table
from tables.services import floor_call, floor_call_take

EARLIER = 10  # hand-overs on a page
# how often the page asks, and after which silence it says that it knows nothing
ASK_MS, STALE_MS = 1_500, 3_000


@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """The dashboard. What moves on it is the fragment below, asked for again and again."""
    person = allowed(request, VIEW_TABLE)
    shown = _board(request, person)
    by = "?by=game" if _by_game(request) else ""
    context = shown._asdict() | {
        "place": "board",
        "theme": ROLES[person.known_roles()[0]].theme,
        "settings": {
            "overview": reverse("pit") + by,
            "board": reverse("pit-board") + by,
            "socket": "/ws/pit/",
            "floor": reverse("floor"),
            "signIn": reverse(settings.LOGIN_URL),
            "askMs": ASK_MS,
            "staleMs": STALE_MS,
        },
        "words": _script_texts(),
        "kiosk": request.GET.get("kiosk") == "1",
        "zone": shown.house.time_zone,
    }
    return render(request, "pit/board/page.html", context)


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """What moves on the dashboard: 304 while it is as the browser has it, since times run on there
    by themselves.
    """
    person = allowed(request, VIEW_TABLE)
    shown = _board(request, person)
    body = render_to_string("pit/board/_live.html", shown._asdict(), request).encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    same = request.headers.get("If-None-Match") == tag
    answer = HttpResponse(status=304) if same else HttpResponse(body)
    answer["ETag"], answer["X-Board-At"] = tag, shown.here.now.isoformat()
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
def acknowledge(request: HttpRequest, pk: int) -> HttpResponse:
    """An alert was seen. The same again, or by another one a moment later, is told who was
    first."""
    person = allowed(request, RUN_FLOOR)
    house_id = house_clock_of(person).house.pk
    if person.house_id is None:
        return problem(HouseNeeded(), STATUS[HouseNeeded.kind])
    key, body = f"alert:{person.pk}:{pk}", {"alert": pk}

    def work() -> Json:
        alert_acknowledge(house_id=house_id, alert_id=pk, person_id=person.pk)
        return None

    try:
        run_once(key, request_fingerprint("alert.acknowledge", person.pk, body), work)
    except Refused as refused:
        return problem(refused, STATUS[refused.kind])
    return JsonResponse({})


@require_POST
def take_call(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Somebody of the floor goes to the table that calls; who comes second is told that it is
    taken.
    """
    return _call(request, pk, "floor.take", floor_call_take)


@require_POST
def seen_to(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A table's call of the floor is seen to; where there is none any more, nothing happens."""
    return _call(request, pk, "floor.seen-to", partial(floor_call, reason=None))


def _call(request: HttpRequest, pk: UUID, command: str, act: Callable[..., object]) -> HttpResponse:
    person = allowed(request, RUN_FLOOR)
    table = get_object_or_404(Table.objects.filter(**house_filter(person)), pk=pk)

    def work() -> Json:
        act(house_id=table.house_id, table_id=pk, actor_id=person.pk)
        return None

    try:
        run(request, person, command, form_data(request) | {"table": str(pk)}, work)
    except Refused as refused:
        return problem(refused, STATUS[refused.kind])
    return JsonResponse({})


class _Take(Step[House]):
    """Take the shift over with what the page showed to be open."""

    step, command, permission = "take", "shift.take_over", RUN_FLOOR
    done = mark("The shift is yours.")
    seen = Text(widget=forms.HiddenInput)
    shown = Text(widget=forms.HiddenInput)
    note = Text(
        label=gettext_lazy("Note"), widget=forms.TextInput({"id": "note", "maxlength": 500})
    )

    def body(self, words: dict[str, str]) -> Mapping[str, object]:
        return words

    def carry_out(self) -> Json:
        text, shown = self.values["seen"], self.values["shown"]
        seen = int(text) if text.isdecimal() and len(text) < 9 else -1
        return shift_take_over(
            house_id=self.row.pk,
            person_id=self.person.pk,
            seen=seen,
            was_open=lambda: shift.unseal(self.row, seen, shown),
            note=self.values["note"],
        ).number


class _Acknowledge(Step[House]):
    """Acknowledge all alerts that the page listed as over; what ended since stays as it is."""

    step, command, permission = "acknowledge", "alerts.acknowledge", RUN_FLOOR
    subject = "house"
    alerts = Text(widget=forms.HiddenInput)

    def carry_out(self) -> Json:
        ids = self.values["alerts"].split()
        if not all(pk.isascii() and pk.isdecimal() and len(pk) < 19 for pk in ids):
            raise AlertUnknown
        return alerts_over_acknowledge(
            house_id=self.row.pk, alert_ids=[int(pk) for pk in ids], person_id=self.person.pk
        )

    def message(self, answer: Json) -> str:
        count = int(str(answer))
        words = ngettext("%(count)s alert acknowledged.", "%(count)s alerts acknowledged.", count)
        return words % {"count": count}


@require_GET
def hand_over(request: HttpRequest) -> HttpResponse:
    """Who has the shift, what is open since when, and the form that takes it over."""
    person = allowed(request, VIEW_TABLE)
    return _hand_over_page(request, person, house_clock_of(person).house)


def _hand_over_page(
    request: HttpRequest, person: Person, house: House, wrong: Wrong | None = None
) -> HttpResponse:
    board = show.board(house, person)
    newest = board.shift
    rows = shift.open_now(board)
    over = shift.over_now(board)
    others = shift.over_of_others(board, person.pk) if person.has_perm(RUN_FLOOR) else []
    seen, more_seen = shift.acknowledged(board)
    earlier = shifts_before(house_id=house.pk, number=_before(request, newest), most=EARLIER + 1)
    may_take = person.has_perm(RUN_FLOOR) and (newest is None or newest.taken_by_id != person.pk)
    take = _Take.offered(house, person, wrong)
    number = newest.number if newest else 0
    take.initial = {
        **take.initial,
        "seen": number,
        "shown": shift.seal(house, number, [*rows, *over]),
    }
    context = {
        "place": "shift",
        "shift": newest,
        "open_now": rows,
        "over": over,
        "others": len(others),
        "see": _Acknowledge.offered(house, person, wrong, alerts=" ".join(others)),
        "acknowledged": seen,
        "more_acknowledged": more_seen,
        "earlier": earlier[:EARLIER],
        "older": earlier[EARLIER - 1].number if len(earlier) > EARLIER else None,
        "totals": board.totals,
        "take": take if may_take else None,
        "now": board.here.now,
        "forms": ({"take"} if may_take else set()) | ({"acknowledge"} if others else set()),
    }
    return page(request, person, "pit/board/hand_over.html", context, house, wrong)


SHIFT = Page(
    "pit-hand-over",
    lambda person, _pk: house_clock_of(person).house,
    _hand_over_page,
    by_name(_Take, _Acknowledge),
)


def _before(request: HttpRequest, newest: ShiftHandOver | None) -> int:
    """Earlier hand-overs are those before the newest one, or before `?before=`."""
    text = request.GET.get("before", "")
    if not text:
        return newest.number if newest else 0
    if not text.isdecimal() or len(text) > 9:
        raise Http404
    return int(text)


def _board(request: HttpRequest, person: Person) -> show.Board:
    return show.board(house_clock_of(person).house, person, by_game=_by_game(request))


def _by_game(request: HttpRequest) -> bool:
    return request.GET.get("by") == "game"


def _script_texts() -> dict[str, str]:
    """What the page's script says."""
    return {
        "stale": _("No live data since {time}"),
        "lost": _("The connection is lost: nothing here is live."),
        "lag": _("{seconds} s old"),
        "failed": _("This was not done. Look at it again."),
        "updated": _("Updated"),
        "panelFailed": _(
            "This could not be read. Try again; what you see behind it may be older than it looks."
        ),
        "panelUnknown": _(
            "No answer came: whether it was done is not known. Read again, and look before you"
            " repeat it."
        ),
    }
