"""Management decides against the rules (BJ-12): asked for, signed by another person, paid beside the result, at every game."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, transaction

from payouts.errors import Refused
from payouts.models import Approval, Entry, Event, Transfer
from payouts.rules.approval import DEFAULT_MATRIX, ApprovalNeed
from payouts.selectors import transfer_is_free
from tables import services
from tables.models import Guest, Override
from tables.selectors.rounds import round_answer
from tests.blackjack import Blackjack, hands
from tests.floor import done, stakes_for, taps
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(Blackjack)


def refused(work: Any, **values: Any) -> Refused:
    """What a command refuses; nothing is posted."""
    before = Entry.objects.count()
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(**values)
    assert Entry.objects.count() == before
    return refusal.value


def asking(floor: Blackjack, of_round: UUID, guest: Guest, **changes: Any) -> dict[str, Any]:
    values = {"house_id": floor.house.pk, "round_id": of_round, "person_id": floor.reto.pk, "box": 1}
    return values | {"guest_id": guest.pk, "amount_minor": 20_000, "reason": "seen on camera 4"} | changes


def signing(floor: Blackjack, asked: Approval, **changes: Any) -> dict[str, Any]:
    by = {"signer_id": floor.ines.pk, "signer_roles": ["manager"], "method": "totp"}
    return {"approval_id": asked.pk, "house_id": floor.house.pk, "payload_hash": asked.payload_hash} | by | changes


def lost(floor: Blackjack) -> tuple[UUID, Guest]:
    """A round of Black Jack that a guest has lost CHF 100 in."""
    guest = floor.guest(1)
    round_id = floor.lay((guest, 1, 100))
    floor.settle(round_id, {"bank": "20", "boxes": hands(b1=["lose"])})
    return round_id, guest


def test_it_is_paid_beside_the_result_once_another_person_has_signed(floor):
    """BJ-12: what the rules gave stands in the record, what is decided instead in the books by itself."""
    round_id, guest = lost(floor)
    accounts = ("layout", "table_win", "tray", "circulation", "chips_outside")
    before = {kind: floor.balance(kind) for kind in accounts}
    asked = done(services.override_request, **asking(floor, round_id, guest))
    assert not Override.objects.exists()
    assert done(services.override_sign, **signing(floor, asked)).state == "used"
    moved = {kind: floor.balance(kind) - before[kind] for kind in accounts}
    assert moved == {"layout": 0, "table_win": 20_000, "tray": -20_000, "circulation": -20_000, "chips_outside": 20_000}
    row = Override.objects.get()
    assert (row.round_id, row.revision, row.box, row.guest, row.rules_minor) == (round_id, 1, 1, guest, 0)
    assert (row.amount_minor, row.reason, row.requested_by) == (20_000, "seen on camera 4", floor.reto)
    assert (row.approval_id, row.transfer.key) == (asked.pk, f"override:{asked.pk}")
    event = Event.objects.get(name="round.overridden")
    after = {"box": 1, "guest": str(guest.pk), "rules_minor": 0, "amount_minor": 20_000}
    assert (event.subject_id, event.actor_id, event.after) == (str(round_id), floor.ines.pk, after)
    assert event.reason == "seen on camera 4"
    assert breached_here() == {}


def test_a_later_correction_is_signed_with_what_was_paid_besides(floor):
    """BJ-12: whoever signs sees it; where more is paid meanwhile, it is another correction."""
    round_id, guest = lost(floor)
    done(services.override_sign, **signing(floor, done(services.override_request, **asking(floor, round_id, guest))))
    won = {"bank": "20", "boxes": hands(b1=["win"])}
    ids = {"house_id": floor.house.pk, "round_id": round_id}
    prepared = services.round_evaluate(**ids, result=won, state="settled")
    about = {"prepared": prepared, "person_id": floor.martina.pk, "reason": "mistyped"}
    approval = done(services.round_correction_request, **about)
    assert approval.payload["overridden"] == [[1, str(guest.pk), 20_000]]


def test_at_ultimate_texas_holdem_too(floor):
    """BJ-12: so at poker and UTH; what the result gave counts all lines of the guest on the box."""
    guests = floor.open(floor.table)
    round_id = UUID(floor.lock(stakes_for(guests[:2]))["id"])
    floor.settle(round_id, taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"}))
    asked = done(services.override_request, **asking(floor, round_id, guests[0], amount_minor=500))
    done(services.override_sign, **signing(floor, asked))
    lines = round_answer(house_id=floor.house.pk, round_id=round_id)["lines"]
    paid = sum(one["paid_minor"] for one in lines if one["box"] == 1)
    assert paid > 0
    assert Override.objects.get().rules_minor == paid
    assert breached_here() == {}


def test_who_signs_is_another_one_who_has_not_dealt(floor):
    """The matrix of the house asks for one signature of pit boss or manager, by the authenticator."""
    assert DEFAULT_MATRIX["round.override"] == ApprovalNeed(1, ("pit_boss", "manager"))
    round_id, guest = lost(floor)
    asked = done(services.override_request, **asking(floor, round_id, guest))
    assert floor.martina.pk in asked.excluded
    wrong: dict[str, dict[str, Any]] = {
        "approval.signer_refused": {"signer_id": floor.reto.pk},
        "approval.proof_refused": {"method": "pin"},
        "approval.changed": {"payload_hash": b"0" * 32},
        "approval.unknown": {"approval_id": uuid4()},
    }
    assert {
        code: refused(services.override_sign, **signing(floor, asked, **one)).code for code, one in wrong.items()
    } == {code: code for code in wrong}
    done(services.override_sign, **signing(floor, asked))
    assert refused(services.override_sign, **signing(floor, asked)).code == "approval.closed"
    assert Override.objects.count() == 1


def test_what_may_not_be_asked_for(floor):
    round_id, guest = lost(floor)
    running = floor.lay((guest, 1, 100))
    wrong: dict[str, list[dict[str, Any]]] = {
        "round.unknown": [{"round_id": uuid4()}, {"house_id": uuid4()}],
        "round.state_refused": [{"round_id": running}],
        "override.stakeless": [{"box": 2}, {"guest_id": floor.guest(2).pk}],
        "ledger.amount": [{"amount_minor": 0}, {"amount_minor": -5}, {"amount_minor": "5"}],
        "text.refused": [{"reason": ""}],
    }
    codes = {
        code: [refused(services.override_request, **asking(floor, round_id, guest, **one)).code for one in every]
        for code, every in wrong.items()
    }
    assert codes == {code: [code] * len(every) for code, every in wrong.items()}
    done(services.override_request, **asking(floor, round_id, guest))
    again = refused(services.override_request, **asking(floor, round_id, guest))
    assert (again.code, again.rule) == ("override.waits", "BJ-12")


def test_correction_outdates_what_was_asked_for(floor):
    """It was about the result that goes: asked for anew, it is signed by the new one."""
    round_id, guest = lost(floor)
    asked = done(services.override_request, **asking(floor, round_id, guest))
    floor.correct(round_id, {"bank": "20", "boxes": hands(b1=["push"])})
    assert Approval.objects.get(pk=asked.pk).state == "killed"
    assert refused(services.override_sign, **signing(floor, asked)).code == "approval.closed"
    anew = done(services.override_request, **asking(floor, round_id, guest))
    done(services.override_sign, **signing(floor, anew))
    assert (Override.objects.get().revision, Override.objects.get().rules_minor) == (2, 10_000)
    assert breached_here() == {}


def test_record_and_posting_stay(floor):
    """BJ-12: final; its transfer is part of the record and is not taken back by itself."""
    round_id, guest = lost(floor)
    done(services.override_sign, **signing(floor, done(services.override_request, **asking(floor, round_id, guest))))
    for change in (lambda rows: rows.update(amount_minor=1), lambda rows: rows.delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            change(Override.objects.all())
    assert not transfer_is_free(Transfer.objects.get(kind="override"))


def test_who_was_paid_against_the_rules_is_not_paid_again_by_a_correction_alone(floor):
    """The croupier may still put the round right, and has to ask: who signs sees what was paid beside it."""
    round_id, guest = lost(floor)
    done(services.override_sign, **signing(floor, done(services.override_request, **asking(floor, round_id, guest))))
    result = {"bank": "20", "boxes": hands(b1=["push"])}
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=result, state="settled")
    alone = {"prepared": prepared, "person_id": floor.martina.pk, "reason": "mistyped"}
    found = refused(services.round_correct, **alone)
    assert (found.code, found.data["why"]) == (
        "round.approval_needed",
        "a guest was paid against the rules for it already",
    )
