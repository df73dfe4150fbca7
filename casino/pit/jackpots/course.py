"""The course of a jackpot's meter over an epoch: what it showed, with marks, and the same in
words."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from django.db import connection
from django.utils.translation import gettext as _

from casino.pit.labels import at
from casino.text.formats import format_amount, format_money
from jackpot.models import Epoch, Hit, Jackpot
from jackpot.rules.meter import meter
from payouts.rules.ledger.chart import METER
from payouts.rules.rulesets.funding import FundingSchedule

POINTS = 300  # of the meter's course: more than these no screen can show

# What the epoch's accounts came to hold, in at most so many steps of time.
_COURSE = f"""
    SELECT extract(epoch FROM date_bin(make_interval(secs => %s), t.posted_at, %s))::bigint,
        -sum(e.amount_minor)
    FROM payouts_account a JOIN payouts_entry e ON e.account_id = a.id JOIN payouts_transfer t
        ON t.id = e.transfer_id
    WHERE a.house_id = %s AND a.detail_id = %s AND a.kind IN {METER}
        AND t.key <> ALL (%s)
    GROUP BY 1 ORDER BY 1
"""
# By how much two people put it right, each time: a step that no coin explains.
_ADJUSTED = f"""
    SELECT t.posted_at, -sum(e.amount_minor)
    FROM payouts_account a JOIN payouts_entry e ON e.account_id = a.id JOIN payouts_transfer t
        ON t.id = e.transfer_id
    WHERE a.house_id = %s AND a.detail_id = %s AND a.kind IN {METER}
        AND t.kind = 'adjust'
    GROUP BY t.id ORDER BY t.id
"""


class CourseMark(TypedDict):
    """What moved the meter, at a second."""

    at: int
    text: str


class Course(TypedDict):
    """The meter at seconds, as JSON for the script that draws it. `ticks`: amounts with their
    labels; `words`: the course in words.
    """

    seconds: list[int]
    shown: list[int]
    ticks: list[tuple[int, str]]
    marks: list[CourseMark]
    words: str
    zone: str


def course(jackpot: Jackpot, epoch_id: UUID) -> Course | None:
    """What the meter showed over an epoch, with marks for what moved it, and in words; None if the
    epoch is another jackpot's.
    """
    epoch = (
        Epoch.objects.select_related("funding", "jackpot__house")
        .filter(pk=epoch_id, jackpot=jackpot)
        .first()
    )
    if epoch is None:
        return None
    hits = list(Hit.objects.filter(epoch=epoch).order_by("number"))
    # empties the meter: what was shown is over then
    closings = [f"hit:{one.pk}:award" for one in hits]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce((SELECT at FROM jackpot_epochend WHERE epoch_id = %s),"
            " clock_timestamp())",
            [epoch.pk],
        )
        until = cursor.fetchone()[0]
        span = max(1, -(-int((until - epoch.opened_at).total_seconds()) // POINTS))
        cursor.execute(_COURSE, [span, epoch.opened_at, jackpot.house_id, epoch.pk, closings])
        rows = cursor.fetchall()
        cursor.execute(_ADJUSTED, [jackpot.house_id, epoch.pk])
        adjusted = [(moment, int(moves)) for moment, moves in cursor.fetchall()]
    funding, total = FundingSchedule.from_data(epoch.funding.data), 0
    seconds, shown = [], []
    for second, change in rows:
        total += int(change)
        seconds.append(int(second))
        shown.append(meter(funding, max(total, 0)).shown_minor)
    if seconds:
        seconds.append(int(until.timestamp()))
        shown.append(shown[-1])
    house = epoch.jackpot.house
    ticks = [(minor, format_amount(minor, house.currency, house.locale)) for minor in _ticks(shown)]
    opening = (epoch.opened_at, _("Epoch %(number)s") % {"number": epoch.number})
    later = [(one.begun_at, _("Hit %(number)s") % {"number": one.number}) for one in hits]
    later += [(moment, _("Adjusted")) for moment, _moves in adjusted]
    return {
        "seconds": seconds,
        "shown": shown,
        "ticks": ticks,
        "marks": [
            {"at": int(moment.timestamp()), "text": text}
            for moment, text in (opening, *sorted(later))
        ],
        "words": _description(epoch, hits, adjusted, shown, until) if shown else "",
        "zone": house.time_zone,
    }


def _description(
    epoch: Epoch,
    hits: list[Hit],
    adjusted: list[tuple[datetime, int]],
    shown: list[int],
    until: datetime,
) -> str:
    """The course for who does not see it: how it began, each hit and adjustment, how it stands or
    ended.
    """
    house = epoch.jackpot.house

    def amount(minor: int) -> str:
        return format_money(minor, house.currency, house.locale)

    told = [
        _("%(amount)s at the opening, %(when)s.")
        % {
            "amount": amount(shown[0]),
            "when": at(epoch.opened_at),
        }
    ]
    later = [
        (
            one.begun_at,
            _("Hit %(number)s: %(amount)s, %(when)s.")
            % {
                "number": one.number,
                "amount": amount(one.shown_minor),
                "when": at(one.begun_at),
            },
        )
        for one in hits
    ]
    later += [
        (
            moment,
            _("Adjusted by %(amount)s, %(when)s.") % {"amount": amount(moves), "when": at(moment)},
        )
        for moment, moves in adjusted
    ]
    told += [text for _moment, text in sorted(later)]
    told.append(
        _("%(amount)s at last, %(when)s.") % {"amount": amount(shown[-1]), "when": at(until)}
    )
    return " ".join(told)


def _ticks(shown: list[int]) -> list[int]:
    """Some four round amounts (minor units) over what was shown."""
    if not shown:
        return []
    low, high = min(shown), max(shown)
    rounded = (mantissa * 10**power for power in range(2, 16) for mantissa in (1, 2, 5))
    step = next(one for one in rounded if (high - low) // one <= 4)
    first = low // step * step
    return [first + step * count for count in range((high - first) // step + 2)]
