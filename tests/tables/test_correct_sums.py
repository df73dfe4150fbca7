"""A croupier alone moves less than the house's threshold in all corrections of a round together, over all its boxes."""

from collections.abc import Iterator
from typing import Any, ClassVar

from payouts.rules.rulesets.schema import Posted
from tables.games.blackjack.rules import BlackjackRules
from tables.models import RoundResult
from tables.rules.floor import FloorRules
from tables.services.rounds import correct
from tests.blackjack import hands
from tests.tables.test_correct_placed import ACE, LOST, PUSHED, WON, Wrong, refusal
from tests.worlds import world


class Near(Wrong):
    """Where 500 francs are much."""

    posted: ClassVar[dict[str, Posted]] = {
        "floor_rules": FloorRules(approval_from_minor=50_000, undo_s=300),
        "blackjack_rules": BlackjackRules(),
    }


pytestmark = world(Near)
Step = tuple[object, list[Any]]  # a result, and what came after the lock
OTHER = {"bank": "20", "boxes": hands(b1=["lose"], b2=["push"])}


def played(floor: Near) -> Iterator[tuple[str, tuple[int, int], list[Step]]]:
    """What the owner has on box 1, and on box 2, in francs; each step is below the threshold, and the last is above it
    by what was first entered.
    """
    double = floor.sent(floor.owner, "double")
    insurance = floor.sent(floor.owner, "insurance", **ACE, amount_minor=20_000)
    yield "paid in steps", (300, 10), [(LOST, []), (PUSHED, []), (WON, [])]
    yield "doubled after the end", (200, 10), [(LOST, []), (LOST, [double]), (PUSHED, [double]), (WON, [double])]
    yield "away and anew", (400, 10), [(LOST, [double]), (LOST, []), (LOST, [insurance])]
    yield "a guest on two boxes", (300, 300), [(LOST, []), (PUSHED, [])]
    yield "one box after the other", (300, 300), [(LOST, []), (OTHER, []), (PUSHED, [])]


def test_sums_since_the_first_result_count_not_steps(floor, subtests):
    for name, (first, second), ((result, placed), *steps, (last, its)) in played(floor):
        with subtests.test(name):
            round_id = floor.lay((floor.owner, 1, first), (floor.owner, 2, second))
            for placement in placed:
                floor.place(round_id, floor.owner, placement["act"])
            floor.settle(round_id, result)
            for after, brought in steps:
                floor.correct(round_id, after, placed=brought)
            refused = refusal(floor.correct, round_id, last, placed=its)
            assert (refused.code, refused.data) == ("round.approval_needed", {"why": correct.MUCH_PAID})
            assert RoundResult.objects.filter(round_id=round_id).count() == 1 + len(steps)


def test_sums_count_over_all_guests_of_a_round(floor):
    """Each far below the threshold, at once or in steps; what some get is not set off by what others lose."""
    boxes = range(3, 8)
    guests = [(floor.guest(box), box, 90) for box in boxes]

    def wins(*winners: int) -> dict[str, Any]:
        ends = {f"b{box}": ["win" if box in winners else "lose"] for box in boxes}
        return {"bank": "20", "boxes": hands(**ends)}

    for before, *small, last in (
        (wins(), wins(3, 4, 5)),
        (wins(), wins(3), wins(3, 4), wins(3, 4, 5)),
        (wins(3, 4, 5), wins(4), wins()),
        (wins(3, 4), wins(5, 6, 7)),
    ):
        round_id = floor.lay(*guests)
        floor.settle(round_id, before)
        for after in small:
            floor.correct(round_id, after)
        assert refusal(floor.correct, round_id, last).data == {"why": correct.MUCH_PAID}


def test_doubles_of_all_guests_count_together(floor):
    guests = [(floor.guest(box), box, 170) for box in range(3, 6)]
    result = {"bank": "20", "boxes": hands(b3=["push"], b4=["push"], b5=["push"])}
    round_id = floor.lay(*guests)
    floor.settle(round_id, result)
    doubles = [floor.sent(guest, "double", box) for guest, box, _ in guests]
    floor.correct(round_id, result, placed=doubles[:2])
    assert refusal(floor.correct, round_id, result, placed=doubles).data == {"why": correct.MUCH_PAID}
