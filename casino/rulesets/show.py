"""What the pages of posted tables show, put together from rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext

from casino.people.context import HouseClock
from casino.people.models import Person
from casino.rulesets import odds as posted_odds
from casino.text import ruleset_fields
from casino.text.differences import Difference, Differences, differences
from casino.text.rulesets import EVENTS
from casino.text.wording import worded
from payouts.models import ApprovalSignature, Event, House, PostedState, PostedTable
from payouts.models.posted import PENDING
from payouts.rules.approval import role_fits
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.paytable import WORDS, Paytable
from payouts.rules.rulesets.paytable_odds import LineChange
from payouts.rules.rulesets.schema import Posted, changes
from payouts.selectors import posted_newest
from payouts.services.posted import posted_table_advice
from tables.kinds import KINDS


@dataclass(frozen=True)
class Named:
    """One table of a house: its version in force, the ones that will follow, the ones that wait or
    are being drafted.
    """

    newest: PostedTable
    in_force: PostedTable | None
    coming: tuple[PostedTable, ...]
    open: tuple[PostedTable, ...]


def named(rows: Sequence[PostedTable]) -> list[Named]:
    """Tables from their versions, which come ordered by house and name."""
    return [
        _named(list(found))
        for _key, found in groupby(rows, key=lambda row: (row.house_id, row.name))
    ]


def _named(rows: list[PostedTable]) -> Named:
    approved = [row for row in rows if row.state == PostedState.APPROVED]
    now = in_force(approved)
    coming = tuple(row for row in approved if now is None or _begins(row) > _begins(now))
    return Named(rows[0], now, coming, tuple(row for row in rows if row.state in PENDING))


def in_force(approved: Sequence[PostedTable]) -> PostedTable | None:
    """Of the approved versions of one table the one that counts today, or that an epoch would take
    which opens now.
    """
    begun = [
        row
        for row in approved
        if row.in_force_from is None or row.in_force_from <= HouseClock.at(row.house).gaming_day
    ]
    return max(begun, key=_begins, default=None)


def _begins(row: PostedTable) -> Any:
    return row.in_force_from or row.released_at


class Happening(NamedTuple):
    """One line of a version's history."""

    at: datetime
    what: str
    who: Person | None
    reason: str


class Details(NamedTuple):
    """Data, odds, warnings, versions and history of one version. `rival`: the version that it is
    compared with; `differences`: from that one, of a version that is yet to be released.
    """

    table: PostedTable
    kind: TableKind
    house: House
    groups: list[ruleset_fields.Group]
    figures: posted_odds.Figures | None
    warnings: list[str]
    versions: list[PostedTable]
    now: PostedTable | None
    rival: PostedTable | None
    differences: Differences | None
    signatures: list[ApprovalSignature]
    payload_hash: str
    history: list[Happening]
    state: str
    first_day: date


def details(table: PostedTable, here: HouseClock) -> Details:
    """Everything about one version; five queries, however many versions there are."""
    kind = KINDS[table.kind]
    posted = kind.read(table.data)
    same = PostedTable.objects.filter(house_id=table.house_id, kind=table.kind, name=table.name)
    versions = list(same.select_related("house").defer("data").order_by("-version"))
    now = in_force([row for row in versions if row.state == PostedState.APPROVED])
    rival = (
        now
        if now and now.pk != table.pk
        else next((row for row in versions if row.version == table.version - 1), None)
    )
    signatures = (
        table.approval.signatures.select_related("signer").order_by("id") if table.approval else []
    )
    advice = posted_table_advice(table=table, kind=kind) if table.state in PENDING else []
    return Details(
        table=table,
        kind=kind,
        house=table.house,
        groups=ruleset_fields.field_groups(posted, table.house),
        figures=posted_odds.figures(kind, posted, table.house, _beside(table, kind)),
        warnings=[worded(one.sentence, one.data, table.house) for one in advice],
        versions=versions,
        now=now,
        rival=rival,
        differences=_changed(rival, posted, table) if rival and table.state in PENDING else None,
        signatures=list(signatures),
        payload_hash=bytes(table.approval.payload_hash).hex() if table.approval else "",
        history=_history(table),
        state=str(PostedState(table.state).label),
        first_day=here.gaming_day + timedelta(days=1) if now else here.gaming_day,
    )


class Rights(NamedTuple):
    """What a person may do with a version now. `own`: they have a part in what waits; `signed`:
    they have signed it.
    """

    edit: bool
    copy: bool
    ask: bool
    withdraw: bool
    sign: bool
    reject: bool
    own: bool
    signed: bool


