"""An evening at a table of Ultimate Texas Hold'em, planned from the seed alone."""

from dataclasses import dataclass
from typing import Any, ClassVar

from casino.simulate.books.uth import Box
from casino.simulate.cards import Deal, deal
from casino.simulate.games.uth.guests import HABITS, decide, stake
from casino.simulate.plan import (
    CALLED,
    FALSE_CALL,
    JACKPOT_ONLY,
    OFFLINE,
    SHOWN,
    RoundPlan,
    Royal,
    TablePlan,
)


@dataclass(frozen=True)
class UthRound(RoundPlan):
    """One round: boxes with their stakes and Play, and the cards."""

    @property
    def coins(self) -> int:
        """How many coins lie there."""
        return sum(box.coin for box in self.boxes)

    def to_data(self) -> dict[str, Any]:
        """As plain JSON, for the history."""
        return super().to_data() | {
            "board": " ".join(self.deal.board),
            "dealer": " ".join(self.deal.dealer),
            "holes": {str(box): " ".join(hole) for box, hole in self.deal.holes.items()},
            "royal": self.royal,
        }


@dataclass
class UthPlan(TablePlan):
    """Rounds of a table, some with a royal flush on demand."""

    habits: ClassVar = HABITS

    def _round(self, chance: Any, number: int, royal: Royal | None, mishap: str) -> RoundPlan:
        goes, comes = self._moves(chance, royal.box if royal else None)
        boxes = self._stakes(chance, royal, coins=mishap != OFFLINE)
        stacked = royal.box if royal and not royal.false_call else None
        cards = deal(chance, [box.box for box in boxes], royal_box=stacked)
        played = tuple(self._decided(chance, box, cards, stays=box.box == stacked) for box in boxes)
        how = ""
        if royal:
            how = FALSE_CALL if royal.false_call else chance.choice((CALLED, SHOWN))
        at, together = royal.box if royal else 0, number in self._together
        return UthRound(self.table, number, comes, goes, played, cards, mishap, how, at, together)

    def _stakes(self, chance: Any, royal: Royal | None, *, coins: bool) -> list[Box]:
        found: list[Box] = []
        for box, guest in sorted(self.seats.items()):
            habit, needed = guest.habit, royal is not None and royal.box == box
            coin = (
                coins
                and self.jackpot is not None
                and (chance.randint(1, 100) <= habit.coin or needed)
            )
            if self.level == JACKPOT_ONLY:
                if coin:
                    found.append(Box(box, guest.name, 0, 0, coin, 0))
                continue
            ante = stake(chance, habit, self.rules.ante, self.rules.step)
            if needed:
                # Blind pays a royal flush 500:1: with a high Ante that empties the tray
                ante = self.rules.ante[0]
            trips = stake(chance, habit, self.rules.trips, self.rules.step)
            found.append(
                Box(
                    box,
                    guest.name,
                    ante,
                    trips if chance.randint(1, 100) <= habit.trips else 0,
                    coin,
                    0,
                )
            )
            beside = box + 1
            free = beside <= self.layout and beside not in self.seats
            if chance.randint(1, 100) <= habit.second_box and free and not needed:
                found.append(
                    Box(beside, guest.name, ante, 0, coin, max(self.rules.multiples), blind=True)
                )
        return found or self._stakes_of_one(coins=coins)

    def _stakes_of_one(self, *, coins: bool) -> list[Box]:
        """Where nobody laid anything the first guest does: a round is somebody's."""
        box, guest = min(self.seats.items())
        if self.level == JACKPOT_ONLY:
            return [Box(box, guest.name, 0, 0, coins, 0)]
        return [Box(box, guest.name, self.rules.ante[0], 0, coin=False, play=0)]

    def _decided(self, chance: Any, box: Box, cards: Deal, *, stays: bool) -> Box:
        """The box with its Play; whoever is to show a royal flush stays in."""
        if box.blind or not box.ante:
            return box
        guest = self.seats[box.box]
        play = decide(chance, self.rules, guest.habit, cards.holes[box.box], cards.board)
        return box._replace(
            play=play or (min(self.rules.multiples) if stays or not self.rules.folds else 0)
        )
