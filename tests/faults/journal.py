"""The history that the clients keep of their own commands, and what must hold of it whatever was killed meanwhile.

An acknowledged command is there once, under its key, with the answer that was given; a refused one is not there at all; one whose
answer nobody heard is there at most once, and asked again under its key it says which. Nothing is there that nobody asked for.

Note [Refused, and done afterwards]: a refusal is not remembered, so the key is free again. A copy of the request that is still on
its way then is a request like the first one: it is decided by what holds when it comes, and may be carried out. That is the wire's
doing, and no fault of the house; but it counts only where the wire's own record shows it (`came_afterwards`; docs/FAULTS.md).
"""

import json
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from casino.simulate.clients import Client, Refused, Tally, Unreachable
from tests.faults.network import HELD, LATER, TWICE, Delivery

DONE, REFUSED, UNKNOWN = "done", "refused", "unknown"
DISPLAY = "display"
AFTERWARDS = "refused, and a copy carried out afterwards"
Stored = Mapping[str, Any]  # answers of the service's own record by key
Delivered = Mapping[str, Sequence[Delivery]]  # the wire's own record by key
NOTHING: Delivered = MappingProxyType({})
COPIES = (LATER, HELD, TWICE)  # the wire's doing


@dataclass
class Command:
    """One command of one client."""

    client: Client
    key: str
    path: str
    data: bytes
    state: str = UNKNOWN
    answer: Any = None
    code: str = ""


@dataclass
class Heard:
    """What the house has answered under a key, to whomever."""

    path: str = ""
    answers: list[Any] = field(default_factory=list)


class Journal(Tally):
    """The tally of all clients, with their history. Rounds that come in a queue have keys of their own behind the request's."""

    def __init__(self) -> None:
        super().__init__()
        self.commands: dict[str, Command] = {}
        self.heard: dict[str, Heard] = {}
        self.faults: list[str] = []  # answers 500: a house may be away, and never at a loss
        self._lock2 = threading.Lock()

    # As the clients see it
    def asked(self, client: Client, key: str, path: str, data: bytes) -> None:
        """A command is sent for the first time, or again."""
        with self._lock2:
            known = self.commands.setdefault(key, Command(client, key, path, data))
        assert (known.path, known.data) == (path, data), "a client used a key twice"

    def acknowledged(self, key: str, answer: Any) -> None:
        """It is done."""
        one = self.commands[key]
        one.state, one.answer = DONE, answer.get("answer", answer)

    def turned_down(self, key: str, refused: Refused) -> None:
        """It is refused; or it is not known (a status from 500 on, or another one is still carrying it out)."""
        one = self.commands[key]
        one.code = refused.code or str(refused.status)
        if refused.status < 500 and refused.code != "command.in_flight":
            one.state = REFUSED

    # As the wire sees it
    def note(self, key: str, line: str, status: int, body: bytes) -> None:
        """An answer on the wire."""
        if status == 500:
            with self._lock2:
                self.faults.append(f"{line}: {body[:200].decode(errors='replace')}")
        if not key or status >= 300:
            return
        told = json.loads(body)
        if "answer" in told:
            with self._lock2:
                heard = self.heard.setdefault(key, Heard(line))
                if told["answer"] not in heard.answers:
                    heard.answers.append(told["answer"])

    # Afterwards
    def resolve(self) -> list[str]:
        """Ask each command whose answer is unknown once more under its key; gives those that still cannot be told."""
        left = []
        for one in [one for one in list(self.commands.values()) if one.state == UNKNOWN]:
            self.count("unknown, asked at the end")
            try:
                one.client.command(one.path, json.loads(one.data), one.key)
            except (Refused, Unreachable) as error:
                if one.state == UNKNOWN:
                    left.append(f"{one.path} under {one.key} cannot be told: {error}")
        return left

    def states(self) -> Counter[str]:
        """How many commands came to which end."""
        return Counter(one.state for one in self.commands.values())

    def compare(self, stored: Stored, delivered: Delivered = NOTHING) -> list[str]:
        """What does not hold, given the answers that the service has on record, and what the wire delivered; for a whole house,
        from its beginning.
        """
        return [
            *self._asked_and_kept(stored, delivered),
            *self._answered_once(),
            *(f"answer 500: {one}" for one in self.faults),
        ]

    def _asked_and_kept(self, stored: Stored, delivered: Delivered) -> Iterable[str]:
        for one in self.commands.values():
            if one.path.endswith("/queued-rounds/"):
                continue
            what = f"{one.path} under {one.key}"
            if one.state == DONE and one.key not in stored:
                yield f"{what} was acknowledged, and is not there"
            elif one.state == DONE and stored[one.key] != one.answer:
                yield f"{what} was acknowledged with another answer than is on record"
            elif one.state == REFUSED and one.key in stored:
                if came_afterwards(one.code, stored[one.key], delivered.get(one.key, ())):
                    self.count(AFTERWARDS)
                else:
                    yield f"{what} was refused ({one.code}), and is there"
        for key in stored.keys() - self.commands.keys():
            if key.partition(":")[0] not in self.commands:
                yield f"the key {key} is on record, and nobody asked"

    def _answered_once(self) -> Iterable[str]:
        for key, heard in self.heard.items():
            if len(heard.answers) > 1:
                yield f"{heard.path} was answered in {len(heard.answers)} ways under {key}"


def came_afterwards(code: str, answer: Any, deliveries: Iterable[Delivery]) -> bool:
    """Whether the wire delivered a copy of a command after the house had refused the command with this code, and only so it can be
    on record with this answer (Note [Refused, and done afterwards]).

    A copy is what the wire repeated or held back; or what the client had sent before the refused one, and was overtaken by it. It
    ended after the refusal, with this very answer or with none. Nothing was carried out before: then the refusal would be a lie.
    """
    every = list(deliveries)
    refusals = [one.ended for one in every if 400 <= one.status < 500 and one.told and one.told.get("code") == code]
    if not refusals:
        return False
    refused_at = min(refusals)
    if any(one.status and one.status < 300 and one.ended < refused_at for one in every):
        return False
    later = [one for one in every if not one.ended or one.ended > refused_at]
    copies = [one for one in later if one.how in COPIES or one.begun < refused_at]
    done = [one for one in copies if 200 <= one.status < 300]
    if done:
        return all(one.told["answer"] == answer for one in done)
    return any(not one.status or one.status >= 500 for one in copies)


def stored_answers(rows: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The service's own record by the keys that clients chose: it puts the caller's id before each. Displays send no keys: the
    service makes one of what a display says, and a gate's list holds each display once.
    """
    parts = [(*key.split(":", 1), answer) for key, answer in rows]
    return {key: answer for by, key, answer in parts if by != DISPLAY}