def rights(table: PostedTable, person: Person, *, may_draft: bool) -> Rights:
    """What the person may do with the version; who is of no house only reads. The services decide
    again.
    """
    approval, pending = table.approval, table.state == PostedState.REQUESTED
    waits = bool(pending and approval and approval.waits)
    acts = person.house_id is not None
    may_draft = may_draft and acts
    fits = bool(acts and approval and role_fits(person.roles, approval.roles))
    requester = bool(approval and person.pk == approval.requester_id)
    own = bool(approval and (requester or person.pk in approval.excluded))
    signed = bool(approval and waits and approval.signatures.filter(signer=person).exists())
    return Rights(
        edit=may_draft and table.state == PostedState.DRAFT,
        copy=may_draft,
        ask=may_draft and (table.state == PostedState.DRAFT or (pending and not waits)),
        withdraw=may_draft
        and (table.state == PostedState.DRAFT or (pending and (requester or not waits))),
        sign=waits and fits and not own and not signed,
        reject=waits and fits and not own,
        own=waits and own,
        signed=signed,
    )


def _history(table: PostedTable) -> list[Happening]:
    events = Event.objects.filter(
        subject_kind="posted_table", subject_id=str(table.pk), name__startswith="posted_table."
    )
    return [
        Happening(event.at, gettext(EVENTS[event.name.split(".")[1]]), event.actor, event.reason)
        for event in events.select_related("actor").order_by("id")
    ]


def _beside(table: PostedTable, kind: TableKind) -> list[Posted]:
    """The newest tables of the house that this kind is weighed together with."""
    if not kind.beside:
        return []
    return [
        KINDS[row.kind].read(row.data)
        for row in posted_newest(house_id=table.house_id, kinds=kind.beside)
    ]


class Comparison(NamedTuple):
    """Every difference between two versions, the figures of both, and in a sentence what it does to
    the edge.
    """

    before: PostedTable
    after: PostedTable
    kind: TableKind
    differences: list[tuple[str, str, str]]
    facts: list[tuple[str, str, str]]
    verdict: str


def comparison(before: PostedTable, after: PostedTable) -> Comparison:
    """The two versions side by side."""
    kind = KINDS[after.kind]
    old, new = kind.read(before.data), kind.read(after.data)
    beside = _beside(after, kind)
    first, second = (posted_odds.figures(kind, one, after.house, beside) for one in (old, new))
    facts = []
    if first and second and len(first.facts) == len(second.facts):
        facts = [
            (name, one, two)
            for (name, one), (_same, two) in zip(first.facts, second.facts, strict=True)
        ]
    differences, verdict = _differences(old, new, after), _verdict(kind, first, second, after)
    return Comparison(before, after, kind, differences, facts, verdict)


def _differences(old: Posted, new: Posted, table: PostedTable) -> list[tuple[str, str, str]]:
    if isinstance(old, Paytable) and isinstance(new, Paytable):
        one, two = old.odds(), new.odds()
        lines = [LineChange(hand, one.get(hand), two.get(hand)) for hand in reversed(WORDS)]
        return [
            (gettext(WORDS[line.hand]), str(line.before or "–"), str(line.after or "–"))
            for line in lines
            if line.before != line.after
        ]
    data = new.fields_data()
    return [ruleset_fields.show_change(change, table.house, data) for change in changes(old, new)]


def _changed(rival: PostedTable, posted: Posted, table: PostedTable) -> Differences:
    """`rival` may come without its data."""
    old = KINDS[rival.kind].read(rival.data)
    rows = _differences(old, posted, table)
    return differences(Difference(capfirst(what), *both) for what, *both in rows)


def _verdict(
    kind: TableKind,
    first: posted_odds.Figures | None,
    second: posted_odds.Figures | None,
    table: PostedTable,
) -> str:
    if first is None or second is None or first.edge is None or second.edge is None:
        return first.remark if first else ""
    edges = {
        "before": posted_odds.share(first.edge, table.house),
        "after": posted_odds.share(second.edge, table.house),
        "change": posted_odds.points(second.edge - first.edge, table.house),
    }
    if first.edge == second.edge:
        return gettext("The house edge stays at %(after)s.") % edges
    if second.edge > first.edge:
        return (
            gettext(
                "The house edge rises from %(before)s to %(after)s, by %(change)s percentage"
                " points."
            )
            % edges
        )
    return (
        gettext(
            "The house edge falls from %(before)s to %(after)s, by %(change)s percentage points."
        )
        % edges
    )
