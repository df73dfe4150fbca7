"""A croupier has one table: who would have two that are open is asked about, wherever a table is
given to them.
"""

from uuid import UUID

from django.contrib.auth import get_user_model

from payouts.errors import Kind, Refused, mark
from tables.models import Table


class CroupierElsewhere(Refused):
    """They have another table, which is open, and nobody said that they are to have both."""

    code = "table.croupier_elsewhere"
    kind = Kind.CONFLICT
    sentence = mark("%(name)s still has %(tables)s.")
    remedy = mark("Have somebody else take that over first, or say that one croupier has both.")


def ask_whether_both(table: Table, croupier_id: UUID, *, is_said: bool) -> None:
    """Raise CroupierElsewhere where they have another open table, unless it was said that they are
    to have both.
    """
    names = [] if is_said else tables_of(table, croupier_id)
    if names:
        name = get_user_model().objects.values_list("full_name", flat=True).get(pk=croupier_id)
        raise CroupierElsewhere(name=name, tables=", ".join(names))


def tables_of(table: Table, croupier_id: UUID) -> list[str]:
    """The other open tables of the house that the croupier has, by name."""
    found = Table.objects.filter(house_id=table.house_id, session__croupier_id=croupier_id).exclude(
        pk=table.pk
    )
    return list(found.order_by("position", "name").values_list("name", flat=True))
