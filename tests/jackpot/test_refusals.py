"""Each refusal of the jackpot is provoked through its command, and not a row of the database is another after it.

Those of setting a jackpot up are provoked with the floor's: `tests/tables/test_refusals.py`.
"""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from jackpot import errors
from jackpot import services as jackpots
from jackpot.models import Claim, Gate, Hit, Slip, WaitingPrize
from payouts.errors import Refused
from payouts.models import Approval
from payouts.rules.ledger import recipes
from tables import services
from tables.errors import RoundState
from tests.casino.api.ground import everything, undone
from tests.cast import post
from tests.databases import module_database
from tests.floor import done, second_jackpot
from tests.jackpot.linked import CHECKLIST, dull, royal
from tests.jackpot.lived import Lived, four_of_a_kind
from tests.jackpot.test_prizes import Careful, approved_correction
from tests.turns import each

# Prepares what it needs by commands and gives the command that will be refused.
Case = Callable[[Careful], Callable[[], Any]]
NOBODY = UUID("00000000-0000-4000-8000-000000000000")


@pytest.fixture(scope="module")
def floor(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Careful]:
    with django_db_blocker.unblock(), module_database("refused"):
        yield Careful(count=3, displays=2)


# Where the cases begin
def draining(f: Careful) -> UUID:
    """A round at the first table claims while another one runs at the second, which is given."""
    waits = f.start(1)
    f.end(0, f.start(0), royal("h"))
    return waits


def verifying(f: Careful) -> Claim:
    f.end(0, f.start(0), royal("h"))
    f.advance()
    return Claim.objects.get()


def showing(f: Careful) -> Gate:
    verifying(f)
    f.verify_all()
    f.approve()
    return Gate.objects.get(state="open")


def slip(f: Careful) -> Slip:
    showing(f)
    return Slip.objects.get()


# Cases
def at(f: Careful, command: str, **values: Any) -> Callable[[], Any]:
    """A command of the pit boss about the house."""
    ids = {"house_id": f.house.pk, "person_id": f.reto.pk}
    return lambda: done(getattr(jackpots, command), **(ids | values))


def verify(f: Careful, claim_id: UUID, **values: Any) -> Callable[[], Any]:
    return at(f, "claim_verify", **({"claim_id": claim_id, "checklist": CHECKLIST} | values))


def call(f: Careful, round_id: UUID) -> Callable[[], Any]:
    return lambda: f.call(0, round_id)


def called(f: Careful) -> UUID:
    round_id = f.start(0)
    f.call(0, round_id)
    return round_id


def void(f: Careful) -> Callable[[], Any]:
    ids = {"house_id": f.house.pk, "round_id": called(f), "person_id": f.reto.pk}
    return lambda: done(services.round_void, **ids, reason="misdeal")


def claims(f: Careful, round_id: UUID, epoch_id: UUID) -> Callable[[], Any]:
    """A correction says that box 1 of a round at the third table has the royal flush."""
    winner = jackpots.Winner(1, f.guests[2][0].pk)
    ids = {"jackpot_id": f.jackpot.pk, "epoch_id": epoch_id, "round_id": round_id, "table_id": f.tables[2].pk}
    more = {"winners": [winner], "dealers": [], "origin": "corrected", "person_id": f.reto.pk}
    return lambda: done(jackpots.claims_set, **ids, **more)


def not_listed(f: Careful) -> Callable[[], Any]:
    ended = f.start(2)
    f.end(2, ended, dull())
    draining(f)
    return claims(f, ended, f.now().epoch_id)


def epoch_over(f: Careful) -> Callable[[], Any]:
    ended, epoch_id = f.start(2), f.now().epoch_id
    f.end(2, ended, dull())
    assert f.win(0) == "open"
    return claims(f, ended, epoch_id)


def to_clarify(f: Careful) -> Callable[[], Any]:
    claim = verifying(f)
    f.verify_all()
    values = {"house_id": f.house.pk, "table_id": claim.table_id, "round_id": claim.round_id, "kind": "settle"}
    refused = RoundState(state="settled")
    done(
        services.review_item_record, **values, payload={"result": dull()}, refused=refused, person_id=f.croupiers[0].pk
    )
    asked = f.asked()
    return lambda: f.sign(asked, f.reto)


def gate_over(f: Careful) -> Callable[[], Any]:
    gate = showing(f)
    values = {"jackpot_id": f.jackpot.pk, "display_id": uuid4(), "name": "Bar"}
    f.sign(at(f, "display_add_request", **values)(), f.bea)
    return lambda: f.confirm(f.displays[0], gate=gate.number, nonce=gate.nonce, version=gate.version)


def confirming(**changes: Any) -> Case:
    def case(f: Careful) -> Callable[[], Any]:
        showing(f)
        f.heard(f.displays[0])
        return lambda: f.confirm(f.displays[0], **changes)

    return case


