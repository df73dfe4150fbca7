"""Races about the jackpot, I: stakes against the freeze, claims against each other and against what ends their round."""

import threading
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection

from jackpot import services as jackpots
from jackpot.models import Claim, EpochEnd, Gate, Hit, ListedRound, RunningRound, Split
from jackpot.services import claims
from payouts.models import Approval
from tables.models import Round
from tables.services.rounds import correct, lock, settle, undo
from tests.databases import superuser
from tests.jackpot.linked import dull, royal
from tests.races.hall import Hall, unlisted
from tests.races.meet import rewrite
from tests.races.racing import ends
from tests.tables.audits import breached

KEY = "(hashtextextended('jackpot:' || p_jackpot::text, 0))"
NO_SHARE = ("jackpot_share_v1", f"pg_advisory_xact_lock_shared{KEY}", "NULL::void")
NO_EXCLUDE = ("jackpot_exclude_v1", f"pg_advisory_xact_lock{KEY}", "NULL::void")


# A stake against the freeze
def claiming(hall: Hall, how: str):
    """A first claim, by a call, a settlement or a correction of table 1's round."""
    round_id = hall.start(0)
    if how == "call":
        return hall.calling(0, round_id)
    if how == "settle":
        return hall.settling(0, round_id)
    hall.end(0, round_id, dull())
    return hall.correcting(round_id, royal("h"))


# Where a lock may stand when a claim comes: has it the barrier's lock there?
LOCKS = {
    "before its lock": (lock, "_begin"),
    "when it has looked": (lock, "_check_table"),
    "before it writes": (lock, "_write"),
    "done": None,
}
# Where a claim may stand when a lock comes.
CLAIMS = {
    "call, before its lock": ("call", (undo, "jackpot_exclude")),
    "call, before it looks": ("call", (undo, "_locked")),
    "call, before the list": ("call", (claims, "meter_read")),
    "call, before the freeze": ("call", (claims, "enter")),
    "call, done": ("call", None),
    "settle, before its lock": ("settle", (settle, "hold_jackpot")),
    "settle, before it writes": ("settle", (settle, "write_result")),
    "settle, before it claims": ("settle", (settle, "claims_follow")),
    "settle, before the freeze": ("settle", (claims, "enter")),
    "settle, done": ("settle", None),
    "correct, before its lock": ("correct", (correct, "round_hold")),
    "correct, before it writes": ("correct", (correct, "write_result")),
    "correct, before the freeze": ("correct", (claims, "enter")),
    "correct, done": ("correct", None),
}


@pytest.mark.parametrize("how", ["call", "settle", "correct"])
@pytest.mark.parametrize("place", LOCKS)
def test_claim_comes_while_a_lock_stands_anywhere(hall, place, how):
    """It waits for the lock and lists its round; before it had the barrier's lock, the lock is refused."""
    claim, round_id = claiming(hall, how), uuid4()
    met = hall.race(hall.locking(1, round_id), claim, before=LOCKS[place])
    early = place == "before its lock"
    assert (met.waited, ends(met)[0]) == (not early, "jackpot.not_open" if early else "locked")
    assert ListedRound.objects.filter(round_id=round_id).exists() != early
    assert (hall.now().phase, unlisted(), breached()) == ("draining", set(), {})


@pytest.mark.parametrize("place", CLAIMS)
def test_lock_comes_while_a_claim_stands_anywhere(hall, place):
    """It waits for the freeze and is refused; before the claim had the barrier's lock, it is listed."""
    how, before = CLAIMS[place]
    round_id = uuid4()
    met = hall.race(claiming(hall, how), hall.locking(1, round_id), before=before)
    early = place.endswith("before its lock")
    assert (met.waited, ends(met)[1]) == (not early, "locked" if early else "jackpot.not_open")
    assert ListedRound.objects.filter(round_id=round_id).exists() == early
    assert (hall.now().phase, unlisted(), breached()) == ("draining", set(), {})


def test_without_the_barrier_the_database_refuses_a_stake_after_the_freeze(hall):
    """The control: the lock has read the open phase when the freeze commits; a trigger looks again."""
    rewrite(hall.database, *NO_SHARE)
    late = uuid4()
    met = hall.race(hall.locking(1, late), claiming(hall, "call"), before=LOCKS["before it writes"])
    assert (met.waited, type(met.first), unlisted()) == (False, IntegrityError, set())
    assert met.first.__cause__.diag.constraint_name == "running_round_open"


def test_without_barrier_and_trigger_a_stake_lies_after_the_freeze(hall):
    rewrite(hall.database, *NO_SHARE)
    with superuser(hall.database) as link:
        link.execute("ALTER TABLE jackpot_runninground DISABLE TRIGGER running_round_open")
    late = uuid4()
    met = hall.race(hall.locking(1, late), claiming(hall, "call"), before=LOCKS["before it writes"])
    assert (met.waited, ends(met)[0], unlisted()) == (False, "locked", {late})
    assert "no_round_between_a_hit_and_its_gate" in breached()


