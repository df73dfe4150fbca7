"""What the jackpot's machine does: rounds, the hit, displays, slips, the whole; and what the model says to each."""

from typing import Any
from uuid import uuid4

from django.db import connection

from jackpot import services as jackpots
from jackpot.models import Claim, Gate, Hit
from tables import services
from tests.floor import stakes_for
from tests.jackpot.linked import BOARDS, CHECKLIST, royal
from tests.machines import things
from tests.machines.asking import Asking, Crash, dying
from tests.machines.desk_model import Request
from tests.machines.prize_model import CANCELLED_AS

Dies = int | None


class Hits(Asking):
    """Commands."""

    # Rounds
    def lock(self, table: int, coins: int, dies: Dies) -> None:
        round_id = uuid4()
        code = self.model.lock(round_id, table, coins)
        stakes = stakes_for(self.floor.guests[table][:2], coins=coins)
        ids = {"table_id": self.floor.tables[table].pk, "croupier_id": self.floor.croupiers[table].pk}
        self.ask(code, lambda: services.round_lock(**self.house, round_id=round_id, stakes=stakes, **ids), "lock", dies)

    def result(self, one: things.Round, box: int | None) -> dict[str, Any]:
        if box is not None:
            return royal("hdc"[one.table], box=box)
        return {"boxes": {str(number): {"result": "fold"} for number in (1, 2)}}

    def settle(self, one: things.Round, box: int | None, dies: Dies, *, by: str = "") -> None:
        """`by`: the pit boss acts for the croupier."""
        called, code = self.model.live(one), self.model.settle(one, box, by)
        values = {**self.house, "round_id": self.row(one), "result": self.result(one, box)}
        prepared = services.round_evaluate(**values)
        person = self.person(by).pk if by else self.floor.croupiers[one.table].pk
        work = lambda: services.round_settle(prepared=prepared, person_id=person, supervisor=bool(by))  # noqa: E731
        self.ask(code, work, f"settle{' for him' * bool(by)}", dies)
        self.noted("call fixed", called is not None and not code and called.state == "open")
        self.noted("call dropped", called is not None and not code and called.state == "dropped")

    def correct(self, one: things.Round, box: int | None, dies: Dies, *, signer: str = "ines") -> None:
        """Somebody asks, another signs; and it is done, or refused and the request turned down: so where the signer is barred."""
        code = ("" if one.state == "settled" else "round.state_refused") or self.model.resting("nora")
        if not code:
            dealt = {f"dealer{one.table}", one.entered_by}
            self.model.ask("round.correct", ("round", one), "nora", excluded=dealt)
        values = {**self.house, "round_id": self.row(one), "result": self.result(one, box), "state": "settled"}
        by = {"person_id": self.floor.nora.pk, "reason": "seen on camera"}
        work = lambda: services.round_correction_request(prepared=services.round_evaluate(**values), **by)  # noqa: E731
        asked = self.asked_for(code, work, "correction asked")
        if asked is not None and self.sign(asked, signer):
            self._corrects(one, box, asked, dies)
        if asked is not None and asked.state == "open":
            self.turn_down(asked, "nora")

    def _corrects(self, one: things.Round, box: int | None, asked: Request, dies: Dies) -> None:
        verifying, before, epoch = self.model.phase == "verifying", self.model.live(one), self.model.epoch
        code = self.unsigned(asked) or self.model.correct(one, box, {"nora", *asked.signed})
        values = {**self.house, "round_id": self.row(one), "result": self.result(one, box), "state": "settled"}
        by = {"person_id": self.floor.nora.pk, "reason": "seen on camera", "approval_id": asked.key}
        self.ask(
            code, lambda: services.round_correct(prepared=services.round_evaluate(**values), **by), "correct", dies
        )
        asked.state = asked.state if code else "used"
        self.noted("corrected while verifying", verifying and not code and (before or self.model.live(one)) is not None)
        self.noted("late truth", not code and one.epoch < epoch)
        begins = not verifying and self.model.phase == "draining" and before is None
        self.noted("hit by a correction", not code and begins)

    def take_back(self, one: things.Round, how: str, dies: Dies, *, signer: str = "bea") -> None:
        frozen, claimed, by = self.model.hit, self.model.live(one), self.by(one)
        if how == "void signed":
            return self._void_signed(one, dies, signer)
        code = self.model.take_back(one, how)
        if how == "reopen":
            self.ask(code, lambda: services.round_reopen(**by), how, dies)
        elif how == "withdraw":
            table = self.floor.tables[one.table].pk
            self.ask(code, lambda: services.round_withdraw(**by, table_id=table), how, dies)
        else:
            by |= {"person_id": self.floor.reto.pk, "reason": "misdeal"}
            self.ask(code, lambda: services.round_void(**by), how, dies)
        self._listed_voided(one, frozen)
        self.noted("claim voided", claimed is not None and not code)
        return None

    def _listed_voided(self, one: things.Round, frozen: things.Hit | None) -> None:
        self.noted("listed round voided", frozen is not None and one in frozen.listed and one.state == "voided")

    def _void_signed(self, one: things.Round, dies: Dies, signer: str) -> None:
        """Who dealt or called it does not sign that its claim goes with it."""
        claimed, frozen = self.model.live(one), self.model.hit
        code = ("" if one.state == "locked" else "round.state_refused") or self.model.resting("reto")
        if not code:
            self.model.ask("round.void_claimed", ("round", one), "reto", excluded=one.authors)
        by = self.by(one) | {"person_id": self.floor.reto.pk, "reason": "misdeal"}
        asked = self.asked_for(code, lambda: services.round_void_request(**by), "void asked")
        if asked is None or not self.sign(asked, signer):
            return
        code = self.unsigned(asked) or self.model.take_back(one, "void signed")
        asked.state = asked.state if code else "used"
        by |= {"approval_id": asked.key}
        self.ask(code, lambda: services.round_void(**by), "void signed", dies)
        self._listed_voided(one, frozen)
        self.noted("claim voided", claimed is not None and not code)

    def unsigned(self, asked: Request) -> str:
        """A signature counts while whoever gave it is let in."""
        return "" if self.model.counted(asked) else "approval.unsigned"

    def withdraw_unknown(self, table: int, dies: Dies) -> None:
        """A lock whose answer never came, and which never came itself: a tombstone, whatever the jackpot does."""
        by = {**self.house, "round_id": uuid4(), "person_id": self.floor.croupiers[table].pk}
        self.ask("", lambda: services.round_withdraw(**by, table_id=self.floor.tables[table].pk), "withdraw", dies)
        self.noted("withdrawn while draining", self.model.phase == "draining")

    def call(self, one: things.Round, dies: Dies, *, by: str = "") -> None:
        code, values = self.model.call(one, by), self.by(one)
        values |= {"person_id": self.person(by).pk, "supervisor": True} if by else {}
        self.ask(code, lambda: services.round_call(**values), f"call{' for him' * bool(by)}", dies)

    def feed(self, one: things.Round, dies: Dies) -> None:
        """A shoe has read the board."""
        code, cards = self.model.read_card(one), {"board": BOARDS["hdc"[one.table]]}
        values = {**self.house, "round_id": self.row(one), "cards": cards}
        self.ask(code, lambda: services.card_feed_record(**values), "card read", dies)

    # The hit
    def decide(self, claim: things.Claim, verified: bool, person: str, dies: Dies) -> None:
        hit = next(one for one in self.model.hits if claim in one.claims)
        code = self.model.decide(claim, "verified" if verified else "refused", person)
        number = hit.claims.index(claim) + 1
        there = Claim.objects.get(hit__number=self.model.hits.index(hit) + 1, number=number)
        by = {**self.house, "claim_id": there.pk, "person_id": self.person(person).pk}
        if verified:
            self.ask(code, lambda: jackpots.claim_verify(**by, checklist=CHECKLIST), "verify", dies)
        else:
            self.ask(code, lambda: jackpots.claim_refuse(**by, reason="a misread card"), "refuse", dies)

    def ask_rejection(self, dies: Dies, *, by: str = "reto") -> None:
        there = Hit.objects.order_by("-number").first()
        if there is not None:
            values = {**self.house, "hit_id": there.pk, "person_id": self.person(by).pk, "reason": "a misread card"}
            work = lambda: jackpots.hit_reject_request(**values)  # noqa: E731
            self.asked_for(self.model.ask_rejection(by), work, "reject asked", dies)

    def asked_now(self, action: str) -> Request | None:
        """The request about the hit at hand."""
        return next(iter(self.model.open(("hit", self.model.hit), action)), None)

    def advance(self, dies: Dies) -> None:
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
        self.known()
        self.noted("gate made anew", lapsed is not None and lapsed.state == "lapsed")
        if hit is not None:
            winners = sum(claim.state == "verified" for claim in hit.claims)
            self.noted({1: "paid", 2: "double royal", 3: "triple royal"}.get(winners, ""), hit.state == "paid")
            self.noted("rejected", hit.state == "rejected")
            self.noted("hit ended in a suspension", hit.state in ("paid", "rejected") and self.model.suspended)
            self.noted("split anew", hit.state == "paid" and len(self.model.splits) > 1)
            self.noted("prize paid with its hit", hit.state == "paid" and self.model.awards[-1].kind == "prize")

    # Displays
    def confirm(self, number: int, display: int, digits: bool, dies: Dies) -> None:
        gate = Gate.objects.get(number=number + 1)
        here = self.floor.displays[display]
        self.floor.heard(here)
        code = self.model.confirm(number, display, digits=digits)
        values = {**self.house, "jackpot_id": self.floor.jackpot.pk, "display_id": here, "gate": gate.number}
        values |= {"session_id": self.floor.sessions[here], "nonce": gate.nonce, "version": gate.version}
        shown = f"{gate.amount_minor // 100}.{gate.amount_minor % 100:02}" if digits else "0.00"
        self.ask(code, lambda: jackpots.gate_confirm(**values, shown=shown), "confirm", dies)

    def ask_display(self, display: int, by: str, *, out: bool) -> Request | None:
        """That a display goes off the list, or comes on it."""
        code = self.model.ask_out(display, by) if out else self.model.ask_in(display, by)
        values = {**self.house, "jackpot_id": self.floor.jackpot.pk, "display_id": self.floor.displays[display]}
        values |= {"person_id": self.person(by).pk}
        if out:
            return self.asked_for(
                code, lambda: jackpots.display_out_request(**values, reason="it is dark"), "out asked"
            )
        return self.asked_for(code, lambda: jackpots.display_add_request(**values, name=f"D{display}"), "in asked")

    def display_moves(self, display: int, dies: Dies, *, out: bool) -> None:
        waiting = self.model.gate is not None and self.model.gate.displays.get(display) == "waiting"
        asked = self.ask_display(display, self.somebody(), out=out)
        if asked is not None and self.sign(asked, self.somebody(request=asked), dies):
            self.seen["display out" if out else "display added"] += 1
            self.noted("display taken off a gate", waiting and out)

    # The whole and its slips
    def ask_whole(self, what: str, by: str, amount: int = 500) -> Request | None:
        """Suspend, resume or adjust it."""
        amount = amount if what == "adjust" else 0
        values: dict[str, Any] = {**self.house, "jackpot_id": self.floor.jackpot.pk, "action": f"jackpot.{what}"}
        values |= {"person_id": self.person(by).pk, "payload": {"reason": "a wrong sum"}}
        values["payload"] |= {"amount_minor": amount} if amount else {}
        code = self.model.ask_whole(what, by, amount)
        return self.asked_for(code, lambda: jackpots.jackpot_request(**values), f"{what} asked")

    def whole(self, what: str, dies: Dies) -> None:
        """Suspend, resume or adjust it by two people; close or reopen it."""
        ids = {**self.house, "jackpot_id": self.floor.jackpot.pk}
        if what in ("close", "reopen"):
            code, by = getattr(self.model, what)(), {**ids, "actor_id": self.floor.bea.pk}
            why = {"reason": "works in the hall"} if what == "close" else {}
            command = jackpots.jackpot_close if what == "close" else jackpots.jackpot_reopen
            self.ask(code, lambda: command(**by, **why), what, dies)
            return
        asked = self.ask_whole(what, self.somebody())
        if asked is not None:
            self.noted(what, self.sign(asked, self.somebody(request=asked), dies))

    def pay(self, award: things.Award, by: str, dies: Dies, *, more: int = 0) -> None:
        code, slip = self.model.pay_slip(award, by, more=more), self.slip_of(award)
        values = {**self.house, "slip_id": slip.pk, "actor_id": self.person(by).pk}
        cash = (award.amount + 2) // 5 * 5 + more
        self.ask(code, lambda: jackpots.slip_pay(**values, cash_minor=cash), "slip paid", dies)

    def ask_cancel(self, award: things.Award, how: str, by: str) -> Request | None:
        code = self.model.ask_cancel(award, how, by)
        values = {**self.house, "slip_id": self.slip_of(award).pk, "person_id": self.person(by).pk, "how": how}
        work = lambda: jackpots.award_cancel_request(**values, reason="the wrong box")  # noqa: E731
        return self.asked_for(code, work, "cancel asked")

    def cancel(self, award: things.Award, dies: Dies) -> None:
        how = CANCELLED_AS.get(award.slip, ("loss",))[0]
        asked = self.ask_cancel(award, how, self.somebody())
        if asked is not None:
            signed = self.sign(asked, self.somebody(request=asked), dies)
            self.noted(f"slip cancelled: {how}", signed)
