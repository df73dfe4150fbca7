"""Stakes and payouts as they were sent, in words."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from casino.records.names import Names
from casino.text import floor
from casino.text.formats import format_money
from casino.text.vocabulary import OF_GAMES
from casino.text.wording import guest_name
from payouts.models import House
from tables.models import Guest, RoundStake
from tables.services.later.placements import number_named


class SentPlacement(NamedTuple):
    """A stake after the lock as it was sent: what a guest does, on which hand, with whose stake;
    the amount where it is the guest's choice.
    """

    box: object
    guest: str
    act: str
    hand: object
    source: str
    amount: object


def sent_rows(sent: object) -> list[dict[str, Any]]:
    """Of a list that was sent, what can be read."""
    return [row for row in sent if isinstance(row, dict)] if isinstance(sent, list) else []


def amount_shown(sent: dict[str, Any], house: House, name: str = "amount_minor") -> object:
    """The amount in words, or whatever stood in its place."""
    amount = sent.get(name)
    if isinstance(amount, int) and not isinstance(amount, bool):
        return format_money(amount, house.currency, house.locale)
    return amount


class BoxAmount(NamedTuple):
    """An amount of a box as it was sent, in words, or whatever stood in its place."""

    box: object
    guest: str
    kind: str
    amount: object


class BoxSum(NamedTuple):
    """Amounts that were sent, and what those that can be read come to."""

    rows: list[BoxAmount]
    total: str


def stake_sum(rows: object, names: Names, house: House) -> BoxSum:
    """Who staked what on which box."""
    boxes = sent_rows(rows)
    return BoxSum(
        [
            BoxAmount(
                row.get("box"),
                _guest(row.get("guest"), names),
                floor.say(floor.LINE_KINDS, str(row.get("kind") or "")),
                amount_shown(row, house),
            )
            for row in boxes
        ],
        _total(boxes, "amount_minor", house),
    )


def payout_sum(rows: object, house: House) -> BoxSum:
    """What each box was paid, as the tablet reckoned it."""
    boxes = sent_rows(rows)
    return BoxSum(
        [
            BoxAmount(row.get("box"), "", "", amount_shown(row, house, "paid_minor"))
            for row in boxes
        ],
        _total(boxes, "paid_minor", house),
    )


def _total(rows: list[dict[str, Any]], name: str, house: House) -> str:
    amounts = [row.get(name) for row in rows]
    total = sum(minor for minor in amounts if type(minor) is int)
    return format_money(total, house.currency, house.locale)


def placements_shown(
    sent: object, names: Names, house: House, stakes: Iterable[RoundStake] = ()
) -> list[SentPlacement]:
    """Each of a list that was sent, as far as it can be read. `stakes`: those of a round that is
    put right, of which some are named by their number.
    """
    lies = {one.placed: one for one in stakes}
    return [
        _lying(lies[number], house)
        if isinstance(number := number_named(row), int) and number in lies
        else _placement(row, names, house)
        for row in sent_rows(sent)
    ]


def _lying(row: RoundStake, house: House) -> SentPlacement:
    source = row.source
    return SentPlacement(
        row.box,
        guest_name(row.guest.number),
        floor.say(floor.LINE_KINDS, row.kind),
        None,
        guest_name(source.number) if source and source != row.guest else "",
        format_money(row.accepted_minor, house.currency, house.locale)
        if row.accepted_minor
        else None,
    )


def _placement(sent: dict[str, Any], names: Names, house: House) -> SentPlacement:
    guest, source = (_guest(sent.get(name), names) for name in ("guest", "instead_of"))
    act = floor.say(OF_GAMES.get("act", {}), str(sent.get("act") or ""))
    return SentPlacement(
        sent.get("box"), guest, act, sent.get("hand"), source, amount_shown(sent, house)
    )


def _guest(sent: object, names: Names) -> str:
    _kind, row = names.row(("tables.guest",), sent)
    return guest_name(row.number) if isinstance(row, Guest) else str(sent or "")
