"""What a posted table gives back, as figures for a page. Computed once for each table (equal tables
are equal keys).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from django.utils.translation import gettext

from casino.rulesets.edges import edges_of
from casino.text.formats import APOSTROPHE, NBSP, format_figure, format_money
from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.progressive_odds import coin_odds, long_run_edge
from payouts.models import House
from payouts.rules.hands.ranks import Category
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.paytable import WORDS, Paytable
from payouts.rules.rulesets.paytable_odds import frequencies, percent, table_odds
from payouts.rules.rulesets.schema import Posted

_PERCENT = f"{NBSP}%"
_table_odds = lru_cache(256)(table_odds)
_coin_odds = lru_cache(256)(coin_odds)


@dataclass(frozen=True)
class Figures:
    """Figures of a page: a few with their names, a table, a sentence, and the edge if the table has
    one by itself.
    """

    facts: tuple[tuple[str, str], ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    remark: str = ""
    edge: Fraction | None = None


def figures(
    kind: TableKind, posted: Posted, house: House, beside: Sequence[Posted] = ()
) -> Figures | None:
    """The figures of a table of this kind, weighed with the tables `beside` it
    (`TableKind.beside`); None for kinds without.
    """
    if kind.pays == "own_hand" and isinstance(posted, Paytable):
        return _own_hand(posted, house)
    if kind.pays == "beating" and isinstance(posted, Paytable):
        return _beating(posted, house)
    if isinstance(posted, ProgressiveRules):
        return _progressive(
            posted, house, [one for one in beside if isinstance(one, FundingSchedule)]
        )
    if isinstance(posted, FundingSchedule):
        return _funding(posted, house, [one for one in beside if isinstance(one, ProgressiveRules)])
    return _worked_out(kind, posted, house) if kind.edges else None


def share(value: Fraction, house: House, digits: int = 4) -> str:
    """A share as a percentage, as the house writes figures; no line breaks before the sign."""
    return format_figure(percent(value, digits), house.locale).replace(" %", _PERCENT)


def points(value: Fraction, house: House) -> str:
    """A difference of shares in percentage points, without a sign of its own."""
    return share(abs(value), house).removesuffix(_PERCENT)


def _own_hand(table: Paytable, house: House) -> Figures:
    odds = _table_odds(table)
    rows = tuple(
        (
            _hand(line.hand),
            str(line.odds),
            share(line.probability, house),
            share(line.returned, house),
        )
        for line in odds.lines
    )
    return Figures(
        facts=(
            (gettext("House edge"), share(odds.edge, house)),
            (gettext("Hit rate"), share(odds.hit_rate, house)),
            (gettext("Variance per unit staked"), _decimal(odds.variance, 4, house)),
        ),
        head=(
            gettext("Hand"),
            gettext("Pays"),
            gettext("How often"),
            gettext("Returned of each stake"),
        ),
        rows=rows,
        edge=odds.edge,
    )


def _beating(table: Paytable, house: House) -> Figures:
    odds, chances = table.odds(), frequencies()
    rows = tuple(
        (_hand(hand), str(odds[hand]) if hand in odds else "–", share(chances[hand], house))
        for hand in sorted(Category, reverse=True)
    )
    return Figures(
        head=(gettext("Hand"), gettext("Pays"), gettext("How often a box makes it")),
        rows=rows,
        remark=gettext(
            "Blind pays only when the box beats the dealer, so its edge depends on how the guest"
            " plays."
        ),
    )


def _progressive(
    rules: ProgressiveRules, house: House, fundings: Sequence[FundingSchedule]
) -> Figures:
    odds = _coin_odds(rules)
    hit_rate = sum((line.probability for line in odds.lines), Fraction(0))
    facts = [
        (
            gettext("Fixed prizes are worth"),
            gettext("%(worth)s of each coin of %(coin)s")
            % {
                "worth": _money(odds.fixed_minor, house),
                "coin": format_money(rules.coin_minor, house.currency, house.locale),
            },
        ),
        (gettext("Hit rate"), share(hit_rate, house)),
        (gettext("The meter is won"), _one_in(odds.meter_probability)),
        (gettext("Break-even meter, without Envy"), _rounded(odds.break_even_minor, house)),
    ]
    edge = None
    for funding in (one for one in fundings if one.coin_minor == rules.coin_minor):
        edge = long_run_edge(rules, funding)
        seed = format_money(funding.seed_minor, house.currency, house.locale)
        facts += [
            (gettext("House edge in the long run"), share(edge, house)),
            (
                gettext("House edge at a meter of %(amount)s") % {"amount": seed},
                share(odds.edge(funding.seed_minor), house),
            ),
            (
                gettext("Variance per coin at this meter"),
                _decimal(_variance(rules, funding.seed_minor), 2, house),
            ),
        ]
    rows = []
    for line in odds.lines:
        meter = line.prize.amount_minor is None
        amount = (
            gettext("the whole meter")
            if meter
            else format_money(line.prize.amount_minor or 0, house.currency, house.locale)
        )
        worth = "–" if line.worth_minor is None else _money(line.worth_minor, house)
        hand = (
            gettext("%(hand)s, with a hole card") if line.prize.hole_card_required else "%(hand)s"
        )
        rows.append(
            (hand % {"hand": _hand(line.prize.hand)}, amount, _one_in(line.probability), worth)
        )
    head = (gettext("Hand"), gettext("Prize"), gettext("How often"), gettext("Worth per coin"))
    return Figures(tuple(facts), head, tuple(rows), edge=edge)


def _funding(
    funding: FundingSchedule, house: House, prizes: Sequence[ProgressiveRules]
) -> Figures | None:
    """What is left of each coin under the prizes that the house pays for it; None when it posts
    none for this coin.
    """
    edges = [
        long_run_edge(rules, funding) for rules in prizes if rules.coin_minor == funding.coin_minor
    ]
    if not edges:
        return None
    return Figures(
        tuple((gettext("House edge in the long run"), share(edge, house)) for edge in edges),
        edge=edges[-1],
    )


def _worked_out(kind: TableKind, posted: Posted, house: House) -> Figures:
    """The edges that a worker has worked out, or that it is at it."""
    words, edges = kind.edges.words if kind.edges else {}, edges_of(kind, posted)
    waits = gettext("is being worked out")
    facts = (
        (gettext(word), share(edges[name], house) if name in edges else waits)
        for name, word in words.items()
    )
    return Figures(tuple(facts), edge=next((edges[name] for name in words if name in edges), None))


def _variance(rules: ProgressiveRules, meter_minor: int) -> Fraction:
    """Of what a coin gains, in coins, while the meter stands at this amount."""
    odds = _coin_odds(rules)
    wins = [
        (
            line.probability,
            Fraction(
                meter_minor if line.prize.amount_minor is None else line.prize.amount_minor,
                rules.coin_minor,
            ),
        )
        for line in odds.lines
    ]
    mean = sum((chance * win for chance, win in wins), Fraction(0))
    return sum((chance * win**2 for chance, win in wins), Fraction(0)) - mean**2


def _hand(hand: Category) -> str:
    return gettext(WORDS[hand])


def _one_in(chance: Fraction) -> str:
    if not chance:
        return gettext("never")
    return gettext("1 in %(number)s") % {
        "number": f"{round(1 / chance):,}".replace(",", APOSTROPHE)
    }


def _money(minor: Fraction, house: House) -> str:
    """A worth with four decimals, as CHF 2.5638."""
    return f"{house.currency}{NBSP}{_decimal(minor / 100, 4, house)}"


def _rounded(minor: Fraction, house: House) -> str:
    return format_money(round(minor), house.currency, house.locale)


def _decimal(value: Fraction, digits: int, house: House) -> str:
    return share(value / 100, house, digits).removesuffix(_PERCENT)
