"""Linked tables that race about their jackpot, and parts of commands to be raced."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from jackpot import services as jackpots
from jackpot.models import Claim, Gate, ListedRound, RunningRound
from jackpot.services import advance
from jackpot.services.state import jackpot_lock
from payouts.models import Approval
from tables import services
from tests.floor import done, stakes_for
from tests.jackpot.linked import CHECKLIST, Linked, royal
from tests.races.meet import Met, meet

Part = Callable[[], Any]


class Hall(Linked):
    """Three linked tables and two displays."""

    def __init__(self, database: str) -> None:
        super().__init__(count=3, displays=2)
        self.database = database
        self.house_id = {"house_id": self.house.pk}

    def race(self, first: Part, second: Part, *, before: tuple[object, str] | None = None) -> Met:
        return meet(self.database, first, second, before=before)

    # Rounds
    def locking(self, table: int, round_id: UUID | None = None) -> Part:
        stakes = stakes_for(self.guests[table][:2], coins=1)
        at = {"table_id": self.tables[table].pk, "croupier_id": self.croupiers[table].pk}
        values = {**self.house_id, **at, "round_id": round_id or uuid4(), "stakes": stakes}
        return lambda: services.round_lock(**values)

    def by(self, table: int, round_id: UUID) -> dict[str, Any]:
        return {**self.house_id, "round_id": round_id, "person_id": self.croupiers[table].pk}

    def calling(self, table: int, round_id: UUID) -> Part:
        return lambda: services.round_call(**self.by(table, round_id))

    def settling(self, table: int, round_id: UUID, result: dict[str, Any] | None = None) -> Part:
        prepared = services.round_evaluate(**self.house_id, round_id=round_id, result=result or royal("hdc"[table]))
        return lambda: services.round_settle(prepared=prepared, person_id=self.croupiers[table].pk)

    def correcting(self, round_id: UUID, result: dict[str, Any]) -> Part:
        """A correction that has been asked for and a manager has signed, neither of them who decides about the claim."""
        values = {**self.house_id, "round_id": round_id, "result": result, "state": "settled"}
        prepared = services.round_evaluate(**values)
        by = {"person_id": self.nora.pk, "reason": "seen on camera"}
        asked = done(services.round_correction_request, prepared=prepared, **by)
        self.sign_plainly(asked, self.ines)
        return lambda: services.round_correct(prepared=services.round_evaluate(**values), approval_id=asked.pk, **by)

    def voiding(self, round_id: UUID, approval: Approval | None = None) -> Part:
        values = {**self.house_id, "round_id": round_id, "person_id": self.reto.pk, "reason": "misdeal"}
        return lambda: services.round_void(**values, approval_id=approval.pk if approval else None)

    def void_signed(self, round_id: UUID) -> Approval:
        """The approval to void a round that claims."""
        values = {**self.house_id, "round_id": round_id, "person_id": self.reto.pk, "reason": "misdeal"}
        asked = done(services.round_void_request, **values)
        self.sign_plainly(asked, self.bea)
        return asked

    def withdrawing(self, table: int, round_id: UUID) -> Part:
        return lambda: services.round_withdraw(**self.by(table, round_id), table_id=self.tables[table].pk)

    # The jackpot
    def stepping(self) -> Part:
        """One step of the coordinator, as `jackpot_advance` does it."""
        return lambda: advance._step(jackpot_lock(jackpot_id=self.jackpot.pk))

    def verifying(self, claim: Claim) -> Part:
        values = {**self.house_id, "claim_id": claim.pk, "person_id": self.reto.pk, "checklist": CHECKLIST}
        return lambda: jackpots.claim_verify(**values)

    def refusing(self, claim: Claim) -> Part:
        values = {**self.house_id, "claim_id": claim.pk, "person_id": self.bea.pk, "reason": "a misread card"}
        return lambda: jackpots.claim_refuse(**values)

    def signing(self, approval: Approval, person: Any) -> Part:
        values = {**self.house_id, "approval_id": approval.pk, "payload_hash": bytes(approval.payload_hash)}
        values |= {"signer_id": person.pk, "signer_roles": person.roles, "method": approval.method}
        return lambda: jackpots.jackpot_sign(**values)

    def asked_for(self, action: str, **payload: Any) -> Approval:
        """What a pit boss asks about the jackpot as a whole."""
        values = {**self.house_id, "jackpot_id": self.jackpot.pk, "person_id": self.reto.pk, "action": action}
        asked: Approval = done(jackpots.jackpot_request, **values, payload=payload)
        return asked

    def confirming(self, display: int) -> Part:
        """A confirmation of the gate that is open now, whatever gate is open when it comes."""
        gate, here = Gate.objects.get(jackpot=self.jackpot, state="open"), self.displays[display]
        self.heard(here)
        values = {**self.house_id, "jackpot_id": self.jackpot.pk, "display_id": here, "session_id": self.sessions[here]}
        values |= {"gate": gate.number, "nonce": gate.nonce, "version": gate.version}
        return lambda: jackpots.gate_confirm(**values, shown=f"{gate.amount_minor // 100}.{gate.amount_minor % 100:02}")

    def to_verifying(self, *tables: int) -> list[UUID]:
        """A hit with a verified claim of each of these tables, whose split waits for signatures."""
        rounds = [self.start(table) for table in tables]
        for table, round_id in zip(tables, rounds, strict=True):
            self.end(table, round_id, royal("hdc"[table]))
        self.advance()
        self.verify_all()
        return rounds

    def to_showing(self) -> None:
        """A hit that was paid; its gate waits for both displays."""
        self.to_verifying(0)
        self.approve()

    def to_rejected(self) -> None:
        """A hit that was rejected: the amount that it was about waits to be shown again."""
        self.end(0, self.start(0), royal("h"))
        self.advance()
        self.reject()


def unlisted() -> set[UUID]:
    """Rounds that run at a frozen jackpot and are not on the list of its hit: none, ever."""
    frozen = RunningRound.objects.filter(ended_at=None, jackpot__hit__isnull=False)
    return set(frozen.values_list("round_id", flat=True)) - set(ListedRound.objects.values_list("round_id", flat=True))
