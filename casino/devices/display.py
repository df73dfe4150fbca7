"""What a request says about the display that it comes from, and a door before every page under /display/.

As with tablets, one browser may hold several displays, so the cookie's name and the page's address both carry the device's id.

Note [Forged posts]: the cookie goes along with whatever its browser sends, so a post must also name its device in the header
`X-Saalchef-Device`, which no form and no foreign script can set; the cookie is SameSite=Strict; and a browser that says that the
post comes from elsewhere (`Sec-Fetch-Site`) is believed. Not Django's token: a display's page stays open for a day, and somebody
may sign in at the office in the same browser meanwhile.
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

from casino.devices.api import HEADER
from casino.devices.cookies import DeviceCookies
from casino.devices.models import DISPLAY, Device
from casino.devices.refusals import DeviceForeignPage, NotEnrolled
from casino.devices.services import token_hash
from casino.devices.signin import note_seen
from casino.text.problems import problem, sentences
from payouts.models import House

COOKIES = DeviceCookies(f"saalchef-display-{settings.INSTANCE}-")


class DisplayRequest(HttpRequest):
    """A request that came through the display's door."""

    device: Device


def display_from_cookies(cookies: Mapping[str, str], device_id: UUID) -> Device:
    """The display of this id, by its cookie (of a request or a socket). One statement. Raises NotEnrolled."""
    token = COOKIES.token(cookies, device_id)
    if not token:
        raise NotEnrolled
    found = Device.objects.select_related("jackpot", "house")
    device = found.filter(token_hash=token_hash(token), pk=device_id, kind=DISPLAY, revoked_at=None).first()
    if device is None:
        raise NotEnrolled
    note_seen(device)
    return device


def at_display(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator of the display's page: the request gets `device`; nobody else gets further. It speaks the house's language."""

    @login_not_required
    @wraps(view)
    def guarded(request: HttpRequest, device_id: UUID, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            bind(request, display_from_cookies(request.COOKIES, device_id))
        except NotEnrolled as refused:
            sentence, remedy = sentences(refused)
            words = {"sentence": sentence, "remedy": remedy}
            response = render(request, "display/turned_away.html", words, status=403)
            COOKIES.drop(response, device_id)
            return response
        return view(request, *args, **kwargs)

    return guarded


def from_display(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator of what the display's own script asks and tells: a refusal is a problem document."""

    @csrf_exempt  # Note [Forged posts]
    @login_not_required
    @wraps(view)
    def guarded(request: HttpRequest, device_id: UUID, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
                raise DeviceForeignPage
            if request.headers.get(HEADER, "").lower() != str(device_id):
                raise DeviceForeignPage
            bind(request, display_from_cookies(request.COOKIES, device_id))
        except (NotEnrolled, DeviceForeignPage) as refused:
            return problem(refused)
        return view(request, *args, **kwargs)

    return guarded


def bind(request: Any, device: Device) -> None:
    """Say on the request, and in every line that it logs, which display it comes from; speak its house's language and time."""
    request.device = device
    bind_contextvars(device_id=str(device.pk))
    timezone.activate(ZoneInfo(device.house.time_zone))
    translation.activate(language_of(device.house))
    request.LANGUAGE_CODE = translation.get_language()


def language_of(house: House) -> str:
    """The language of the house's displays: that in which it writes its amounts."""
    language = house.locale.partition("-")[0]
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
