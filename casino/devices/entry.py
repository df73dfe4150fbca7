"""How a browser becomes a tablet or display: it finds its device, or types a code that somebody has
made, or in the demo taps.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.devices.door import seat_from_cookies
from casino.devices.forms import CodeForm
from casino.devices.kinds import TABLETS, BrowserKind
from casino.devices.models import Device
from casino.devices.refusals import DeviceJackpotUnknown, DeviceTableUnknown
from casino.devices.services import device_enrol, in_service
from casino.people.refusals import DemoRefused
from casino.text.problems import refusal_context
from payouts.errors import Refused


@dataclass(frozen=True)
class Entry:
    """Where a kind of device begins. In demo mode: the places that offer one, what makes one, and
    whether one of them waits to be taken, which of the browser's own it is not.
    """

    kind: BrowserKind
    demo_places: Callable[[], Collection[Any]]
    demo_enrol: Callable[..., tuple[Device, str]]
    demo_waits: Callable[[Collection[UUID]], bool] = lambda _own: False


@login_not_required
@require_GET
def start(request: HttpRequest, entry: Entry) -> HttpResponse:
    """To the only device of this browser; if it has several, which one; if none, to its
    enrolment."""
    kind = entry.kind
    tokens = kind.tokens(request.COOKIES)
    known = in_service(tokens, kind.name)
    seats = [seat_from_cookies(kind, request.COOKIES, device_id) for device_id in known]
    response: HttpResponse
    if not seats or entry.demo_waits(known):
        response = redirect(f"{kind.name}-enrol")
    elif len(seats) == 1:
        response = redirect(f"{kind.name}-device", seats[0].device.pk)
    else:
        response = render(request, "devices/choose.html", {"kind": kind, "seats": seats})
    for device_id in tokens.keys() - known:
        kind.drop(response, device_id)
    return response


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def enrol(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Type a code: from then on this browser is the device that the code was made for."""
    refused = None
    if request.method == "POST":
        try:
            code = CodeForm(request.POST).values["code"]
            return _enrolled(entry.kind, *device_enrol(kind=entry.kind.name, code=code))
        except Refused as error:
            refused = error
    context = {
        "kind": entry.kind,
        "form": CodeForm(auto_id="%s"),
        "demo_places": entry.demo_places(),
        "counts_stored": entry.kind is TABLETS,
    }
    return render(request, "devices/enrol.html", context | refusal_context(refused))


@login_not_required
@require_POST
def demo(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Become a device of a place with one tap. There is no such page outside demo mode."""
    try:
        place_id = UUID(request.POST.get(entry.kind.place, ""))
        device, token = entry.demo_enrol(place_id=place_id)
    except (ValueError, DeviceTableUnknown, DeviceJackpotUnknown, DemoRefused):
        raise Http404 from None
    return _enrolled(entry.kind, device, token)


def _enrolled(kind: BrowserKind, device: Device, token: str) -> HttpResponse:
    response = redirect(f"{kind.name}-device", device.pk)
    kind.give(response, device.pk, token)
    return response
