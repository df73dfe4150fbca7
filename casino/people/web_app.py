"""What a browser asks for to keep a screen as an app of its own: a manifest for each kind of
screen, and icons.
"""

from typing import NamedTuple

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

GROUND = "#0b100e"  # --ink of the floor's theme: what is seen before the page is there
MANIFEST_S, FAVICON_S = 3_600, 86_400


class Screen(NamedTuple):
    """One kind of screen: its name, where it starts, and how much of the browser stays to be
    seen."""

    name: str | Promise
    start: str
    display: str


# By the first part of the address; everything else is the house's own pages, which begin with the
# pit.
SCREENS = {
    "tablet": Screen(_("Tablet"), "tablet", "fullscreen"),
    "display": Screen(_("Jackpot display"), "display", "fullscreen"),
    "pit": Screen(_("Pit"), "home", "standalone"),
}


def screen_of(path: str) -> str:
    """Which kind of screen a page belongs to."""
    first = path.split("/")[1] if path.startswith("/") else ""
    return first if first in SCREENS else "pit"


@login_not_required
@require_GET
@cache_control(public=True, max_age=MANIFEST_S)
def manifest(request: HttpRequest, screen: str) -> HttpResponse:
    """The manifest of a kind of screen. It names no house: who is not signed in reads it too."""
    if screen not in SCREENS:
        raise Http404
    told = SCREENS[screen]
    start = reverse(told.start)
    body = {
        "id": f"saalchef-{screen}",
        "name": f"Saalchef · {told.name}",
        "short_name": str(told.name),
        "lang": get_language(),
        "start_url": start,
        "scope": start,
        "display": told.display,
        "orientation": "any",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {"src": static("casino/logo.svg"), "sizes": "any", "type": "image/svg+xml"},
            _icon("192", 192, "any"),
            _icon("512", 512, "any"),
            _icon("maskable-512", 512, "maskable"),
        ],
    }
    return JsonResponse(body, content_type="application/manifest+json")


def _icon(name: str, pixels: int, purpose: str) -> dict[str, str]:
    source = static(f"casino/app/icon-{name}.png")
    return {"src": source, "sizes": f"{pixels}x{pixels}", "type": "image/png", "purpose": purpose}


@login_not_required
@require_GET
@cache_control(public=True, max_age=FAVICON_S)
def favicon(request: HttpRequest) -> HttpResponse:
    """Where browsers look without being told: on what is no page, as JSON or a picture opened by
    itself.
    """
    return redirect(static("casino/app/favicon.ico"))
