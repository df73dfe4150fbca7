"""Setting the floor up: pits, tables, jackpots and the links between them."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from casino.people.models import Person
from casino.people.pages.fields import Choice, RowChoice, Subject, Text, Whole
from casino.people.pages.page import Wrong, allowed, house_clock_of, page
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import SET_UP
from casino.pit.opening import has_locked
from casino.text import floor
from jackpot.errors import JackpotUnknown
from jackpot.models import Phase
from jackpot.services import (
    jackpot_create,
    jackpot_create_request,
    jackpot_parameters_set,
)
from jackpot.services.creation import CREATE
from payouts.errors import Refused, mark
from payouts.models import Approval, House
from payouts.models.approval import WAITING
from payouts.rules.plain import Json
from tables.errors import PitUnknown, TableUnknown
from tables.games import Game, bank_games, dealt_games, game_of
from tables.kinds import KINDS
from tables.models import Pit, Table
from tables.selectors.floor import FloorJackpot, floor_jackpots, posted_names
from tables.services import pit_create, table_create, table_link
from tables.services.floor.changes import CHANGE
from tables.services.parts import COUNT_KINDS, FLOOR_KINDS


class NumberRefused(Refused):
    """Something that is not a number of a place or of boxes."""

    code = "floor.number_refused"
    sentence = mark("“%(given)s” is not a whole number from 0 to 999.")
    remedy = mark("Enter a number in digits.")


@require_GET
def set_up(request: HttpRequest) -> HttpResponse:
    """Pits, tables and jackpots as they are, and a form for each thing that can be added or
    changed.
    """
    person = allowed(request, SET_UP)
    return _set_up_page(request, person, house_clock_of(person).house)


def no_number(given: str) -> Refused:
    """What refuses a text that is no number of a place or of boxes."""
    return NumberRefused(given=given)


def name_field(most: int) -> Text:
    """A name of this many characters at most."""
    return Text(label=_("Name"), required=True, widget=forms.TextInput(attrs={"maxlength": most}))


def _offline() -> list[tuple[str, str]]:
    return [(code, gettext(word)) for code, word in floor.OFFLINE.items()]


class _SetUpStep(Step[House]):
    permission, subject = SET_UP, "house"

    @property
    def ids(self) -> dict[str, Any]:
        return {"house_id": self.row.pk, "actor_id": self.person.pk}


class _Pit(_SetUpStep):
    step, command = "pit", "set_up.pit"
    name = name_field(40)
    position = Whole(no_number, label=_("Place on the floor"), initial=0)

    def carry_out(self) -> Json:
        return str(pit_create(**self.ids, **self.values).pk)


class _Table(_SetUpStep):
    """A table of one game; of each kind of rule set that the game needs it takes one by name."""

    step, command, about = "table", "set_up.table", "game"
    game = Text(widget=forms.HiddenInput)
    pit = RowChoice(PitUnknown, label=_("Pit"))
    name = name_field(40)
    boxes = Whole(no_number, required=True, initial=6)
    position = Whole(no_number, label=_("Place in the pit"), initial=0)

    def carry_out(self) -> Json:
        values = dict(self.values)
        kinds = kinds_of(game_of(values["game"]))
        named = {kind: self.data.get(kind, "") for kind in kinds if self.data.get(kind)}
        return str(table_create(**self.ids, pit_id=values.pop("pit"), **values, posted=named).pk)


class _Link(_SetUpStep):
    step, command, about = "link", "set_up.link", "linked"
    linked = Subject(TableUnknown)
    jackpot = RowChoice(JackpotUnknown, empty=True, label=_("Jackpot"))

    def carry_out(self) -> Json:
        table_link(**self.ids, table_id=self.values["linked"], jackpot_id=self.values["jackpot"])
        return None


class _Jackpot(_SetUpStep):
    step, command = "jackpot", "set_up.jackpot"
    name = name_field(60)
    progressive = Choice(label=_("Prizes"), required=True)
    funding = Choice(label=_("Funding"), required=True)
    rules = Choice(label=_("At a hit"))
    offline_linked = Choice(label=_("Without the server a table"), choices=_offline)

    def carry_out(self) -> Json:
        return str(jackpot_create(**self.ids, **self.values).pk)


class _AskJackpot(_Jackpot):
    """The same form in a house that plays: another person signs for the seed."""

    step, command = "jackpot-request", "jackpot.create_request"
    done = mark("Asked for: another person looks at it and signs.")

    def carry_out(self) -> Json:
        ids: dict[str, Any] = {"house_id": self.row.pk, "person_id": self.person.pk}
        return str(jackpot_create_request(**ids, **self.values).pk)

    def after(self, answer: Json) -> tuple[Any, ...]:
        return "jackpot-asked", UUID(str(answer))


class _Parameters(_SetUpStep):
    step, command, about = "parameters", "set_up.parameters", "changed"
    changed = Subject(JackpotUnknown)
    offline_linked = Choice(label=_("Without the server a table"), choices=_offline)

    def carry_out(self) -> Json:
        jackpot_id, offline = self.values["changed"], self.values["offline_linked"]
        jackpot_parameters_set(**self.ids, jackpot_id=jackpot_id, offline_linked=offline)
        return None


def kinds_of(game: Game) -> tuple[str, ...]:
    """The kinds of posted tables that a table of the game names, or may name."""
    return (*game.posted, *game.optional, *FLOOR_KINDS, *COUNT_KINDS)


class TableRow(NamedTuple):
    """A table and the form that links it; None where its game has no jackpot. `request`: that
    waits for it; `next`: it is otherwise from its next opening on.
    """

    row: Table
    link: Step[House] | None
    request: UUID | None
    next: bool


class JackpotRow(NamedTuple):
    """A jackpot with its phase in words, and the form that changes it."""

    row: FloorJackpot
    phase: str
    parameters: Step[House]


class NewTable(NamedTuple):
    """The form for a table of one game."""

    title: str
    form: Step[House]


def _set_up_page(
    request: HttpRequest, person: Person, house: House, wrong: Wrong | None = None
) -> HttpResponse:
    names, pits = (
        posted_names(house_id=house.pk),
        list(Pit.objects.filter(house=house).order_by("position", "name")),
    )
    here = list(floor_jackpots(house_id=house.pk).values())
    tables = _tables(person, house, here, wrong)
    jackpots = [_jackpot_row(person, house, one, wrong) for one in here]
    at_a_hit = [*_same(names.get("jackpot_rules", [])), ("", gettext("the rulebook's own"))]
    pit = _Pit.offered(house, person, wrong)
    plays = has_locked(house)
    make = _AskJackpot if plays else _Jackpot
    jackpot = make.offered(house, person, wrong, rules=at_a_hit[0][0])
    jackpot.options("progressive", _same(names.get("progressive", [])))
    jackpot.options("funding", _same(names.get("funding", [])))
    jackpot.options("rules", at_a_hit)
    games = [_new_table(person, house, game, pits, names, wrong) for game in dealt_games()]
    offered = [
        pit,
        jackpot,
        *(one.form for one in games),
        *(one.link for one in tables if one.link),
        *(one.parameters for one in jackpots),
    ]
    context = {
        "pits": pits,
        "tables": [table for table in tables if not table.row.retired],
        "retired": [table.row for table in tables if table.row.retired],
        "games": games,
        "jackpots": jackpots,
        "pit": pit,
        "jackpot": jackpot,
        "plays": plays,
        "requests": _requests(house) if plays else [],
        "forms": {form.at for form in offered},
    }
    return page(request, person, "pit/floor/set_up.html", context, house, wrong)


def _requests(house: House) -> list[tuple[str, UUID]]:
    """The jackpots that wait for a signature, by name with their requests."""
    rows = Approval.objects.filter(WAITING, house=house, action=CREATE)
    return [(row.payload["name"], row.pk) for row in rows.order_by("requested_at", "pk")]


def _same(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


def _tables(
    person: Person, house: House, jackpots: list[FloorJackpot], wrong: Wrong | None
) -> list[TableRow]:
    rows = Table.objects.filter(house=house).select_related("pit", "jackpot")
    rows = rows.annotate(newest=Max("versions__number"))
    waiting = Approval.objects.filter(WAITING, house=house, action=CHANGE)
    requests = dict(waiting.values_list("subject_id", "pk"))
    options = [
        ("", pgettext("jackpot of a table", "none")),
        *((one.id, one.name) for one in jackpots),
    ]
    found = []
    linkable = {game.code for game in bank_games()}
    for row in rows.order_by("pit__position", "pit__name", "position", "name"):
        stands = requests.get(str(row.pk)), row.newest > row.version
        if row.retired or (row.game not in linkable and row.jackpot_id is None):
            found.append(TableRow(row, None, *stands))
            continue
        link = _Link.offered(house, person, wrong, linked=row.pk, jackpot=row.jackpot_id or "")
        link.options("jackpot", options)
        found.append(TableRow(row, link, *stands))
    return found


def _jackpot_row(
    person: Person, house: House, jackpot: FloorJackpot, wrong: Wrong | None
) -> JackpotRow:
    form = _Parameters.offered(
        house, person, wrong, changed=jackpot.id, offline_linked=jackpot.offline_linked
    )
    return JackpotRow(jackpot, floor.say(Phase, jackpot.phase), form)


def boxes_label(game: Game) -> str:
    """What its number of boxes or seats is called, and how many there may be."""
    seats = gettext("Seats (%(least)s to %(most)s)")
    boxes = gettext("Boxes (%(least)s to %(most)s)")
    return (seats if game.stacks else boxes) % {
        "least": game.players_least,
        "most": game.boxes_most,
    }


def posted_field(kind: str, game: Game, names: Iterable[str]) -> Choice:
    """Which posted table of the kind counts at a table of the game: one of these names."""
    choices = _same(names)
    required = kind not in (*game.optional, *COUNT_KINDS)
    if not required:
        choices = [("", pgettext("posted table of a table", "none")), *choices]
    return Choice(label=gettext(KINDS[kind].title), required=required, choices=choices)


def _new_table(
    person: Person,
    house: House,
    game: Game,
    pits: list[Pit],
    names: Mapping[str, list[str]],
    wrong: Wrong | None,
) -> NewTable:
    form = _Table.offered(house, person, wrong, game=game.code)
    form.options("pit", [(pit.pk, pit.name) for pit in pits])
    form.fields["boxes"].label = boxes_label(game)
    for kind in kinds_of(game):
        form.fields[kind] = posted_field(kind, game, names.get(kind, []))
    return NewTable(gettext(game.title), form)


STEPS = by_name(*(_Pit, _Table, _Link, _Jackpot, _AskJackpot, _Parameters))
PAGE = Page("floor-set-up", lambda person, _pk: house_clock_of(person).house, _set_up_page, STEPS)
