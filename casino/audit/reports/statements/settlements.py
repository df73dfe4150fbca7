"""What each session of a table was worth, by its counts and by its rounds (RES-1)."""

from django.utils.translation import gettext as _

from casino.audit.reports.shape import Column, Kind
from payouts.errors import mark
from payouts.models import House
from tables.games import GAMES
from tables.selectors.settlements import SETTLED

GAME_TITLES = {code: game.title for code, game in GAMES.items()}


def _coverage(text: str, _house: House) -> str:
    """How many rounds of how many told a result."""
    telling, _slash, rounds = text.partition("/")
    return _("%(told)s of %(rounds)s") % {"told": telling, "rounds": rounds}


SETTLEMENTS = Kind(
    "settlements",
    mark("Table settlements"),
    mark(
        "What each session of a table was worth: opener, fills, credits, drop and closer as they"
        " were counted, beside what its rounds and hands say."
    ),
    (
        Column("day", mark("Gaming day"), "day"),
        Column("table", mark("Table")),
        Column("game", mark("Game"), "code", words=GAME_TITLES),
        Column("opened", mark("Opened"), "moment"),
        Column("closed", mark("Closed"), "moment"),
        Column("opener", mark("Opening tray"), "money"),
        Column("fills", mark("Fills"), "money", total=True, complete=True),
        Column("credits", mark("Credits"), "money", total=True, complete=True),
        Column("drop", mark("Drop, recorded"), "money", total=True),
        Column("drop_counted", mark("Drop, counted"), "money", total=True, complete=True),
        Column("tips", mark("Tips"), "money", total=True),
        Column("closer", mark("Closing tray"), "money"),
        Column("counted", mark("Result, counted"), "money", total=True, complete=True),
        Column("recorded", mark("Result, recorded"), "money", total=True),
        Column("difference", mark("Difference"), "money", total=True, complete=True),
        Column("set_back", mark("Set back"), "money", total=True),
        Column("coverage", mark("Rounds that tell"), tells=_coverage),
        Column("people", mark("Counted and witnessed by")),
        Column("session_id", mark("Id of the session"), "id", to="cage-settlement"),
    ),
    SETTLED,
    takes=frozenset({"table"}),
    rounds="days",
    note=mark(
        "Counted is drop, closer and credits less opener and fills. Recorded is result, coins and"
        " fees of rounds and hands less prizes paid at the table, overrides and faults of the"
        " house. A dash stands for what nobody has counted, and for the difference where a round"
        " told no result: there the count is the result. What came after a closer was set back,"
        " and the count stands. The cash of a drop box counts for the session in which the box was"
        " taken, its buy-ins for their own."
    ),
)
