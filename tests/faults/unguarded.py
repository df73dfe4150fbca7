"""The web of a house whose gate takes any nonce (`make faults WITHOUT=nonce`), or that books what comes after a lock twice
(`WITHOUT=once`), or whose shoes bind nobody (`WITHOUT=feed`): gunicorn serves this in place of `casino.wsgi`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from casino.wsgi import application
from jackpot.services import gate
from tables.services.later import place, take_back
from tables.services.rounds import evaluate
from tests.faults.without import any_nonce, twice


def _blind() -> None:
    """No feed speaks against anything."""
    for module, check in ((place, "_contradiction"), (take_back, "_contradiction"), (evaluate, "feed_against")):
        setattr(module, check, lambda *_given: None)


GUARDS: Mapping[str, Callable[[], None]] = {
    "nonce": lambda: setattr(gate, "secrets", any_nonce()),
    "once": lambda: setattr(place, "place_written", twice(place.place_written)),
    "feed": _blind,
}


def without(guard: str) -> Any:
    """The application, with a guard of its code taken away."""
    GUARDS[guard]()
    return application
