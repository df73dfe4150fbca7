"""One table of the floor: open, close, hand over, entry level, guests, and the rounds of a
session."""

from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from casino.devices.heard import tablet_state
from casino.people.models import Person
from casino.people.pages.fields import Choice, Reason, RowChoice, Subject, Text, Tick, Whole
from casino.people.pages.page import Wrong, allowed, page, row_of
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import RUN_FLOOR, VIEW_TABLE
from casino.pit.board.read import live_tables, silent_tables
from casino.pit.croupier import ask_whether_both
from casino.pit.floor import show
from casino.pit.floor.count import CountStep, booked_at
from casino.pit.floor.entries import BuyInBack, TipBack, forms_of, table_entries
from casino.pit.floor.seats import NOBODY, seated_table
from casino.pit.floor.tray import STEPS as OF_TRAY
from casino.pit.floor.tray import counted_tray, session_counts
from casino.pit.hands.irregular import IrregularTable
from casino.rulesets.signers import prize_lacks_at
from casino.text import floor
from casino.text.wording import guest_name
from payouts.errors import Refused, mark
from payouts.rules.plain import Json
from tables.errors import (
    CardsUnconfirmed,
    ClarifyOpen,
    CroupierUnknown,
    GuestUnknown,
    HouseNotReady,
    OpenerDiffers,
    SeatWithoutBox,
    TabletSilent,
    TabletUnsent,
)
from tables.games import game_of
from tables.models import Guest, Round, Table, TableSession
from tables.selectors.calls import calls_open
from tables.selectors.counts import is_counted
from tables.selectors.floor import croupiers, floor_jackpots, floor_tables
from tables.selectors.running import hand_running
from tables.selectors.sessions import session_rounds, session_sums, table_sessions
from tables.services import (
    floor_call,
    floor_call_take,
    guest_arrive,
    guest_leave,
    guest_move,
    hand_abandon,
    session_roll,
    table_close,
    table_entry_level_set,
    table_hand_over,
    table_open,
)
from tables.services.counts.gates import counts_required
from tables.services.parts import DEALERS

_WHY = (TabletSilent, TabletUnsent, ClarifyOpen, HouseNotReady, OpenerDiffers, CardsUnconfirmed)
SEATED = [("1", _("sits and owns it")), ("", _("stands; declared owner if a box is chosen"))]


