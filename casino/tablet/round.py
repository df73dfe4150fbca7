"""The round's page on a tablet, and the worker that keeps the page when there is no network."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from casino.demo.secrets import demo_secret
from casino.devices import signin
from casino.devices.alone import idle_s
from casino.devices.door import DeviceRequest
from casino.games import screens_of
from casino.people.context import HouseClock, files_of_mode
from casino.people.models import Person
from casino.people.permissions import RUN_FLOOR
from casino.tablet.surface import RELATED, game_data, jackpot_snapshot, standing
from casino.tablet.texts import round_texts
from casino.tablet.works import counts_at
from casino.text.formats import format_amount, money_style, range_text
from payouts.models import House
from tables.games import game_of
from tables.models import Table
from tables.services.parts import rules_of

_APP = Path(__file__).parents[1] / "static" / "casino" / "tablet" / "app"
_WORKER = _APP / "frame" / "worker.js"
MODULES = tuple(  # such as `frame/words`
    sorted(
        str(path.relative_to(_APP).with_suffix(""))
        for path in _APP.rglob("*.js")
        if path != _WORKER
    )
)
_NO_FILES = "const FILES = [];"
VENDOR = {
    "preact": "preact",
    "preact/hooks": "preact-hooks",
    "@preact/signals": "signals",
    "@preact/signals-core": "signals-core",
    "htm": "htm",
    "idb": "idb",
}
SHELL = (
    "casino/css/tokens.css",
    "casino/css/base.css",
    "casino/css/pages.css",
    "casino/tablet/tablet.css",
    "casino/tablet/round.css",
    "casino/tablet/hand.css",
    "casino/tablet/cash.css",
    "casino/tablet/count.css",
    "casino/icons.svg",
    "casino/floor/suits.svg",
    "casino/logo.svg",
    *(
        f"casino/fonts/{face}.woff2"
        for face in ("inter-latin-wght-normal", "inter-latin-ext-wght-normal")
    ),
    *(f"casino/fonts/barlow-condensed-latin-{weight}-normal.woff2" for weight in (500, 600, 700)),
)


def round_page(request: DeviceRequest, person: Person) -> HttpResponse:
    """The round at the tablet's table, as `works_at` allows."""
    table = Table.objects.select_related(*RELATED).get(pk=request.device.own_table.pk)
    now = standing(table)
    context = {
        "device": request.device,
        "table": table,
        "person": person,
        "here": HouseClock.at(request.device.house),
        "imports": imports(table.game),
        "words": round_texts() | screens_of(table.game).tablet_texts(),
        "page": _page(request, person, table, now),
        "counts": counts_at(person, table),
        "takes_over": table.session is not None and table.session.croupier_id != person.pk,
        "hands": (("right", gettext("Right-handed")), ("left", gettext("Left-handed"))),
        "sounds": (
            ("off", gettext("No sound")),
            ("low", gettext("Soft")),
            ("normal", gettext("Normal")),
            ("high", gettext("Loud")),
        ),
    }
    response = render(request, "tablet/round.html", context)
    # for the worker: this page, and no other, opens without a network
    response["X-Saalchef-Keep"] = "1"
    return response


def imports(game: str, plays: Mapping[str, str] | None = None) -> dict[str, str]:
    """What the page's scripts call one another, by name. `plays`: what is played there instead of
    the game.
    """
    vendor = {name: static(f"casino/vendor/{file}.js") for name, file in VENDOR.items()}
    own = {f"tablet/{name}": static(f"casino/tablet/app/{name}.js") for name in MODULES}
    screens = screens_of(game)
    asked = plays or {"tablet/play": screens.PLAY, "tablet/game": screens.TABLET}
    return vendor | own | {name: own[f"tablet/{module}"] for name, module in asked.items()}


def sender(request: DeviceRequest) -> dict[str, Any]:
    """What a page without a round needs to send what its tablet has stored, as the person who is
    signed in.

    Nothing at a table whose game has no page on the tablet: none of its rounds is stored there.
    """
    if not screens_of(request.device.own_table.game).TABLET:
        return {}
    device, person = str(request.device.pk), request.device_person
    return {
        "imports": imports(request.device.own_table.game),
        "page": {
            "device": device,
            "table": str(request.device.own_table.pk),
            "person": str(person.pk) if person else None,
            "urls": {"signIn": reverse("tablet-sign-in", args=[device])},
        },
    }


def _page(
    request: DeviceRequest, person: Person, table: Table, now: dict[str, Any]
) -> dict[str, Any]:
    at_table = page_of(request, person, table, now)
    return at_table | {
        "limits": _sign(table, now["versions"], request.device.house),
        "suits": static("casino/floor/suits.svg"),
        "game": game_data(table, now["versions"]),
        "jackpot": jackpot_snapshot(table),
        "counts": counts_at(person, table),
    }


def page_of(
    request: DeviceRequest, person: Person, table: Table, now: dict[str, Any]
) -> dict[str, Any]:
    """What every page of a table needs that its scripts draw; `now`: how the table stands."""
    house, device, session = request.device.house, str(request.device.pk), request.seat.session
    return {
        "device": device,
        "table": str(table.pk),
        "person": str(person.pk),
        "name": person.full_name,
        "session": str(session.pk) if session else None,
        "signed_in_s": signin.signed_in_s(session) if session else 0,
        "idle": request.seat.is_idle,
        "demo_pin": demo_secret(person, "pin"),
        "supervisor": person.has_perm(RUN_FLOOR),
        "zone": house.time_zone,
        "money": money_style(house.currency, house.locale),
        "icons": static("casino/icons.svg"),
        "game": {"idle_s": idle_s(table)},
        "standing": now,
        "jackpot": None,
        "urls": {
            "count": reverse("tablet-count", args=[device]),
            "surface": f"/api/tables/{table.pk}/surface/",
            "socket": f"/ws/tablet/?device={device}",
            "signIn": reverse("tablet-sign-in", args=[device]),
            "idle": reverse("tablet-idle", args=[device]),
            "touched": reverse("tablet-touched", args=[device]),
            "wake": reverse("tablet-wake", args=[device]),
            "worker": reverse("tablet-worker"),
            "scope": reverse("tablet"),
        },
    }


def _sign(table: Table, versions: dict[str, Any], house: House) -> str:
    """What the sign at the table says: `CHF 5–50`."""
    game = game_of(table.game)
    low, high = game.sign(rules_of(versions).posted[game.sign_kind])
    greatest = None if high is None else _short(high, house)
    return f"{house.currency} {range_text(_short(low, house), greatest)}"


def _short(minor: int, house: House) -> str:
    text = format_amount(minor, house.currency, house.locale)
    return text.removesuffix(format_amount(0, house.currency, house.locale)[1:])


@login_not_required
@require_GET
@cache_control(no_cache=True, max_age=0)
def worker(_request: HttpRequest) -> HttpResponse:
    """The service worker: from here and not from /static/, since it rules over what lies beside
    it."""
    files = [static(name) for name in (*SHELL, *files_of_mode())]
    files += [static(f"casino/vendor/{file}.js") for file in VENDOR.values()]
    files += [static(f"casino/tablet/app/{name}.js") for name in MODULES]
    source = _WORKER.read_text().replace(_NO_FILES, f"const FILES = {json.dumps(sorted(files))};")
    return HttpResponse(source, content_type="text/javascript; charset=utf-8")
