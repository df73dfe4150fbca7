"""Linked tables with displays for tests of the jackpot: rounds that win, calls, signatures, confirmations."""

from typing import Any
from uuid import UUID, uuid4

from jackpot import services as jackpots
from jackpot.models import Claim, Gate, GateDisplay, Hit, Jackpot
from payouts.commands import request_fingerprint, run_once
from payouts.models import Approval
from payouts.rules.ledger import recipes
from payouts.services import approval_sign
from tables import services
from tables.models import Guest, Table
from tests.cast import make_person, post
from tests.floor import POSTED, Floor, done, stakes_for

# Each table's own royal flush: one hole card of box 1 makes it.
BOARDS = {suit: f"A{suit} K{suit} Q{suit} J{suit} 2{other}" for suit, other in zip("hdcs", "dhsc", strict=True)}
CHECKLIST = {"cards_seen": "seen by R. Caduff", "deck_counted": "52", "camera_time": "22:14:05"}


def royal(suit: str = "h", box: int = 1, boxes: int = 2) -> dict[str, Any]:
    """A result by which a box has the royal flush with one hole card, the others nothing."""
    spare = iter(("3c 4d", "5c 6d", "7c 8d", "3s 4s", "5s 6s", "7s 8s"))
    hands = {
        str(one): f"T{suit} 9{'s' if suit != 's' else 'c'}" if one == box else next(spare)
        for one in range(1, boxes + 1)
    }
    cards = {number: {"play": 4 if number == str(box) else 0, "cards": hand} for number, hand in hands.items()}
    return {"board": BOARDS[suit], "dealer": "9h 9d" if suit not in "hd" else "9c 8s", "boxes": cards}


def dull(boxes: int = 2) -> dict[str, Any]:
    """A result by which nobody wins anything: all fold."""
    return {"boxes": {str(box): {"result": "fold"} for box in range(1, boxes + 1)}}


def once(work: Any, **values: Any) -> Any:
    """Carry a command out as the API does: under a key, started again where it has to be."""
    key = f"test-{uuid4()}"
    return run_once(key, request_fingerprint(work.__name__, None, {"key": key}), lambda: work(**values)).body


