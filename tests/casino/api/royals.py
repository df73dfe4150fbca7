"""Hits for the ground of these tests: a royal flush at a linked table, looked at, signed, confirmed by an enrolled display."""

from typing import Any
from uuid import UUID, uuid4

from casino.devices.models import Device
from casino.devices.services import device_code_make, device_enrol
from casino.people.models import Person
from jackpot import services as jackpots
from jackpot.models import Claim, Gate, Hit, Jackpot, Slip, WaitingPrize
from payouts.models import Approval
from tables import services
from tables.models import Guest, Table
from tests.floor import done, stakes_for
from tests.jackpot.linked import CHECKLIST, once, royal


def display_of(jackpot: Jackpot, by: Person, name: str, *, required: bool = True) -> Device:
    """An enrolled display of the jackpot; required unless said otherwise."""
    display, _token = device_enrol(
        kind="display", code=device_code_make(kind="display", place_id=jackpot.pk, name=name, by=by)[1]
    )
    if required:
        ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "display_id": display.pk}
        done(jackpots.display_require, **ids, name=name, actor_id=by.pk)
    return display


def won(jackpot: Jackpot, table: Table, guests: list[Guest], croupier: Person) -> Claim:
    """A royal flush with a coin at box 1: the claim of its hit, which people look at now."""
    round_id, house = uuid4(), {"house_id": jackpot.house_id}
    stakes = stakes_for(guests[:2], coins=1)
    ids = {**house, "table_id": table.pk, "round_id": round_id, "croupier_id": croupier.pk}
    done(services.round_lock, **ids, stakes=stakes)
    prepared = services.round_evaluate(**house, round_id=round_id, result=royal("h"))
    once(services.round_settle, prepared=prepared, person_id=croupier.pk)
    jackpots.jackpot_advance(jackpot_id=jackpot.pk)
    return Claim.objects.get(round_id=round_id)


def dropped(claim: Claim, state: str = "dropped") -> WaitingPrize:
    """A prize of the round that claims, which is owed no more."""
    jackpot_id = Hit.objects.values_list("jackpot_id", flat=True).get(pk=claim.hit_id)
    of = {"house_id": claim.house_id, "jackpot_id": jackpot_id, "table_id": claim.table_id, "dealers": claim.dealers}
    of |= {"round_id": claim.round_id, "source_id": claim.round_id, "revision": 1, "guest_id": claim.guest_id}
    return WaitingPrize.objects.create(
        **of, place=90 + (state == "waiting"), box=claim.box, kind="coin", amount_minor=5_000, state=state
    )


def signed(asked: Approval, *people: Person) -> None:
    """Signed by these."""
    values: dict[str, Any] = {"house_id": asked.house_id, "approval_id": asked.pk, "method": asked.method}
    for person in people:
        who = {"signer_id": person.pk, "signer_roles": person.roles}
        done(jackpots.jackpot_sign, **values, **who, payload_hash=bytes(asked.payload_hash))


def paid(claim: Claim, boss: Person, manager: Person) -> Slip:
    """Verified, signed by two and paid out by a slip; now its displays have to show the new value."""
    ids = {"house_id": claim.house_id, "claim_id": claim.pk, "person_id": boss.pk}
    done(jackpots.claim_verify, **ids, checklist=CHECKLIST)
    jackpot_id = Hit.objects.values_list("jackpot_id", flat=True).get(pk=claim.hit_id)
    jackpots.jackpot_advance(jackpot_id=jackpot_id)
    signed(Approval.objects.get(subject_id=str(claim.hit_id), state="open"), boss, manager)
    jackpots.jackpot_advance(jackpot_id=jackpot_id)
    return Slip.objects.get(award__claim=claim)


def confirmed(jackpot_id: UUID, *displays: UUID) -> str:
    """These displays show the value at hand; gives the jackpot's phase then."""
    gate = Gate.objects.get(jackpot_id=jackpot_id, state="open")
    of_gate = {"gate": gate.number, "nonce": gate.nonce, "version": gate.version}
    for display in displays:
        ids = {"house_id": gate.house_id, "jackpot_id": jackpot_id, "display_id": display, "session_id": display}
        done(jackpots.display_heard, **ids)
        done(jackpots.gate_confirm, **ids, **of_gate, shown=f"{gate.amount_minor / 100:.2f}")
    jackpots.jackpot_advance(jackpot_id=jackpot_id)
    return Jackpot.objects.values_list("phase", flat=True).get(pk=jackpot_id)
