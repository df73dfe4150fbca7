"""Cards that a shoe or shuffler read, for a round of its table: also after its result, which they
may contradict.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from payouts.db.constraints import require_transaction
from payouts.errors import Refused
from payouts.models import Event
from payouts.services import Subject, event_record
from tables.errors import RoundState, RoundUnknown
from tables.games import BankGame, bank_game
from tables.models import CardFeed, Round, RoundResult
from tables.selectors.rounds import round_record
from tables.services.rounds import against_feed
from tables.services.rounds.doubts import (
    ENDED,
    EVENT,
    FEED_DENIES,
    FEED_ENROLLED,
    FEED_OTHERWISE,
    FEED_VOIDED,
    FEED_WAITS,
    doubt_record,
)
from tables.services.rounds.evaluate import feed_against, feed_waits


def card_feed_record(
    *,
    house_id: UUID,
    round_id: UUID,
    cards: object,
    device_id: UUID | None = None,
    enrolled_at: datetime | None = None,
) -> CardFeed:
    """Keep the cards of a round that runs or was settled; the newest record counts, and has all
    that was read before. Of a round that was voided they are a doubt on record.

    `cards`: as the game reads them (UTH: `{"board": "…", "dealer": "…", "boxes": {"1": "As Kd"}}`),
    as far as they are known. What contradicts the record that counts, or comes from a device that
    was enrolled (`enrolled_at`) since the lock, is a doubt on record and does not count; so is a
    result that the cards contradict. Raises RoundUnknown, RoundState, ResultWrong, CardUnknown,
    CardTwice.
    """
    require_transaction()
    rounds = Round.objects.select_related("table").select_for_update(of=("self",), no_key=True)
    playing = rounds.filter(pk=round_id, house_id=house_id).first()
    if playing is None:
        raise RoundUnknown
    game = bank_game(playing.table.game)
    dealt = game.read_feed(cards)
    if playing.state not in (Round.State.LOCKED, Round.State.SETTLED, Round.State.VOIDED):
        raise RoundState(state=playing.state)
    before = CardFeed.objects.filter(round=playing).order_by("-pk").first()
    joined = dealt if before is None else _join_records(game, before.cards, dealt)
    if before and joined == before.cards:
        return before
    fed = CardFeed(house_id=house_id, round=playing, device_id=device_id, cards=dealt)
    if enrolled_at and playing.locked_at and enrolled_at > playing.locked_at:
        return _record_doubt(fed, FEED_ENROLLED, before)
    if joined is None:
        return _record_doubt(fed, FEED_OTHERWISE, before)
    if playing.state == Round.State.VOIDED:
        return _record_doubt(fed, FEED_VOIDED, before)
    fed.cards = joined
    fed.save(force_insert=True)
    if playing.state == Round.State.SETTLED:
        _compare_result(playing, fed)
    return fed


def _join_records(game: BankGame, before: Any, dealt: Mapping[str, Any]) -> dict[str, Any] | None:
    """What two records have read together, in canonical form; None where they contradict."""
    try:
        return game.read_feed(_join_cards(before, dealt, ordered=game.fed_in_order))
    except (Refused, ValueError):
        return None


def _join_cards(before: Any, after: Any, *, ordered: bool) -> Any:
    """The longer one of the cards of each place, the first of two as long. Raises ValueError."""
    if isinstance(before, dict):
        places = {
            name: _join_cards(before[name], after[name], ordered=ordered)
            for name in before.keys() & after.keys()
        }
        return {**before, **after, **places}
    shorter, longer = sorted((after, before), key=len)
    begins = longer.startswith(shorter)
    if not begins and (ordered or not set(shorter.split()) <= set(longer.split())):
        raise ValueError("other cards")
    return longer


def _record_doubt(fed: CardFeed, why: str, before: CardFeed | None) -> CardFeed:
    """Keep, once, cards that do not count."""
    record = {"id": str(fed.round_id), "house_id": str(fed.house_id)}
    device = str(fed.device_id) if fed.device_id else None
    what: dict[str, Any] = {"device": device, "cards": fed.cards}
    newest = before.pk if before else None
    doubts = Event.objects.filter(name=EVENT, subject_kind="round", subject_id=record["id"])
    doubt = doubts.filter(after__contains={"why": why, **what}).first()
    doubt = doubt or doubt_record(record, None, why=why, feed=newest, **what)
    fed.at = doubt.at
    return fed


def _compare_result(playing: Round, newest: CardFeed) -> None:
    """Keep that a result is contradicted by cards that were read after it, until the shoe has read
    all and it fits: cards that end a round may be the first ones of a longer one.
    """
    record = round_record(house_id=playing.house_id, round_id=playing.pk)
    revision = playing.revision
    result = RoundResult.objects.get(round=playing, revision=revision).result
    against = feed_against(record, result)
    on_record = Event.objects.filter(
        name__in=(EVENT, ENDED, against_feed.EVENT),
        subject_kind="round",
        subject_id=record["id"],
        after__revision=revision,
    )
    last = on_record.order_by("pk").last()
    stands = (last.after or {}).get("why", last.name) if last else ENDED
    what: dict[str, Any] = {"revision": revision, "feed": newest.pk}
    if against and stands in (ENDED, FEED_WAITS):
        what |= {"code": against.code, "data": against.data}
        doubt_record(record, None, why=FEED_DENIES, **what)
    elif stands in (FEED_WAITS, FEED_DENIES) and not against and not feed_waits(record):
        subject = Subject("round", record["id"])
        event_record(ENDED, subject, house_id=playing.house_id, after=what)
