"""How tests ask for reports: the query of an evening, the rows by name, the pages as somebody who is signed in."""

from datetime import datetime
from typing import Any

from casino.audit.reports import filters
from casino.audit.reports.gather import gathered
from casino.audit.reports.kinds import KINDS
from tests.casino.audit.reports.evening import Evening
from tests.casino.people import people

Line = dict[str, Any]


def query(evening: Evening, kind: str, **asked: object):
    day = evening.day.isoformat()
    given = {"from": day, "to": day} | {name: str(value) for name, value in asked.items()}
    return filters.query_of(KINDS[kind], evening.house, given, evening.day)


def lines(evening: Evening, kind: str, **asked: object) -> list[Line]:
    """The rows of a report by column."""
    with gathered(KINDS[kind], query(evening, kind, **asked)) as found:
        codes = [column.code for column in KINDS[kind].columns]
        return [dict(zip(codes, row, strict=True)) for row in found.rows()]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def page(evening: Evening, path: str, *, who: Any = None, language: str = "en", status: int = 200):
    """A page below /audit/reports/ as the auditor sees it."""
    client = people.signed_in(who or evening.auditor)
    session = client.session
    session["language"] = language
    session.save()
    response = client.get(f"/audit/reports/{path}")
    assert response.status_code == status, (path, response.status_code, response.content[:400])
    return response
