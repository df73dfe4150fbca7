"""One table of the floor: open, close, hand over, entry level, guests, and the rounds of a session."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from casino.people.models import Person
from casino.people.page import Wrong, allowed, page, row_of, run, typed
from casino.people.permissions import RUN_FLOOR, VIEW_TABLE
from casino.pit.board.read import live_tables
from casino.pit.calls import calls_open, floor_call, floor_call_take
from casino.pit.croupier import ask_whether_both
from casino.pit.floor import show as floor_show
from casino.text import floor as floor_words
from casino.text.refusal_words import LEVELS
from casino.text.wording import guest_name
from payouts.errors import Refused
from payouts.rules.plain import Json
from tables.errors import CroupierUnknown, GuestUnknown, SeatWithoutBox
from tables.models import Guest, Round, Table, TableSession
from tables.selectors.floor import croupiers, floor_jackpots, floor_tables, session_rounds, session_sums, table_sessions
from tables.services import (
    guest_arrive,
    guest_leave,
    guest_move,
    table_close,
    table_entry_level_set,
    table_hand_over,
    table_open,
)
from tables.services.parts import DEALERS


class Ask(NamedTuple):
    """A command as a form asks for it."""

    table: Table
    words: dict[str, str]
    person: Person


@require_GET
def table(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A table as it stands, what may be done with it, and its rounds."""
    return _table_page(request, allowed(request, VIEW_TABLE), pk)


@require_POST
def table_step(request: HttpRequest, pk: UUID, step: str) -> HttpResponse:
    """Do one thing with the table or a guest at it."""
    person = allowed(request, RUN_FLOOR)
    found = _found(person, pk)
    if step not in STEPS:
        raise Http404
    words = typed(request)
    ask, body = Ask(found, words, person), words | {"table": str(pk)}
    at = f"{step}-{words['guest']}" if "guest" in words else step
    try:
        run(request, person, f"floor.{step}", body, lambda: STEPS[step](ask))
    except Refused as refused:
        return _table_page(request, person, pk, Wrong(at, refused))
    messages.success(request, _("Done."))
    return redirect("floor-table", pk)


# --- steps --------------------------------------------------------------------------------------------------------------------
def _open(ask: Ask) -> Json:
    level = ask.words.get("entry_level", "")
    table_open(**_ids(ask), croupier_id=_one_table(ask), entry_level=level, actor_id=ask.person.pk)
    return None


def _close(ask: Ask) -> Json:
    table_close(**_ids(ask), actor_id=ask.person.pk)
    return None


def _hand_over(ask: Ask) -> Json:
    table_hand_over(**_ids(ask), croupier_id=_one_table(ask), actor_id=ask.person.pk)
    return None


def _level(ask: Ask) -> Json:
    level = ask.words.get("entry_level", "")
    table_entry_level_set(**_ids(ask), entry_level=level, actor_id=ask.person.pk)
    return None


def _arrive(ask: Ask) -> Json:
    return str(guest_arrive(**_ids(ask), **_place(ask), actor_id=ask.person.pk).pk)


def _move(ask: Ask) -> Json:
    guest_move(house_id=ask.table.house_id, guest_id=_guest(ask), **_place(ask), actor_id=ask.person.pk)
    return None


def _leave(ask: Ask) -> Json:
    guest_leave(house_id=ask.table.house_id, guest_id=_guest(ask), actor_id=ask.person.pk)
    return None


def _seen_to(ask: Ask) -> Json:
    floor_call(**_ids(ask), actor_id=ask.person.pk, reason=None)
    return None


def _take_call(ask: Ask) -> Json:
    floor_call_take(**_ids(ask), actor_id=ask.person.pk)
    return None


STEPS: dict[str, Callable[[Ask], Json]] = {
    "open": _open,
    "take-call": _take_call,
    "seen-to": _seen_to,
    "close": _close,
    "hand-over": _hand_over,
    "level": _level,
    "arrive": _arrive,
    "move": _move,
    "leave": _leave,
}


class Ids(TypedDict):
    """The house and the table that a command is for."""

    house_id: UUID
    table_id: UUID


def _ids(ask: Ask) -> Ids:
    return {"house_id": ask.table.house_id, "table_id": ask.table.pk}


def _croupier(ask: Ask) -> UUID:
    found = floor_words.uuid_or_none(ask.words.get("croupier"))
    if found is None:
        raise CroupierUnknown
    return found


def _one_table(ask: Ask) -> UUID:
    """The croupier who is to have the table. Raises CroupierUnknown, CroupierElsewhere."""
    croupier = _croupier(ask)
    ask_whether_both(ask.table, croupier, is_said=ask.words.get("both") == "1")
    return croupier


