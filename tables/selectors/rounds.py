"""Reads of the floor."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

import orjson
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Cast

from jackpot.models import Award
from payouts.db.fast_calls import call
from payouts.models import Approval
from payouts.models.approval import WAITING
from tables.errors import RoundUnknown
from tables.models import Round, RoundLine, RoundStake

CORRECTION = "round.correct"  # what others sign about a settled round
VOID_CLAIMED = "round.void_claimed"  # as a correction signed by others, on the round's own page
OVERRIDE = "round.override"  # likewise
RECORD = "SELECT round_record_v1($1::uuid)"
# of the lock, or with a number of their own after it: what was put right with a result among them
LAID_OR_PLACED = Q(revision=0) | Q(placed__gt=0)
_AT_TABLE = "SELECT 1 FROM tables_round WHERE id = $1::uuid AND table_id = $2::uuid"
_STAKE = (
    "box",
    "guest_id",
    "kind",
    "offered_minor",
    "accepted_minor",
    "returned_minor",
    "rank",
    "reason",
    "rule",
    "data",
    "placed",
    "source_id",
    "takes_back",
)
_LINE = (
    "place",
    "box",
    "guest_id",
    "kind",
    "stake_minor",
    "returned_minor",
    "won_minor",
    "prize_minor",
    "odds",
    "hand",
    "paid_by",
    "code",
    "rule",
)


def round_record(*, house_id: UUID, round_id: UUID) -> dict[str, Any]:
    """Everything that settles the round again: `round_record_v1` in
    `tables/sql/round_v7.sql`. Raises RoundUnknown.
    """
    found = call(RECORD, [round_id])
    record: dict[str, Any] = orjson.loads(found[0]) if found and found[0] else {"house_id": None}
    if record["house_id"] != str(house_id):
        raise RoundUnknown
    return record


def round_is_at(*, table_id: UUID, round_id: UUID) -> bool:
    """Whether there is such a round at the table. Prepared: each command of a tablet to its round
    begins with it.
    """
    return bool(call(_AT_TABLE, [round_id, table_id]))


def round_answer(*, house_id: UUID, round_id: UUID) -> dict[str, Any]:
    """A round as commands answer with it: state, stakes of the lock and after it, lines of the
    revision that counts. One that was taken back stands there once. Raises RoundUnknown.
    """
    found = Round.objects.filter(pk=round_id, house_id=house_id).first()
    if found is None:
        raise RoundUnknown
    of_round = RoundStake.objects.filter(LAID_OR_PLACED, round_id=round_id)
    stakes = of_round.order_by("id").values(*_STAKE)
    lines = (
        RoundLine.objects.filter(round_id=round_id, revision=found.revision)
        .order_by("place")
        .values(*_LINE)
    )
    return {
        "id": str(found.pk),
        "table": str(found.table_id),
        "number": found.number,
        "state": found.state,
        "revision": found.revision,
        "stakes": [_with_guest(row) for row in _once_each(list(stakes))],
        "lines": [_with_guest(row) | {"paid_minor": _paid(row)} for row in lines],
    }


def stakes_answered(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The same stakes of a round's record."""
    return [
        {name: value for name, value in row.items() if name not in ("id", "revision")}
        for row in _once_each(record["stakes"])
        if row["revision"] == 0 or row["placed"]
    ]


def _once_each(rows: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    back = {row["takes_back"] for row in rows} - {None}
    return (row for row in rows if row["placed"] not in back)


def stakes_shown(stakes: Iterable[RoundStake]) -> list[RoundStake]:
    """Each stake of a round once: one that was taken back by the row that says so."""
    rows = list(stakes)
    back = {one.takes_back for one in rows} - {None}
    return [one for one in rows if one.placed not in back]


def corrections_wait(rounds: Sequence[UUID]) -> set[UUID]:
    """Those of these rounds whose lines, as they stand, somebody has asked to correct; not signed,
    rejected or expired yet.
    """
    asked = Approval.objects.filter(
        action=CORRECTION, subject_kind="round", subject_id__in=[str(one) for one in rounds]
    )
    open_ = set(asked.filter(WAITING).values_list("subject_id", "revision"))
    if not open_:
        return set()
    standing = Round.objects.filter(pk__in=[pk for pk, _revision in open_]).values_list(
        "pk", "revision"
    )
    return {pk for pk, revision in standing if (str(pk), revision) in open_}


def correction_waits() -> Exists:
    """The same of each round of a query, in its own statement."""
    own = {"subject_id": Cast(OuterRef("pk"), CharField()), "revision": OuterRef("revision")}
    return Exists(Approval.objects.filter(WAITING, action=CORRECTION, subject_kind="round", **own))


def award_stands(award: Award) -> bool:
    """Whether the newest result of an award's round still says that its box wins the meter; prizes
    go with their lines.
    """
    return not awards_doubted(Award.objects.filter(pk=award.pk)).exists()


def awards_doubted(awards: QuerySet[Award]) -> QuerySet[Award]:
    """Of these awards those whose round was corrected since, so that its newest result has nothing
    of the meter for their box.
    """
    newest = Round.objects.filter(pk=OuterRef("round_id")).values("revision")
    lines = RoundLine.objects.filter(
        round_id=OuterRef("round_id"), box=OuterRef("box"), code="prg.claim"
    )
    return awards.exclude(kind="prize").exclude(Exists(lines.filter(revision=Subquery(newest))))


def _with_guest(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.removesuffix("_id"): str(value) if name.endswith("_id") and value else value
        for name, value in row.items()
    }


def _paid(row: dict[str, Any]) -> int:
    paid: int = row["returned_minor"] + row["won_minor"] + row["prize_minor"]
    return paid
