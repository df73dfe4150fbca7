"""The door before every page of a tablet or display: which device a request comes from, by the
device's cookie, and who is signed in on it. The office's session plays no part: who is signed in
there is nobody on a device.

Note [Forged calls]: the cookie goes along with whatever its browser sends, so the cookie alone
proves no will. A script's call must name its device in the header `X-Saalchef-Device`, which no
form and no foreign script can set (a script would have to ask first, by CORS, which this house
never allows); the cookie is SameSite=Strict; and a browser that says that the call comes from
elsewhere (`Sec-Fetch-Site`) is believed. Not Django's token: rounds that were queued without a
network are sent hours later, a display's page stays open for a day, and the page's token may be
another by then.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.views.decorators.csrf import csrf_exempt
from structlog.contextvars import bind_contextvars

from casino.devices.kinds import DISPLAYS, TABLETS, BrowserKind
from casino.devices.models import DISPLAY, Device
from casino.devices.refusals import DeviceForeignPage, NotEnrolled
from casino.devices.signin import Seat, seat_of
from casino.devices.stored import TabletReport, tablet_report
from casino.people.models import Person
from casino.text.problems import problem, sentences, wants_json

HEADER = "X-Saalchef-Device"

View = Callable[..., HttpResponse]


class DeviceRequest(HttpRequest):
    """A request that came through the door."""

    seat: Seat
    device: Device
    device_person: Person | None


def seat_from_cookies(
    kind: BrowserKind,
    cookies: Mapping[str, str],
    device_id: UUID,
    report: TabletReport | None = None,
) -> Seat:
    """The device of this kind and id, by its cookie (of a request or a socket). Raises
    NotEnrolled."""
    token = kind.token(cookies, device_id)
    if not token:
        raise NotEnrolled
    return seat_of(device_id=device_id, token=token, kind=kind.name, report=report)


def foreign_refuse(headers: Mapping[str, str]) -> None:
    """Note [Forged calls]. Raises DeviceForeignPage."""
    if headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise DeviceForeignPage


def page_of(kind: BrowserKind) -> Callable[[View], View]:
    """Decorator of a page of one device: the request becomes a DeviceRequest. Nobody else gets
    further.
    """

    def decorated(view: View) -> View:
        @login_not_required
        @wraps(view)
        def guarded(
            request: HttpRequest, device_id: UUID, *args: Any, **kwargs: Any
        ) -> HttpResponse:
            try:
                report = tablet_report(request.headers) if kind is TABLETS else None
                seat = seat_from_cookies(kind, request.COOKIES, device_id, report)
            except NotEnrolled as refused:
                return _turned_away(kind, request, device_id, refused)
            bind(request, seat)
            timezone.activate(ZoneInfo(seat.device.house.time_zone))
            return view(request, *args, **kwargs)

        return guarded

    return decorated


at_tablet, at_display = page_of(TABLETS), page_of(DISPLAYS)


def from_display(view: View) -> View:
    """Decorator of what the display's own script asks and tells: a refusal is a problem
    document."""

    @csrf_exempt  # Note [Forged calls]
    @login_not_required
    @wraps(view)
    def guarded(request: HttpRequest, device_id: UUID, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            foreign_refuse(request.headers)
            if request.headers.get(HEADER, "").lower() != str(device_id):
                raise DeviceForeignPage
            seat = seat_from_cookies(DISPLAYS, request.COOKIES, device_id)
        except (NotEnrolled, DeviceForeignPage) as refused:
            return problem(refused)
        bind(request, seat)
        timezone.activate(ZoneInfo(seat.device.house.time_zone))
        return view(request, *args, **kwargs)

    return guarded


def _turned_away(
    kind: BrowserKind, request: HttpRequest, device_id: UUID, refused: NotEnrolled
) -> HttpResponse:
    if kind is TABLETS and wants_json(request):
        return problem(refused, 403)
    sentence, remedy = sentences(refused)
    context = {
        "kind": kind,
        "sentence": sentence,
        "remedy": remedy,
        "counts_stored": kind is TABLETS,
    }
    response = render(request, "devices/turned_away.html", context, status=403)
    kind.drop(response, device_id)
    return response


def bind(request: Any, seat: Seat) -> None:
    """Say on the request, and in every line that it logs, which device it comes from and who is
    signed in; speak its language.
    """
    request.seat, request.device, request.device_person = seat, seat.device, seat.person
    bind_contextvars(device_id=str(seat.device.pk))
    if seat.person:
        bind_contextvars(user_id=str(seat.person.pk))
    translation.activate(_language(request, seat))
    request.LANGUAGE_CODE = translation.get_language()


def _language(request: HttpRequest, seat: Seat) -> str:
    """A display's is that in which its house writes amounts. Elsewhere the person's, else the
    browser's: not that of whoever is signed in at the office in another window.
    """
    if seat.device.kind == DISPLAY:
        language = seat.device.house.locale.partition("-")[0]
        return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    return (seat.person.language if seat.person else "") or translation.get_language_from_request(
        request
    )