def _guest(ask: Ask) -> UUID:
    """A guest at this table. Raises GuestUnknown."""
    found = floor_words.uuid_or_none(ask.words.get("guest"))
    if found is None or not Guest.objects.filter(pk=found, session__table=ask.table).exists():
        raise GuestUnknown
    return found


def _place(ask: Ask) -> dict[str, Any]:
    """Where a guest is: at a box (sitting, or standing as its declared owner), or standing without one. Raises SeatWithoutBox."""
    box, distance = ask.words.get("box", ""), ask.words.get("distance", "") or "0"
    if not _whole(distance) or (box and not _whole(box)):
        raise SeatWithoutBox
    return {"box": int(box) if box else None, "seated": ask.words.get("seated") == "1", "distance": int(distance)}


def _whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3


# --- the page -----------------------------------------------------------------------------------------------------------------
class GuestRow(NamedTuple):
    """A guest at the table with the values of his form."""

    guest: Guest
    name: str
    box: str
    seated: bool
    distance: str
    at: tuple[str, str]


def _table_page(request: HttpRequest, person: Person, pk: UUID, wrong: Wrong | None = None) -> HttpResponse:
    found = _found(person, pk)
    here = floor_tables(house_id=found.house_id, table_id=pk)
    tile = floor_show.tiles(found.house, here, floor_jackpots(house_id=found.house_id))[0]
    sessions = table_sessions(table_id=pk)
    session = _session(request, sessions)
    rounds, following = session_rounds(session_id=session.pk, before=_before(request)) if session else ([], None)
    words = typed(request) if wrong else {}
    may_run = person.has_perm(RUN_FLOOR)
    guests = _guests(found, words, wrong) if may_run and found.session_id else []
    context = {
        "table": found,
        "tile": tile,
        "call": calls_open([found.session_id]).get(found.session_id) if found.session_id else None,
        "now": tile.table.now,
        "an_hour": live_tables(house_id=found.house_id)[pk].an_hour,
        "sessions": sessions,
        "session": session,
        "rounds": [(row, floor_words.say(Round.State, row.state)) for row in rounds],
        "returned": any(row.returned_minor for row in rounds),
        "sums": session_sums(session_id=session.pk) if session else None,
        "following": following,
        "paged": _before(request) is not None,
        "may_run": may_run,
        "levels": [(code, _(word)) for code, word in LEVELS.items()],
        "croupiers": list(croupiers(house_id=found.house_id, roles=DEALERS)) if may_run else [],
        "guests": guests,
        "free_boxes": _free(found, guests),
        "boxes": range(1, found.boxes + 1),
        "words": words,
        "forms": _forms(found, guests),
    }
    return page(request, person, "pit/floor/table.html", context, found.house, wrong)


def _forms(found: Table, guests: list[GuestRow]) -> set[str]:
    if not found.session_id:
        return {"open"}
    return {"hand-over", "level", "arrive", "close", *(at for row in guests for at in row.at)}


def _found(person: Person, pk: UUID) -> Table:
    rows = Table.objects.select_related("house", "pit", "session", "jackpot")
    return row_of(person, rows, pk)


def _session(request: HttpRequest, sessions: list[TableSession]) -> TableSession | None:
    wanted = request.GET.get("session")
    if wanted:
        found = [one for one in sessions if str(one.pk) == wanted]
        if not found:
            raise Http404
        return found[0]
    return sessions[0] if sessions else None


def _before(request: HttpRequest) -> int | None:
    text = request.GET.get("before", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def _guests(found: Table, words: dict[str, str], wrong: Wrong | None) -> list[GuestRow]:
    rows = []
    for guest in Guest.objects.filter(session_id=found.session_id, left_at=None).order_by("number"):
        mine = words if wrong and wrong.at == f"move-{guest.pk}" else None
        box = str(guest.box or "") if mine is None else mine.get("box", "")
        seated = guest.seated if mine is None else mine.get("seated") == "1"
        distance = str(guest.distance) if mine is None else mine.get("distance", "")
        at = (f"move-{guest.pk}", f"leave-{guest.pk}")
        rows.append(GuestRow(guest, guest_name(guest.number), box, seated, distance, at))
    return sorted(rows, key=lambda row: (row.guest.box is None, row.guest.box or 0, row.guest.number))


def _free(found: Table, guests: list[GuestRow]) -> list[int]:
    """Boxes that nobody owns, while the table is open."""
    if not found.session_id:
        return []
    owned = {row.guest.box for row in guests}
    return [box for box in range(1, found.boxes + 1) if box not in owned]
