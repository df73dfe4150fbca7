"""The floor as a state machine: whatever is asked in whatever order, it does what the model of plain Python says, or refuses with
the code that the model says; after each step the books, rounds and guests are the model's, and at the end of each run every audit
passes and every round settles again to its lines.

Short in CI; `make machines` (FLOOR_EXAMPLES runs) is the long form.
"""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db.models.functions import Now
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from payouts.models import Approval
from tables import services
from tables.errors import RoundState
from tables.models import ReviewItem
from tables.services.review import entries
from tests.databases import module_database
from tests.machines import model
from tests.machines.box_model import Deal
from tests.machines.box_tries import TRIES
from tests.machines.boxes import Boxes
from tests.machines.model import Coup, Laid, Showing
from tests.machines.tables import BJ, DEALERS, LEVELS, World

SHORT = not os.environ.get("FLOOR_EXAMPLES")
EXAMPLES, STEPS = int(os.environ.get("FLOOR_EXAMPLES") or "6"), 40


class FloorMachine(Boxes):
    """Without the server, and too late."""

    def queue_refusal(self, table: int, laid: dict[int, Laid]) -> str:
        code = self.busy(table)
        if not code and self.tables[table].linked:
            code = "round.queued_stopped"
        return code or ("" if laid else "uth.no_box")

    @rule(data=st.data(), table=st.sampled_from((1, 1, 0, BJ)), dealt_by=st.sampled_from(DEALERS))
    def queued(self, data: st.DataObject, table: int, dealt_by: str) -> None:
        laid, round_id = self.lay(data, table), uuid4()
        if table == BJ:
            self.queued_boxes(data, laid, dealt_by)
            return
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
        elif laid and data.draw(st.booleans()):  # one without a stake cannot be read
            self.keep(table, round_id, "queued", values | {"round_id": str(round_id)})

    def keep(self, table: int, round_id: UUID, kind: str, payload: dict[str, Any]) -> None:
        values = {"round_id": round_id, "kind": kind, "payload": payload, "refused": RoundState(state="voided")}
        person = self.world.people["martina"]
        with patch.object(entries, "OF_ROUND_MOST", 1_000):
            row = self.ask("", services.review_item_record, **self.where(table), **values, person_id=person)
        if row.pk not in self.kept:  # the same thing again, also when it was clarified meanwhile
            self.kept.add(row.pk)
            self.came.add(round_id)
            self.entries.append((row.pk, kind, round_id, payload))

    def of_hands(self) -> dict[UUID, Coup]:
        """Rounds that came, of Ultimate Texas Hold'em."""
        came = {one: coup for one, coup in self.coups.items() if coup.state != "withdrawn"}
        return {one: coup for one, coup in came.items() if not isinstance(coup, Deal)}

    @precondition(lambda self: self.of_hands())
    @rule(data=st.data())
    def settle_late(self, data: st.DataObject) -> None:
        known = self.of_hands()
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
        self.put_aside(entry[0], "chips went back")
        self.ask("clarify.closed", services.review_item_take, **values)
        round_id = entry[2]
        if round_id not in self.coups and all(other[2] != round_id for other in self.entries):
            table = self.world.ids.index(ReviewItem.objects.get(pk=entry[0]).table_id)
            self.coups[round_id] = Coup(table, None, {}, state="withdrawn")  # what comes under its id is refused

    @precondition(lambda self: any(kind == "settle" for _id, kind, _round, _payload in self.entries))
    @rule(data=st.data())
    def take_settlement(self, data: st.DataObject) -> None:
        self.take(data.draw(st.sampled_from([entry for entry in self.entries if entry[1] == "settle"])))

    def take(self, entry: tuple[UUID, str, UUID, Any]) -> None:
        """The pit takes a settlement that came late: booked if its round still runs, a correction to be signed if it was settled
        otherwise, which it waits for; refused and kept where its stakes went back. Of a voided one the pit says that it was never
        played (booked anew: `test_clarify`).
        """
        coup = self.coups[entry[2]]
        if coup.state == "voided":
            self.entries.remove(entry)
            self.put_aside(entry[0], "chips went back")
            return
        ending = self.folded(coup)
        code = "" if coup.state in ("locked", "settled") else "clarify.round_over"
        code = code or {"full_cards": "round.level_refused"}.get(coup.level, "")
        late, asked = coup.state == "settled", Approval.objects.filter(action="round.correct", subject_id=str(entry[2]))
        other = late and not ending.is_of(coup)
        if other and asked.filter(state="open", revision=coup.revision, expires_at__gt=Now()).exists():
            code = code or "round.correction_waits"
        answer = self.ask(code, services.review_item_take, clarify_id=entry[0], reason="seen on camera", **self.pit())
        if code:
            return
        if not late:
            self.ended(coup, ending, "reto", answer)
        if other:
            self.seen["late result is a correction"] += 1
            assert asked.filter(state="open", revision=coup.revision).exists()
        else:
            self.drop_late(entry[2])
        assert answer["revision"] == coup.revision

    def folded(self, coup: Coup) -> model.Ending:
        """What every settlement that comes late here would come to: all boxes fold, or lose what they have played blind."""
        shown = {box: Showing("lose" if one.play else "fold", "", one.play) for box, one in coup.laid.items()}
        return self.ending(coup, shown if coup.level != "jackpot_only" else {}, no_pair=False)

    def drop_late(self, round_id: UUID) -> None:
        """They all say the same: what books one of them closes the others."""
        self.entries = [one for one in self.entries if (one[1], one[2]) != ("settle", round_id)]

    def ended(self, coup: Coup, ending: model.Ending, person: str, answer: dict[str, Any]) -> None:
        """A correction closes what waits and says what counts now."""
        super().ended(coup, ending, person, answer)
        folds = coup.revision > 1 and coup.level != "full_cards" and not isinstance(coup, Deal)
        if folds and self.folded(coup).is_of(coup):
            self.drop_late(next(one for one, other in self.coups.items() if other is coup))

    # Everything once
    @initialize(level=st.sampled_from(LEVELS), data=st.data())
    def begin(self, level: str, data: st.DataObject) -> None:
        """A short run goes everywhere first: by random steps alone it comes nowhere far."""
        super().begin("fast" if SHORT else level)
        if SHORT:
            self.tour(data)

    def tour(self, data: st.DataObject) -> None:
        """Each rule of the machine, in an order in which it has something to do."""
        self.open_table(1, "nora", "fast")
        for ends in ("settle", "reopen", "void", "withdraw"):
            round_id, coup = self.tour_lock(data, 0)
            if ends == "settle":
                self.lock_again(data, False, "martina")
                self.settle_by_taps(round_id, coup)
                self.correct_one(data, round_id, coup, "martina")
            elif ends == "reopen":
                self.reopen_one(round_id, coup, "martina")
            elif ends == "void":
                self.void_one(round_id, coup, "misdeal")
            else:
                self.withdraw_one(round_id, coup, 0, "martina")
        self.withdraw_one(uuid4(), None, 0, "martina")
        self.lock_late(data, False)
        round_id, coup = self.tour_lock(data, 1)
        self.tour_late(data, round_id, coup, take=True)
        self.tour_late(data, round_id, coup, take=False)
        self.queued(data, 1, "nora")
        for rounds in (2, 2):
            self.play(data, 1, rounds)
        self.hand_over(0, "nora")
        self.set_level(0, "full_cards")
        self.arrive(0, None, 0)
        for leave in (False, True):
            self.move_or_leave(data, 7, leave)
        for tried in TRIES:
            tried(self)
        self.queued(data, BJ, "martina")
        self.link(1, True)
        self.close_table(0)

    def tour_lock(self, data: st.DataObject, table: int) -> tuple[UUID, Coup]:
        known = set(self.coups)
        self.lock(table, "", False, data)
        (round_id,) = set(self.coups) - known
        return round_id, self.coups[round_id]

    def settle_by_taps(self, round_id: UUID, coup: Coup) -> None:
        boxes = {str(box): {"play": one.play or 1, "result": "win"} for box, one in coup.laid.items()}
        shown = {box: Showing("win", "", one.play or 1) for box, one in coup.laid.items()}

        def settled(house_id: UUID) -> Any:
            prepared = services.round_evaluate(house_id=house_id, round_id=round_id, result={"boxes": boxes})
            person = self.world.people[coup.session.croupier]
            return services.round_settle(prepared=prepared, person_id=person)

        ending = self.ending(coup, shown, no_pair=False)
        self.ended(coup, ending, coup.session.croupier, self.ask("", settled))

    def tour_late(self, data: st.DataObject, round_id: UUID, coup: Coup, *, take: bool) -> None:
        """A result comes late, of this round: the pit takes it, or says that nothing is booked by it."""
        folds = {
            str(box): {"play": one.play, "result": "lose" if one.play else "fold"} for box, one in coup.laid.items()
        }
        extra = {} if take else {"dispute": True}  # another one than the first
        self.keep(coup.table, round_id, "settle", {"result": {"boxes": folds} | extra})
        if take:
            self.take(self.entries[-1])
        else:
            self.dismiss(data)


