"""Setting the floor up: pits, tables, jackpots and the links between them."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from casino.people.context import Here
from casino.people.models import Person
from casino.people.page import Wrong, allowed, here_of, page, run, typed
from casino.people.permissions import SET_UP
from casino.text import floor as floor_words
from jackpot.errors import JackpotUnknown
from jackpot.models import Phase
from jackpot.services import jackpot_create, jackpot_parameters_set
from payouts.errors import Refused, mark
from payouts.rules.plain import Json
from tables.errors import PitUnknown, TableUnknown
from tables.games import GAMES, game_of
from tables.models import Pit, Table
from tables.rules.kinds import KINDS
from tables.selectors.floor import FloorJackpot, floor_jackpots, posted_names
from tables.services import pit_create, table_create, table_link
from tables.services.parts import FLOOR_KINDS


class NumberRefused(Refused):
    """Something that is not a number of a place or of boxes."""

    code = "floor.number_refused"
    sentence = mark("“%(given)s” is not a whole number from 0 to 999.")
    remedy = mark("Enter a number in digits.")


class Ask(NamedTuple):
    """A command as a form asks for it."""

    here: Here
    words: dict[str, str]
    person: Person


@require_GET
def set_up(request: HttpRequest) -> HttpResponse:
    """Pits, tables and jackpots as they are, and a form for each thing that can be added or changed."""
    person = allowed(request, SET_UP)
    return _set_up_page(request, person, here_of(person))


@require_POST
def set_up_step(request: HttpRequest, step: str) -> HttpResponse:
    """Add a pit, a table or a jackpot; link a table; say what a jackpot's tables do without the server."""
    person = allowed(request, SET_UP)
    here = here_of(person)
    if step not in STEPS:
        raise Http404
    words = typed(request)
    ask = Ask(here, words, person)
    at = "-".join([step, *(words[name] for name in ("linked", "changed") if name in words)])
    try:
        run(request, person, f"set_up.{step}", words | {"house": str(here.house.pk)}, lambda: STEPS[step](ask))
    except Refused as refused:
        return _set_up_page(request, person, here, Wrong(at, refused))
    messages.success(request, _("Done."))
    return redirect("floor-set-up")


# --- steps --------------------------------------------------------------------------------------------------------------------
def _pit(ask: Ask) -> Json:
    name, position = ask.words.get("name", "").strip(), _whole(ask, "position")
    return str(pit_create(**_who(ask), name=name, position=position).pk)


def _table(ask: Ask) -> Json:
    pit_id = floor_words.uuid_or_none(ask.words.get("pit"))
    if pit_id is None:
        raise PitUnknown
    game = ask.words.get("game", "")
    kinds = (*game_of(game).posted, *FLOOR_KINDS)
    made = table_create(
        **_who(ask),
        pit_id=pit_id,
        name=ask.words.get("name", "").strip(),
        game=game,
        boxes=_whole(ask, "boxes"),
        posted={kind: ask.words.get(kind, "") for kind in kinds if ask.words.get(kind)},
        position=_whole(ask, "position"),
    )
    return str(made.pk)


def _link(ask: Ask) -> Json:
    table_id = floor_words.uuid_or_none(ask.words.get("linked"))
    wanted = ask.words.get("jackpot", "")
    jackpot_id = floor_words.uuid_or_none(wanted)
    if table_id is None:
        raise TableUnknown
    if wanted and jackpot_id is None:
        raise JackpotUnknown
    table_link(**_who(ask), table_id=table_id, jackpot_id=jackpot_id)
    return None


def _jackpot(ask: Ask) -> Json:
    fields = ("name", "progressive", "funding", "rules", "offline_linked")
    made = jackpot_create(**_who(ask), **{field: ask.words.get(field, "").strip() for field in fields})
    return str(made.pk)


def _parameters(ask: Ask) -> Json:
    jackpot_id = floor_words.uuid_or_none(ask.words.get("changed"))
    if jackpot_id is None:
        raise JackpotUnknown
    jackpot_parameters_set(**_who(ask), jackpot_id=jackpot_id, offline_linked=ask.words.get("offline_linked", ""))
    return None


STEPS: dict[str, Callable[[Ask], Json]] = {
    "pit": _pit,
    "table": _table,
    "link": _link,
    "jackpot": _jackpot,
    "parameters": _parameters,
}


class Who(TypedDict):
    """Whose house it is, and who acts there."""

    house_id: UUID
    actor_id: UUID


def _who(ask: Ask) -> Who:
    return {"house_id": ask.here.house.pk, "actor_id": ask.person.pk}


def _whole(ask: Ask, name: str) -> int:
    """A whole number from 0 to 999; empty is 0. Raises NumberRefused."""
    text = ask.words.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise NumberRefused(given=text[:20])
    return int(text)


# --- the page -----------------------------------------------------------------------------------------------------------------
def _set_up_page(request: HttpRequest, person: Person, here: Here, wrong: Wrong | None = None) -> HttpResponse:
    house_id = here.house.pk
    names, words = posted_names(house_id=house_id), typed(request) if wrong else {}
    tables, jackpots = _tables(house_id), [_jackpot_row(one) for one in floor_jackpots(house_id=house_id).values()]
    forms = {"pit", "jackpot", *(one["at"] for one in (*tables, *jackpots))}
    context = {
        "pits": list(Pit.objects.filter(house_id=house_id).order_by("position", "name")),
        "tables": tables,
        "games": [_game(code, names, words) for code in GAMES],
        "jackpots": jackpots,
        "offline": [(code, _(word)) for code, word in floor_words.OFFLINE.items()],
        "progressives": names.get("progressive", []),
        "fundings": names.get("funding", []),
        "hit_rules": names.get("jackpot_rules", []),
        "words": words,
        "forms": forms | {"table"} if words.get("game") in GAMES else forms,
    }
    return page(request, person, "pit/floor/set_up.html", context, here.house, wrong)


def _tables(house_id: UUID) -> list[dict[str, Any]]:
    rows = Table.objects.filter(house_id=house_id).select_related("pit", "jackpot")
    rows = rows.order_by("pit__position", "pit__name", "position", "name")
    return [{"row": row, "at": f"link-{row.pk}"} for row in rows]


def _jackpot_row(jackpot: FloorJackpot) -> dict[str, Any]:
    phase = floor_words.say(Phase, jackpot.phase)
    return {"row": jackpot, "at": f"parameters-{jackpot.id}", "phase": phase}


def _game(code: str, names: dict[str, list[str]], words: dict[str, str]) -> dict[str, Any]:
    """What the form for a table of this game offers: of each kind the posted tables that exist."""
    game = GAMES[code]
    kinds = [
        {
            "code": kind,
            "title": _(KINDS[kind].title),
            "names": [(name, name == words.get(kind)) for name in names.get(kind, [])],
        }
        for kind in (*game.posted, *FLOOR_KINDS)
    ]
    return {"code": code, "title": _(game.title), "boxes": game.boxes_most, "kinds": kinds}
