"""`docs/LEDGER.md` is true: the chart is the chart, and every recipe posts what the page says, on real books, in its order."""

import re
from inspect import isfunction
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.audit import run_audits
from payouts.errors import Refused
from payouts.models import Account, Entry
from payouts.rules.ledger import recipes, stacks
from payouts.rules.ledger.chart import CHART, CLAIMS
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR, AccountUnknown
from payouts.rules.ledger.recipes import Line, StakeResult
from tests.cast import make_house, owners_of, post
from tests.turns import each

PAGE = (Path(__file__).parents[2] / "docs" / "LEDGER.md").read_text(encoding="utf-8")


# Every function that gives lines, but for what they are made with.
RECIPES = {
    name: recipe
    for module in (recipes, stacks)
    for name, recipe in vars(module).items()
    if isfunction(recipe) and recipe.__module__ == module.__name__ and name not in ("legs", "moving", "_tray_counted")
}


def page_recipes() -> dict[str, list[tuple[str, int, str]]]:
    """Recipe name -> (kind, minor units, note) rows of the table below its heading."""
    found: dict[str, list[tuple[str, int, str]]] = {}
    name = ""
    for line in PAGE.split("## Posting recipes", 1)[1].splitlines():
        if heading := re.match(r"`(\w+)", line):
            name = heading[1]
        elif row := re.match(r"\| (\w+) \| (-?)(\d+)\.(\d\d) \|(?: ([^|]*) \|| \|)?", line):
            amount = int(row[3]) * 100 + int(row[4])
            found.setdefault(name, []).append((row[1], -amount if row[2] else amount, (row[5] or "").strip()))
    return found


# The arguments behind the page's figures, in the page's order.
CALLS: dict[str, list[Line]] = {
    "capital_in": recipes.capital_in(50_000_000),
    "chips_in_service": recipes.chips_in_service(90_000_000),
    "fill": recipes.fill(5_000_000),
    "credit": recipes.credit(500_000),
    "buy_in": recipes.buy_in(100_000),
    "cage_sale": recipes.cage_sale(30_000),
    "cage_redeem": recipes.cage_redeem(12_000),
    "lock": recipes.lock([(1500, "box 3 ante"), (1500, "box 3 blind")], [(100, 25, 375, "box 3 coin")]),
    "settle": recipes.settle([StakeResult(1500, 0, 0, "box 3 ante"), StakeResult(1500, 1500, 2250, "box 3 blind")]),
    "override": recipes.override(20_000),
    "fixed_prize": recipes.fixed_prize(50_000),
    "prize_from_meter": recipes.prize_from_meter(100),
    "prize_waits": recipes.prize_waits(80_000),
    "prize_taken_over": recipes.prize_taken_over(80_000),
    "prize_awarded": recipes.prize_awarded(80_000),
    "tip": recipes.tip(500),
    "tronc_paid": recipes.tronc_paid(500),
    "rake": recipes.rake(400),
    "stack_cash": stacks.stack_cash(30_000),
    "stack_chips": stacks.stack_chips(20_000),
    "hand_raked": stacks.hand_raked(1_200),
    "hand": stacks.hand({"winner": 5_000, "loser": -6_000}, rake=400, carried=600),
    "hand_cleared": stacks.hand_cleared({"winner": 5_000}),
    "pay_for_fault": stacks.pay_for_fault(3_000),
    "time": stacks.time(500),
    "tip_stack": stacks.tip_stack(200),
    "move": stacks.move(30_000, counted=26_000),
    "stacks_counted": stacks.stacks_counted(50_000, counted=46_000),
    "stack_out": stacks.stack_out(46_000, counted=40_000),
    "table_emptied": stacks.table_emptied(-7_100, carried=-600),
    "seed": recipes.seed(10_000),
    "award": recipes.award(
        sub_meters={"table": 100},
        reserve_shares={"table": 25},
        base=10_000,
        reserve=2_000,
        shares=[5_000, 5_000],
        remainder=0,
        overflow=0,
        seed=10_000,
        prizes={"table": 100},
    ),
    "slip_paid": recipes.slip_paid(5_052, cash=5_050),
    "late_award": recipes.late_award(4_000),
    "award_cancelled": recipes.award_cancelled(5_050),
    "award_reclaimed": recipes.award_reclaimed(1_000),
    "award_lost": recipes.award_lost(500),
    "meter_raised": recipes.meter_raised(300),
    "meter_lowered": recipes.meter_lowered(200),
    "drop_count": recipes.drop_count(100_000, counted=99_000),
    "tray_count": recipes.tray_count(4_350_050, counted=4_347_550),
    "tray_result": recipes.tray_result(3_486_000, counted=3_827_250),
    "count_set_back": recipes.count_set_back(-157_000),
}


