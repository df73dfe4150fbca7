"""What the pit records of a round besides its result (BJ-11, BJ-12): what went wrong, and what management decides."""

import re
from uuid import UUID

from payouts.models import Approval
from tables.models import Irregularity, Override, RoundLine
from tables.services import round_correction_request, round_evaluate
from tests.casino.people import people
from tests.casino.pit.differences import signed_lines
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.floor import done, stakes_for, taps
from tests.worlds import world

LOST = taps(b1={"play": 4, "result": "lose"})


pytestmark = world(FloorDesk)


def locked(desk: FloorDesk) -> str:
    return desk.lock(stakes_for(desk.open()[:1]))["id"]


def test_irregularity_is_recorded_and_stands_on_both_pages(desk):
    """BJ-11, BJ-12: who, when and why, for the floor and the auditor; the pit records of an ended round too."""
    round_id = locked(desk)
    page = desk.get("boss", f"rounds/{round_id}/")
    assert '<optgroup label="Misdeal">' in page
    assert 'value="cards_exposed:burnt"' in page
    assert "bank_surplus" not in page  # of another game
    where = f"rounds/{round_id}/irregularity/"
    exposed = {"what": "cards_exposed:burnt", "box": 1, "card": "Ah", "reason": "fell from the shoe"}
    desk.post("boss", where, **exposed)
    desk.settle(round_id, LOST)
    desk.post("boss", where, what="technical:play_on", reason="shuffler stood still")
    audit = desk.clients["auditor"].get(f"/audit/rounds/{round_id}/", headers={"accept-language": "en"})
    for said in (words(desk.get("watch", f"rounds/{round_id}/")), words(audit.content.decode())):
        for text in (
            "Cards exposed: card burnt BJ-12 Box 1 A Ace of hearts fell from the shoe",
            "Technical fault: the round goes on BJ-12 shuffler stood still",
            desk.people["boss"].full_name,
        ):
            assert text in said, text
    assert "Record an irregularity" not in desk.get("watch", f"rounds/{round_id}/")


def test_irregularity_is_refused_beside_its_form(desk):
    round_id = locked(desk)
    where = f"rounds/{round_id}/irregularity/"
    page = desk.post("boss", where, REFUSED, what="cards_exposed:burnt", box=5, reason="fell from the shoe")
    assert "This is recorded with a box that plays." in words(page)
    assert 'value="fell from the shoe"' in page
    for fields in ({"what": ""}, {"what": "misdeal:kept"}, {"what": "misdeal:void", "box": "x"}):
        desk.post("boss", where, REFUSED, **{"reason": "dealt twice"} | fields)
    desk.post("watch", where, 403, what="misdeal:void", reason="dealt twice")
    assert not Irregularity.objects.exists()


def test_override_is_asked_for_signed_and_shown(desk):
    """BJ-12: what the rules give, what is paid besides, by whose signature; for the floor and the auditor."""
    round_id = locked(desk)
    assert "Decide against the rules" not in desk.get("boss", f"rounds/{round_id}/")  # it runs
    desk.settle(round_id, LOST)
    page = desk.get("boss", f"rounds/{round_id}/")
    guest = RoundLine.objects.filter(round_id=round_id)[0].guest_id
    assert f'<option value="1:{guest}">Box 1, Guest 1</option>' in page
    where, whose = f"rounds/{round_id}/override/", {"whose": f"1:{guest}", "reason": "dealer's mistake"}
    for wrong in (
        {"amount": "nothing"},
        {"amount": "-5"},
        {"amount": "5", "whose": "1"},
        {"amount": "5", "reason": ""},
    ):
        desk.post("boss", where, REFUSED, **whose | wrong)
    desk.post("watch", where, 403, **whose, amount="20")
    desk.post("boss", where, **whose, amount="20.00")
    asked = Approval.objects.get(action="round.override")
    assert "To be signed (1)" in words(desk.get("second"))
    said = words(desk.get("second", f"rounds/{round_id}/"))
    assert "Override to be signed" in said
    assert signed_lines(desk.get("second", f"rounds/{round_id}/")) == ["Box 1 · Guest 1: CHF 0.00 → CHF 20.00, +20.00"]
    fields = {"approval": asked.pk, "seen": bytes(asked.payload_hash).hex()}
    desk.post("boss", f"rounds/{round_id}/sign/", REFUSED, **fields, secret=people.code(desk.people["boss"]))
    desk.post("second", f"rounds/{round_id}/sign/", **fields, secret=people.code(desk.people["second"]))
    assert Override.objects.get().amount_minor == 2_000
    audit = desk.clients["auditor"].get(f"/audit/rounds/{round_id}/", headers={"accept-language": "en"})
    for said in (words(desk.get("watch", f"rounds/{round_id}/")), words(audit.content.decode())):
        told = (
            "Box 1, Guest 1 BJ-12 By the rules: CHF 0.00 · Paid besides: CHF 20.00 · revision 1 dealer&#x27;s mistake"
        )
        assert f"Decided by management {told}" in re.sub("[0-9]{2}:[0-9]{2}:[0-9]{2} ", "", said)
        assert desk.people["boss"].full_name in said
    ids = {"house_id": desk.house.pk, "round_id": UUID(round_id)}
    prepared = round_evaluate(**ids, result=taps(b1={"play": 4, "result": "win", "hand": "flush"}), state="settled")
    asks = {"prepared": prepared, "person_id": desk.martina.pk, "reason": "mistyped"}
    done(round_correction_request, **asks)
    besides = "Management has paid CHF 20.00 besides, box 1, Guest 1. It stays paid."
    assert besides in words(desk.get("second", f"rounds/{round_id}/"))
