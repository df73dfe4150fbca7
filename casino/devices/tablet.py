"""What a request says about the tablet that it comes from: a cookie for each device, and a door before every page under /tablet/.

One browser may hold several devices (a technician's, or the demo's, whose tables all stand on one desk), so the cookie's name and
the page's address both carry the device's id. The office's session plays no part: who is signed in there is nobody here.
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
from structlog.contextvars import bind_contextvars

from casino.devices.cookies import DeviceCookies
from casino.devices.models import Device
from casino.devices.refusals import NotEnrolled
from casino.devices.signin import Seat, seat_of
from casino.people.models import Person
from casino.text.problems import problem, sentences, wants_json

COOKIES = DeviceCookies(f"saalchef-device-{settings.INSTANCE}-")


class TabletRequest(HttpRequest):
    """A request that came through the tablet's door."""

    seat: Seat
    device: Device
    device_person: Person | None


def seat_from_cookies(cookies: Mapping[str, str], device_id: UUID) -> Seat:
    """The device of this id, by its cookie (of a request or a socket). Raises NotEnrolled."""
    token = COOKIES.token(cookies, device_id)
    if not token:
        raise NotEnrolled
    return seat_of(device_id=device_id, token=token)


def at_tablet(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator of a page of one device: the request gets `seat`, `device`, `device_person`. Nobody else gets further."""

    @login_not_required
    @wraps(view)
    def guarded(request: HttpRequest, device_id: UUID, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            seat = seat_from_cookies(request.COOKIES, device_id)
        except NotEnrolled as refused:
            return _turned_away(request, device_id, refused)
        bind(request, seat)
        timezone.activate(ZoneInfo(seat.device.house.time_zone))
        return view(request, *args, **kwargs)

    return guarded


def _turned_away(request: HttpRequest, device_id: UUID, refused: NotEnrolled) -> HttpResponse:
    if wants_json(request):
        return problem(refused, 403)
    sentence, remedy = sentences(refused)
    said = {"sentence": sentence, "remedy": remedy, "counts_stored": True}
    response = render(request, "tablet/turned_away.html", said, status=403)
    COOKIES.drop(response, device_id)
    return response


def bind(request: Any, seat: Seat) -> None:
    """Say on the request, and in every line that it logs, which device it comes from and who is signed in; speak his language."""
    request.seat, request.device, request.device_person = seat, seat.device, seat.person
    bind_contextvars(device_id=str(seat.device.pk))
    if seat.person:
        bind_contextvars(user_id=str(seat.person.pk))
    _speak(request, seat.person)


def _speak(request: HttpRequest, person: Person | None) -> None:
    """The person's language, else the browser's: not that of whoever is signed in at the office in another window."""
    language = person.language if person else ""
    translation.activate(language or translation.get_language_from_request(request))
    request.LANGUAGE_CODE = translation.get_language()