def test_page_shows_every_recipe_with_the_figures_that_it_gives():
    assert list(CALLS) == list(page_recipes())
    assert set(CALLS) == {*RECIPES}
    shown = {name: [(line.kind, line.amount_minor, line.note) for line in lines] for name, lines in CALLS.items()}
    assert page_recipes() == shown


def test_page_shows_the_chart():
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| (\w+) \| (?:value|position) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    owners = {"table or house": "place"}
    shown = {
        code: (owners.get(owner, owner.partition(", ")[0]), side, owner.partition(", ")[2], words)
        for code, owner, side, words in rows
    }
    assert shown == {kind.code: (kind.owner, kind.side, kind.detail, kind.meaning) for kind in CHART.values()}


def test_every_recipe_posts_on_real_books_and_the_audits_pass(own_database):
    house = make_house()
    owners = owners_of(house) | {"stay": uuid4()}  # who moves goes on at the same table
    owners |= {"from_table": owners["table"], "from_stay": owners["stay"]}
    owners |= dict.fromkeys(("winner", "loser"), owners["stay"])
    # What the jackpot's recipes find there: seed, reserve, and two cents still payable.
    before = [
        Line("house_capital", 12_002),
        Line("meter_base", -10_000, detail="old"),
        Line("reserve", -2_000),
        Line("awards_payable", -2),
    ]
    post(house, "capital_in", [*before, *recipes.capital_in(20_000)])
    for name, lines in CALLS.items():
        placed = [
            Line(x.kind, x.amount_minor, x.note, x.table, "old")
            if name in ("lock", "prize_from_meter") and CHART[x.kind].detail
            else x
            for x in lines
        ]
        post(house, name, placed, owners=owners)
    # Recipes alone: what they owe to winners has no awards and slips behind it, and nobody signed what moves a meter or is
    # paid against the rules; and no hand is on record.
    assert {result.name for result in run_audits() if result.breaches} == {
        "what_is_payable_has_open_slips",
        "bases_move_by_what_was_signed",
        "overrides_are_posted",
        "hand_overrides_are_posted",
        "stacks_move_as_played",
    }
    balances = dict(Account.objects.exclude(balance_minor=0).values_list("kind", "balance_minor"))
    assert balances["tray"] == 4_347_550 - 20_000 - 30_900  # without the override, and the seats of a poker table
    assert balances["awards_payable"] == -(80_000 + 10_000 + 2 - 5_052 + 4_000 - 5_050)
    assert {kind for kind in CHART if not Entry.objects.filter(account__kind=kind).exists()} == set()


def test_a_kind_may_have_an_account_for_each_stay_of_a_guest(db):
    """Where chips lie before guests: what a line does not name is the stay at hand."""
    house, (table, stay, other) = make_house(), (uuid4() for _ in range(3))
    owners = {"house": house.pk, "table": table, "stay": stay, "other": other}
    bought = [Line("drop", 100), Line("stack", -60), Line("stack", -40, detail="other")]
    post(house, "stack_cash", bought, owners=owners)
    stacks = Account.objects.filter(kind="stack", owner_id=table).values_list("detail_id", "balance_minor")
    assert dict(stacks) == {stay: -60, other: -40}
    with pytest.raises(AccountUnknown):
        post(house, "nobody", bought, owners={"house": house.pk, "table": table, "stay": stay})


amounts = st.integers(1, AMOUNT_MAX_MINOR)


def sums_to_zero(lines: list[Line]) -> bool:
    """In value and in chips: chips outside and the claims for them move together."""
    claims = sum(line.amount_minor for line in lines if line.kind in (*CLAIMS, "chips_outside"))
    return sum(line.amount_minor for line in lines) == 0 and claims == 0 and all(line.amount_minor for line in lines)


@given(amount=amounts)
def test_simple_recipes_balance_in_both_circles(amount):
    for name in ("capital_in", "chips_in_service", "fill", "credit", "buy_in", "cage_sale", "cage_redeem", "fixed_prize", "tip",
                 "tronc_paid", "rake", "seed", "prize_from_meter", "prize_waits", "prize_taken_over", "prize_awarded", "late_award",
                 "award_cancelled", "award_reclaimed", "award_lost", "meter_raised", "meter_lowered", "stack_cash", "stack_chips",
                 "hand_raked", "time", "tip_stack", "table_emptied"):  # fmt: skip
        assert sums_to_zero(RECIPES[name](amount)), name


stake_results = st.integers(1, 10**9).flatmap(
    lambda stake: st.builds(StakeResult, st.just(stake), st.integers(0, stake), st.integers(0, 10**9))
)


