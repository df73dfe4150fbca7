"""Management pays a guest for a pot that cannot be got back (POK-9): asked for, signed by another person, paid from the tray."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import uuid4

from payouts.models import Approval, Event, Transfer
from payouts.rules.approval import DEFAULT_MATRIX, ApprovalNeed
from payouts.selectors import transfer_is_free
from tables import services
from tables.models import Hand, HandOverride
from tests.floor import done
from tests.poker import of_hand
from tests.tables.audits import breached_here
from tests.tables.test_pots import BETS, Potted, refused
from tests.worlds import world

pytestmark = world(Potted)


def pushed(floor: Potted) -> Hand:
    """A main pot of 245.00 without its fee went to seats 3 and 7, the side pot of 90.00 to seat 7, nothing to seat 5."""
    return floor.end(floor.entry(*BETS, winners=[[3, 7], [7]]))


def asking(floor: Potted, hand: Hand, seat: int, amount_minor: Any, **values: Any) -> dict[str, Any]:
    stays = dict(hand.seats.values_list("seat", "stay_id"))
    ids = {"house_id": floor.house.pk, "hand_id": hand.pk, "person_id": floor.reto.pk, "revision": hand.revision}
    more = {"stay_id": stays[seat], "amount_minor": amount_minor, "reason": "pushed to the wrong seat"}
    return ids | more | values


def signing(floor: Potted, approval: Approval, **values: Any) -> dict[str, Any]:
    by = {"signer_id": floor.ines.pk, "signer_roles": ["manager"], "method": "pin"}
    return {"approval_id": approval.pk, "house_id": floor.house.pk, "payload_hash": approval.payload_hash} | by | values


def paid(floor: Potted, hand: Hand, seat: int, amount_minor: int) -> Approval:
    approval: Approval = done(services.hand_override_request, **asking(floor, hand, seat, amount_minor))
    done(services.hand_override_sign, **signing(floor, approval))
    return approval


def test_POK_9_after_claim_late_only_management_pays_from_the_tray(floor: Potted) -> None:
    """What the hand gave stands, in the record and on the stacks; also once the table has closed, on the hand's gaming day."""
    moved = {"entry": floor.entry(*BETS, winners=[[5], [5]]), "correction": "award_moved"}
    hand = pushed(floor)
    floor.end(floor.entry(*BETS[:1], winners=[[5]]))
    assert refused(of_hand, floor, hand, "hand_correct", **moved)[0] == "poker.claim_late"
    for stay, seat_minor in zip(floor.stays, (floor.stacks()[seat] for seat in (3, 5, 7)), strict=True):
        floor.of(stay, "stay_leave", counted_minor=seat_minor)
    floor.at_table("table_close")
    before = floor.balances()
    approval = paid(floor, hand, 5, 335_00)
    moves = {kind: minor - before.get(kind, 0) for kind, minor in floor.balances().items()}
    assert {kind: minor for kind, minor in moves.items() if minor} == {
        "house_fault": 335_00,
        "circulation": -335_00,
        "chips_outside": 335_00,
        "tray": -335_00,
    }
    row = HandOverride.objects.get()
    assert (row.hand, row.revision, row.seat, row.stay, row.won_minor, row.amount_minor) == (
        *(hand, 1, 5, floor.stays[1], 0, 335_00),
    )
    assert (row.reason, row.requested_by, row.approval_id) == ("pushed to the wrong seat", floor.reto, approval.pk)
    assert (row.transfer.key, row.transfer.gaming_day) == (f"fault:{approval.pk}", hand.session.gaming_day)
    assert not transfer_is_free(row.transfer)
    event = Event.objects.get(name="hand.overridden")
    after = {"seat": 5, "stay": str(floor.stays[1].pk), "won_minor": 0, "amount_minor": 335_00}
    assert (event.subject_id, event.actor_id, event.after) == (str(hand.pk), floor.ines.pk, after)
    assert breached_here() == {}


