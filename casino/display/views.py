"""Pages of a display: the jackpot it shows, its signs of life, and the confirmation that opens the
tables.

Note [Who answers for a wrong value]: the page reads back what is visible on it, and the server
compares. A page that says nothing, or something else, keeps the gate shut; nothing here opens one.
"""

import json
import threading
import time
from collections import OrderedDict, deque
from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from casino.api.schemas.fields import text, whole
from casino.api.schemas.read import Body, StrictJson, read_body
from casino.demo.display import demo_display, demo_display_is_free, demo_jackpots
from casino.devices.door import DeviceRequest, at_display, from_display
from casino.devices.entry import Entry
from casino.devices.kinds import DISPLAYS
from casino.display.refusals import DisplayTooOften
from casino.display.texts import hands, page_texts
from casino.live import snapshot
from casino.text.formats import format_amount
from casino.text.problems import problem
from casino.text.request_errors import MediaTypeRefused, TooLarge
from jackpot.errors import DisplaySessionTaken
from jackpot.models.states import IN_PLAY, QUIET
from jackpot.services import display_heard, display_session_alarm, gate_confirm
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import Event, House
from payouts.rules.plain import Json

BODY_MOST = 2_000  # bytes of a post
# posts that a display may send in so many seconds, to one process; it sends some six
OFTEN, OFTEN_S = 40, 10.0
# local time of the page's daily reload: after the last table has closed and before the doors open
RELOAD_HOUR = 7

FONTS = (
    "barlow-condensed-latin-600-normal",
    "inter-latin-wght-normal",
    "marcellus-latin-400-normal",
)
SUITS = ("spade", "heart", "diamond", "club")
SHOWN_MOST = 30


class _Alive(TypedDict):
    session: UUID
    shown: Annotated[str, text(0, SHOWN_MOST)]
    version: Annotated[int, whole(0, 2**53 - 1)]


class _Confirm(TypedDict):
    session: UUID
    gate: Annotated[int, whole(1, 2**31 - 1)]
    nonce: Annotated[str, text(1, 32)]
    version: Annotated[int, whole(0, 2**53 - 1)]
    shown: Annotated[str, text(1, SHOWN_MOST)]


ENTRY = Entry(DISPLAYS, demo_jackpots, demo_display, demo_display_is_free)


@at_display
@require_GET
def device(request: DeviceRequest) -> HttpResponse:
    """The jackpot, with the first snapshot in it: the value stands there before any socket is
    open."""
    display = request.device
    house, jackpot = display.house, display.own_jackpot
    context = {
        "device": display,
        "jackpot": jackpot,
        "fonts": [static(f"casino/fonts/{font}.woff2") for font in FONTS],
        "suits": SUITS,
        "first": _snapshot(jackpot.pk),
        "words": page_texts(),
        "hands": hands(),
        "settings": {
            "device": str(display.pk),
            "socket": f"/ws/display/?device={display.pk}",
            "now": reverse("display-now", args=[display.pk]),
            "alive": reverse("display-alive", args=[display.pk]),
            "confirm": reverse("display-confirm", args=[display.pk]),
            "zone": house.time_zone,
            "locale": house.locale,
            "decimals": _decimals(house),
            "reload_hour": RELOAD_HOUR,
            "quiet": QUIET,
            "in_play": IN_PLAY,
        },
    }
    response = render(request, "display/jackpot.html", context)
    DISPLAYS.renew(request, response, display.pk)
    return response


@from_display
@require_GET
def now(request: DeviceRequest) -> HttpResponse:
    """The newest snapshot, for a display whose socket is shut."""
    return JsonResponse(_snapshot(request.device.own_jackpot.pk))


@from_display
@require_POST
def alive(request: DeviceRequest) -> HttpResponse:
    """A sign of life of one session of the display. A second session is refused, and the pit is
    told of it.
    """
    display = request.device
    try:
        said = _read(request, _Alive)
        session_id = said["session"]
        whose = {
            "house_id": display.house_id,
            "jackpot_id": display.own_jackpot.pk,
            "display_id": display.pk,
        }
        try:
            with transaction.atomic(durable=True):
                display_heard(
                    **whose, session_id=session_id, shown=said["shown"], version=said["version"]
                )
        except DisplaySessionTaken:
            with transaction.atomic(durable=True):
                if not _alarmed(display.pk, session_id):
                    display_session_alarm(**whose, session_id=session_id)
            raise
    except Refused as refused:
        return problem(refused, house=display.house)
    return JsonResponse({"state": "live"})


@from_display
@require_POST
def confirm(request: DeviceRequest) -> HttpResponse:
    """What is visible on the display, for the gate to compare. Repeated: the same answer."""
    display = request.device
    try:
        said: dict[str, Any] = {**_read(request, _Confirm)}
        session_id = said.pop("session")

        def work() -> Json:
            return gate_confirm(
                house_id=display.house_id,
                jackpot_id=display.own_jackpot.pk,
                display_id=display.pk,
                session_id=session_id,
                **said,
            )

        body = {"device": str(display.pk), "session": str(session_id)} | said
        fingerprint = request_fingerprint("display.confirm", None, body)
        answer = run_once(f"display:{fingerprint.hex()}", fingerprint, work).body
    except Refused as refused:
        return problem(refused, house=display.house)
    return JsonResponse(answer)


def _snapshot(jackpot_id: UUID) -> dict[str, Any]:
    """The newest snapshot; a jackpot without an epoch has none."""
    told = snapshot.snapshots_read([jackpot_id]).get(jackpot_id)
    read: dict[str, Any] = json.loads(told.texts[snapshot.DISPLAY]) if told else {"type": "nothing"}
    return read


def _decimals(house: House) -> int:
    """How many digits of an amount stand after the point."""
    return sum(sign.isdigit() for sign in format_amount(0, house.currency, house.locale)) - 1


def _alarmed(display_id: UUID, session_id: UUID) -> bool:
    told = Event.objects.filter(
        subject_kind="display", subject_id=str(display_id), name="display.second_session"
    )
    return told.filter(after__session=str(session_id)).exists()


def _read(request: DeviceRequest, structure: type[Body]) -> Body:
    """The body of a post. Raises DisplayTooOften, MediaTypeRefused, TooLarge, Unreadable and what
    `read_body` raises.
    """
    _brake.check(request.device.pk)
    if request.content_type != "application/json":
        raise MediaTypeRefused
    length = request.headers.get("Content-Length", "0")
    if (
        not length.isascii()
        or not length.isdigit()
        or int(length) > BODY_MOST
        or len(request.body) > BODY_MOST
    ):
        raise TooLarge(most=BODY_MOST)
    return read_body(structure, StrictJson().parse(request))


class _Brake:
    """Posts of each display within the last seconds, in this process: a page gone wild does not
    hold up the others.
    """

    MOST = 1_000  # displays

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._posts: OrderedDict[UUID, deque[float]] = OrderedDict()

    def check(self, display_id: UUID) -> None:
        """Count a post. Raises DisplayTooOften."""
        moment = time.monotonic()
        with self._lock:
            posts = self._posts.setdefault(display_id, deque())
            self._posts.move_to_end(display_id)
            if len(self._posts) > self.MOST:
                self._posts.popitem(last=False)
            while posts and posts[0] < moment - OFTEN_S:
                posts.popleft()
            if len(posts) >= OFTEN:
                raise DisplayTooOften(retry_after_s=2)
            posts.append(moment)


_brake = _Brake()
