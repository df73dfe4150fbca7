"""Who calls the API from a table: a person on their tablet (Note [Forged calls] in
`casino/devices/door.py`), or a card feed.
"""

from typing import Any
from uuid import UUID

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from structlog.contextvars import bind_contextvars

from casino.devices.alone import tablet_use
from casino.devices.door import HEADER, bind, foreign_refuse, seat_from_cookies
from casino.devices.kinds import TABLETS
from casino.devices.models import FEED, Device
from casino.devices.refusals import DeviceIdle, DeviceSignInRequired, NotEnrolled
from casino.devices.signin import Seat, seat_of
from casino.devices.stored import tablet_report
from casino.people.models import Person
from payouts.errors import Refused

# the how many-th command of the device it is, and when it was given by the device's clock: for the
# log
EVENT = "X-Saalchef-Event"
EVENT_MOST = 60


class DeviceAuthentication(BaseAuthentication):
    """A person signed in on a tablet: `request.user` is the person, `request.auth` the Device.
    Without the header: not ours to say.

    Raises NotEnrolled, DeviceForeignPage, DeviceSignInRequired, DeviceIdle (for commands that were
    not queued).
    """

    def authenticate(self, request: Request) -> tuple[Person, Device] | None:
        """Person and device, or None if the call names no device."""
        named = request.headers.get(HEADER)
        if named is None:
            return None
        try:
            seat = self._seat(request, named)
        except Refused:
            _nobody(request)
            raise
        bind(request._request, seat)
        bind_contextvars(device_event=request.headers.get(EVENT, "")[:EVENT_MOST])
        if seat.person is None:
            _nobody(request)
            raise DeviceSignInRequired
        if request.method not in SAFE_METHODS and not _takes_queued(request):
            try:
                tablet_use(seat)
            except DeviceIdle:
                _nobody(request)
                raise
        return seat.person, seat.device

    def _seat(self, request: Request, named: str) -> Seat:
        foreign_refuse(request.headers)
        try:
            device_id = UUID(named)
        except ValueError as error:
            raise NotEnrolled from error
        report = tablet_report(request.headers)
        return seat_from_cookies(TABLETS, request.COOKIES, device_id, report)

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return f'{HEADER} realm="saalchef"'


class FeedAuthentication(BaseAuthentication):
    """A shoe or shuffler with its bearer token: `request.user` is None, `request.auth` the Device.
    Raises NotEnrolled.
    """

    def authenticate(self, request: Request) -> tuple[Any, Device] | None:
        """Nobody and the device, or None if the call bears no token."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            seat = seat_of(device_id=None, token=token.strip(), kind=FEED)
        except Refused:
            _nobody(request)
            raise
        bind(request._request, seat)
        return None, seat.device

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return 'Bearer realm="saalchef"'


def _takes_queued(request: Request) -> bool:
    """Whether the command may be one that was queued: it is taken from a tablet that waits for the
    PIN, too; the view has the others refused (`tablet_use`).
    """
    return getattr(request.parser_context.get("view"), "takes_queued", False)


def _nobody(request: Request) -> None:
    """Settle who asks before a refusal goes up: whoever words it reads `request.user`, and would be
    refused again.
    """
    request.user, request.auth = None, None  # type: ignore[assignment]  # as UNAUTHENTICATED_USER has it


class _DeviceScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = DeviceAuthentication
    name = "tablet"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": HEADER,
            "description": (
                "The id of an enrolled tablet on which a person is signed in; its cookie must come"
                " along."
            ),
        }


class _FeedScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = FeedAuthentication
    name = "feed"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of an enrolled card feed.",
        }
