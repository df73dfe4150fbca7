"""Differences of counts: the list, and each with what may explain it and the form that does
(RES-4).
"""

from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from casino.people.models import Person
from casino.people.pages.fields import Choice, Reason
from casino.people.pages.page import Wrong, allowed, house_clock_of, page, row_of
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import EXPLAIN_DIFFERENCE, VIEW_COUNT, VIEW_ROUND, VIEW_THEFT
from casino.rulesets.signers import signers_besides
from payouts.errors import mark
from payouts.models import Approval, CountBack, CountPurpose
from payouts.models.approval import WAITING
from payouts.models.count import CountPlace
from payouts.rules.plain import Json
from payouts.rules.rulesets.paytable import BY_NAME, WORDS
from tables.models import Difference, ExplanationWords, Round
from tables.rules.pairs import CLASSES, Proposal
from tables.selectors.differences import DifferenceRow, difference_row, differences
from tables.services import difference_explain
from tables.services.counts.differences import EXPLAIN, THEFT, took_part
from tables.services.counts.proposals import difference_proposals


class DifferenceLine(NamedTuple):
    """A difference in the list, in words."""

    row: DifferenceRow
    state: str
    what: str
    code: str
    explained_by: str


class ProposedLine(NamedTuple):
    """What may explain a difference: its class, a sentence, a way there, what the form takes."""

    code: str
    title: str
    text: str
    href: str


@require_GET
def everything(request: HttpRequest) -> HttpResponse:
    """Those that are open, then the newest of the others."""
    person = allowed(request, VIEW_COUNT)
    house = house_clock_of(person).house
    rows = differences(house_id=house.pk)
    people = _people(rows)
    lines = [_line(row, people) for row in rows]
    context = {"lines": lines, "open": sum(row.state == "open" for row in rows)}
    return page(request, person, "cage/differences.html", context, house)


@require_GET
def one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """One of them."""
    person = allowed(request, VIEW_COUNT)
    return _page(request, person, _difference(person, pk))


class _Explain(Step[Difference]):
    step, command = "explain", "difference.explain"
    permission, subject = EXPLAIN_DIFFERENCE, "difference"
    done = mark("Explained, or asked for: from the house’s limit on others look at it and sign.")
    code = Choice(label=gettext_lazy("Explanation"))
    words = Reason(500, label=gettext_lazy("In words"))

    def offer(self) -> None:
        self.options("code", [("", "–"), *((code, _(name)) for code, name in CLASSES.items())])

    def carry_out(self) -> Json:
        explained = difference_explain(
            house_id=self.row.house_id,
            difference_id=self.row.pk,
            code=self.values["code"],
            words=self.values["words"],
            person_id=self.person.pk,
        )
        return str(explained.approval.pk) if explained.approval else ""

    def after(self, answer: Json) -> tuple[Any, ...] | None:
        return ("difference-asked", UUID(answer)) if isinstance(answer, str) and answer else None


def _page(
    request: HttpRequest, person: Person, difference: Difference, wrong: Wrong | None = None
) -> HttpResponse:
    row = difference_row(house_id=difference.house_id, pk=difference.pk)
    if row is None:
        raise Http404
    people = _people([row])
    is_open = row.state == Difference.State.OPEN
    form = _Explain.offered(difference, person, wrong)
    may = is_open and person.has_perm(EXPLAIN_DIFFERENCE)
    is_alone = abs(row.left_minor) < difference.report_from_minor
    is_alone = is_alone and person.pk not in took_part(difference)
    waiting = Approval.objects.filter(WAITING, house=difference.house, action=EXPLAIN)
    context = {
        "line": _line(row, people),
        "difference": difference,
        "counted_by": people.get(row.counter, ""),
        "witnessed_by": people.get(row.witness, ""),
        "backs": CountBack.objects.filter(count=row.count_id).order_by("at"),
        "proposals": _proposals(row, person) if is_open else [],
        "words": words_shown(row.explanation, row.code, person),
        "form": form if may else None,
        "signers": None if is_alone or not may else _signers(person, difference),
        "asked": waiting.filter(subject_id=str(difference.pk)).first(),
        "forms": {form.at} if may else set(),
    }
    return page(
        request, person, "cage/difference.html", context, house=difference.house, wrong=wrong
    )


def words_shown(explanation: UUID | None, code: str | None, person: Person) -> str:
    """The words of an explanation; those of a theft few may read, and they go."""
    if explanation is None:
        return ""
    if code == THEFT and not person.has_perm(VIEW_THEFT):
        return _("Only who may see thefts reads this.")
    written = ExplanationWords.objects.filter(pk=explanation).first()
    return written.words if written else _("Erased: the time for which it is held is over.")


def _signers(person: Person, difference: Difference) -> Any:
    return signers_besides(person, EXPLAIN, difference.house)


def _people(rows: list[DifferenceRow]) -> dict[UUID, str]:
    named = [(row.counter, row.witness, row.explained_by) for row in rows]
    ids = {person for people in named for person in people if person is not None}
    return dict(Person.objects.filter(pk__in=ids).values_list("pk", "full_name"))


def _line(row: DifferenceRow, people: dict[UUID, str]) -> DifferenceLine:
    return DifferenceLine(
        row=row,
        state=str(Difference.State(row.state).label),
        what=counted_place(row.place, row.purpose),
        code=_(CLASSES[row.code]) if row.code else "",
        explained_by=people.get(row.explained_by, "") if row.explained_by else "",
    )


def counted_place(place: str, purpose: str) -> str:
    """The place and why it was counted."""
    if place == CountPlace.DROP:
        return _("Drop box")
    return _("Tray, %(purpose)s") % {"purpose": CountPurpose(purpose).label}


def _proposals(row: DifferenceRow, person: Person) -> list[ProposedLine]:
    proposed = difference_proposals(row)
    rounds = Round.objects.in_bulk([proposal.round for proposal in proposed if proposal.round])
    counts = [proposal.count for proposal in proposed if proposal.count]
    gaps = {gap.count_id: gap.pk for gap in Difference.objects.filter(count__in=counts)}
    return [_proposed(proposal, rounds, gaps, person) for proposal in proposed]


def _proposed(
    proposal: Proposal, rounds: dict[UUID, Round], gaps: dict[UUID, UUID], person: Person
) -> ProposedLine:
    title = _(CLASSES[proposal.code])
    if proposal.round:
        text = _("Round %(number)s, box %(box)s: entered as %(entered)s, paid as %(paid)s.") % {
            "number": rounds[proposal.round].number,
            "box": proposal.box,
            "entered": _hand(proposal.entered),
            "paid": _hand(proposal.paid),
        }
        may_read = person.has_perm(VIEW_ROUND)
        href = reverse("floor-round", args=[proposal.round]) if may_read else ""
        return ProposedLine(code=proposal.code, title=title, text=text, href=href)
    texts = {
        "buy_in": _("The drop and the tray are off by the same amount: a buy-in was not entered."),
        "count": _("Two counts in a row cancel: one of them was counted wrong."),
    }
    gap = gaps.get(proposal.count) if proposal.count else None
    href = reverse("cage-difference", args=[gap]) if gap else ""
    return ProposedLine(code=proposal.code, title=title, text=texts[proposal.code], href=href)


def _hand(name: str) -> str:
    return _(WORDS[BY_NAME[name]])


def _difference(person: Person, pk: UUID) -> Difference:
    return row_of(person, Difference.objects.select_related("house", "count", "table"), pk)


PAGE = Page("cage-difference", _difference, _page, by_name(_Explain))
