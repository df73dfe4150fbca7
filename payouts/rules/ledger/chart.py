"""The chart of accounts. Debit is positive; `docs/LEDGER.md` shows the chart and what is posted
when, and is checked against this.

Two circles that meet in every movement of chips: *values* (cash, claims of guests, results) and
*positions* (where chips lie, at face value). A chip in a guest's hand is a claim on the house in
the first and lies outside in the second, so the two always agree: what guests hold outside is what
the house owes them (`payouts.audit`: chips_outside_are_claims).
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class AccountKind:
    """One kind of account: whose it is (`owner`), whether it needs a detail, on which side its
    balance must stay.
    """

    code: str
    owner: str  # "house", "table", "place" (a table or the cage, which is the house), "jackpot"
    side: str  # "debit" and "credit" may not change sides (the database refuses), "any" may
    meaning: str
    # what there is an account for each of: an epoch of a jackpot, a guest's stay at a table
    detail: Literal["", "epoch", "stay"] = ""


_KINDS = (
    AccountKind("cage_cash", "house", "debit", "cash in the cage"),
    AccountKind("house_capital", "house", "credit", "what the house put in"),
    AccountKind("drop", "table", "debit", "cash in the table's drop box, as recorded"),
    AccountKind(
        "circulation",
        "place",
        "any",
        "claims of guests for the chips they hold, by where they got or staked them",
    ),
    AccountKind("layout", "table", "credit", "stakes of locked rounds, owed until the round ends"),
    AccountKind(
        "stack",
        "table",
        "credit",
        "chips before a guest of a poker table, as booked",
        detail="stay",
    ),
    AccountKind(
        "in_play",
        "table",
        "any",
        "moved between stacks by hands, tips and fees, unbooked; nothing when all have left",
    ),
    AccountKind(
        "pot_carried",
        "table",
        "credit",
        "antes of hands that all passed in, for the next pot; nothing when all have left",
    ),
    AccountKind("table_win", "table", "any", "recorded result of the table's rounds"),
    # Not a difference: a tray without told results has only what is counted (CNT-7).
    AccountKind("untold_win", "table", "any", "result of rounds that nobody entered, from counts"),
    AccountKind("coin_income", "table", "any", "the house's part of the progressive coins"),
    AccountKind("prize_cost", "table", "any", "fixed prizes and Envy paid by the house"),
    AccountKind("sub_meter", "table", "credit", "the table's part of the meter", detail="epoch"),
    AccountKind(
        "reserve_share", "table", "credit", "the table's part of the reserve", detail="epoch"
    ),
    AccountKind(
        "meter_prizes", "table", "debit", "prizes that the meter paid at the table", detail="epoch"
    ),
    AccountKind("prizes_waiting", "table", "credit", "prizes that wait for an approval"),
    # It may owe what the sub-meters hold, of a meter that was lowered by more than its base
    # (`payouts/sql/meter_base_v1.sql`).
    AccountKind("meter_base", "jackpot", "any", "seed and remainder of the meter", detail="epoch"),
    AccountKind("reserve", "jackpot", "credit", "pays the next seed"),
    AccountKind("jackpot_top_up", "jackpot", "debit", "what the house added to a seed"),
    AccountKind("awards_payable", "house", "credit", "jackpot awards approved and not yet paid"),
    AccountKind(
        "award_cost", "jackpot", "any", "awards and faults of a jackpot that the house itself bears"
    ),
    AccountKind("award_receivable", "house", "debit", "wrong awards that were paid, asked back"),
    AccountKind(
        "tronc", "table", "credit", "tips: they belong to the staff, never to the house (HSE-3)"
    ),
    AccountKind("rake", "table", "any", "fees taken from pots (RAK-1)"),
    AccountKind("time_income", "table", "any", "fees taken for the time at a table (RAK-2)"),
    AccountKind(
        "house_fault",
        "table",
        "any",
        "paid to guests for faults at a poker table (POK-9)",
    ),
    AccountKind("count_difference", "place", "any", "counted against recorded"),
    AccountKind(
        "inventory_difference",
        "house",
        "any",
        "what the first inventory found otherwise than the books",
    ),
    AccountKind("cash_rounding", "house", "any", "rounding to coins when cash is paid"),
    AccountKind("chip_stock", "house", "credit", "all chips put into service"),
    AccountKind("cage_chips", "house", "debit", "chips in the cage"),
    # A tray that pays out more than is recorded lacks a fill: the round is booked all the same, and
    # an audit says so.
    AccountKind("tray", "table", "any", "chips in the table's tray"),
    AccountKind(
        "chips_outside", "place", "any", "chips with guests, on layouts and in the tronc box"
    ),
)

CHART = {kind.code: kind for kind in _KINDS}
# what the chips outside stand for
CLAIMS = ("circulation", "layout", "tronc", "stack", "in_play", "pot_carried")

# Where chips lie, at face value; in SQL: `kind IN {POSITIONS}`. All other accounts are values: a
# movement of chips stands once in each of the two circles.
POSITIONS = ("chip_stock", "cage_chips", "tray", "chips_outside")

# The accounts of an epoch that its meter is the sum of, on their credit side (PRG-11); in SQL:
# `kind IN {METER}`.
METER = ("meter_base", "sub_meter", "meter_prizes")