# Claims
def test_two_first_claims_make_one_hit(hall):
    """At two tables at once: in server order, and both are on the list."""
    rounds = [hall.start(0), hall.start(1)]
    met = hall.race(hall.settling(0, rounds[0]), hall.settling(1, rounds[1]))
    assert (met.waited, ends(met)) == (True, ("settled", "settled"))
    assert list(Claim.objects.order_by("number").values_list("round_id", flat=True)) == rounds
    assert (Hit.objects.count(), ListedRound.objects.count()) == (1, 2)
    assert breached() == {}


def test_without_the_barrier_two_first_claims_would_be_two_hits(hall):
    """The control: behind the lock stand a unique key, the trigger of the jackpot's steps and that of a hit's beginning."""
    rewrite(hall.database, *NO_EXCLUDE)
    rounds = [hall.start(0), hall.start(1)]
    met = hall.race(hall.settling(0, rounds[0]), hall.settling(1, rounds[1]))
    assert (met.second.__cause__.diag.constraint_name, Hit.objects.count()) == ("hit_once", 1)


def test_without_barrier_and_keys_two_first_claims_are_two_hits(hall):
    rewrite(hall.database, *NO_EXCLUDE)
    with superuser(hall.database) as link:
        link.execute("ALTER TABLE jackpot_hit DROP CONSTRAINT hit_once")
        link.execute("DROP INDEX hit_one_running")
        link.execute("ALTER TABLE jackpot_jackpot DISABLE TRIGGER jackpot_step")
    rounds = [hall.start(0), hall.start(1)]
    met = hall.race(hall.settling(0, rounds[0]), hall.settling(1, rounds[1]))
    assert (ends(met), Hit.objects.count()) == (("settled", "settled"), 2)
    assert breached()


def test_second_call_at_the_same_table(hall):
    round_id = hall.start(0)
    met = hall.race(hall.calling(0, round_id), hall.calling(0, round_id))
    assert (met.waited, ends(met)) == (True, ("locked", "jackpot.second_call"))
    assert Claim.objects.get().state == "called"
    assert breached() == {}


def test_round_is_settled_while_it_is_called(hall):
    """The settlement was worked out without a claim; it starts again under the exclusive lock, and drops the call."""
    round_id = hall.start(0)
    met = hall.race(hall.calling(0, round_id), hall.settling(0, round_id, dull()))
    assert (met.waited, ends(met)) == (True, ("locked", "settled"))
    assert Claim.objects.get().state == "dropped"
    assert breached() == {}


def test_round_is_called_while_it_is_settled(hall):
    round_id = hall.start(0)
    met = hall.race(hall.settling(0, round_id, dull()), hall.calling(0, round_id))
    assert (met.waited, ends(met)) == (True, ("settled", "round.state_refused"))
    assert (Hit.objects.count(), hall.now().phase) == (0, "open")


def test_without_a_second_look_a_settlement_leaves_its_call_open(hall):
    """The control: whether somebody has called is asked before the transaction only; then nobody ever decides the claim."""
    rewrite(hall.database, "round_settle_v1", "IF NOT (p ->> 'exclusive')::boolean AND", "IF false AND")
    round_id = hall.start(0)
    met = hall.race(hall.calling(0, round_id), hall.settling(0, round_id, dull()))
    assert ends(met) == ("locked", "settled")
    assert (Claim.objects.get().state, Round.objects.get(pk=round_id).state) == ("called", "settled")


def test_round_is_called_while_it_is_voided(hall):
    round_id = hall.start(0)
    met = hall.race(hall.voiding(round_id), hall.calling(0, round_id))
    assert (met.waited, ends(met)) == (True, ("voided", "round.state_refused"))
    assert (hall.now().phase, Hit.objects.count()) == ("open", 0)
    assert breached() == {}


def test_round_is_voided_while_it_is_called(hall):
    round_id = hall.start(0)
    met = hall.race(hall.calling(0, round_id), hall.voiding(round_id))
    assert (met.waited, ends(met)) == (True, ("locked", "jackpot.round_claims"))
    assert breached() == {}


@pytest.mark.parametrize("voided", [True, False])
def test_called_round_is_voided_and_settled_with_its_royal_at_once(hall, voided):
    round_id = hall.start(0)
    hall.call(0, round_id)
    void, settled = hall.voiding(round_id, hall.void_signed(round_id)), hall.settling(0, round_id)
    met = hall.race(*((void, settled) if voided else (settled, void)))
    assert (met.waited, ends(met)) == (
        True,
        ("voided", "round.changed") if voided else ("settled", "round.state_refused"),
    )
    assert Claim.objects.get().state == ("dropped" if voided else "open")
    assert hall.advance() == "verifying"
    assert breached() == {}


