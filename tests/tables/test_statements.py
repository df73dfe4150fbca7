"""What a command asks of the database: few statements, as many for one box as for a full table (BEGIN and COMMIT not counted)."""

from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from payouts.commands import request_fingerprint, run_once
from payouts.models import PostedTable
from tables import services
from tables.services import parts
from tests.floor import Floor, done, stakes_for, taps

ROUNDS = {"one box": (1, 0), "one box, a coin": (1, 1), "seven boxes": (7, 0), "seven boxes, seven coins": (7, 7)}


@pytest.fixture(scope="module")
def floor(database_of_module):
    floor = Floor()
    floor.guests = floor.open()
    floor.others = floor.open(floor.other, floor.nora)
    warm_up = floor.lock(stakes_for(floor.guests))  # posted versions never change: they are read once by each process
    floor.settle(warm_up["id"], taps(**{f"b{box}": {"result": "fold"} for box in range(1, 8)}))
    return floor


def statements(work) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        run_once(str(uuid4()), request_fingerprint("count", "test", {}), work)
    return [query["sql"] for query in captured if query["sql"] not in ("BEGIN", "COMMIT")]


@pytest.mark.parametrize(("boxes", "coins"), ROUNDS.values(), ids=ROUNDS)
@pytest.mark.parametrize("linked", [True, False], ids=["linked", "not linked"])
def test_lock_and_settle_take_a_few_statements_whatever_lies_there(floor, boxes, coins, linked):
    if coins and not linked:
        pytest.skip("no coin without a jackpot")
    table, guests, croupier = (
        (floor.table, floor.guests, floor.martina) if linked else (floor.other, floor.others, floor.nora)
    )
    round_id, stakes = uuid4(), stakes_for(guests[:boxes], coins=coins, trips=500)
    values = {"house_id": floor.house.pk, "round_id": round_id}
    lock = statements(lambda: services.round_lock(**values, table_id=table.pk, stakes=stakes, croupier_id=croupier.pk))
    result = taps(**{f"b{box}": {"play": 4, "result": "win", "hand": "flush"} for box in range(1, boxes + 1)})

    def settle():
        # As the API does: worked out before the transaction, and counted all the same.
        return services.round_settle(prepared=prepared, person_id=croupier.pk)

    with CaptureQueriesContext(connection) as evaluated:
        prepared = services.round_evaluate(**values, result=result)
    settled = [*(query["sql"] for query in evaluated), *statements(settle)]
    # key, jackpot's lock, table, the one call that writes, answer; and record, key, jackpot's lock, the one call, answer
    assert (len(lock), len(settled)) == (5, 5 if linked else 4)


def test_first_of_a_process_reads_the_posted_versions(floor, monkeypatch):
    """All of them by one statement: also a process that has just started stays within six, whatever the number of boxes."""
    monkeypatch.setattr(parts, "_known", {})
    values = {"house_id": floor.house.pk, "round_id": uuid4()}
    laid = {"table_id": floor.table.pk, "stakes": stakes_for(floor.guests, coins=7), "croupier_id": floor.martina.pk}
    locked = statements(lambda: services.round_lock(**values, **laid))
    monkeypatch.setattr(parts, "_known", {})  # and another one settles
    result = taps(**{f"b{box}": {"result": "fold"} for box in range(1, 8)})
    with CaptureQueriesContext(connection) as evaluated:
        prepared = services.round_evaluate(**values, result=result)
    settled = statements(lambda: services.round_settle(prepared=prepared, person_id=floor.martina.pk))
    assert (len(locked), len(evaluated) + len(settled)) == (6, 6)


def test_versions_are_forgotten_before_they_are_too_many(floor, monkeypatch):
    """A process that settles years of rounds again holds no more of them than these."""
    monkeypatch.setattr(parts, "_known", {})
    monkeypatch.setattr(parts, "_VERSIONS_MOST", 3)
    versions = [str(pk) for pk in PostedTable.objects.filter(state="approved").values_list("pk", flat=True)[:5]]
    for version in versions:
        assert len(parts.posted_of([version])) == 1
        assert len(parts._known) <= 3
    with pytest.raises(PostedTable.DoesNotExist):
        parts.posted_of([versions[0], str(uuid4())])
    for written in (versions[4].upper(), versions[4].replace("-", "")):  # never fewer rules than were asked for
        with pytest.raises(PostedTable.DoesNotExist):
            parts.posted_of([versions[3], written])


