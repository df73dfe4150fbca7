"""The state machine's jackpot: what is asked of it, and what the model says to it."""

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.db import connection
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from jackpot import services as jackpots
from jackpot.models import Award, Claim, Gate, GateDisplay, Hit, RequiredDisplay, Split
from jackpot.selectors import meter_read
from payouts.errors import Refused
from payouts.idempotency import request_fingerprint, run_once
from payouts.models import Approval
from payouts.services import approval_reject
from tables import services
from tables.models import Round
from tables.rules.floor import FloorRules
from tests.conftest import module_database
from tests.floor import done, stakes_for
from tests.jackpot.linked import CHECKLIST, Linked, royal
from tests.machines import hit_model
from tests.machines.hit_model import Jackpot
from tests.tables.audits import breached, disagreeing

TABLES, DISPLAYS = 3, 3  # of the displays the last is a spare one
SIGNERS = ("reto", "bea", "ines")
DEALER = "who dealt the round"


class Patient(Linked):
    """Nothing in a run is late: sixty seconds to reopen or withdraw."""

    posted: ClassVar[dict[str, Any]] = {"floor_rules": FloorRules(reopen_s=60, withdraw_s=60, undo_s=300)}

    def __init__(self, database: str) -> None:
        super().__init__(count=TABLES, displays=2)
        self.database = database
        self.displays.append(uuid4())
        self.sessions[self.displays[-1]] = uuid4()


class Crash(Exception):
    """A process dies in the middle of its work."""


def dying(after: int) -> Callable[..., Any]:
    """A connection whose process dies instead of sending its next statement but so many."""
    left = iter(range(after))

    def wrapper(execute: Callable[..., Any], *args: Any) -> Any:
        if next(left, None) is None:
            raise Crash
        return execute(*args)

    return wrapper


