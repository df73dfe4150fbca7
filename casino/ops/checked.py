"""What a look at a part of the whole says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: is it as it should be, how old is that knowledge (seconds; None: there
    is none), a word on it.
    """

    ok: bool
    age_s: float | None
    detail: str
