"""That somebody looked at a report is itself recorded: who, which one, what was asked, how far it
went, its data hash.
"""

from casino.audit.reports.shape import Kind, Query, report_number
from casino.people.events import request_id
from casino.people.models import Person
from payouts.services import Subject, event_record

LOOKED = "report.looked"


def look_record(
    person: Person, query: Query, kind: Kind, form: str, lines: int, sha256: str
) -> None:
    """One event in the caller's transaction, or one of its own."""
    event_record(
        LOOKED,
        Subject("report", kind.code),
        house_id=query.house_id,
        actor_id=person.pk,
        after={
            "asked": query.plain(),
            "format": form,
            "lines": lines,
            "sha256": sha256,
            "number": report_number(kind, query, sha256),
        },
        request_id=request_id(),
    )
