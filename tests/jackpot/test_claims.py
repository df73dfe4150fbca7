"""Claims of one hit: which rounds may claim, and how they join (PRG-7, PRG-8)."""

import pytest

from jackpot.models import Award, Claim
from payouts.rules.approval import ApprovalChanged
from tables import services
from tests.floor import done
from tests.jackpot.linked import Linked, dull, royal
from tests.tables.audits import breached_here
from tests.worlds import world


@world(Linked)
def test_older_round_that_is_put_right_and_the_running_one_of_its_table_both_win(floor: Linked) -> None:
    """The correction begins the hit; the round that runs at the same table meanwhile is listed as any other."""
    older = floor.start(0)
    floor.end(0, older, dull())
    newer = floor.start(0)
    correct(floor, older, royal("h"))
    assert floor.now().phase == "draining"
    floor.end(0, newer, royal("h"))
    assert floor.advance() == "verifying"
    claims = Claim.objects.order_by("number").values_list("round_id", "origin", "state")
    assert list(claims) == [(older, "corrected", "open"), (newer, "settled", "open")]
    floor.verify_all()
    assert floor.approve() == "showing"
    assert Award.objects.count() == 2
    assert breached_here() == {}


@world(Linked)
def test_prg3_a_void_that_was_signed_before_the_call_drops_no_claim(floor: Linked) -> None:
    """What was looked at then claimed nothing, and whoever called could have signed."""
    round_id = floor.start(0)
    values = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.reto.pk, "reason": "misdeal"}
    before = done(services.round_void_request, **values)
    floor.sign_plainly(before, floor.ines)
    floor.call(0, round_id)
    with pytest.raises(ApprovalChanged):
        floor.void(round_id, approval_id=before.pk)
    assert Claim.objects.get().state == "called"
    after = done(services.round_void_request, **values)
    about = {"table": str(floor.tables[0].pk), "round": str(round_id), "feed": None, "stakes_minor": 6_500}
    assert (before.payload, after.payload) == (
        about | {"hit": None, "claim": None, "reason": "misdeal"},
        about | {"hit": 1, "claim": 1, "reason": "misdeal"},
    )
    floor.sign_plainly(after, floor.ines)
    assert floor.void(round_id, approval_id=after.pk)["state"] == "voided"
    assert Claim.objects.get().state == "dropped"


def correct(floor: Linked, round_id: object, result: object) -> None:
    """A croupier who does not deal asks for a correction, a manager signs it: neither decides about its claim."""
    values = {"house_id": floor.house.pk, "round_id": round_id, "result": result, "state": "settled"}
    by = {"person_id": floor.nora.pk, "reason": "seen on camera"}
    asked = done(services.round_correction_request, prepared=services.round_evaluate(**values), **by)
    floor.sign_plainly(asked, floor.ines)
    done(services.round_correct, prepared=services.round_evaluate(**values), approval_id=asked.pk, **by)
