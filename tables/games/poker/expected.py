"""What a tablet showed of a hand at *pots*, and what is booked of it: the same, or nothing (POK-6,
POK-7, RAK-3).
"""

from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, NamedTuple

from payouts.errors import Refused, mark
from payouts.rules.plain import Json
from payouts.rules.rulesets.schema import sent
from tables.games.poker.entered import PotsEntry
from tables.games.poker.pots import Uncalled
from tables.games.poker.reading import (
    PotsWrong,
    read_list,
    read_minor,
    read_object,
    read_seat,
)
from tables.games.poker.settle import SettledHand
from tables.games.poker.share import PotShare
from tables.games.poker.variants import SEATS_MOST


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
    sentence = mark(
        "Seat %(seat)s gets %(booked_minor)s of pot %(pot)s, and %(entered_minor)s was shown."
    )


class OddChipsDiffer(PotsDiffer):
    """Odd chips that the tablet showed at another seat."""

    code = "poker.odd_chips_differ"
    rule = "POK-7"
    sentence = mark(
        "Seat %(seat)s gets %(booked_minor)s of pot %(pot)s as odd chips, and %(entered_minor)s was"
        " shown."
    )


class UncalledDiffers(PotsDiffer):
    """A bet that goes back, and another that the tablet showed."""

    code = "poker.uncalled_differs"
    sentence = mark("Seat %(seat)s gets %(booked_minor)s back, and %(entered_minor)s was shown.")


class TabletPot(NamedTuple):
    """A pot, the fee out of it and its shares as the tablet showed them (minor units)."""

    amount_minor: int
    rake_minor: int
    shares: tuple[PotShare, ...] = ()


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
    RakesDiffer, UncalledDiffers, SharesDiffer, OddChipsDiffer.
    """
    if entry.expects is None or entry.expects == result_data(settled):
        return
    pots = [TabletPot(pot.pot.amount_minor, pot.rake_minor, pot.shares) for pot in settled.pots]
    pairs = [*enumerate(zip_longest(pots, tablet_pots(entry), fillvalue=TabletPot(0, 0)), 1)]
    for number, (booked, on_tablet) in pairs:
        if booked.amount_minor != on_tablet.amount_minor:
            minor = {"booked_minor": booked.amount_minor, "entered_minor": on_tablet.amount_minor}
            raise PotsDiffer(pot=number, **minor)
        if booked.rake_minor != on_tablet.rake_minor:
            minor = {"booked_minor": booked.rake_minor, "entered_minor": on_tablet.rake_minor}
            raise RakesDiffer(pot=number, **minor)
    back = [settled.uncalled] if settled.uncalled else []
    goes_back = _uncalled(entry.expects.get("uncalled"))
    _check_same(UncalledDiffers, _sums(back), _sums(goes_back))
    for number, (booked, on_tablet) in pairs:
        for name, refusal in (("amount_minor", SharesDiffer), ("odd_minor", OddChipsDiffer)):
            gets = _sums(booked.shares, name)
            _check_same(refusal, gets, _sums(on_tablet.shares, name), pot=number)


def _sums(parts: Iterable[PotShare | Uncalled], name: str = "amount_minor") -> Counter[Any]:
    """By seat, and by the half of the pot, in minor units."""
    sums: Counter[Any] = Counter()
    for part in parts:
        sums[part.seat, getattr(part, "half", "")] += getattr(part, name)
    return sums


def _check_same(
    refusal: type[PotsDiffer], booked: Counter[Any], on_tablet: Counter[Any], **at: int
) -> None:
    for key in sorted({*booked, *on_tablet}):
        if booked[key] != on_tablet[key]:
            minor = {"booked_minor": booked[key], "entered_minor": on_tablet[key]}
            raise refusal(seat=key[0], **at, **minor)


def tablet_pots(entry: PotsEntry) -> tuple[TabletPot, ...]:
    """The pots that the tablet showed. Raises PotsWrong."""
    if entry.expects is None:
        return ()
    return read_list("expects", entry.expects.get("pots"), _tablet_pot, SEATS_MOST)


def _tablet_pot(field: str, data: object) -> TabletPot:
    pot = read_object(field, data, {*TabletPot._fields})
    shares = read_list(f"{field}.shares", pot.get("shares"), _tablet_share, 2 * SEATS_MOST)
    amounts = [
        read_minor(f"{field}.{name}", pot.get(name)) for name in ("amount_minor", "rake_minor")
    ]
    return TabletPot(amounts[0], amounts[1], shares)


def _tablet_share(field: str, data: object) -> PotShare:
    share = read_object(field, data, {*PotShare._fields})
    if not isinstance(half := share.get("half"), str):
        raise PotsWrong(field=field, given=sent(half))
    amounts = [read_minor(field, share.get(name)) for name in ("amount_minor", "odd_minor")]
    return PotShare(read_seat(field, share.get("seat")), half, amounts[0], amounts[1])


def _uncalled(data: object) -> list[Uncalled]:
    if data is None:
        return []
    back = read_object("expects.uncalled", data, {*Uncalled._fields})
    seat = read_seat("expects.uncalled", back.get("seat"))
    return [Uncalled(seat, read_minor("expects.uncalled", back.get("amount_minor")))]
