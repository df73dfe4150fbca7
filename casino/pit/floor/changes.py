"""The page on which a table is changed, or its change asked for; its versions."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from casino.people.models import Person
from casino.people.pages.fields import Reason, RowChoice, Tick, Whole
from casino.people.pages.page import Wrong, allowed, page, row_of
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import SET_UP
from casino.pit.floor.versions import set_up_differences, version_lines
from casino.pit.set_up import boxes_label, kinds_of, name_field, no_number, posted_field
from casino.rulesets.signers import signers_besides
from payouts.errors import mark
from payouts.models import Approval
from payouts.models.approval import WAITING
from payouts.rules.plain import Json
from tables.errors import PitUnknown, PostedMissing, TableUnchanged
from tables.games import game_of
from tables.models import Pit, Table, TableSession, TableVersion
from tables.selectors.floor import posted_names
from tables.services import table_change, table_change_request
from tables.services.floor.changes import CHANGE, TableSetUp, newest_version, set_up_of
from tables.services.parts import table_locked


@require_GET
def one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A table as its newest version has it, and the form that changes it."""
    person = allowed(request, SET_UP)
    return _page(request, person, _table(person, pk))


class _ChangeAtOnce(Step[Table]):
    """Of a table that was never opened: at once."""

    step, command, permission, subject = "change", "table.change", SET_UP, "table"
    done = mark("Changed.")
    # the version that the form began with
    number = Whole(no_number, widget=forms.HiddenInput)
    name = name_field(40)
    pit = RowChoice(PitUnknown, label=gettext_lazy("Pit"))
    position = Whole(no_number, label=gettext_lazy("Place in the pit"))
    boxes = Whole(no_number)
    retired = Tick(
        label=gettext_lazy("Retired"),
        widget=forms.Select(choices=[("", gettext_lazy("no")), ("1", gettext_lazy("yes"))]),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        game = game_of(self.row.game)
        self.kinds = kinds_of(game)
        self.fields["boxes"].label = boxes_label(game)
        for kind in self.kinds:
            self.fields[kind] = posted_field(kind, game, ())
        self.order_fields([*list(self.fields)[:5], *self.kinds])

    def offer(self) -> None:
        pits = Pit.objects.filter(house_id=self.row.house_id).order_by("position", "name")
        self.options("pit", list(pits.values_list("pk", "name")))
        game = game_of(self.row.game)
        known = self._known(newest_version(self.row))
        for kind in self.kinds:
            self.options(kind, posted_field(kind, game, known[kind]).choices)

    def _known(self, newest: TableVersion) -> dict[str, list[str]]:
        """By kind, the names that may count at the table: what is posted, and its own."""
        posted = posted_names(house_id=self.row.house_id)
        own = newest.posted
        return {
            kind: [*dict.fromkeys([*posted.get(kind, []), *filter(None, [own.get(kind)])])]
            for kind in self.kinds
        }

    def set_up(self) -> TableSetUp:
        """What was typed. Raises TableUnchanged where another version came meanwhile, PostedMissing
        for a name that may not count at the table.
        """
        values = self.values
        table_locked(self.row.house_id, self.row.pk, any_jackpot=True)
        newest = newest_version(self.row)
        if newest.number != values["number"]:
            raise TableUnchanged
        posted = {kind: values[kind] for kind in self.kinds if values[kind]}
        known = self._known(newest)
        for kind, name in posted.items():
            if name not in known[kind]:
                raise PostedMissing(kind=kind, name=name)
        return TableSetUp(
            pit_id=values["pit"],
            name=values["name"],
            position=values["position"],
            boxes=values["boxes"],
            posted=posted,
            retired=values["retired"],
        )

    def carry_out(self) -> Json:
        ids = {"house_id": self.row.house_id, "table_id": self.row.pk, "actor_id": self.person.pk}
        return table_change(**ids, set_up=self.set_up()).number


class _ChangeRequest(_ChangeAtOnce):
    """Of any other: others sign it."""

    step, command = "request", "table.change_request"
    done = mark("Asked for: others look at it and sign.")
    reason = Reason(500, label=gettext_lazy("Reason"))

    def carry_out(self) -> Json:
        approval = table_change_request(
            house_id=self.row.house_id,
            table_id=self.row.pk,
            set_up=self.set_up(),
            reason=self.values["reason"],
            requester_id=self.person.pk,
        )
        return str(approval.pk)

    def after(self, answer: Json) -> tuple[Any, ...]:
        return "table-asked", UUID(str(answer))


def _page(
    request: HttpRequest, person: Person, table: Table, refusal: Wrong | None = None
) -> HttpResponse:
    newest = newest_version(table)
    opened = TableSession.objects.filter(table=table).exists()
    form = (_ChangeRequest if opened else _ChangeAtOnce).offered(
        table, person, refusal, **_initial(newest)
    )
    waiting = Approval.objects.filter(WAITING, house=table.house, action=CHANGE)
    context = {
        "table": table,
        "game": _(game_of(table.game).title),
        "form": form,
        "opened": opened,
        "asked": waiting.filter(subject_id=str(table.pk)).first(),
        "next": _next(table, newest),
        "signers": signers_besides(person, CHANGE, table.house) if opened else None,
        "versions": version_lines(table),
        "forms": {form.at},
    }
    template = "pit/floor/changes.html"
    return page(request, person, template, context, house=table.house, wrong=refusal)


def _initial(newest: TableVersion) -> dict[str, Any]:
    return {
        "number": newest.number,
        "name": newest.name,
        "pit": newest.pit_id,
        "position": newest.position,
        "boxes": newest.boxes,
        "retired": "1" if newest.retired else "",
        **newest.posted,
    }


def _next(table: Table, newest: TableVersion) -> Any:
    """What is otherwise from the next opening on; None where nothing is."""
    if newest.number == table.version:
        return None
    now = TableVersion.objects.get(table=table, number=table.version)
    return set_up_differences(set_up_of(now).data(), set_up_of(newest).data(), table)


def _table(person: Person, pk: UUID) -> Table:
    return row_of(person, Table.objects.select_related("house", "pit"), pk)


PAGE = Page("floor-set-up-table", _table, _page, by_name(_ChangeAtOnce, _ChangeRequest))
