"""The variants of poker that a house deals, and the rotation of them (POK-1)."""

from typing import NamedTuple

from payouts.errors import mark


class Variant(NamedTuple):
    """`seats_most`: as many as its deck feeds. `rounds`: of betting. `doors`: opened by a card that
    lies open, and not from the blinds.
    """

    title: str
    seats_most: int
    rounds: int
    doors: bool = False


VARIANTS: dict[str, Variant] = {
    "holdem": Variant(mark("Texas Hold'em"), 10, 4),
    "omaha": Variant(mark("Omaha"), 10, 4),
    "omaha_hilo": Variant(mark("Omaha hi-lo"), 10, 4),
    "stud": Variant(mark("Seven Card Stud"), 8, 5, doors=True),
    "stud_hilo": Variant(mark("Seven Card Stud hi-lo"), 8, 5, doors=True),
    "razz": Variant(mark("Razz"), 8, 5, doors=True),
    "stud_five": Variant(mark("Five Card Stud"), 10, 4, doors=True),
    "draw": Variant(mark("Five Card Draw"), 6, 2),
    "draw_low": Variant(mark("Lowball draw"), 6, 2),
}
HORSE = ("holdem", "omaha_hilo", "razz", "stud", "stud_hilo")
SEATS_MOST = max(variant.seats_most for variant in VARIANTS.values())
