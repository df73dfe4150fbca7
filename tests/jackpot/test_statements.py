"""What a round's commands ask of the database while a hit is at hand: the barrier costs no table a statement more.

BEGIN and COMMIT are not counted.
"""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables import services
from tests.floor import done, stakes_for
from tests.jackpot.linked import Linked, dull, royal
from tests.tables.test_statements import statements
from tests.worlds import world

# Claims and events are plain statements of their own: what claims is rare. Of the first two the hot path is made.
MOST = {"lock": 6, "settle": 6, "settle with a claim": 27, "call": 36, "void": 23, "void with a claim": 41}


def counted(floor: Linked) -> dict[str, int]:
    """How many statements each command takes at tables that are listed by a hit."""
    house, (called, voided, dull_one, last) = {"house_id": floor.house.pk}, range(4)
    for table in range(4):  # each process reads posted versions once
        floor.end(table, floor.start(table), dull())
    rounds = [floor.start(table) for table in range(3)]
    stakes = stakes_for(floor.guests[last][:2], coins=2)
    at = {**house, "table_id": floor.tables[last].pk, "croupier_id": floor.croupiers[last].pk}
    rounds.append(uuid4())
    found = {"lock": len(statements(lambda: services.round_lock(**at, round_id=rounds[last], stakes=stakes)))}

    def settle(table: int, result: object) -> int:
        with CaptureQueriesContext(connection) as before:  # worked out before the transaction, and counted all the same
            prepared = services.round_evaluate(**house, round_id=rounds[table], result=result)
        person = floor.croupiers[table].pk
        return len(before) + len(statements(lambda: services.round_settle(prepared=prepared, person_id=person)))

    def of(command: Callable[..., Any], table: int, person: Any, **values: Any) -> int:
        by = {**house, "round_id": rounds[table], "person_id": person.pk}
        return len(statements(lambda: command(**by, **values)))

    found["call"] = of(services.round_call, called, floor.croupiers[called])
    found["settle"] = settle(dull_one, dull())
    found["void"] = of(services.round_void, voided, floor.reto, reason="misdeal")
    found["settle with a claim"] = settle(last, royal("h"))
    why = {"reason": "misdeal"}
    asked = done(services.round_void_request, **house, round_id=rounds[called], person_id=floor.reto.pk, **why)
    floor.sign_plainly(asked, floor.bea)
    found["void with a claim"] = of(services.round_void, called, floor.reto, approval_id=asked.pk, **why)
    return found


@world(Linked, count=4)
def test_commands_at_listed_tables_take_as_few_statements(floor: Linked, own_database: str) -> None:
    found = counted(floor)
    assert {name: count for name, count in found.items() if count > MOST[name]} == {}
