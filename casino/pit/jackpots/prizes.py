"""Prizes that are owed and left to people: turned down, or their slip was cancelled; each is asked for again with a reason.

The service and its right are those of the API (`casino/api/prizes.py`).
"""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.page import reason_of, run
from casino.people.permissions import VERIFY
from casino.pit.jackpots.standing import ASKED
from casino.text import floor as floor_words
from casino.text.wording import guest_name
from jackpot import services
from jackpot.models import Jackpot, WaitingPrize
from jackpot.services.prizes_again import prizes_left
from payouts.errors import mark
from payouts.rules.plain import Json
from tables.models import Guest, Round

WHY = {"rejected": mark("turned down"), "cancelled": mark("its slip was cancelled")}


def left_of(jackpot: Jackpot, person: Person, tables: Mapping[UUID, str]) -> list[dict[str, Any]]:
    """The prizes of a jackpot that nobody is asked about, each with its form. A fixed number of statements."""
    found = prizes_left(jackpot.pk)
    guests = dict(Guest.objects.filter(pk__in={one.guest_id for one, _why in found}).values_list("pk", "number"))
    rounds = dict(Round.objects.filter(pk__in={one.round_id for one, _why in found}).values_list("pk", "number"))
    return [
        {
            "row": one,
            "why": _(WHY[why]),
            "kind": floor_words.say(floor_words.LINE_KINDS, one.kind),
            "table": tables.get(one.table_id, ""),
            "round": rounds.get(one.round_id),
            "guest": guest_name(guests[one.guest_id]) if one.guest_id in guests else "",
            "may": person.has_perm(VERIFY),
            "form": f"ask-prize:{one.pk}",
        }
        for one, why in found
    ]


def forms_left(left: Iterable[Mapping[str, Any]]) -> set[str]:
    """The forms that these prizes put on the page."""
    return {one["form"] for one in left if one["may"]}


def _ask(request: HttpRequest, person: Person, jackpot: Jackpot, words: dict[str, str]) -> str:
    prize_id = floor_words.uuid_or_none(words.get("prize"))
    if prize_id is None or not WaitingPrize.objects.filter(pk=prize_id, jackpot=jackpot).exists():
        raise Http404
    ids: dict[str, UUID] = {"house_id": jackpot.house_id, "prize_id": prize_id, "person_id": person.pk}

    def work() -> Json:
        return str(services.prize_request_again(**ids, reason=reason_of(words)).pk)

    run(request, person, "prize.ask_again", words, work)
    return _(ASKED)


PRIZES = {"ask-prize": (VERIFY, _ask, "prize")}
