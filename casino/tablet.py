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

from casino.devices_refusals import NotEnrolled
from casino.devices_signin import Seat, seat_of
from casino.models import Person
from casino.models_devices import Device
from casino.problems import problem, sentences, wants_json

COOKIE = f"saalchef-device-{settings.INSTANCE}-"
COOKIE_AGE_S = 400 * 24 * 3600  # as long as browsers keep one; every sign-in gives it anew
COOKIES_MOST = 64


class TabletRequest(HttpRequest):
    """A request that came through the tablet's door."""

    seat: Seat
    device: Device
    device_person: Person | None


def seat_from_cookies(cookies: Mapping[str, str], device_id: UUID) -> Seat:
    """The device of this id, by its cookie (of a request or a socket). Raises NotEnrolled."""
    token = cookies.get(f"{COOKIE}{device_id.hex}")
    if not token:
        raise NotEnrolled
    return seat_of(device_id=device_id, token=token)


def devices_held(cookies: Mapping[str, str]) -> list[UUID]:
    """The ids of the devices whose cookies the browser holds; whether they are in service is not asked."""
    held: list[UUID] = []
    for name in cookies:
        if name.startswith(COOKIE) and len(held) < COOKIES_MOST:
            try:
                held.append(UUID(hex=name.removeprefix(COOKIE)))
            except ValueError:
                continue
    return held


def cookie_set(response: HttpResponse, device: Device, token: str) -> None:
    """Give the device's token to its browser, for no script and no other site."""
    response.set_cookie(
        f"{COOKIE}{device.pk.hex}",
        token,
        max_age=COOKIE_AGE_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def cookie_renew(request: HttpRequest, response: HttpResponse, device: Device) -> None:
    """Let the cookie live on from today."""
    cookie_set(response, device, request.COOKIES[f"{COOKIE}{device.pk.hex}"])


def cookie_drop(response: HttpResponse, device_id: UUID) -> None:
    """Forget a device that is in service no more."""
    response.delete_cookie(f"{COOKIE}{device_id.hex}", samesite="Strict")


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
    response = render(request, "tablet/turned_away.html", {"sentence": sentence, "remedy": remedy}, status=403)
    cookie_drop(response, device_id)
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
