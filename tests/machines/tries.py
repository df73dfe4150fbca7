"""What people try who turn against the house, and what befalls it: each alone, in a house that has only just begun (issue 19)."""

from collections.abc import Callable

from tests.machines.clocks import Clocks
from tests.machines.desk_model import DAY, HOUR
from tests.machines.hit_model import AWARD
from tests.machines.prize_model import PRIZE
from tests.machines.things import Round

Try = Callable[[Clocks], None]


def played(life: Clocks, box: int | None = 1, *, coins: int = 1) -> Round:
    """A round with the royal flush in this box."""
    life.lock(0, coins, None)
    life.settle(life.model.rounds[-1], box, None)
    return life.model.rounds[-1]


def verified(life: Clocks) -> None:
    """A hit whose payment is asked for."""
    played(life)
    life.advance(None)
    life.decide(life.model.hits[0].claims[0], True, "reto", None)
    life.advance(None)


def paid(life: Clocks) -> None:
    verified(life)
    for name in ("bea", "ines"):
        life.sign(life.model.open(action=AWARD)[0], name)
    life.advance(None)


def who_rests_signs(life: Clocks) -> None:
    life.lock(0, 1, None)
    life.give_password("ines", "bea", None, factor=False)
    request = life.ask_whole("suspend", "reto")
    assert request is not None
    life.sign(request, "ines")


def who_rests_pays(life: Clocks) -> None:
    paid(life)
    life.give_password("cage", "bea", None, factor=True)
    life.pay(life.model.awards[0], "cage", None)


def an_author_verifies(life: Clocks) -> None:
    life.correct(played(life, None), 1, None, signer="ines")
    life.advance(None)
    life.decide(life.model.hits[0].claims[0], True, "ines", None)


def one_manager_gives_a_role_that_signs(life: Clocks) -> None:
    life.make({"pit_boss"}, "bea", None)


def a_manager_bars_the_other_and_gives_a_role_that_signs(life: Clocks) -> None:
    life.let_in("ines", "bea", None, active=False)
    life.jump(DAY - HOUR)
    life.make({"pit_boss"}, "bea", None)


def a_signer_is_barred(life: Clocks) -> None:
    verified(life)
    life.sign(life.model.open(action=AWARD)[0], "bea")
    life.let_in("bea", "ines", None, active=False)


def what_was_looked_at_moves_on(life: Clocks) -> None:
    request = life.ask_whole("adjust", "reto")
    life.lock(0, 1, None)
    assert request is not None
    life.sign(request, "bea")


def a_listed_round_is_withdrawn(life: Clocks) -> None:
    for table in (0, 1):
        life.lock(table, 1, None)
    life.call(life.model.rounds[0], None)
    life.take_back(life.model.rounds[1], "withdraw", None)


def a_prize_that_is_asked_for_is_asked_for_again(life: Clocks) -> None:
    played(life, 2)
    life.known()
    life.ask_again(life.model.prizes[0], "reto", None)


def the_clock_is_set_back(life: Clocks) -> None:
    verified(life)
    life.jump(-3600)
    for is_true in (False, True):  # the request is killed, and the next one has an earlier time
        life.decide(life.model.hits[0].claims[0], is_true, "bea", None)
        life.advance(None)
    life.advance(None)


def asked_before_a_restore(life: Clocks) -> None:
    life.whole("suspend", None)
    life.ask_whole("resume", "reto")
    life.restored(None)


def the_same_backup_is_restored_twice(life: Clocks) -> None:
    life.back_up()
    for _ in range(2):
        life.restore(None)


def a_prize_that_was_turned_down_and_one_cancelled_are_asked_for_again(life: Clocks) -> None:
    played(life, 2)
    life.known()
    prize = life.model.prizes[0]
    life.turn_down(life.model.open(action=PRIZE)[0], "bea")
    life.ask_again(prize, "reto", None)
    life.sign(life.model.open(action=PRIZE)[0], "ines")
    life.cancel(life.model.awards[0], None)
    life.ask_again(prize, "reto", None)


def nobody_is_asked_about_a_prize_any_more(life: Clocks) -> None:
    played(life, 2)
    life.known()
    life.jump(DAY + HOUR)
    life.sweep()


def a_round_whose_cards_are_out_is_taken_back(life: Clocks) -> None:
    life.lock(0, 1, None)
    life.feed(life.model.rounds[0], None)
    for how in ("withdraw", "reopen"):
        life.take_back(life.model.rounds[0], how, None)


def whom_two_let_in_signs_at_once(life: Clocks) -> None:
    life.lock(0, 1, None)
    life.make({"pit_boss"}, "bea", None)
    life.sign(life.model.open(action="person.sign_role")[0], "ines")
    request = life.ask_whole("suspend", "reto")
    assert request is not None
    life.sign(request, "new1")


def who_is_barred_signs_a_correction(life: Clocks) -> None:
    one = played(life, None)
    life.let_in("ines", "bea", None, active=False)
    life.correct(one, 1, None, signer="ines")


TRIES: tuple[Try, ...] = (
    *(who_rests_signs, who_rests_pays, an_author_verifies, a_signer_is_barred, who_is_barred_signs_a_correction),
    *(one_manager_gives_a_role_that_signs, a_manager_bars_the_other_and_gives_a_role_that_signs),
    *(whom_two_let_in_signs_at_once, what_was_looked_at_moves_on, the_clock_is_set_back),
    *(a_listed_round_is_withdrawn, a_round_whose_cards_are_out_is_taken_back),
    *(a_prize_that_is_asked_for_is_asked_for_again, nobody_is_asked_about_a_prize_any_more),
    *(a_prize_that_was_turned_down_and_one_cancelled_are_asked_for_again,),
    *(asked_before_a_restore, the_same_backup_is_restored_twice),
)
