"""A clock that is set back, as after a fail-over to a server that is behind: what is newest, counters and the log tell."""

from uuid import uuid4

from jackpot import services as jackpots
from jackpot.models import Claim, DisplaySession, WaitingPrize
from payouts.models import Approval
from tests.clock import clock_jumps
from tests.floor import done
from tests.jackpot.linked import CHECKLIST, Linked, dull, royal
from tests.jackpot.lived import four_of_a_kind
from tests.jackpot.test_prizes import approved_correction
from tests.jackpot.test_prizes_again import ask, cancelled, owed
from tests.jackpot.test_review import shift
from tests.jackpot.test_review_late import OfMeter, replayed
from tests.tables.audits import disagreeing
from tests.worlds import world


@world(Linked)
def test_a_payment_that_is_asked_for_is_not_asked_for_again_and_again(floor: Linked, own_database: str) -> None:
    """The request that was killed before lies ahead, and is not the newest: nobody could ever sign one that lives for a moment."""
    floor.end(0, floor.start(0), royal("h"))
    floor.advance()
    floor.verify_all()
    clock_jumps(-3600)
    floor.verify(Claim.objects.get(), CHECKLIST | {"deck_counted": "52, by N. Good"})
    floor.advance()
    asked = floor.asked()
    assert floor.advance() == "verifying"
    assert floor.asked() == asked
    assert floor.approve() == "showing"


def test_nor_is_a_prize(own_database: str) -> None:
    owed()
    [prize] = WaitingPrize.objects.all()
    first = Approval.objects.get(state="open")
    clock_jumps(-3600)
    shift(first, expires_at="- interval '3 hours'")
    jackpots.prize_ask_again(prize.pk)
    assert jackpots.prizes_unasked() == []
    assert [one.state for one in Approval.objects.filter(action="jackpot.prize").order_by("state")] == [
        "killed",
        "open",
    ]


def test_a_prize_that_is_asked_for_again_waits(own_database: str) -> None:
    """Its award, whose slip was cancelled, lies ahead of the request."""
    floor, _ = owed()
    floor.sign(floor.asked("jackpot.prize"), floor.bea)
    cancelled(floor)
    clock_jumps(-3600)
    ask(floor, floor.ines)
    assert disagreeing() == []


@world(OfMeter)
def test_a_correction_after_the_reset_is_the_houses(floor: OfMeter, own_database: str) -> None:
    """The payment of the meter lies ahead of it (PRG-5)."""
    wrong = floor.start(0)
    floor.end(0, wrong, dull())
    floor.win(1)
    clock_jumps(-3600)
    approved_correction(floor, wrong, four_of_a_kind())
    assert replayed() == {}


@world(Linked)
def test_a_display_that_was_loaded_anew_speaks_at_once(floor: Linked, own_database: str) -> None:
    """The last sign of life of the page before lies ahead: nobody waits for an hour until it is old."""
    display, page = floor.displays[0], uuid4()
    floor.heard(display)
    clock_jumps(-3600)
    where = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "display_id": display}
    done(jackpots.display_heard, **where, session_id=page)
    assert DisplaySession.objects.get(display_id=display).session_id == page
