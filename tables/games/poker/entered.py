"""A hand at *pots* as it is sent and stored: plain JSON that is read into the money of a hand
(POK-6, POK-7, RAK-3).
"""

from collections.abc import Callable, Mapping, Set
from typing import Any, NamedTuple, TypeVar

from payouts.errors import Refused, mark
from payouts.rules.plain import Json
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import RakeSchedule
from payouts.rules.rulesets.schema import MAXIMUM_MINOR, sent
from tables.games.poker.buying import check_chips
from tables.games.poker.pots import pots_of
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.settle import PotWinners, SettledHand, SettledPot, Terms, settle
from tables.games.poker.share import PotShare, Sharing, seats_after
from tables.games.poker.showdown import CardRules, TableCards, winners_of
from tables.games.poker.streets import Betting, FoldAllIn, HandCourse, Street, course_of
from tables.games.poker.variants import SEATS_MOST, VARIANTS


class PotsWrong(Refused):
    """A field of a hand that cannot be read."""

    code = "poker.entry_wrong"
    rule = "POK-6"
    sentence = mark("“%(field)s” of this hand cannot be %(given)s.")
    remedy = mark("Enter the hand again: what was matched on each street, who folded, who wins.")


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


class PotsDiffer(Refused):
    """Pots that are not those that the tablet showed."""

    code = "poker.pots_differ"
    rule = "POK-6"
    sentence = mark("Pot %(pot)s has %(booked_minor)s, and %(entered_minor)s was shown.")
    remedy = mark("Nothing was booked. Load the table again and enter the hand once more.")


class RakesDiffer(PotsDiffer):
    """A fee that is not the one that the tablet showed."""

    code = "poker.rakes_differ"
    rule = "RAK-3"
    sentence = mark("The fee of pot %(pot)s is %(booked_minor)s, and %(entered_minor)s was shown.")


