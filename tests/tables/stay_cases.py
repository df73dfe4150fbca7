"""The refusals of seats at poker tables, each provoked through its command (`test_refusals.py`)."""

from collections.abc import Callable
from typing import Any

import pytest

from payouts.errors import Refused
from payouts.rules.rulesets.rake import TimeCharge
from tables import errors, services
from tables.games.poker.rules import PokerGame, PokerRules
from tables.models import PokerStay, Table
from tables.services.seats import parts
from tests import floor
from tests.poker import at_table, of_stay, opened, poker_table, sit
from tests.tables.played import Played

Case = Callable[[Played, pytest.MonkeyPatch], Any]
CHARGED = parts.PokerPosted(PokerGame(), PokerRules(), TimeCharge())


def poker(f: Played, name: str = "Poker 1") -> Table:
    """A poker table, open."""
    return opened(f, poker_table(f, name))


def bought(f: Played, seat: int = 1, means: str = "cash") -> PokerStay:
    return sit(f, seat, poker(f), means=means)


def seat_twice(f: Played, _: pytest.MonkeyPatch) -> None:
    sit(f, 1, bought(f).guest.session.table)


def gone(f: Played, _: pytest.MonkeyPatch) -> None:
    stay = bought(f)
    for _turn in range(2):
        of_stay(f, stay, "stay_leave", counted_minor=100_00)


def nothing_due(f: Played, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(parts, "_posted_at", lambda _table, _session: CHARGED)
    table = bought(f).guest.session.table
    for _turn in range(2):
        at_table(f, "time_collect", table)


def time_owed(f: Played, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(parts, "_posted_at", lambda _table, _session: CHARGED)
    stay = bought(f)
    of_stay(f, stay, "stay_move", table_id=poker(f, "Poker 2").pk, seat=1, counted_minor=100_00)


def has_chips(f: Played, _: pytest.MonkeyPatch) -> None:
    guest = {"guest_id": bought(f).pk, "house_id": f.house.pk, "actor_id": f.reto.pk}
    floor.done(services.guest_leave, **guest)


CASES: dict[type[Refused], Case] = {
    errors.NoStacks: lambda f, _: sit(f, 1, f.other),
    errors.SeatOutside: lambda f, _: bought(f, 10),
    errors.SeatOccupied: seat_twice,
    errors.StayGone: gone,
    errors.ChipsRefused: lambda f, _: bought(f, means="stack"),
    errors.NoTimeCharge: lambda f, _: at_table(f, "time_collect", poker(f)),
    errors.NothingDue: nothing_due,
    errors.TimeOwed: time_owed,
    errors.StaysThere: lambda f, _: at_table(f, "table_close", bought(f).guest.session.table),
    errors.HasChips: has_chips,
}