# Runs that never come here prove nothing of it: the long form comes everywhere.
LONG = 200
PLAYED = {
    *(
        "round_lock",
        "settled",
        "ante",
        "corrected",
        "round_reopen",
        "round_void",
        "round_withdraw",
        "round_take_queued",
    ),
    *("review_item_record", "review_item_take", "review_item_dismiss", "round.withdrawn"),
    *("table_open", "table_close", "table_hand_over", "table_entry_level_set", "table_link"),
    *("guest_arrive", "guest_move", "guest_leave"),
}
PLACED = {
    *("double placed", "split placed", "insurance placed", "even_money placed", "same key again"),
    *("round_place", "round_take_back", "irregularity_record", "prime rule cuts", "round.changed"),
    *("double_1", "split_2", "insurance", "ended, fast", "corrected", "round_void"),
    *("blackjack.not_first", "blackjack.placed_already", "round.croupier_wrong", "queued with placed"),
    *("round.cards_out", "irregularity.late", "round.stake_not_newest"),
}
REACHED = PLAYED | {
    *(
        "corrected",
        "round_reopen",
        "round_void",
        "round_withdraw",
        "round_take_queued",
        "review_item_take",
        "review_item_dismiss",
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
        "round.reopen_late",
        "round.withdraw_late",
        "clock set back",
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


class LevelMachine(FloorMachine):
    """The first table opens at one entry level and plays there."""

    level: str

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:  # type: ignore[override]
        super(FloorMachine, self).begin(self.level)
        self.play(data, 0, 2)


class BoxesMachine(FloorMachine):
    """An evening of Black Jack above all."""

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:  # type: ignore[override]
        """A long run tries a third each time, so that twenty come to all of them."""
        super(FloorMachine, self).begin("fast")
        for tried in TRIES if SHORT else data.draw(st.permutations(TRIES[data.draw(st.integers(0, 2)) :: 3])):
            tried(self)

    @rule(data=st.data(), rounds=st.integers(1, 3))
    def play_boxes(self, data: st.DataObject, rounds: int) -> None:
        self.play(data, BJ, rounds)


def lives(machine: type[FloorMachine], world: World, examples: int) -> "Counter[str]":
    """Run a machine so many times; what was seen to happen."""
    run = settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        derandomize=SHORT,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    machine = type("Run", (machine,), {"world": world, "seen": Counter()})
    run_state_machine_as_test(machine, settings=run)
    return machine.seen


@pytest.mark.timeout(0)
def test_floor_does_what_the_model_says(world: World) -> None:
    seen = lives(FloorMachine, world, EXAMPLES)
    missed = (REACHED if EXAMPLES >= LONG else PLAYED) - seen.keys()
    assert not missed, seen


@pytest.mark.timeout(0)
def test_floor_plays_black_jack_so(world: World) -> None:
    """BJ-5 to BJ-9, BOX-2, BOX-5: what comes after the lock, by whom it may, and what becomes of it."""
    seen = lives(BoxesMachine, world, EXAMPLES)
    missed = PLACED - seen.keys() if SHORT or EXAMPLES >= 20 else set()
    assert not missed, seen


@pytest.mark.timeout(0)
@pytest.mark.parametrize("level", ["full_cards", "jackpot_only"])
def test_floor_does_so_at_each_entry_level(world: World, level: str) -> None:
    """Cards of every box, or coins alone: rounds are locked and settled there too."""
    seen = lives(type("Level", (LevelMachine,), {"level": level}), world, EXAMPLES)
    assert seen[f"ended, {level}"] > 0, seen
