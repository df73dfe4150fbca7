"""All kinds of tables that a house posts, and the tables that the demo house starts with.

This is the one list: here the rules of all floors meet (the money floor must not know jackpot or tables).
"""

from fractions import Fraction

from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.progressive_odds import coin_odds, progressive_advice
from payouts.errors import mark
from payouts.rules.calendar import BAD_RAGAZ
from payouts.rules.funding import FundingSchedule
from payouts.rules.hand_rules import HandRules
from payouts.rules.paytable import UTH_BLIND, UTH_TRIPS, Paytable
from payouts.rules.paytable_odds import edge_advice, own_hand_advice
from payouts.rules.posted import Advice, Posted
from payouts.rules.rake import RakeSchedule, TimeCharge
from payouts.rules.table_kind import Beside, TableKind
from payouts.rules.uth_rules import UthRules
from tables.rules.limits import ten_table


def _trips_advice(table: Paytable, beside: Beside) -> tuple[Advice, ...]:
    return own_hand_advice(table)


def _progressive_advice(rules: ProgressiveRules, beside: Beside) -> tuple[Advice, ...]:
    """With each funding of the house; without one a coin that loses on fixed prizes alone is still a mistake."""
    fundings = [FundingSchedule.from_data(data) for data in beside["funding"]]
    found = [advice for funding in fundings for advice in progressive_advice(rules, funding)]
    if not fundings:
        found = [*rules.advice(), *edge_advice(min(coin_odds(rules).edge(0), Fraction(0)))]
    return _once(found)


def _funding_advice(funding: FundingSchedule, beside: Beside) -> tuple[Advice, ...]:
    """The edge in the long run hangs on seed and cut as much as on the prizes."""
    tables = [ProgressiveRules.from_data(data) for data in beside["progressive"]]
    edges = [advice for rules in tables for advice in progressive_advice(rules, funding)]
    return _once([*funding.advice(), *(advice for advice in edges if advice.code.startswith("paytable.edge"))])


def _once(found: list[Advice]) -> tuple[Advice, ...]:
    return tuple(advice for place, advice in enumerate(found) if advice not in found[:place])


KINDS: dict[str, TableKind] = {
    kind.code: kind
    for kind in (
        TableKind("blind", mark("Blind paytable"), UTH_BLIND),
        TableKind("trips", mark("Trips paytable"), UTH_TRIPS, advise=_trips_advice),
        TableKind("uth_rules", mark("Rules and limits of Ultimate Texas Hold’em"), UthRules()),
        TableKind(
            "progressive",
            mark("Prizes of the progressive"),
            ProgressiveRules(),
            starts="next_epoch",
            advise=_progressive_advice,
            beside=("funding",),
        ),
        TableKind(
            "funding",
            mark("Funding of the progressive"),
            FundingSchedule(),
            starts="next_epoch",
            advise=_funding_advice,
            beside=("progressive",),
        ),
        TableKind("box_limits", mark("Limits of shared boxes"), ten_table(50_000)),
        TableKind("hand_rules", mark("Rules for poker hands"), HandRules()),
        TableKind("rake", mark("Rake"), RakeSchedule()),
        TableKind("time_charge", mark("Time charge"), TimeCharge()),
        TableKind("calendar", mark("Opening hours"), BAD_RAGAZ),
    )
}

# What the rules' own defaults say, under the names of the demo house.
DEMO_TABLES: tuple[tuple[TableKind, str, Posted], ...] = (
    (KINDS["blind"], "UTH Blind", UTH_BLIND),
    (KINDS["trips"], "UTH Trips", UTH_TRIPS),
    (KINDS["uth_rules"], "UTH 5–50", UthRules()),
    (KINDS["progressive"], "Bad Ragaz Progressive", ProgressiveRules()),
    (KINDS["funding"], "Bad Ragaz Progressive", FundingSchedule()),
    (KINDS["box_limits"], "Box 10–500", ten_table(50_000)),
    (KINDS["hand_rules"], "Poker", HandRules()),
    (KINDS["rake"], "Poker", RakeSchedule()),
    (KINDS["time_charge"], "Poker", TimeCharge()),
    (KINDS["calendar"], "Bad Ragaz", BAD_RAGAZ),
)
