"""One deal of the cards that a shoe read explains stakes, when each came, and the result (BJ-2, BJ-6 to BJ-8)."""

from typing import Any, ClassVar
from uuid import UUID

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.games.blackjack.rules import BlackjackRules
from tables.services.rounds import evaluate
from tests.blackjack import hands
from tests.floor import done
from tests.tables.test_fed import Fed, code_of, replayed
from tests.worlds import world

OTHERWISE = "round.feed_ends_otherwise"
Act = tuple[str, int, dict[str, Any]]


class Dealt(Fed):
    """A box may have three hands."""

    posted: ClassVar[dict[str, Posted]] = Fed.posted | {"blackjack_rules": BlackjackRules(max_hands_per_box=3)}

    def act(self, round_id: UUID, act: str, box: int = 1, **more: Any) -> dict[str, Any]:
        return self.placing(round_id, self.owner if box == 1 else self.other, act, box, **more)

    def settled(self, round_id: UUID, result: dict[str, Any]) -> str:
        """The code by which a result is refused; it is settled nevertheless."""
        code = ""
        try:
            self.settle(round_id, result)
        except Refused as refused:
            code = refused.code
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(evaluate, "feed_against", lambda _record, _result: None)
                self.settle(round_id, result)
        return code


class Alone(Fed):
    """Co-players double without the owner (BJ-6)."""

    posted: ClassVar[dict[str, Posted]] = Fed.posted | {"blackjack_rules": BlackjackRules(coplayer_doubles="always")}


class Soft(Fed):
    """Ace-8 counts as 9 for a double, and a box may have three hands."""

    posted: ClassVar[dict[str, Posted]] = Fed.posted | {
        "blackjack_rules": BlackjackRules(double_soft=True, max_hands_per_box=3)
    }


def tapped(bank: str, *boxes: list[str]) -> dict[str, Any]:
    return {"bank": bank, "boxes": hands(**{f"b{box}": ends for box, ends in enumerate(boxes, 1)})}


def typed(bank: str, *boxes: list[str]) -> dict[str, Any]:
    cards = {str(box): {"hands": [{"cards": text} for text in ends]} for box, ends in enumerate(boxes, 1)}
    return {"bank_cards": bank, "boxes": cards}


INSURED = {"bank": "As", "amount_minor": 500}
# First cards; what was read when the first stakes came; the stake; how much of the rest was read before it in time, and too late;
# the rest; the round as it was dealt.
DEALS: list[tuple[str, list[Act], Act, str, str, str, dict[str, Any]]] = [
    ("Th 5h 6s 4d 6d", [], ("double", 2, {}), "", "Kd", "Tc 9s", tapped("bust", ["win"], ["win"])),
    ("Th 5h 6s 4d 6d", [], ("double", 2, {}), "", "Kd", "Tc 9s", typed("6s Tc 9s", ["Th 4d"], ["5h 6d Kd"])),
    ("5h 8h 6s 4d 8d", [], ("split", 2, {}), "", "3c 2c", "Td 9s", tapped("bust", ["win"], ["win", "win"])),
    ("5h 8h 6s 4d 8d", [], ("split", 2, {}), "", "3c 2c", "Td 9s", typed("6s Td 9s", ["5h 4d"], ["8h 3c", "8d 2c"])),
    ("5h 9h As 6d 3d", [("double", 1, {})], ("insurance", 1, INSURED), "2c", "2c Kd", "", tapped("blackjack", ["lose"], ["lose"])),
    ("8h 6s 8d", [("split", 1, {})], ("double", 1, {"hand": 2}), "2c 3d", "2c 3d Kd", "Tc 9s", tapped("bust", ["win", "win"])),
]  # fmt: skip


@world(Dealt)
def test_a_result_is_of_a_deal_in_which_each_stake_came_before_its_card(floor, subtests):
    """Whether an earlier hand has drawn a card is not known when the stake comes; the result says it."""
    for first, before, (act, box, more), timely, late, rest, result in DEALS:
        guests = [(floor.owner, 1, 10), (floor.other, 2, 10)][: len(result["boxes"])]
        for read, code in ((timely, ""), (late, OTHERWISE)):
            with subtests.test(first, act=act, result=result, read=read):
                round_id = floor.lay(*guests)
                floor.feed(round_id, first)
                for earlier, on_box, other in before:
                    done(services.round_place, **floor.act(round_id, earlier, on_box, **other))
                floor.feed(round_id, f"{first} {read}".strip())
                done(services.round_place, **floor.act(round_id, act, box, **more))
                floor.feed(round_id, f"{first} {late} {rest}".strip())
                assert floor.settled(round_id, result) == code
                refused = [f"result 1 is refused: {code}"]
                assert replayed(round_id) == ({"rounds_settle_as_the_shoe_read": refused} if code else {})


@world(Dealt)
def test_what_the_pit_took_against_the_feed_needs_no_deal_of_its_time(floor):
    """The double was made in time and entered late."""
    first = "5h 5c 6s 6d 6c"
    round_id = floor.begun(first + " Kd", francs=10)
    assert code_of(services.round_place, **floor.doubling(round_id)) == "round.feed_read_on"
    done(services.round_place, **floor.doubling(round_id, **floor.boss, reason="the hand lay there"))
    floor.feed(round_id, first + " Kd 9d")
    done(services.round_take_back, **floor.back(round_id, **floor.boss, reason="the wrong box"))
    done(services.round_place, **floor.doubling(round_id, **floor.boss, reason="it was the right box"))
    floor.feed(round_id, first + " Kd 9d Tc 9s")
    floor.settle(round_id, tapped("bust", ["win"], ["win"]))
    assert replayed(round_id) == {}


