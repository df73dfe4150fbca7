"""The admin: people are made, changed and helped there, the books are read. Django looks for it
here.
"""

from casino.admin import alerts, books, devices, floor, jackpots, people, runs  # noqa: F401
