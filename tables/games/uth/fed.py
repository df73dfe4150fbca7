"""The cards that a shuffler read, beside those of a result (HAND-6)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from payouts.errors import Refused
from payouts.rules.hands.cards import parse_cards
from tables.games.base import Ended, FeedContradicts, FeedEndsOtherwise

_COUNTS = {"board": 5, "dealer": 2}
_HOLE = 2


def check_result(
    result: Mapping[str, Any],
    fed: Mapping[str, Any],
    end: Callable[[object], Ended],
    by_feed: Callable[[Mapping[str, Any]], object],
) -> None:
    """Refuse a canonical result that the read cards contradict. `end`: what a result pays;
    `by_feed`: the result with these cards. Raises FeedContradicts, FeedEndsOtherwise.
    """
    _check_entered(result, fed)
    whole = _whole(fed)
    if "board" not in whole:
        return
    entered = end(result)
    try:
        ended = end(by_feed(whole))
    except Refused as refused:
        raise FeedEndsOtherwise(fed=_text(fed)) from refused
    if _paid(ended) != _paid(entered):
        raise FeedEndsOtherwise(fed=_text(fed))


def _paid(ended: Ended) -> tuple[object, ...]:
    """What a result pays, and who claims: a class that changes neither may be left out."""
    lines = [
        (line.box, line.guest, line.kind, line.stake_minor, line.paid_minor, line.paid_by)
        for line in ended.lines
    ]
    return lines, ended.claims, ended.paying, ended.placed


def _check_entered(result: Mapping[str, Any], fed: Mapping[str, Any]) -> None:
    """Refuse cards of a canonical result that are not those that were read for their place. Raises
    FeedContradicts.
    """
    entered = dict(_places(result, "cards"))
    for place, cards in _places(fed, None):
        own = entered.get(place, "")
        if own and not set(parse_cards(cards)) <= set(parse_cards(own)):
            raise FeedContradicts(field=place, fed=cards, entered=own)


def _whole(fed: Mapping[str, Any]) -> dict[str, Any]:
    """The same cards, without those of places of which some are missing."""
    whole = {
        name: fed[name]
        for name, count in _COUNTS.items()
        if name in fed and len(parse_cards(fed[name])) == count
    }
    holes = {box: cards for box, cards in fed["boxes"].items() if len(parse_cards(cards)) == _HOLE}
    return whole | {"boxes": holes}


def _text(fed: Mapping[str, Any]) -> str:
    """All that was read, place by place."""
    return ", ".join(f"{place}: {cards}" for place, cards in _places(fed, None))


def _places(data: Mapping[str, Any], name: str | None) -> Iterator[tuple[str, str]]:
    """The cards of each place that has some; of a box they are its own, or its field `name`."""
    yield from ((place, data[place]) for place in _COUNTS if data.get(place))
    for box, own in data["boxes"].items():
        if cards := own if name is None else own.get(name):
            yield f"boxes.{box}.cards", cards
