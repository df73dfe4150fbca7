"""A poker table as its tablet shows it: what is posted there, and who sits at which seat."""

from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Subquery

from casino.api.schemas import stays
from casino.api.schemas.answers import answer
from payouts.rules.plain import Json
from tables.errors import NoStacks
from tables.games import game_of
from tables.models import Guest, Hand, HandResult, Table, TableSession
from tables.selectors.stays import StayNow, stays_at, stays_shown
from tables.services.hands.pots import carried_at
from tables.services.seats.parts import PokerPosted, seats_posted
from tables.services.seats.time_charge import MEANS


def seats_standing(table: Table, of_session: Mapping[str, Any]) -> dict[str, Json]:
    """A poker table in one answer; `of_session`: what every table says. Five more statements at
    most, however many guests sit there.
    """
    session = table.session
    posted = seats_posted(session.versions) if session else None
    sitting: list[StayNow] = []
    if session and posted:
        rows = stays_at(session_id=session.pk)
        sitting = stays_shown(rows, house_id=table.house_id, charge=posted.charge)
    return answer(
        stays.SeatsStanding,
        table,
        **of_session,
        table=table.pk,
        gaming_day=session.gaming_day if session else None,
        entry_level=session.entry_level if session else None,
        game=_game(table, posted) if posted else None,
        time=_time(posted) if posted else None,
        tips_from_stack=posted is not None and posted.house.tips_from_stack,
        stays=sitting,
        carried_minor=carried_at(table.pk),
        last_hand=_last_hand(session) if session else None,
    )


def _last_hand(session: TableSession) -> Mapping[str, Any] | None:
    hands = Hand.objects.filter(session=session).order_by("-number")
    entered = HandResult.objects.filter(hand=OuterRef("pk"), revision=OuterRef("revision"))
    button = Subquery(entered.values("entered__button"))
    return hands.annotate(button=button).values("id", "number", "variant", "button").first()


def _game(table: Table, posted: PokerPosted) -> dict[str, Any]:
    names = ("chip_minor", "buy_in_least_minor", "buy_in_most_minor", "fee")
    return {
        "variants": list(posted.game.variants),
        "seats": min(table.boxes, posted.game.seats),
        **{name: getattr(posted.game, name) for name in names},
    }


def _time(posted: PokerPosted) -> dict[str, Any] | None:
    if posted.charge is None:
        return None
    minor = posted.charge.half_hour_minor
    return {"half_hour_minor": minor, "means": MEANS[posted.house.time_from]}


def free_seats(table: Table) -> dict[str, Json]:
    """Where a guest of this poker table could go on: names and seat numbers, and nothing of the
    guests there. Two statements, however many tables there are. Raises NoStacks.
    """
    game = game_of(table.game)
    if not game.stacks:
        raise NoStacks(game=game.title)
    others = Table.objects.filter(house_id=table.house_id, session__isnull=False)
    others = others.exclude(pk=table.pk).select_related("session")
    seating = [
        (other, posted.game.seats)
        for other in others.order_by("pit__position", "position", "name", "id")
        if other.session and (posted := seats_posted(other.session.versions))
    ]
    sessions = [other.session_id for other, _seats in seating]
    owned = Guest.objects.filter(session__in=sessions, left_at=None).values_list("session", "box")
    occupied = {*owned}
    tables = [
        {
            "id": other.pk,
            "name": other.name,
            "seats": [
                seat
                for seat in range(1, min(other.boxes, seats) + 1)
                if (other.session_id, seat) not in occupied
            ],
        }
        for other, seats in seating
    ]
    return answer(stays.FreeSeats, tables=tables)
