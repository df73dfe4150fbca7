"""The state machine's locks: stakes within the limits, and stakes that are wrong in one thing."""

from typing import Any
from uuid import UUID, uuid4

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tables import services
from tests.machines import model
from tests.machines.model import COIN, Coup, Laid, Session
from tests.machines.tables import DEALERS, TABLES, Tables

# A lock that is wrong in one thing, and the code that says so.
FLAWS = {
    "": "",
    "negative": "round.stake_wrong",
    "stranger": "guest.unknown",
    "off step": "uth.off_step",
    "too high": "uth.off_limits",
    "blind unlike ante": "uth.blind_unlike_ante",
    "half a coin": "uth.coin_wrong",
    "no ante": "uth.trips_without_ante",
    "box outside": "uth.box_outside_layout",
    "five times": "uth.play_not_allowed",
    "nothing": "uth.no_box",
}


class Locks(Tables):
    """Rounds begin."""

    def lay(self, data: st.DataObject, table: int) -> dict[int, Laid]:
        """What guests who are there lay, within the limits."""
        there = self.tables[table]
        session = there.session or Session("nora", "fast")
        coins_only, laid = session.level == "jackpot_only", {}
        for guest in [guest for guest in session.guests if guest.here and guest.box]:
            if not data.draw(st.booleans() if laid else st.just(True)):
                continue
            ante = 0 if coins_only else 500 * data.draw(st.integers(1, 10))
            trips = 500 * data.draw(st.sampled_from((0, 1, 10))) if ante else 0
            coin = coins_only or (there.linked and data.draw(st.booleans()))
            laid[guest.box] = Laid(guest, ante, trips, coin)
        owned = {guest.box for guest in session.guests if guest.here}
        free = [box for box in range(1, 8) if box not in laid and box not in owned]
        if laid and not coins_only and free and data.draw(st.integers(0, 3)) == 0:
            owner = data.draw(st.sampled_from([one.guest for one in laid.values()]))
            laid[data.draw(st.sampled_from(free))] = Laid(owner, 500, play=data.draw(st.integers(1, 4)))
        return laid

    def stakes(self, laid: dict[int, Laid]) -> list[dict[str, Any]]:
        found = []
        for box, one in laid.items():
            amounts = {"ante": one.ante, "blind": one.ante, "trips": one.trips, "play": one.play * one.ante}
            amounts["coin"] = COIN if one.coin else 0
            guest = one.guest.key
            found += [
                {"box": box, "guest": guest, "kind": kind, "amount_minor": amount}
                for kind, amount in amounts.items()
                if amount
            ]
        return found

    def spoil(self, flaw: str, stakes: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Make the stakes of the first box wrong in one thing."""
        if flaw == "nothing" or not stakes:
            return []
        first = stakes[0]
        box, guest = first["box"], first["guest"]
        rest = [dict(one) for one in stakes if one["box"] != box]
        pair = {"off step": 750, "too high": 5500}.get(flaw, 1000)
        amounts = {"ante": pair, "blind": pair}
        amounts |= {"blind unlike ante": {"blind": 1500}, "five times": {"play": 5000}}.get(flaw, {})
        amounts |= {"half a coin": {"coin": 250}, "negative": {"ante": -1000}}.get(flaw, {})
        if flaw == "no ante":
            amounts = {"trips": 500}
        guest = str(uuid4()) if flaw == "stranger" else guest
        box = 8 if flaw == "box outside" else box
        spoiled = [
            {"box": box, "guest": guest, "kind": kind, "amount_minor": amount} for kind, amount in amounts.items()
        ]
        return spoiled + rest

    def refusal_of_stakes(self, table: int, flaw: str, stakes: list[dict[str, Any]]) -> str:
        """What the game says at an open table."""
        there = self.tables[table]
        if flaw == "stranger":
            return FLAWS[flaw] if stakes else "uth.no_box"
        if not stakes:
            return "uth.no_box"
        coins_only = there.session is not None and there.session.level == "jackpot_only"
        if flaw and coins_only and flaw != "box outside":
            return "round.level_refused"
        if flaw == "half a coin" and not there.linked:
            return "uth.no_progressive"
        return FLAWS[flaw]

    @rule(
        table=TABLES,
        flaw=st.sampled_from(["", "", "", *FLAWS]),
        wrong=st.integers(0, 9).map(lambda n: n == 0),
        data=st.data(),
    )
    def lock(self, table: int, flaw: str, wrong: bool, data: st.DataObject) -> None:
        there, round_id = self.tables[table], uuid4()
        laid = self.lay(data, table)
        stakes = self.spoil(flaw, self.stakes(laid)) if flaw else self.stakes(laid)
        on_duty = there.session.croupier if there.session else "nora"
        person = next(one for one in DEALERS if (one != on_duty) == wrong)
        code = FLAWS[flaw] if flaw == "negative" and stakes else ""
        code = code or ("" if there.session else "table.closed") or ("round.croupier_wrong" if wrong else "")
        code = code or self.busy(table) or (self.frozen() if there.linked else "")
        code = code or self.refusal_of_stakes(table, flaw, stakes)
        self.begin_round(code, table, round_id, stakes, laid, self.world.people[person])

    def begin_round(
        self, code: str, table: int, round_id: UUID, stakes: list[Any], laid: dict[int, Laid], person: UUID, **more: Any
    ) -> Any:
        values = {**self.where(table), "round_id": round_id, "stakes": stakes, "croupier_id": person, **more}
        answer = self.ask(code, services.round_lock, **values)
        if not code:
            self.bodies[round_id] = (table, stakes, bool(more))
            self.locked(table, round_id, laid, queued=bool(more))
            assert (answer["state"], answer["number"]) == ("locked", self.coups[round_id].number)
            assert self.accepted(answer) == self.stay(laid)
        return answer

    def accepted(self, answer: dict[str, Any]) -> list[tuple[int, str, str, int]]:
        """What stays of each stake, as the product says."""
        stakes = [(one["box"], one["guest"], one["kind"], one["accepted_minor"]) for one in answer["stakes"]]
        return sorted(stakes)

    def stay(self, laid: Any) -> list[tuple[int, str, str, int]]:
        """The same by the model: all of it."""
        return sorted((one["box"], one["guest"], one["kind"], one["amount_minor"]) for one in self.stakes(laid))

    def locked(self, table: int, round_id: UUID, laid: dict[int, Laid], *, queued: bool) -> Coup:
        coup = self.coup_of(table, self.tables[table].session, laid, queued=queued)
        return self.begun(round_id, coup)

    def begun(self, round_id: UUID, coup: Coup) -> Coup:
        there, session = self.tables[coup.table], coup.session
        session.rounds += 1
        coup.number, coup.level, coup.at = session.rounds, session.level, self.now
        coup.epoch = self.jackpot.epoch if there.linked else None
        model.post(there, coup.locked)
        there.running = self.coups[round_id] = coup
        return coup

    def coup_of(self, table: int, session: Session, laid: Any, *, queued: bool) -> Coup:
        return Coup(table, session, laid, queued, locked=model.lock_postings(laid))

    def any_coup(self, data: st.DataObject) -> tuple[UUID, Coup]:
        """Mostly one that runs, else any."""
        running = [one for one, coup in self.coups.items() if coup.state == "locked"]
        ids = running if running and data.draw(st.integers(0, 3)) else list(self.coups)
        round_id = data.draw(st.sampled_from(ids))
        return round_id, self.coups[round_id]

    @precondition(lambda self: self.bodies)
    @rule(data=st.data(), other=st.booleans(), person=st.sampled_from(DEALERS))
    def lock_again(self, data: st.DataObject, other: bool, person: str) -> None:
        """The same lock gives the round as it is by now; another one under its id is refused."""
        round_id = data.draw(st.sampled_from(list(self.bodies)))
        table, stakes, queued = self.bodies[round_id]
        coup = self.coups[round_id]
        if other:
            stakes = [*stakes[:-1], stakes[-1] | {"amount_minor": stakes[-1]["amount_minor"] + 500}]
        code = "round.id_taken" if other else ""
        values = {"round_id": round_id, "stakes": stakes, "croupier_id": self.world.people[person], "queued": queued}
        answer = self.ask(code, services.round_lock, **self.where(table), **values)
        if not code:
            assert (answer["state"], answer["number"], answer["revision"]) == (coup.state, coup.number, coup.revision)
