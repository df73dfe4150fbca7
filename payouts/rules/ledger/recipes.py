"""Posting recipes: for each thing that happens, which accounts move by how much. Pure;
`docs/LEDGER.md` shows each with figures.

A recipe gives `Line`s, which name accounts by kind; the service finds the accounts of the table,
jackpot and epoch at hand. Debit is positive. Amounts are whole minor units; a negative one is
refused (`ledger.amount`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from payouts.rules.ledger.postings import PostingEmpty, PostingUnbalanced, whole_amount


@dataclass(frozen=True, slots=True)
class Line:
    """One leg by kind of account. `table` names a table other than the one at hand, `detail` an
    epoch other than the running one, or a stay other than the one at hand.
    """

    kind: str
    amount_minor: int
    note: str = ""
    table: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StakeResult:
    """What became of one stake: the stake itself, how much of it goes back, what is won on top (all
    minor units).
    """

    stake_minor: int
    returned_minor: int
    won_minor: int
    note: str = ""


def legs(amount: int, *lines: tuple[str, int]) -> list[Line]:
    """The same amount to or from several kinds of accounts."""
    whole_amount(amount)
    return [Line(kind, sign * amount) for kind, sign in lines]


def capital_in(amount: int) -> list[Line]:
    """The house puts cash into the cage."""
    return legs(amount, ("cage_cash", 1), ("house_capital", -1))


def chips_in_service(amount: int) -> list[Line]:
    """New chips are counted into the cage."""
    return legs(amount, ("cage_chips", 1), ("chip_stock", -1))


def fill(amount: int) -> list[Line]:
    """Chips go from the cage to the table's tray."""
    return legs(amount, ("tray", 1), ("cage_chips", -1))


def credit(amount: int) -> list[Line]:
    """Chips go from the table's tray back to the cage."""
    return legs(amount, ("cage_chips", 1), ("tray", -1))


def buy_in(amount: int) -> list[Line]:
    """A guest buys chips at the table: cash into the drop box, chips out of the tray."""
    return legs(amount, ("drop", 1), ("circulation", -1), ("chips_outside", 1), ("tray", -1))


def cage_sale(amount: int) -> list[Line]:
    """A guest buys chips at the cage."""
    return legs(
        amount, ("cage_cash", 1), ("circulation", -1), ("chips_outside", 1), ("cage_chips", -1)
    )


def cage_redeem(amount: int) -> list[Line]:
    """A guest changes chips back into cash at the cage."""
    return legs(
        amount, ("circulation", 1), ("cage_cash", -1), ("cage_chips", 1), ("chips_outside", -1)
    )


def lock(
    stakes: Sequence[tuple[int, str]], coins: Sequence[tuple[int, int, int, str]] = ()
) -> list[Line]:
    """Stakes of a locked round, each `(amount, note)`, and its coins, each `(meter, reserve, house,
    note)` (PRG-1, PRG-11).

    Stakes stay the guests' until the round ends; a coin is taken at once and its chip goes into the
    tray.
    """
    lines: list[Line] = []
    for amount, note in stakes:
        whole_amount(amount)
        lines += [Line("circulation", amount, note), Line("layout", -amount, note)]
    for meter, reserve, house, note in coins:
        coin = sum(whole_amount(part, least=0) for part in (meter, reserve, house))
        parts = (("sub_meter", meter), ("reserve_share", reserve), ("coin_income", house))
        lines += [
            Line("circulation", whole_amount(coin), note),
            *(Line(kind, -part, note) for kind, part in parts if part),
        ]
        lines += [Line("tray", coin, note), Line("chips_outside", -coin, note)]
    if not lines:
        raise PostingEmpty(legs=0)
    return lines


def settle(results: Sequence[StakeResult]) -> list[Line]:
    """A round ends: each stake is lost or goes back, wins are paid, and the tray moves by the
    difference.
    """
    lines: list[Line] = []
    net = 0
    for result in results:
        stake = whole_amount(result.stake_minor)
        returned, won = (
            whole_amount(result.returned_minor, least=0),
            whole_amount(result.won_minor, least=0),
        )
        lost = stake - returned
        if lost < 0:
            raise PostingUnbalanced(difference_minor=lost)
        net += lost - won
        moves = (("layout", stake), ("circulation", -(returned + won)), ("table_win", won - lost))
        lines += [Line(kind, amount, result.note) for kind, amount in moves if amount]
    if not lines:
        raise PostingEmpty(legs=0)
    return [*lines, *([Line("tray", net), Line("chips_outside", -net)] if net else [])]


