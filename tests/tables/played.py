"""A floor on which a round of each kind was played: settled with a prize, corrected, voided, reopened, withdrawn, locked; a table
was handed over, and a late round waits to be clarified.
"""

from uuid import UUID, uuid4

from tables import services
from tables.errors import RoundState
from tests.floor import Floor, done, stakes_for, taps

BOARD = "Ah Ad Kh 7c 2d"  # with two kings in the box: a full house
FULL_HOUSE = {"play": 4, "result": "win", "hand": "full_house", "cards": "Kd Ks"}


class Played(Floor):
    """Linked table: settled, corrected, voided, reopened, withdrawn and one locked round; the other table: settled and open."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        self.guests = self.open()
        self.settled = self.play(coins=2)
        self.settle(self.settled, taps(b1=FULL_HOUSE, b2={"result": "fold"}) | {"board": BOARD})
        self.corrected = self.play(coins=1)
        self.settle(self.corrected, taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"}))
        self.correct(self.corrected, taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"}))
        self.voided, self.reopened = self.play(coins=2), uuid4()
        person = {"house_id": self.house.pk, "person_id": self.martina.pk}
        done(services.round_void, **person | {"person_id": self.reto.pk}, round_id=self.voided, reason="misdeal")
        self.lock(stakes_for(self.guests[:2], coins=1), self.reopened)
        done(services.round_reopen, **person, round_id=self.reopened)
        self.withdrawn = uuid4()
        done(services.round_withdraw, **person, table_id=self.table.pk, round_id=self.withdrawn)
        others = self.open(self.other, self.nora)
        self.plain = self.play(guests=others, table_id=self.other.pk, croupier_id=self.nora.pk)
        cards = {"board": BOARD, "dealer": "3c 4c", "boxes": {"1": "Kd Ks", "2": "8s 9s"}}
        done(services.card_feed_record, house_id=self.house.pk, round_id=self.plain, cards=cards)
        exposed = {"kind": "cards_exposed", "decision": "burnt", "box": 1, "card": "5c", "reason": "fell from the shoe"}
        by = {"house_id": self.house.pk, "person_id": self.nora.pk}
        done(services.irregularity_record, **by, round_id=self.plain, **exposed)
        self.settle(self.plain, taps(b1={"play": 4}, b2={"play": 0}) | {"feed": True}, person_id=self.nora.pk)
        paid = {"round_id": self.plain, "box": 1, "guest_id": others[0].pk, "amount_minor": 1_000, "reason": "goodwill"}
        asked = done(services.override_request, house_id=self.house.pk, **paid, person_id=self.reto.pk)
        by = {"signer_id": self.ines.pk, "signer_roles": self.ines.roles, "method": asked.method}
        who = {"house_id": self.house.pk, "approval_id": asked.pk, "payload_hash": asked.payload_hash}
        done(services.override_sign, **who, **by)
        person = {"house_id": self.house.pk, "table_id": self.other.pk}
        for relief in (self.martina, self.nora):
            done(services.table_hand_over, **person, croupier_id=relief.pk, actor_id=self.reto.pk)
        self.late = done(
            services.review_item_record,
            **person,
            round_id=self.plain,
            kind="settle",
            payload={"result": {}},
            refused=RoundState(state="settled"),
            person_id=self.nora.pk,
        )
        self.locked = self.play(coins=2)

    def play(self, *, coins: int = 0, guests: list | None = None, **changes: object) -> UUID:
        """Lock a round of two boxes; give its id."""
        return UUID(self.lock(stakes_for((guests or self.guests)[:2], coins=coins), **changes)["id"])
