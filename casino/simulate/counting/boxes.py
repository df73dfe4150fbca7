"""The drop box of a table is counted as its pages have it: by the cage and by a manager, one after
the other, each by PIN.
"""

import re
import uuid
from collections.abc import Mapping
from typing import Any

from casino.simulate.books.chips import change
from casino.simulate.clients import Client
from casino.simulate.people import CAGE, MANAGER, PINS, Person

FIELD = re.compile(r'name="pieces-(\d+)"')
WAITING = re.compile(r'<a href="/cage/drops/([0-9a-f-]+)/">[^<]*</a></th>\s*<td>\s*([^<]*)</td>')
EMPTY = "empty"


def waiting(cage: Person) -> set[str]:
    """Ids of tables in whose drop box something lies by the books. Raises Refused, Unreachable."""
    # to somebody who reads another language each seems filled: then it is counted for nothing
    page = cage.client.ask("/cage/drops/")[1].decode()
    return {table for table, state in WAITING.findall(page) if state.strip() != EMPTY}


def count_box(people: Mapping[str, Person], table_id: str, minor: int) -> None:
    """So much cash lies in it. Raises Refused, Unreachable, NotPlayable."""
    where = f"/cage/drops/{table_id}/"
    cage = people["cage"].client.beside()
    manager = people["manager"].client.beside()
    try:
        send(cage, f"{where}take/", secret=PINS[CAGE])
        for client, pin in ((cage, PINS[CAGE]), (manager, PINS[MANAGER])):
            page = client.ask(where)[1].decode()
            cash = change(minor, {int(value) for value in FIELD.findall(page)})
            pieces = {f"pieces-{line['value_minor']}": line["pieces"] for line in cash}
            send(client, f"{where}enter/", secret=pin, **pieces)
    finally:
        cage.close()
        manager.close()
    cage.tally.count("counts of drop boxes")


def send(client: Client, path: str, **fields: Any) -> str:
    """A form of a page; gives where it leads. Raises Refused, Unreachable."""
    return client.form(path, key=str(uuid.uuid4()), **fields)[0]
