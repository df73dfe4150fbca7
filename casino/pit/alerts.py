"""Alerts of the pit: raised when a condition becomes true, over when it is true no more,
acknowledged by a person.

Beat has `alerts_derive` called every five seconds, in any number of workers, twice at once or not
at all. It compares what is so now with the alerts that are not over: nothing is remembered
elsewhere, so a run that dies midway leaves nothing half done.
"""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Case, CharField, JSONField, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Cast, JSONObject, Now

from casino.pit.alert_rules import CONDITIONS
from casino.pit.models import Alert
from jackpot.models import Claim, SignOfLife
from payouts.db.constraints import require_transaction
from payouts.errors import Kind, Refused, mark
from payouts.services import Subject, event_record
from tables.models import Guest

# Of those to be acknowledged, and as many of those that were: more than sixty tables with their
# displays ever have at once.
SHOWN = 300

SIGN = "alerts"  # the kind of the sign of life

# Only one run at a time: an older one would end with its older view what the newer one has raised.
# The loser goes home.
_ALONE = "SELECT pg_try_advisory_xact_lock(hashtextextended('alerts', 0))"


class AlertUnknown(Refused):
    """There is no such alert in this house."""

    code = "alert.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such alert.")
    remedy = mark("Load the page again.")


class AlertOwn(Refused):
    """Who took part in what an alert is about would acknowledge it."""

    code = "alert.own"
    kind = Kind.FORBIDDEN
    sentence = mark("You have entered or dealt what this alert is about.")
    remedy = mark("Another person looks at it and acknowledges it.")


class Derived(NamedTuple):
    """How many alerts a run raised, and how many it found over."""

    raised: int
    over: int


class CurrentAlerts(NamedTuple):
    """What is to be acknowledged, whether there is more of it, and what was acknowledged and is
    still so.
    """

    waiting: list[Alert]
    more: bool
    seen: list[Alert]


def alerts_derive(*, worker: str = "") -> Derived | None:
    """Raise what is new and mark what is over, in all houses; None if another run is at it.
    Commits.

    A whole run leaves a sign of life: the pit's page says when there is none, since no alert can
    say that nobody raises any.
    """
    with transaction.atomic(durable=True):
        if not _alone():
            return None
        found = _found()
        standing = {
            (one.house_id, one.kind, one.subject): one.pk
            for one in Alert.objects.filter(over_at=None)
        }
        new = [
            Alert(house_id=key[0], kind=key[1], subject=key[2], data=found[key])
            for key in found.keys() - standing
        ]
        # A unique key has one winner, whoever else may write: what is there already is not raised
        # again.
        Alert.objects.bulk_create(new, ignore_conflicts=True)
        over = Alert.objects.filter(
            pk__in=[standing[key] for key in standing.keys() - found], over_at=None
        )
        ended = over.update(over_at=Now()) if standing.keys() - found else 0
        sign = SignOfLife(kind=SIGN, at=Now(), worker=worker)
        SignOfLife.objects.bulk_create(
            [sign], update_conflicts=True, unique_fields=["kind"], update_fields=["at", "worker"]
        )
        return Derived(len(new), ended)


def alert_acknowledge(*, house_id: UUID, alert_id: int, person_id: UUID) -> Alert:
    """Have seen it. Who comes second changes nothing, and is given who was first. Raises
    AlertUnknown, AlertOwn.
    """
    require_transaction()
    mine = Alert.objects.filter(pk=alert_id, house_id=house_id, acknowledged_at=None)
    if mine.filter(data__people__contains=str(person_id)).exists():
        raise AlertOwn
    is_first = mine.update(acknowledged_at=Now(), acknowledged_by=person_id)
    found = (
        Alert.objects.select_related("acknowledged_by")
        .filter(pk=alert_id, house_id=house_id)
        .first()
    )
    if found is None:
        raise AlertUnknown
    if is_first:
        _acknowledged(found, person_id)
    return found