def override(amount: int) -> list[Line]:
    """Management gives a guest back, or pays, what the rules do not (BJ-12): from the tray, at the
    cost of the table's result.
    """
    return legs(amount, ("table_win", 1), ("circulation", -1), ("chips_outside", 1), ("tray", -1))


def fixed_prize(amount: int) -> list[Line]:
    """A fixed prize or Envy, paid from the tray at the house's cost (PRG-4 to PRG-6)."""
    return legs(amount, ("prize_cost", 1), ("circulation", -1), ("chips_outside", 1), ("tray", -1))


def prize_from_meter(amount: int) -> list[Line]:
    """A fixed prize or Envy, paid from the tray and borne by the meter, where the house posts it so
    (PRG-5).
    """
    return legs(
        amount, ("meter_prizes", 1), ("circulation", -1), ("chips_outside", 1), ("tray", -1)
    )


def prize_waits(amount: int, *, of_meter: bool = False) -> list[Line]:
    """A prize from the house's threshold up: owed, but no chip moves until it is approved."""
    return legs(amount, ("meter_prizes" if of_meter else "prize_cost", 1), ("prizes_waiting", -1))


def prize_taken_over(amount: int) -> list[Line]:
    """A prize that a meter paid is about to be taken back, and that meter was paid out since: what
    comes back is the house's.
    """
    return legs(amount, ("meter_prizes", 1), ("prize_cost", -1))


def prize_awarded(amount: int) -> list[Line]:
    """A prize that waited is approved: the cage pays it by a slip."""
    return legs(amount, ("prizes_waiting", 1), ("awards_payable", -1))


def seed(amount: int) -> list[Line]:
    """The house puts the seed of a jackpot's first epoch in (PRG-11)."""
    return legs(amount, ("jackpot_top_up", 1), ("meter_base", -1))


def award(
    *,
    sub_meters: Mapping[str, int],
    reserve_shares: Mapping[str, int],
    base: int,
    reserve: int,
    shares: Sequence[int],
    remainder: int,
    overflow: int,
    seed: int,
    shortfall: int = 0,
    prizes: Mapping[str, int] | None = None,
) -> list[Line]:
    """The meter is won and reset in one transfer (PRG-3, PRG-7, PRG-10; design: "Reset").

    `sub_meters` and `reserve_shares` are what each table's accounts of the old epoch hold, `base`
    its seed and remainder (negative where the meter was lowered by more than that), `reserve` what
    lies in the reserve, `prizes` what the meter paid at each table. Shares, the remainder (which
    stays in the meter) and the overflow (which goes to the reserve) must sum to the meter and the
    `shortfall`, which the house adds where what was shown at the claim is won and the meter fell
    since (PRG-12). The next seed comes from the reserve; what is missing the house tops up.
    """
    given = prizes or {}
    meter = sum(sub_meters.values()) + base + whole_amount(shortfall, least=0) - sum(given.values())
    if sum(shares) + remainder + overflow != meter:
        raise PostingUnbalanced(difference_minor=meter - sum(shares) - remainder - overflow)
    lines = [
        Line("sub_meter", whole_amount(held), table=table, detail="old")
        for table, held in sub_meters.items()
        if held
    ]
    lines += [Line("meter_base", base, detail="old")] if whole_amount(abs(base), least=0) else []
    lines += [
        Line("meter_prizes", -whole_amount(paid), table=t, detail="old")
        for t, paid in given.items()
        if paid
    ]
    lines += [
        Line("reserve_share", whole_amount(held), table=t, detail="old")
        for t, held in reserve_shares.items()
        if held
    ]
    lines += [
        Line("awards_payable", -whole_amount(share), f"share {place}")
        for place, share in enumerate(shares, 1)
    ]
    available = (
        whole_amount(reserve, least=0)
        + sum(reserve_shares.values())
        + whole_amount(overflow, least=0)
    )
    from_reserve = min(available, whole_amount(seed, least=0))
    top_up = seed - from_reserve + shortfall
    # debit: what leaves the reserve account itself
    reserve_moves = reserve - (available - from_reserve)
    moves = (("jackpot_top_up", top_up), ("reserve", reserve_moves))
    lines += [Line(kind, amount) for kind, amount in moves if amount]
    if seed + remainder:
        lines.append(Line("meter_base", -(seed + whole_amount(remainder, least=0))))
    return lines


def slip_paid(amount: int, *, cash: int) -> list[Line]:
    """The cage pays an award; `cash` is the amount in coins that exist, the difference is booked
    (HSE-6).
    """
    difference = whole_amount(cash, least=0) - whole_amount(amount)
    lines = [
        Line("awards_payable", amount),
        Line("cage_cash", -cash),
        Line("cash_rounding", difference),
    ]
    return [line for line in lines if line.amount_minor]


