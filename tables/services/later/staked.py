"""What was staked on a recorded round: at its lock, after it, and by which result."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from payouts.rules.ledger import recipes
from payouts.rules.ledger.postings import Posting
from payouts.rules.lines import Reason, Stake
from tables.games import Placed
from tables.services.parts import legs_of


def stakes_of(
    record: Mapping[str, Any], revision: int | None = None
) -> tuple[list[Stake], list[Placed]]:
    """The stakes of a recorded round that stayed at its lock, and those that came later, in their
    order: even money among them, which brings no chips; what was taken back is not.

    `revision`: those that counted for this result; None asks for those that count now.
    """
    laid = [
        _stake(row)
        for row in record["stakes"]
        if not row["placed"] and row["revision"] == 0 and row["accepted_minor"]
    ]
    return laid, [placed_of(row) for row in rows_after(record, revision)]


def rows_after(record: Mapping[str, Any], revision: int | None = None) -> list[Mapping[str, Any]]:
    """The rows of those that came later; `revision` as in `stakes_of`."""
    rows = [
        row
        for row in record["stakes"]
        if row["placed"] and (revision is None or row["revision"] <= revision)
    ]
    back = {row["takes_back"] for row in rows}
    return [row for row in rows if not row["takes_back"] and row["placed"] not in back]


def placed_of(row: Mapping[str, Any]) -> Placed:
    """The stake of a row that came after the lock."""
    return Placed(_stake(row), row["source"])


def number_after(record: Mapping[str, Any]) -> int:
    """The number of the next stake after the lock; one that was taken back keeps its own."""
    return 1 + max((row["placed"] for row in record["stakes"]), default=0)


def row_placed(number: int, placed: Placed, revision: int = 0) -> dict[str, Any]:
    """A stake that comes after the lock, as a record has it; `revision`: of the result with which
    it comes.
    """
    stake = placed.stake
    empty = {"takes_back": None, "rank": None, "reason": "", "rule": "", "data": None}
    amounts = {
        "offered_minor": stake.amount_minor,
        "accepted_minor": stake.amount_minor,
        "returned_minor": 0,
    }
    who = {"box": stake.box, "guest": stake.guest, "source": placed.source, "kind": stake.kind}
    return who | amounts | empty | {"placed": number, "revision": revision}


def row_back(
    number: int, row: Mapping[str, Any], reason: Reason, revision: int = 0
) -> dict[str, Any]:
    """The row that takes another one back, as a record has it."""
    return {
        **row,
        "placed": number,
        "takes_back": row["placed"],
        "accepted_minor": 0,
        "returned_minor": row["accepted_minor"],
        "reason": reason.code,
        "rule": reason.rule,
        "revision": revision,
    }


def chips_posted(record: Mapping[str, Any], row: Mapping[str, Any]) -> list[Posting]:
    """The posting of a stake that comes after the lock; none where it brings no chips."""
    if not row["accepted_minor"]:
        return []
    legs = legs_of(recipes.lock([(row["accepted_minor"], "")]), record["accounts"])
    about: dict[str, Any] = {"subject_kind": "round", "subject_id": UUID(record["id"])}
    return [Posting(f"round:{record['id']}:place:{row['placed']}", "lock", legs, **about)]


def _stake(row: Mapping[str, Any]) -> Stake:
    return Stake(row["box"], row["guest"], row["kind"], row["accepted_minor"])
