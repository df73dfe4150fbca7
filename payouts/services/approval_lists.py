"""Long lists beside what is signed: a payload of the system holds the digest of each, so it stays
short however much is paid.

A list is kept in its canonical form, whose SHA-256 is the digest: signers see all of it, and
anybody can compute it again.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from payouts.models import Approval, ApprovalList
from payouts.rules.plain import Json, canonical, check_data


class Listed(NamedTuple):
    """What is signed, with the digests of its lists, and the lists in their canonical form by
    name."""

    payload: dict[str, Json]
    lists: dict[str, str]


def listed(payload: Mapping[str, Json], lists: Mapping[str, Sequence[Json]]) -> Listed:
    """A payload with these lists beside it. Raises DataRefused for a line that is not plain, or too
    large by itself.
    """
    texts = {
        name: canonical([check_data(line, name) for line in lines]) for name, lines in lists.items()
    }
    digests: dict[str, Json] = {
        name: {"count": len(lists[name]), "sha256": hashlib.sha256(text).hexdigest()}
        for name, text in texts.items()
    }
    return Listed(
        {**payload, "lists": digests}, {name: text.decode() for name, text in texts.items()}
    )


def lists_keep(approval: Approval, lists: Mapping[str, str]) -> None:
    """Keep the lists of a request; the database holds each against the digest that is signed."""
    ApprovalList.objects.bulk_create(
        ApprovalList(approval=approval, name=name, text=lists[name]) for name in lists
    )


def lists_of(approval: Approval) -> dict[str, Any]:
    """The lists of a request, by name; none for one without. Read with `lists` prefetched it takes
    no statement.
    """
    return {one.name: json.loads(one.text) for one in approval.lists.all()}


def whole_payload(approval: Approval) -> dict[str, Any]:
    """What is signed with its lists where their digests stand; of older requests the lists are in
    it.
    """
    return {name: value for name, value in approval.payload.items() if name != "lists"} | lists_of(
        approval
    )
