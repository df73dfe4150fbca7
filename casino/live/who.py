"""Whom a socket belongs to, and which jackpots it may be told of. Asked when it connects, and again
while it is open.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponse, parse_cookie
from django_otp.middleware import OTPMiddleware

from casino.devices.door import seat_from_cookies
from casino.devices.kinds import DISPLAYS, TABLETS
from casino.devices.refusals import NotEnrolled
from casino.live.snapshot import DISPLAY, PIT
from casino.people.models import Person
from casino.people.permissions import VIEW_JACKPOT
from casino.people.signin import step_missing
from jackpot.models import Jackpot, Phase

SIGNED_OUT, NO_RIGHT, UNKNOWN = 4401, 4403, 4404


class TurnedAway(Exception):
    """The socket may not be told anything (any more): the code that it is closed with, for the page
    to act on.
    """

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def jackpots_of(feed: str, scope: Mapping[str, Any]) -> tuple[UUID, ...]:
    """The jackpots that the socket's browser may be told of on this feed. Raises TurnedAway.

    Displays and tablets name themselves (`?device=<uuid>`, since a browser may hold several) and
    prove it by their cookie. The pit is a person's session; `?jackpot=<uuid>` names one jackpot,
    without it all are meant that they reach.
    """
    headers = dict(scope["headers"])
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    if feed == PIT:
        return _of_person(cookies, query)
    return _of_device(feed, cookies, query)


def _of_device(
    feed: str, cookies: Mapping[str, str], query: Mapping[str, list[str]]
) -> tuple[UUID, ...]:
    device_id = _named(query, "device")
    if device_id is None:
        raise TurnedAway(UNKNOWN)
    try:
        if feed == DISPLAY:
            jackpot_id = seat_from_cookies(DISPLAYS, cookies, device_id).device.jackpot_id
        else:
            jackpot_id = seat_from_cookies(TABLETS, cookies, device_id).device.own_table.jackpot_id
    except NotEnrolled:
        raise TurnedAway(SIGNED_OUT) from None
    if jackpot_id is None:
        raise TurnedAway(UNKNOWN)
    return (jackpot_id,)


def _of_person(cookies: Mapping[str, str], query: Mapping[str, list[str]]) -> tuple[UUID, ...]:
    person = _person(cookies.get(settings.SESSION_COOKIE_NAME))
    if person is None or step_missing(person) is not None:
        raise TurnedAway(SIGNED_OUT)
    if not person.has_perm(VIEW_JACKPOT):
        raise TurnedAway(NO_RIGHT)
    reached = Jackpot.objects.exclude(phase=Phase.RETIRED)
    if person.house_id is not None:
        reached = reached.filter(house_id=person.house_id)
    if "jackpot" in query:
        one = _named(query, "jackpot")
        reached = reached.filter(pk=one) if one else reached.none()
    found = tuple(reached.order_by("name", "id").values_list("pk", flat=True))
    if not found and "jackpot" in query:
        raise TurnedAway(UNKNOWN)
    return found


def _person(session_key: str | None) -> Person | None:
    """Who is signed in by this session, their second factor looked up as the pages do."""
    if not session_key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    request.user = get_user(request)
    OTPMiddleware(lambda _request: HttpResponse())(request)
    return request.user if isinstance(request.user, Person) else None


def _named(query: Mapping[str, list[str]], name: str) -> UUID | None:
    try:
        return UUID(query[name][0])
    except (KeyError, ValueError):
        return None
