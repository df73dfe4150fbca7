"""The same work asked for by several threads at once: one does it, the others wait and are given
copies of what it found.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Generic, Protocol, TypeVar

from payouts.errors import Refused


class Copied(Protocol):
    """What may be handed to several."""

    def copies(self: "Found", count: int) -> "list[Found]":
        """As many of the same, each for one reader."""
        ...


Found = TypeVar("Found", bound=Copied)


@dataclass
class _Work(Generic[Found]):
    over: Event = field(default_factory=Event)
    waiting: int = 0
    copies: list[Found] = field(default_factory=list)
    refused: Refused | None = None


class Shared(Generic[Found]):
    """Work that is under way in this process, by key. What is over is not kept: who comes
    afterwards has it done anew.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._here: dict[Hashable, _Work[Found]] = {}

    def one(self, key: Hashable, do: Callable[[], Found]) -> Found:
        """What `do` finds, or found for who was first. A refusal is everybody's; after any other
        fault each does it alone.
        """
        with self._lock:
            work = self._here.get(key)
            if work:
                work.waiting += 1
            else:
                mine = self._here[key] = _Work[Found]()
        return self._later(work, do) if work else self._first(key, mine, do)

    def _first(self, key: Hashable, work: _Work[Found], do: Callable[[], Found]) -> Found:
        found: Found | None = None
        try:
            found = do()
            return found
        except Refused as refused:
            work.refused = refused
            raise
        finally:
            with self._lock:
                del self._here[key]  # from here on nobody joins
            try:
                if found is not None:
                    work.copies = found.copies(work.waiting)
            finally:
                work.over.set()

    def _later(self, work: _Work[Found], do: Callable[[], Found]) -> Found:
        work.over.wait()
        if work.refused:
            raise type(work.refused)(**work.refused.data)
        with self._lock:
            copy = work.copies.pop() if work.copies else None
        return do() if copy is None else copy
