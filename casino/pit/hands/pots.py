"""The pots of a hand as its page shows them: betting as entered, pots with their shares, seats."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.text.floor import HALVES, colon, say
from casino.text.formats import format_money
from payouts.errors import Refused
from payouts.models import House
from tables.games.poker.entered import HandRuling, play, pots_entry
from tables.games.poker.expected import tablet_pots
from tables.games.poker.share import PotShare, odd_of_halves
from tables.models import Hand, HandPot, HandSeat, HandShare
from tables.selectors.hands import HandParts
from tables.services.seats.parts import seats_posted


class StreetRow(NamedTuple):
    """What was to be matched on a street, and of each seat whether it folded, with how much."""

    number: int
    matched: str
    cells: list[str]


class PotRow(NamedTuple):
    """A pot, its fee, and who gets how much of it."""

    number: int
    amount: str
    rake: str
    shares: list[str]


class SeatRow(NamedTuple):
    """What a seat paid and won. `unbooked`: what of it a correction could not put on its stack;
    empty where all of it is booked.
    """

    player: str
    stack: str
    paid: str
    returned: str
    won: str
    net: str
    unbooked: str


class HandMoney(NamedTuple):
    """A hand whose pots are entered, in words; `carried`: antes that came from hands before, and
    go on to the next one; `cards`: those that were shown, by seat.
    """

    carried: list[str]
    streets: list[StreetRow]
    pots: list[PotRow]
    seats: list[SeatRow]
    board: str
    cards: list[str]


def money_of(parts: HandParts, names: Mapping[UUID, str], house: House) -> HandMoney | None:
    """The last entry of a hand; None where its pots are not entered."""
    entered = parts.results[-1].entered
    if entered is None:
        return None
    shares: dict[int, list[HandShare]] = {}
    for share in parts.shares:
        shares.setdefault(share.number, []).append(share)
    seats = [row.seat for row in parts.seats]
    return HandMoney(
        carried=_carried(entered, parts.seats, house),
        streets=_streets(entered["streets"], seats, house),
        pots=[_pot(row, shares.get(row.number, []), house) for row in parts.pots],
        seats=[_seat(row, names, house) for row in parts.seats],
        board=entered["board"],
        cards=[colon(seat_word(seat), hole) for seat, hole in entered["hands"].items()],
    )


def _carried(entered: Mapping[str, Any], seats: list[HandSeat], house: House) -> list[str]:
    """What lay in the pot, and what is carried on (POK-4)."""
    words = []
    if minor := entered.get("carried_minor"):
        amount = {"amount": _money(minor, house)}
        words.append(_("Antes of hands before lay in the pot: %(amount)s.") % amount)
    if entered.get("passed"):
        amount = {"amount": _money(sum(_paid(row) for row in seats), house)}
        words.append(_("All passed: antes of %(amount)s go into the next pot.") % amount)
    return words


def seat_word(seat: object) -> str:
    """A seat by its number."""
    return _("Seat %(seat)s") % {"seat": seat}


def won_again(hand: Hand, data: Mapping[str, Any]) -> dict[int, int] | None:
    """Who would win how much, by seat (minor units), by an entry that waits for signatures and what
    was posted; None where that refuses it.
    """
    posted = seats_posted(hand.session.versions)
    if posted is None:
        return None
    ruling = HandRuling(posted.game, posted.house, posted.hands, posted.rake, hand.variant)
    try:
        settled = play(pots_entry(data), ruling).settled
    except Refused:
        return None
    won: dict[int, int] = {}
    for pot in settled.pots:
        for share in pot.shares:
            won[share.seat] = won.get(share.seat, 0) + share.amount_minor
    return won


class SentPots(NamedTuple):
    """Pots as a tablet showed them, in minor units; `won`: by seat."""

    pot_minor: int
    rake_minor: int
    won: dict[int, int]


def pots_as_sent(data: object) -> SentPots | None:
    """The pots of a hand that waits to be clarified; None where they cannot be read."""
    try:
        pots = tablet_pots(pots_entry(data))
    except Refused:
        return None
    won: dict[int, int] = {}
    for pot in pots:
        for share in pot.shares:
            won[share.seat] = won.get(share.seat, 0) + share.amount_minor
    pot_minor = sum(pot.amount_minor for pot in pots)
    rake_minor = sum(pot.rake_minor for pot in pots)
    return SentPots(pot_minor, rake_minor, won) if pots else None


def wins(won: Mapping[int, int], house: House) -> str:
    """Who won how much, by seat: minor units in words."""
    rows = sorted((seat, minor) for seat, minor in won.items() if minor)
    return "; ".join(colon(seat_word(seat), _money(minor, house)) for seat, minor in rows)


def _streets(streets: list[Mapping[str, Any]], seats: list[int], house: House) -> list[StreetRow]:
    rows = []
    left = {*seats}
    for number, street in enumerate(streets, 1):
        folds = {int(seat): minor for seat, minor in street["folds"].items()}
        cells = []
        for seat in seats:
            if seat in folds:
                amount = _money(folds[seat], house)
                cells.append(pgettext("seat", "folded with %(amount)s") % {"amount": amount})
            else:
                cells.append("" if seat in left else "–")
        left -= {*folds}
        rows.append(StreetRow(number, _money(street["to_minor"], house), cells))
    return rows


def _pot(row: HandPot, shares: list[HandShare], house: House) -> PotRow:
    return PotRow(
        number=row.number,
        amount=_money(row.amount_minor, house),
        rake=_money(row.rake_minor, house),
        shares=[_share(share, _of_halves(share, shares), house) for share in shares],
    )


def _of_halves(share: HandShare, shares: list[HandShare]) -> int:
    """What of the odd chips of a share is that of the two halves of its pot (minor units)."""
    rows = [PotShare(row.seat, row.half, row.amount_minor, row.odd_minor) for row in shares]
    seat, minor = odd_of_halves(rows) or (None, 0)
    return minor if (share.half, share.seat) == ("high", seat) else 0


def _share(share: HandShare, of_halves_minor: int, house: House) -> str:
    text = colon(seat_word(share.seat), _money(share.amount_minor, house))
    notes = [] if share.half == "whole" else [say(HALVES, share.half)]
    if odd_minor := share.odd_minor - of_halves_minor:
        odd = {"amount": _money(odd_minor, house), "rule": "POK-7"}
        notes.append(_("odd chips %(amount)s, %(rule)s") % odd)
    if of_halves_minor:
        odd = {"amount": _money(of_halves_minor, house), "rule": "POK-7"}
        notes.append(_("odd chip of the two halves %(amount)s, %(rule)s") % odd)
    return f"{text} ({'; '.join(notes)})" if notes else text


def _seat(row: HandSeat, names: Mapping[UUID, str], house: House) -> SeatRow:
    paid_minor = _paid(row)
    net_minor = row.won_minor + row.returned_minor - paid_minor
    left_minor = net_minor - row.booked_minor
    return SeatRow(
        player=names.get(row.stay_id, str(row.seat)),
        stack=_money(row.stack_minor, house),
        paid=_money(paid_minor, house),
        returned=_money(row.returned_minor, house),
        won=_money(row.won_minor, house),
        net=_money(net_minor, house),
        unbooked=_money(left_minor, house) if left_minor else "",
    )


def _paid(row: HandSeat) -> int:
    return row.ante_minor + row.live_minor + row.dead_minor


def _money(minor: int, house: House) -> str:
    return format_money(minor, house.currency, house.locale)
