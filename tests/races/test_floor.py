"""Races between a round and what happens to its table, its croupier, its jackpot; and between guests."""

from uuid import uuid4

import pytest

from jackpot.models import ListedRound, RunningRound
from jackpot.services import jackpot_parameters_set
from tables import services
from tables.errors import RoundRunning
from tables.models import Guest, HandOver, ReviewItem, Table, TableSession
from tables.services.rounds import settle
from tests.databases import superuser
from tests.floor import done, second_jackpot, taps
from tests.races.meet import meet, rewrite
from tests.races.racing import WON, Racing, ends
from tests.tables.audits import breached

FOR_SHARE = ("round_lock_context_v1", "WHERE id = p_table FOR SHARE", "WHERE id = p_table")


def changing(racing: Racing, command: str, **values: object):
    """A command of the pit at the linked table."""
    at = {"house_id": racing.house.pk, "table_id": racing.table.pk, "actor_id": racing.reto.pk}
    return lambda: getattr(services, command)(**at, **values)


CHANGES = {
    "close": ("table_close", {}, "table.closed"),
    "link": ("table_link", {"jackpot_id": None}, "uth.no_progressive"),
}


@pytest.mark.parametrize(("command", "values", "code"), CHANGES.values())
def test_lock_waits_for_a_change_of_its_table_and_decides_on_what_it_finds_then(racing, command, values, code):
    met = racing.race(changing(racing, command, **values), racing.locking())
    assert (met.waited, ends(met)[1]) == (True, code)
    assert breached() == {}


@pytest.mark.parametrize(("command", "values", "code"), CHANGES.values())
def test_change_of_a_table_waits_for_a_lock_and_is_refused(racing, command, values, code):
    met = racing.race(racing.locking(), changing(racing, command, **values))
    assert (met.waited, ends(met)) == (True, ("locked", "table.round_running"))
    assert breached() == {}


def test_lock_waits_for_a_change_of_entry_level(racing):
    change = changing(racing, "table_entry_level_set", entry_level="jackpot_only")
    met = racing.race(change, racing.locking())
    assert (met.waited, ends(met)[1]) == (True, "round.level_refused")
    met = racing.race(
        racing.locking(stakes=coins(racing)), changing(racing, "table_entry_level_set", entry_level="fast")
    )
    assert (met.waited, ends(met)) == (True, ("locked", "table.round_running"))
    assert breached() == {}


def coins(racing: Racing) -> list[dict[str, object]]:
    return [{"box": 1, "guest": str(racing.guests[0].pk), "kind": "coin", "amount_minor": 500}]


def test_without_the_tables_lock_a_round_is_locked_at_a_closed_table(racing):
    """The control: the lock reads its table without holding it, and waits at a foreign key only, when all is decided."""
    rewrite(racing.database, *FOR_SHARE)
    met = racing.race(changing(racing, "table_close"), racing.locking())
    assert ends(met)[1] == "locked"
    assert set(breached()) == {"locked_rounds_have_an_open_table", "guards_in_place"}


def test_without_the_tables_lock_a_round_is_locked_by_who_has_not_the_table(racing):
    """The control for the hand-over below."""
    rewrite(racing.database, *FOR_SHARE)
    handing = changing(racing, "table_hand_over", croupier_id=racing.nora.pk)
    met = racing.race(handing, racing.locking())
    assert ends(met)[1] == "locked"
    assert TableSession.objects.get().croupier_id == racing.nora.pk


def test_lock_waits_for_a_hand_over(racing):
    met = racing.race(changing(racing, "table_hand_over", croupier_id=racing.nora.pk), racing.locking())
    assert (met.waited, ends(met)[1]) == (True, "round.croupier_wrong")


def test_table_is_handed_over_in_the_middle_of_a_round(racing):
    """Who had the table when the round was locked, and worked its result out, settles it no more; the new croupier does."""
    round_id = racing.locked()
    before = racing.settling(round_id)
    met = racing.race(changing(racing, "table_hand_over", croupier_id=racing.nora.pk), lambda: None)
    assert isinstance(met.first, HandOver)
    assert ends(racing.race(before, lambda: None))[0] == "round.croupier_wrong"
    answer = racing.race(racing.settling(round_id, person_id=racing.nora.pk), lambda: None).first
    assert (answer["state"], racing.state(round_id)) == ("settled", ("settled", 1))
    assert breached() == {}


def at_once(racing, round_id):
    """Martina settles, and the table is handed over after her command has begun and before it writes."""
    handing = changing(racing, "table_hand_over", croupier_id=racing.nora.pk)
    return meet(racing.database, racing.settling(round_id), handing, before=(settle, "calls"))


