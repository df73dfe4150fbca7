"""What stands at the head of a report in every format: house, title, filters, coverage, who made it
when, verdict, hash.
"""

from dataclasses import dataclass
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.audit.reports.files.cells import cell_text
from casino.audit.reports.filters import FIELDS, SPANS, names
from casino.audit.reports.gather import Gathered
from casino.audit.reports.shape import Query
from casino.audit.verdict import Check
from casino.text.clock_times import day_and_time
from casino.text.formats import format_money
from payouts.errors import mark
from payouts.models import House

ANSWERS = {"yes": mark("yes"), "no": mark("no"), "unknown": mark("not known")}
SUMMARY = {
    "yes": mark("All that was checked agrees, as of the times that stand there."),
    "no": mark("Something does not agree. Do not rely on this report before it is explained."),
    "unknown": mark("Not everything could be checked at this moment."),
}
LIMITS = mark(
    "Books that agree with themselves do not prove by themselves who wrote them: compare the head"
    " of the seal with one kept elsewhere, and have every row verified."
)


class Fact(NamedTuple):
    """One line of the head: what it is called, what it says. `exact`: a digest, to be compared
    letter by letter.
    """

    label: str
    text: str
    exact: bool = False


class Answered(NamedTuple):
    """One check of the verdict in words."""

    name: str
    label: str
    answer: str
    word: str
    sentence: str


@dataclass(frozen=True)
class Head:
    """A report's head in one language."""

    house: House
    title: str
    about: str
    note: str
    number: str
    facts: list[Fact]
    answer: str
    seal: int  # the newest one's number
    summary: str
    checks: list[Answered]
    limits: str
    totals: list[str]  # by column as it is shown; nothing where a column has none


def head_of(found: Gathered, house: House, by: str) -> Head:
    """The head of a report that was read, in the language that is active; `by`: who had it made."""
    kind, seal = found.kind, found.verdict.seal.number if found.verdict.seal else 0
    return Head(
        house=house,
        title=_(kind.title),
        about=_(kind.about),
        note=" ".join(
            _(one) for one in (kind.note, kind.aside if kind.mixed(found.query) else "") if one
        ),
        number=found.number,
        facts=[
            Fact(_("Report no."), found.number),
            Fact(_("House"), house.name),
            Fact(_("Gaming days"), days_text(found.query)),
            *filter_facts(found.query, house),
            *_covered(found),
            Fact(_("Lines"), str(found.count)),
            Fact(_("Made"), _("%(at)s (%(zone)s) for %(by)s") % _made(found, house, by)),
            Fact(_("Data hash (SHA-256)"), found.sha256, exact=True),
            Fact(
                _("Head of seal %(number)s") % {"number": seal},
                found.verdict.head or "–",
                exact=True,
            ),
        ],
        answer=found.verdict.answer,
        seal=seal,
        summary=_(SUMMARY[found.verdict.answer]),
        checks=[answered(check, house) for check in found.verdict.checks],
        limits=_(LIMITS),
        totals=[
            cell_text(column, found.totals[column.code], house)
            if column.code in found.totals
            else ""
            for column in kind.columns
        ],
    )


def filter_facts(query: Query, house: House) -> list[Fact]:
    """The filters of a query in words."""
    told = names(query)
    if query.by:
        told["by"] = _(SPANS[query.by])
    if query.least_minor is not None:
        told["least"] = format_money(query.least_minor, house.currency, house.locale)
    return [Fact(_(FIELDS[field]), text) for field, text in told.items()]


def days_text(query: Query) -> str:
    """The gaming days of a query as a reader writes them, one or from which to which."""
    first, last = (date_format(day, "d.m.Y") for day in (query.first, query.last))
    return first if first == last else f"{first} – {last}"


def _covered(found: Gathered) -> list[Fact]:
    covered = found.coverage
    if covered is None:
        said = _("every record of these days in the books, by these filters: %(count)s") % {
            "count": found.count
        }
        return [Fact(_("Coverage"), said)]
    figures = {
        "cards": covered.cards,
        "taps": covered.taps,
        "coins": covered.coins,
        "running": covered.running,
    }
    said = (
        _(
            "%(cards)s rounds from cards, %(taps)s from taps, %(coins)s coins only; %(running)s"
            " still running"
        )
        % figures
    )
    if found.kind.rounds == "epochs":
        said = _("%(rounds)s: every round of the epochs that are told, on all tables") % {
            "rounds": said
        }
    if found.kind.rounds == "hits":
        said = _("%(rounds)s: every round on the lists of the hits that are told") % {
            "rounds": said
        }
    return [Fact(_("Coverage"), said)]


def _made(found: Gathered, house: House, by: str) -> dict[str, str]:
    at = day_and_time(found.at.astimezone(ZoneInfo(house.time_zone)))
    return {"at": at, "zone": house.time_zone, "by": by}


def answered(check: Check, house: House) -> Answered:
    """One check in words, and as of when."""
    return Answered(
        check.code, check.title, check.answer, _(ANSWERS[check.answer]), check.sentence(house)
    )
