"""The machine on trial: a guard of each kind is taken away, its harm is tried, and the machine must say so.

With every guard in its place the same try comes to what the model says.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from casino import services as people
from jackpot.services import advance, prizes_again, restored, standing
from tables.services import settle, undo
from tables.services.parts import dealt_by
from tests.conftest import superuser
from tests.machines.asking import Patient
from tests.machines.desk_model import DAY, HOUR
from tests.machines.evenings import EveningMachine
from tests.machines.hit_model import AWARD
from tests.machines.things import Round

Life = EveningMachine
Try = Callable[[Life], None]
Guard = Callable[[pytest.MonkeyPatch], None]


# --- what is tried ---------------------------------------------------------------------------------------------------------------
def played(life: Life, box: int | None = 1, *, coins: int = 1) -> Round:
    """A round with the royal flush in this box."""
    life.lock(0, coins, None)
    life.settle(life.model.rounds[-1], box, None)
    return life.model.rounds[-1]


def verified(life: Life) -> None:
    """A hit whose payment is asked for."""
    played(life)
    life.advance(None)
    life.decide(life.model.hits[0].claims[0], True, "reto", None)
    life.advance(None)


def paid(life: Life) -> None:
    verified(life)
    for name in ("bea", "ines"):
        life.sign(life.model.open(action=AWARD)[0], name)
    life.advance(None)


def who_rests_signs(life: Life) -> None:
    life.lock(0, 1, None)
    life.give_password("ines", "bea", None, factor=False)
    request = life.ask_whole("suspend", "reto")
    assert request is not None
    life.sign(request, "ines")


def who_rests_pays(life: Life) -> None:
    paid(life)
    life.give_password("cage", "bea", None, factor=True)
    life.pay(life.model.awards[0], "cage", None)


def an_author_verifies(life: Life) -> None:
    life.correct(played(life, None), 1, None, signer="ines")
    life.advance(None)
    life.decide(life.model.hits[0].claims[0], True, "ines", None)


def one_manager_gives_a_role_that_signs(life: Life) -> None:
    life.make({"pit_boss"}, "bea", None)


def a_manager_bars_the_other_and_gives_a_role_that_signs(life: Life) -> None:
    life.let_in("ines", "bea", None, active=False)
    life.jump(DAY - HOUR)
    life.make({"pit_boss"}, "bea", None)


def a_signer_is_barred(life: Life) -> None:
    verified(life)
    life.sign(life.model.open(action=AWARD)[0], "bea")
    life.let_in("bea", "ines", None, active=False)


def what_was_looked_at_moves_on(life: Life) -> None:
    request = life.ask_whole("adjust", "reto")
    life.lock(0, 1, None)
    assert request is not None
    life.sign(request, "bea")


def a_listed_round_is_withdrawn(life: Life) -> None:
    for table in (0, 1):
        life.lock(table, 1, None)
    life.call(life.model.rounds[0], None)
    life.take_back(life.model.rounds[1], "withdraw", None)


def a_prize_that_is_asked_for_is_asked_for_again(life: Life) -> None:
    played(life, 2)
    life.known()
    life.ask_again(life.model.prizes[0], "reto", None)


def the_clock_is_set_back(life: Life) -> None:
    verified(life)
    life.jump(-3600)
    life.decide(life.model.hits[0].claims[0], True, "bea", None)
    life.advance(None)


def asked_before_a_restore(life: Life) -> None:
    life.whole("suspend", None)
    life.ask_whole("resume", "reto")
    life.restored(None)


def the_same_backup_is_restored_twice(life: Life) -> None:
    life.back_up()
    for _ in range(2):
        life.restore(None)


# --- what is taken away -----------------------------------------------------------------------------------------------------------
def trigger(table: str, name: str) -> Guard:
    def take_away(patch: pytest.MonkeyPatch) -> None:
        with superuser() as link:
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}")

    return take_away


def instead(module: object, name: str, other: object) -> Guard:
    return lambda patch: patch.setattr(module, name, other, raising=False)


def alone(patch: pytest.MonkeyPatch) -> None:
    """The operator's setting that lets one manager give it."""
    with superuser() as link:
        link.execute(f"ALTER DATABASE {link.info.dbname} SET saalchef.signing_roles_alone = 'on'")


def written(function: str, what: str, other: str) -> Guard:
    """A function of the database says something else."""

    def take_away(patch: pytest.MonkeyPatch) -> None:
        with superuser() as link:
            row = link.execute("SELECT pg_get_functiondef(%s::regproc)", [function]).fetchone()
            guard = str(row and row[0])
            assert what in guard
            link.execute(guard.replace(what, other))

    return take_away


def authors(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(settle, "took_part", dealt_by)
    trigger("jackpot_claim", "claim_by_author")(patch)


TRIES: dict[Try, Guard] = {
    who_rests_signs: trigger("payouts_approvalsignature", "person_rests"),
    who_rests_pays: trigger("jackpot_slip", "person_rests"),
    an_author_verifies: authors,
    one_manager_gives_a_role_that_signs: alone,
    a_manager_bars_the_other_and_gives_a_role_that_signs: written("could_sign_v1", "24 hours", "0 hours"),
    a_signer_is_barred: instead(people, "approval_kill_of_person", lambda **_: 0),
    what_was_looked_at_moves_on: instead(standing, "_seen", lambda *_: {}),
    a_listed_round_is_withdrawn: instead(undo, "_check_undealt", lambda *_, **__: None),
    a_prize_that_is_asked_for_is_asked_for_again: instead(
        prizes_again, "prizes_left", lambda jackpot_id: [(one, "") for one in prizes_again.WaitingPrize.objects.all()]
    ),
    the_clock_is_set_back: instead(advance, "requests_in_order", lambda rows: rows.order_by("requested_at")),
    asked_before_a_restore: instead(restored, "requests_outdate", lambda jackpot: None),
    the_same_backup_is_restored_twice: written("incarnation_begin_v1", "greatest(", "least("),
}


@contextmanager
def life_of(world: Patient) -> Iterator[Life]:
    life = type("Run", (EveningMachine,), {"world": world, "seen": Counter()})()
    with closing(life.databases), closing(life.copy):
        yield life


@pytest.mark.usefixtures("by_rules_alone")
@pytest.mark.parametrize("tried", TRIES, ids=lambda tried: str(tried.__name__))
def test_a_try_comes_to_what_the_model_says_and_the_machine_tells_when_its_guard_is_gone(
    patients: Patient, monkeypatch: pytest.MonkeyPatch, tried: Try
) -> None:
    with life_of(patients) as life:
        tried(life)
        life.same()
    with life_of(patients) as life:
        TRIES[tried](monkeypatch)
        with pytest.raises(AssertionError):
            tried(life)
            life.same()