def test_a_table_is_handed_over_while_its_round_is_being_settled(racing):
    """Nobody waits for the other. The settlement that has not written yet is refused, and the new croupier's counts; one that meets
    a hand-over which is not committed comes before it.
    """
    round_id = racing.locked()
    met = at_once(racing, round_id)
    assert (met.waited, ends(met)[0]) == (False, "round.croupier_wrong")
    assert isinstance(met.second, HandOver)
    assert racing.state(round_id) == ("locked", 0)
    nora = racing.settling(round_id, person_id=racing.nora.pk)
    met = racing.race(changing(racing, "table_hand_over", croupier_id=racing.martina.pk), nora)
    assert (met.waited, ends(met)[1], racing.state(round_id)) == (False, "settled", ("settled", 1))
    assert breached() == {}


def test_without_a_second_look_a_croupier_settles_after_he_handed_over(racing):
    """The control: who has the table is asked before the transaction only."""
    rewrite(racing.database, "round_settle_v1", "IF r.duty IS NOT NULL AND", "IF false AND")
    assert ends(at_once(racing, racing.locked()))[0] == "settled"


def test_lock_starts_again_when_its_table_was_linked_elsewhere(racing):
    """It holds the lock of the old jackpot; linking waits for nobody there, and the round belongs to the new one."""
    second = second_jackpot(racing.house)
    racing.hang("Entrance", second)
    tries = []
    lock = racing.locking()

    def counted():
        tries.append(1)
        return lock()

    met = racing.race(changing(racing, "table_link", jackpot_id=second.pk), counted)
    assert (met.waited, ends(met)[1], len(tries)) == (True, "locked", 2)
    running = RunningRound.objects.get()
    assert (running.jackpot_id, running.epoch_id) == (second.pk, second.epoch_id)
    assert breached() == {}


def test_lock_waits_for_who_holds_the_jackpot_alone(racing):
    met = racing.race(racing.elsewhere(), racing.locking())
    assert (met.waited, ends(met)[1]) == (True, "jackpot.not_open")
    assert breached() == {}


def test_freeze_waits_for_a_lock_and_finds_its_round_running(racing):
    calling, round_id = racing.elsewhere(), uuid4()
    met = racing.race(racing.locking(round_id), calling)
    assert (met.waited, ends(met)) == (True, ("locked", "locked"))
    assert round_id in set(ListedRound.objects.values_list("round_id", flat=True))


@pytest.mark.parametrize("form", ["jackpot_share_v1", "jackpot_exclude_v1"])
def test_without_the_jackpots_lock_a_stake_slips_past_a_freeze(racing, form):
    """The control, for each form of the lock: the round is locked on the phase that it read before the freeze."""
    call = {"jackpot_share_v1": "pg_advisory_xact_lock_shared", "jackpot_exclude_v1": "pg_advisory_xact_lock"}[form]
    rewrite(racing.database, form, f"{call}(hashtextextended('jackpot:' || p_jackpot::text, 0))", "NULL::void")
    calling, round_id = racing.elsewhere(), uuid4()
    met = racing.race(racing.locking(round_id), calling)
    assert (met.waited, ends(met)) == (False, ("locked", "locked"))
    assert RunningRound.objects.filter(round_id=round_id, ended_at=None).exists()
    assert not ListedRound.objects.filter(round_id=round_id).exists()  # a round runs that the hit does not wait for


def test_settle_waits_for_who_holds_the_jackpot_alone(racing):
    """It ends a listed round: whoever counts the list must see it whole. It is settled after the freeze all the same (PRG-9)."""
    round_id = racing.locked()
    met = racing.race(racing.elsewhere(), racing.settling(round_id))
    assert (met.waited, ends(met)[1]) == (True, "settled")


@pytest.mark.parametrize(
    ("ending", "outcome"), [("reopening", "jackpot.not_open"), ("withdrawing", "round.stands"), ("voiding", "voided")]
)
def test_what_ends_a_round_waits_for_a_freeze(racing, ending, outcome):
    """The croupier takes no lock back, nor withdraws it, once a hit lists its round; the pit may void."""
    round_id = racing.locked()
    met = racing.race(racing.elsewhere(), getattr(racing, ending)(round_id))
    assert (met.waited, ends(met)[1]) == (True, outcome)


def test_parameters_are_not_changed_under_a_round(racing):
    def change():
        values = {"jackpot_id": racing.jackpot.pk, "house_id": racing.house.pk, "actor_id": racing.tim.pk}
        return jackpot_parameters_set(**values, offline_linked="play_flagged")

    met = racing.race(racing.locking(), change)
    assert (met.waited, ends(met)) == (True, ("locked", "jackpot.rounds_running"))


