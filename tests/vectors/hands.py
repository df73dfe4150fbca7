"""Hands of poker in money, as they are entered, and what the rules make of each: one file, to which the rules are held by
`tests/book/test_pok_vectors.py` and the tablet's copy of them by `tests/browser/tablet/test_poker_money.py`.

A hand is plain JSON: `chip`, `variant` and, where they are something, `ante`, `straddle` and `passes`; `stacks` before it,
`streets` as `[to, {seat: minor}]`, `dead`; or `payments` alone; `winners` as `[high, low]`, `button`, `all_to_worst`,
`schedule`, `carried`.
"""

import json
import random  # noqa: TID251  (the numbers are chosen here, for a test)
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from payouts.errors import Refused
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier
from tables.games.poker.pots import Payment, pots_of
from tables.games.poker.rules import PokerGame
from tables.games.poker.settle import PotWinners, Terms, settle
from tables.games.poker.share import Sharing, seats_after
from tables.games.poker.streets import Betting, HandCourse, Street, course_of
from tables.games.poker.variants import SEATS_MOST, VARIANTS

FILE = Path(__file__).with_name("poker_hands.json")
COUNT, SEED = 300, 42
SEATS = range(1, SEATS_MOST + 1)


def game_of(hand: dict[str, Any]) -> PokerGame:
    variant, chip = VARIANTS[hand["variant"]], hand["chip"]
    return PokerGame(
        variants=(hand["variant"],),
        seats=variant.seats_most,
        chip_minor=chip,
        small_blind_minor=chip,
        big_blind_minor=2 * chip,
        bring_in_minor=chip if variant.doors else 0,
        ante_minor=hand.get("ante", 0),
        straddle="utg" if hand.get("straddle") else "none",
        buy_in_least_minor=20 * chip,
        buy_in_most_minor=None,
    )


def schedule_of(posted: dict[str, Any] | None) -> RakeSchedule | None:
    if posted is None:
        return None
    return RakeSchedule(**{**posted, "tiers": tuple(RakeTier(**tier) for tier in posted["tiers"])})


def sharing_of(hand: dict[str, Any]) -> Sharing:
    return Sharing(hand["chip"], seats_after(hand.get("button", 0), SEATS), hand.get("all_to_worst", False))


def betting_of(hand: dict[str, Any]) -> Betting:
    streets = [Street(to_minor, _by_seat(folds)) for to_minor, folds in hand["streets"]]
    return Betting(streets, _by_seat(hand.get("dead", {})))


def course(hand: dict[str, Any]) -> HandCourse:
    if "payments" in hand:
        return HandCourse([Payment(*payment) for payment in hand["payments"]], [], walk=False, board=True)
    stacks = _by_seat(hand["stacks"])
    passes = hand.get("passes", False)
    return course_of(game_of(hand), hand["variant"], stacks, betting_of(hand), passes=passes)


def outcome(hand: dict[str, Any]) -> dict[str, Any]:
    """The money of a hand, or what refuses it, as JSON has it: a record is the list of its values."""
    try:
        played = course(hand)
        terms = Terms(
            schedule_of(hand.get("schedule")),
            sharing_of(hand),
            players=len(played.payments),
            flop=played.board,
            walk=played.walk,
            carried_minor=hand.get("carried", 0),
        )
        winners = [PotWinners(tuple(high), tuple(low)) for high, low in hand.get("winners", [])]
        settled = settle(played.payments, winners, terms)
    except Refused as refusal:
        return {"code": refusal.code, **refusal.data}
    fee = settled.rake
    figures = {name: minor for name, minor in fee.data.items() if name != "percent"} if fee else {}
    return plain(
        {
            "course": played,
            "uncalled": settled.uncalled,
            "pots": settled.pots,
            "rake": fee and [fee.total_minor, fee.reason.code, figures],
            "nets": settled.nets,
        }
    )


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def file_text() -> str:
    """The file, a hand in a line, with what comes of it."""
    rows = (json.dumps([hand, outcome(hand)], separators=(",", ":")) for hand in (*examples(), *drawn(COUNT, SEED)))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def examples() -> list[dict[str, Any]]:
    from tests.vectors.examples import EXAMPLES

    return [plain({"chip": 1, "variant": "holdem", **hand}) for hand in EXAMPLES]


def drawn(count: int, seed: int) -> Iterable[dict[str, Any]]:
    """Hands by chance: most can be, in some the betting or a winner cannot."""
    dice = random.Random(seed)
    return (plain(_hand(dice)) for _ in range(count))


