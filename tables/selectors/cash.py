"""Buy-ins and tips of a session, as they stand."""

from typing import NamedTuple

from tables.models import BuyIn, TableSession, Tip


class SessionEntries(NamedTuple):
    """The buy-ins and tips of a session, newest first, those taken back among them, and what the
    others sum to, in minor units.
    """

    buy_ins: list[BuyIn]
    tips: list[Tip]
    drop_minor: int
    tips_minor: int


def session_entries(session: TableSession) -> SessionEntries:
    """Two statements, however many there are."""
    beside = ("croupier", "stay_chips__stay__guest", "taken_back__by")
    buy_ins = BuyIn.objects.filter(session=session).select_related(*beside)
    tips = Tip.objects.filter(session=session).select_related(*beside)
    bought = list(buy_ins.order_by("-at", "pk"))
    given = list(tips.order_by("-at", "pk"))
    return SessionEntries(
        buy_ins=bought,
        tips=given,
        drop_minor=_standing_minor(bought),
        tips_minor=_standing_minor(given),
    )


def _standing_minor(rows: list[BuyIn] | list[Tip]) -> int:
    return sum(row.amount_minor for row in rows if not hasattr(row, "taken_back"))
