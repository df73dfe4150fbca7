"""The house: an evening with all that happens to a jackpot, forty tables more, and rounds of each kind played as patterns."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from casino.people.events import request_id
from casino.people.models import Person
from casino.people.services import active_set, particulars_set
from jackpot.models import Slip, WaitingPrize
from payouts.errors import Refused
from payouts.models import Approval
from payouts.rules.hands.cards import card_text
from payouts.rules.ledger import recipes
from payouts.services import AccountKey, Subject, accounts_open, event_record
from tables import services
from tables.models import Guest, Table, TableSession
from tests.casino.audit.reports.evening import Evening
from tests.cast import make_person, post
from tests.floor import POSTED, done, stakes_for
from tests.jackpot.linked import dull, royal
from tests.jackpot.lived import four_of_a_kind
from tests.jackpot.test_prizes import approved_correction

LEVELS = {"cards": "full_cards", "taps": "fast", "coins": "jackpot_only", "unlinked": "full_cards"}
ORDER = ("cards", "taps", "cards", "taps", "cards", "taps", "cards", "taps", "coins", "unlinked")  # table by table
SPECIAL = ("corrected", "signed", "voided", "reopened")
PRIZE, PRIZES_OF, PRIZES = (
    "prize",
    "cards",
    3,
)  # a round whose prize waits, is signed and paid by a slip; where; how many are played
HIT = "hit"  # a round that claims the meter, is looked at and turns out not to have won it
ANTES = (500, 1000, 1500, 2500)
PLAYS, ODDS = (0, 1, 2, 4), (0.2, 0.3, 0.1, 0.4)
ROYAL = frozenset("TJQKA")


@dataclass
class Played:
    """A round that was played, and the moment after its lock (by the database)."""

    round_id: UUID
    locked_by: Any
    what: str


@dataclass
class PlayedSession:
    """A table's session of patterns: from its first event to its last, and the moment when closing began."""

    pool: str
    table: Table
    session: TableSession
    guests: list[Guest]
    events: tuple[int, int] = (0, 0)
    closing: Any = None
    transfers: list[int] = field(default_factory=list)
    rounds: list[Played] = field(default_factory=list)