class SharesDiffer(PotsDiffer):
    """A share that is not the one that the tablet showed."""

    code = "poker.shares_differ"
    rule = "POK-7"
    sentence = mark("Seat %(seat)s gets %(booked_minor)s, and %(entered_minor)s was shown.")


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
    read = _object("pots", data, _FIELDS)
    expects = read.get("expects")
    entry = PotsEntry(
        seats=_seats("seats", read.get("seats")),
        stacks=_list("stacks_minor", read.get("stacks_minor"), _minor, SEATS_MOST),
        button=_whole("button", read.get("button"), SEATS_MOST),
        betting=Betting(
            _list("streets", read.get("streets"), _street, STREETS_MOST),
            _by_seat("dead", read.get("dead", {}), _minor),
        ),
        winners=_list("winners", read.get("winners", []), _winners, SEATS_MOST),
        cards=TableCards(
            _cards("board", read.get("board", "")), _by_seat("hands", read.get("hands", {}), _cards)
        ),
        expects=None if expects is None else _object("expects", expects, _RESULT),
        passed=read.get("passed", False),
        carried_minor=_minor("carried_minor", read.get("carried_minor", 0)),
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
    course = course_of(ruling.game, ruling.variant, stacks, entry.betting)
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


def result_data(settled: SettledHand) -> dict[str, Json]:
    """A result as the tablet shows it, and says that it did."""
    back = settled.uncalled
    return {
        "uncalled": {"seat": back.seat, "amount_minor": back.amount_minor} if back else None,
        "pots": [
            {
                "amount_minor": pot.pot.amount_minor,
                "rake_minor": pot.rake_minor,
                "shares": [share._asdict() for share in pot.shares],
            }
            for pot in settled.pots
        ],
    }


def check_expected(entry: PotsEntry, settled: SettledHand) -> None:
    """Refuse a hand that was shown otherwise than it is booked. Raises PotsWrong, PotsDiffer,
    RakesDiffer, SharesDiffer.
    """
    if entry.expects is None or entry.expects == result_data(settled):
        return
    expected = pots_shown(entry)
    for number in range(max(len(expected), len(settled.pots))):
        pot = settled.pots[number] if number < len(settled.pots) else None
        amount, fee, shares = expected[number] if number < len(expected) else (0, 0, {})
        booked = (pot.pot.amount_minor, pot.rake_minor) if pot else (0, 0)
        if booked[0] != amount:
            raise PotsDiffer(pot=number + 1, booked_minor=booked[0], entered_minor=amount)
        if booked[1] != fee:
            raise RakesDiffer(pot=number + 1, booked_minor=booked[1], entered_minor=fee)
        _check_shares(pot, shares)


def _check_shares(pot: SettledPot | None, expected: Mapping[int, int]) -> None:
    """Raise SharesDiffer for a seat, also one that is not in the hand."""
    gets = dict.fromkeys(expected, 0)
    for share in pot.shares if pot else ():
        gets[share.seat] = gets.get(share.seat, 0) + share.amount_minor
    for seat, booked_minor in sorted(gets.items()):
        if booked_minor != (entered_minor := expected.get(seat, 0)):
            raise SharesDiffer(seat=seat, booked_minor=booked_minor, entered_minor=entered_minor)


def pots_shown(entry: PotsEntry) -> tuple[tuple[int, int, Mapping[int, int]], ...]:
    """The pots that the tablet showed: amount, fee, and by seat what it gets. Raises PotsWrong."""
    if entry.expects is None:
        return ()
    return _list("expects", entry.expects.get("pots"), _shown_pot, SEATS_MOST)


_Item = TypeVar("_Item")
_FIELDS = {
    "seats", "stacks_minor", "button", "streets", "dead", "winners", "board", "hands", "expects",
    "passed", "carried_minor",
}  # fmt: skip
_RESULT = {"uncalled", "pots"}
STREETS_MOST = max(variant.rounds for variant in VARIANTS.values()) + 1
CARDS_MOST = 60  # characters


def _named(by_seat: Mapping[int, Any]) -> dict[str, Json]:
    return {str(seat): value for seat, value in sorted(by_seat.items())}


def _object(field: str, data: object, known: Set[str] | None = None) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise PotsWrong(field=field, given=sent(data))
    if known is not None and (unknown := data.keys() - known):
        raise PotsWrong(field=field, given=sent(min(unknown)))
    return data


def _list(
    field: str, data: object, read: Callable[[str, object], _Item], most: int
) -> tuple[_Item, ...]:
    if not isinstance(data, list) or len(data) > most:
        raise PotsWrong(field=field, given=sent(data))
    return tuple(read(field, item) for item in data)


def _by_seat(field: str, data: object, read: Callable[[str, object], _Item]) -> dict[int, _Item]:
    items = _object(field, data)
    if len(items) > SEATS_MOST:
        raise PotsWrong(field=field, given=len(items))
    by_seat = {}
    for name, value in items.items():
        if name not in _SEAT_NAMES:
            raise PotsWrong(field=field, given=sent(name))
        by_seat[int(name)] = read(field, value)
    return by_seat


_SEAT_NAMES = {str(seat) for seat in range(1, SEATS_MOST + 1)}


def _whole(field: str, value: object, most: int, *, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= most:
        raise PotsWrong(field=field, given=sent(value))
    return value


def _minor(field: str, value: object) -> int:
    return _whole(field, value, MAXIMUM_MINOR)


def _seat(field: str, value: object) -> int:
    return _whole(field, value, SEATS_MOST, least=1)


def _seats(field: str, data: object) -> tuple[int, ...]:
    seats = _list(field, data, _seat, SEATS_MOST)
    if len({*seats}) != len(seats):
        raise PotsWrong(field=field, given=", ".join(map(str, seats)))
    return seats


def _cards(field: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > CARDS_MOST:
        raise PotsWrong(field=field, given=sent(value))
    return value


def _street(field: str, data: object) -> Street:
    street = _object(field, data, {"to_minor", "folds"})
    return Street(
        _minor(f"{field}.to_minor", street.get("to_minor")),
        _by_seat(f"{field}.folds", street.get("folds", {}), _minor),
    )


def _winners(field: str, data: object) -> PotWinners:
    won = _object(field, data, {"high", "low"})
    return PotWinners(
        _seats(f"{field}.high", won.get("high", [])), _seats(f"{field}.low", won.get("low", []))
    )


def _shown_pot(field: str, data: object) -> tuple[int, int, Mapping[int, int]]:
    pot = _object(field, data, {"amount_minor", "rake_minor", "shares"})
    by_seat: dict[int, int] = {}
    for share in _list(f"{field}.shares", pot.get("shares"), _shown_share, 2 * SEATS_MOST):
        by_seat[share[0]] = by_seat.get(share[0], 0) + share[1]
    amounts = [_minor(f"{field}.{name}", pot.get(name)) for name in ("amount_minor", "rake_minor")]
    return amounts[0], amounts[1], by_seat


def _shown_share(field: str, data: object) -> tuple[int, int]:
    share = _object(field, data, {*PotShare._fields})
    return _seat(field, share.get("seat")), _minor(field, share.get("amount_minor"))
