"""The rounds that findings are about, and the awards of those that no longer give them: with
amounts, and the way there.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from casino.audit.found import slip_page
from casino.text import floor
from casino.text.floor import uuid_or_none
from jackpot.models import Award, Slip
from payouts.findings import Breach
from tables.audit.replay import DOUBTED
from tables.models import Round
from tables.selectors.rounds import awards_doubted
from tables.selectors.sessions import table_then


class GivenAward(NamedTuple):
    """An award with its page and how it stands now."""

    row: Award
    href: str
    state: str
    since: str


class OfRounds(NamedTuple):
    """Rounds by their id; by round and box its awards."""

    rounds: Mapping[str, Round]
    awards: Mapping[tuple[str, object], list[GivenAward]]


def of_rounds(rows: Iterable[Breach]) -> OfRounds:
    """What these findings are about. Three statements at most."""
    told = [
        (uuid_or_none(str(row["round_id"])), row.get("why")) for row in rows if row.get("round_id")
    ]
    ids = {pk for pk, _why in told if pk}
    if not ids:
        return OfRounds({}, {})
    played = Round.objects.filter(pk__in=ids).annotate(table_then=table_then())
    rounds: dict[str, Round] = {str(row.pk): row for row in played}
    given = Award.objects.filter(
        round_id__in={pk for pk, why in told if pk and why == DOUBTED}
    ).exclude(kind="prize")
    doubted = set(awards_doubted(given).values_list("pk", flat=True))
    awards: dict[tuple[str, object], list[GivenAward]] = {}
    for one in given.select_related("slip", "house").order_by("slip__number"):
        again = one.slip.state != Slip.State.CANCELLED and one.pk not in doubted
        since = _("given by the round again") if again else ""
        shown = GivenAward(one, slip_page(one), floor.say(Slip.State, one.slip.state), since)
        awards.setdefault((str(one.round_id), one.box), []).append(shown)
    return OfRounds(rounds, awards)