def test_POK_9_nobody_is_paid_more_than_the_pots_that_the_seat_was_in_have_for_it(floor: Potted) -> None:
    """Pots less their fee, less what it won and was paid already: seat 3 was in the main pot alone, and won 123.00 of it."""
    hand = pushed(floor)
    for seat, most_minor in ((3, 122_00), (5, 335_00), (7, 123_00)):
        data = {"seat": seat, "most_minor": most_minor, "amount_minor": most_minor + 1_00}
        above = asking(floor, hand, seat, most_minor + 1_00)
        assert refused(services.hand_override_request, **above) == ("poker.override_above", data)
    paid(floor, hand, 3, 100_00)
    data = {"seat": 3, "most_minor": 22_00, "amount_minor": 23_00}
    assert refused(services.hand_override_request, **asking(floor, hand, 3, 23_00)) == ("poker.override_above", data)
    paid(floor, hand, 3, 22_00)
    assert Transfer.objects.filter(kind="pay_for_fault").count() == 2
    assert breached_here() == {}


def test_POK_9_what_may_not_be_asked_for_or_signed(floor: Potted) -> None:
    assert DEFAULT_MATRIX["poker.override"] == ApprovalNeed(1, ("pit_boss", "manager"), "pin")
    hand = pushed(floor)
    refusals: dict[str, list[dict[str, Any]]] = {
        "poker.hand_unknown": [{"hand_id": uuid4()}, {"house_id": uuid4()}],
        "poker.revision_old": [{"revision": 2}],
        "poker.not_in_hand": [{"stay_id": uuid4()}],
        "poker.amount_refused": [{"amount_minor": amount} for amount in (0, -5, "5", 10**18)],
        "poker.off_chip": [{"amount_minor": 50}],
        "text.refused": [{"reason": ""}],
    }
    codes = {
        code: [refused(services.hand_override_request, **asking(floor, hand, 5, 10_00) | values)[0] for values in every]
        for code, every in refusals.items()
    }
    assert codes == {code: [code] * len(every) for code, every in refusals.items()}
    approval = done(services.hand_override_request, **asking(floor, hand, 5, 10_00))
    assert refused(services.hand_override_request, **asking(floor, hand, 3, 10_00))[0] == "poker.request_waits"
    assert floor.martina.pk in approval.excluded
    unsigned: dict[str, dict[str, Any]] = {
        "approval.signer_refused": {"signer_id": floor.reto.pk},
        "approval.proof_refused": {"method": "totp"},
        "approval.changed": {"payload_hash": b"0" * 32},
        "approval.unknown": {"approval_id": uuid4()},
    }
    assert {
        code: refused(services.hand_override_sign, **signing(floor, approval, **values))[0]
        for code, values in unsigned.items()
    } == {code: code for code in unsigned}
    done(services.hand_override_sign, **signing(floor, approval))
    assert refused(services.hand_override_sign, **signing(floor, approval))[0] == "approval.closed"
    assert HandOverride.objects.count() == 1


def test_POK_9_a_correction_outdates_what_was_asked_for_and_is_signed_with_what_was_paid(floor: Potted) -> None:
    """Who was paid is not paid again by a correction of one person alone."""
    other, right = (floor.entry(*BETS, winners=[[seat], [seat]]) for seat in (7, 5))
    hand = pushed(floor)
    approval = done(services.hand_override_request, **asking(floor, hand, 5, 10_00))
    hand = of_hand(floor, hand, "hand_correct", entry=other)
    assert Approval.objects.get(pk=approval.pk).state == "killed"
    paid(floor, hand, 5, 10_00)
    assert refused(of_hand, floor, hand, "hand_correct", entry=right) == (
        "poker.approval_needed",
        {"why": "a guest was paid against the rules for it already"},
    )
    payload = of_hand(floor, hand, "hand_correction_request", entry=right).payload
    assert (payload["revision"], payload["overridden"]) == (2, [[5, 10_00]])
