"""The rounds that the desk finds, over all tables of the house."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import connection
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.audit.found import Found, _person
from casino.audit.search import EVENING, Asked
from casino.text import floor
from tables.models import Round

# The newest of each table by the index of its rounds, then the newest of these: no more rows are
# read however wide the span is.
_ROUNDS = """
SELECT r.id, r.number, r.state, r.revision, r.locked_at, coalesce(v.name, t.name), c.full_name,
    paid.minor, r.croupier_id
FROM tables_table t
CROSS JOIN LATERAL (
    SELECT r.id, r.number, r.state, r.revision, r.locked_at, r.croupier_id,
        r.session_id FROM tables_round r
    WHERE r.table_id = t.id AND r.locked_at >= %(since)s AND r.locked_at < %(until)s {conditions}
    ORDER BY r.locked_at DESC, r.id DESC LIMIT %(limit)s) r
LEFT JOIN tables_tablesession s ON s.id = r.session_id
LEFT JOIN tables_tableversion v ON (v.table_id, v.number) = (s.table_id, s.table_version)
LEFT JOIN casino_person c ON c.id = r.croupier_id
LEFT JOIN LATERAL (
    SELECT sum(l.returned_minor + l.won_minor + l.prize_minor)::bigint AS minor
        FROM tables_roundline l
    WHERE l.round_id = r.id AND l.revision = r.revision) paid ON true
WHERE t.house_id = %(house)s {of_table}
ORDER BY r.locked_at DESC, r.id DESC LIMIT %(limit)s
"""
_CONDITIONS = {
    "number": "AND r.number = %(number)s",
    "person": "AND (r.croupier_id = ANY(%(people)s) OR r.ended_by_id = ANY(%(people)s))",
    "at": (
        "AND r.locked_at < %(upto)s AND r.locked_at > %(before)s AND (r.ended_at IS NULL OR"
        " r.ended_at >= %(at)s)"
    ),
    "place": "AND (r.locked_at, r.id) < (%(last_at)s::timestamptz, %(last)s::uuid)",
    # of one line, or of all of the newest result, as the list has it
    "amount_minor": """AND (EXISTS (SELECT FROM tables_roundline l WHERE l.round_id = r.id
        AND %(amount)s
        IN (l.stake_minor, l.won_minor, l.prize_minor,
            l.returned_minor + l.won_minor + l.prize_minor))
        OR %(amount)s = (SELECT sum(l.returned_minor + l.won_minor + l.prize_minor)
            FROM tables_roundline l WHERE l.round_id = r.id AND l.revision = r.revision))""",
}


def rounds(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Rounds of the days, newest first."""
    since, until = asked.span()
    moment = asked.moment()
    values: dict[str, Any] = {
        "house": asked.house.pk,
        "since": since,
        "until": until,
        "limit": limit,
    }
    values |= {"number": asked.number, "amount": asked.amount_minor}
    values |= {"people": asked.who, "table": asked.table.pk if asked.table else None}
    if moment:
        # as far as it was said
        upto = moment + (timedelta(seconds=1) if moment.second else timedelta(minutes=1))
        values |= {"at": moment, "upto": upto, "before": moment - EVENING}
    if place:
        values |= {"last_at": place[0], "last": place[1]}
    wanted = asked.given | ({"place"} if place else set()) | ({"person"} if asked.who else set())
    conditions = " ".join(text for name, text in _CONDITIONS.items() if name in wanted)
    sql = _ROUNDS.format(
        conditions=conditions, of_table="AND t.id = %(table)s" if asked.table else ""
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows = cursor.fetchall()
    return [
        Found(
            reverse("audit-round", args=[pk]),
            _("%(table)s, round %(number)s") % {"table": table, "number": number or "–"},
            _("corrected") if revision > 1 else "",
            (at.isoformat(), str(pk)),
            at,
            int(paid) if paid is not None else None,
            floor.say(Round.State, state),
            croupier or "",
            person=_person(croupier_id),
        )
        for pk, number, state, revision, at, table, croupier, paid, croupier_id in rows
    ]