@require_GET
def table(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A table as it stands, what may be done with it, and its rounds."""
    person = allowed(request, VIEW_TABLE)
    return _table_page(request, person, _found(person, pk))


class _TableStep(Step[Table]):
    permission, subject = RUN_FLOOR, "table"

    @property
    def ids(self) -> dict[str, Any]:
        return {"house_id": self.row.house_id, "table_id": self.row.pk, "actor_id": self.person.pk}


class _Croupier(_TableStep):
    croupier = RowChoice(CroupierUnknown, label=_("Croupier"))
    both = Tick()

    def offer(self) -> None:
        has = self.row.session.croupier_id if self.row.session else None
        people = croupiers(house_id=self.row.house_id, roles=DEALERS)
        self.options(
            "croupier", [("", ""), *((one.pk, one.full_name) for one in people if one.pk != has)]
        )

    def one_table(self) -> UUID:
        """The croupier who is to have the table. Raises CroupierUnknown, CroupierElsewhere."""
        croupier: UUID = self.values["croupier"]
        ask_whether_both(self.row, croupier, is_said=self.values["both"])
        return croupier


class _Entry(_TableStep):
    """Asks how the table is entered: what its game lists."""

    def offer(self) -> None:
        super().offer()
        levels = game_of(self.row.game).levels
        self.options("entry_level", [(code, gettext(word)) for code, word in levels.items()])


class _Asking(_TableStep):
    """Is asked about once, and done with a reason."""

    reason = Text(
        label=_("Why it is done all the same"),
        widget=forms.TextInput({"maxlength": 500, "autocomplete": "off"}),
    )


class _Open(_Entry, _Croupier, _Asking):
    step, command = "open", "floor.open"
    entry_level = Choice(label=_("Entry"), initial="fast")

    def carry_out(self) -> Json:
        given = {name: self.values[name] for name in ("entry_level", "reason")}
        lacks = prize_lacks_at(self.row.pk)
        table_open(**self.ids, croupier_id=self.one_table(), prize_lacks=lacks, **given)
        return None


class _End(_Asking):
    """Ends a session; where not all of it is known, with a reason."""

    @property
    def ids(self) -> dict[str, Any]:
        known = {**tablet_state(self.row.pk), "reason": self.values["reason"]}
        return super().ids | known


class _Close(_End):
    step, command = "close", "floor.close"
    cards_complete = Tick(label=_("All cards are there"), widget=forms.CheckboxInput)

    def carry_out(self) -> Json:
        table_close(**self.ids, cards_complete=self.values["cards_complete"])
        return None


class _Roll(_End):
    step, command = "roll", "floor.roll"

    def carry_out(self) -> Json:
        session_roll(**self.ids)
        return None


class _Abandon(_TableStep):
    step, command = "abandon", "floor.abandon"
    reason = Reason(500, label=_("Reason"))
    done = mark("The hand is given up: nothing was booked of it.")

    def carry_out(self) -> Json:
        hand_abandon(**self.ids, reason=self.values["reason"])
        return None


class _HandOver(_Croupier):
    step, command = "hand-over", "floor.hand-over"
    croupier = RowChoice(CroupierUnknown, label=_("To croupier"))

    def carry_out(self) -> Json:
        table_hand_over(**self.ids, croupier_id=self.one_table())
        return None


class _Level(_Entry):
    step, command = "level", "floor.level"
    entry_level = Choice(label=_("From the next round on"))

    def carry_out(self) -> Json:
        table_entry_level_set(**self.ids, entry_level=self.values["entry_level"])
        return None


def _unseated(_given: str) -> Refused:
    return SeatWithoutBox()


class _Place(_TableStep):
    """Where a guest is: at a box (sitting, or standing as its declared owner), or standing without
    one.
    """

    box = Whole(_unseated, nothing=None, label=_("Box"), widget=forms.Select)
    seated = Tick(label=_("At the box"), widget=forms.Select(choices=SEATED))
    distance = Whole(_unseated, label=_("Place from the shoe"), initial=0)

    def offer(self) -> None:
        self.options(
            "box", [("", gettext("none")), *((box, box) for box in range(1, self.row.boxes + 1))]
        )

    def place(self) -> dict[str, Any]:
        """Raises SeatWithoutBox."""
        return {name: self.values[name] for name in ("box", "seated", "distance")}


class _Arrive(_Place):
    step, command = "arrive", "floor.arrive"

    def carry_out(self) -> Json:
        return str(guest_arrive(**self.ids, **self.place()).pk)


class _GuestStep(_TableStep):
    about = "guest"
    guest = Subject(GuestUnknown)

    @property
    def ids(self) -> dict[str, Any]:
        """The guest is one of this table. Raises GuestUnknown."""
        guest = Guest.objects.filter(pk=self.values["guest"], session__table=self.row).first()
        if guest is None:
            raise GuestUnknown
        return {"house_id": self.row.house_id, "guest_id": guest.pk, "actor_id": self.person.pk}


class _Move(_GuestStep, _Place):
    step, command = "move", "floor.move"

    def carry_out(self) -> Json:
        guest_move(**self.ids, **self.place())
        return None


class _Leave(_GuestStep):
    step, command = "leave", "floor.leave"

    def carry_out(self) -> Json:
        guest_leave(**self.ids)
        return None


class _SeenTo(_TableStep):
    step, command = "seen-to", "floor.seen-to"

    def carry_out(self) -> Json:
        floor_call(**self.ids, reason=None)
        return None


class _TakeCall(_TableStep):
    step, command = "take-call", "floor.take-call"

    def carry_out(self) -> Json:
        floor_call_take(**self.ids)
        return None


class GuestRow(NamedTuple):
    """A guest at the table, and the forms about them."""

    guest: Guest
    name: str
    move: Step[Table]
    leave: Step[Table]


def _table_page(
    request: HttpRequest, person: Person, found: Table, wrong: Wrong | None = None
) -> HttpResponse:
    here = floor_tables(house_id=found.house_id, table_id=found.pk)
    live = live_tables(house_id=found.house_id)
    jackpots = floor_jackpots(house_id=found.house_id)
    [tile] = show.tiles(found.house, here, jackpots, silent_tables(live))
    sessions = table_sessions(table_id=found.pk)
    session = _session(request, sessions)
    rounds, following = (
        session_rounds(session_id=session.pk, before=_before(request)) if session else ([], None)
    )
    may_run = person.has_perm(RUN_FLOOR)
    stacks = tile.stacks
    guests = _guests(found, person, wrong) if may_run and found.session_id and not stacks else []
    offered = _forms(found, person, wrong) if may_run else {}
    is_blind = session is not None and is_counted(session)
    entries = table_entries(found, session, person, wrong) if session and not is_blind else None
    tray = counted_tray(found, person, wrong)
    context = {
        "table": found,
        "tile": tile,
        "call": calls_open([found.session_id]).get(found.session_id) if found.session_id else None,
        "now": tile.table.now,
        "an_hour": live[found.pk].an_hour,
        "sessions": sessions,
        "session": session,
        "rounds": [(row, floor.say(Round.State, row.state)) for row in rounds],
        "returned": any(row.returned_minor for row in rounds),
        "sums": session_sums(session_id=session.pk) if session and not is_blind else None,
        "following": following,
        "paged": _before(request) is not None,
        "may_run": may_run,
        "guests": guests,
        "free_boxes": _free(found, guests),
        "forms": (
            {form.at for form in offered.values()}
            | {form.at for row in guests for form in (row.move, row.leave)}
            | forms_of(entries)
            | (tray.forms if tray else set())
        ),
        **offered,
        "unknown_codes": tuple(refused.code for refused in _WHY),
        "stacks": stacks,
        "rolls": stacks and tile.table.opened_for not in (None, tile.table.day),
        "entries": entries,
        "is_blind": is_blind,
        "running": hand_running(found.session) if stacks and found.session else None,
        "tray": tray,
        "counts": session_counts(found, session, person),
        "asks_cards": found.session is not None and counts_required(found.session.versions),
    }
    if stacks:
        seated = seated_table(session, _before(request)) if session else NOBODY
        seated = seated._replace(hand_sums=None) if is_blind else seated
        context |= seated._asdict() | {"on_table": booked_at(found) if may_run else None}
    return page(request, person, "pit/floor/table.html", context, found.house, wrong)


def _forms(found: Table, person: Person, wrong: Wrong | None) -> dict[str, Step[Table]]:
    if found.retired:
        return {}
    if found.session is None:
        return {"open": _Open.offered(found, person, wrong)}
    level = _Level.offered(found, person, wrong, entry_level=found.session.entry_level)
    # a guest with chips sits down with a buy-in, at the tablet
    stacks = game_of(found.game).stacks
    beside = (_Roll, _Abandon, CountStep, IrregularTable) if stacks else (_Arrive,)
    steps = (_HandOver, *beside, _Close)
    return {"level": level} | {
        one.step.replace("-", "_"): one.offered(found, person, wrong) for one in steps
    }


def _found(person: Person, pk: UUID | None) -> Table:
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


def _guests(found: Table, person: Person, wrong: Wrong | None) -> list[GuestRow]:
    rows = []
    for guest in Guest.objects.filter(session_id=found.session_id, left_at=None).order_by("number"):
        about = {"guest": str(guest.pk)}
        place = {
            "box": guest.box or "",
            "seated": "1" if guest.seated else "",
            "distance": guest.distance,
        }
        move = _Move.offered(found, person, wrong, **about, **place)
        rows.append(
            GuestRow(
                guest, guest_name(guest.number), move, _Leave.offered(found, person, wrong, **about)
            )
        )
    return sorted(
        rows, key=lambda row: (row.guest.box is None, row.guest.box or 0, row.guest.number)
    )


def _free(found: Table, guests: list[GuestRow]) -> list[int]:
    """Boxes that nobody owns, while the table is open."""
    if not found.session_id:
        return []
    owned = {row.guest.box for row in guests}
    return [box for box in range(1, found.boxes + 1) if box not in owned]


_OF_TABLE = (_Open, _Close, _Roll, _Abandon, _HandOver, _Level, CountStep, IrregularTable)
_OF_GUESTS = (_Arrive, _Move, _Leave, _SeenTo, _TakeCall)
STEPS = by_name(*_OF_TABLE, *_OF_GUESTS, BuyInBack, TipBack, *OF_TRAY)
PAGE = Page("floor-table", _found, _table_page, STEPS)
