"""What a guest may buy at a poker table: the buy-in, and chips between two hands (POK-2)."""

from typing import NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.ledger.postings import AmountRefused, whole_amount
from payouts.rules.rulesets.schema import MAXIMUM_MINOR, sent
from tables.games.poker.rules import PokerGame


class BuyingRefused(Refused):
    """Chips that a guest cannot buy."""

    code = "poker.buying_refused"
    rule = "POK-2"


class ChipsAmountRefused(BuyingRefused):
    """No whole amount, none at all, less than none, or beyond all reason."""

    code = "poker.amount_refused"
    sentence = mark("The amount %(amount)s is %(why)s.")
    remedy = mark("Give a whole amount from %(least_minor)s to %(most_minor)s.")


class OffChip(BuyingRefused):
    """An amount that the table has no chips for."""

    code = "poker.off_chip"
    sentence = mark(
        "%(amount_minor)s cannot be laid in chips of %(chip_minor)s; the nearest is"
        " %(nearest_minor)s."
    )
    remedy = mark("Give a multiple of the smallest chip.")


class BuyInOutside(BuyingRefused):
    """A buy-in below the least or above the most that is posted."""

    code = "poker.buy_in_outside"
    sentence = mark(
        "The buy-in of this table cannot be %(amount_minor)s; the nearest is %(nearest_minor)s."
    )
    remedy = mark("Buy in within the limits on the sign.")


class TopUpBelow(BuyingRefused):
    """So few chips more that a guest stays below the least buy-in."""

    code = "poker.top_up_below"
    sentence = mark("%(amount_minor)s more is too little: at least %(least_minor)s is bought.")
    remedy = mark("Top up to the least buy-in on the sign, or not at all.")


class BuyInAbove(BuyingRefused):
    """So many chips more that a guest passes the most that is posted."""

    code = "poker.buy_in_above"
    sentence = mark("%(amount_minor)s more is too much: at most %(most_minor)s is bought.")
    remedy = mark("Top up to the most on the sign; who has more plays with what lies there.")


class Buying(NamedTuple):
    """The least and the most that may be bought, in minor units; `most_minor` None: no most."""

    least_minor: int
    most_minor: int | None


def top_up_of(game: PokerGame, stack_minor: int) -> Buying:
    """What a guest with this stack may add between two hands; the most is below the least where it
    is nothing.

    >>> top_up_of(PokerGame(chip_minor=100, buy_in_least_minor=10_000), 9_500)
    Buying(least_minor=500, most_minor=10500)
    """
    least = max(game.chip_minor, game.buy_in_least_minor - stack_minor)
    most = game.buy_in_most_minor
    return Buying(least, None if most is None else max(most - stack_minor, 0))


def check_buy_in(game: PokerGame, amount: object) -> int:
    """What a guest sits down with, in minor units. Raises ChipsAmountRefused, BuyInOutside,
    OffChip.
    """
    amount_minor = _whole(game, amount)
    most = game.buy_in_most_minor
    nearest = max(
        game.buy_in_least_minor, amount_minor if most is None else min(amount_minor, most)
    )
    if nearest != amount_minor:
        raise BuyInOutside(amount_minor=amount_minor, nearest_minor=nearest)
    return check_chips(game, amount_minor)


def check_top_up(game: PokerGame, stack_minor: int, amount: object) -> int:
    """What a guest with this stack adds, in minor units. Raises ChipsAmountRefused, BuyInAbove,
    TopUpBelow, OffChip.
    """
    amount_minor = _whole(game, amount)
    least, most = top_up_of(game, stack_minor)
    if most is not None and amount_minor > most:
        raise BuyInAbove(amount_minor=amount_minor, most_minor=most)
    if amount_minor < least:
        raise TopUpBelow(amount_minor=amount_minor, least_minor=least)
    return check_chips(game, amount_minor)


def check_unbooked(game: PokerGame, amount: object) -> int:
    """What a guest whose stack nobody knows adds, in minor units: no more than one without chips
    may. Raises ChipsAmountRefused, BuyInAbove, OffChip.
    """
    amount_minor = _whole(game, amount)
    most = game.buy_in_most_minor
    if most is not None and amount_minor > most:
        raise BuyInAbove(amount_minor=amount_minor, most_minor=most)
    return check_chips(game, amount_minor)


def check_chips(game: PokerGame, amount: object, *, least: int = 1) -> int:
    """An amount that the table has chips for, in minor units, from `least`. Raises
    ChipsAmountRefused, OffChip.
    """
    chip = game.chip_minor
    if type(amount) is int and least <= amount <= MAXIMUM_MINOR and amount % chip == 0:
        return amount  # nearly always, many times a hand
    amount_minor = _whole(game, amount, least=least)
    if over := amount_minor % chip:
        below = amount_minor - over
        nearest = below if below >= least and 2 * over <= chip else below + chip
        raise OffChip(amount_minor=amount_minor, chip_minor=chip, nearest_minor=nearest)
    return amount_minor


def _whole(game: PokerGame, amount: object, *, least: int = 1) -> int:
    chip = game.chip_minor
    most = MAXIMUM_MINOR // chip * chip
    try:
        return whole_amount(amount, least=least, most=most)
    except AmountRefused as refusal:
        why, floor = refusal.data["why"], least * chip
        raise ChipsAmountRefused(
            amount=sent(amount), why=why, least_minor=floor, most_minor=most
        ) from refusal
