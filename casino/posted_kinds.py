"""All kinds of tables that a house posts, and the tables that the demo house starts with.

This is the one list: here the rules of all floors meet (the money floor must not know jackpot or tables).
"""

from fractions import Fraction

from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.progressive_odds import coin_advice, coin_odds, progressive_advice
from payouts.errors import mark
from payouts.rules.calendar import BAD_RAGAZ, ROUND_THE_CLOCK
from payouts.rules.funding import FundingSchedule
from payouts.rules.hand_rules import HandRules
from payouts.rules.paytable import UTH_BLIND, UTH_TRIPS, Paytable
from payouts.rules.paytable_odds import edge_advice, own_hand_advice
from payouts.rules.posted import Advice, Posted
from payouts.rules.rake import RakeSchedule, TimeCharge
from payouts.rules.table_kind import Beside, TableKind
from payouts.rules.uth_rules import UthRules
from tables.rules.floor import FloorRules
from tables.rules.limits import ten_table


def _trips_advice(table: Paytable, beside: Beside) -> tuple[Advice, ...]:
    return own_hand_advice(table)


def _progressive_advice(rules: ProgressiveRules, beside: Beside) -> tuple[Advice, ...]:
    """With each funding of the house for this coin; without one a coin that loses on fixed prizes alone is still a mistake."""
    fundings = [FundingSchedule.from_data(data) for data in beside["funding"]]
    same = [funding for funding in fundings if funding.coin_minor == rules.coin_minor]
    found = [advice for funding in same for advice in progressive_advice(rules, funding)]
    if not same:
        found = [*rules.advice(), *edge_advice(min(coin_odds(rules).edge(0), Fraction(0)))]
    if fundings and not same:
        found.append(coin_advice(rules.coin_minor, fundings[0].coin_minor))
    return _once(found)


def _funding_advice(funding: FundingSchedule, beside: Beside) -> tuple[Advice, ...]:
    """The edge in the long run hangs on seed and cut as much as on the prizes."""
    tables = [ProgressiveRules.from_data(data) for data in beside["progressive"]]
    same = [rules for rules in tables if rules.coin_minor == funding.coin_minor]
    edges = [advice for rules in same for advice in progressive_advice(rules, funding)]
    found = [*funding.advice(), *(advice for advice in edges if advice.code.startswith("paytable.edge"))]
    if tables and not same:
        found.append(coin_advice(tables[0].coin_minor, funding.coin_minor))
    return _once(found)


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
        TableKind("jackpot_rules", mark("What happens at a hit"), JackpotRules(), starts="next_epoch"),
        TableKind("box_limits", mark("Limits of shared boxes"), ten_table(50_000)),
        TableKind("floor_rules", mark("How rounds are entered"), FloorRules()),
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
    (KINDS["jackpot_rules"], "Bad Ragaz Progressive", JackpotRules()),
    (KINDS["box_limits"], "Box 10–500", ten_table(50_000)),
    (KINDS["floor_rules"], "Bad Ragaz", FloorRules()),
    (KINDS["hand_rules"], "Poker", HandRules()),
    (KINDS["rake"], "Poker", RakeSchedule()),
    (KINDS["time_charge"], "Poker", TimeCharge()),
    (KINDS["calendar"], "Round the clock", ROUND_THE_CLOCK),
)
