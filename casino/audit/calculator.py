"""The jackpot calculator: what to expect of a progressive by its exact odds, and what another seed
or cut would change.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.audit.forms import CalculatorForm
from casino.audit.parts import auditor, page
from casino.people.context import house_clock_for, look_at
from casino.people.pages.page import house_filter
from casino.rulesets.odds import share
from casino.text.floor import uuid_or_none
from casino.text.formats import APOSTROPHE, NBSP, format_amount, format_figure, format_money
from casino.text.problems import STATUS, sentences
from casino.text.typed import amount_of, figure_of
from jackpot.models import Jackpot
from jackpot.rules.calculator import Forecast, compare_forecasts, forecast
from jackpot.rules.progressive import ProgressiveRules
from jackpot.selectors.jackpots import meter_read
from payouts.errors import Refused, mark
from payouts.models import House
from payouts.rules.rulesets.funding import FundingSchedule

COINS_DIGITS = 11
PACE = 300  # coins an hour, where nobody says another number
POINTS, TICKS = 120, 5
FIELDS = ("coins", "now", "seed", "meter", "reserve", "cap")
AMOUNTS = FIELDS[1:]
# Which field a refusal of the rules is about.
OF = {"jackpot.pace_wrong": "coins", "amount.refused": "now"}
_forecast = lru_cache(64)(forecast)


class FigureWrong(Refused):
    """What stands in a field of the calculator is no figure of its kind."""

    code = "calculator.figure_wrong"
    sentence = mark("%(figure)s cannot be calculated with.")
    remedy = mark("Write a figure such as %(example)s, or leave the field empty.")


class Row(NamedTuple):
    """One figure as it is, and as it would be."""

    name: str
    before: str
    after: str
    changed: bool


class Calculated(NamedTuple):
    """Figures and plots of the jackpot. `now_rows`: what to expect from `now_minor` on; `after`:
    whether others were typed.
    """

    coins: int
    rows: list[Row]
    changed: list[str]
    differs: bool
    now_rows: list[tuple[str, str]]
    now_minor: int
    plots: dict[str, Any]  # as the script of the page reads it
    after: bool


@require_GET
def calculator(request: HttpRequest) -> HttpResponse:
    """The forecast of a jackpot; with other figures in the form, what they would change."""
    person = auditor(request)
    rows = Jackpot.objects.filter(**house_filter(person)).exclude(epoch=None)
    jackpots = list(
        rows.select_related("house", "epoch__progressive", "epoch__funding").order_by(
            "house__name", "name"
        )
    )
    wanted = uuid_or_none(request.GET.get("jackpot", ""))
    chosen = next((one for one in jackpots if one.pk == wanted), jackpots[0] if jackpots else None)
    said = {name: request.GET.get(name, "").replace("\0", "").strip()[:40] for name in FIELDS}
    context: dict[str, Any] = {"place": "calculator", "chosen": chosen}
    if chosen is None:
        here = house_clock_for(person)
        return page(request, "audit/calculator.html", context, here.house if here else None)
    look_at(person, chosen.house)
    rules, funding = _posted(chosen)
    shown_minor, status, wrong = meter_read(jackpot_id=chosen.pk).shown_minor, 200, ""
    try:
        context |= _calculated(chosen.house, rules, funding, said, shown_minor)._asdict()
    except Refused as refused:
        sentence, remedy = sentences(refused, chosen.house)
        field = str(refused.data.get("field", "")) or OF.get(refused.code, "")
        wrong = field if field in FIELDS else "meter"
        context["refused"] = {"sentence": sentence, "remedy": remedy}
        status = STATUS[refused.kind]
    form = CalculatorForm(said | {"jackpot": chosen.pk}, wrong)
    choices = [
        (one.pk, one.name if person.house_id else f"{one.name} · {one.house.name}")
        for one in jackpots
    ]
    form.offer("jackpot", _("Jackpot"), choices, every=False)
    for name, label, own in _asked_for(chosen.house, funding, shown_minor):
        form.ask(name, label, own)
    context["form"] = form
    return page(request, "audit/calculator.html", context, chosen.house, status)


def _asked_for(
    house: House, funding: FundingSchedule, shown_minor: int
) -> list[tuple[str, str, str]]:
    """The figures that may be typed: the field, its label, and what counts else."""
    money = _money(house)
    cap = funding.cap_minor
    of_coin = _("To the meter, of a coin of %(coin)s") % {"coin": money(funding.coin_minor)}
    return [
        ("coins", _("Coins an hour, at all linked tables together"), str(PACE)),
        ("now", _("The meter stands at"), money(shown_minor)),
        ("seed", _("Seed"), money(funding.seed_minor)),
        ("meter", of_coin, money(funding.meter_minor)),
        ("reserve", _("To the reserve"), money(funding.reserve_minor)),
        ("cap", _("Cap"), _("no cap") if cap is None else money(cap)),
    ]


def _posted(jackpot: Jackpot) -> tuple[ProgressiveRules, FundingSchedule]:
    epoch = jackpot.epoch
    if epoch is None:
        raise RuntimeError("a jackpot without an epoch is not listed")
    return ProgressiveRules.from_data(epoch.progressive.data), FundingSchedule.from_data(
        epoch.funding.data
    )


def _calculated(
    house: House,
    rules: ProgressiveRules,
    funding: FundingSchedule,
    said: Mapping[str, str],
    shown_minor: int,
) -> Calculated:
    """Figures and plots. Raises FigureWrong, PaceWrong, AmountWrong and what a funding refuses."""
    typed = {name: _minor(said[name], name, house) for name in AMOUNTS}
    coins = _coins(said["coins"], house)
    before = _forecast(rules, funding, coins_an_hour=coins)
    other = _other(funding, typed)
    after = _forecast(rules, other, coins_an_hour=coins) if other != funding else None
    now = _forecast(
        rules,
        funding,
        coins_an_hour=coins,
        now_minor=shown_minor if typed["now"] is None else typed["now"],
    )
    rows = _figures(before, after or before, house)
    return Calculated(
        coins=coins,
        rows=rows,
        changed=[one.name for one in rows if one.changed] if after else [],
        differs=bool(after and compare_forecasts(before, after)),
        now_rows=_from_now(now, house),
        now_minor=now.wins.start_minor,
        plots=_plots(before, after, house, coins),
        after=after is not None,
    )


def _other(funding: FundingSchedule, typed: Mapping[str, int | None]) -> FundingSchedule:
    """The funding with what was typed; the house keeps the rest of the coin."""
    changes = {
        f"{name}_minor": typed[name]
        for name in ("seed", "meter", "reserve", "cap")
        if typed[name] is not None
    }
    if not changes:
        return funding
    meter, reserve = (
        changes.get(name, getattr(funding, name)) or 0 for name in ("meter_minor", "reserve_minor")
    )
    whole: dict[str, Any] = changes | {"house_minor": funding.coin_minor - meter - reserve}
    return replace(funding, **whole)


def _minor(text: str, field: str, house: House) -> int | None:
    """An amount as people write it, in minor units; None where nothing is said."""
    if not text:
        return None
    amount = amount_of(text, house.currency, house.locale)
    if amount is None or amount < 0:
        raise FigureWrong(
            figure=text, field=field, example=format_amount(1_284_50, house.currency, house.locale)
        )
    return amount


def _coins(text: str, house: House) -> int:
    coins = figure_of(text, 0, house.locale) if text else PACE
    if coins is None or not 0 <= coins < 10**COINS_DIGITS:
        raise FigureWrong(figure=text, field="coins", example="300")
    return coins


def _figures(before: Forecast, after: Forecast, house: House) -> list[Row]:
    money = _money(house)
    named: list[tuple[str, Callable[[Forecast], str]]] = [
        (_("Coins from one hit to the next"), lambda one: _whole(one.coins_a_hit)),
        (_("Hours from one hit to the next"), lambda one: _hours(one.hours_a_hit, house)),
        (_("The meter grows in an hour by"), lambda one: money(one.growth_minor_an_hour)),
        (_("Amount at the hit, on average"), lambda one: money(one.mean_minor)),
        *((_less(level), _quantile(level, money)) for level, _amount in before.quantiles),
        (_("Break-even amount"), lambda one: money(one.break_even_minor)),
        (_("Hours from the seed to break-even"), lambda one: _hours(one.break_even_hours, house)),
        (_("Hits at break-even or above"), lambda one: _percent(one.break_even_chance, house)),
        (_("The reserve gathers from hit to hit"), lambda one: money(one.reserve_a_hit_minor)),
        (_("The house adds to each seed"), lambda one: money(one.topped_up_minor)),
        (_("House edge on a coin, in the long run"), lambda one: share(one.edge, house)),
    ]
    pairs = [(name, say(before), say(after)) for name, say in named]
    return [Row(name, one, two, one != two) for name, one, two in pairs]


def _from_now(now: Forecast, house: House) -> list[tuple[str, str]]:
    """What to expect from the amount on at which the meter stands."""
    money = _money(house)
    half = dict(now.quantiles)[50]
    return [
        (_("Amount at the hit, on average"), money(now.mean_minor)),
        (_less(50), money(half)),
        (_("Hours to break-even"), _hours(now.break_even_hours, house)),
        (_("Hits at break-even or above"), _percent(now.break_even_chance, house)),
    ]


def _money(house: House) -> Callable[[Fraction | int], str]:
    return lambda amount: format_money(round(amount), house.currency, house.locale)


def _less(level: int) -> str:
    return _("At most this in %(percent)s of 100 hits") % {"percent": level}


def _quantile(level: int, money: Callable[[Fraction | int], str]) -> Callable[[Forecast], str]:
    return lambda one: money(dict(one.quantiles)[level])


def _whole(value: Fraction) -> str:
    return f"{round(value):,}".replace(",", APOSTROPHE)


def _hours(hours: Fraction | None, house: House) -> str:
    if hours is None:
        return _("never")
    return format_figure(f"{float(hours):.1f}", house.locale)


def _percent(chance: float, house: House) -> str:
    return format_figure(f"{chance * 100:.2f}", house.locale) + f"{NBSP}%"


def _plots(before: Forecast, after: Forecast | None, house: House, coins: int) -> dict[str, Any]:
    every = [before, *([after] if after else [])]
    even = round(before.break_even_minor)
    return {
        "hits": _hits_plot(every, even, house),
        "growth": _growth_plot(every, even, house, coins),
    }


def _hits_plot(every: list[Forecast], even: int, house: House) -> dict[str, Any]:
    """Of 100 hits, how many come at an amount or above."""
    least = min(one.wins.amount_after(0) for one in every)
    most = max(*(one.wins.quantile(99) for one in every), least + POINTS)
    places = [least + (most - least) * at // POINTS for at in range(POINTS + 1)]
    return {
        "places": places,
        "lines": [[one.wins.at_least(amount) for amount in places] for one in every],
        "across": [
            (amount, format_amount(amount, house.currency, house.locale))
            for amount in _ticks(least, most)
        ],
        "up": [(part / 4, f"{part * 25}{NBSP}%") for part in range(5)],
        "mark": (
            {"at": even, "across": True, "text": _("Break-even")} if least <= even <= most else None
        ),
    }


def _growth_plot(every: list[Forecast], even: int, house: House, coins: int) -> dict[str, Any]:
    """What the meter shows after some hours, while nobody wins it."""
    hours = max(1, -(-max(one.wins.coins_to(one.wins.quantile(95)) or 0 for one in every) // coins))
    places = [hours * at / POINTS for at in range(POINTS + 1)]
    lines = [[one.wins.amount_after(int(at * coins)) for at in places] for one in every]
    least, most = min(map(min, lines)), max(map(max, lines))
    ticks = _ticks(least, max(most, least + 1))
    step = ticks[1] - ticks[0] if len(ticks) > 1 else most or 1
    below = [max(0, ticks[0] - step)] if least < ticks[0] else []
    up = [*below, *ticks, *([ticks[-1] + step] if most > ticks[-1] else [])]
    return {
        "places": places,
        "lines": lines,
        "across": [(at, _("%(hours)s h") % {"hours": at}) for at in _ticks(0, hours)],
        "up": [(amount, format_amount(amount, house.currency, house.locale)) for amount in up],
        "mark": (
            {"at": even, "across": False, "text": _("Break-even")}
            if up[0] <= even <= up[-1]
            else None
        ),
    }


def _ticks(low: int, high: int) -> list[int]:
    """Some round figures from low to high."""
    steps = (mantissa * 10**power for power in range(16) for mantissa in (1, 2, 5))
    step = next(one for one in steps if (high - low) // one <= TICKS)
    first = -(-low // step) * step
    return [first + step * count for count in range((high - first) // step + 1)] or [low]
