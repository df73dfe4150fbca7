"""What several commands of the floor share: rows under their lock, versions in force, and legs for
the ledger.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Q, QuerySet

from jackpot.models import Claim
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from payouts.commands import start_again
from payouts.models import Approval, ApprovalSignature, PostedState, PostedTable
from payouts.rules.ledger.postings import Leg
from payouts.rules.ledger.recipes import Line
from payouts.rules.rulesets.schema import Posted
from tables.errors import CroupierUnknown, TableClosed, TableUnknown
from tables.games import Rules
from tables.kinds import KINDS
from tables.models import HandOver, ReviewItem, RoundResult, Table, TableSession
from tables.rules.floor import FloorRules
from tables.selectors.rounds import CORRECTION

# Kinds of posted tables that every table names, whatever its game.
FLOOR_KINDS = ("floor_rules", "calendar")
# Those that any table may name beside them: a table with a chip set can be counted.
COUNT_KINDS = ("chip_set", "cage_rules", "tray_float")
NO_RULES = JackpotRules()
DEALERS = ("croupier", "pit_boss")


def table_locked(
    house_id: UUID,
    table_id: UUID,
    *,
    expected_jackpot: UUID | None = None,
    any_jackpot: bool = False,
) -> Table:
    """The table's row, held until the transaction ends: no round is locked meanwhile. Raises
    TableUnknown.

    `expected_jackpot`: the link under whose lock the caller stands; if it changed meanwhile, the
    command starts again.
    """
    table = (
        Table.objects.select_for_update(no_key=True).filter(pk=table_id, house_id=house_id).first()
    )
    if table is None:
        raise TableUnknown
    if not any_jackpot and table.jackpot_id != expected_jackpot:
        start_again()
    return table


def start_over_if_moved(shared: UUID | None, linked: str | None) -> None:
    """Start the command again if the table was linked elsewhere after the lock of its jackpot had
    been taken.
    """
    if (str(shared) if shared else None) != linked:
        start_again()


def session_of(table: Table) -> TableSession:
    """The open session of a table whose row is held. Raises TableClosed."""
    session = TableSession.objects.filter(pk=table.session_id).first() if table.session_id else None
    if session is None:
        raise TableClosed
    return session


def check_croupier(house_id: UUID, person_id: UUID) -> None:
    """Raise CroupierUnknown unless this is an active person of the house who may deal."""
    person = get_user_model().objects.filter(pk=person_id, is_active=True).first()
    if person is None or person.house_id != house_id or not set(person.roles) & set(DEALERS):
        raise CroupierUnknown


def dealt_by(record: Mapping[str, Any]) -> set[UUID]:
    """Who had the table while a recorded round ran, whoever has it when the round is put right:
    they sign nothing about it.

    Whoever handed it over in that session before hand-overs said at which round is taken for one of
    them. A round that came later may be of anybody who had the table in that session until it was
    taken, not its taker's.
    """
    number, queued = record["number"] or 0, record["queued"]
    hands = HandOver.objects.filter(session_id=record["session_id"])
    if not queued:
        hands = hands.filter(Q(last_round=None) | Q(last_round__gte=number))
    dealt = set() if queued else {record["croupier_id"]}
    for last, running, person in hands.order_by("pk").values_list(
        "last_round", "running", "from_croupier_id"
    ):
        dealt.add(str(person))
        if last is None or last < number:
            continue
        if (last, running) != (number, True):  # who came then did not deal it
            break
    else:
        dealt.add(record["duty"])
    return {UUID(person) for person in dealt if person}


def took_part(record: Mapping[str, Any]) -> set[UUID]:
    """Who dealt a recorded round, and the authors of what it says: nobody of them looks at it for
    the house, or signs what it pays.

    Authors are those who entered, sent or corrected a result, who called *Royal!* or claimed for
    the round, and who asked for or signed a correction of it. One statement more than `dealt_by`.
    """
    round_id = UUID(record["id"])
    asked = Approval.objects.filter(
        action=CORRECTION, subject_kind="round", subject_id=record["id"]
    )
    used = asked.filter(state=Approval.State.USED)
    sent = ReviewItem.objects.filter(round_id=round_id, house_id=UUID(record["house_id"]))
    entered = sent.exclude(state=ReviewItem.State.DISMISSED)
    authors: QuerySet[Any, Any] = RoundResult.objects.filter(round_id=round_id).values_list(
        "entered_by_id"
    )
    authors = authors.union(
        Claim.objects.filter(round_id=round_id).values_list("made_by_id"),
        entered.values_list("sent_by_id"),
        used.values_list("requester_id"),
        ApprovalSignature.objects.filter(approval__in=used).values_list("signer_id"),
    )
    return dealt_by(record) | {person for (person,) in authors if person is not None}


_VERSIONS_MOST = 1024
# a version in force never changes: each process reads it once
_known: dict[str, tuple[str, Posted]] = {}


def posted_of(versions: Iterable[str]) -> dict[str, Posted]:
    """By kind, the posted tables of these approved versions, by ids as PostgreSQL writes them;
    those that this process has not read yet by one statement. Raises PostedTable.DoesNotExist: no
    rule is left out.
    """
    wanted = set(versions)
    found = {version: there for version in wanted if (there := _known.get(version)) is not None}
    if missing := wanted - found.keys():
        rows = PostedTable.objects.only("kind", "data").filter(
            pk__in=missing, state=PostedState.APPROVED
        )
        read = {str(row.pk): (row.kind, KINDS[row.kind].read(row.data)) for row in rows}
        if read.keys() != missing:
            raise PostedTable.DoesNotExist
        if len(_known) + len(read) > _VERSIONS_MOST:
            _known.clear()
        _known.update(read)
        found |= read
    return dict(found.values())


def rules_of(versions: Mapping[str, str]) -> Rules:
    """Everything that a round is played under, from the ids of the posted versions."""
    posted = posted_of(versions.values())
    progressive, floor = posted.get("progressive"), posted["floor_rules"]
    jackpot = posted.get("jackpot_rules", NO_RULES)
    if not isinstance(floor, FloorRules) or not (
        progressive is None or isinstance(progressive, ProgressiveRules)
    ):
        raise TypeError("posted tables of other kinds than they are filed under")
    if not isinstance(jackpot, JackpotRules):
        raise TypeError("posted tables of other kinds than they are filed under")
    return Rules(posted, progressive, floor, jackpot)


def legs_of(lines: Iterable[Line], accounts: Mapping[str, int]) -> list[Leg]:
    """One leg for each account that moves, in a fixed order: the rows of stakes and lines hold the
    parts.
    """
    sums: dict[str, int] = {}
    for line in lines:
        sums[line.kind] = sums.get(line.kind, 0) + line.amount_minor
    return [Leg(accounts[kind], amount) for kind, amount in sums.items() if amount]


def one(sql: str, values: list[Any]) -> tuple[Any, ...] | None:
    """The first row of a statement, or None."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row
