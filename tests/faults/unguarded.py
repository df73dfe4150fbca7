"""The web of a house whose gate takes any nonce (`make faults WITHOUT=nonce`), or that books what comes after a lock twice
(`WITHOUT=once`): gunicorn serves this in place of `casino.wsgi`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from casino.wsgi import application
from jackpot.services import gate
from tables.services.later import place
from tests.faults.without import any_nonce, twice

GUARDS: Mapping[str, Callable[[], None]] = {
    "nonce": lambda: setattr(gate, "secrets", any_nonce()),
    "once": lambda: setattr(place, "place_written", twice(place.place_written)),
}


def without(guard: str) -> Any:
    """The application, with a guard of its code taken away."""
    GUARDS[guard]()
    return application
