"""Suspended, closed, retired, adjusted: what two people do to a jackpot, and what goes on inside (PRG-9; no lock, no loss)."""

from typing import Any

import pytest
from django.db import connection

from jackpot import services as jackpots
from jackpot.errors import JackpotNotOpen, JackpotPhase, RoundsRunning
from jackpot.models import Award, Gate
from jackpot.selectors.jackpots import meter_read
from jackpot.services.standing import ADJUST, RESUME, RETIRE, SUSPEND
from payouts.models import Account, Approval, Entry
from payouts.rules.approval import ApprovalChanged, ApprovalClosed, SignerRefused
from payouts.rules.ledger.postings import AccountOverdrawn
from tables import services
from tests.clock import clock_jumps
from tests.databases import superuser
from tests.floor import done, second_jackpot
from tests.jackpot.linked import Linked, dull, royal
from tests.tables.audits import breached, breached_here, disagreeing
from tests.worlds import world


def act(floor: Linked, action: str, signer: Any = None, **payload: Any) -> None:
    """Asked for by a pit boss, signed by the manager, carried out with the signature."""
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "person_id": floor.reto.pk}
    asked = done(jackpots.jackpot_request, **ids, action=action, payload={"reason": "a fault"} | payload)
    floor.sign(asked, signer or floor.bea)


@world(Linked)
def test_suspended_no_round_begins_and_it_opens_by_its_displays(floor: Linked) -> None:
    running = floor.start(0)
    act(floor, SUSPEND)
    assert (floor.now().phase, floor.now().kept_phase) == ("suspended", "open")
    with pytest.raises(JackpotNotOpen):
        floor.start(1)
    floor.end(0, running, dull())
    assert floor.advance() == "suspended"
    act(floor, RESUME)
    assert floor.now().phase == "showing"
    with pytest.raises(JackpotNotOpen):
        floor.start(1)
    assert floor.confirm_all() == "open"
    floor.end(1, floor.start(1), dull())
    assert breached_here() == {}


@world(Linked)
def test_a_hit_goes_on_inside_a_suspension_but_the_tables_stay_shut(floor: Linked) -> None:
    first, second = floor.start(0), floor.start(1)
    act(floor, SUSPEND)
    floor.end(0, first, royal("h"))
    assert (floor.now().phase, floor.now().kept_phase) == ("suspended", "draining")
    floor.end(1, second, dull())
    floor.advance()
    floor.verify_all()
    floor.approve()
    assert (floor.now().kept_phase, Award.objects.get().amount_minor) == ("showing", 1_000_200)
    assert floor.confirm_all() == "suspended"
    act(floor, RESUME)
    assert floor.advance() == "showing"
    assert floor.confirm_all() == "open"
    assert breached_here() == {}


@world(Linked)
def test_who_asks_does_not_sign(floor: Linked) -> None:
    with pytest.raises(SignerRefused):
        act(floor, SUSPEND, signer=floor.reto)
    assert floor.now().phase == "open"


@world(Linked)
@pytest.mark.parametrize(("amount", "after"), [(12_345, 1_012_345), (-5_000, 995_000)])
def test_a_fault_is_put_right_at_the_houses_cost(floor: Linked, amount: int, after: int) -> None:
    before = meter_read(jackpot_id=floor.jackpot.pk).version
    act(floor, ADJUST, amount_minor=amount)
    reading = meter_read(jackpot_id=floor.jackpot.pk)
    assert (reading.sum_minor, reading.version) == (after, before + 1)
    assert Account.objects.get(kind="award_cost").balance_minor == amount
    assert breached_here() == {}


@world(Linked)
def test_a_fault_larger_than_the_meter_is_refused(floor: Linked) -> None:
    with pytest.raises(AccountOverdrawn):
        act(floor, ADJUST, amount_minor=-1_000_001)
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_000


