"""A table of poker: guests buy in, come and go, hands end, and the house takes its rake out of
their pots. The croupier enters all of it at a tablet, now and then amiss.
"""

import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random  # noqa: TID251  (from the seed)
from typing import TYPE_CHECKING, Any

from casino.simulate import texts
from casino.simulate.books import poker as book
from casino.simulate.books.poker import Answers, ChipsMoved, GuestStay, RakedHand, TableBook
from casino.simulate.clients import Client, Refused, Unreachable
from casino.simulate.counting.trays import Tray
from casino.simulate.poker import plan, recorded
from casino.simulate.poker.plan import HandPlan

if TYPE_CHECKING:
    from casino.simulate.poker.room import PokerRoom

SEATS = (1, 2, 4, 5, 7, 8)  # of those who sit there when it opens
HAND_UNITS, HAND_S = 5.0, 0.4
NOT_ALONE = "poker.approval_needed"
TOO_MUCH = (
    "poker.rake_above_cap",
    "poker.rake_above_pot",
    "poker.rake_on_walk",
    "poker.rake_without_flop",
)


@dataclass
class PokerGuest:
    """A guest with chips, in minor units."""

    stay: GuestStay
    minor: int


class RakedTable:
    """One table, from opening to the last guest."""

    level = "rake_only"
    mishaps: Sequence[str] = plan.MISHAPS

    def __init__(self, room: "PokerRoom", row: dict[str, Any]) -> None:
        self.room = room
        self.row = row
        self.name = str(row["name"])
        self.evening = room.evening
        self.stop = room.evening.stop
        self.boss = self.evening.people["boss"]
        self.seed = self.evening.options.seed
        self.book = TableBook(self.name)
        self.answers = Answers()
        self.guests: list[PokerGuest] = []
        self.tray: Tray | None = None  # where it is counted
        self.coming: list[PokerGuest] = []  # from the other table
        self.free: list[int] = []
        self.chance = plan.luck_of(self.seed, self.name, 0)
        self._thread = threading.Thread(target=self._play, daemon=True, name=self.name)

    def _note_tray(self) -> None:
        """What lies there is on file, should the evening be killed."""
        if self.tray is None:
            return
        left, table = self.evening.left, self.row["id"]
        before = [tray for tray in left.rows("trays") if tray["table"] == table]
        left.note("trays", {"table": table, "minor": self.tray.book.lies})
        for tray in before:
            left.cleared("trays", tray)

    def open(self, client: Client, day: str, posted: book.PostedAtTable) -> None:
        """Seat guests at the open table, and begin. Raises Refused, Unreachable."""
        self.client, self.day, self.posted = client, day, posted
        self.free = list(range(1, min(self.row["boxes"], posted.seats) + 1))
        self.before = recorded.read(self.evening.people["manager"].client, self.row, day)
        for seat in SEATS:
            if seat in self.free:
                self.free.remove(seat)
                self._sits(seat)
        self._thread.start()

    def end_play(self) -> None:
        """End with the hand at hand."""
        if self._thread.ident is not None:
            self._thread.join()
        self._welcome()

    def leave_all(self) -> None:
        """Guests leave with their chips; one who cannot is told of. Raises Refused, Unreachable."""
        surface = self.boss.client.get(f"tables/{self.row['id']}/surface/")
        self.answers.seats = surface["stays"]
        self.book.seated = {guest.stay.id: guest.stay.seat for guest in self.guests}
        for guest in list(self.guests):
            try:
                self._leaves(guest, self.boss.client)
            except Refused as refused:
                self._differs(f"seat {guest.stay.seat} cannot leave: {refused}")

    def compare(self, same: Callable[[str, object, object], None]) -> None:
        """Each hand as the service gives it again, and what it has recorded. Raises Refused,
        Unreachable.
        """
        for hand in self.book.hands:
            self.answers.hands[hand.id] = self.boss.post(self._where(hand), hand.body)
        now = recorded.read(self.evening.people["manager"].client, self.row, self.day)
        since = recorded.since(self.before, now, (self.name, self.day))
        self.book.compare(self.answers, since, same)

    # What happens at it
    def _play(self) -> None:
        try:
            self._note_tray()
            self.hand()
            self._note_tray()
            while not self.stop.wait(HAND_S):
                self.evening.pause(HAND_UNITS)
                self._between()
                self.hand()
                self._note_tray()
        except (Refused, Unreachable) as error:
            self._differs(f"cannot go on: {error}")

    def _differs(self, what: str) -> None:
        self.evening.differs(f"{self.name}: {what}")

    def _between(self) -> None:
        """Guests come and go between two hands."""
        self._welcome()
        chance = self.chance = plan.luck_of(self.seed, self.name, len(self.book.hands) + 1)
        if len(self.guests) > plan.FEWEST and chance.random() < plan.LEAVES:
            self._leaves(chance.choice(self.guests), self.client)
        if chance.random() < plan.COMES and (seat := self.room.seat_at(self)):
            self._sits(seat)
        if len(self.guests) > plan.FEWEST and chance.random() < plan.MOVES:
            self._moves(chance.choice(self.guests))

    def hand(self) -> None:
        """One hand: two go to the end, the others fold. Raises Refused, Unreachable."""
        number = len(self.book.hands) + 1
        mishap = self._mishap(number)
        for guest in self.guests:
            while guest.minor < plan.STACK_BLINDS * self.posted.blind:
                self._chips(guest, book.TOP_UP, self.posted.buy_in_least, "cash")
        planned = plan.plan_hand(self.chance, self.posted, len(self.guests), mishap=mishap)
        dealt = [self.guests[place] for place in planned.dealt]
        hand = self._end_hand(planned, dealt, number)
        if hand.state == book.ENDED:
            for guest, chips in zip(dealt, planned.chips, strict=True):
                guest.minor -= chips
            dealt[0].minor += planned.pot - hand.rake_minor
        if planned.tip and self.posted.tips_from_stack:
            self._chips(dealt[0], book.TIP, self.posted.chip, "stack")
        if mishap == plan.LOST:
            dealt[1].minor -= self.posted.chip
            self.book.lost += self.posted.chip
            self._amiss(mishap, "a chip falls under the table; its guest will count one less")

    # Hands
    def _mishap(self, number: int) -> str:
        if not self.evening.options.mistakes:
            return ""
        return plan.mishap_of(self.seed, self.name, number, self.mishaps)

    def _end_hand(self, planned: HandPlan, dealt: list[PokerGuest], number: int) -> RakedHand:
        posted = book.fee(
            self.posted.rake,
            planned.pot,
            players=len(dealt),
            flop=planned.flop,
            walk=planned.walk,
        )
        by_pot = {"rake_minor": None, "pot_minor": planned.pot}
        amounts = by_pot if planned.by_pot else {"rake_minor": posted, "pot_minor": None}
        step = self.posted.rake["step_minor"]
        if planned.mishap == plan.LESS and self.posted.less_booked:
            amounts = by_pot | {"rake_minor": max(posted - step, 0)}
            self._amiss(planned.mishap, "less is dropped than is posted; it is booked, and told")
        elif planned.mishap == plan.MISTAPPED:
            amounts = {"rake_minor": max(posted - step, 0), "pot_minor": None}
        body = {"dealt": [guest.stay.id for guest in dealt], "flop": planned.flop} | amounts
        body |= {"walk": planned.walk}
        rake = posted if amounts["rake_minor"] is None else amounts["rake_minor"]
        hand = RakedHand(str(uuid.uuid4()), number, body, rake)
        hand.pot_minor = amounts["pot_minor"]
        hand.posted_minor = posted if hand.pot_minor is not None else None
        if planned.mishap == plan.ABOVE:
            self._too_much(hand, by_pot | {"rake_minor": posted + step})
        self.command(plan.HAND, self._where(hand), body)
        self.book.hands.append(hand)
        if planned.mishap == plan.MISTAPPED:
            self._put_right(hand, body | {"rake_minor": posted, "pot_minor": planned.pot})
        elif planned.mishap == plan.VOID:
            self._void(hand)
        return hand

    def _where(self, hand: RakedHand) -> str:
        return f"tables/{self.row['id']}/hands/{hand.id}/end/"

    def _too_much(self, hand: RakedHand, amounts: dict[str, Any]) -> None:
        try:
            self.client.post(self._where(hand), dict(hand.body) | amounts)
        except Refused as refused:
            if refused.code not in TOO_MUCH:
                self._differs(f"a rake above the schedule is refused as {refused.code}")
            self._amiss(plan.ABOVE, "a rake above the schedule is refused")
        else:
            self._differs("a rake above the schedule was booked")

    def _put_right(self, hand: RakedHand, body: dict[str, Any]) -> None:
        """The croupier puts a mistapped rake right at once; later the pit signs it."""
        self._correct(hand, body)
        hand.pot_minor = body["pot_minor"]
        hand.posted_minor = hand.rake_minor = body["rake_minor"]
        self._amiss(plan.MISTAPPED, "a mistapped rake is put right")

    def _void(self, hand: RakedHand) -> None:
        """The cards were dealt amiss: what lay in the pot goes back, by a signature of the pit."""
        body = {"revision": hand.revision, "reason": texts.MISDEAL}
        approval = self.client.post(f"hands/{hand.id}/void-request/", body)
        self.boss.sign(approval)
        self.client.post(f"hands/{hand.id}/void/", body | {"approval": approval["id"]})
        hand.state = book.VOIDED
        self._amiss(plan.VOID, f"{self.boss.name} signs that a hand is void")

    def _correct(self, hand: RakedHand, body: Mapping[str, Any]) -> bool:
        """A hand is put right; whether the pit had to sign it."""
        where = f"hands/{hand.id}/correct/"
        body = {**body, "revision": hand.revision, "reason": texts.MISTYPED}
        hand.revision += 1
        try:
            self.client.post(where, body)
        except Refused as refused:
            if refused.code != NOT_ALONE:
                raise
            approval = self.client.post(f"hands/{hand.id}/correction-request/", body)
            self.boss.sign(approval)
            self.client.post(where, body | {"approval": approval["id"]})
            return True
        return False

    def _amiss(self, mishap: str, text: str) -> None:
        self.client.tally.count(f"poker: {mishap}")
        self.evening.say(f"{self.name}: {text}.")

    # Guests
    def command(self, what: str, path: str, body: Mapping[str, Any]) -> Any:
        """A command that moves chips. Raises Refused, Unreachable."""
        return self.client.post(path, dict(body))

    def _buy_in(self, chance: Random) -> int:
        least = self.posted.buy_in_least
        most = self.posted.buy_in_most or 5 * least
        half = (least + most) // 2 // self.posted.chip * self.posted.chip
        return int(chance.choice((least, half, most)))

    def _sits(self, seat: int) -> None:
        minor = self._buy_in(self.chance)
        body = {"seat": seat, "amount_minor": minor, "means": "cash"}
        row = self.command(plan.BUY_IN, f"tables/{self.row['id']}/stays/", body)
        stay = GuestStay(row["id"], seat, [ChipsMoved(book.BUY_IN, "cash", minor)])
        self._begins(stay, row)
        self.guests.append(PokerGuest(stay, minor))

    def _begins(self, stay: GuestStay, row: Mapping[str, Any]) -> None:
        self.book.stays.append(stay)
        self.answers.stays[stay.id] = row
        brought = stay.amount(*book.BROUGHT)
        self.evening.left.note("stays", {"stay": stay.id, "minor": brought})

    def _ends(self, guest: PokerGuest) -> None:
        self.guests.remove(guest)
        self.room.give_back(self, guest.stay.seat)
        for noted in self.evening.left.rows("stays"):
            if noted["stay"] == guest.stay.id:
                self.evening.left.cleared("stays", noted)

    def _welcome(self) -> None:
        while self.coming:
            self.guests.append(self.coming.pop(0))

    def _chips(self, guest: PokerGuest, kind: str, amount: int, means: str) -> None:
        body = {"kind": kind, "amount_minor": amount, "means": means}
        row = self.command(plan.BUY_IN, f"stays/{guest.stay.id}/chips/", body)
        self.answers.stays[guest.stay.id] = row
        guest.stay.chips.append(ChipsMoved(kind, means, amount))
        guest.minor += amount if kind == book.TOP_UP else -amount

    def _leaves(self, guest: PokerGuest, client: Client) -> None:
        counted = {"counted_minor": guest.minor}
        leaving = client.post(f"stays/{guest.stay.id}/leave/", counted)
        self.answers.leaving[guest.stay.id] = leaving
        guest.stay.chips.append(ChipsMoved(book.OUT, "", guest.minor))
        self._ends(guest)

    def _moves(self, guest: PokerGuest) -> None:
        """To the other table where there is one with a free seat, else to another seat."""
        other = self.room.beside(self)
        seat = self.room.seat_at(other)
        if not seat:
            return
        where, body = f"stays/{guest.stay.id}/move/", {"seat": seat, "table": None}
        if other is self:
            self.answers.stays[guest.stay.id] = self.command(plan.MOVE, where, body)
            self.room.give_back(self, guest.stay.seat)
            guest.stay.seat = seat
            return
        body |= {"table": other.row["id"], "counted_minor": guest.minor}
        row = self.command(plan.MOVE, where, body)
        guest.stay.chips.append(ChipsMoved(book.MOVED_OUT, "", guest.minor))
        self._ends(guest)
        stay = GuestStay(row["id"], seat, [ChipsMoved(book.MOVED_IN, "", guest.minor)])
        other.arrives(PokerGuest(stay, guest.minor), row)
        self.client.tally.count("poker: guests who changed tables")

    def arrives(self, guest: PokerGuest, row: Mapping[str, Any]) -> None:
        """A guest goes on at this table from its next hand on."""
        self._begins(guest.stay, row)
        self.coming.append(guest)