class Weeks(Evening):
    """An evening (`tests.casino.audit.reports.evening`), closed; then tables that are filled, with their croupiers."""

    def __init__(self, database: str, *, tables: int, patterns: int, seed: int) -> None:
        super().__init__(database)
        self.end(0, self.running, dull())
        for table in self.tables[:-1]:  # the evening itself closes the last one
            done(services.table_close, house_id=self.house.pk, table_id=table.pk, actor_id=self.reto.pk)
        self.chance = np.random.default_rng(seed)
        self.dealers: list[Person] = [
            make_person(f"dealer{number:03}", "croupier", house=self.house) for number in range(2 * tables)
        ]
        post(self.house, "chips_in_service", recipes.chips_in_service(50_000_000 * tables), key="scale:chips")
        self.halls = [self._new_table(number) for number in range(tables)]
        self.permissions()
        with transaction.atomic():  # a table has no such account before its first prize waits
            accounts_open(house_id=self.house.pk, keys=[AccountKey("prizes_waiting", one.pk) for one in self.halls])
        pools = {pool: place for place, pool in reversed(list(enumerate(ORDER[:tables])))}
        self.sessions_played = [self._play(pool, place, patterns) for pool, place in sorted(pools.items())]

    def posts(self) -> None:
        """Nothing: on the weeks that are filled the versions are in force that the house began with."""

    def visits(self) -> None:
        """What `Evening` does by a browser: somebody mistypes, signs in, looks."""
        asked = {
            "asked": {"from": str(self.day), "to": str(self.day)},
            "format": "pdf",
            "lines": 12,
            "sha256": "0" * 64,
        }
        for name, kind, subject, after in (
            ("sign_in.refused", "person", self.auditor.pk, None),
            ("sign_in.done", "person", self.auditor.pk, None),
            ("report.looked", "report", "slips", asked),
            ("audit.viewed", "round", self.corrected, None),
            ("audit.searched", "search", "", {"asked": {"words": "table 2, 18:30"}}),
        ):
            event_record(
                name,
                Subject(kind, str(subject)),
                house_id=self.house.pk,
                actor_id=self.auditor.pk,
                request_id=request_id(),
                after=after,
            )

    def permissions(self) -> None:
        """What a manager changes of a person: roles, and back again; he is let in no more, and again."""
        of = {"person": self.dealers[0], "by": self.manager, "house": self.house, "language": self.dealers[0].language}
        for roles in (["croupier", "cage"], ["croupier"]):
            particulars_set(**of, full_name=self.dealers[0].full_name, role_codes=roles)
        for active in (False, True):
            active_set(person=self.dealers[0], active=active, by=self.manager)

    def _new_table(self, number: int) -> Table:
        of = {"house_id": self.house.pk}
        more = {"pit_id": self.pit.pk, "game": "uth", "boxes": 7, "posted": POSTED, "position": number + 10}
        table: Table = done(services.table_create, **of, **more, name=f"Table {number + 1:02}")
        if ORDER[number % len(ORDER)] != "unlinked":
            done(services.table_link, **of, table_id=table.pk, jackpot_id=self.jackpot.pk, actor_id=self.tim.pk)
        owners = {"house": self.house.pk, "table": table.pk}
        post(self.house, "fill", recipes.fill(40_000_000), owners=owners, key=f"fill:{table.pk}", gaming_day=self.day)
        return table

    # Patterns
    def _play(self, pool: str, place: int, count: int) -> PlayedSession:
        """A session at one table, with `count` rounds that take their course and one of each special kind for each ten."""
        table, dealer, next_dealer = self.halls[place], self.dealers[2 * place], self.dealers[2 * place + 1]
        at = {"house_id": self.house.pk, "table_id": table.pk}
        before = _one("SELECT coalesce(max(id), 0) FROM payouts_event")
        guests = self.open(table, dealer, entry_level=LEVELS[pool])
        played = PlayedSession(pool, table, TableSession.objects.get(table=table, closed_at=None), guests)
        owners = {"house": self.house.pk, "table": table.pk}
        for kind, lines in (("buy_in", recipes.buy_in(120_000)), ("tip", recipes.tip(1_500))):
            key = f"{kind}:{played.session.pk}"
            played.transfers.append(post(self.house, kind, lines, owners=owners, key=key, gaming_day=self.day))
        wanted = [what for number in range(count) for what in ("plain", *(SPECIAL if number % 10 == 0 else ()))]
        wanted += [*[PRIZE] * PRIZES, HIT] if pool == PRIZES_OF else []
        played.rounds = [one for what in wanted for one in self._round(pool, table, dealer, guests, what)]
        played.closing = _one("SELECT clock_timestamp()")
        done(services.table_hand_over, **at, croupier_id=next_dealer.pk, actor_id=self.reto.pk)
        for guest in guests[::2]:
            done(services.guest_leave, house_id=self.house.pk, guest_id=guest.pk, actor_id=self.reto.pk)
        done(services.table_close, **at, actor_id=self.reto.pk)
        played.events = (before, _one("SELECT max(id) FROM payouts_event"))
        return played

    def _round(self, pool: str, table: Table, dealer: Person, guests: list[Guest], what: str) -> Iterator[Played]:
        boxes = sorted(self.chance.choice(7, size=int(self.chance.integers(3, 8)), replace=False).tolist())
        stakes = list(self._stakes(pool, [guests[box] for box in boxes]))
        if what in (PRIZE, HIT):
            stakes = stakes_for(guests[:3], coins=1)
        at = {"table_id": table.pk, "croupier_id": dealer.pk}
        round_id = UUID(self.lock(stakes, **at)["id"])
        locked_by = _one("SELECT clock_timestamp()")
        first, second = (self._result(pool, [box + 1 for box in boxes]) for _ in range(2))
        by = {"person_id": dealer.pk}
        if what in (PRIZE, HIT):
            first = four_of_a_kind(3) if what == PRIZE else royal("h", boxes=3)
        if what == "voided":
            self.void(round_id)
        elif what == "reopened":
            done(services.round_reopen, house_id=self.house.pk, round_id=round_id, **by)
        else:
            self.settle(round_id, first, **by)
        if what == PRIZE:
            self._paid(round_id)
        if what == HIT:
            self.advance()
            self.reject()
            self.confirm_all()
        try:
            if what == "corrected" and pool != "coins":
                self.correct(round_id, second, reason="mistyped", **by)
            elif what == "signed" and pool != "coins":
                approved_correction(self, round_id, second)
        except Refused:  # much was paid: it stays as it was, and is no pattern
            return
        yield Played(round_id, locked_by, what)

    def _paid(self, round_id: UUID) -> None:
        """The prize that waits is approved, and its slip paid by the cage."""
        prize = WaitingPrize.objects.get(round_id=round_id)
        self.sign(Approval.objects.get(action="jackpot.prize", subject_id=str(prize.pk)), self.bea)
        self.pay(Slip.objects.get(award__prize=prize))

    def _stakes(self, pool: str, guests: list[Guest]) -> Iterator[dict[str, Any]]:
        for guest in guests:
            ante = int(self.chance.choice(ANTES))
            laid = {} if pool == "coins" else {"ante": ante, "blind": ante}
            if pool in ("cards", "unlinked") and self.chance.random() < 0.5:
                laid["trips"] = 500
            if pool == "coins" or (pool != "unlinked" and self.chance.random() < 0.6):
                laid["coin"] = 500
            for kind, amount in laid.items():
                yield {"box": guest.box, "guest": str(guest.pk), "kind": kind, "amount_minor": amount}

    def _result(self, pool: str, boxes: list[int]) -> dict[str, Any]:
        if pool == "coins":
            return {"boxes": {}}
        plays = {box: int(self.chance.choice(PLAYS, p=ODDS)) for box in boxes}
        if pool == "taps":
            ends = ("win", "lose", "lose", "tie")
            folded = {"result": "fold"}
            return {
                "boxes": {
                    str(box): {"play": play, "result": str(self.chance.choice(ends))} if play else folded
                    for box, play in plays.items()
                }
            }
        board, dealer, *holes = self._deal(len(boxes))
        cards = {str(box): {"play": plays[box], "cards": hole} for box, hole in zip(boxes, holes, strict=True)}
        return {"board": board, "dealer": dealer, "boxes": cards}

    def _deal(self, hands: int) -> list[str]:
        """Board, dealer's cards, and those of each hand; nobody has a royal flush, which would be a hit."""
        while True:
            cards = [card_text(int(card)) for card in self.chance.permutation(52)[: 7 + 2 * hands]]
            board, others = cards[:5], [cards[at : at + 2] for at in range(5, len(cards), 2)]
            if not any(_royal([*board, *two]) for two in others):
                return [" ".join(board), *(" ".join(two) for two in others)]


def _royal(cards: list[str]) -> bool:
    return any({card[0] for card in cards if card[1] == suit} >= ROYAL for suit in "hdcs")


def _one(sql: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0]