def schedule(dice: random.Random, chip: int = 0) -> dict[str, Any]:
    """A posted rake, in steps of the chip or of any size."""
    step = dice.choice([chip, chip, 2 * chip, 10 * chip]) or dice.choice([5, 50, 100, 500])
    tiers = [_tier(dice, step) for _ in range(dice.randint(1, 4))]
    places = {(tier["players_from"], tier["pot_from_minor"]): tier for tier in tiers}
    no_drop = dice.random() < 0.5
    return {
        "tiers": [*places.values()],
        "step_minor": step,
        "no_flop_no_drop": no_drop,
        "no_flop_minor": None if no_drop or dice.random() < 0.5 else dice.randint(1, 4) * step,
        "minimum_pot_minor": dice.choice([0, 0, 15 * step]),
    }


def _tier(dice: random.Random, step: int) -> dict[str, Any]:
    fee = {"fixed_minor": dice.randint(0, 20) * step} if dice.random() < 0.4 else {"percent_bp": dice.randint(1, 1_500)}
    return {
        "players_from": dice.randint(2, 6),
        "pot_from_minor": dice.choice([0, 10 * step, 60 * step]),
        "cap_minor": dice.choice([None, dice.randint(1, 30) * step]),
        **fee,
    }


def _hand(dice: random.Random) -> dict[str, Any]:
    chip = dice.choice([1, 5, 100, 500, 5_000_000])
    code = dice.choice([*VARIANTS])
    seats = sorted(dice.sample(SEATS, dice.randint(2, VARIANTS[code].seats_most)))
    hand: dict[str, Any] = {
        "chip": chip,
        "variant": code,
        "ante": dice.choice([0, 0, chip, 3 * chip]),
        "straddle": dice.random() < 0.2,
        "stacks": {seat: dice.choice([dice.randint(1, 9), dice.randint(10, 400)]) * chip for seat in seats},
        "streets": [],
        "dead": {seat: chip for seat in seats if dice.random() < 0.05},
        "button": dice.randint(0, SEATS_MOST),
        "all_to_worst": dice.random() < 0.3,
        "schedule": schedule(dice, chip) if dice.random() < 0.85 else None,
        "carried": dice.choice([0, 0, 0, 6 * chip]),
        "winners": [],
    }
    for _ in range(dice.randint(1, VARIANTS[code].rounds)):
        if not _bet(dice, hand):
            return hand
    try:
        pots = pots_of(course(hand).payments, carried_minor=hand["carried"]).pots
    except Refused:
        return hand
    hand["winners"] = [_winners(dice, pot.seats, low=VARIANTS[code].low == "half") for pot in pots]
    if pots and dice.random() < 0.05:
        hand["winners"][-1] = dice.choice([[[], []], [dice.sample(seats, 1), []]])
    return hand


def _bet(dice: random.Random, hand: dict[str, Any]) -> bool:
    """Another street that the hand can have, if it can have one; False: one that is refused."""
    try:
        played = course(hand)
    except Refused:
        return False
    chip, before = hand["chip"], hand["streets"]
    left = {payment.seat: hand["stacks"][payment.seat] - payment.total_minor for payment in played.payments}
    seats = played.after[-1] if played.after else tuple(left)
    if len(seats) < 2:
        return True
    for _ in range(20):
        deep = max(left[seat] for seat in seats) // chip
        to_minor = dice.choice([0, 1, 2, 4, dice.randint(0, deep), min(deep, dice.randint(0, 20))]) * chip
        folds = {
            seat: dice.choice([0, to_minor, dice.randint(0, to_minor // chip) * chip])
            for seat in seats
            if dice.random() < 0.3
        }
        hand["streets"] = [*before, [to_minor, folds]]
        try:
            course(hand)
        except Refused:
            if dice.random() < 0.05:
                return False
        else:
            return True
    hand["streets"] = before
    return True


def _winners(dice: random.Random, seats: tuple[int, ...], *, low: bool) -> list[list[int]]:
    def some() -> list[int]:
        return sorted(dice.sample(seats, min(len(seats), dice.choice([1, 1, 1, 2, 3]))))

    return [some(), some() if low and dice.random() < 0.6 else []]


def _by_seat(amounts: dict[Any, int]) -> dict[int, int]:
    return {int(seat): minor for seat, minor in amounts.items()}
