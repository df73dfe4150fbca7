"""The living style page of the demo: every token, letter, control and picture in both themes, drawn
with the real style sheets.

What the pit has to say of tables and jackpots is drawn with its own templates, from examples.
"""

import re
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.people.context import house_for
from casino.pit import labels
from casino.pit.board.read import Panel, Watch
from casino.pit.board.show import ICONS, Drawn, JackpotPanel, jackpots_drawn
from casino.pit.board.waiting import Waiting
from casino.pit.board.waits import Mark
from casino.pit.floor.show import Dot, LinkedJackpot
from casino.text import floor as floor_texts
from casino.text.alerts import ALARM, ALERTS, WARN
from casino.text.vocabulary import ACTIONS
from jackpot.models import Phase
from payouts.models import House
from tables.selectors.floor import FloorJackpot

FOLDER = Path(__file__).parents[1] / "static" / "casino"
THEMES = ("floor", "office")
# Distance from the edge of a screen; corners of cells, panels, the one act.
SIZES = ("edge", "cell", "panel-size", "act")
BOXES = ("coin", "occupied", "coin", "empty", "occupied", "empty")


def tokens() -> list[str]:
    """The colours, by the names that the style sheets use, in their order."""
    floor = (
        (FOLDER / "css" / "tokens.css")
        .read_text(encoding="utf-8")
        .partition('[data-theme="floor"]')[2]
    )
    return re.findall(r"--([\w-]+): #", floor.partition("}")[0])


def icons() -> list[str]:
    """The pictures of the sprite."""
    return re.findall(r'<symbol id="([\w-]+)"', (FOLDER / "icons.svg").read_text(encoding="utf-8"))


def tiles() -> list[Drawn]:
    """A table in each of its states, and with each kind of mark."""
    standing = (
        ("open", ()),
        ("running", ()),
        ("blocked", ()),
        ("running", (Mark("appr", "code", _("To be signed"), None),)),
        (
            "open",
            (
                Mark(WARN, "offline", _("Offline"), None),
                Mark(WARN, "warn", _("To be clarified"), None),
            ),
        ),
        ("open", (Mark(ALARM, "bell", _("Floor called"), None),)),
        ("closed", ()),
    )
    return [_tile(f"UTH {number}", *one) for number, one in enumerate(standing, 1)]


def _tile(name: str, state: str, marks: tuple[Mark, ...]) -> Drawn:
    is_open = state != "closed"
    return Drawn(
        id=uuid4(),
        name=name,
        limits="5–50",
        state=state,
        is_open=is_open,
        has_rounds=True,
        marks=marks,
        icon=ICONS[state],
        word=_(floor_texts.TABLE_STATES[state]),
        since=None if is_open else timezone.now(),
        long_s=None,
        dots=tuple(Dot(number, box) for number, box in enumerate(BOXES, 1)),
        dots_text="",
        held=floor_texts.say(Phase, Phase.VERIFYING) if state == "blocked" else "",
        an_hour=32,
        result="+1’240",
        partial="",
    )


def cards(house: House) -> list[Waiting]:
    """An approval, and an alert of each severity."""
    now = timezone.now()
    of = {"since": now.isoformat(), "name": "Salon Privé"}
    found = [
        Waiting(
            "alert",
            ALERTS[kind].severity,
            ALERTS[kind].icon,
            floor_texts.colon(place, _(ALERTS[kind].title)),
            labels.alert_text(kind, of, house),
            "",
            now,
            None,
            "/style/",
            "0",
        )
        for kind, place in (("draining_silent", "UTH 2"), ("display_offline", "Progressive"))
    ]
    title = f"Progressive · {capfirst(floor_texts.say(ACTIONS, 'jackpot.award'))}"
    signed = floor_texts.signatures(1, 2)
    found.insert(
        1,
        Waiting(
            "approval",
            "appr",
            "code",
            title,
            signed,
            _("asked for by the system"),
            now,
            now,
            "/style/",
            "0",
        ),
    )
    return found


def jackpot(house: House) -> JackpotPanel:
    """A jackpot whose new value one of two displays does not show yet."""
    row = FloorJackpot(
        uuid4(),
        "Progressive",
        Phase.SHOWING,
        "",
        "",
        "",
        12_845_055,
        12_845_055,
        has_display=True,
        coins_alone=False,
    )
    panel = Panel(
        timezone.now(),
        "",
        [],
        [],
        ["Salon Privé"],
        2,
        2,
        [],
        [],
        untrue=False,
        turned_down=None,
        corrections=[],
    )
    linked = LinkedJackpot(row, labels.phase(Phase.SHOWING), ["UTH 1", "UTH 2"])
    return jackpots_drawn(house, [linked], {row.id: panel})[0]


@require_GET
def style(request: HttpRequest) -> HttpResponse:
    """The page; there is none outside demo mode, nor without a house whose money it writes."""
    house = house_for(request.user) if settings.DEMO else None
    if house is None:
        raise Http404
    now = timezone.now()
    themes = [
        {"name": name, "tiles": tiles(), "cards": cards(house), "jackpot": jackpot(house)}
        for name in THEMES
    ]
    shown = {
        "themes": themes,
        "tokens": tokens(),
        "icons": icons(),
        "sizes": SIZES,
        "house": house,
        "now": now,
    }
    watch = Watch(now, ok=True, late=False, alerts_at=now, alerts_late=False)
    return render(request, "demo/style.html", shown | {"audit": watch, "may_run": True})
