"""The state machine's table of Black Jack: boxes that guests share, and what comes to them between the lock and the end."""

from typing import Any
from uuid import UUID, uuid4

from django.db.models import Q
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from tables import services
from tables.models import Irregularity, RoundStake
from tests.machines import box_model, model
from tests.machines.box_model import BESIDE, Act, Chips, Deal, Outcomes
from tests.machines.decided import Decided
from tests.machines.model import Coup, Session
from tests.machines.tables import BJ, DEALERS

# A lock that is wrong in one thing: its code, and what its only stake says.
FLAWS: dict[str, tuple[str, dict[str, Any]]] = {
    "negative": ("round.stake_wrong", {"amount_minor": -1000}),
    "stranger": ("guest.unknown", {"guest": str(uuid4())}),
    "off step": ("box.off_step", {"amount_minor": 1050}),
    "box outside": ("blackjack.box_outside_layout", {"box": 8}),
    "five times": ("blackjack.kind_unknown", {"kind": "double_1"}),
}
AMOUNTS = (1000, 5000, 10_000, 20_000, 30_000, 60_000)
# What goes wrong in a round, what it is about, what may be decided.
RECORDED = {
    "call_misunderstood": ("hand", ("kept", "burnt")),
    "bank_surplus": ("round", ("burnt",)),
    "empty_box_dealt": ("empty", ("put_right",)),
}
PEOPLE = (*DEALERS, "reto")


def sent(outcomes: Outcomes, bank: str) -> dict[str, Any]:
    """A result as it is tapped."""

    def hand(result: str, doubled: str) -> dict[str, str]:
        return {"result": result} | ({"doubled_result": doubled} if doubled else {})

    return {
        "bank": bank,
        "boxes": {str(box): {"hands": [hand(*one) for one in hands]} for box, hands in outcomes.items()},
    }


def placement(act: Act) -> dict[str, Any]:
    found: dict[str, Any] = {"box": act.box, "guest": act.guest.key, "act": act.what, "hand": act.hand}
    found |= {"away": [one.key for one in act.away]}
    found |= {"amount_minor": act.amount} if act.what == "insurance" else {}
    found |= {"instead_of": act.instead.key} if act.instead else {}
    return found | {"bank": "Ah" if act.ace else "9h"}


