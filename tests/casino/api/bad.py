"""What the tests of bad input send: one request each, and what a refusal must look like."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from tests.casino.api.callers import Caller
from tests.casino.api.ground import Ground
from tests.floor import stakes_for

# How Python writes a value: programs are told values as JSON writes them.
PYTHON = re.compile(r"""\b(None|True|False)\b|(?<![\w’'])'|UUID\(|datetime\.|Decimal\(|<[\w.]+ object""")
Cases = dict[str, tuple[Callable[[Ground], "Sent"], int, str, str | None]]  # what is sent, status, code, rule


@dataclass(frozen=True)
class Sent:
    """One request: who sends what where. `raw`: the body as bytes, instead of JSON of `body`."""

    who: Caller
    path: str
    body: Any = None
    raw: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()

    def send(self, key: str | None = None) -> tuple[int, dict[str, Any]]:
        raw = self.raw if self.raw is not None else json.dumps({} if self.body is None else self.body).encode()
        return self.who.raw(self.path, raw, key, **dict(self.headers))


def refused(answer: tuple[int, dict[str, Any]], status: int, code: str, rule: str | None = None) -> dict[str, Any]:
    """The answer is this refusal, said in words."""
    assert (answer[0], answer[1].get("code")) == (status, code), answer
    problem = answer[1]
    assert problem["status"] == status
    assert problem["rule"] == rule, problem
    assert problem["title"].endswith("."), problem
    assert problem["detail"].endswith("."), problem
    assert "%(" not in problem["title"] + problem["detail"]
    assert not PYTHON.search(json.dumps(problem["data"], ensure_ascii=False)), problem["data"]
    return problem


def lock(ground: Ground, stakes: Any = None, *, who: Caller | None = None, table: Any = None, **more: Any) -> Sent:
    """A lock at the other table, where no round runs; by its croupier on her tablet."""
    table_id = table if table is not None else ground.floor.other.pk
    stakes = stakes_for(ground.others[:2]) if stakes is None else stakes
    path = f"tables/{table_id}/rounds/{uuid4()}/lock/"
    return Sent(who or ground.other, path, more.pop("body", {"stakes": stakes}), **more)


def stake(ground: Ground, **changes: Any) -> list[dict[str, Any]]:
    """Ante and Blind of box 1, the Ante changed; a change to None leaves the field out."""
    ante, blind = stakes_for(ground.others[:1])
    changed = {name: value for name, value in (ante | changes).items() if value is not ...}
    return [changed, blind | ({"box": changes["box"]} if "box" in changes else {})]


def standing(ground: Ground) -> str:
    """A guest of the other table who has no box there yet: box 8 would be his first."""
    return str(ground.standing.pk)


def amount(value: Any) -> Callable[[Ground], Sent]:
    """A lock whose Ante and Blind are of this amount."""
    return lambda g: lock(g, [one | {"amount_minor": value} for one in stakes_for(g.others[:1])])


def settle(ground: Ground, result: Any, **more: Any) -> Sent:
    """A settlement of the round that runs at the linked table."""
    return Sent(ground.tablet, f"rounds/{ground.floor.locked}/settle/", {"result": result}, **more)


def raw_lock(text: bytes, **headers: str) -> Callable[[Ground], Sent]:
    """A lock with this body."""
    return lambda g: lock(g, raw=text, headers=tuple(headers.items()))


def boss(path: Callable[[Ground], str], body: Any) -> Callable[[Ground], Sent]:
    """A command of the pit boss at the office."""
    return lambda g: Sent(g.boss, path(g), body(g) if callable(body) else body)
