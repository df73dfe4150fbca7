"""A poker table as its tablet shows it: what is posted there, and who sits at which seat."""

from collections.abc import Mapping
from typing import Any

from casino.api.schemas import stays
from casino.api.schemas.answers import answer
from payouts.rules.plain import Json
from tables.models import Table
from tables.selectors.stays import StayNow, stays_at, stays_shown
from tables.services.seats.parts import PokerPosted, seats_posted
from tables.services.seats.time_charge import MEANS


def seats_standing(table: Table, of_session: Mapping[str, Any]) -> dict[str, Json]:
    """A poker table in one answer; `of_session`: what every table says. Three more statements at
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
    )


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