class Boxes(Decided):
    """Rounds of Black Jack."""

    def deals(self) -> dict[UUID, Deal]:
        return {one: coup for one, coup in self.coups.items() if isinstance(coup, Deal)}

    def any_deal(self, data: st.DataObject) -> tuple[UUID, Deal]:
        """Mostly the one that runs."""
        deals = self.deals()
        running = [one for one, coup in deals.items() if coup.state == "locked"]
        ids = running if running and data.draw(st.integers(0, 3)) else list(deals)
        round_id = data.draw(st.sampled_from(ids))
        return round_id, deals[round_id]

    # Locks
    def lay(self, data: st.DataObject, table: int) -> Any:
        """At the table of Black Jack guests lay on their own boxes or on the first two."""
        if table != BJ:
            return super().lay(data, table)
        session, found = self.tables[table].session, []
        for guest in [guest for guest in session.guests if guest.here] if session else []:
            box = data.draw(st.sampled_from([None, *sorted({1, 2, guest.box or 1})]))
            if box is not None:
                found.append(Chips(box, guest, "stake", data.draw(st.sampled_from(AMOUNTS))))
        return found

    def stakes(self, laid: Any) -> list[dict[str, Any]]:
        if not isinstance(laid, list):
            return super().stakes(laid)
        return [{"box": one.box, "guest": one.guest.key, "kind": "stake", "amount_minor": one.amount} for one in laid]

    def stay(self, laid: Any) -> list[tuple[int, str, str, int]]:
        if not isinstance(laid, list):
            return super().stay(laid)
        stay = box_model.locked(laid)[1]
        self.seen["prime rule cuts"] += any(amount < one.amount for one, amount in stay)
        return sorted((one.box, one.guest.key, "stake", amount) for one, amount in stay)

    def spoil(self, flaw: str, stakes: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if not stakes or stakes[0]["kind"] != "stake" or flaw == "nothing":
            return super().spoil(flaw, stakes)
        return [stakes[0] | FLAWS[flaw][1]] if flaw in FLAWS else stakes

    def refusal_of_stakes(self, table: int, flaw: str, stakes: list[dict[str, Any]]) -> str:
        if table != BJ:
            return super().refusal_of_stakes(table, flaw, stakes)
        if flaw in FLAWS and stakes:
            return FLAWS[flaw][0]
        return box_model.locked(
            [Chips(one["box"], self.guests[UUID(one["guest"])], "", one["amount_minor"]) for one in stakes]
        )[0]

    def coup_of(self, table: int, session: Session, laid: Any, *, queued: bool) -> Coup:
        if not isinstance(laid, list):
            return super().coup_of(table, session, laid, queued=queued)
        return box_model.deal(table, session, box_model.locked(laid)[1], queued=queued)

    # Between lock and end
    def duty(self, coup: Deal, person: str) -> str:
        return "" if person in ("reto", coup.session.croupier) else "round.croupier_wrong"

    def act_of(self, data: st.DataObject, coup: Deal) -> Act:
        """Mostly what somebody does who has chips there."""
        box = data.draw(st.sampled_from(sorted({one.box for one in coup.chips})))
        there = [one.guest for one in coup.on(box, "stake")]
        others = [*coup.session.guests, *list(self.guests.values())[:3]]  # of another table or evening, too
        guest = data.draw(st.sampled_from(there if data.draw(st.integers(0, 3)) else others))
        what = data.draw(st.sampled_from(("double", "double", "split", "split", "insurance", "even_money")))
        hand = data.draw(st.integers(1, coup.hands(box)))
        instead = data.draw(st.sampled_from([None, None, None, *there]))
        amount = data.draw(st.sampled_from((500, 500, 10_000, 30_000))) if what == "insurance" else 0
        away = tuple(there[:1]) if data.draw(st.integers(0, 5)) == 5 else ()
        return Act(box, guest, what, hand, instead, data.draw(st.integers(0, 4)) < 4, amount, away)

    @precondition(lambda self: self.deals())
    @rule(data=st.data(), person=st.sampled_from(PEOPLE))
    def stake_comes(self, data: st.DataObject, person: str) -> None:
        round_id, coup = self.any_deal(data)
        self.bring(round_id, coup, person, self.act_of(data, coup), twice=data.draw(st.booleans()))

    def bring(self, round_id: UUID, coup: Deal, person: str, act: Act, *, twice: bool = False) -> None:
        """A guest brings a stake after the lock; who may not is told who decides."""
        refused, chips = coup.brings(act)
        code = "" if coup.state == "locked" else "round.state_refused"
        code = code or self.duty(coup, person) or refused
        there = act.guest.session is coup.session and (act.guest.here or coup.queued)
        code = code or ("" if there else "guest.unknown")
        by = {"round_id": round_id, "person_id": self.world.people[person], "supervisor": person == "reto"}
        answer = self.ask(code, services.round_place, keyed=twice, **by, placement=placement(act))
        if code == "blackjack.not_first":
            assert self.refusal.data["decider"] == coup.decider(act)[1].key
        if not code:
            model.post(self.tables[coup.table], coup.place(chips))
            assert answer["stakes"][-1]["placed"] == chips.placed
            self.seen[f"{act.what} placed"] += 1
        self.same_boxes()

    @precondition(lambda self: self.deals())
    @rule(data=st.data(), person=st.sampled_from(PEOPLE))
    def stake_goes_back(self, data: st.DataObject, person: str) -> None:
        """Mostly the newest."""
        round_id, coup = self.any_deal(data)
        newest = coup.newest()
        number = newest.placed if newest and data.draw(st.integers(0, 3)) else data.draw(st.integers(0, 4))
        self.send_back(round_id, coup, person, number, twice=data.draw(st.booleans()))

    def send_back(self, round_id: UUID, coup: Deal, person: str, number: int, *, twice: bool = False) -> None:
        newest = coup.newest()
        code = "" if coup.state == "locked" else "round.state_refused"
        code = code or self.duty(coup, person) or ("" if newest else "round.nothing_placed")
        code = code or ("" if newest and newest.placed == number else "round.stake_not_newest")
        by = {"round_id": round_id, "person_id": self.world.people[person], "supervisor": person == "reto"}
        self.ask(code, services.round_take_back, keyed=twice, **by, placed=number)
        if newest and not code:
            model.post(self.tables[coup.table], coup.take_back(newest))
        self.same_boxes()

    @precondition(lambda self: self.deals())
    @rule(
        data=st.data(),
        person=st.sampled_from(PEOPLE),
        kind=st.sampled_from(list(RECORDED)),
        decision=st.sampled_from(("burnt", "kept", "put_right")),
        box=st.none() | st.integers(1, 8),
        hand=st.none() | st.integers(1, 2),
    )
    def record(self, data: st.DataObject, person: str, kind: str, decision: str, box: Any, hand: Any) -> None:
        self.record_one(*self.any_deal(data), person, kind, decision, box, hand)

    def record_one(
        self, round_id: UUID, coup: Deal, person: str, kind: str, decision: str, box: int | None, hand: int | None
    ) -> None:
        about, decisions = RECORDED[kind]
        hands = coup.hands(box) if box else 0
        fits = {"hand": hands > 0, "round": box is None, "empty": box is not None and not hands and box <= 7}[about]
        code = "" if coup.state == "locked" or person == "reto" else "irregularity.late"
        code = code or self.duty(coup, person)
        code = code or ("" if decision in decisions else "irregularity.decision_not_allowed")
        code = code or ("" if fits else "irregularity.box_wrong")
        code = code or ("irregularity.hand_wrong" if hand and (about != "hand" or hand > hands) else "")
        by = {"round_id": round_id, "person_id": self.world.people[person], "supervisor": person == "reto"}
        what = {"kind": kind, "decision": decision, "box": box, "hand": hand}
        self.ask(code, services.irregularity_record, **by, **what, reason="seen by the floor")
        if not code:
            coup.records.append((kind, decision, box, hand))
        self.same_boxes()

    @precondition(lambda self: any(coup.state == "locked" for coup in self.deals().values()))
    @rule(data=st.data())
    def result_of_before(self, data: st.DataObject) -> None:
        running = {one: coup for one, coup in self.deals().items() if coup.state == "locked"}
        round_id = data.draw(st.sampled_from(list(running)))
        self.overtaken(
            round_id, running[round_id], self.results(data, running[round_id]), self.act_of(data, running[round_id])
        )

    def overtaken(self, round_id: UUID, coup: Deal, results: tuple[Any, ...], act: Act) -> None:
        """A result was worked out, then a stake comes: the result does not know it."""
        if results[3]:
            return
        prepared = services.round_evaluate(**self.house, round_id=round_id, result=results[0])
        there, on_duty = len(coup.numbers), coup.session.croupier
        self.bring(round_id, coup, on_duty, act)
        if len(coup.numbers) > there:
            by = {"prepared": prepared, "person_id": self.world.people[on_duty]}
            self.ask("round.changed", lambda house_id: services.round_settle(**by))

    def meddle(self, data: st.DataObject, round_id: UUID, coup: Coup) -> None:
        """Stakes come, go back, and something is recorded."""
        if not isinstance(coup, Deal):
            super().meddle(data, round_id, coup)
            return
        on_duty = coup.session.croupier
        for _ in range(data.draw(st.integers(0, 5))):
            what = data.draw(st.sampled_from(("place", "place", "place", "place", "take back", "record", "overtaken")))
            if what == "place":
                self.bring(round_id, coup, on_duty, self.act_of(data, coup))
            elif what == "overtaken":
                self.overtaken(round_id, coup, self.results(data, coup), self.act_of(data, coup))
            elif what == "record":
                self.record_one(round_id, coup, on_duty, "call_misunderstood", "kept", 1, data.draw(st.integers(1, 2)))
            elif coup.numbers:
                newest = coup.newest()
                self.send_back(round_id, coup, on_duty, newest.placed if newest else 1)
        if data.draw(st.integers(0, 3)) == 3:
            super().meddle(data, round_id, coup)

    def cards_out(self, coup: Coup) -> bool:
        return isinstance(coup, Deal) and bool(coup.numbers)

    # The end
    def results(self, data: st.DataObject, coup: Coup) -> tuple[dict[str, Any], Any, bool, str]:
        if not isinstance(coup, Deal):
            return super().results(data, coup)
        bank = data.draw(st.sampled_from(list(BESIDE)))
        outcomes: Outcomes = {}
        for box in sorted({one.box for one in coup.chips}):
            hands = coup.hands(box)
            natural = hands == 1 and (bool(coup.on(box, "even_money")) or data.draw(st.integers(0, 3)) == 3)
            ends = [data.draw(st.sampled_from(coup.ends(box, hand, bank))) for hand in range(1, hands + 1)]
            doubled = ends[0] if coup.on(box, "double_1") else ""
            outcomes[box] = [("blackjack", doubled)] if natural else [(end, "") for end in ends]
        result, refused = sent(outcomes, bank), ""
        first = result["boxes"][str(min(outcomes))]["hands"]
        match data.draw(st.integers(0, 11)):
            case 10:
                first.append({"result": "bust"})
                refused = "blackjack.hand_unknown"
            case 11:
                first[0] = {}
                refused = "blackjack.outcome_missing"
        return result, (outcomes, bank), False, refused

    def ending(self, coup: Coup, shown: Any, *, no_pair: bool) -> model.Ending:
        if isinstance(coup, Deal):
            return coup.end(*shown)
        return super().ending(coup, shown, no_pair=no_pair)

    def paid_for(self, coup: Coup, line: dict[str, Any]) -> tuple[int, str]:
        """A guest has a sum of his own where several share a box."""
        kind = f"{line['kind']} of {line['guest']}" if isinstance(coup, Deal) else line["kind"]
        return line["box"], kind

    # Without the server
    def queued_boxes(self, data: st.DataObject, laid: list[Chips], dealt_by: str) -> None:
        """A round was played without the server, with what came after its lock."""
        session = self.tables[BJ].session or Session("nora", "fast")
        code, stay = box_model.locked(laid)
        coup, sends = box_model.deal(BJ, session, stay, queued=True), []
        for _ in range(data.draw(st.integers(0, 3)) if stay else 0):
            if not code:
                act = self.act_of(data, coup)
                sends.append(placement(act))
                code, chips = coup.brings(act)
                code = code or ("" if act.guest.session is session else "guest.unknown")
                if not code:
                    coup.place(chips)
        result, shown, _, refused = self.results(data, coup) if stay else ({}, None, False, "")
        self.take_queued(laid, coup, sends, (result, shown), dealt_by, code or refused)

    def take_queued(
        self, laid: list[Chips], coup: Deal, sends: list[Any], ends: tuple[Any, Any], dealt_by: str, code: str = ""
    ) -> None:
        """It is booked, and once: the same again is answered, with other stakes it is another round."""
        round_id, there = uuid4(), self.tables[BJ]
        code = self.busy(BJ) or ("round.queued_stopped" if there.linked else "") or code
        known = {coup.session.croupier, *coup.session.had}
        code = code or ("" if dealt_by in known else "round.croupier_wrong")
        values = {"round_id": round_id, "stakes": self.stakes(laid), "result": ends[0], "placed": sends}
        values |= self.where(BJ) | {"person_id": self.world.people[dealt_by]}
        answer = self.ask(code, services.round_take_queued, **values)
        if code:
            return
        self.bodies[round_id] = (BJ, values["stakes"], True)
        self.begun(round_id, coup)
        self.ended(coup, coup.end(*ends[1]), dealt_by, answer)
        self.seen["queued with placed"] += bool(sends)
        assert self.ask("", services.round_take_queued, **values)["lines"] == answer["lines"]
        other = [] if sends else [{}]
        self.ask("round.placed_otherwise", services.round_take_queued, **values | {"placed": other})
        self.same_boxes()

    # What stands
    def same_boxes(self) -> None:
        """What lies on each box, what came and went, what was recorded; and the books."""
        self.boxes_are_the_models()
        self.books_are_the_models()

    @invariant()
    def boxes_are_the_models(self) -> None:
        of_table = {"round__table_id": self.world.ids[BJ]}
        lies = Q(placed=0, accepted_minor__gt=0) | Q(placed__gt=0)
        columns = ("round_id", "box", "guest_id", "kind", "accepted_minor", "placed", "takes_back", "source_id")
        wanted = []
        for round_id, coup in self.deals().items():
            for one in [one for one in coup.chips if not one.placed]:
                wanted.append((round_id, one.box, UUID(one.guest.key), one.kind, one.amount, 0, None, None))
            for number, (back, one) in enumerate(coup.numbers, 1):
                who = (one.box, UUID(one.guest.key), one.kind, 0 if back else one.amount)
                wanted.append((round_id, *who, number, back or None, one.source and UUID(one.source.key)))
        rows = RoundStake.objects.filter(lies, **of_table).values_list(*columns)
        assert sorted(rows, key=str) == sorted(wanted, key=str)
        records = Irregularity.objects.values_list("round_id", "kind", "decision", "box", "hand")
        recorded = [(one, *record) for one, coup in self.deals().items() for record in coup.records]
        assert sorted(records, key=str) == sorted(recorded, key=str)
