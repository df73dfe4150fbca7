"""All kinds of tables that a house posts: those of the house and its jackpots, and those that the
games bring with them.

Here the rules of the lower floors meet (the money floor must not know jackpot or tables).
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.progressive_odds import coin_advice, coin_odds, progressive_advice
from payouts.errors import mark
from payouts.rules.rulesets.cage import CageRules
from payouts.rules.rulesets.calendar import BAD_RAGAZ
from payouts.rules.rulesets.chips import ChipSet, TrayFloat
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.kinds import Beside, TableKind
from payouts.rules.rulesets.paytable_odds import edge_advice
from payouts.rules.rulesets.rake import RakeSchedule, TimeCharge
from payouts.rules.rulesets.schema import Advice
from tables.games import GAMES
from tables.games.payable import PAID_IN_CHIPS, with_chips
from tables.rules.floor import FloorRules
from tables.rules.limits import ten_table


def _progressive_advice(rules: ProgressiveRules, beside: Beside) -> tuple[Advice, ...]:
    """With each funding of the house for this coin; without one a coin that loses on fixed prizes
    alone is still a mistake.
    """
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
    found = [
        *funding.advice(),
        *(advice for advice in edges if advice.code.startswith(("paytable.edge", "jackpot.unit"))),
    ]
    if tables and not same:
        found.append(coin_advice(tables[0].coin_minor, funding.coin_minor))
    return _once(found)


NOT_OF_SET = mark("%(value_minor)s is no denomination of the house's chips.")


def _float_advice(tray_float: TrayFloat, beside: Beside) -> tuple[Advice, ...]:
    """Where the house posts its chips, a float in others is a mistake (CHP-1)."""
    sets = [ChipSet.from_data(data) for data in beside["chip_set"]]
    values = {value for chips in sets for value in chips.values()}
    return tuple(
        Advice("chips.not_of_set", NOT_OF_SET, {"value_minor": line.value_minor})
        for line in tray_float.lines
        if sets and line.value_minor not in values
    )


def _once(found: list[Advice]) -> tuple[Advice, ...]:
    return tuple(advice for place, advice in enumerate(found) if advice not in found[:place])


_OF_HOUSE: dict[str, TableKind] = {
    kind.code: kind
    for kind in (
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
        TableKind(
            "jackpot_rules", mark("What happens at a hit"), JackpotRules(), starts="next_epoch"
        ),
        TableKind(
            "box_limits",
            mark("Limits of shared boxes"),
            ten_table(50_000),
            advise=with_chips("box_limits"),
            beside=("chip_set",),
        ),
        TableKind("floor_rules", mark("How rounds are entered"), FloorRules()),
        TableKind("hand_rules", mark("Rules for poker hands"), HandRules()),
        TableKind("rake", mark("Rake"), RakeSchedule()),
        TableKind("time_charge", mark("Time charge"), TimeCharge()),
        TableKind(
            "chip_set",
            mark("Chip set"),
            ChipSet(),
            advise=with_chips("chip_set"),
            beside=PAID_IN_CHIPS,
        ),
        TableKind(
            "tray_float",
            mark("Tray float"),
            TrayFloat(),
            advise=_float_advice,
            beside=("chip_set",),
        ),
        TableKind("cage_rules", mark("Counts and differences"), CageRules()),
        TableKind("calendar", mark("Opening hours"), BAD_RAGAZ),
    )
}


class _Kinds(Mapping[str, TableKind]):
    """By code; read from the list of games each time, so that a game that stands there needs no
    second entry.
    """

    def _every(self) -> dict[str, TableKind]:
        return {kind.code: kind for game in GAMES.values() for kind in game.kinds} | _OF_HOUSE

    def __getitem__(self, code: str) -> TableKind:
        return self._every()[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._every())

    def __len__(self) -> int:
        return len(self._every())


KINDS: Mapping[str, TableKind] = _Kinds()
