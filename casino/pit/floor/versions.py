"""The versions of a table in words: what each changes, who asked for it, who signed it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from casino.pit.set_up import kinds_of
from casino.text.differences import NOTHING, Difference, Differences, differences
from payouts.errors import mark
from payouts.models import Event
from payouts.rules.plain import Json
from tables.games import Game, game_of
from tables.kinds import KINDS
from tables.models import Pit, Table, TableVersion
from tables.services.floor.changes import set_up_of

ANSWERS = mark("no"), mark("yes")
_MADE = ("table.created", "table.version_made")


class VersionLine(NamedTuple):
    """A version of a table. `changed`: against the one before; `by`: who asked for it or made it;
    `signers`: by name.
    """

    number: int
    changed: list[Difference]
    by: str
    signers: list[str]
    at: datetime


def set_up_differences(
    before: Mapping[str, Json], after: Mapping[str, Json], table: Table
) -> Differences:
    """What changes between two set-ups of a table, as they are signed. One statement."""
    return _differences(before, after, game_of(table.game), _pits(table))


def version_lines(table: Table) -> list[VersionLine]:
    """The versions of a table, the newest first. Five statements."""
    rows = TableVersion.objects.filter(table=table).select_related("approval__requester")
    rows = rows.prefetch_related("approval__signatures__signer").order_by("number")
    made = _made_by(table)
    game = game_of(table.game)
    pits = _pits(table)
    lines: list[VersionLine] = []
    before: Mapping[str, Json] | None = None
    for row in rows:
        request = row.approval
        data = set_up_of(row).data()
        changed = _differences(before, data, game, pits).changed if before else []
        asker = request.requester if request else None
        by = asker.full_name if asker else made.get(row.number, "")
        signatures = request.signatures.all() if request else ()
        signers = [signature.signer.full_name for signature in signatures]
        lines.append(VersionLine(row.number, changed, by, signers, row.created_at))
        before = data
    return lines[::-1]


def _made_by(table: Table) -> dict[int, str]:
    """By number, who made a version without signatures."""
    rows = Event.objects.filter(
        house_id=table.house_id, subject_kind="table", subject_id=str(table.pk), name__in=_MADE
    ).select_related("actor")
    return {
        (row.after or {}).get("version", 1): row.actor.full_name if row.actor else ""
        for row in rows
    }


def _pits(table: Table) -> dict[str, str]:
    rows = Pit.objects.filter(house_id=table.house_id).values_list("pk", "name")
    return {str(pk): name for pk, name in rows}


def _differences(
    before: Mapping[str, Any], after: Mapping[str, Any], game: Game, pits: Mapping[str, str]
) -> Differences:
    sides = before, after
    boxes = _("Seats") if game.stacks else _("Boxes")
    rows = [
        (_("Name"), *(side["name"] for side in sides)),
        (_("Pit"), *(pits.get(side["pit"], NOTHING) for side in sides)),
        (_("Place in the pit"), *(str(side["position"]) for side in sides)),
        (boxes, *(str(side["boxes"]) for side in sides)),
        *(
            (_(KINDS[kind].title), *(side["posted"].get(kind, NOTHING) for side in sides))
            for kind in kinds_of(game)
        ),
        (_("Retired"), *(_(ANSWERS[side["retired"]]) for side in sides)),
    ]
    return differences(Difference(*row) for row in rows)
