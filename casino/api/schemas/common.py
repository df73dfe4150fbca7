"""What several resources share: kinds of fields, a page of a list, a reason, an id; and the
document of a refusal.
"""

from collections.abc import Iterable
from typing import Annotated, Any, NotRequired, TypedDict
from uuid import UUID

from casino.api.schemas.fields import Answer, Column, Default, Detail, digits, text

Minor = Annotated[int, Detail({"description": "Minor units of the house's currency."})]
Reason = Annotated[str, text(3, 500)]
Json = dict[str, Any]


def codes(known: Iterable[str], *more: str) -> Detail:
    """Of a text: one of these."""
    return Detail({"enum": [*more, *known]})


class Nothing(TypedDict):
    """A body without fields, an address without parameters."""


class Paging(TypedDict):
    """A page of a list."""

    limit: Annotated[int, digits(1, 200), Default(50)]
    cursor: Annotated[str, text(1, 500), Default("")]


class Why(TypedDict):
    """A command that is given a reason."""

    reason: Reason


class Person(Answer):
    """Somebody, by id and name."""

    id: UUID
    name: Annotated[str, Column("full_name")]


class Kept(Answer):
    """What came too late from a tablet, where it lies for the pit."""

    id: UUID
    state: str
    detail: str


class Problem(TypedDict):
    """application/problem+json: what happened (title), what to do (detail), and for programs code,
    rule, data.
    """

    type: str
    title: str
    detail: str
    status: int
    code: str
    rule: str | None
    data: Json
    to_clarify: NotRequired[Kept]
