"""The starter set: the posted tables without which a house cannot play, drafted with the rulebook's
own values, signed together.

Each is a version as any other: its house changes the draft, and two others sign. What one form
sends is done for all, or for none.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.utils.translation import gettext as _

from casino.people.models import Person
from payouts.errors import mark
from payouts.models import Approval, House, PostedState, PostedTable
from payouts.models.posted import PENDING
from payouts.rules.approval import role_fits
from payouts.rules.rulesets.kinds import TableKind, TableUnknown
from payouts.selectors import gaming_day_at
from payouts.services import posted_table_draft, posted_table_request, posted_table_sign
from payouts.services.posted import posted_table_advice
from tables.games import GAMES
from tables.games.base import HandGame
from tables.kinds import KINDS
from tables.models import Table
from tables.services.parts import FLOOR_KINDS

NAMES = {"uth_rules": "UTH 5–50", "blind": "UTH Blind", "trips": "UTH Trips"}
OF_JACKPOT = ("progressive", "funding", "jackpot_rules")
STANDING = (*PENDING, PostedState.APPROVED)
NOTE = mark("The rulebook's own values")


def starter_kinds(house: House) -> dict[str, TableKind]:
    """By code, what the first game of the list, the floor and a jackpot ask for; where every table
    deals hands, that game and the floor alone. What other games ask for is drafted on the page of
    posted tables. One statement.
    """
    first = next(iter(GAMES.values()))
    games = {
        GAMES[code]
        for code in Table.objects.filter(house=house, retired=False).values_list("game", flat=True)
    }
    if games and all(isinstance(game, HandGame) for game in games):
        codes = [*(code for game in games for code in game.posted), *FLOOR_KINDS]
    else:
        codes = [*first.posted, *FLOOR_KINDS, *OF_JACKPOT]
    return {code: KINDS[code] for code in dict.fromkeys(codes)}


def starter_rows(house: House) -> list[PostedTable]:
    """The versions of these kinds that count or may come to count, in the order of kinds, the
    newest of a name first.
    """
    kinds = list(starter_kinds(house))
    rows = PostedTable.objects.filter(house=house, kind__in=kinds, state__in=STANDING)
    found = rows.select_related("approval", "drafted_by").prefetch_related(
        "approval__signatures__signer"
    )
    return sorted(found.order_by("name", "-version"), key=lambda row: kinds.index(row.kind))


def starter_missing(house: House, rows: Iterable[PostedTable]) -> list[TableKind]:
    """The kinds of which there is not even a draft."""
    there = {row.kind for row in rows}
    return [kind for code, kind in starter_kinds(house).items() if code not in there]


def starter_draft(*, house: House, actor_id: UUID) -> list[str]:
    """Draft what is missing, and give its ids. Raises what drafting raises."""
    missing = starter_missing(house, starter_rows(house))
    return [
        str(
            posted_table_draft(
                house_id=house.pk,
                kind=kind,
                name=_name(kind, house),
                data=kind.start.to_data(),
                note=_(NOTE),
                actor_id=actor_id,
            ).pk
        )
        for kind in missing
    ]


def _name(kind: TableKind, house: House) -> str:
    """By the game, `Progressive` for what belongs to a jackpot, else the house's own."""
    return NAMES.get(kind.code) or ("Progressive" if kind.code in OF_JACKPOT else house.name[:60])


def to_ask(rows: Iterable[PostedTable]) -> list[PostedTable]:
    """The versions whose approval is to be asked for: drafts, and requests that ran out
    unsigned."""
    return [row for row in rows if row.state in PENDING and not waits(row)]


def waits(row: PostedTable) -> bool:
    """Whether the version can be signed now."""
    asked = row.approval
    return row.state == PostedState.REQUESTED and asked is not None and asked.waits


def starter_request(*, house: House, actor_id: UUID) -> list[str]:
    """Ask for the approval of all of them, in force from the present gaming day or with the next
    epoch; give their ids.

    Of what its house changed, and what then looks like a mistake, somebody has to say why it is
    meant so: that stays a draft, to be asked for on its own page. Raises what asking raises.
    """
    today, asked = gaming_day_at(house_id=house.pk), []
    # locked in one order, whoever else asks
    for row in sorted(to_ask(starter_rows(house)), key=lambda row: row.pk):
        kind = KINDS[row.kind]
        own = row.data == kind.start.to_data()
        if not own and posted_table_advice(table=row, kind=kind):
            continue
        posted_table_request(
            table_id=row.pk,
            kind=kind,
            in_force_from=today if kind.starts == "day" else None,
            reason=_(NOTE) if own else "",
            actor_id=actor_id,
        )
        asked.append(str(row.pk))
    return asked


def to_sign(rows: Iterable[PostedTable], person: Person) -> list[PostedTable]:
    """The versions that wait for a signature of this person."""
    return [
        row
        for row in rows
        if waits(row) and row.approval is not None and _may_sign(row.approval, person)
    ]


def _may_sign(asked: Approval, person: Person) -> bool:
    barred = person.pk == asked.requester_id or person.pk in asked.excluded
    signed = any(one.signer_id == person.pk for one in asked.signatures.all())
    return role_fits(person.roles, asked.roles) and not barred and not signed


def starter_sign(
    *, house: House, seen: Mapping[UUID, bytes], signer: Person, method: str
) -> list[str]:
    """Sign all versions that the signer saw, each by the hash of what it says; the last signature
    puts one in force.

    Raises what signing raises: then none of them is signed.
    """
    rows = {row.pk: row for row in starter_rows(house)}
    for pk in sorted(seen):
        if pk not in rows:
            raise TableUnknown
        posted_table_sign(
            table_id=pk,
            kind=KINDS[rows[pk].kind],
            payload_hash=seen[pk],
            signer_id=signer.pk,
            signer_roles=signer.roles,
            method=method,
        )
    return [str(pk) for pk in sorted(seen)]
