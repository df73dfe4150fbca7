"""What the commands about seats share: a stay under its table's lock, what is posted there, and
chips that move.
"""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from django.db.models import Max

from payouts.db.constraints import refusing
from payouts.models import Account
from payouts.rules.ledger.recipes import Line
from payouts.rules.ledger.stacks import table_emptied
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import RakeSchedule, TimeCharge
from payouts.rules.rulesets.schema import sent
from payouts.selectors import HouseNow, house_now
from payouts.services import event_record, recipe_post
from tables.errors import CroupierWrong, DayOver, NoStacks, SeatOccupied, SeatOutside, StayGone
from tables.games import game_of
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.streets import AboveStack
from tables.models import Guest, PokerStay, StayChips, Table, TableSession
from tables.services.cash.seat import seat_entry
from tables.services.parts import posted_of, session_of, table_locked

# The last guest has left, and hands do not explain what is on the table.
EMPTIED = "table.emptied"


class PokerPosted(NamedTuple):
    """What is posted at a table; `charge`: None where time is free, `rake`: where pots are."""

    game: PokerGame
    house: PokerRules
    charge: TimeCharge | None
    rake: RakeSchedule | None = None
    hands: HandRules = HandRules()


class PokerTable(NamedTuple):
    """An open table, its row held, with what is posted there."""

    table: Table
    session: TableSession
    posted: PokerPosted


def poker_table(house_id: UUID, table_id: UUID, *, croupier_id: UUID | None = None) -> PokerTable:
    """Hold an open poker table. `croupier_id`: who must have it; None asks nobody (the pit). Raises
    TableUnknown, TableClosed, CroupierWrong, NoStacks.
    """
    table = table_locked(house_id, table_id, any_jackpot=True)
    session = session_of(table)
    if croupier_id is not None and session.croupier_id != croupier_id:
        raise CroupierWrong
    return PokerTable(table, session, _posted_at(table, session))


def in_session(table: Table, session: TableSession) -> PokerTable:
    """A held table as it was in one of its sessions, open or closed. Raises NoStacks."""
    return PokerTable(table, session, _posted_at(table, session))


def sits_anybody(session: TableSession) -> bool:
    """Whether a guest of a session sits at its table."""
    return PokerStay.objects.filter(guest__session=session, left_at=None).exists()


def plays_on(session: TableSession) -> bool:
    """Whether a guest of a session sits at its table, in this gaming day or one that it was rolled
    into.
    """
    stays = PokerStay.objects.filter(guest__session__in=sessions_on(session), left_at=None)
    return stays.exists()


def sessions_on(session: TableSession) -> set[UUID]:
    """A session, and those that it was rolled into."""
    sessions = {session.pk}
    of_table = PokerStay.objects.filter(guest__session__table=session.table_id)
    while (
        rolled := of_table.filter(came_from__guest__session__in=sessions)
        .exclude(guest__session__in=sessions)
        .values_list("guest__session", flat=True)
    ):
        sessions |= {*rolled}
    return sessions


def _posted_at(table: Table, session: TableSession) -> PokerPosted:
    posted = seats_posted(session.versions)
    if posted is None:
        raise NoStacks(game=game_of(table.game).title)
    return posted


def seats_posted(versions: Mapping[str, str]) -> PokerPosted | None:
    """What a session of these versions is played under; None where it is not poker."""
    posted = posted_of(versions.values())
    kinds = ("poker_game", "poker_rules", "time_charge", "rake", "hand_rules")
    game, house, charge, rake, hands = (posted.get(kind) for kind in kinds)
    if not isinstance(game, PokerGame) or not isinstance(house, PokerRules):
        return None
    return PokerPosted(
        game,
        house,
        charge if isinstance(charge, TimeCharge) else None,
        rake if isinstance(rake, RakeSchedule) else None,
        hands if isinstance(hands, HandRules) else HandRules(),
    )


def table_of_stay(house_id: UUID, stay_id: UUID) -> UUID:
    """The table of a stay, which is not held yet. Raises StayGone."""
    stays = PokerStay.objects.filter(pk=stay_id, house_id=house_id)
    table_id = stays.values_list("guest__session__table_id", flat=True).first()
    if table_id is None:
        raise StayGone
    return table_id


def stay_at(at: PokerTable, stay_id: UUID) -> PokerStay:
    """The stay of a guest who sits at a held table. Raises StayGone."""
    stays = PokerStay.objects.filter(pk=stay_id, left_at=None, guest__session=at.session)
    stay = stays.select_related("guest").first()
    if stay is None:
        raise StayGone
    return stay


