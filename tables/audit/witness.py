"""Rounds of which a shoe read the cards, beside these: results, and stakes after the lock, each by
as many cards as had been drawn when it came.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from payouts.errors import Refused
from tables.games import bank_game
from tables.services.later.came import PLACED, came_of, read_events
from tables.services.later.staked import stakes_of
from tables.services.parts import rules_of
from tables.services.rounds.against_feed import EVENT
from tables.services.rounds.doubts import EVENT as DOUBTED
from tables.services.rounds.evaluate import feed_against

FEEDS = """
    SELECT DISTINCT ON (round_id) round_id::text, cards::text FROM tables_cardfeed
    WHERE round_id = ANY(%s::uuid[]) ORDER BY round_id, id DESC
"""
EVENTS = f"""
    SELECT subject_id, name, after::text FROM payouts_event
    WHERE subject_kind = 'round' AND subject_id = ANY(%s)
        AND name IN ('{PLACED}', '{EVENT}', '{DOUBTED}')
    ORDER BY id
"""
Record = Mapping[str, Any]


def read_feed(
    feeds: Sequence[tuple[str, ...]], events: Sequence[tuple[str, ...]]
) -> dict[str, Any]:
    """What a record has of its feed: the newest cards, stakes as they came, and which of these and
    of the results the pit took against it, or hears of since they were contradicted later.
    """
    return {
        "feed": next((orjson.loads(cards) for (cards,) in feeds), None),
        **read_events((name, orjson.loads(text)) for name, text in events),
    }


def settled_against_feed(record: Record) -> Iterator[str]:
    """Results that the feed contradicts, and of which nothing is on record."""
    for revision, result, _paid_out, _lines in record["results"]:
        if ("revision", revision) in record["overruled"]:
            continue
        if against := feed_against(record, result, revision):
            yield f"result {revision} is refused: {against.code}"


def placed_after_its_card(record: Record) -> Iterator[str]:
    """Stakes after the lock that the feed contradicts, by the cards that had been drawn when they
    came, and that the pit did not take with a reason.
    """
    if record["feed"] is None:
        return
    game = bank_game(record["game"])
    rules = rules_of(record["versions"])
    staked = {stake.box for stake in stakes_of(record)[0]}
    for event in record["came"]:
        number = event["placed"]
        if "entered" not in event or ("placed", number) in record["overruled"]:
            continue
        fed = game.fed_until(record["feed"], staked, event["drawn"] or 0)
        before = {**record, "stakes": [row for row in record["stakes"] if row["placed"] < number]}
        stakes, later = stakes_of(before)
        try:
            game.check_fed_stake(
                rules, stakes, later, placement_of(event), fed, came=came_of(before)
            )
        except Refused as refused:
            yield f"stake {number} is refused: {refused.code}"


def placement_of(event: Record) -> dict[str, Any]:
    """A placement again, by the stake that it brought and what was entered with it."""
    entered = dict(event["entered"])
    if not entered.pop("named"):
        del entered["hand"]
    placement = {name: event[name] for name in ("box", "guest", "amount_minor")}
    source = {} if event["source"] == event["guest"] else {"instead_of": event["source"]}
    return placement | source | entered
