"""Bad input about jackpots: a refusal with its code, its rule and a sentence, nothing written; what is repeated is done once."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from casino.devices.services import device_revoke
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from jackpot import services as jackpots
from jackpot.models import Claim
from jackpot.services.prizes import prize_request
from payouts.models import Approval
from payouts.services import approval_reject, approval_sign
from tables import services
from tests.casino.api import royals
from tests.casino.api.bad import Sent, refused
from tests.casino.api.callers import NO_ID, Caller
from tests.casino.api.ground import Ground, everything, undone
from tests.casino.api.test_walk import cash
from tests.casino.devices.devices import PIN
from tests.casino.people import people
from tests.cast import make_person
from tests.floor import done, second_jackpot, taps
from tests.jackpot.linked import CHECKLIST, royal
from tests.turns import each

FOLDS = taps(b1={"result": "fold"}, b2={"result": "fold"})
WHY = {"reason": "seen on camera 4"}


def own(ground: Ground, rest: str = "") -> str:
    return f"jackpots/{ground.floor.jackpot.pk}/{rest}"


def display(ground: Ground, display_id: object, command: str) -> str:
    return own(ground, f"displays/{display_id}/{command}/")


def person_of(caller: Caller) -> Person:
    return Person.objects.get(pk=caller.client.session["_auth_user_id"])


def signs(caller: Caller, asked: Approval) -> Sent:
    """The person at the office signs what he sees."""
    proof = {"payload_hash": bytes(asked.payload_hash).hex(), "secret": people.code(person_of(caller))}
    return Sent(caller, f"approvals/{asked.pk}/sign/", proof)


def awaited(ground: Ground) -> Approval:
    """The payment of the hit at the second jackpot, asked for."""
    ids = {"house_id": ground.house.pk, "claim_id": ground.claim_other.pk, "person_id": ground.floor.reto.pk}
    done(jackpots.claim_verify, **ids, checklist=CHECKLIST)
    jackpots.jackpot_advance(jackpot_id=ground.second.pk)
    return Approval.objects.get(house=ground.house, action="jackpot.award", state="open")


def revoked_display(ground: Ground) -> Sent:
    """One that was taken out of service can never confirm a value."""
    device_revoke(device_id=ground.spare.pk, reason="broken", by=Person.objects.get(pk=ground.floor.tim.pk))
    return requires(lambda _ground: ground.spare.pk)(ground)


def second_call(ground: Ground) -> Sent:
    where = {"house_id": ground.house.pk, "round_id": ground.floor.locked, "person_id": ground.floor.martina.pk}
    done(services.round_call, **where)
    return Sent(ground.tablet, f"rounds/{ground.floor.locked}/call/")


def played(ground: Ground, **changes: Any) -> UUID:
    """The running round is settled, and another one runs at the linked table."""
    ground.floor.settle(ground.floor.locked, FOLDS)
    return ground.floor.play(**changes)


def not_listed(ground: Ground) -> Sent:
    """A round that had ended when the hit began, corrected to a royal flush by an approval."""
    ended, running = ground.floor.locked, played(ground, coins=1)
    where = {"house_id": ground.house.pk, "round_id": running, "person_id": ground.floor.martina.pk}
    done(services.round_call, **where)
    values = {"house_id": ground.house.pk, "round_id": ended, "result": royal("h"), "state": "settled"}
    ask = {"person_id": person_of(ground.boss).pk, "reason": "seen on camera 4"}
    asked = done(services.round_correction_request, prepared=services.round_evaluate(**values), **ask)
    sign = {"approval_id": asked.pk, "house_id": ground.house.pk, "payload_hash": bytes(asked.payload_hash)}
    ines = ground.floor.ines
    done(approval_sign, **sign, signer_id=ines.pk, signer_roles=ines.roles, method=asked.method)
    return Sent(ground.boss, f"rounds/{ended}/correct/", {"result": royal("h"), **WHY, "approval": str(asked.pk)})


def own_request(ground: Ground) -> Sent:
    person = person_of(ground.boss)
    ids = {"house_id": ground.house.pk, "jackpot_id": ground.second.pk, "person_id": person.pk}
    return signs(ground.boss, done(jackpots.jackpot_request, **ids, action="jackpot.suspend", payload=WHY))


def signed_twice(ground: Ground) -> Sent:
    asked = awaited(ground)
    royals.signed(asked, person_of(ground.boss))
    return signs(ground.boss, asked)


def old_revision(ground: Ground) -> Sent:
    """It was asked for, then a claim was looked at again."""
    asked = awaited(ground)
    ids = {"house_id": ground.house.pk, "claim_id": ground.claim_other.pk, "person_id": ground.floor.reto.pk}
    done(jackpots.claim_verify, **ids, checklist=CHECKLIST | {"deck_counted": "52, by N. Good"})
    return signs(ground.boss, asked)


def other_payload(ground: Ground) -> Sent:
    sent = signs(ground.boss, awaited(ground))
    return Sent(sent.who, sent.path, sent.body | {"payload_hash": "0" * 64})


def dealer(ground: Ground) -> Caller:
    """Who dealt the claiming table of the second jackpot is a pit boss too."""
    dora = Claim.objects.get(pk=ground.claim_other.pk).dealers[0]
    Person.objects.filter(pk=dora).update(roles=["croupier", "pit_boss"])
    person = Person.objects.get(pk=dora)
    Authenticator.objects.create(user=person, name="authenticator", confirmed=True)
    return Caller(people.signed_in(person))


def paid_before(ground: Ground) -> Sent:
    ids = {"house_id": ground.house.pk, "slip_id": ground.slip.pk, "actor_id": person_of(ground.offices["cage"]).pk}
    done(jackpots.slip_pay, **ids, cash_minor=cash(ground.slip))
    return Sent(
        ground.offices["cage"], f"slips/{ground.slip.pk}/pay/", {"cash_minor": cash(ground.slip), "secret": PIN}
    )


def last_display(ground: Ground) -> Sent:
    """Its tables would wait for none."""
    ids = {"house_id": ground.house.pk, "jackpot_id": ground.second.pk, "person_id": ground.floor.reto.pk}
    return signs(ground.boss, done(jackpots.display_out_request, **ids, display_id=ground.display_other.pk, **WHY))


def verifies(checklist: Any) -> Callable[[Ground], Sent]:
    return lambda g: Sent(g.boss, f"claims/{g.claim_other.pk}/verify/", {"checklist": checklist})


def adjusts(amount: Any) -> Callable[[Ground], Sent]:
    return lambda g: Sent(g.boss, own(g, "adjust-request/"), {"amount_minor": amount, **WHY})


def requires(display_id: Callable[[Ground], object]) -> Callable[[Ground], Sent]:
    return lambda g: Sent(g.technician, own(g, "displays/"), {"display": str(display_id(g))})


BAD: dict[str, tuple[Callable[[Ground], Sent], int, str, str | None]] = {
    "a second claim at one table": (second_call, 409, "jackpot.second_call", "PRG-7"),
    "a claim without a coin": (
        lambda g: Sent(g.tablet, f"rounds/{played(g)}/call/"),
        422,
        "jackpot.call_without_coin",
        "PRG-13",
    ),
    "a claim of a round that is not listed": (not_listed, 409, "jackpot.not_listed", "PRG-8"),
    "a claim of an ended round": (
        lambda g: Sent(g.tablet, f"rounds/{g.floor.voided}/call/"),
        409,
        "round.state_refused",
        None,
    ),
    "a call at a table without a jackpot": (
        lambda g: Sent(g.foreign_boss, f"rounds/{g.foreign.locked}/call/"),
        409,
        "jackpot.call_not_running",
        "PRG-3",
    ),
    "a call by another croupier": (
        lambda g: Sent(g.other, f"rounds/{g.floor.locked}/call/"),
        404,
        "round.unknown",
        None,
    ),
    "one's own request signed": (own_request, 403, "approval.signer_refused", None),
    "signed twice": (signed_twice, 409, "approval.signed_twice", None),
    "an old revision signed": (old_revision, 409, "approval.closed", None),
    "something else signed": (other_payload, 409, "approval.changed", None),
    "signed by who dealt": (lambda g: signs(dealer(g), awaited(g)), 403, "approval.signer_refused", None),
    "verified by who dealt": (
        lambda g: Sent(dealer(g), f"claims/{g.claim_other.pk}/verify/", {"checklist": CHECKLIST}),
        403,
        "jackpot.dealer_decides",
        None,
    ),
    "a checklist that is not complete": (
        verifies({"cards_seen": "by Reto"}),
        422,
        "jackpot.checklist_incomplete",
        None,
    ),
    "a checklist with more": (verifies(CHECKLIST | {"tip": "5"}), 422, "jackpot.checklist_incomplete", None),
    "a checklist of numbers": (verifies(dict.fromkeys(CHECKLIST, 1)), 422, "jackpot.checklist_incomplete", None),
    "a checklist of blanks": (verifies(dict.fromkeys(CHECKLIST, " ")), 422, "jackpot.checklist_incomplete", None),
    "a checklist that is a list": (verifies([]), 400, "request.field_wrong", None),
    "a claim of a paid hit": (
        lambda g: Sent(g.boss, f"claims/{g.claim.pk}/refuse/", WHY),
        409,
        "jackpot.claim_state",
        None,
    ),
    "a hit rejected while a claim is open": (
        lambda g: Sent(g.boss, f"hits/{g.claim_other.hit_id}/reject-request/", WHY),
        409,
        "jackpot.hit_state",
        None,
    ),
    "a hit rejected without a reason": (
        lambda g: Sent(g.boss, f"hits/{g.claim_other.hit_id}/reject-request/", {"reason": " "}),
        400,
        "text.refused",
        None,
    ),
    "a meter put right by nothing": (adjusts(0), 422, "ledger.amount", None),
    "a meter put right by half a minor unit": (adjusts(0.5), 400, "request.field_wrong", None),
    "a meter put right by more than the books hold": (adjusts(10**18), 400, "request.field_wrong", None),
    "retired into itself": (
        lambda g: Sent(g.manager, own(g, "retire-request/"), {"to": str(g.floor.jackpot.pk), **WHY}),
        404,
        "jackpot.unknown",
        None,
    ),
    "retired into another house's": (
        lambda g: Sent(g.manager, own(g, "retire-request/"), {"to": str(g.foreign.jackpot.pk), **WHY}),
        404,
        "jackpot.unknown",
        None,
    ),
    "closed in the middle of a round": (
        lambda g: Sent(g.boss, own(g, "close/"), WHY),
        409,
        "jackpot.rounds_running",
        None,
    ),
    "reopened while it is open": (lambda g: Sent(g.boss, own(g, "reopen/")), 409, "jackpot.phase", None),
    "an unknown display required": (requires(lambda _g: NO_ID), 404, "display.unknown", "PRG-9"),
    "a display of another jackpot required": (requires(lambda g: g.display_other.pk), 404, "display.unknown", "PRG-9"),
    "a display of another house required": (requires(lambda g: g.foreign.display.pk), 404, "display.unknown", "PRG-9"),
    "a further display of another house": (
        lambda g: Sent(g.boss, display(g, g.foreign.display.pk, "add-request")),
        404,
        "display.unknown",
        "PRG-9",
    ),
    "a revoked display required": (revoked_display, 404, "display.unknown", "PRG-9"),
    "a tablet required": (requires(lambda g: g.tablet.device.pk), 404, "display.unknown", "PRG-9"),
    "a display required twice": (requires(lambda g: g.display.pk), 409, "display.required", "PRG-9"),
    "a display taken out that nobody waits for": (
        lambda g: Sent(g.boss, display(g, g.spare.pk, "out-request"), WHY),
        404,
        "display.unknown",
        "PRG-9",
    ),
    "a further display that is none": (
        lambda g: Sent(g.boss, display(g, NO_ID, "add-request")),
        404,
        "display.unknown",
        "PRG-9",
    ),
    "the last display taken out": (last_display, 409, "display.last", "PRG-9"),
    "a slip paid with another amount": (
        lambda g: Sent(g.offices["cage"], f"slips/{g.slip.pk}/pay/", {"cash_minor": cash(g.slip) - 5, "secret": PIN}),
        422,
        "slip.cash_wrong",
        None,
    ),
    "a slip paid without a PIN": (
        lambda g: Sent(g.offices["cage"], f"slips/{g.slip.pk}/pay/", {"cash_minor": cash(g.slip)}),
        400,
        "request.field_missing",
        None,
    ),
    "a payment taken back that was not made": (
        lambda g: Sent(g.offices["cage"], f"slips/{g.slip.pk}/take-back/", WHY | {"secret": PIN}),
        409,
        "slip.state",
        None,
    ),
    "a prize that is owed no more asked for": (
        lambda g: Sent(g.boss, f"prizes/{g.prize.pk}/request/", WHY),
        409,
        "prize.not_to_ask",
        None,
    ),
    "a slip paid twice": (paid_before, 409, "slip.state", None),
    "an unpaid slip lost": (
        lambda g: Sent(g.boss, f"slips/{g.slip.pk}/cancel-request/", {"how": "loss", **WHY}),
        409,
        "slip.state",
        None,
    ),
    "a slip cancelled somehow": (
        lambda g: Sent(g.boss, f"slips/{g.slip.pk}/cancel-request/", {"how": "somehow", **WHY}),
        400,
        "request.field_wrong",
        None,
    ),
    "a late award for a box that was paid": (
        lambda g: Sent(g.boss, f"rounds/{g.claim.round_id}/late-award-request/", {"box": 1, "amount_minor": 5, **WHY}),
        409,
        "award.there",
        "PRG-7",
    ),
    "a late award for a box that won nothing": (
        lambda g: Sent(g.boss, f"rounds/{g.claim.round_id}/late-award-request/", {"box": 2, "amount_minor": 5, **WHY}),
        422,
        "award.not_late",
        "PRG-3",
    ),
    "rules that were never released": (
        lambda g: Sent(
            g.technician,
            "jackpots/",
            {"name": "Third", **dict.fromkeys(("progressive", "funding"), "Bad Ragaz Progressive"), "rules": "Never"},
        ),
        422,
        "jackpot.posted_missing",
        None,
    ),
}


@each("name", BAD)
def test_bad_input_is_refused_and_nothing_is_written(ground: Ground, name: str) -> None:
    make, status, code, rule = BAD[name]
    with undone():
        sent = make(ground)
        before = facts()
        refused(sent.send(), status, code, rule)
        assert facts() == before


PROOFS = {"casino_try", "otp_totp_totpdevice"}  # a code that was shown is used up, whatever becomes of the command


def facts() -> dict[str, tuple[int, str]]:
    return {table: found for table, found in everything().items() if table not in PROOFS}


def resumes(ground: Ground) -> Sent:
    ids = {"house_id": ground.house.pk, "jackpot_id": ground.floor.jackpot.pk, "person_id": ground.floor.reto.pk}
    asked = done(jackpots.jackpot_request, **ids, action="jackpot.suspend", payload=WHY)
    sign = {"approval_id": asked.pk, "house_id": ground.house.pk, "payload_hash": bytes(asked.payload_hash)}
    ines = ground.floor.ines
    done(jackpots.jackpot_sign, **sign, signer_id=ines.pk, signer_roles=ines.roles, method=asked.method)
    return Sent(ground.boss, own(ground, "resume-request/"), WHY)


def retires(ground: Ground) -> Sent:
    third = second_jackpot(ground.house, name="Third")
    ids = {"house_id": ground.house.pk, "jackpot_id": third.pk, "actor_id": ground.floor.reto.pk}
    done(jackpots.jackpot_close, **ids, reason="the end")
    return Sent(ground.manager, f"jackpots/{third.pk}/retire-request/", {"to": str(ground.second.pk), **WHY})


def left_to_people(ground: Ground) -> Sent:
    """Of a prize that somebody turned down."""
    prize = royals.dropped(ground.claim, "waiting")
    asked = done(prize_request, prize=prize)
    who = {"house_id": ground.house.pk, "person_id": ground.floor.ines.pk, "person_roles": ground.floor.ines.roles}
    done(approval_reject, approval_id=asked.pk, **who, reason="a misread card")
    return Sent(ground.boss, f"prizes/{prize.pk}/request/", WHY)


ONCE: dict[str, Callable[[Ground], Sent]] = {
    "call": lambda g: Sent(g.tablet, f"rounds/{g.floor.locked}/call/"),
    "void-request": lambda g: Sent(g.boss, f"rounds/{g.floor.locked}/void-request/", WHY),
    "verify": verifies(CHECKLIST),
    "refuse": lambda g: Sent(g.boss, f"claims/{g.claim_other.pk}/refuse/", WHY),
    "suspend-request": lambda g: Sent(g.technician, own(g, "suspend-request/"), WHY),
    "resume-request": resumes,
    "adjust-request": adjusts(-5),
    "retire-request": retires,
    "display": requires(lambda g: g.spare.pk),
    "add-request": lambda g: Sent(g.boss, display(g, g.spare.pk, "add-request")),
    "out-request": lambda g: Sent(g.boss, display(g, g.display.pk, "out-request"), WHY),
    "prize": left_to_people,
    "pay": lambda g: Sent(g.offices["cage"], f"slips/{g.slip.pk}/pay/", {"cash_minor": cash(g.slip), "secret": PIN}),
    "cancel-request": lambda g: Sent(g.boss, f"slips/{g.slip.pk}/cancel-request/", {"how": "unpaid", **WHY}),
    "sign": lambda g: signs(g.boss, awaited(g)),
}


@each("name", ONCE)
def test_a_repeat_gets_the_first_answer_and_writes_nothing(ground: Ground, name: str) -> None:
    with undone():
        sent = ONCE[name](ground)
        status, first = sent.send("the-same-key")
        assert (status, first["replayed"]) == (200, False), first
        before = facts()
        status, again = sent.send("the-same-key")
        assert (status, again["replayed"], again["answer"]) == (200, True, first["answer"])
        assert facts() == before


def test_nobody_signs_at_all_who_is_none_of_the_signers(ground: Ground) -> None:
    with undone():
        cage = make_person("second.cage", "cage", house=ground.house)
        Authenticator.objects.create(user=cage, name="authenticator", confirmed=True)
        sent = signs(Caller(people.signed_in(cage)), awaited(ground))
        refused(sent.send(), 403, "person.not_allowed")