def not_on_gate(f: Careful) -> Callable[[], Any]:
    showing(f)
    ids = {"house_id": f.house.pk, "jackpot_id": f.jackpot.pk, "display_id": NOBODY, "session_id": NOBODY}
    return lambda: done(jackpots.gate_confirm, **ids, gate=1, nonce="0" * 32, version=0, shown="0")


def session_taken(f: Careful) -> Callable[[], Any]:
    f.heard(f.displays[0])
    ids = {"house_id": f.house.pk, "jackpot_id": f.jackpot.pk, "display_id": f.displays[0]}
    return lambda: done(jackpots.display_heard, **ids, session_id=NOBODY)


def session_over(f: Careful) -> Callable[[], Any]:
    gate = showing(f)
    ids = {"house_id": f.house.pk, "jackpot_id": f.jackpot.pk, "display_id": f.displays[0], "session_id": NOBODY}
    of_gate = {"gate": gate.number, "nonce": gate.nonce, "version": gate.version, "shown": "10000.00"}
    return lambda: done(jackpots.gate_confirm, **ids, **of_gate)


def out(f: Careful, display: UUID) -> Callable[[], Approval]:
    return at(f, "display_out_request", jackpot_id=f.jackpot.pk, display_id=display, reason="dark since ten")


def last_display(f: Careful) -> Callable[[], Any]:
    first, second = (out(f, display)() for display in f.displays)
    f.sign(first, f.bea)
    return lambda: f.sign(second, f.bea)


def require(f: Careful) -> Callable[[], Any]:
    ids = {"house_id": f.house.pk, "jackpot_id": f.jackpot.pk, "display_id": f.displays[0], "actor_id": f.tim.pk}
    return lambda: done(jackpots.display_require, **ids, name="Display 1")


def require_alone(f: Careful) -> Callable[[], Any]:
    showing(f)
    ids = {"house_id": f.house.pk, "jackpot_id": f.jackpot.pk, "display_id": NOBODY, "actor_id": f.tim.pk}
    return lambda: done(jackpots.display_require, **ids, name="Bar")


def pay(f: Careful, slip_id: UUID, cash_minor: int, **values: Any) -> Callable[[], Any]:
    ids = {"house_id": f.house.pk, "slip_id": slip_id, "actor_id": f.cage.pk}
    return lambda: done(jackpots.slip_pay, **(ids | values), cash_minor=cash_minor)


def paid_twice(f: Careful) -> Callable[[], Any]:
    paying = pay(f, slip(f).pk, 1_000_100)
    paying()
    return paying


def take_back(f: Careful, **values: Any) -> Callable[[], Any]:
    there = slip(f)
    pay(f, there.pk, 1_000_100)()
    ids = {"house_id": f.house.pk, "slip_id": there.pk, "actor_id": f.cage.pk, "reason": "the wrong guest"}
    return lambda: done(jackpots.slip_take_back, **(ids | values))


def taken_back_twice(f: Careful) -> Callable[[], Any]:
    taking = take_back(f)
    taking()
    pay(f, Slip.objects.get().pk, 1_000_100)()
    return taking


def slip_doubted(f: Careful) -> Callable[[], Any]:
    paying = pay(f, slip(f).pk, 1_000_100)
    approved_correction(f, Claim.objects.get().round_id, dull())
    return paying


def late(box: int) -> Case:
    def case(f: Careful) -> Callable[[], Any]:
        f.win(0)
        ids = {"house_id": f.house.pk, "round_id": Claim.objects.get().round_id, "person_id": f.reto.pk}
        return lambda: done(services.late_award_request, **ids, box=box, amount_minor=5, reason="seen on camera")

    return case


def late_too_much(f: Careful) -> Callable[[], Any]:
    f.win(0)
    Lived.cancel(f, Slip.objects.get(), "unpaid")  # type: ignore[arg-type]
    ids = {"house_id": f.house.pk, "round_id": Claim.objects.get().round_id, "person_id": f.reto.pk}
    more = {"box": 1, "amount_minor": 100_000_000, "reason": "seen on camera"}
    return lambda: done(services.late_award_request, **ids, **more)


def prize_awarded(f: Careful) -> Callable[[], Any]:
    round_id = f.start(0)
    f.end(0, round_id, four_of_a_kind())
    f.sign(Approval.objects.get(action="jackpot.prize"), f.reto)
    return lambda: done(jackpots.prizes_drop, round_id=round_id, revision=1, actor_id=f.reto.pk)


def prize_asked(f: Careful) -> Callable[[], Any]:
    f.end(0, f.start(0), four_of_a_kind())
    prize = WaitingPrize.objects.get(state="waiting")
    return at(f, "prize_request_again", prize_id=prize.pk, reason="seen on camera")


def verified_again(f: Careful) -> Callable[[], Any]:
    """Whose payment waits for signatures."""
    claim = verifying(f)
    verify(f, claim.pk)()
    f.advance()
    return verify(f, claim.pk)