@world(Linked)
def test_a_meter_of_coins_is_lowered_by_more_than_its_base_and_won_as_it_then_is(floor: Linked) -> None:
    """PRG-12: 25 000 that should be 10 000. The tables keep what their coins brought, so that a coin still goes back from it."""
    adjustments: list[int] = []

    def moved() -> list[list[tuple[str, int]]]:
        rows = Entry.objects.filter(transfer__key__startswith="adjust:").order_by("id")
        found = list(rows.values_list("transfer_id", "account__kind", "amount_minor"))
        return [[(kind, by) for of, kind, by in found if of == one] for one in dict.fromkeys(of for of, _, _ in found)]

    rounds = [floor.start(table, coins=2) for table in (0, 1)]  # 400 minor units by coins
    act(floor, ADJUST, amount_minor=-999_900)  # a base of 100 and 400 of coins
    for amount in (-300, -100, 50):
        act(floor, ADJUST, amount_minor=amount)
        adjustments.append(meter_read(jackpot_id=floor.jackpot.pk).sum_minor)
    base = Account.objects.get(kind="meter_base").balance_minor
    held = [200, 100, 150]
    assert (adjustments, base) == (held, 250)
    assert moved() == [
        [("meter_base", by), ("award_cost", -by)] if by > 0 else [("award_cost", -by), ("meter_base", by)]
        for by in (999_900, 300, 100, -50)
    ]
    assert breached_here() == {}
    with pytest.raises(AccountOverdrawn):
        act(floor, ADJUST, amount_minor=-151)
    floor.void(rounds[1])  # its coins go back: the meter owes, as it does of prizes, until people raise it
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == -50
    assert breached_here() == {}
    act(floor, ADJUST, amount_minor=150)
    floor.end(0, rounds[0], royal("h"))
    floor.advance()
    floor.verify_all()
    floor.approve()
    assert (Award.objects.get().amount_minor, meter_read(jackpot_id=floor.jackpot.pk).sum_minor) == (100, 1_000_000)
    assert breached_here() == {}


@world(Linked, displays=2)
def test_an_amount_changed_while_it_shows_makes_a_new_gate_and_old_confirmations_lapse(floor: Linked) -> None:
    floor.end(0, floor.start(0), royal("h"))
    floor.advance()
    floor.reject()
    floor.confirm(floor.displays[0])
    act(floor, ADJUST, amount_minor=100)
    assert floor.advance() == "showing"
    assert list(Gate.objects.order_by("number").values_list("state", "amount_minor")) == [
        ("lapsed", 1_000_100),
        ("open", 1_000_200),
    ]
    floor.confirm(floor.displays[1])
    assert floor.advance() == "showing"
    assert floor.confirm_all() == "open"
    assert breached_here() == {}


@world(Linked)
def test_closed_while_nothing_runs_reopened_by_displays_retired_into_another(floor: Linked) -> None:
    heir = second_jackpot(floor.house)
    floor.hang("Entrance", heir)
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "actor_id": floor.bea.pk}
    round_id = floor.start(0)
    with pytest.raises(RoundsRunning):
        done(jackpots.jackpot_close, **ids, reason="works")
    floor.end(0, round_id, dull())
    with pytest.raises(JackpotPhase):
        act(floor, RETIRE, to=str(heir.pk))
    done(jackpots.jackpot_close, **ids, reason="works")
    with pytest.raises(JackpotNotOpen):
        floor.start(0)
    done(jackpots.jackpot_reopen, **ids)
    assert floor.confirm_all() == "open"
    done(jackpots.jackpot_close, **ids, reason="the end")
    for table in floor.tables:
        table_ids = {"house_id": floor.house.pk, "table_id": table.pk, "actor_id": floor.tim.pk}
        done(services.table_link, **table_ids, jackpot_id=heir.pk)
    act(floor, RETIRE, to=str(heir.pk))
    assert floor.now().phase == "retired"
    assert meter_read(jackpot_id=heir.pk).sum_minor == 2_000_100
    assert -sum(Account.objects.filter(kind="reserve").values_list("balance_minor", flat=True)) == 25
    floor.end(0, floor.start(0), dull())
    assert breached_here() == {}