@given(results=st.lists(stake_results, min_size=1, max_size=20))
def test_settle_balances_and_the_table_wins_what_guests_lose(results):
    lines = recipes.settle(results)
    assert sums_to_zero(lines)
    back = sum(result.returned_minor + result.won_minor for result in results)
    assert sum(line.amount_minor for line in lines if line.kind == "circulation") == -back
    assert sum(line.amount_minor for line in lines if line.kind == "table_win") == back - sum(
        r.stake_minor for r in results
    )


parts = st.integers(0, 10**6)


@given(
    stakes=st.lists(st.tuples(amounts, st.just("")), min_size=1, max_size=10),
    coins=st.lists(st.tuples(st.integers(1, 10**6), parts, parts, st.just("")), max_size=7),
)
def test_lock_balances_and_cuts_each_coin_whole(stakes, coins):
    lines = recipes.lock(stakes, coins)
    assert sums_to_zero(lines)
    staked = sum(amount for amount, _ in stakes) + sum(meter + reserve + house for meter, reserve, house, _ in coins)
    assert sum(line.amount_minor for line in lines if line.kind == "circulation") == staked


@given(
    subs=st.dictionaries(st.sampled_from("abcd"), parts, min_size=1),
    reserves=st.dictionaries(st.sampled_from("abcd"), parts),
    base=st.integers(1, 10**7),
    reserve=parts,
    winners=st.integers(1, 5),
    overflow=parts,
    seed=parts,
)
def test_award_pays_sweeps_and_resets_to_the_cent(subs, reserves, base, reserve, winners, overflow, seed):
    meter = sum(subs.values()) + base
    overflow = min(overflow, meter - winners) if meter > winners else 0
    share = (meter - overflow) // winners
    remainder = meter - overflow - share * winners
    values = {"sub_meters": subs, "reserve_shares": reserves, "base": base, "reserve": reserve, "seed": seed}
    if share == 0:
        return
    lines = recipes.award(**values, shares=[share] * winners, remainder=remainder, overflow=overflow)
    assert sum(line.amount_minor for line in lines) == 0
    assert all(line.amount_minor for line in lines)
    new = sum(line.amount_minor for line in lines if line.kind == "meter_base" and line.detail != "old")
    assert new == -(seed + remainder)
    moved = sum(line.amount_minor for line in lines if line.kind == "reserve")
    assert reserve - moved >= 0
    top_up = sum(line.amount_minor for line in lines if line.kind == "jackpot_top_up")
    assert top_up == max(0, seed - reserve - sum(reserves.values()) - overflow)
    with pytest.raises(Refused):
        recipes.award(**values, shares=[share] * winners, remainder=remainder + 1, overflow=overflow)


@given(recorded=parts, counted=parts)
def test_counts_balance(recorded, counted):
    for name in ("drop_count", "tray_count"):
        if recorded == counted and (name == "tray_count" or not counted):
            with pytest.raises(Refused) as refused:
                RECIPES[name](recorded, counted=counted)
            assert refused.value.code == "ledger.empty"
        else:
            assert sum(line.amount_minor for line in RECIPES[name](recorded, counted=counted)) == 0


@given(nets=st.lists(st.integers(-(10**9), 10**9), max_size=10), rake=parts)
def test_POK_6_a_hand_takes_from_who_lost_what_others_won(nets, rake):  # noqa: N802
    by_stay = {f"stay {number}": net for number, net in enumerate(nets)}
    lines = stacks.hand(by_stay, rake=rake, elsewhere=-sum(nets) - rake)
    assert sums_to_zero(lines)
    assert {line.detail: -line.amount_minor for line in lines if line.kind == "stack"} == {
        stay: net for stay, net in by_stay.items() if net
    }
    assert sums_to_zero(stacks.hand_cleared(by_stay))


@given(booked=parts.map(lambda n: n + 1), counted=parts)
def test_POK_2_a_guest_goes_with_what_is_counted_and_the_difference_is_in_play(booked, counted):  # noqa: N802
    for name in ("stack_out", "move"):
        lines = RECIPES[name](booked, counted=counted)
        assert sums_to_zero(lines)
        assert sum(line.amount_minor for line in lines if line.kind == "in_play") == counted - booked


@given(amount=parts.map(lambda n: n + 1), cash=parts)
def test_slip_paid_books_the_rounding(amount, cash):
    lines = recipes.slip_paid(amount, cash=cash)
    assert sum(line.amount_minor for line in lines) == 0
    assert sum(line.amount_minor for line in lines if line.kind == "cage_cash") == -cash


HUGE = 10**5000  # more digits than Python will print


@each("amount", [0, -1, 1.5, True, None, "5", AMOUNT_MAX_MINOR + 1, HUGE, -HUGE])
@each("name", ["fill", "buy_in", "tip", "rake", "capital_in"])
def test_recipe_refuses_an_amount_that_is_none(name, amount):
    with pytest.raises(Refused) as refused:
        RECIPES[name](amount)
    assert refused.value.code == "ledger.amount"
    assert refused.value.text()