def meter_owes(f: Careful) -> Callable[[], Any]:
    """Closed, with a meter that paid more prizes than it held, and its transfer asked for."""
    heir = second_jackpot(f.house)
    owners = {"house": f.house.pk, "table": f.tables[0].pk, "epoch": f.now().epoch_id}
    post(f.house, "prize", recipes.prize_from_meter(1_000_001), owners=owners, key="owes")
    ids = {"house_id": f.house.pk, "jackpot_id": f.jackpot.pk}
    done(jackpots.jackpot_close, **ids, reason="the end", actor_id=f.bea.pk)
    payload = {"to": str(heir.pk), "reason": "the end"}
    asked = done(jackpots.jackpot_request, **ids, action="jackpot.retire", payload=payload, person_id=f.reto.pk)
    return lambda: f.sign(asked, f.bea)


def alone(f: Careful) -> Callable[[], Any]:
    """Another jackpot, once a round has locked."""
    f.end(0, f.start(0), dull())
    names = {"name": "Second"} | dict.fromkeys(("progressive", "funding"), "Bad Ragaz Progressive")
    return lambda: done(jackpots.jackpot_create, house_id=f.house.pk, **names)


CASES: dict[type[Refused], Case] = {
    errors.JackpotNeedsTwo: alone,
    errors.CallNotRunning: lambda f: at(f, "hit_call", jackpot_id=f.jackpot.pk, round_id=NOBODY),
    errors.CallWithoutCoin: lambda f: call(f, f.start(0, coins=0)),
    errors.SecondCall: lambda f: call(f, called(f)),
    errors.NotListed: not_listed,
    errors.RoundClaims: void,
    errors.ClaimUnknown: lambda f: verify(f, NOBODY),
    errors.ClaimState: lambda f: (called(f), verify(f, Claim.objects.get().pk))[1],
    errors.ClaimUnchanged: verified_again,
    errors.ChecklistIncomplete: lambda f: verify(f, verifying(f).pk, checklist={"cards_seen": "by Reto"}),
    errors.DealerDecides: lambda f: verify(f, verifying(f).pk, person_id=f.croupiers[0].pk),
    errors.HitUnknown: lambda f: at(f, "hit_reject_request", hit_id=NOBODY, reason="misread"),
    errors.HitState: lambda f: at(f, "hit_reject_request", hit_id=verifying(f).hit_id, reason="misread"),
    errors.ReviewItemOpen: to_clarify,
    errors.EpochOver: epoch_over,
    errors.GateUnknown: confirming(gate=99),
    errors.GateOver: gate_over,
    errors.GateNonceWrong: confirming(nonce="0" * 32),
    errors.GateVersionWrong: confirming(version=7),
    errors.GateValueWrong: confirming(shown="CHF 10’000.10"),
    errors.DisplayNotOnGate: not_on_gate,
    errors.DisplaySessionTaken: session_taken,
    errors.DisplaySessionOver: session_over,
    errors.DisplayUnknown: lambda f: out(f, NOBODY),
    errors.DisplayRequired: require,
    errors.DisplayListClosed: require_alone,
    errors.DisplayLast: last_display,
    errors.SlipUnknown: lambda f: pay(f, NOBODY, 5),
    errors.SlipState: paid_twice,
    errors.SlipCashWrong: lambda f: pay(f, slip(f).pk, 1_000_105),
    errors.SlipDoubted: slip_doubted,
    errors.SlipSignerPays: lambda f: pay(f, slip(f).pk, 1_000_100, actor_id=f.bea.pk),
    errors.SlipPartPays: lambda f: pay(f, slip(f).pk, 1_000_100, actor_id=f.croupiers[0].pk),
    errors.SlipNotYours: lambda f: take_back(f, actor_id=f.reto.pk),
    errors.SlipTakeBackOver: taken_back_twice,
    errors.AwardExists: late(box=1),
    errors.NotALateRoyal: late(box=2),
    errors.LateAwardTooMuch: late_too_much,
    errors.PrizeAwarded: prize_awarded,
    errors.PrizeUnknown: lambda f: at(f, "prize_request_again", prize_id=NOBODY, reason="seen on camera"),
    errors.PrizeNotToAsk: prize_asked,
    errors.MeterOwes: meter_owes,
    errors.JackpotPhase: lambda f: (
        lambda: done(jackpots.jackpot_reopen, house_id=f.house.pk, jackpot_id=f.jackpot.pk, actor_id=f.reto.pk)
    ),
}


@each("refusal", CASES)
def test_refused_with_its_code_and_nothing_written(floor: Careful, refusal: type[Refused]) -> None:
    with undone():
        command = CASES[refusal](floor)
        before = everything()
        with pytest.raises(refusal) as refused, transaction.atomic():
            command()
        assert everything() == before
    assert (type(refused.value), refused.value.code) == (refusal, refusal.code)
    assert "%(" not in refused.value.text()


def test_each_case_begins_anew(floor: Careful) -> None:
    assert (floor.now().phase, Hit.objects.count()) == ("open", 0)