class Linked(Floor):
    """`count` open tables at one jackpot, each with its croupier and guests, and `displays` required displays."""

    def __init__(self, *, count: int = 2, displays: int = 1, suffix: str = "") -> None:
        super().__init__(suffix=suffix, linked=False, displays=displays)
        house = {"house_id": self.house.pk}
        self.bea = make_person(f"bea.l{suffix}", "manager", house=self.house)
        self.cage = make_person(f"cage.l{suffix}", "cage", house=self.house)
        self.tables: list[Table] = [self.table, self.other]
        for number in range(3, count + 1):
            more = {**house, "pit_id": self.pit.pk, "game": "uth", "boxes": 7, "posted": POSTED}
            table = done(services.table_create, **more, name=f"UTH {number}")
            post(self.house, "chips_in_service", recipes.chips_in_service(10_000_000), key=f"c{number}")
            post(
                self.house,
                "fill",
                recipes.fill(10_000_000),
                owners={"house": self.house.pk, "table": table.pk},
                key=f"f{number}",
            )
            self.tables.append(table)
        self.tables = self.tables[:count]
        self.croupiers = [make_person(f"dealer{n}.l{suffix}", "croupier", house=self.house) for n in range(count)]
        self.guests: list[list[Guest]] = []
        for table, croupier in zip(self.tables, self.croupiers, strict=True):
            done(services.table_link, **house, table_id=table.pk, jackpot_id=self.jackpot.pk, actor_id=self.tim.pk)
            self.guests.append(self.open(table, croupier))

    # Rounds
    def start(self, table: int, *, coins: int = 1, boxes: int = 2, round_id: UUID | None = None) -> UUID:
        """Lock a round at a table; give its id."""
        stakes = stakes_for(self.guests[table][:boxes], coins=coins)
        ids = {"table_id": self.tables[table].pk, "croupier_id": self.croupiers[table].pk}
        return UUID(self.lock(stakes, round_id, **ids)["id"])

    def end(self, table: int, round_id: UUID, result: dict[str, Any]) -> dict[str, Any]:
        prepared = services.round_evaluate(house_id=self.house.pk, round_id=round_id, result=result)
        return once(services.round_settle, prepared=prepared, person_id=self.croupiers[table].pk)

    def void(self, round_id: UUID, **changes: Any) -> dict[str, Any]:
        ids = {"house_id": self.house.pk, "round_id": round_id, "person_id": self.reto.pk}
        return once(services.round_void, **(ids | {"reason": "misdeal"} | changes))

    def call(self, table: int, round_id: UUID) -> dict[str, Any]:
        ids = {"house_id": self.house.pk, "round_id": round_id, "person_id": self.croupiers[table].pk}
        return done(services.round_call, **ids)

    # The hit
    def now(self) -> Jackpot:
        return Jackpot.objects.select_related("epoch", "hit", "gate").get(pk=self.jackpot.pk)

    def advance(self) -> str:
        jackpots.jackpot_advance(jackpot_id=self.jackpot.pk)
        return self.now().phase

    def verify(self, claim: Claim, checklist: dict[str, str] = CHECKLIST) -> None:
        ids = {"house_id": self.house.pk, "claim_id": claim.pk, "person_id": self.reto.pk}
        done(jackpots.claim_verify, **ids, checklist=checklist)

    def verify_all(self) -> str:
        for claim in Claim.objects.filter(hit__jackpot=self.jackpot, state="open").order_by("number"):
            self.verify(claim)
        return self.advance()

    def asked(self, action: str = "jackpot.award") -> Approval:
        return Approval.objects.get(house=self.house, action=action, state="open")

    def sign(self, approval: Approval, *people: Any) -> None:
        for person in people:
            values = {
                "house_id": self.house.pk,
                "approval_id": approval.pk,
                "payload_hash": bytes(approval.payload_hash),
            }
            done(
                jackpots.jackpot_sign,
                **values,
                signer_id=person.pk,
                signer_roles=person.roles,
                method=approval.method,
            )

    def sign_plainly(self, approval: Approval, person: Any) -> None:
        """Sign what is not about the jackpot itself: whoever asked carries it out afterwards."""
        values = {"house_id": self.house.pk, "approval_id": approval.pk, "payload_hash": bytes(approval.payload_hash)}
        values |= {"signer_id": person.pk, "signer_roles": person.roles, "method": approval.method}
        done(approval_sign, **values)

    def approve(self) -> str:
        self.sign(self.asked(), self.reto, self.bea)
        return self.advance()

    def reject(self) -> str:
        hit = Hit.objects.get(jackpot=self.jackpot, state="verifying")
        for claim in Claim.objects.filter(hit=hit, state__in=["open", "verified"]):
            ids = {"house_id": self.house.pk, "claim_id": claim.pk, "person_id": self.reto.pk}
            done(jackpots.claim_refuse, **ids, reason="a misread card")
        ids = {"house_id": self.house.pk, "hit_id": hit.pk, "person_id": self.reto.pk}
        asked = done(jackpots.hit_reject_request, **ids, reason="a misread card")
        self.sign(asked, self.bea)
        return self.advance()

    def heard(self, display: UUID) -> None:
        ids = {"house_id": self.house.pk, "jackpot_id": self.jackpot.pk, "display_id": display}
        done(jackpots.display_heard, **ids, session_id=self.sessions[display])

    def shows(self, display: UUID) -> dict[str, Any]:
        """What a display that shows the newest gate's amount says."""
        gate = Gate.objects.filter(jackpot=self.jackpot).order_by("-number").first()
        shown = f"CHF {gate.amount_minor // 100:,}.{gate.amount_minor % 100:02}".replace(",", "’")
        values = {"house_id": self.house.pk, "jackpot_id": self.jackpot.pk, "display_id": display}
        values |= {"session_id": self.sessions[display], "gate": gate.number, "nonce": gate.nonce}
        return values | {"version": gate.version, "shown": shown}

    def confirm(self, display: UUID, **changes: Any) -> dict[str, Any]:
        self.heard(display)
        return done(jackpots.gate_confirm, **(self.shows(display) | changes))

    def confirm_all(self) -> str:
        for waiting in GateDisplay.objects.filter(gate__jackpot=self.jackpot, gate__state="open", state="waiting"):
            self.confirm(waiting.display_id)
        return self.advance()

    def win(self, *tables: int) -> str:
        """A whole hit from the lock to the reopening, with a winner at each of these tables."""
        rounds = {table: self.start(table) for table in tables}
        for table, round_id in rounds.items():
            self.end(table, round_id, royal("hdcs"[table]))
        self.advance()
        self.verify_all()
        self.approve()
        return self.confirm_all()
