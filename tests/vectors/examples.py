"""The rules' own examples, and every refusal, as `tests.vectors.hands` takes them."""

from typing import Any

FIVE_PERCENT = {"tiers": [{"percent_bp": 500, "cap_minor": 10}], "step_minor": 1}
TEN_MOST = {"tiers": [{"percent_bp": 500, "cap_minor": 1_000}], "step_minor": 50}
LOW = {"variant": "omaha_hilo"}
DEEP = {1: 50, 2: 50, 3: 50}
UNEVEN = {1: 50, 2: 80, 4: 20}


def paid(*amounts: int, folded: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
    """Bets by seat, from seat 1 on."""
    payments = [[seat, minor, 0, 0, seat in folded] for seat, minor in enumerate(amounts, 1)]
    return {"payments": payments, **more}


def played(stacks: dict[int, int], *streets: list[Any], **more: Any) -> dict[str, Any]:
    return {"stacks": stacks, "streets": streets, **more}


TIED = {"chip": 10, "button": 3, "winners": [[[1, 3, 5], []]]}
FOLDED_FOURTH = paid(30, 60, 60, 45, folded=(4,))
ALONE = paid(30, 60, 60, folded=(2,))  # seat 3 alone has matched what seat 2 folded with

EXAMPLES: list[dict[str, Any]] = [
    # POK-6: a pot for each all-in, and what nobody called
    paid(30, 60, 100, 100, winners=[[[1], []], [[2], []], [[3, 4], []]]),
    paid(30, 60, 100, 45, folded=(4,), winners=[[[1], []], [[3], []]]),
    paid(1_000, 400, 100, chip=100, winners=[[[3], []], [[1], []]]),
    paid(6, 5, 10, 10, folded=(2,), winners=[[[1], []], [[4], []]]),
    {"payments": [[1, 2, 0, 1, False], [2, 2, 0, 0, False], [3, 2, 0, 0, False]], "winners": [[[2], []]]},
    paid(6, 6, carried=6, winners=[[[1, 2], []]]),
    {"payments": [[1, 0, 3, 0, False], [2, 20, 5, 0, False], [3, 20, 5, 0, False]], "winners": [[[1], []], [[3], []]]},
    {"payments": [[1, 0, 3, 0, False], [2, 0, 5, 0, False]], "winners": [[[1], []]]},
    # POK-7, HAND-5: halves and odd chips
    {"payments": [[1, 340, 0, 10, False], [3, 340, 0, 0, False], [5, 340, 0, 0, False]], **TIED},
    {"payments": [[1, 340, 0, 20, False], [3, 340, 0, 0, False], [5, 340, 0, 0, False]], **TIED},
    {"payments": [[1, 340, 0, 20, False], [3, 340, 0, 0, False], [5, 340, 0, 0, False]], **TIED, "all_to_worst": True},
    {"payments": [[seat, 350, 0, 0, False] for seat in (2, 4, 6)], **LOW, "chip": 50, "winners": [[[2], [4, 6]]]},
    {"payments": [[seat, 250, 0, 0, False] for seat in (2, 4, 6, 8)], **LOW, "chip": 50, "winners": [[[2], [4, 6, 8]]]},
    {"payments": [[seat, 350, 0, 0, False] for seat in (2, 4, 6)], **LOW, "chip": 50, "winners": [[[2], []]]},
    paid(39, 49, 13, 49, 39, folded=(5,), **LOW, winners=[[[1], [3]], [[1], []], [[2], []]]),
    # RAK-3: the main pot first, up to the cap
    paid(3_350, 4_350, 4_350, chip=50, schedule=TEN_MOST, winners=[[[1], []], [[2], []]]),
    paid(10_000, 14_000, 14_000, chip=50, schedule=TEN_MOST, winners=[[[1], []], [[2], []]]),
    paid(15, 130, 85, 45, 130, folded=(1, 4), button=1, schedule=FIVE_PERCENT, winners=[[[3, 5], []], [[5], []]]),
    played(
        {1: 188, 2: 412, 3: 85, 5: 225, 6: 230, 7: 440, 9: 199},
        [15, {1: 0, 6: 0}],
        [30, {2: 0}],
        [85, {9: 0}],
        [0, {}],
        button=1,
        schedule=FIVE_PERCENT,
        winners=[[[3, 7], []], [[7], []]],
    ),
    # antes, a short one and dead chips; walks, straddled and with doors
    played({1: 1, 2: 50, 3: 50}, [10, {2: 2}], ante=2, dead={3: 1}, winners=[[[1], []]]),
    played({1: 1, 2: 50, 3: 50}, [10, {}], ante=2, winners=[[[1], []], [[2], []]], schedule=FIVE_PERCENT),
    played(DEEP, [2, {1: 0, 2: 1}], schedule=FIVE_PERCENT),
    played(DEEP, [4, {1: 0, 2: 1}], schedule=FIVE_PERCENT),
    played(DEEP, [4, {1: 0, 2: 1}], schedule=FIVE_PERCENT, straddle=True),
    played(DEEP, [2, {1: 0}], schedule=FIVE_PERCENT, winners=[[[2], []]]),
    played(DEEP, [2, {1: 0, 2: 1}], schedule=FIVE_PERCENT, variant="stud"),
    played(DEEP, [1, {1: 0, 2: 0}], schedule=FIVE_PERCENT, variant="stud"),
    played(DEEP, [2, {1: 0, 2: 1}], schedule=FIVE_PERCENT, variant="draw"),
    played(DEEP, [2, {1: 0, 2: 1}], schedule=FIVE_PERCENT, variant="draw", passes=True),
    played(DEEP, ante=1, carried=3, winners=[[[2], []]]),
    # POK-2, POK-3, POK-8: betting that cannot be
    played(UNEVEN, [81, {}]),
    played(UNEVEN, [60, {2: 10}]),
    played(UNEVEN, [30, {}], [51, {}]),
    played(UNEVEN, [60, {4: 21}]),
    played(UNEVEN, dead={4: 21}),
    played(UNEVEN, dead={3: 1}),
    played({1: 5, 2: 5}, dead={1: 4}, ante=2),
    played(UNEVEN, [10, {1: 11}]),
    played(UNEVEN, [30, {}], [30, {4: 0}]),
    played(UNEVEN, [30, {4: 20}]),
    played(UNEVEN, [2, {3: 0}]),
    played(UNEVEN | {3: 0}, [2, {}]),
    played(UNEVEN, [2, {1: 0}], [2, {1: 0}]),
    played(UNEVEN, [2, {1: 0, 2: 0, 4: 1}]),
    played(UNEVEN, [2, {1: 0, 2: 0}], [2, {}]),
    played(UNEVEN, *[[0, {}]] * 5),
    played(UNEVEN, *[[0, {}]] * 3, variant="draw"),
    played(UNEVEN, [-1, {}]),
    played(UNEVEN, [10**12, {}]),
    played({1: 500, 2: 500}, [150, {}], chip=100),
    played({1: 500, 2: 500}, [160, {}], chip=100),
    played({1: 500, 2: 500}, [100, {1: 30}], chip=100),
    # POK-6: payments and winners that cannot be
    {"payments": [[1, 5, 0, 0, False], [1, 5, 0, 0, False]]},
    {"payments": [[1, 5, 3, 0, False], [2, 5, 5, 0, False]]},
    paid(5, -1),
    paid(5, 10**18),
    paid(5, 5, folded=(1, 2)),
    paid(60, 100, 100, folded=(2, 3)),
    FOLDED_FOURTH,
    FOLDED_FOURTH | {"winners": [[[1], []]]},
    FOLDED_FOURTH | {"winners": [[[1], []], [[1], []]]},
    FOLDED_FOURTH | {"winners": [[[4], []]]},
    FOLDED_FOURTH | {"winners": [[[1], [4]]], **LOW},
    ALONE | {"winners": [[[1], []], [[3], []]]},
    ALONE | {"winners": [[[1], []], [[1], []]]},
    ALONE | {"winners": [[[1], []], [[2], []]]},
    ALONE | {"winners": [[[1], []], [[3], [2]]], **LOW},
]
