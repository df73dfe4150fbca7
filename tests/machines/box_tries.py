"""What happens at a table of Black Jack that its rules have something to say to: each a round of its own, from lock to end."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from tests.machines import box_model
from tests.machines.box_model import Act, Chips, Deal, Outcomes
from tests.machines.boxes import placement, sent
from tests.machines.tables import BJ

if TYPE_CHECKING:
    from tests.machines.test_floor import FloorMachine

Try = Callable[["FloorMachine"], None]
OWNER, OTHER, FIRST, SECOND = range(4)  # who sits at box 1, at box 2, and two who stand


def laid(life: "FloorMachine", *stakes: tuple[int, int, int]) -> list[Chips]:
    """Stakes of guests of an evening that begins, if none runs: who, box, francs."""
    if life.tables[BJ].session is None:
        life.open_table(BJ, "martina", "fast")
    guests = life.tables[BJ].session.guests
    return [Chips(box, guests[who], "stake", chf * 100) for who, box, chf in stakes]


def begun(life: "FloorMachine", *stakes: tuple[int, int, int]) -> tuple[UUID, Deal]:
    chips, round_id = laid(life, *stakes), uuid4()
    person = life.world.people[life.tables[BJ].session.croupier]
    life.begin_round("", BJ, round_id, life.stakes(chips), chips, person)
    return round_id, life.deals()[round_id]


def act(coup: Deal, who: int, what: str, box: int = 1, **more: object) -> Act:
    return Act(box, coup.session.guests[who], what, **more)  # type: ignore[arg-type]


def bring(life: "FloorMachine", round_id: UUID, coup: Deal, *acts: Act) -> None:
    for one in acts:
        life.bring(round_id, coup, coup.session.croupier, one)


def settle(life: "FloorMachine", round_id: UUID, coup: Deal, bank: str = "19", **boxes: list[str]) -> None:
    outcomes: Outcomes = {int(box[1:]): [(end, "") for end in ends] for box, ends in boxes.items()}
    life.settle_as(round_id, coup, coup.session.croupier, sent(outcomes, bank), coup.end(outcomes, bank))
    life.same_boxes()


# What is tried
def a_co_player_doubles_before_the_owner(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50), (FIRST, 1, 100))
    bring(life, round_id, coup, act(coup, FIRST, "double"), act(coup, OWNER, "double"), act(coup, FIRST, "double"))
    settle(life, round_id, coup, b1=["win"])


def a_stake_is_doubled_twice(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    bring(life, round_id, coup, act(coup, OWNER, "double"), act(coup, OWNER, "double"))
    settle(life, round_id, coup, b1=["lose"])


def who_took_even_money_insures(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    bring(life, round_id, coup, act(coup, OWNER, "even_money"), act(coup, OWNER, "insurance", amount=500))
    settle(life, round_id, coup, "blackjack", b1=["blackjack"])


def a_box_with_even_money_is_split(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50), (FIRST, 1, 50))
    bring(life, round_id, coup, act(coup, FIRST, "even_money"), act(coup, OWNER, "split"))
    settle(life, round_id, coup, b1=["blackjack"])


def insurance_is_taken_without_an_ace(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    bring(life, round_id, coup, act(coup, OWNER, "insurance", amount=500, ace=False))
    bring(life, round_id, coup, act(coup, OWNER, "insurance", amount=500), act(coup, OWNER, "split"))
    settle(life, round_id, coup, "blackjack", b1=["lose", "lose"])


def a_stake_goes_back(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    bring(life, round_id, coup, act(coup, OWNER, "split"))
    life.send_back(round_id, coup, "reto", 1, twice=True)
    settle(life, round_id, coup, b1=["push"])


def an_older_stake_goes_back(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    bring(life, round_id, coup, *[act(coup, OWNER, "insurance", amount=500)] * 2)
    life.send_back(round_id, coup, coup.session.croupier, 1)
    settle(life, round_id, coup, b1=["lose"])


def the_same_key_comes_again(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    life.bring(round_id, coup, "reto", act(coup, OWNER, "insurance", amount=500), twice=True)
    settle(life, round_id, coup, b1=["lose"])


def a_result_is_overtaken(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    result = sent({1: [("win", "")]}, "bust")
    life.overtaken(round_id, coup, (result, None, False, ""), act(coup, OWNER, "double"))
    settle(life, round_id, coup, "bust", b1=["win"])
    bring(life, round_id, coup, act(coup, OWNER, "insurance", amount=500))


def what_came_later_settles(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50), (OTHER, 2, 40))
    bring(life, round_id, coup, act(coup, OWNER, "split"), act(coup, OWNER, "double", hand=2))
    bring(life, round_id, coup, act(coup, OTHER, "insurance", 2, amount=2000))
    settle(life, round_id, coup, b1=["lose", "win"], b2=["push"])


def a_result_is_put_right(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    bring(life, round_id, coup, act(coup, OWNER, "double"))
    settle(life, round_id, coup, b1=["win"])
    outcomes: Outcomes = {1: [("lose", "")]}
    on_duty = coup.session.croupier
    for person in ("nora" if on_duty == "martina" else "martina", on_duty):
        life.correct_as(round_id, coup, person, sent(outcomes, "19"), coup.end(outcomes, "19"))
    life.same_boxes()


def everything_goes_back(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    bring(life, round_id, coup, act(coup, OWNER, "double"))
    life.void_one(round_id, coup, "misdeal")
    life.same_boxes()


def a_round_whose_cards_are_out_is_reopened(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    bring(life, round_id, coup, act(coup, OWNER, "double"))
    life.send_back(round_id, coup, "reto", 1)
    life.reopen_one(round_id, coup, coup.session.croupier)
    life.withdraw_one(round_id, coup, BJ, coup.session.croupier)
    settle(life, round_id, coup, b1=["win"])


def more_than_the_maximum_is_laid(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 300), (FIRST, 1, 300), (SECOND, 1, 100))
    assert [one.amount for one in coup.chips if one.guest is coup.session.guests[FIRST]] == [20_000]
    settle(life, round_id, coup, b1=["win"])


def who_has_handed_over_places(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    had = coup.session.croupier
    life.hand_over(BJ, "nora" if had == "martina" else "martina")
    life.bring(round_id, coup, had, act(coup, OWNER, "double"))
    settle(life, round_id, coup, b1=["lose"])


def something_is_recorded_late(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    life.record_one(round_id, coup, coup.session.croupier, "call_misunderstood", "kept", 1, 1)
    settle(life, round_id, coup, b1=["lose"])
    for person in (coup.session.croupier, "reto"):
        life.record_one(round_id, coup, person, "bank_surplus", "burnt", None, None)


def something_is_recorded_of_a_box_that_does_not_play(life: "FloorMachine") -> None:
    round_id, coup = begun(life, (OWNER, 1, 50))
    life.record_one(round_id, coup, "reto", "call_misunderstood", "burnt", 3, None)
    settle(life, round_id, coup, b1=["lose"])


def played_without_the_server(life: "FloorMachine") -> None:
    chips = laid(life, (OWNER, 1, 300), (FIRST, 1, 300))
    coup = box_model.deal(BJ, life.tables[BJ].session, box_model.locked(chips)[1], queued=True)
    acts = [act(coup, FIRST, "double"), act(coup, OWNER, "double", instead=coup.session.guests[OWNER])]
    for one in acts:
        code, brought = coup.brings(one)
        assert not code
        coup.place(brought)
    outcomes: Outcomes = {1: [("win", "")]}
    ends = (sent(outcomes, "19"), (outcomes, "19"))
    life.take_queued(chips, coup, [placement(one) for one in acts], ends, coup.session.croupier)


TRIES: tuple[Try, ...] = (
    *(a_co_player_doubles_before_the_owner, a_stake_is_doubled_twice, who_took_even_money_insures),
    *(a_box_with_even_money_is_split, insurance_is_taken_without_an_ace, a_stake_goes_back, an_older_stake_goes_back),
    *(the_same_key_comes_again, a_result_is_overtaken, what_came_later_settles, a_result_is_put_right),
    *(everything_goes_back, a_round_whose_cards_are_out_is_reopened, more_than_the_maximum_is_laid),
    *(who_has_handed_over_places, something_is_recorded_late, something_is_recorded_of_a_box_that_does_not_play),
    *(played_without_the_server,),
)