class Hits(RuleBasedStateMachine):
    """One run on a database of its own."""

    world: Patient
    seen: ClassVar[Counter[str]]  # over all runs: what came to pass, and by which codes what was refused

    def __init__(self) -> None:
        super().__init__()
        self._database = module_database("hits", self.world.database)
        self._database.__enter__()
        self.floor = copy.deepcopy(self.world)
        self.house = {"house_id": self.floor.house.pk}
        self.model = Jackpot(displays=2)

    def teardown(self) -> None:
        try:
            assert breached() == {}
            assert disagreeing() == []
        finally:
            self._database.__exit__(None, None, None)

    # --- asking ------------------------------------------------------------------------------------------------------------------
    def ask(self, code: str, work: Callable[[], Any], name: str, dies: int | None = None) -> Any:
        """Carry a command out under its key: refused with this code, or done, once.

        `dies`: its process dies after so many statements; what it asked is asked again under the same key, and again.
        """
        key, given = f"machine-{uuid4()}", []

        def keep() -> dict[str, object]:
            given.append(work())
            return {}

        def once() -> bool:
            return run_once(key, request_fingerprint(name, "machine", {}), keep).replayed

        if dies is not None:
            try:
                with connection.execute_wrapper(dying(dies)):
                    once()
            except Crash:
                self.seen["died"] += 1
            except Refused as refused:
                assert refused.code == code, f"{name}: {refused.code}: {refused}"
        try:
            once()
        except Refused as refused:
            self.seen[refused.code] += 1
            assert refused.code == code, f"{name}: {refused.code} instead of {code or 'done'}: {refused}"
            return None
        assert code == "", f"{name}: {code} was expected"
        self.seen[name] += 1
        assert once()  # the same key again is answered, and does nothing
        return given[-1]

    def dies(self, data: st.DataObject) -> int | None:
        """Now and then a command's process dies, at a statement of its own."""
        return data.draw(st.integers(0, 25)) if data.draw(st.integers(0, 5)) == 0 else None

    def row(self, one: hit_model.Round) -> UUID:
        return UUID(str(one.key))

    def by(self, one: hit_model.Round) -> dict[str, Any]:
        person = self.floor.croupiers[one.table].pk
        return {**self.house, "round_id": self.row(one), "person_id": person}

    def person(self, name: str) -> Any:
        return getattr(self.floor, name)

    # --- rounds -------------------------------------------------------------------------------------------------------------
    def lock(self, table: int, coins: int, dies: int | None) -> None:
        key = uuid4()
        code = self.model.lock(key, table, coins)
        stakes = stakes_for(self.floor.guests[table][:2], coins=coins)
        at = {"table_id": self.floor.tables[table].pk, "croupier_id": self.floor.croupiers[table].pk, "stakes": stakes}
        self.ask(code, lambda: services.round_lock(**self.house, **at, round_id=key), "lock", dies)

    def result(self, one: hit_model.Round, box: int | None) -> dict[str, Any]:
        if box is not None:
            return royal("hdc"[one.table], box=box)
        return {"boxes": {str(number): {"result": "fold"} for number in (1, 2)}}

    def settle(self, one: hit_model.Round, box: int | None, dies: int | None) -> None:
        called, code = self.model.live(one), self.model.settle(one, box)
        values = {**self.house, "round_id": self.row(one), "result": self.result(one, box)}
        prepared = services.round_evaluate(**values)
        person = self.floor.croupiers[one.table].pk
        self.ask(code, lambda: services.round_settle(prepared=prepared, person_id=person), "settle", dies)
        self.noted("call fixed", called is not None and not code and called.state == "open")
        self.noted("call dropped", called is not None and not code and called.state == "dropped")

    def correct(self, one: hit_model.Round, box: int | None, dies: int | None) -> None:
        """Somebody asks, a manager signs; and it is done, or refused and the request rejected."""
        verifying, before, epoch = self.model.phase == "verifying", self.model.live(one), self.model.epoch
        code = self.model.correct(one, box, {"nora", "ines"})
        values = {**self.house, "round_id": self.row(one), "result": self.result(one, box), "state": "settled"}
        prepared = services.round_evaluate(**values)
        by = {"person_id": self.floor.nora.pk, "reason": "seen on camera"}
        asking = lambda: services.round_correction_request(prepared=prepared, **by)  # noqa: E731
        asked = self.ask(code if code == "round.state_refused" else "", asking, "correction asked")
        if asked is None:
            return
        self.floor.sign_plainly(asked, self.floor.ines)
        work = lambda: services.round_correct(prepared=services.round_evaluate(**values), approval_id=asked.pk, **by)  # noqa: E731
        self.ask(code, work, "correct", dies)
        if code:
            manager = {"person_id": self.floor.bea.pk, "person_roles": self.floor.bea.roles}
            done(approval_reject, **self.house, approval_id=asked.pk, **manager, reason="it cannot be done now")
        self.noted("corrected while verifying", verifying and not code and (before or self.model.live(one)) is not None)
        self.noted("late truth", not code and one.epoch < epoch)
        self.noted(
            "hit by a correction", not code and not verifying and self.model.phase == "draining" and before is None
        )

    def take_back(self, one: hit_model.Round, how: str, dies: int | None) -> None:
        frozen, claimed = self.model.hit, self.model.live(one)
        by = self.by(one)
        if how == "withdraw" and one.state in ("voided", "reopened"):
            code = ""
        else:
            code = self.model.take_back(one, reopen=how == "reopen", signed=how == "void signed")
        if how == "reopen":
            self.ask(code, lambda: services.round_reopen(**by), how, dies)
        elif how == "withdraw":
            table = self.floor.tables[one.table].pk
            self.ask(code, lambda: services.round_withdraw(**by, table_id=table), how, dies)
        else:
            self.void(code, by | {"person_id": self.floor.reto.pk, "reason": "misdeal"}, how, dies)
        self.noted(
            "listed round voided", frozen is not None and not code and one in frozen.listed and one.state == "voided"
        )
        self.noted("claim voided", claimed is not None and not code)

    def void(self, code: str, by: dict[str, Any], how: str, dies: int | None) -> None:
        if how == "void signed":
            asked = self.ask(code, lambda: services.round_void_request(**by), "void asked")
            if asked is None:
                return
            self.floor.sign_plainly(asked, self.floor.bea)
            by = by | {"approval_id": asked.pk}
        self.ask(code, lambda: services.round_void(**by), how, dies)

    def withdraw_unknown(self, table: int, dies: int | None) -> None:
        """A lock whose answer never came, and which never came itself: a tombstone, whatever the jackpot does."""
        by = {**self.house, "round_id": uuid4(), "person_id": self.floor.croupiers[table].pk}
        self.ask("", lambda: services.round_withdraw(**by, table_id=self.floor.tables[table].pk), "withdraw", dies)
        self.noted("withdrawn while draining", self.model.phase == "draining")

    def call(self, one: hit_model.Round, dies: int | None) -> None:
        code = self.model.call(one)
        self.ask(code, lambda: services.round_call(**self.by(one)), "call", dies)

    # --- the hit -----------------------------------------------------------------------------------------------------------
    def decide(self, claim: hit_model.Claim, verified: bool, person: str, dies: int | None) -> None:
        hit = next(one for one in self.model.hits if claim in one.claims)
        code = self.model.decide(claim, "verified" if verified else "refused", person, dealer=person == DEALER)
        number = hit.claims.index(claim) + 1
        there = Claim.objects.get(hit__number=self.model.hits.index(hit) + 1, number=number)
        decides = self.floor.croupiers[claim.round.table] if person == DEALER else self.person(person)
        by = {**self.house, "claim_id": there.pk, "person_id": decides.pk}
        if verified:
            self.ask(code, lambda: jackpots.claim_verify(**by, checklist=CHECKLIST), "verify", dies)
        else:
            self.ask(code, lambda: jackpots.claim_refuse(**by, reason="a misread card"), "refuse", dies)

    def ask_rejection(self, dies: int | None) -> None:
        there = Hit.objects.order_by("-number").first()
        if there is not None:
            code = self.model.ask_rejection("reto")
            by = {**self.house, "hit_id": there.pk, "person_id": self.floor.reto.pk}
            self.ask(code, lambda: jackpots.hit_reject_request(**by, reason="a misread card"), "reject asked", dies)

    def sign(self, action: str, person: str, dies: int | None) -> None:
        """The request about the hit at hand, by somebody who may or may not."""
        asked = self.model.award if action == "jackpot.award" else self.model.reject
        there = Approval.objects.filter(action=action, state="open").first()
        assert (asked is None) == (there is None), action
        if asked is None or there is None:
            return
        code = asked.sign(person, may=person in SIGNERS)
        self.ask(code, lambda: self.signing(there, person), "sign", dies)

    def signing(self, there: Approval, person: str) -> Approval:
        who = self.person(person)
        values = {"payload_hash": bytes(there.payload_hash), "method": there.method}
        signer = {"signer_id": who.pk, "signer_roles": who.roles}
        return jackpots.jackpot_sign(**self.house, approval_id=there.pk, **values, **signer)

    def advance(self, dies: int | None) -> None:
        """The coordinator does what is due; dead at any statement, the next one does the rest."""
        hit = self.model.hit
        if dies is not None:
            try:
                with connection.execute_wrapper(dying(dies)):
                    jackpots.jackpot_advance(jackpot_id=self.floor.jackpot.pk)
            except Crash:
                self.seen["coordinator died"] += 1
        jackpots.jackpot_advance(jackpot_id=self.floor.jackpot.pk)
        assert not jackpots.jackpot_advance(jackpot_id=self.floor.jackpot.pk)  # nothing is due any more
        lapsed = self.model.gate
        self.model.advance()
        self.noted("gate made anew", lapsed is not None and lapsed.state == "lapsed")
        if hit is not None:
            winners = sum(claim.state == "verified" for claim in hit.claims)
            self.noted({1: "paid", 2: "double royal", 3: "triple royal"}.get(winners, ""), hit.state == "paid")
            self.noted("rejected", hit.state == "rejected")
            self.noted("hit ended in a suspension", hit.state in ("paid", "rejected") and self.model.suspended)
            self.noted("split anew", hit.state == "paid" and len(self.model.splits) > 1)

    # --- the gate and the whole ----------------------------------------------------------------------------------------------
    def confirm(self, number: int, display: int, digits: bool, dies: int | None) -> None:
        gate = Gate.objects.get(number=number + 1)
        here = self.floor.displays[display]
        self.floor.heard(here)
        code = self.model.confirm(number, display, digits=digits)
        values = {**self.house, "jackpot_id": self.floor.jackpot.pk, "display_id": here, "gate": gate.number}
        values |= {"session_id": self.floor.sessions[here], "nonce": gate.nonce, "version": gate.version}
        shown = f"{gate.amount_minor // 100}.{gate.amount_minor % 100:02}" if digits else "0.00"
        self.ask(code, lambda: jackpots.gate_confirm(**values, shown=shown), "confirm", dies)

    def with_approval(
        self, request: Callable[[], Approval], refused: str, code: str, name: str, dies: int | None
    ) -> None:
        """Something that one person asks for and another signs, which does it; `refused`: what the request itself says."""
        asked = self.ask(refused, request, f"{name} asked")
        if asked is not None:
            self.ask(code, lambda: self.signing(asked, "bea"), name, dies)

    def display_out(self, display: int, dies: int | None) -> None:
        refused = "" if display in self.model.required else "display.unknown"
        waiting = self.model.gate is not None and self.model.gate.displays.get(display) == "waiting"
        code = self.model.take_out(display)
        values = {**self.house, "jackpot_id": self.floor.jackpot.pk, "display_id": self.floor.displays[display]}
        request = lambda: jackpots.display_out_request(**values, person_id=self.floor.reto.pk, reason="it is dark")  # noqa: E731
        self.with_approval(request, refused, code, "display out", dies)
        self.noted("display taken off a gate", waiting and not code)

    def display_add(self, display: int, dies: int | None) -> None:
        code = self.model.require(display)
        values = {**self.house, "jackpot_id": self.floor.jackpot.pk, "display_id": self.floor.displays[display]}
        request = lambda: jackpots.display_add_request(**values, person_id=self.floor.reto.pk, name=f"D{display}")  # noqa: E731
        self.with_approval(request, "", code, "display added", dies)

    def whole(self, what: str, dies: int | None) -> None:
        """Suspend, resume or adjust it by two people; close or reopen it."""
        ids = {**self.house, "jackpot_id": self.floor.jackpot.pk}
        if what in ("close", "reopen"):
            code, by = getattr(self.model, what)(), {**ids, "actor_id": self.floor.bea.pk}
            why = {"reason": "works in the hall"} if what == "close" else {}
            command = jackpots.jackpot_close if what == "close" else jackpots.jackpot_reopen
            self.ask(code, lambda: command(**by, **why), what, dies)
            return
        more: dict[str, Any] = {"amount_minor": 500} if what == "adjust" else {}
        code = self.model.adjust(500) if what == "adjust" else getattr(self.model, what)()
        payload = {"reason": "a wrong sum", **more}
        by = {"person_id": self.floor.reto.pk, "action": f"jackpot.{what}", "payload": payload}
        early = code if code == "jackpot.phase" else ""
        self.with_approval(lambda: jackpots.jackpot_request(**ids, **by), early, code, what, dies)

    def slip(self, award: hit_model.Award, pay: bool, dies: int | None) -> None:
        there = Award.objects.select_related("slip").get(slip__number=self.model.awards.index(award) + 1)
        if pay:
            code = self.model.pay_slip(award)
            by = {**self.house, "slip_id": there.slip.pk, "actor_id": self.floor.cage.pk}
            self.ask(code, lambda: jackpots.slip_pay(**by, cash_minor=(award.amount + 2) // 5 * 5), "slip paid", dies)
            return
        how = {"open": "unpaid", "paid": "receivable"}.get(award.slip, "loss")
        code = self.model.cancel(award)
        by = {**self.house, "slip_id": there.slip.pk, "person_id": self.floor.reto.pk, "how": how}
        request = lambda: jackpots.award_cancel_request(**by, reason="the wrong box")  # noqa: E731
        self.with_approval(request, code if code == "slip.state" else "", code, f"slip cancelled: {how}", dies)

    def noted(self, what: str, came: bool) -> None:
        if came:
            self.seen[what] += 1

    # --- what stands -------------------------------------------------------------------------------------------------------------
    def same(self) -> None:
        """The jackpot, its hits, claims, gates and slips are the model's."""
        model, now = self.model, self.floor.now()
        assert (now.kept_phase or now.phase, now.phase == "suspended") == (model.phase, model.suspended)
        reading = meter_read(jackpot_id=now.pk)
        assert (reading.sum_minor, reading.epoch_number) == (model.meter, model.epoch)
        assert dict(Round.objects.exclude(state="withdrawn").values_list("id", "state")) == {
            self.row(one): one.state for one in model.rounds
        }
        hits = Hit.objects.order_by("number").values_list("state", "shown_minor")
        assert list(hits) == [(hit.state, hit.shown) for hit in model.hits]
        listed = Hit.objects.values_list("number", "listed__round_id")
        assert set(listed) == {(n, self.row(one)) for n, hit in enumerate(model.hits, 1) for one in hit.listed}
        claims = Claim.objects.order_by("hit__number", "number").values_list("hit__number", "round_id", "box", "state")
        assert list(claims) == [
            (number, self.row(claim.round), claim.box, claim.state)
            for number, hit in enumerate(model.hits, 1)
            for claim in hit.claims
        ]
        if model.hit:
            assert Split.objects.filter(hit=now.hit).count() == len(model.splits)
        self.same_gates()
        awards = Award.objects.order_by("slip__number").values_list("round_id", "box", "amount_minor", "slip__state")
        assert list(awards) == [(self.row(one.round), one.box, one.amount, one.slip) for one in model.awards]

    def same_gates(self) -> None:
        places = {display: place for place, display in enumerate(self.floor.displays)}
        gates = Gate.objects.order_by("number").values_list("state", "amount_minor")
        assert list(gates) == [(gate.state, gate.amount) for gate in self.model.gates]
        on = GateDisplay.objects.values_list("gate__number", "display_id", "state")
        assert {(number, places[display], state) for number, display, state in on} == {
            (number, display, state)
            for number, gate in enumerate(self.model.gates, 1)
            for display, state in gate.displays.items()
        }
        required = RequiredDisplay.objects.filter(ended_at=None).values_list("display_id", flat=True)
        assert {places[display] for display in required} == self.model.required