def late_award(amount: int) -> list[Line]:
    """A royal flush that was overlooked: the house pays what its winner should have had."""
    return legs(amount, ("award_cost", 1), ("awards_payable", -1))


# Where an award came from, and where it goes back to: a share to the players' running meter, a
# prize to what its round still owes (whose correction takes it back), a late award to the house's
# own cost.
AWARD_SOURCES = {"share": "meter_base", "prize": "prizes_waiting", "late": "award_cost"}


def award_cancelled(amount: int, *, kind: str = "share") -> list[Line]:
    """An award that was wrong and is not paid yet goes back to where it came from
    (`AWARD_SOURCES`).
    """
    return legs(amount, ("awards_payable", 1), (AWARD_SOURCES[kind], -1))


def award_reclaimed(amount: int, *, kind: str = "share") -> list[Line]:
    """An award that was wrong and paid is asked back from who got it; where it came from has it
    again all the same.
    """
    return legs(amount, ("award_receivable", 1), (AWARD_SOURCES[kind], -1))


def award_lost(amount: int, *, kind: str = "share") -> list[Line]:
    """An award that was wrong, paid and is lost: the house bears it. A late award was its cost from
    the start: nothing moves.
    """
    return [] if kind == "late" else legs(amount, ("award_cost", 1), (AWARD_SOURCES[kind], -1))


def meter_raised(amount: int) -> list[Line]:
    """A fault is put right: the meter showed too little."""
    return legs(amount, ("award_cost", 1), ("meter_base", -1))


def meter_lowered(amount: int) -> list[Line]:
    """A fault is put right: the meter showed too much. What tables brought stays theirs; the base
    may owe it to them.
    """
    return legs(amount, ("meter_base", 1), ("award_cost", -1))


def drop_count(recorded: int, *, counted: int) -> list[Line]:
    """The drop box is counted and its cash goes to the cage; counted against recorded is a
    difference of its own.
    """
    difference = whole_amount(recorded, least=0) - whole_amount(counted, least=0)
    lines = [
        Line("cage_cash", counted),
        Line("drop", -recorded),
        Line("count_difference", difference),
    ]
    return moving(lines)


def tray_count(recorded: int, *, counted: int) -> list[Line]:
    """The tray is counted: chips missing from it are outside, and owed; chips too many are not.
    `recorded`: less than nothing where fills were never recorded.
    """
    return _tray_counted("count_difference", recorded, counted)


def tray_result(recorded: int, *, counted: int) -> list[Line]:
    """As `tray_count`, of a tray whose rounds tell no results: what is counted is the result
    (CNT-7).
    """
    return _tray_counted("untold_win", recorded, counted)


def _tray_counted(account: str, recorded: int, counted: int) -> list[Line]:
    whole_amount(abs(recorded) if type(recorded) is int else recorded, least=0)
    missing = recorded - whole_amount(counted, least=0)
    kinds = ((account, 1), ("circulation", -1), ("chips_outside", 1), ("tray", -1))
    return moving([Line(kind, sign * missing) for kind, sign in kinds])


def count_set_back(
    amount: int, *, place: str = "tray", account: str = "count_difference"
) -> list[Line]:
    """What came after a count moved what the books have by `amount`; the count stands, and its
    difference goes back by as much, on the `account` that it used (CNT-10). `place`: `tray`,
    `drop` or `tronc`.
    """
    whole_amount(abs(amount) if type(amount) is int else amount)
    moves = {
        "tray": ((account, 1), ("circulation", -1), ("tray", -1), ("chips_outside", 1)),
        "drop": ((account, 1), ("drop", -1)),
        "tronc": (("tronc", 1), ("circulation", -1)),
    }
    return [Line(kind, sign * amount) for kind, sign in moves[place]]


def tip(amount: int) -> list[Line]:
    """A guest gives a chip to the tronc (HSE-3): never the house's money."""
    return legs(amount, ("circulation", 1), ("tronc", -1))


def tronc_paid(amount: int) -> list[Line]:
    """The tronc's chips are changed into cash for the staff."""
    return legs(amount, ("tronc", 1), ("cage_cash", -1), ("cage_chips", 1), ("chips_outside", -1))


def rake(amount: int) -> list[Line]:
    """A fee is taken out of a pot into the tray (RAK-1)."""
    return legs(amount, ("circulation", 1), ("rake", -1), ("tray", 1), ("chips_outside", -1))


def moving(lines: list[Line]) -> list[Line]:
    """Those that move something. Raises PostingEmpty."""
    some = [line for line in lines if line.amount_minor]
    if not some:
        raise PostingEmpty(legs=0)
    return some