def stay_locked(
    house_id: UUID, stay_id: UUID, croupier_id: UUID | None
) -> tuple[PokerStay, PokerTable]:
    """A stay and its table, which is held. Raises StayGone, TableClosed, CroupierWrong."""
    at = poker_table(house_id, table_of_stay(house_id, stay_id), croupier_id=croupier_id)
    return stay_at(at, stay_id), at


def check_day(session: TableSession) -> HouseNow:
    """Now, on the gaming day of a session. Raises DayOver."""
    now = house_now(house_id=session.house_id)
    if session.gaming_day != now.day:
        raise DayOver(opened=session.gaming_day.isoformat(), day=now.day.isoformat())
    return now


def guest_seated(at: PokerTable, seat: int) -> Guest:
    """A guest anew, at a seat. Raises SeatOutside, SeatOccupied."""
    check_seat(at, seat)
    numbers = Guest.objects.filter(session=at.session).aggregate(last=Max("number"))
    with refusing({"guest_one_owner_per_box": SeatOccupied(seat=seat)}):
        return Guest.objects.create(
            house_id=at.table.house_id,
            session=at.session,
            number=(numbers["last"] or 0) + 1,
            box=seat,
            seated=True,
        )


def check_seat(at: PokerTable, seat: object) -> None:
    """Raise SeatOutside for what is no seat of the table and its game."""
    seats = min(at.table.boxes, at.posted.game.seats)
    if type(seat) is not int or not 1 <= seat <= seats:
        raise SeatOutside(layout=seats, seat=sent(seat))


def chips_move(
    at: PokerTable,
    stay: PokerStay,
    lines: list[Line],
    *,
    kind: str,
    amount_minor: int,
    means: str = "",
    half_hours: int | None = None,
    actor_id: UUID,
) -> StayChips:
    """Post what moves chips of a stay, and record it."""
    number = stay.chips.count() + 1
    transfer_id = None
    if lines:
        transfer_id = post(at, f"stay:{stay.pk}:{number}", kind, lines, stay, actor_id=actor_id)
    row = StayChips.objects.create(
        house_id=stay.house_id,
        stay=stay,
        kind=kind,
        means=means,
        amount_minor=amount_minor,
        half_hours=half_hours,
        transfer_id=transfer_id,
    )
    seat_entry(at.session, row)
    return row


def post(
    at: PokerTable,
    key: str,
    kind: str,
    lines: list[Line],
    stay: PokerStay,
    *,
    actor_id: UUID,
    **owners: UUID,
) -> int:
    """Post a recipe at a table about a stay; give the transfer's id."""
    house_id = at.table.house_id
    return recipe_post(
        house_id=house_id,
        gaming_day=at.session.gaming_day,
        key=key,
        kind=kind,
        lines=lines,
        owners={"house": house_id, "table": at.table.pk, "stay": stay.pk, **owners},
        actor_id=actor_id,
        subject_kind="stay",
        subject_id=stay.pk,
    )


def moves_stacks(session: TableSession) -> bool:
    """Whether hands, tips and fees move the stacks that are booked at a table."""
    return session.entry_level == "pots"


def stack_source(at: PokerTable, stay: PokerStay, amount_minor: int) -> str:
    """The account that what a guest gives from the chips on the table comes from. Raises
    AboveStack.
    """
    if not moves_stacks(at.session):
        return "in_play"
    if amount_minor > (stack_minor := booked_minor(at, stay)):
        raise AboveStack(seat=stay.guest.box, stack_minor=stack_minor, amount_minor=amount_minor)
    return "stack"


def booked_minor(at: PokerTable, stay: PokerStay) -> int:
    """The chips before a guest, as booked."""
    return -_balance(kind="stack", owner_id=at.table.pk, detail_id=stay.pk)


def _balance(**account: object) -> int:
    balances = Account.objects.filter(**account).values_list("balance_minor", flat=True)
    return balances.first() or 0


def empty_if_last(at: PokerTable, stay: PokerStay, *, actor_id: UUID) -> None:
    """Clear what hands left unbooked, and in the pot, at a table where nobody sits any more after
    this stay. Who took the antes of the pot along has more than hands explain: that is told of
    together.
    """
    if sits_anybody(at.session):
        return
    left_minor = _balance(kind="in_play", owner_id=at.table.pk, detail_id=None)
    carried_minor = _balance(kind="pot_carried", owner_id=at.table.pk, detail_id=None)
    if not left_minor and not carried_minor:
        return
    lines = table_emptied(left_minor, carried=carried_minor)
    post(at, f"stay:{stay.pk}:emptied", "table_emptied", lines, stay, actor_id=actor_id)
    missing_minor = -left_minor - carried_minor
    if not missing_minor:
        return
    after = {"session": str(at.session.pk), "missing_minor": missing_minor}
    event_record(EMPTIED, at.table, actor_id=actor_id, after=after)
