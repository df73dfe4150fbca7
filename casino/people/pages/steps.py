"""Steps of a page: a form for each command, and the one view that carries them out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

from django.contrib import messages
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from casino.people.models import Person
from casino.people.pages.fields import PageForm
from casino.people.pages.page import Wrong, allowed, form_data, run
from payouts.errors import Refused, mark
from payouts.rules.plain import Json

Row = TypeVar("Row", bound=Model)


class Step(PageForm, Generic[Row]):
    """One command of a page about a row: what it asks for (`casino/people/pages/fields.py`), who
    may send it, and the service it calls.

    Its fields are read inside the command's work, unless `prepare` reads them before: so the same
    form sent again gets the first answer, whatever the floor has become. A new one: a subclass with
    `step`, `command`, its fields and `carry_out`; in the page's `by_name(...)`; offered where the
    page gathers its forms; drawn in the page's template. Its address is there already.
    """

    # in the address; with the value of the field `about` it is the form's place on the page
    step: ClassVar[str]
    about: ClassVar[str] = ""
    permission: ClassVar[str]
    command: ClassVar[str]  # done once under the form's key
    subject: ClassVar[str]  # what the row is called in the command's fingerprint
    done: ClassVar[str] = mark("Done.")

    def __init__(
        self, row: Row, person: Person, sent: Mapping[str, Any] | None = None, **initial: Any
    ) -> None:
        which = (initial if sent is None else sent).get(self.about, "") if self.about else ""
        self.at = f"{self.step}-{which}" if which else self.step
        self.row, self.person = row, person
        super().__init__(sent, initial=initial, auto_id=f"{self.at}-%s")

    @classmethod
    def offered(cls, row: Row, person: Person, wrong: Wrong | None = None, **initial: Any) -> Self:
        """The form as a page shows it: with these values, or with what was typed when it was
        refused; what it does not show is as it is now.
        """
        form = cls(row, person, **initial)
        if wrong and wrong.at == form.at:
            hidden = {name for name, field in form.fields.items() if field.widget.is_hidden}
            form.initial.update(dict.fromkeys({*form.fields} - hidden, ""))
            form.initial.update(
                {name: text for name, text in wrong.form_data.items() if name not in hidden}
            )
        form.offer()
        return form

    def offer(self) -> None:
        """Put the choices of this row into the fields."""

    def options(self, field: str, choices: object) -> None:
        """Let the field offer these pairs of value and word."""
        self.fields[field].widget.choices = choices

    def body(self, words: dict[str, str]) -> Mapping[str, object]:
        """What makes the same form the same request."""
        return words | {self.subject: str(self.row.pk)}

    def prepare(self) -> Callable[[], Json]:
        """What is to be done once; a step that reads before its transaction begins does so here."""
        return self.carry_out

    def carry_out(self) -> Json:
        """Call the service. Raises Refused."""
        raise NotImplementedError

    def run(self, request: HttpRequest) -> Json:
        """Do it once for the form's key. Raises Refused."""
        return run(
            request, self.person, self.command, self.body(form_data(request)), self.prepare()
        )

    def message(self, answer: Json) -> str:
        """What the person reads when it is done."""
        return _(self.done)

    def after(self, answer: Json) -> tuple[Any, ...] | None:
        """The address that follows, if it is not the page's own."""
        return None


@dataclass(frozen=True)
class Page(Generic[Row]):
    """A page with steps: the name of its address, the row that it is about (raises Http404), and
    how it shows it.
    """

    view: str
    find: Callable[[Person, Any], Row]
    show: Callable[[HttpRequest, Person, Row, Wrong | None], HttpResponse]
    steps: Mapping[str, type[Step[Row]]]


def by_name(*steps: type[Step[Row]]) -> dict[str, type[Step[Row]]]:
    """The steps of a page by their names in addresses."""
    return {one.step: one for one in steps}


@require_POST
@sensitive_post_parameters("secret")
def take_step(request: HttpRequest, step: str, page: Page[Any], pk: Any = None) -> HttpResponse:
    """Carry out the step of that name; its refusal is shown beside the form in which it
    happened."""
    if step not in page.steps:
        raise Http404
    person = allowed(request, page.steps[step].permission)
    form = page.steps[step](page.find(person, pk), person, request.POST)
    try:
        answer = form.run(request)
    except Refused as refused:
        return page.show(
            request, person, page.find(person, pk), Wrong(form.at, refused, form_data(request))
        )
    messages.success(request, form.message(answer))
    return redirect(*(form.after(answer) or ((page.view, pk) if pk else (page.view,))))
