"""Cards that a shoe or shuffler read, for the round that runs at its table."""

from uuid import UUID

from payouts.db.constraints import require_transaction
from tables.errors import RoundState, RoundUnknown
from tables.games import bank_game
from tables.models import CardFeed, Round


def card_feed_record(
    *, house_id: UUID, round_id: UUID, cards: object, device_id: UUID | None = None
) -> CardFeed:
    """Keep the cards of a locked round; the newest record counts when a result says that the feed
    has the cards.

    `cards`: as the game reads them (UTH: `{"board": "…", "dealer": "…", "boxes": {"1": "As Kd"}}`),
    as far as they are known. Raises RoundUnknown, RoundState, ResultWrong, CardUnknown, CardTwice.
    """
    require_transaction()
    found = Round.objects.select_related("table").select_for_update(of=("self",), no_key=True)
    playing = found.filter(pk=round_id, house_id=house_id).first()
    if playing is None:
        raise RoundUnknown
    dealt = bank_game(playing.table.game).read_feed(cards)
    if playing.state != Round.State.LOCKED:
        raise RoundState(state=playing.state)
    return CardFeed.objects.create(
        house_id=house_id, round=playing, device_id=device_id, cards=dealt
    )
