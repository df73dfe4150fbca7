"""Cards that a shoe or shuffler read, for the round that runs at its table."""

from typing import Any
from uuid import UUID

from payouts.constraints import require_transaction
from payouts.rules.cards import card_texts, check_cards, parse_cards
from tables.errors import RoundState, RoundUnknown
from tables.models import CardFeed, Round
from tables.rules.games import ResultWrong
from tables.rules.games.uth_result import AN_OBJECT, read_result


def card_feed_record(*, house_id: UUID, round_id: UUID, cards: object, device_id: UUID | None = None) -> CardFeed:
    """Keep the cards of a locked round; the newest record counts when a result says that the feed has the cards.

    `cards`: `{"board": "…", "dealer": "…", "boxes": {"1": "As Kd"}}`, as far as they are known. Raises RoundUnknown, RoundState,
    ResultWrong, CardUnknown, CardTwice.
    """
    require_transaction()
    if not isinstance(cards, dict) or not isinstance(cards.get("boxes", {}), dict):
        raise ResultWrong(field="cards", expected=AN_OBJECT)
    boxes = {name: {"cards": hole} for name, hole in cards.get("boxes", {}).items()}
    reading = read_result({**cards, "boxes": boxes})
    holes = {number: box.cards for number, box in reading.boxes.items()}
    check_cards(parse_cards(reading.board) + reading.dealer + tuple(card for hole in holes.values() for card in hole))
    dealt: dict[str, Any] = {"boxes": {str(number): " ".join(card_texts(hole)) for number, hole in holes.items()}}
    dealt |= {
        name: " ".join(card_texts(found))
        for name, found in (("board", reading.board), ("dealer", reading.dealer))
        if found
    }
    playing = Round.objects.select_for_update(of=("self",), no_key=True).filter(pk=round_id, house_id=house_id).first()
    if playing is None:
        raise RoundUnknown
    if playing.state != "locked":
        raise RoundState(state=playing.state)
    return CardFeed.objects.create(house_id=house_id, round=playing, device_id=device_id, cards=dealt)
