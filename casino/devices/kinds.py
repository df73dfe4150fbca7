"""The two kinds of devices that are browsers, tablets of tables and displays of jackpots: all in
which they differ, and their cookies.

One browser may hold several devices (a technician's, or the demo's, whose tables all stand on one
desk), so a cookie's name and the address of a device's pages both carry its id. Its cookie is for
no script and no other site; each load of its page gives it anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.devices.models import DISPLAY, TABLET

AGE_S = 400 * 24 * 3600  # as long as browsers keep a cookie
MOST = 64  # cookies that are read of what a browser sends


@dataclass(frozen=True)
class BrowserKind:
    """Its name in rows, addresses and templates; what such a device belongs to, as forms name it;
    words of its pages.
    """

    name: str
    place: str
    prefix: str
    which: Promise
    enrol: Promise
    lead: Promise
    demo: Promise

    def cookie(self, device_id: UUID) -> str:
        """What this device's cookie is called."""
        return f"{self.prefix}{device_id.hex}"

    def token(self, cookies: Mapping[str, str], device_id: UUID) -> str:
        """The device's token, or nothing."""
        return cookies.get(self.cookie(device_id), "")

    def tokens(self, cookies: Mapping[str, str]) -> dict[UUID, str]:
        """The devices that the browser says it is, with their tokens; whether it is one, nobody has
        asked yet.
        """
        tokens: dict[UUID, str] = {}
        for name, token in cookies.items():
            if name.startswith(self.prefix) and len(tokens) < MOST:
                try:
                    tokens[UUID(hex=name.removeprefix(self.prefix))] = token
                except ValueError:
                    continue
        return tokens

    def give(self, response: HttpResponse, device_id: UUID, token: str) -> None:
        """Make the browser this device."""
        response.set_cookie(
            self.cookie(device_id),
            token,
            max_age=AGE_S,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Strict",
        )

    def renew(self, request: HttpRequest, response: HttpResponse, device_id: UUID) -> None:
        """Let the cookie live on from today."""
        self.give(response, device_id, request.COOKIES[self.cookie(device_id)])

    def drop(self, response: HttpResponse, device_id: UUID) -> None:
        """Forget a device that is in service no more."""
        response.delete_cookie(self.cookie(device_id), samesite="Strict")


TABLETS = BrowserKind(
    name=TABLET,
    place="table",
    prefix=f"saalchef-device-{settings.INSTANCE}-",
    which=_("Which table?"),
    enrol=_("Enrol this tablet"),
    lead=_(
        "A pit boss, a technician or a manager makes a code for the table under “Devices”."
        " It is good for one tablet and a few minutes."
    ),
    demo=_("Demo: be the tablet of"),
)
DISPLAYS = BrowserKind(
    name=DISPLAY,
    place="jackpot",
    prefix=f"saalchef-display-{settings.INSTANCE}-",
    which=_("Which display?"),
    enrol=_("Enrol this display"),
    lead=_(
        "A pit boss, a technician or a manager makes a code for the jackpot under “Devices”."
        " It is good for one display and a few minutes."
    ),
    demo=_("Demo: be a display of"),
)
