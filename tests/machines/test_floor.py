"""The floor as a state machine: whatever is asked in whatever order, it does what the model of plain Python says, or refuses with
the code that the model says; after each step the books, rounds and guests are the model's, and at the end of each run every audit
passes and every round settles again to its lines.

Short in CI; `make machines` (FLOOR_EXAMPLES runs) is the long form.
"""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from tables import services
from tables.errors import RoundState
from tests.conftest import module_database
from tests.machines.decided import Decided
from tests.machines.model import Coup, Laid, Showing
from tests.machines.tables import DEALERS, World

SHORT = "FLOOR_EXAMPLES" not in os.environ
EXAMPLES, STEPS = int(os.environ.get("FLOOR_EXAMPLES", "6")), 40


class FloorMachine(Decided):
    """Without the server, and too late."""

    def queue_refusal(self, table: int, laid: dict[int, Laid]) -> str:
        code = self.busy(table)
        if not code and self.tables[table].linked:
            code = "round.queued_stopped"
        return code or ("" if laid else "uth.no_box")

    @rule(data=st.data(), table=st.sampled_from((1, 1, 0)), dealt_by=st.sampled_from(DEALERS))
    def queued(self, data: st.DataObject, table: int, dealt_by: str) -> None:
        laid, round_id = self.lay(data, table), uuid4()
        session = self.tables[table].session
        dealt = Coup(table, session, laid, level=session.level if session else "fast")
        result, shown, no_pair, refused = self.results(data, dealt)
        code = self.queue_refusal(table, laid) or refused
        if session and not code and dealt_by not in {session.croupier, *session.had}:
            code = "round.croupier_wrong"  # who never had the table played nothing at it
        values = {"round_id": round_id, "stakes": self.stakes(laid), "result": result}
        person = self.world.people[dealt_by]
        answer = self.ask(code, services.round_take_queued, **self.where(table), **values, person_id=person)
        if not code:
            self.bodies[round_id] = (table, values["stakes"], True)
            coup = self.locked(table, round_id, laid, queued=True)
            self.ended(coup, self.ending(coup, shown, no_pair=no_pair), dealt_by, answer)
        elif data.draw(st.booleans()):
            self.keep(table, round_id, "queued", values | {"round_id": str(round_id)})

    def keep(self, table: int, round_id: UUID, kind: str, payload: dict[str, Any]) -> None:
        values = {"round_id": round_id, "kind": kind, "payload": payload, "refused": RoundState(state="voided")}
        person = self.world.people["martina"]
        row = self.ask("", services.to_clarify_record, **self.where(table), **values, person_id=person)
        if row.pk not in self.kept:  # the same thing again, also when it was clarified meanwhile
            self.kept.add(row.pk)
            self.entries.append((row.pk, kind, round_id, payload))

    @precondition(lambda self: any(coup.state != "withdrawn" for coup in self.coups.values()))
    @rule(data=st.data())
    def settle_late(self, data: st.DataObject) -> None:
        known = {one: coup for one, coup in self.coups.items() if coup.state != "withdrawn"}
        running = [one for one, coup in known.items() if coup.state == "locked"]
        round_id = data.draw(st.sampled_from(running if running and data.draw(st.booleans()) else list(known)))
        folds = {
            str(box): {"play": one.play, "result": "lose" if one.play else "fold"}
            for box, one in known[round_id].laid.items()
        }
        there = len(self.entries)
        self.keep(known[round_id].table, round_id, "settle", {"result": {"boxes": folds}})
        if len(self.entries) > there and data.draw(st.booleans()):
            self.take(self.entries[-1])  # at once, while the round still runs

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def dismiss(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.entries))
        self.entries.remove(entry)
        values = {"clarify_id": entry[0], "reason": "chips went back", **self.pit()}
        self.ask("", services.to_clarify_dismiss, **values)
        self.ask("clarify.closed", services.to_clarify_take, **values)

    @precondition(lambda self: any(kind == "settle" for _id, kind, _round, _payload in self.entries))
    @rule(data=st.data())
    def take_settlement(self, data: st.DataObject) -> None:
        self.take(data.draw(st.sampled_from([entry for entry in self.entries if entry[1] == "settle"])))

    def take(self, entry: tuple[UUID, str, UUID, Any]) -> None:
        """The pit takes a settlement that came late: booked if its round still runs, else refused and kept."""
        coup = self.coups[entry[2]]
        shown = {box: Showing("lose" if one.play else "fold", "", one.play) for box, one in coup.laid.items()}
        ending = self.ending(coup, shown if coup.level != "jackpot_only" else {}, no_pair=False)
        code = "" if coup.state == "locked" else "round.state_refused"
        code = code or {"full_cards": "round.level_refused"}.get(coup.level, "")
        answer = self.ask(code, services.to_clarify_take, clarify_id=entry[0], reason="seen on camera", **self.pit())
        if not code:
            self.entries.remove(entry)
            self.ended(coup, ending, "reto", answer)


# Runs that never come here prove nothing of it: the long form comes everywhere.
LONG = 200
PLAYED = {"round_lock", "settled", "ante"}
REACHED = PLAYED | {
    *(
        "corrected",
        "round_reopen",
        "round_void",
        "round_withdraw",
        "round_take_queued",
        "to_clarify_take",
        "to_clarify_dismiss",
    ),
    *("claim", "claim corrected in", "paid", "rejected"),
    *("table_link", "table_close", "table_hand_over", "table_entry_level_set", "guest_move", "guest_leave"),
    *(
        "blind",
        "play",
        "trips",
        "coin",
        "envy",
        "jackpot.not_open",
        "round.approval_needed",
        "round.level_refused",
    ),
    *(
        "round.state_refused",
        "round.croupier_wrong",
        "round.id_taken",
        "round.withdrawn",
        "round.queued_stopped",
        "table.closed",
        "table.round_running",
    ),
}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with django_db_blocker.unblock(), module_database("machines") as name:
        yield World(name)


@pytest.mark.timeout(0)
def test_floor_does_what_the_model_says(world: World) -> None:
    run = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        derandomize=SHORT,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    machine = type("Run", (FloorMachine,), {"world": world, "seen": Counter()})
    run_state_machine_as_test(machine, settings=run)
    missed = (REACHED if EXAMPLES >= LONG else PLAYED) - machine.seen.keys()
    assert not missed, machine.seen
