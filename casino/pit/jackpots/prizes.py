"""Prizes that are owed and left to people: turned down, or their slip was cancelled; each is asked
for again with a reason.

The service and its right are those of the API (`casino/api/prizes.py`).
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from casino.people.pages.fields import Subject
from casino.people.permissions import VERIFY
from casino.pit.jackpots.steps import JackpotStep, Reader, ReasonedStep
from casino.text import floor
from casino.text.wording import guest_name
from jackpot import services
from jackpot.models import WaitingPrize
from jackpot.services.prizes_again import prizes_left
from payouts.errors import mark
from payouts.rules.plain import Json
from tables.models import Guest, Round

WHY = {"rejected": mark("turned down"), "cancelled": mark("its slip was cancelled")}


class LeftPrize(NamedTuple):
    """A prize that nobody is asked about, and the form by which the person asks again."""

    row: WaitingPrize
    cause: str
    kind: str
    table: str
    round: int | None
    guest: str
    ask: JackpotStep | None


def left_of(reader: Reader, tables: Mapping[UUID, str]) -> list[LeftPrize]:
    """The prizes of a jackpot that nobody is asked about. A fixed number of statements."""
    found = prizes_left(reader.jackpot.pk)
    guests = dict(
        Guest.objects.filter(pk__in={one.guest_id for one, _why in found}).values_list(
            "pk", "number"
        )
    )
    rounds = dict(
        Round.objects.filter(pk__in={one.round_id for one, _why in found}).values_list(
            "pk", "number"
        )
    )
    may = reader.person.has_perm(VERIFY)
    return [
        LeftPrize(
            one,
            _(WHY[why]),
            floor.say(floor.LINE_KINDS, one.kind),
            tables.get(one.table_id, ""),
            rounds.get(one.round_id),
            guest_name(guests[one.guest_id]) if one.guest_id in guests else "",
            reader.form(_AskPrize, prize=one.pk) if may else None,
        )
        for one, why in found
    ]


class _AskPrize(ReasonedStep):
    """Ask for a prize again."""

    step, command, about = "ask-prize", "prize.ask_again", "prize"
    prize = Subject(Http404)

    def prepare(self) -> Callable[[], Json]:
        """The prize is one of this jackpot. Raises Http404."""
        reason, prize = (
            self.values["reason"],
            get_object_or_404(WaitingPrize, pk=self.values["prize"], jackpot=self.row),
        )
        return lambda: str(
            services.prize_request_again(**self.ids, prize_id=prize.pk, reason=reason).pk
        )


STEPS = (_AskPrize,)
