"""Days as people write them into a field: 22.11.2026, whatever the browser; addresses and programs
write 2026-11-22.
"""

import re
from datetime import date

_WRITTEN = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.(20[0-9]{2})", re.ASCII)
_PLAIN = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", re.ASCII)


def day_of(text: str) -> date | None:
    """The day that is meant; None where it is none that the calendar has, or not of this
    century."""
    text = text.strip()
    try:
        if found := _WRITTEN.fullmatch(text):
            return date(int(found[3]), int(found[2]), int(found[1]))
        return date.fromisoformat(text) if _PLAIN.fullmatch(text) else None
    except ValueError:
        return None


def as_written(text: str) -> str:
    """What a field shows again: a day in the house's form, anything else as it was typed."""
    day = day_of(text)
    return f"{day:%d.%m.%Y}" if day else text
