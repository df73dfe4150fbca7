"""A table opens, changes hands, closes."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db.models import Max
from django.db.models.functions import Now

from payouts.db.constraints import require_transaction
from payouts.models import Count
from payouts.rules.plain import check_text
from payouts.rules.rulesets.calendar import HouseCalendar, evening
from payouts.rules.rulesets.schema import Posted
from payouts.selectors import HouseNow, house_now
from payouts.services import event_record
from tables.errors import (
    PRIZE_LACKS,
    AntesCarried,
    CardsUnconfirmed,
    ClarifyOpen,
    DayClosed,
    HoursClosed,
    HouseNotReady,
    LevelNeedsJackpot,
    LevelUnknown,
    RoundRunning,
    StacksUncounted,
    StaysThere,
    TableOpen,
    TableRetired,
    TabletSilent,
    TabletUnsent,
)
from tables.games import game_of
from tables.models import Guest, HandOver, Play, PokerStay, ReviewItem, Round, Table, TableSession
from tables.selectors.stays import stacks_known
from tables.services.counts.gates import closer_of, counts_required, opener_of
from tables.services.counts.parts import version_named
from tables.services.floor.changes import version_take
from tables.services.hands.pots import carried_at
from tables.services.parts import check_croupier, posted_of, session_of, table_locked
from tables.services.seats.between import check_no_hand


def table_open(
    *,
    house_id: UUID,
    table_id: UUID,
    croupier_id: UUID,
    entry_level: str = "fast",
    actor_id: UUID,
    prize_lacks: str = "",
    reason: str = "",
    closer: Count | None = None,
) -> TableSession:
    """Open a table for the gaming day that is, within its hours, under the versions in force on it
    (HSE-1). `prize_lacks`, of PRIZE_LACKS: a linked table then opens with a reason alone; so does
    one whose opener is not as the books have it. `closer`: of the session that goes on in this
    one, whose opener it is.

    Raises TableUnknown, TableOpen, TableRetired, CroupierUnknown, LevelUnknown, LevelNeedsJackpot,
    PostedMissing, PostedRefused, DayClosed, HoursClosed, TableBeingCounted, TableUncounted,
    OpenerDiffers, HouseNotReady, TextRefused.
    """
    require_transaction()
    table = table_locked(house_id, table_id, any_jackpot=True)
    if table.session_id is not None:
        raise TableOpen
    if table.retired:
        raise TableRetired(place=table.name)
    check_croupier(house_id, croupier_id)
    _check_level(table, entry_level)
    now = house_now(house_id=house_id)
    versions = {
        kind: version_named(house_id, kind, name, now.day) for kind, name in table.posted.items()
    }
    posted = posted_of(versions.values())
    _check_hours(posted, now)
    game_of(table.game).fit(posted)
    opener = closer or opener_of(table, versions, reason=reason)
    lacks = _lacks(table, prize_lacks, reason)
    session = TableSession.objects.create(
        id=uuid4(),
        house_id=house_id,
        table=table,
        gaming_day=now.day,
        entry_level=entry_level,
        versions=versions,
        croupier_id=croupier_id,
        opened_by_id=actor_id,
        opener=opener,
    )
    table.session = session
    table.save(update_fields=["session"])
    after = _opened(session) | ({"prize_lacks": lacks} if lacks else {})
    event_record("table.opened", table, actor_id=actor_id, after=after, reason=reason)
    return session


def _opened(session: TableSession) -> dict[str, object]:
    """A session that begins, as it is logged."""
    after: dict[str, object] = {
        "session": str(session.pk),
        "gaming_day": session.gaming_day.isoformat(),
        "entry_level": session.entry_level,
        "croupier": str(session.croupier_id),
        "versions": session.versions,
    }
    return after | ({"opener": str(session.opener_id)} if session.opener_id else {})


def table_close(
    *,
    house_id: UUID,
    table_id: UUID,
    actor_id: UUID,
    silent_since: datetime | None = None,
    unsent: int = 0,
    cards_complete: bool = False,
    reason: str = "",
) -> TableSession:
    """Close a table; its guests are gone, and what was changed of it counts. Where its tablet is
    silent or `unsent` entries lie on it, or something of it is to be clarified, or the house counts
    and nobody says `cards_complete` (CNT-8), with a reason alone.

    Raises TableUnknown, TableClosed, RoundRunning, StaysThere, TableBeingCounted, TableUncounted,
    TabletSilent, TabletUnsent, ClarifyOpen, CardsUnconfirmed, TextRefused.
    """
    require_transaction()
    table = table_locked(house_id, table_id, any_jackpot=True)
    session = session_of(table)
    _check_no_stay(session)
    closed = session_close(
        table,
        session,
        actor_id=actor_id,
        silent_since=silent_since,
        unsent=unsent,
        cards_complete=cards_complete,
        reason=reason,
    )
    version_take(table, actor_id=actor_id)
    return closed


def session_close(
    table: Table,
    session: TableSession,
    *,
    actor_id: UUID,
    silent_since: datetime | None,
    unsent: int,
    cards_complete: bool | None = None,
    reason: str,
) -> TableSession:
    """Close the session of a table that is held, whoever has chips there. `cards_complete`: None
    where the table goes on with its cards. Raises RoundRunning, TableBeingCounted, TableUncounted,
    TabletSilent, TabletUnsent, ClarifyOpen, CardsUnconfirmed, TextRefused.
    """
    _check_no_round(table)
    session.closer = closer_of(table, session)
    session.counting = None
    unknown = _unknown(table, session, silent_since, unsent)
    cards = _cards(session, cards_complete=cards_complete)
    if reason:
        check_text(reason, "reason", least=3, most=500)
    elif unknown:
        _ask_why(table, **unknown)
    elif not all(cards.values()):
        raise CardsUnconfirmed(place=table.name)
    Guest.objects.filter(session=session, left_at=None, stay=None).update(left_at=Now())
    session.closed_by_id, session.closed_at = actor_id, Now()
    session.save(update_fields=["closed_by", "closed_at", "closer", "counting"])
    table.session = None
    table.save(update_fields=["session"])
    session.refresh_from_db()
    after = {"session": str(session.pk), **unknown, **cards}
    after |= {"closer": str(session.closer_id)} if session.closer_id else {}
    event_record("table.closed", table, actor_id=actor_id, after=after, reason=reason)
    return session


def table_hand_over(
    *, house_id: UUID, table_id: UUID, croupier_id: UUID, actor_id: UUID
) -> HandOver | None:
    """Give the table to another croupier, also in the middle of a round; None if they have it
    already.

    Raises TableUnknown, TableClosed, CroupierUnknown.
    """
    require_transaction()
    table = table_locked(house_id, table_id, any_jackpot=True)
    session = session_of(table)
    check_croupier(house_id, croupier_id)
    before = session.croupier_id
    if before == croupier_id:
        return None
    session.croupier_id = croupier_id
    session.save(update_fields=["croupier"])
    last = Play.objects.filter(session=session).order_by("-number").first()
    hand_over = HandOver.objects.create(
        house_id=house_id,
        session=session,
        last_round=last.number if last else 0,
        running=last is not None and last.state == Round.State.LOCKED,
        from_croupier_id=before,
        to_croupier_id=croupier_id,
        by_id=actor_id,
    )
    event_record(
        "table.handed_over",
        table,
        actor_id=actor_id,
        before={"croupier": str(before)},
        after={"session": str(session.pk), "croupier": str(croupier_id)},
    )
    return hand_over


def table_entry_level_set(
    *, house_id: UUID, table_id: UUID, entry_level: str, actor_id: UUID
) -> TableSession:
    """Change how rounds are entered, from the next round on.

    Raises TableUnknown, TableClosed, LevelUnknown, LevelNeedsJackpot, RoundRunning, HandRuns,
    StacksUncounted, AntesCarried.
    """
    require_transaction()
    table = table_locked(house_id, table_id, any_jackpot=True)
    session = session_of(table)
    _check_level(table, entry_level)
    _check_no_round(table)
    check_no_hand(session)
    before = session.entry_level
    if entry_level == "pots" != before and not stacks_known(session):
        raise StacksUncounted
    if before == "pots" != entry_level and (carried_minor := carried_at(table.pk)):
        raise AntesCarried(amount_minor=carried_minor)
    session.entry_level = entry_level
    session.save(update_fields=["entry_level"])
    event_record(
        "table.entry_level_set",
        table,
        actor_id=actor_id,
        before={"entry_level": before},
        after={
            "session": str(session.pk),
            "entry_level": entry_level,
            "from_round": _rounds(session) + 1,
        },
    )
    return session


def _rounds(session: TableSession) -> int:
    """How many rounds the session has; its table is held."""
    last: int | None = Play.objects.filter(session=session).aggregate(last=Max("number"))["last"]
    return last or 0


def _lacks(table: Table, prize_lacks: str, reason: str) -> str:
    """What a prize lacks where the table could win it. Raises HouseNotReady, TextRefused."""
    lacks = prize_lacks if table.jackpot_id else ""
    if reason:
        check_text(reason, "reason", least=3, most=500)
    elif lacks:
        raise HouseNotReady(place=table.name, why=PRIZE_LACKS[lacks])
    return lacks


def _check_hours(posted: Mapping[str, Posted], now: HouseNow) -> None:
    """Raises DayClosed, HoursClosed."""
    calendar = posted["calendar"]
    if not isinstance(calendar, HouseCalendar):
        raise TypeError("a posted table of another kind than it is filed under")
    hours = evening(calendar, now.day, now.zone)
    if hours is None:
        raise DayClosed
    if not hours.live_at(now.moment):
        moments = {
            "opens": hours.live_from,
            "closes": hours.closes_latest,
            "now": now.moment.astimezone(now.zone),
        }
        raise HoursClosed(**{name: f"{moment:%H:%M}" for name, moment in moments.items()})


def _unknown(
    table: Table, session: TableSession, silent_since: datetime | None, unsent: int
) -> dict[str, Any]:
    """What is not known of a table that closes: since when its tablet is silent, how much lies on
    it, the number of the last round or hand that came, how much is to be clarified. Empty where all
    is known.
    """
    waiting = ReviewItem.objects.filter(table=table, state=ReviewItem.State.OPEN).count()
    if silent_since is None and not waiting and not unsent:
        return {}
    since = silent_since and silent_since.isoformat()
    facts = {"silent_since": since, "last": _rounds(session), "to_clarify": waiting}
    return facts | ({"unsent": unsent} if unsent else {})


def _cards(session: TableSession, *, cards_complete: bool | None) -> dict[str, bool]:
    """What is said of the cards of a table that closes; empty where nobody asks (CNT-8)."""
    if cards_complete is None or session.closer is None or not counts_required(session.versions):
        return {}
    return {"cards_complete": cards_complete}


def _ask_why(
    table: Table, *, silent_since: str | None, last: int, to_clarify: int, unsent: int = 0
) -> None:
    """Raises TabletSilent, TabletUnsent, ClarifyOpen."""
    if silent_since is None and unsent:
        raise TabletUnsent(place=table.name, count=unsent, last=last)
    if silent_since is None:
        raise ClarifyOpen(place=table.name, count=to_clarify)
    now = house_now(house_id=table.house_id)
    since = datetime.fromisoformat(silent_since)
    is_near = now.moment - since < timedelta(hours=20)
    time = f"{since.astimezone(now.zone):{'%H:%M' if is_near else '%Y-%m-%d %H:%M'}}"
    raise TabletSilent(place=table.name, time=time, last=last)


def _check_level(table: Table, entry_level: str) -> None:
    if entry_level not in game_of(table.game).levels:
        raise LevelUnknown(level=str(entry_level)[:40])
    if entry_level == "jackpot_only" and table.jackpot_id is None:
        raise LevelNeedsJackpot


def _check_no_round(table: Table) -> None:
    if Play.objects.filter(table=table, state=Round.State.LOCKED).exists():
        raise RoundRunning


def _check_no_stay(session: TableSession) -> None:
    stays = PokerStay.objects.filter(guest__session=session, left_at=None)
    sitting = list(stays.order_by("guest__box").values_list("guest__box", "began_at"))
    if sitting:
        seats = ", ".join(str(seat) for seat, _ in sitting)
        zone = house_now(house_id=session.house_id).zone
        first = min(began_at for _, began_at in sitting)
        raise StaysThere(boxes=seats, time=f"{first.astimezone(zone):%H:%M}")
