"""The cookies by which a browser is a device: one for each, since a browser may hold several, named by the device's id.

For no script and no other site; each load of the device's page gives the cookie anew.
"""

from collections.abc import Mapping
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse

AGE_S = 400 * 24 * 3600  # as long as browsers keep one
MOST = 64  # that are read of what a browser sends


class DeviceCookies:
    """Those of one kind of device, all named `{prefix}{id}`."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def name(self, device_id: UUID) -> str:
        """What this device's cookie is called."""
        return f"{self.prefix}{device_id.hex}"

    def token(self, cookies: Mapping[str, str], device_id: UUID) -> str:
        """The device's token, or nothing."""
        return cookies.get(self.name(device_id), "")

    def held(self, cookies: Mapping[str, str]) -> dict[UUID, str]:
        """The devices that the browser says it is, with their tokens; whether it is one, nobody has asked yet."""
        held: dict[UUID, str] = {}
        for name, token in cookies.items():
            if name.startswith(self.prefix) and len(held) < MOST:
                try:
                    held[UUID(hex=name.removeprefix(self.prefix))] = token
                except ValueError:
                    continue
        return held

    def give(self, response: HttpResponse, device_id: UUID, token: str) -> None:
        """Make the browser this device."""
        response.set_cookie(
            self.name(device_id),
            token,
            max_age=AGE_S,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Strict",
        )

    def renew(self, request: HttpRequest, response: HttpResponse, device_id: UUID) -> None:
        """Let the cookie live on from today."""
        self.give(response, device_id, request.COOKIES[self.name(device_id)])

    def drop(self, response: HttpResponse, device_id: UUID) -> None:
        """Forget a device that is in service no more."""
        response.delete_cookie(self.name(device_id), samesite="Strict")
