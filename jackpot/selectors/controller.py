"""What an authority asks of a controller: coins in, hits, amounts won, overflow, reserve, last
hits; and what is unreasonable.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Sum

from jackpot.models import Award, Hit, Jackpot, Split
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.selectors.fed import fed
from payouts.models import Account

LAST_HITS = 25

_TOO_MANY = """
    SELECT c.table_id, date_trunc('hour', c.at) AS hour, count(*) AS rounds, sum(c.coins) AS coins
    FROM jackpot_contribution c JOIN jackpot_epoch e ON e.id = c.epoch_id
    WHERE e.jackpot_id = %s AND c.reverses_id IS NULL
        AND c.at > clock_timestamp() - interval '1 day'
    GROUP BY c.table_id, hour HAVING count(*) > %s ORDER BY hour, c.table_id
"""


@dataclass(frozen=True, slots=True)
class ControllerMeters:
    """Figures since the jackpot was set up; amounts in minor units."""

    coins: int
    coins_in_minor: int
    hits: int
    hits_paid: int
    won_minor: int
    overflow_minor: int
    reserve_minor: int
    last_hits: list[dict[str, Any]]


def controller_meters(*, jackpot_id: UUID) -> ControllerMeters:
    """Read them. The jackpot must exist. Seven statements, however many hits and tables there
    are."""
    jackpot = Jackpot.objects.get(pk=jackpot_id)
    coins, coins_in = fed(jackpot_id=jackpot.pk)
    hits = list(Hit.objects.filter(jackpot=jackpot).order_by("-number")[:LAST_HITS])
    counted = Hit.objects.filter(jackpot=jackpot).values_list("state", flat=True)
    states = list(counted)
    splits = list(
        Split.objects.filter(hit__jackpot=jackpot, hit__state=Hit.State.PAID).order_by(
            "hit_id", "-revision"
        )
    )
    newest = {split.hit_id: split for split in reversed(splits)}
    won = (
        Award.objects.filter(jackpot=jackpot, kind="share").aggregate(sum=Sum("amount_minor"))[
            "sum"
        ]
        or 0
    )
    accounts = Account.objects.filter(
        house_id=jackpot.house_id, kind__in=("reserve", "reserve_share")
    )
    own = accounts.filter(owner_id=jackpot.pk) | accounts.filter(detail_id=jackpot.epoch_id)
    return ControllerMeters(
        coins=coins,
        coins_in_minor=coins_in,
        hits=len(states),
        hits_paid=states.count(Hit.State.PAID),
        won_minor=won,
        overflow_minor=sum(split.overflow_minor for split in newest.values()),
        reserve_minor=-(own.aggregate(sum=Sum("balance_minor"))["sum"] or 0),
        last_hits=[
            {
                "number": hit.number,
                "state": hit.state,
                "begun_at": hit.begun_at,
                "ended_at": hit.ended_at,
                "shown_minor": hit.shown_minor,
                "won_minor": newest[hit.pk].won_minor if hit.pk in newest else None,
            }
            for hit in hits
        ],
    )


def unreasonable_contributions(*, jackpot_id: UUID) -> list[dict[str, Any]]:
    """Tables that in an hour of the last day played more rounds with coins than any table can: by
    table and hour.
    """
    epoch = Jackpot.objects.select_related("epoch__rules").get(pk=jackpot_id).epoch
    rules = (
        JackpotRules()
        if epoch is None or epoch.rules is None
        else JackpotRules.from_data(epoch.rules.data)
    )
    with connection.cursor() as cursor:
        cursor.execute(_TOO_MANY, [jackpot_id, rules.rounds_an_hour_most])
        rows = cursor.fetchall()
    return [
        {"table": table, "hour": hour, "rounds": rounds, "coins": coins}
        for table, hour, rounds, coins in rows
    ]
