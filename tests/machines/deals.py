"""Dealt rounds whose outcome a person read off the cards: for seven boxes, against the dealer, over a board."""

from dataclasses import dataclass

from tests.machines.model import Showing


@dataclass(frozen=True)
class Deal:
    """Cards, and by box how it came out: result and the class that pays."""

    board: str
    dealer: str
    holes: tuple[str, ...]
    outcomes: tuple[tuple[str, str], ...]
    no_pair: bool = False

    def showing(self, box: int, play: int) -> Showing:
        """How a box came out that played this multiple; without a Play it folded, and only its class counts."""
        result, hand = self.outcomes[box - 1]
        return Showing(result if play else "fold", hand, play)


DEALS = (
    Deal(
        "Ah Ad Kh 7c 2d",
        "3c 4c",
        ("Kd Ks", "8s 9s", "5s 6s", "3d 4d", "2c 2h", "Ac 9d", "3h 4s"),
        (
            ("win", "full_house"),
            ("win", ""),
            ("win", ""),
            ("tie", ""),
            ("win", "full_house"),
            ("win", "three_of_a_kind"),
            ("tie", ""),
        ),
    ),
    Deal(
        "Qs Js 9s 4d 2c",
        "Qd Qh",
        ("As 5s", "Kh Td", "Ac Ad", "4h 4c", "Jd 9d", "3s 6s", "7h 8h"),
        (
            ("win", "flush"),
            ("win", "straight"),
            ("lose", ""),
            ("lose", "three_of_a_kind"),
            ("lose", ""),
            ("win", "flush"),
            ("lose", ""),
        ),
    ),
    Deal(
        "Kc 8d 6h 3s 2h",
        "Ac 9d",
        ("Kd 5c", "Qc Jc", "As 9h", "8c 8s", "4c 5d", "Tc 7c", "Qd Th"),
        (
            ("win", ""),
            ("lose", ""),
            ("tie", ""),
            ("win", "three_of_a_kind"),
            ("win", "straight"),
            ("lose", ""),
            ("lose", ""),
        ),
        no_pair=True,
    ),
    Deal(
        "Ah Kh Qh 2c 3d",
        "9c 9d",
        ("Jh Th", "Ac As", "4d 5d", "9h 8h", "7d 7s", "Tc 6d", "Jc Td"),
        (
            ("win", "royal_flush"),
            ("win", "three_of_a_kind"),
            ("win", "straight"),
            ("win", "flush"),
            ("lose", ""),
            ("lose", ""),
            ("win", "straight"),
        ),
    ),
)