@world(Linked)
def test_what_was_looked_at_is_done_or_nothing(floor: Linked) -> None:
    """An adjustment is for the meter to the Rappen: one coin later it is refused; and for its epoch, which a hit ends."""
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "person_id": floor.reto.pk}

    def ask(action: str, **payload: Any) -> Approval:
        return done(jackpots.jackpot_request, **ids, action=action, payload={"reason": "a fault"} | payload)

    asked = ask(ADJUST, amount_minor=-500_000)
    looked_at = ("epoch", "before_minor", "after_minor", "shown_before_minor", "shown_after_minor")
    assert [asked.payload[name] for name in looked_at] == [1, 1_000_000, 500_000, 1_000_000, 500_000]
    floor.end(0, floor.start(0), dull())
    with pytest.raises(ApprovalChanged):
        floor.sign(asked, floor.bea)
    asked = ask(ADJUST, amount_minor=-500_000)
    floor.win(0)
    asked.refresh_from_db()
    assert (asked.state, meter_read(jackpot_id=floor.jackpot.pk).sum_minor) == ("killed", 1_000_000)
    with pytest.raises(JackpotPhase):  # there is no suspension that it could end
        ask(RESUME)
    asked = ask(ADJUST, amount_minor=5)
    act(floor, SUSPEND)
    asked.refresh_from_db()
    assert asked.state == "killed"
    assert breached_here() == {}


@world(Linked)
def test_a_restore_outdates_what_was_asked_before(floor: Linked) -> None:
    """Of a jackpot that was suspended already: who asked to go on had reconciled nothing of the restore (PRG-9)."""
    act(floor, SUSPEND)
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "person_id": floor.reto.pk}
    asked = done(jackpots.jackpot_request, **ids, action=RESUME, payload={"reason": "the camera works again"})
    done(jackpots.jackpots_restored)
    with pytest.raises(ApprovalClosed):
        floor.sign(asked, floor.bea)
    act(floor, RESUME)
    assert floor.advance() == "showing"


@world(Linked)
def test_the_database_wants_an_act_asked_for_in_its_phase(floor: Linked, own_database: str) -> None:

    def allowed() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT jackpot_allowed_v2(%s, %s)", [floor.jackpot.pk, RESUME])
            return bool(cursor.fetchone()[0])

    act(floor, SUSPEND)
    act(floor, RESUME)
    assert not allowed()  # it was asked for in the phase that it ended
    [used] = Approval.objects.filter(action=RESUME, state="used")
    with superuser() as link:
        link.execute("ALTER TABLE jackpot_jackpot DISABLE TRIGGER USER")
        link.execute("UPDATE jackpot_jackpot SET phase_number = %s", [used.payload["phase_number"]])
    assert allowed()


@world(Linked)
def test_a_clock_that_was_set_back_holds_nothing_up(floor: Linked, own_database: str) -> None:
    """After a fail-over the server that takes over may be behind: what came first is told by counters (PRG-9)."""
    act(floor, SUSPEND)
    clock_jumps(-3600)
    act(floor, RESUME)
    assert floor.advance() == "showing"
    floor.confirm_all()
    assert floor.now().phase == "open"
    floor.end(0, floor.start(0), dull())
    assert breached() == {}


@world(Linked, displays=2)
def test_a_verification_after_a_clock_that_was_set_back_finds_nothing(floor: Linked, own_database: str) -> None:
    """What came first is told by the order of the log: claims, a hit and its gate, a display and the gate it stands on, rounds of a
    session whose entry level changed.
    """
    level = {"house_id": floor.house.pk, "table_id": floor.tables[0].pk, "actor_id": floor.reto.pk}
    floor.end(0, floor.start(0), dull())
    done(services.table_entry_level_set, **level, entry_level="full_cards")
    rounds = [floor.start(0), floor.start(1)]
    floor.end(0, rounds[0], royal("h"))
    clock_jumps(-3600)
    floor.end(1, rounds[1], royal("s"))
    floor.advance()
    floor.verify_all()
    assert floor.approve() == "showing"
    assert floor.confirm_all() == "open"
    display = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "display_id": floor.displays[1]}
    gone = done(jackpots.display_out_request, **display, person_id=floor.reto.pk, reason="it is dark")
    floor.sign(gone, floor.bea)
    clock_jumps(-3600)
    floor.sign(done(jackpots.display_add_request, **display, person_id=floor.reto.pk, name="D"), floor.bea)
    floor.end(0, floor.start(0), royal("h"))
    assert breached() == {}
    assert disagreeing() == []
