"""A hand at *pots* as it is sent and stored: plain JSON that is read into the money of a hand
(POK-6, POK-7, RAK-3).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from payouts.errors import mark
from payouts.rules.plain import Json
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import RakeSchedule
from payouts.rules.rulesets.schema import sent
from tables.games.poker.buying import check_chips
from tables.games.poker.pots import pots_of
from tables.games.poker.reading import (
    PotsWrong,
    read_by_seat,
    read_cards,
    read_list,
    read_minor,
    read_object,
    read_seats,
    read_whole,
)
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.settle import PotWinners, SettledHand, Terms, settle
from tables.games.poker.share import Sharing, seats_after
from tables.games.poker.showdown import CardRules, TableCards, winners_of
from tables.games.poker.streets import Betting, FoldAllIn, HandCourse, Street, course_of
from tables.games.poker.variants import SEATS_MOST, VARIANTS


class NothingPaid(PotsWrong):
    """A hand whose pots are empty."""

    code = "poker.nothing_paid"
    sentence = mark("Nothing lies in the pots of this hand.")


class NoPassing(PotsWrong):
    """A hand that all passed in, where that is not played."""

    code = "poker.no_passing"
    rule = "POK-4"
    sentence = mark("“%(variant)s” is not passed in by all at this table.")
    remedy = mark("Enter who bet, who folded and who won.")


class PotsEntry(NamedTuple):
    """What is entered of a hand at *pots*. `seats`, `stacks`: of those who were dealt in, and what
    lay before each then (minor units). `button`: 0 where there is none. `passed`: nobody opened and
    the antes are carried; `carried_minor`: those of hands before, in the pot. `expects`: the result
    as the tablet showed it, None where nobody looked.
    """

    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    button: int
    betting: Betting
    winners: tuple[PotWinners, ...] = ()
    cards: TableCards = TableCards()
    expects: Mapping[str, Any] | None = None
    passed: bool = False
    carried_minor: int = 0


class HandRuling(NamedTuple):
    """What is posted for a hand, and its variant."""

    game: PokerGame
    house: PokerRules
    hands: HandRules
    rake: RakeSchedule | None
    variant: str


class PlayedPots(NamedTuple):
    """What a hand's betting came to, and what it settled to."""

    course: HandCourse
    settled: SettledHand


def pots_entry(data: object) -> PotsEntry:
    """Read what was sent or stored. Raises PotsWrong."""
    read = read_object("pots", data, _FIELDS)
    expects = read.get("expects")
    entry = PotsEntry(
        seats=read_seats("seats", read.get("seats")),
        stacks=read_list("stacks_minor", read.get("stacks_minor"), read_minor, SEATS_MOST),
        button=read_whole("button", read.get("button"), SEATS_MOST),
        betting=Betting(
            read_list("streets", read.get("streets"), _street, STREETS_MOST),
            read_by_seat("dead", read.get("dead", {}), read_minor),
        ),
        winners=read_list("winners", read.get("winners", []), _winners, SEATS_MOST),
        cards=TableCards(
            read_cards("board", read.get("board", "")),
            read_by_seat("hands", read.get("hands", {}), read_cards),
        ),
        expects=None if expects is None else read_object("expects", expects, {"uncalled", "pots"}),
        passed=read.get("passed", False),
        carried_minor=read_minor("carried_minor", read.get("carried_minor", 0)),
    )
    if type(entry.passed) is not bool:
        raise PotsWrong(field="passed", given=sent(entry.passed))
    if len(entry.stacks) != len(entry.seats):
        raise PotsWrong(field="stacks_minor", given=len(entry.stacks))
    return entry


def entry_data(entry: PotsEntry) -> dict[str, Json]:
    """What `pots_entry` reads again, without what the tablet showed."""
    carried: dict[str, Json] = {"passed": True} if entry.passed else {}
    if entry.carried_minor:
        carried["carried_minor"] = entry.carried_minor
    return carried | {
        "seats": [*entry.seats],
        "stacks_minor": [*entry.stacks],
        "button": entry.button,
        "streets": [
            {"to_minor": street.to_minor, "folds": _named(street.folds)}
            for street in entry.betting.streets
        ],
        "dead": _named(entry.betting.dead),
        "winners": [{"high": [*won.high], "low": [*won.low]} for won in entry.winners],
        "board": entry.cards.board,
        "hands": _named(entry.cards.hands),
    }


def play(entry: PotsEntry, ruling: HandRuling) -> PlayedPots:
    """The money of a hand. Raises NothingPaid, NoPassing, OffChip, and as `course_of`,
    `winners_of` and `settle`.
    """
    check_chips(ruling.game, entry.carried_minor, least=0)
    stacks = dict(zip(entry.seats, entry.stacks, strict=True))
    passes = may_pass(ruling.house, ruling.variant)
    course = course_of(ruling.game, ruling.variant, stacks, entry.betting, passes=passes)
    if entry.passed:
        return PlayedPots(course, _passed(entry, ruling, course, stacks))
    rules = CardRules(ruling.variant, ruling.house, ruling.hands)
    made = pots_of(course.payments, carried_minor=entry.carried_minor)
    if not made.pots:
        raise NothingPaid
    terms = Terms(
        schedule=ruling.rake,
        sharing=Sharing(
            ruling.game.chip_minor,
            seats_after(entry.button, range(1, SEATS_MOST + 1)),
            all_to_worst=ruling.house.odd_chips == "all_to_worst",
        ),
        players=len(entry.seats),
        flop=course.board,
        walk=course.walk,
        carried_minor=entry.carried_minor,
    )
    winners = winners_of(made.pots, entry.winners, entry.cards, rules)
    return PlayedPots(course, settle(course.payments, winners, terms, made))


def may_pass(house: PokerRules, variant: str) -> bool:
    """Whether all may pass before the draw, so that nobody opens (POK-4)."""
    return house.first_round_check and VARIANTS[variant].draws


def _passed(
    entry: PotsEntry, ruling: HandRuling, course: HandCourse, stacks: Mapping[int, int]
) -> SettledHand:
    """Everybody has paid their ante, and nobody has won it."""
    if not may_pass(ruling.house, ruling.variant):
        raise NoPassing(variant=VARIANTS[ruling.variant].title)
    if entry.betting.streets or entry.winners or entry.cards != TableCards():
        raise PotsWrong(field="passed", given=sent(entry.passed))
    paid = {payment.seat: payment.total_minor for payment in course.payments}
    for seat, minor in paid.items():
        if minor == stacks[seat]:
            raise FoldAllIn(seat=seat)
    if not any(paid.values()):
        raise NothingPaid
    return SettledHand((), None, None, {seat: -minor for seat, minor in paid.items()})


_FIELDS = {
    "seats", "stacks_minor", "button", "streets", "dead", "winners", "board", "hands", "expects",
    "passed", "carried_minor",
}  # fmt: skip
STREETS_MOST = max(variant.rounds for variant in VARIANTS.values()) + 1


def _named(by_seat: Mapping[int, Any]) -> dict[str, Json]:
    return {str(seat): value for seat, value in sorted(by_seat.items())}


def _street(field: str, data: object) -> Street:
    street = read_object(field, data, {"to_minor", "folds"})
    return Street(
        read_minor(f"{field}.to_minor", street.get("to_minor")),
        read_by_seat(f"{field}.folds", street.get("folds", {}), read_minor),
    )


def _winners(field: str, data: object) -> PotWinners:
    won = read_object(field, data, {"high", "low"})
    return PotWinners(
        read_seats(f"{field}.high", won.get("high", [])),
        read_seats(f"{field}.low", won.get("low", [])),
    )
