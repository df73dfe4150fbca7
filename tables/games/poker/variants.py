"""The variants of poker that a house deals, and the rotation of them (POK-1)."""

from typing import NamedTuple

from payouts.errors import mark


class Variant(NamedTuple):
    """`seats_most`: as many as its deck feeds. `rounds`: of betting. `hole`, `board`: cards of each
    guest, and before all of them, at the showdown. `doors`: opened by a card that lies open, and
    not from the blinds. `low`: `only` where the lowest hand wins, `half` where it wins a half, as
    far as it qualifies.
    """

    title: str
    seats_most: int
    rounds: int
    hole: int
    board: int = 0
    doors: bool = False
    low: str = ""

    @property
    def draws(self) -> bool:
        """Cards are changed between two streets."""
        return not self.doors and not self.board


VARIANTS: dict[str, Variant] = {
    "holdem": Variant(mark("Texas Hold'em"), 10, 4, hole=2, board=5),
    "omaha": Variant(mark("Omaha"), 10, 4, hole=4, board=5),
    "omaha_hilo": Variant(mark("Omaha hi-lo"), 10, 4, hole=4, board=5, low="half"),
    "stud": Variant(mark("Seven Card Stud"), 8, 5, hole=7, doors=True),
    "stud_hilo": Variant(mark("Seven Card Stud hi-lo"), 8, 5, hole=7, doors=True, low="half"),
    "razz": Variant(mark("Razz"), 8, 5, hole=7, doors=True, low="only"),
    "stud_five": Variant(mark("Five Card Stud"), 10, 4, hole=5, doors=True),
    "draw": Variant(mark("Five Card Draw"), 6, 2, hole=5),
    "draw_low": Variant(mark("Lowball draw"), 6, 2, hole=5, low="only"),
}
HORSE = ("holdem", "omaha_hilo", "razz", "stud", "stud_hilo")
SEATS_MOST = max(variant.seats_most for variant in VARIANTS.values())