def test_two_guests_arrive_at_one_box(racing):
    def arriving():
        values = {"house_id": racing.house.pk, "table_id": racing.table.pk, "actor_id": racing.martina.pk}
        return services.guest_arrive(**values, box=1, seated=True)

    done(services.guest_leave, house_id=racing.house.pk, guest_id=racing.guests[0].pk, actor_id=racing.martina.pk)
    met = racing.race(arriving, arriving)
    assert (met.waited, met.first.box, ends(met)[1]) == (True, 1, "guest.box_owned")
    assert Guest.objects.filter(box=1, left_at=None).count() == 1


def test_without_the_tables_lock_two_guests_have_one_number(racing, monkeypatch):
    """The control: the next number is read without holding the table."""
    from django.db import IntegrityError

    from tables.services.floor import guests

    monkeypatch.setattr(guests, "table_locked", lambda house_id, table_id, any_jackpot: Table.objects.get(pk=table_id))
    with superuser(racing.database) as link:
        link.execute("ALTER TABLE tables_guest DROP CONSTRAINT guest_number_once")

    def arriving():
        values = {"house_id": racing.house.pk, "table_id": racing.table.pk, "actor_id": racing.martina.pk}
        return services.guest_arrive(**values)

    met = racing.race(arriving, arriving)
    assert not isinstance(met.second, IntegrityError)
    assert (met.waited, met.first.number) == (False, met.second.number)


def test_table_is_opened_once(racing):
    def opening():
        values = {"house_id": racing.house.pk, "table_id": racing.other.pk, "actor_id": racing.reto.pk}
        return services.table_open(**values, croupier_id=racing.nora.pk)

    met = racing.race(opening, opening)
    assert (met.waited, ends(met)[1]) == (True, "table.open")
    assert TableSession.objects.filter(table=racing.other).count() == 1


def keeping(racing: Racing, round_id):
    values = {"house_id": racing.house.pk, "table_id": racing.table.pk, "round_id": round_id, "kind": "settle"}
    return lambda: services.review_item_record(
        **values, payload={"result": WON}, refused=RoundRunning(), person_id=racing.martina.pk
    )


def test_same_late_round_is_kept_once(racing):
    round_id = uuid4()
    met = racing.race(keeping(racing, round_id), keeping(racing, round_id))
    assert (met.waited, met.first.pk) == (True, met.second.pk)
    assert ReviewItem.objects.count() == 1


def test_entry_is_clarified_once(racing):
    round_id = racing.locked()
    entry = done(keeping(racing, round_id))
    values = {"house_id": racing.house.pk, "clarify_id": entry.pk, "reason": "tablet broke", "actor_id": racing.reto.pk}
    met = racing.race(lambda: services.review_item_take(**values), lambda: services.review_item_dismiss(**values))
    assert (met.waited, ends(met)) == (True, ("settled", "clarify.closed"))
    assert breached() == {}


def test_feed_of_a_round_that_is_being_settled_is_compared_with_its_result(racing):
    """HAND-6: it waits for the result; the read cards stay, and contradict no taps by three of five."""
    round_id = racing.locked()
    cards = {"board": "Ah Kh Qh"}
    met = racing.race(
        racing.settling(round_id),
        lambda: services.card_feed_record(house_id=racing.house.pk, round_id=round_id, cards=cards).cards,
    )
    assert (met.waited, met.first["state"], met.second["board"]) == (True, "settled", cards["board"])
    assert breached() == {}


def test_two_tables_never_wait_for_each_other(racing):
    """Both linked to one jackpot: no row is shared, the jackpot's lock is."""
    values = {"house_id": racing.house.pk, "table_id": racing.other.pk}
    done(services.table_link, **values, jackpot_id=racing.jackpot.pk, actor_id=racing.tim.pk)
    others = racing.open(racing.other, racing.nora)
    stakes = [
        {"box": 1, "guest": str(others[0].pk), "kind": kind, "amount_minor": amount}
        for kind, amount in (("ante", 500), ("blind", 500), ("coin", 500))
    ]
    there = racing.locking(table_id=racing.other.pk, croupier_id=racing.nora.pk, stakes=stakes)
    met = racing.race(racing.locking(), there)
    assert (met.waited, ends(met)) == (False, ("locked", "locked"))
    one = racing.settling(met.first["id"], taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"}))
    two = racing.settling(met.second["id"], taps(b1={"play": 1, "result": "win"}), person_id=racing.nora.pk)
    met = racing.race(one, two)
    assert (met.waited, ends(met)) == (False, ("settled", "settled"))
    assert breached() == {}
