"""What a guest buys for cash at a poker seat is a buy-in too, and what they give there a tip: the
stay's command has posted it.
"""

from tables.models import BuyIn, StayChips, TableSession, Tip
from tables.models.stays import ChipsKind


def seat_entry(session: TableSession, chips: StayChips) -> None:
    """Write the buy-in or the tip of chips that moved at a seat, if they are either."""
    if chips.transfer_id is None:
        return
    posted = {
        "house_id": chips.house_id,
        "session": session,
        "croupier_id": session.croupier_id,
        "amount_minor": chips.amount_minor,
        "stay_chips": chips,
        "transfer_id": chips.transfer_id,
    }
    if chips.means == "cash":
        BuyIn.objects.create(**posted)
    elif chips.kind == ChipsKind.TIP:
        Tip.objects.create(**posted)
