"""The admin: people are made, changed and helped there, the books are read. Django looks for it
here.
"""

from casino.admin import (  # noqa: F401
    alerts,
    books,
    counts,
    devices,
    floor,
    jackpots,
    people,
    runs,
)