@world(Dealt)
def test_a_third_hand_begins_with_a_card_that_was_read(floor):
    """BJ-7: it is split while a feed lags; then nothing is open on it that the cards do not have."""
    first = "8h 5h 6s 8d 6d"
    round_id = floor.begun(first, francs=10)
    done(services.round_place, **floor.act(round_id, "split"))
    done(services.round_place, **floor.act(round_id, "split", hand=2))
    floor.feed(round_id, first + " 2c 3c 4c 7c Td 9c")
    for act in (("double", 1), ("double", 2)):
        assert code_of(services.round_place, **floor.act(round_id, *act)) == "round.feed_read_on"
    assert code_of(services.round_place, **floor.act(round_id, "double", hand=3)) == "round.feed_read_on"
    assert floor.settled(round_id, tapped("bust", ["win", "win", "win"], ["win"])) == OTHERWISE


@world(Dealt)
def test_a_third_hand_is_doubled_before_its_card_in_whichever_order_hands_draw(floor):
    first = "8h 5h 6s 8d 6d"
    round_id = floor.begun(first, francs=10)
    done(services.round_place, **floor.act(round_id, "split"))
    floor.feed(round_id, first + " 8c")
    done(services.round_place, **floor.act(round_id, "split"))
    floor.feed(round_id, first + " 8c Td 3c")
    done(services.round_place, **floor.act(round_id, "double", hand=3))
    floor.feed(round_id, first + " 8c Td 3c Tc 9d")
    assert code_of(services.round_place, **floor.act(round_id, "double", hand=2)) == "round.feed_read_on"
    floor.feed(round_id, first + " 8c Td 3c Tc 9d Qc 5s")
    assert floor.settled(round_id, tapped("21", ["lose", "lose", "push"], ["lose"])) == ""
    assert replayed(round_id) == {}


@world(Alone)
def test_a_hand_of_which_every_stake_is_doubled_draws_no_further_card(floor):
    """BJ-6: nor to insure it late."""
    round_id = floor.lay((floor.owner, 1, 10))
    floor.feed(round_id, "5h 5s 6d")
    done(services.round_place, **floor.doubling(round_id))
    floor.feed(round_id, "5h 5s 6d 8c 2c 5c 8s")
    for result in (tapped("18", ["win"]), tapped("bust", ["win"])):
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.settle(round_id, result)
        assert refused.value.code == OTHERWISE
    floor.settle(round_id, tapped("20", ["lose"]))
    assert replayed(round_id) == {}
    round_id = floor.lay((floor.owner, 1, 10))
    floor.feed(round_id, "5h As 6d")
    done(services.round_place, **floor.doubling(round_id))
    floor.feed(round_id, "5h As 6d 2c Kd")
    insured = floor.placing(round_id, floor.owner, "insurance", bank="As", amount_minor=500)
    assert code_of(services.round_place, **insured) == "round.feed_read_on"


@world(Alone)
def test_a_hand_draws_on_for_a_stake_that_is_not_doubled(floor):
    """BJ-6: a co-player has doubled, also a hand of a split of which no card was read."""
    other = floor.guest(distance=1)
    round_id = floor.lay((floor.owner, 1, 10), (other, 1, 10))
    floor.feed(round_id, "5h 5s 6d")
    done(services.round_place, **floor.placing(round_id, other, "double"))
    floor.feed(round_id, "5h 5s 6d 8c 2c Td 2d")
    floor.settle(round_id, {"bank": "17", "boxes": {"1": {"hands": [{"result": "win", "doubled_result": "win"}]}}})
    assert replayed(round_id) == {}
    round_id = floor.lay((floor.owner, 1, 10), (other, 1, 10))
    floor.feed(round_id, "5h 5s 5d")
    for guest, act in ((floor.owner, "split"), (other, "split"), (other, "double")):
        done(services.round_place, **floor.placing(round_id, guest, act))


@world(Soft)
def test_split_aces_get_one_card_each_and_no_other_stake(floor):
    """BJ-7."""
    aces = "Ah 6s Ad"
    for read, rest in (("", "8c 2c"), ("8c", "2c"), ("As", "2c")):
        round_id = floor.lay((floor.owner, 1, 10))
        floor.feed(round_id, aces)
        done(services.round_place, **floor.placing(round_id, floor.owner, "split"))
        floor.feed(round_id, f"{aces} {read}")
        for act in ("double", "split"):
            assert code_of(services.round_place, **floor.placing(round_id, floor.owner, act)) == "round.feed_bars_stake"
        floor.feed(round_id, f"{aces} {read} {rest} 9c Td")
        floor.settle(round_id, tapped("bust", ["win", "win"]))


@world(Soft)
def test_aces_that_were_named_when_they_were_split_stay_aces(floor):
    """BJ-7: without a feed, until the split goes back."""
    round_id = floor.lay((floor.owner, 1, 10))
    done(services.round_place, **floor.placing(round_id, floor.owner, "split", cards="Ah Ad"))
    for act in ("double", "split"):
        assert (
            code_of(services.round_place, **floor.placing(round_id, floor.owner, act, hand=2)) == "blackjack.aces_once"
        )
    done(services.round_take_back, **floor.back(round_id))
    for act in ("split", "double"):
        done(services.round_place, **floor.placing(round_id, floor.owner, act))