def test_listed_round_is_voided_while_another_claims(hall):
    first, other = hall.start(0), hall.start(1)
    met = hall.race(hall.calling(0, first), hall.voiding(other))
    assert (met.waited, ends(met)) == (True, ("locked", "voided"))
    hall.end(0, first, royal("h"))
    assert hall.advance() == "verifying"
    assert (ListedRound.objects.filter(round_id=other).exists(), breached()) == (True, {})


def test_lock_that_never_came_is_withdrawn_while_the_jackpot_freezes(hall):
    unknown, other = uuid4(), hall.start(0)
    met = hall.race(hall.calling(0, other), hall.withdrawing(1, unknown))
    assert (met.waited, ends(met)) == (True, ("locked", "withdrawn"))
    assert ends(hall.race(hall.locking(1, unknown), lambda: None))[0] in ("round.withdrawn", "jackpot.not_open")
    assert (RunningRound.objects.filter(ended_at=None).count(), breached()) == (1, {})


# The last listed round
def test_step_waits_for_the_last_listed_round_to_be_settled(hall):
    first, other = hall.start(0), hall.start(1)
    hall.end(0, first, royal("h"))
    met = hall.race(hall.settling(1, other, dull()), hall.stepping())
    assert (met.waited, met.second, hall.now().phase) == (True, True, "verifying")
    assert breached() == {}


def test_last_listed_round_claims_while_a_step_looks(hall):
    """It is on the list: it joins, whether the step found it running or not."""
    first, other = hall.start(0), hall.start(1)
    hall.end(0, first, royal("h"))
    met = hall.race(hall.stepping(), hall.settling(1, other))
    assert (met.waited, met.first, ends(met)[1]) == (True, False, "settled")
    assert hall.advance() == "verifying"
    assert (Claim.objects.filter(state="open").count(), breached()) == (2, {})


# Two coordinators
def once_each(hall: Hall) -> None:
    """What a hit leaves, and no more."""
    assert (Split.objects.count(), EpochEnd.objects.count(), Hit.objects.filter(state="paid").count()) == (1, 1, 1)
    assert Approval.objects.filter(action="jackpot.award").count() == 1
    assert list(Gate.objects.values_list("number", "state")) == [(1, "open")]
    assert breached() == {}


def test_two_coordinators_take_every_step_once(hall):
    rounds = [hall.start(0), hall.start(1)]
    for table, round_id in enumerate(rounds):
        hall.end(table, round_id, royal("hd"[table]))
    for claims_decided in (False, True):
        met = hall.race(hall.stepping(), hall.stepping())
        assert (met.waited, met.first, met.second) == (True, True, False)
        if not claims_decided:
            assert hall.now().phase == "verifying"
            for claim in Claim.objects.all():
                hall.verify(claim)
    asked = hall.asked()
    for person in (hall.reto, hall.bea):
        hall.race(hall.signing(asked, person), lambda: None)
    met = hall.race(hall.stepping(), hall.stepping())
    assert (met.waited, met.first, met.second, hall.now().phase) == (True, True, False, "showing")
    assert jackpot_awards(hall) == 2
    once_each(hall)


def jackpot_awards(hall: Hall) -> int:
    return hall.jackpot.awards.count()


@pytest.mark.parametrize("net", ["split_revision_once", "approval_one_open"])
def test_without_the_barrier_two_coordinators_split_at_once(hall, net):
    """The control: behind the lock stand the number of a revision, then the one request that may be open."""
    rewrite(hall.database, *NO_EXCLUDE)
    if net == "approval_one_open":
        with superuser(hall.database) as link:
            link.execute("ALTER TABLE jackpot_split DROP CONSTRAINT split_revision_once")
    hall.end(0, hall.start(0), royal("h"))
    hall.advance()
    hall.verify(Claim.objects.get())
    met = hall.race(hall.stepping(), hall.stepping())
    error = met.second if net == "split_revision_once" else met.second.__cause__
    assert error.__cause__.diag.constraint_name == net
    assert Split.objects.count() == 1


def test_many_coordinators_at_once_from_the_last_signature_to_the_reopening(hall):
    """Ten threads that know nothing of each other, as a worker, a sweep and ten web processes would."""
    hall.to_verifying(0, 1)
    asked = hall.asked()
    hall.race(hall.signing(asked, hall.reto), lambda: None)
    hall.race(hall.signing(asked, hall.bea), lambda: None)
    failed: list[BaseException] = []
    together = threading.Barrier(10)

    def advance() -> None:
        try:
            together.wait(60)
            for _ in range(3):
                jackpots.jackpot_advance(jackpot_id=hall.jackpot.pk)
        except Exception as error:  # noqa: BLE001  (the test looks at it)
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=advance) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (failed, hall.now().phase, jackpot_awards(hall)) == ([], "showing", 2)
    once_each(hall)
