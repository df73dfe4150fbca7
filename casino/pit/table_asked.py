"""The page on which the change of a table is signed: what changes, why, who can sign."""

from typing import Any, NamedTuple

from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.people.permissions import SET_UP
from casino.pit.floor.versions import set_up_differences
from casino.rulesets.signers import Signers, people_of, signers_of
from casino.text.differences import Differences
from payouts.models import Approval, Event
from tables.models import Table
from tables.services.floor.changes import CHANGE


class _ChangedTable(NamedTuple):
    """A table, called as it was, and what changes of it."""

    table: Table
    name: str
    differences: Differences
    reason: str | None
    signers: Signers | None
    may_open: bool


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    table = Table.objects.get(pk=approval.subject_id)
    payload = approval.payload
    events = Event.objects.filter(
        name="approval.requested", subject_kind="approval", subject_id=str(approval.pk)
    )
    people = people_of(approval.house, CHANGE) if approval.waits else []
    return _ChangedTable(
        table=table,
        name=payload["before"]["name"],
        differences=set_up_differences(payload["before"], payload["after"], table),
        reason=events.values_list("reason", flat=True).first(),
        signers=signers_of([approval], {}, people)[approval.pk] if approval.waits else None,
        may_open=person.has_perm(SET_UP),
    )._asdict()


KIND = Kind(CHANGE, "table-asked", "pit/table_asked.html", _details)