@pytest.mark.parametrize("level", ["full_cards", "jackpot_only"])
def test_the_other_entry_levels_take_as_few(floor, level):
    """Cards of seven boxes, or coins alone: as many as taps take."""
    at = {"house_id": floor.house.pk, "table_id": floor.table.pk}
    done(services.table_entry_level_set, **at, entry_level=level, actor_id=floor.reto.pk)
    assert [in_level(floor, level, boxes) for boxes in (1, 7)] == [(5, 5), (5, 5)]
    done(services.table_entry_level_set, **at, entry_level="fast", actor_id=floor.reto.pk)


def in_level(floor, level: str, boxes: int) -> tuple[int, int]:
    """How many statements a lock and a settlement take at the linked table, each box with a coin."""
    round_id, laid = uuid4(), stakes_for(floor.guests[:boxes], coins=boxes)
    values = {"house_id": floor.house.pk, "round_id": round_id}
    lock = {"table_id": floor.table.pk, "croupier_id": floor.martina.pk}
    lock["stakes"] = [one for one in laid if level == "full_cards" or one["kind"] == "coin"]
    locked = statements(lambda: services.round_lock(**values, **lock))
    result = {"board": "Ah Qd Jh 7c 2d", "boxes": {}}
    if level == "full_cards":
        holes = ["Kd Ks", "8s 9s", "5s 6s", "3d 4d", "2c 2h", "Ac 9d", "3h 4s"][:boxes]
        shown = {str(box): {"play": 1, "cards": hole} for box, hole in enumerate(holes, 1)}
        result |= {"dealer": "Tc 4c", "boxes": shown}
    with CaptureQueriesContext(connection) as evaluated:
        prepared = services.round_evaluate(**values, result=result)
    settled = statements(lambda: services.round_settle(prepared=prepared, person_id=floor.martina.pk))
    return len(locked), len(evaluated) + len(settled)


def undone(floor, boxes: int) -> dict[str, int]:
    """How many statements each of the other commands to a round takes, with this many boxes, each with a coin."""
    stakes = stakes_for(floor.guests[:boxes], coins=boxes)
    at = {"house_id": floor.house.pk, "table_id": floor.table.pk}
    by = {"house_id": floor.house.pk, "person_id": floor.martina.pk}
    pit = by | {"person_id": floor.reto.pk}
    lost = {f"b{box}": {"play": 1, "result": "lose"} for box in range(1, boxes + 1)}
    results = [taps(**lost), taps(**lost | {"b1": {"play": 1, "result": "win"}})]

    def counted(command, **values) -> int:
        return len(statements(lambda: {"done": bool(command(**values))}))

    def locked() -> UUID:
        return UUID(floor.lock(stakes)["id"])

    repeated = {**at, "round_id": locked(), "stakes": stakes, "croupier_id": floor.martina.pk}
    found = {"lock again": counted(services.round_lock, **repeated)}
    found["reopen"] = counted(services.round_reopen, **by, round_id=repeated["round_id"])
    found["void"] = counted(services.round_void, **pit, round_id=locked(), reason="misdeal")
    found["withdraw"] = counted(services.round_withdraw, **at, round_id=locked(), person_id=floor.martina.pk)
    found["withdraw before"] = counted(services.round_withdraw, **at, round_id=uuid4(), person_id=floor.martina.pk)
    round_id = locked()
    floor.settle(round_id, results[0])
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=results[1], state="settled")
    found["correct"] = counted(services.round_correct, prepared=prepared, person_id=floor.martina.pk, reason="mistyped")
    return found


def test_other_commands_to_a_round_take_no_more_for_seven_boxes_than_for_one(floor):
    """They are rare, so each part is a plain statement of its own; what counts is that no number grows with the boxes."""
    one, seven = undone(floor, 1), undone(floor, 7)
    assert one == seven
    assert {name: count for name, count in one.items() if count > MOST[name]} == {}


MOST = {"lock again": 8, "reopen": 26, "void": 23, "withdraw": 27, "withdraw before": 11, "correct": 22}


def test_queued_round_takes_no_more_for_seven_boxes_than_for_one(floor):
    counts = []
    for boxes in (1, 7):
        values = {
            "house_id": floor.house.pk,
            "table_id": floor.other.pk,
            "round_id": uuid4(),
            "person_id": floor.nora.pk,
        }
        values |= {"stakes": stakes_for(floor.others[:boxes])}
        result = taps(**{f"b{box}": {"play": 1, "result": "lose"} for box in range(1, boxes + 1)})
        counts.append(len(statements(lambda: services.round_take_queued(**values, result=result))))  # noqa: B023
    assert counts[0] == counts[1] <= 10  # of these, two look for what waits of it to be clarified
