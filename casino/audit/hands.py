"""The hands that the desk finds, over all tables of the house, and what the page of one shows."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.api.poker.hands import hand_whole
from casino.audit import found
from casino.audit import links as audit_links
from casino.audit.found import Found
from casino.audit.postings import TransferRow, transfer_rows
from casino.audit.records import Clarified, Request, clarified, in_force, requests
from casino.audit.search import EVENING, Asked
from casino.people.models import Person
from casino.text import floor
from payouts.models import Entry, PostedTable, Transfer
from payouts.rules.plain import Json
from tables.models import Hand

# The newest of each table by the index of its hands, then the newest of these.
_HANDS = """
SELECT h.id, h.number, h.state, h.revision, h.ended_at, v.name, c.full_name, h.rake_minor,
    h.croupier_id
FROM tables_table t
CROSS JOIN LATERAL (
    SELECT h.*, r.rake_minor, r.pot_minor, r.entered_by_id FROM tables_hand h
    JOIN tables_handresult r ON (r.hand_id, r.revision) = (h.id, h.revision)
    WHERE h.table_id = t.id AND h.ended_at >= %(since)s AND h.ended_at < %(until)s {conditions}
    ORDER BY h.ended_at DESC, h.id DESC LIMIT %(limit)s) h
JOIN tables_tablesession s ON s.id = h.session_id
JOIN tables_tableversion v ON (v.table_id, v.number) = (s.table_id, s.table_version)
JOIN casino_person c ON c.id = h.croupier_id
WHERE t.house_id = %(house)s {of_table}
ORDER BY h.ended_at DESC, h.id DESC LIMIT %(limit)s
"""
_CONDITIONS = {
    "number": "AND h.number = %(number)s",
    "person": "AND (h.croupier_id = ANY(%(people)s) OR r.entered_by_id = ANY(%(people)s))",
    "at": "AND h.ended_at >= %(at)s AND h.ended_at < %(upto)s",
    "place": "AND (h.ended_at, h.id) < (%(last_at)s::timestamptz, %(last)s::uuid)",
    "amount_minor": "AND %(amount)s IN (r.rake_minor, r.pot_minor)",
}


class HandRecord(NamedTuple):
    """What the desk shows of a hand besides its own page (`casino/pit/hands/show.py`);
    `day_hands`: the search for all of its table and day.
    """

    day_hands: str
    versions: list[tuple[str, PostedTable]]
    people: list[Person]
    clarify: list[Clarified]
    transfers: list[TransferRow]
    acts: list[Found]
    approvals: list[Request]


def hands(question: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Hands of the days, newest first; of a time those that ended in the half hour after it."""
    since, until = question.span()
    moment = question.moment()
    values: dict[str, Any] = {
        "house": question.house.pk,
        "since": since,
        "until": until,
        "limit": limit,
        "number": question.number,
        "amount": question.amount_minor,
        "people": question.who,
        "table": question.table.pk if question.table else None,
    }
    if moment:
        values |= {"at": moment, "upto": moment + EVENING + timedelta(minutes=1)}
    if place:
        values |= {"last_at": place[0], "last": place[1]}
    wanted = question.given | ({"place"} if place else set())
    wanted |= {"person"} if question.who else set()
    conditions = " ".join(text for name, text in _CONDITIONS.items() if name in wanted)
    of_table = "AND t.id = %(table)s" if question.table else ""
    with connection.cursor() as cursor:
        cursor.execute(_HANDS.format(conditions=conditions, of_table=of_table), values)
        rows = cursor.fetchall()
    return [
        Found(
            href=reverse("audit-hand", args=[pk]),
            title=_("%(table)s, hand %(number)s") % {"table": table, "number": number},
            text=_("corrected") if revision > 1 else "",
            place=(at.isoformat(), str(pk)),
            at=at,
            amount_minor=int(rake_minor),
            word=floor.say(Hand.State, state),
            who=croupier,
            person=reverse("audit-person", args=[croupier_id]),
        )
        for pk, number, state, revision, at, table, croupier, rake_minor, croupier_id in rows
    ]


def hand_record(row: Hand) -> HandRecord:
    """Everything else that is on record of a hand."""
    return HandRecord(
        day_hands=audit_links.played_on(row.table_id, row.session.gaming_day, "hands"),
        versions=in_force(row.session.versions),
        people=audit_links.people_of_hand(row),
        clarify=clarified(row),
        transfers=transfer_rows(Transfer.objects.filter(house=row.house, subject_id=row.pk)),
        acts=found.acts_of("hand", row.pk),
        approvals=requests("hand", row.pk),
    )


def hand_file(row: Hand) -> dict[str, Json]:
    """A hand as the API shows it, with where, when and by which posted versions it was played, its
    seats, pots and shares by revision, and what it moved: entries by account, plus what goes to it.
    """
    transfers = Transfer.objects.filter(house=row.house, subject_id=row.pk).order_by("pk")
    entries = Entry.objects.filter(transfer__in=transfers).order_by("transfer_id", "pk")
    moved: dict[int, list[Json]] = {transfer.pk: [] for transfer in transfers}
    for entry in entries:
        moved[entry.transfer_id].append([entry.account_id, entry.amount_minor])
    return hand_whole(row) | {
        "gaming_day": str(row.session.gaming_day),
        "versions": row.session.versions,
        "recorded": {
            "seats": _recorded(row.seats.order_by("revision", "seat")),
            "pots": _recorded(row.pots.order_by("revision", "number")),
            "irregularities": _irregularities(row),
            "overrides": _overrides(row),
            "shares": _recorded(row.shares.order_by("revision", "number", "pk")),
        },
        "transfers": [
            {"id": transfer.pk, "kind": transfer.kind, "entries": moved[transfer.pk]}
            for transfer in transfers
        ],
    }


def _irregularities(row: Hand) -> list[Json]:
    columns = ("kind", "decision", "seat", "card", "override", "reason", "recorded_by_id", "at")
    rows = row.irregularities.order_by("pk").values(*columns)
    return [
        each | {"recorded_by_id": str(each["recorded_by_id"]), "at": each["at"].isoformat()}
        for each in rows
    ]


def _overrides(row: Hand) -> list[Json]:
    """What management paid for it."""
    columns = ("revision", "seat", "won_minor", "amount_minor", "reason", "transfer_id")
    by = ("stay_id", "requested_by_id", "approval_id")
    rows = row.overrides.order_by("pk").values(*columns, *by, "at")
    return [
        each | {name: str(each[name]) for name in by} | {"at": each["at"].isoformat()}
        for each in rows
    ]


def _recorded(rows: QuerySet[Any]) -> list[Json]:
    """Rows without what the hand says of itself."""
    recorded: list[Json] = []
    for row in rows.values():
        stay = {"stay": str(row.pop("stay_id"))} if "stay_id" in row else {}
        columns = {name: value for name, value in row.items() if name not in _OF_THE_HAND}
        recorded.append(columns | stay)
    return recorded


_OF_THE_HAND = {"id", "house_id", "hand_id"}
