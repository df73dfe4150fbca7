"""Races about the jackpot, II: payment against the truth, the gate against another amount, slips, signatures, displays."""

import copy
from uuid import uuid4

import pytest

from jackpot import services as jackpots
from jackpot.models import Award, Claim, DisplaySession, Gate, GateDisplay, Hit, Slip, Split
from jackpot.services import slips, verify
from payouts.models import Approval, ApprovalSignature
from tables.services import table_link
from tests.databases import superuser
from tests.floor import done, second_jackpot
from tests.jackpot.linked import dull, royal
from tests.races.hall import Hall
from tests.races.meet import rewrite
from tests.races.racing import ends
from tests.races.test_jackpot import NO_EXCLUDE, NO_SHARE
from tests.tables.audits import breached

# Corrections of the first table's round, which claims: no royal flush, or in another box.
TRUTHS = {"none": dull(), "another box": royal("h", box=2)}


def signed(hall: Hall, *people: object) -> Approval:
    asked = hall.asked()
    for person in people:
        hall.race(hall.signing(asked, person), lambda: None)
    return asked


# Payment against the truth
@pytest.fixture
def coins(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> Hall:
    """Both boxes of each round have a coin, so that either may win. That nobody signs while a correction is asked for is left
    out here: the lock alone keeps payment and truth apart.
    """
    monkeypatch.setattr(verify, "UNCLARIFIED", [])
    start = hall.start
    hall.start = lambda table, **values: start(table, **({"coins": 2} | values))
    return hall


@pytest.mark.parametrize("truth", TRUTHS.values())
def test_correction_that_waits_for_the_last_signature_is_not_paid_over(coins, truth):
    """Both signatures are there, nothing is paid yet: the correction makes another revision, and the signatures are dead."""
    round_id, _ = coins.to_verifying(0, 1)
    asked = signed(coins, coins.reto)
    met = coins.race(coins.signing(asked, coins.bea), coins.correcting(round_id, truth))
    assert (met.waited, ends(met)[1]) == (True, "settled")
    paid_for_what_stands(coins, asked, truth)


@pytest.mark.parametrize("truth", TRUTHS.values())
def test_last_signature_that_waits_for_a_correction_is_refused(coins, truth):
    round_id, _ = coins.to_verifying(0, 1)
    asked = signed(coins, coins.reto)
    met = coins.race(coins.correcting(round_id, truth), coins.signing(asked, coins.bea))
    assert (met.waited, ends(met)) == (True, ("settled", "approval.closed"))
    paid_for_what_stands(coins, asked, truth)


@pytest.mark.parametrize("truth", TRUTHS.values())
def test_payment_that_waits_for_a_correction_is_not_made(coins, truth):
    round_id, _ = coins.to_verifying(0, 1)
    asked = signed(coins, coins.reto, coins.bea)
    met = coins.race(coins.correcting(round_id, truth), coins.stepping())
    assert (met.waited, ends(met)[0]) == (True, "settled")
    paid_for_what_stands(coins, asked, truth)


def paid_for_what_stands(hall: Hall, asked: Approval, truth: object) -> None:
    asked.refresh_from_db()
    assert (asked.state, Award.objects.count()) == ("killed", 0)
    hall.advance()
    for claim in Claim.objects.filter(state="open"):
        hall.verify(claim)
    hall.advance()
    assert (
        Split.objects.order_by("-revision")[0].revision == 2 if truth == TRUTHS["none"] else Split.objects.count() >= 2
    )
    assert hall.approve() == "showing"
    boxes = list(Award.objects.order_by("claim__number").values_list("table_id", "box"))
    second = (hall.tables[1].pk, 1)
    assert boxes == ([second] if truth == TRUTHS["none"] else [second, (hall.tables[0].pk, 2)])
    assert breached() == {}


def test_correction_that_waits_for_the_payment_is_late_truth(coins):
    """The share was paid for what stood; the correction is booked, and the award is cancelled by people, if they want."""
    round_id, _ = coins.to_verifying(0, 1)
    signed(coins, coins.reto, coins.bea)
    met = coins.race(coins.stepping(), coins.correcting(round_id, dull()))
    assert (met.waited, met.first, ends(met)[1]) == (True, True, "settled")
    assert (Award.objects.count(), Hit.objects.get().state) == (2, "paid")
    assert set(Claim.objects.values_list("state", flat=True)) == {"verified"}
    slip = Slip.objects.get(award__round_id=round_id)
    by = {**coins.house_id, "slip_id": slip.pk, "person_id": coins.reto.pk, "how": "unpaid", "reason": "no royal flush"}
    with_approval = coins.race(lambda: jackpots.award_cancel_request(**by), lambda: None).first
    coins.sign(with_approval, coins.bea)
    assert breached() == {}


def test_without_the_barrier_a_claim_is_dropped_while_it_is_paid(coins):
    """The control: the payment read a claim that is verified, and the correction drops it before the payment commits."""
    for form in (NO_EXCLUDE, NO_SHARE):
        rewrite(coins.database, *form)
    round_id, _ = coins.to_verifying(0, 1)
    signed(coins, coins.reto, coins.bea)
    met = coins.race(coins.stepping(), coins.correcting(round_id, dull()))
    assert (met.first, Award.objects.filter(claim__state="dropped").count()) == (True, 1)
    assert "winners_are_listed_and_verified" in breached()


def test_claim_is_refused_while_its_payment_waits_for_the_last_signature(coins):
    coins.to_verifying(0, 1)
    asked, claim = signed(coins, coins.reto), Claim.objects.get(number=1)
    met = coins.race(coins.refusing(claim), coins.signing(asked, coins.bea))
    assert (met.waited, ends(met)[1]) == (True, "approval.closed")
    met = coins.race(coins.verifying(claim), coins.stepping())
    assert met.waited
    assert (Award.objects.count(), coins.now().phase) == (0, "verifying")
    assert breached() == {}


# Signatures
def test_same_person_signs_twice_at_once(hall):
    hall.to_verifying(0)
    asked = hall.asked()
    met = hall.race(hall.signing(asked, hall.reto), hall.signing(asked, hall.reto))
    assert (met.waited, ends(met)[1]) == (True, "approval.signed_twice")
    assert (ApprovalSignature.objects.filter(approval=asked).count(), hall.advance()) == (1, "verifying")


def test_two_people_give_the_last_signature_at_once(hall):
    """One is enough to suspend: the second comes to an approval that was used, and nothing is done twice."""
    asked = hall.asked_for("jackpot.suspend", reason="a wrong sum")
    met = hall.race(hall.signing(asked, hall.bea), hall.signing(asked, hall.ines))
    assert (met.waited, met.first.state, ends(met)[1]) == (True, "used", "approval.closed")
    assert hall.now().phase == "suspended"


# Suspension
def test_lock_waits_for_a_suspension(hall):
    asked = hall.asked_for("jackpot.suspend", reason="a wrong sum")
    met = hall.race(hall.signing(asked, hall.bea), hall.locking(0))
    assert (met.waited, ends(met)[1]) == (True, "jackpot.not_open")


def test_suspension_waits_for_a_lock_whose_round_may_still_win(hall):
    asked, round_id = hall.asked_for("jackpot.suspend", reason="a wrong sum"), uuid4()
    met = hall.race(hall.locking(0, round_id), hall.signing(asked, hall.bea))
    assert (met.waited, ends(met)[0], hall.now().phase) == (True, "locked", "suspended")
    hall.end(0, round_id, royal("h"))
    assert (hall.now().phase, hall.now().kept_phase) == ("suspended", "draining")
    assert hall.advance() == "suspended"
    assert (hall.now().kept_phase, breached()) == ("verifying", {})


# The gate
def adjusting(hall: Hall):
    """The signature by which the meter is raised by a franc."""
    return hall.signing(hall.asked_for("jackpot.adjust", amount_minor=100, reason="a fault of the meter"), hall.bea)


def never_opened_by_the_old_gate(hall: Hall) -> None:
    assert hall.advance() == "showing"
    gates = list(Gate.objects.order_by("number").values_list("state", flat=True))
    assert (gates[-2:], GateDisplay.objects.filter(gate__state="open", state="confirmed").count()) == (
        ["lapsed", "open"],
        0,
    )
    assert hall.confirm_all() == "open"
    assert breached() == {}


def test_last_confirmation_comes_while_the_amount_changes(hall):
    hall.to_showing()
    hall.confirm(hall.displays[0])
    met = hall.race(adjusting(hall), hall.confirming(1))
    assert (met.waited, ends(met)[1]) == (True, "gate.version_wrong")
    never_opened_by_the_old_gate(hall)


def test_amount_changes_while_the_last_confirmation_comes(hall):
    hall.to_showing()
    hall.confirm(hall.displays[0])
    met = hall.race(hall.confirming(1), adjusting(hall))
    assert (met.waited, met.first["waiting"]) == (True, 0)
    never_opened_by_the_old_gate(hall)


def test_confirmation_comes_while_a_new_gate_is_made(hall):
    hall.to_showing()
    hall.confirm(hall.displays[0])
    last = hall.confirming(1)
    hall.race(adjusting(hall), lambda: None)
    # What came after the commit may have made the gate already: then the confirmation finds it, as it would here.
    met = hall.race(hall.stepping(), last)
    assert ends(met)[1] == "gate.over"
    never_opened_by_the_old_gate(hall)


def test_amount_changes_while_the_tables_open(hall):
    """They have been opened for what was shown then; an open meter moves with every coin."""
    hall.to_showing()
    hall.confirm(hall.displays[0])
    hall.race(hall.confirming(1), lambda: None)
    met = hall.race(hall.stepping(), adjusting(hall))
    assert (met.waited, met.first, hall.now().phase) == (True, True, "open")
    assert (Gate.objects.get().state, breached()) == ("passed", {})


@pytest.mark.parametrize("found", [True, False])
def test_older_royal_is_found_while_the_tables_open_again(coins, found):
    """A rejected hit's gate is about to be passed when an older round turns out to have won: a new hit, and that gate is dead."""
    older = coins.start(1)
    coins.end(1, older, dull())
    coins.to_rejected()
    for display in coins.displays:
        coins.confirm(display)
    correct, step = coins.correcting(older, royal("d")), coins.stepping()
    met = coins.race(*((correct, step) if found else (step, correct)))
    assert (met.waited, {True, "settled"}) == (True, set(ends(met)))
    assert coins.now().phase == ("verifying" if found else "draining")
    assert Gate.objects.get().state == ("lapsed" if found else "passed")
    assert (Hit.objects.filter(state="rejected").count(), Hit.objects.count(), breached()) == (1, 2, {})


def test_display_is_taken_out_while_it_confirms(hall):
    hall.to_showing()
    hall.confirm(hall.displays[0])
    by = {**hall.house_id, "jackpot_id": hall.jackpot.pk, "display_id": hall.displays[1], "person_id": hall.reto.pk}
    asked = hall.race(lambda: jackpots.display_out_request(**by, reason="it is dark"), lambda: None).first
    met = hall.race(hall.signing(asked, hall.bea), hall.confirming(1))
    assert (met.waited, ends(met)[1]) == (True, "gate.over")
    assert (hall.advance(), breached()) == ("open", {})


# Slips
def paying(hall: Hall, slip: Slip):
    cash = (slip.award.amount_minor + 2) // 5 * 5
    return lambda: jackpots.slip_pay(**hall.house_id, slip_id=slip.pk, actor_id=hall.cage.pk, cash_minor=cash)


def test_two_clerks_pay_one_slip(hall):
    hall.to_showing()
    slip = Slip.objects.get()
    met = hall.race(paying(hall, slip), paying(hall, slip))
    assert (met.waited, met.first.state, ends(met)[1]) == (True, "paid", "slip.state")
    assert breached() == {}


def test_without_the_slips_row_two_clerks_would_pay_it_twice(hall, monkeypatch):
    """The control: behind the row's lock stand the key of the posting and the slip's guard."""
    monkeypatch.setattr(
        slips, "_lock_slip", lambda house_id, slip_id: Slip.objects.select_related("award").get(pk=slip_id)
    )
    hall.to_verifying(0, 1)
    hall.approve()
    netted, harmed = Slip.objects.order_by("number")
    met = hall.race(paying(hall, netted), paying(hall, netted))
    assert (met.first.state, ends(met)[1]) == ("paid", "ledger.key_used")
    with superuser(hall.database) as link:
        link.execute("ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_key_once")
        link.execute("ALTER TABLE payouts_account DROP CONSTRAINT account_on_its_side")
    met = hall.race(paying(hall, harmed), paying(hall, harmed))
    assert met.second.__cause__.diag.constraint_name == "slip_guard"


def test_slip_is_cancelled_while_it_is_paid(hall):
    hall.to_showing()
    slip = Slip.objects.get()
    by = {**hall.house_id, "slip_id": slip.pk, "person_id": hall.reto.pk, "how": "unpaid", "reason": "the wrong box"}
    asked = hall.race(lambda: jackpots.award_cancel_request(**by), lambda: None).first
    met = hall.race(paying(hall, slip), hall.signing(asked, hall.bea))
    assert (met.waited, met.first.state, ends(met)[1]) == (True, "paid", "slip.state")
    slip.refresh_from_db()
    assert (slip.state, breached()) == ("paid", {})


def two_signed_payments(hall: Hall):
    """Steps that pay hits of two jackpots of the house."""
    second = second_jackpot(hall.house)
    at = {**hall.house_id, "table_id": hall.tables[2].pk, "actor_id": hall.tim.pk}
    done(table_link, **at, jackpot_id=second.pk)
    hall.hang("Entrance", second)
    other = copy.copy(hall)
    other.jackpot = second
    for here, table in ((hall, 0), (other, 2)):
        here.to_verifying(table)
        asked = Approval.objects.get(action="jackpot.award", subject_id=str(here.now().hit_id))
        for person in (hall.reto, hall.bea):
            hall.race(hall.signing(asked, person), lambda: None)
    return hall.stepping(), other.stepping()


def test_two_jackpots_number_their_slips_one_after_the_other(hall):
    """The second waits at what the house owes, before it comes to the lock of the numbers."""
    met = hall.race(*two_signed_payments(hall))
    assert (met.waited, met.first, met.second) == (True, True, True)
    assert list(Slip.objects.order_by("number").values_list("number", flat=True)) == [1, 2]
    assert breached() == {}


# Sessions of displays
def speaking(hall: Hall, session: object):
    ids = {**hall.house_id, "jackpot_id": hall.jackpot.pk, "display_id": hall.displays[0], "session_id": session}
    return lambda: jackpots.display_heard(**ids)


def test_one_of_two_sessions_becomes_a_displays_live_one(hall):
    one, two = uuid4(), uuid4()
    met = hall.race(speaking(hall, one), speaking(hall, two))
    assert (met.waited, ends(met)[1]) == (True, "display.session_taken")
    assert DisplaySession.objects.get().session_id == one


def test_one_of_two_sessions_takes_a_silent_ones_place(hall):
    silent, one, two = uuid4(), uuid4(), uuid4()
    hall.race(speaking(hall, silent), lambda: None)
    with superuser(hall.database) as link:
        link.execute("UPDATE jackpot_displaysession SET seen_at = now() - interval '7 s'")
    met = hall.race(speaking(hall, one), speaking(hall, two))
    assert (met.waited, ends(met)[1]) == (True, "display.session_taken")
    assert DisplaySession.objects.get().session_id == one
