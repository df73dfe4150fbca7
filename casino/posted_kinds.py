"""The posted tables that the demo house starts with; all kinds that there are stand in `tables.rules.kinds`."""

from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from payouts.rules.calendar import ROUND_THE_CLOCK
from payouts.rules.funding import FundingSchedule
from payouts.rules.hand_rules import HandRules
from payouts.rules.paytable import UTH_BLIND, UTH_TRIPS
from payouts.rules.posted import Posted
from payouts.rules.rake import RakeSchedule, TimeCharge
from payouts.rules.table_kind import TableKind
from payouts.rules.uth_rules import UthRules
from tables.rules.floor import FloorRules
from tables.rules.kinds import KINDS
from tables.rules.limits import ten_table

__all__ = ["DEMO_TABLES", "KINDS"]

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
    (KINDS["calendar"], "Rund um die Uhr", ROUND_THE_CLOCK),
)