def alerts_over_acknowledge(*, house_id: UUID, alert_ids: Collection[int], person_id: UUID) -> int:
    """Have seen all of these, which are over; gives how many nobody had acknowledged before. All or
    none: raises AlertUnknown, of one that is not over too, AlertOwn.
    """
    require_transaction()
    mine = Alert.objects.filter(house_id=house_id, over_at__isnull=False)
    rows = list(mine.filter(pk__in=alert_ids).order_by("pk").select_for_update())
    if len(rows) != len(set(alert_ids)) or len(rows) > SHOWN:
        raise AlertUnknown
    new = [row for row in rows if row.acknowledged_at is None]
    if any(is_about(row.data, person_id) for row in new):
        raise AlertOwn
    Alert.objects.filter(pk__in=[row.pk for row in new]).update(
        acknowledged_at=Now(), acknowledged_by=person_id
    )
    for row in new:
        _acknowledged(row, person_id)
    return len(new)


def is_about(data: Mapping[str, Any], person_id: UUID) -> bool:
    """Whether the person entered or dealt what the alert is about: another one acknowledges it."""
    return str(person_id) in data.get("people", ())


def _acknowledged(row: Alert, person_id: UUID) -> None:
    event_record(
        "alert.acknowledged",
        Subject("alert", row.pk),
        house_id=row.house_id,
        actor_id=person_id,
        after={
            "kind": row.kind,
            "subject": row.subject,
            "raised_at": row.raised_at.isoformat(),
        },
    )


def alerts_acknowledged(*, house_id: UUID, since: datetime | None, most: int) -> list[Alert]:
    """What was acknowledged since then, or ever, the newest first, over or not. One statement."""
    mine = boxes_named(Alert.objects.filter(house_id=house_id, acknowledged_at__isnull=False))
    mine = mine.select_related("acknowledged_by")
    if since:
        mine = mine.filter(acknowledged_at__gte=since)
    return list(mine.order_by("-acknowledged_at", "-pk")[:most])


def current_alerts(*, house_id: UUID, first: Collection[str] = ()) -> CurrentAlerts:
    """What is to be acknowledged or is not over: what is so now, of that the kinds `first`, then
    the oldest first. Two statements.

    What was acknowledged takes no place from what was not, however much of it there is.
    """
    mine = boxes_named(Alert.objects.filter(house_id=house_id).select_related("acknowledged_by"))
    over = Case(When(over_at=None, then=0), default=1)
    order = (over, Case(When(kind__in=list(first), then=0), default=1), "raised_at", "pk")
    waiting = list(mine.filter(acknowledged_at=None).order_by(*order)[: SHOWN + 1])
    seen = list(mine.filter(acknowledged_at__isnull=False, over_at=None).order_by(*order)[:SHOWN])
    return CurrentAlerts(waiting[:SHOWN], len(waiting) > SHOWN, seen)


def boxes_named(rows: QuerySet[Alert]) -> QuerySet[Alert]:
    """With `named`: of a royal that was called, its box and guest once the result has named them.
    No statement more.
    """
    guest = Guest.objects.filter(pk=OuterRef("guest_id")).values("number")
    claims = Claim.objects.annotate(subject=Cast("pk", CharField())).filter(
        subject=OuterRef("subject"), box__isnull=False
    )
    named = claims.values(named=JSONObject(box="box", guest=Subquery(guest)))
    called = When(kind="jackpot_claimed", data__box=None, then=Subquery(named))
    return rows.annotate(named=Case(called, default=None, output_field=JSONField()))


def data_now(row: Alert) -> dict[str, Any]:
    """What an alert of `boxes_named` says by now: its row never changes."""
    data: dict[str, Any] = row.data | (row.named or {})  # type: ignore[attr-defined]  # annotated
    return data


def _alone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_ALONE)
        return bool(cursor.fetchone()[0])


def _found() -> dict[tuple[UUID, str, str], Any]:
    found: dict[tuple[UUID, str, str], Any] = {}
    with connection.cursor() as cursor:
        for kind, sql in CONDITIONS.items():
            cursor.execute(sql)
            found |= {
                (house_id, kind, subject): json.loads(data)
                for house_id, subject, data in cursor.fetchall()
            }
    return found
