"""The kinds of posted tables that Ultimate Texas Hold'em brings."""

from payouts.errors import mark
from payouts.rules.rulesets.kinds import Beside, TableKind
from payouts.rules.rulesets.paytable import UTH_BLIND, UTH_TRIPS, Paytable
from payouts.rules.rulesets.paytable_odds import own_hand_advice
from payouts.rules.rulesets.schema import Advice
from tables.games.payable import with_chips
from tables.games.uth.rules import UthRules


def trips_advice(table: Paytable, beside: Beside) -> tuple[Advice, ...]:
    """What of a Trips paytable is likely a mistake."""
    return own_hand_advice(table)


KINDS: tuple[TableKind, ...] = (
    TableKind(
        "blind",
        mark("Blind paytable"),
        UTH_BLIND,
        advise=with_chips("blind"),
        beside=("chip_set", "uth_rules"),
        pays="beating",
    ),
    TableKind(
        "trips",
        mark("Trips paytable"),
        UTH_TRIPS,
        advise=with_chips("trips", trips_advice),
        beside=("chip_set", "uth_rules"),
        pays="own_hand",
    ),
    TableKind(
        "uth_rules",
        mark("Rules and limits of Ultimate Texas Hold’em"),
        UthRules(),
        advise=with_chips("uth_rules"),
        beside=("chip_set", "blind", "trips"),
    ),
)
