"""The state machine's results: rounds are settled by cards or taps, put right, voided, reopened, withdrawn."""

from collections import Counter
from typing import Any
from uuid import UUID, uuid4

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tables import services
from tests.machines import model
from tests.machines.deals import DEALS
from tests.machines.locks import Locks
from tests.machines.model import ALONE_S, BACK_S, MUCH, Coup, Showing
from tests.machines.tables import DEALERS, LEVELS, TABLES

PLAYS = st.integers(0, 4)


def moved(before: model.Ending, after: model.Ending) -> int:
    """How much more, or less, is paid or staked in the round, or both together, each box and guest counted by itself."""
    paid = Counter[tuple[int, str]]()
    net = Counter[tuple[int, str]]()
    for sign, ending in ((1, after), (-1, before)):
        for times, sums, amounts in ((1, paid, ending.paid), (1, net, ending.paid), (-1, net, ending.staked)):
            for (box, name), amount in amounts.items():
                sums[box, name.partition(" of ")[2]] += sign * times * amount
    staked = Counter({whose: paid[whose] - net[whose] for whose in {*paid, *net}})
    return max(total for sums in (paid, net, staked) for total in ((+sums).total(), (-sums).total()))


class Ends(Locks):
    """Rounds end."""

    def results(self, data: st.DataObject, coup: Coup) -> tuple[dict[str, Any], dict[int, Showing], bool, str]:
        """A result that may be entered for the round: as it is sent, what it means, dealer without a pair, and its refusal."""
        deal = data.draw(st.sampled_from(DEALS))
        if coup.level == "jackpot_only":
            shown = {box: deal.showing(box, 1) for box in coup.laid}
            boxes: dict[str, Any] = {str(box): {"cards": deal.holes[box - 1]} for box in coup.laid}
            return {"board": deal.board, "boxes": boxes}, shown, False, ""
        plays = {box: one.play or data.draw(PLAYS) for box, one in coup.laid.items()}
        if data.draw(st.integers(0, 2)) or (coup.level == "full_cards" and data.draw(st.booleans())):
            shown = {box: deal.showing(box, play) for box, play in plays.items()}
            boxes = {str(box): {"play": play, "cards": deal.holes[box - 1]} for box, play in plays.items()}
            return {"board": deal.board, "dealer": deal.dealer, "boxes": boxes}, shown, deal.no_pair, ""
        shown, no_pair = {}, data.draw(st.booleans())
        for box, play in plays.items():
            outcome = data.draw(st.sampled_from(("win", "lose"))) if play else "fold"
            hand = data.draw(st.sampled_from(("", "", "straight", "flush"))) if outcome == "win" else ""
            shown[box] = Showing(outcome, hand, play)
        boxes = {
            str(box): {"play": one.play, "result": one.result} | ({"hand": one.hand} if one.hand else {})
            for box, one in shown.items()
        }
        refused = "round.level_refused" if coup.level == "full_cards" else ""
        return {"boxes": boxes, "dealer_without_pair": no_pair}, shown, no_pair, refused

    def ending(self, coup: Coup, shown: dict[int, Showing], *, no_pair: bool) -> model.Ending:
        return model.end(coup.laid, shown, no_pair=no_pair, coins_only=coup.level == "jackpot_only")

    def ended(self, coup: Coup, ending: model.Ending, person: str, answer: dict[str, Any]) -> None:
        """The round is settled, or settled anew: what is said to be paid is what the model pays."""
        there = self.tables[coup.table]
        if coup.revision:
            model.post(there, coup.settled, back=True)
        coup.state, coup.revision, coup.ended_by = "settled", coup.revision + 1, coup.ended_by or person
        coup.settled_at = coup.settled_at if coup.revision > 1 else self.now
        coup.settled, coup.highest = ending.posted, max(coup.highest, ending.highest)
        model.post(there, coup.settled)
        if (
            ending.claim and coup.epoch == self.jackpot.epoch
        ):  # a meter that was paid is not won again: it is an overlooked one
            model.claim(self.jackpot, self.tables, coup)
            self.seen["claim corrected in" if coup.revision > 1 else "claim"] += 1
        there.running = None if there.running is coup else there.running
        said: dict[tuple[int, str], int] = {}
        for line in answer["lines"]:
            key = self.paid_for(coup, line)
            said[key] = said.get(key, 0) + line["paid_minor"]
        assert said == ending.paid
        coup.paid, coup.claims = said, ending.claim
        coup.endings.append(ending)
        self.seen[f"ended, {coup.level}"] += 1
        self.seen.update({kind.partition(" ")[0] for (_box, kind), amount in ending.paid.items() if amount})

    def paid_for(self, coup: Coup, line: dict[str, Any]) -> tuple[int, str]:
        """What lines are one sum of."""
        return line["box"], line["kind"]

    def cards_out(self, coup: Coup) -> bool:
        """Whether something says that cards of the round are dealt."""
        return False

    @rule(data=st.data(), table=TABLES, rounds=st.integers(1, 4))
    def play(self, data: st.DataObject, table: int, rounds: int) -> None:
        """Rounds as they mostly go: locked, settled by who has the table, now and then put right at once."""
        for _ in range(rounds):
            self.play_one(data, table, mistyped=data.draw(st.booleans()))

    def play_one(self, data: st.DataObject, table: int, *, mistyped: bool) -> None:
        there = self.tables[table]
        if there.session is None:
            self.open_table(table, "martina", data.draw(st.sampled_from(LEVELS)) if there.linked else "fast")
        if there.running is None:
            self.lock(table, "", False, data)
        running = [(one, coup) for one, coup in self.coups.items() if coup is there.running]
        for round_id, coup in running:
            self.meddle(data, round_id, coup)
            self.settle_one(data, round_id, coup, coup.session.croupier)
            if mistyped and coup.state == "settled":
                self.correct_one(data, round_id, coup, coup.session.croupier)

    def meddle(self, data: st.DataObject, round_id: UUID, coup: Coup) -> None:
        """Something else may happen to a round before it is settled, and by anybody."""
        person = data.draw(st.sampled_from(DEALERS))
        match data.draw(st.sampled_from(("", "", "", "reopen", "void", "withdraw", "hand over"))):
            case "reopen":
                self.reopen_one(round_id, coup, person)
            case "void":
                self.void_one(round_id, coup, "misdeal")
            case "withdraw":
                self.withdraw_one(round_id, coup, coup.table, person)
            case "hand over":
                self.hand_over(coup.table, person)

    @precondition(lambda self: self.coups)
    @rule(data=st.data(), person=st.sampled_from((*DEALERS, "reto")))
    def settle(self, data: st.DataObject, person: str) -> None:
        """Any round, by anybody."""
        self.settle_one(data, *self.any_coup(data), person)

    def settle_one(self, data: st.DataObject, round_id: UUID, coup: Coup, person: str) -> None:
        result, shown, no_pair, refused = self.results(data, coup)
        self.settle_as(round_id, coup, person, result, self.ending(coup, shown, no_pair=no_pair), refused)

    def settle_as(
        self, round_id: UUID, coup: Coup, person: str, result: object, ending: model.Ending, refused: str = ""
    ) -> None:
        if coup.state != "locked":
            code = "round.state_refused"
        else:
            wrong = "round.croupier_wrong" if person not in ("reto", coup.session.croupier) else ""
            code = refused or wrong

        def settled(house_id: UUID) -> Any:
            prepared = services.round_evaluate(house_id=house_id, round_id=round_id, result=result)
            return services.round_settle(
                prepared=prepared, person_id=self.world.people[person], supervisor=person == "reto"
            )

        answer = self.ask(code, settled)
        if not code:
            self.ended(coup, ending, person, answer)

    @precondition(lambda self: any(coup.state == "settled" for coup in self.coups.values()))
    @rule(data=st.data(), person=st.sampled_from(DEALERS))
    def correct(self, data: st.DataObject, person: str) -> None:
        """Any settled round, mostly the last."""
        settled = [(one, coup) for one, coup in self.coups.items() if coup.state == "settled"]
        round_id, coup = settled[-1] if data.draw(st.booleans()) else data.draw(st.sampled_from(settled))
        self.correct_one(data, round_id, coup, person)

    def correct_one(self, data: st.DataObject, round_id: UUID, coup: Coup, person: str) -> None:
        result, shown, no_pair, refused = self.results(data, coup)
        self.correct_as(round_id, coup, person, result, self.ending(coup, shown, no_pair=no_pair), refused)

    def correct_as(
        self, round_id: UUID, coup: Coup, person: str, result: object, ending: model.Ending, refused: str = ""
    ) -> None:
        alone = coup.ended_by == person == coup.session.croupier and coup.session.rounds == coup.number
        alone = alone and abs(self.now - coup.settled_at) <= ALONE_S
        compared = [moved(stood, ending) for stood in (coup.endings[:1] + coup.endings[-1:])]
        much = max(coup.highest, ending.highest, *compared) >= MUCH
        busy = coup.epoch is not None and self.jackpot.hit is not None
        code = refused or ("" if alone and not much and not busy else "round.approval_needed")

        def corrected(house_id: UUID) -> Any:
            prepared = services.round_evaluate(house_id=house_id, round_id=round_id, result=result, state="settled")
            return services.round_correct(prepared=prepared, person_id=self.world.people[person], reason="mistyped")

        answer = self.ask(code, corrected)
        if not code:
            self.ended(coup, ending, person, answer)

    def taken_back(self, coup: Coup, state: str) -> None:
        there = self.tables[coup.table]
        model.post(there, coup.locked, back=True)
        coup.state, there.running = state, None

    @precondition(lambda self: self.coups)
    @rule(data=st.data(), person=st.sampled_from(DEALERS))
    def reopen(self, data: st.DataObject, person: str) -> None:
        self.reopen_one(*self.any_coup(data), person)

    def reopen_one(self, round_id: UUID, coup: Coup, person: str) -> None:
        code = "" if coup.state == "locked" else "round.state_refused"
        code = code or ("" if coup.session.croupier == person else "round.croupier_wrong")
        code = code or ("round.reopen_late" if abs(self.now - coup.at) > BACK_S else "")
        code = code or ("round.cards_out" if self.cards_out(coup) else "")
        code = code or ("" if coup.epoch is None else self.frozen())
        self.ask(code, services.round_reopen, round_id=round_id, person_id=self.world.people[person])
        if not code:
            self.taken_back(coup, "reopened")

    @precondition(lambda self: self.coups)
    @rule(data=st.data(), reason=st.sampled_from(("misdeal", "")))
    def void(self, data: st.DataObject, reason: str) -> None:
        self.void_one(*self.any_coup(data), reason)

    def void_one(self, round_id: UUID, coup: Coup, reason: str) -> None:
        code = "" if reason else "text.refused"
        code = code or ("" if coup.state == "locked" else "round.state_refused")
        self.ask(code, services.round_void, round_id=round_id, person_id=self.world.people["reto"], reason=reason)
        if not code:
            self.taken_back(coup, "voided")

    @rule(data=st.data(), table=TABLES, known=st.booleans(), person=st.sampled_from(DEALERS))
    def withdraw(self, data: st.DataObject, table: int, known: bool, person: str) -> None:
        """Of a lock that came, or never will: then a tombstone stands."""
        round_id, coup = self.any_coup(data) if known and self.coups else (uuid4(), None)
        self.withdraw_one(round_id, coup, table, person)

    def withdraw_one(self, round_id: UUID, coup: Coup | None, table: int, person: str) -> None:
        session = self.tables[table].session
        code = "" if session and session.croupier == person else "round.croupier_wrong"
        if coup and not code:
            wrong_table = "round.id_taken" if coup.table != table else ""
            code = wrong_table or ("round.state_refused" if coup.state == "settled" else "")
            if not code and coup.state == "locked":
                late = "round.withdraw_late" if abs(self.now - coup.at) > BACK_S else ""
                late = "round.stands" if self.stands(round_id, coup) else late
                code = "round.cards_out" if self.cards_out(coup) else late
        values = {"round_id": round_id, "person_id": self.world.people[person]}
        answer = self.ask(code, services.round_withdraw, **self.where(table), **values)
        if code:
            return
        if coup is None:
            coup = self.coups[round_id] = Coup(table, None, {}, state="withdrawn")
        elif coup.state == "locked":
            self.taken_back(coup, "voided")
        assert answer["state"] == coup.state

    def stands(self, round_id: UUID, coup: Coup) -> bool:
        """A running hit waits for the round, or a result of it has come."""
        listed = self.jackpot.hit is not None and coup in self.jackpot.hit.listed
        return listed or round_id in self.came

    @precondition(lambda self: any(coup.state == "withdrawn" for coup in self.coups.values()))
    @rule(data=st.data(), queued=st.booleans())
    def lock_late(self, data: st.DataObject, queued: bool) -> None:
        """A lock that comes after its withdrawal is refused, whatever it holds."""
        gone = [(one, coup) for one, coup in self.coups.items() if coup.state == "withdrawn"]
        round_id, coup = data.draw(st.sampled_from(gone))
        values = {"round_id": round_id, "stakes": [], "croupier_id": self.world.people["martina"], "queued": queued}
        self.ask("round.withdrawn", services.round_lock, **self.where(coup.table), **values)
