"""Races at one round: every order has one outcome, told to both, and the books are sound after it."""

import threading
from uuid import uuid4

from django.db import IntegrityError, connection

from jackpot.services import jackpot_share
from tables import services
from tables.models import Round, RoundResult
from tables.services.rounds import undo
from tests.databases import superuser
from tests.floor import done, second_jackpot
from tests.races.meet import command, rewrite
from tests.races.racing import LOST, WON, ends
from tests.tables.audits import breached
from tests.turns import each

PAIRS = {
    "settle, settle": ("settling", "settling", ("settled", "round.changed")),
    "settle, void": ("settling", "voiding", ("settled", "round.state_refused")),
    "void, settle": ("voiding", "settling", ("voided", "round.changed")),
    "settle, withdraw": ("settling", "withdrawing", ("settled", "round.state_refused")),
    "withdraw, settle": ("withdrawing", "settling", ("voided", "round.changed")),
    "settle, reopen": ("settling", "reopening", ("settled", "round.state_refused")),
    "reopen, settle": ("reopening", "settling", ("reopened", "round.changed")),
    "reopen, void": ("reopening", "voiding", ("reopened", "round.state_refused")),
    "void, reopen": ("voiding", "reopening", ("voided", "round.state_refused")),
    "withdraw, reopen": ("withdrawing", "reopening", ("voided", "round.state_refused")),
    "reopen, withdraw": ("reopening", "withdrawing", ("reopened", "reopened")),
}


@each(("first", "second", "outcome"), PAIRS.values())
def test_one_of_two_ends_a_round(racing, first, second, outcome):
    round_id = racing.locked()
    met = racing.race(getattr(racing, first)(round_id), getattr(racing, second)(round_id))
    assert (ends(met), met.waited) == (outcome, True)
    assert racing.state(round_id)[0] == outcome[0]
    assert breached() == {}


def test_two_corrections_at_once(racing):
    round_id = racing.locked()
    racing.settle(round_id, WON)
    met = racing.race(racing.correcting(round_id), racing.correcting(round_id))
    assert (ends(met), met.waited) == (("settled", "round.changed"), True)
    assert racing.state(round_id) == ("settled", 2)
    assert breached() == {}


def test_without_the_rounds_lock_a_settled_round_would_be_voided(racing, monkeypatch):
    """The control: with the round's row unlocked, void decides on what it saw before the settlement.

    The round's trigger is the second net, and an account that keeps its side the third.
    """

    def unlocked(house_id, round_id):
        return Round.objects.get(pk=round_id)

    monkeypatch.setattr(undo, "_locked", unlocked)
    netted = racing.locked()
    met = racing.race(racing.settling(netted), racing.voiding(netted))
    assert isinstance(met.second, IntegrityError)  # no refusal, but nothing written either
    assert breached() == {}
    with superuser(racing.database) as link:
        link.execute("ALTER TABLE tables_round DISABLE TRIGGER round_guard")
    netted = racing.locked()
    assert ends(racing.race(racing.settling(netted), racing.voiding(netted))) == ("settled", "ledger.overdrawn")
    with superuser(racing.database) as link:
        link.execute("ALTER TABLE payouts_account DROP CONSTRAINT account_on_its_side")
    harmed = racing.locked()
    met = racing.race(racing.settling(harmed), racing.voiding(harmed))
    assert ends(met) == ("settled", "voided")
    assert {"rounds_stand_as_posted", "settled_rounds_have_results"} <= set(breached())


def test_without_a_look_at_the_state_a_round_would_be_settled_twice(racing):
    """The control: the one statement that settles asks nobody; behind it stand a trigger, unique keys and the account's side."""
    rewrite(racing.database, "round_settle_v1", "AND state = r.was AND revision = r.revision - 1", "")
    round_id = racing.locked()
    first, second = racing.settling(round_id, WON), racing.settling(round_id, LOST)
    met = racing.race(first, second)
    assert ends(met)[0] == "settled"
    assert isinstance(met.second, IntegrityError)  # the guard of the round's row, then the unique keys of its results
    with superuser(racing.database) as link:
        link.execute("ALTER TABLE tables_round DISABLE TRIGGER round_guard")
        link.execute("ALTER TABLE tables_roundresult DROP CONSTRAINT round_result_once")
        link.execute("ALTER TABLE tables_roundline DROP CONSTRAINT round_line_once")
        link.execute("ALTER TABLE tables_roundstake DROP CONSTRAINT round_stake_once")
        link.execute("ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_key_once")
        link.execute("ALTER TABLE payouts_account DROP CONSTRAINT account_on_its_side")
    harmed = racing.locked()
    first, second = racing.settling(harmed, WON), racing.settling(harmed, LOST)
    assert ends(racing.race(first, second)) == ("settled", "settled")
    assert RoundResult.objects.filter(round_id=harmed).count() == 2
    assert breached()


def test_same_lock_from_two_tablets_is_one_round(racing):
    round_id = uuid4()
    met = racing.race(racing.locking(round_id), racing.locking(round_id))
    assert (met.waited, met.first["number"], met.second["number"]) == (True, 1, 1)
    assert met.first["stakes"] == met.second["stakes"]
    assert Round.objects.count() == 1
    assert breached() == {}


def test_two_locks_of_one_id_with_other_stakes(racing):
    round_id = uuid4()
    met = racing.race(racing.locking(round_id), racing.locking(round_id, coins=0))
    assert (ends(met), met.waited) == (("locked", "round.id_taken"), True)
    assert breached() == {}


def test_two_rounds_at_one_table(racing):
    met = racing.race(racing.locking(), racing.locking())
    assert (ends(met), met.waited) == (("locked", "table.round_running"), True)
    assert breached() == {}


def test_lock_that_comes_while_it_is_withdrawn(racing):
    round_id = uuid4()
    met = racing.race(racing.withdrawing(round_id), racing.locking(round_id))
    assert (ends(met), met.waited) == (("withdrawn", "round.withdrawn"), True)
    assert breached() == {}


def test_lock_that_is_under_way_when_it_is_withdrawn(racing):
    round_id = uuid4()
    met = racing.race(racing.locking(round_id), racing.withdrawing(round_id))
    assert (ends(met), met.waited) == (("locked", "voided"), True)
    assert racing.state(round_id) == ("voided", 0)
    assert breached() == {}


def test_withdrawn_twice_at_once(racing):
    round_id = uuid4()
    met = racing.race(racing.withdrawing(round_id), racing.withdrawing(round_id))
    assert (met.first, met.waited) == (met.second, True)
    assert racing.state(round_id) == ("withdrawn", 0)


def test_withdrawal_holds_the_lock_of_the_jackpot_that_the_round_is_linked_to(racing, monkeypatch):
    """Between its first look and the old jackpot's lock, the table is linked elsewhere and the round is locked there."""
    second = second_jackpot(racing.house)
    racing.hang("Entrance", second)
    round_id, held = uuid4(), []

    def share(jackpot_id):
        if not held:
            thread = threading.Thread(target=meanwhile)
            thread.start()
            thread.join()
        held.append(jackpot_id)
        jackpot_share(jackpot_id)

    def meanwhile():
        at = {"house_id": racing.house.pk, "table_id": racing.table.pk}
        done(services.table_link, **at, jackpot_id=second.pk, actor_id=racing.tim.pk)
        done(racing.locking(round_id))
        connection.close()

    monkeypatch.setattr(undo, "jackpot_share", share)
    answer = command(racing.withdrawing(round_id))
    assert (answer["state"], held) == ("voided", [racing.jackpot.pk, second.pk])
    assert breached() == {}
