"""From a house's first lock on nobody makes a jackpot alone: its seed is the house's money (PRG-11, `jackpot.create`)."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError

from jackpot import services as jackpots
from jackpot.errors import JackpotNameTaken, JackpotNeedsTwo
from jackpot.models import Epoch, Jackpot
from jackpot.selectors.jackpots import meter_read
from jackpot.services.creation import CREATE
from payouts.db.constraints import constraint_of
from payouts.errors import Refused
from payouts.models import Approval, PostedTable, Transfer
from payouts.rules.approval import ApprovalChanged, ApprovalClosed, ApprovalUnsigned, SignerRefused
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.services import approval_reject, approval_use
from tests.casino.api.ground import everything
from tests.floor import done
from tests.jackpot.linked import Linked, dull
from tests.jackpot.test_meter import release
from tests.turns import each
from tests.worlds import world

NAMES = {"name": "Second", "progressive": "Bad Ragaz Progressive", "funding": "Bad Ragaz Progressive"}


class Playing(Linked):
    """A house that has locked a round."""

    def __init__(self) -> None:
        super().__init__(count=1)
        self.end(0, self.start(0), dull())

    def ask(self, **changes: str) -> Approval:
        names = NAMES | changes
        approval: Approval = done(
            jackpots.jackpot_create_request, house_id=self.house.pk, person_id=self.tim.pk, **names
        )
        return approval


pytestmark = world(Playing)


def test_who_sets_the_floor_up_makes_none_alone(floor: Playing) -> None:
    approval = floor.ask()
    before = everything()
    ids = {"house_id": floor.house.pk, "actor_id": floor.tim.pk}
    alone: dict[type[Refused], dict[str, Any]] = {JackpotNeedsTwo: {}, ApprovalUnsigned: {"approval_id": approval.pk}}
    for refusal, more in alone.items():
        with pytest.raises(refusal):
            done(jackpots.jackpot_create, **ids, **NAMES, **more)
    for signer in (floor.tim, floor.martina):
        with pytest.raises(SignerRefused):
            floor.sign(approval, signer)
    assert everything() == before


@world(Linked, count=1)
def test_before_the_first_lock_one_person_sets_it_up(floor: Linked) -> None:
    made: Jackpot = done(jackpots.jackpot_create, house_id=floor.house.pk, actor_id=floor.tim.pk, **NAMES)
    assert meter_read(jackpot_id=made.pk).sum_minor == 1_000_000


def test_the_last_signature_makes_it_once_as_it_was_signed(floor: Playing) -> None:
    approval = floor.ask(offline_linked="play_flagged")
    floor.sign(approval, floor.bea)
    made = Jackpot.objects.select_related("epoch").get(name="Second")
    posted = PostedTable.objects.filter(house=floor.house, name="Bad Ragaz Progressive")
    versions = {row.kind: str(row.pk) for row in posted}
    assert approval.payload == NAMES | {
        "rules": "",
        "offline_linked": "play_flagged",
        "seed_minor": 1_000_000,
        "currency": "CHF",
        "posted": {"progressive": versions["progressive"], "funding": versions["funding"], "rules": None},
    }
    seed = Transfer.objects.get(key=f"epoch:{made.epoch_id}:seed")
    assert (str(made.pk), made.offline_linked) == (approval.subject_id, "play_flagged")
    assert (meter_read(jackpot_id=made.pk).sum_minor, seed.actor_id) == (1_000_000, floor.bea.pk)
    before = everything()
    with pytest.raises(ApprovalClosed):
        floor.sign(approval, floor.reto)
    with pytest.raises(JackpotNameTaken):
        floor.ask()
    assert everything() == before


def test_what_was_released_since_was_not_signed(floor: Playing) -> None:
    approval = floor.ask()
    release(floor, "funding", FundingSchedule(seed_minor=5_000_000))
    with pytest.raises(ApprovalChanged):
        floor.sign(approval, floor.bea)
    assert not Jackpot.objects.filter(name="Second").exists()


def test_a_newer_request_of_the_name_kills_the_older_and_a_no_makes_nothing(floor: Playing) -> None:
    older = floor.ask()
    newer = floor.ask(offline_linked="play_flagged")
    with pytest.raises(ApprovalClosed):
        floor.sign(older, floor.bea)
    about = {"approval_id": newer.pk, "house_id": floor.house.pk, "reason": "not now"}
    done(approval_reject, **about, person_id=floor.bea.pk, person_roles=floor.bea.roles)
    with pytest.raises(ApprovalClosed):
        floor.sign(newer, floor.bea)
    states = Approval.objects.filter(action=CREATE).values_list("state", flat=True)
    assert (sorted(states), Jackpot.objects.filter(name="Second").count()) == (["killed", "rejected"], 0)


# What is written otherwise than it was signed, and by what the database refuses it.
OTHERWISE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "": ({}, {}),
    "jackpot_needs_two": ({"offline_linked": "play_flagged"}, {}),
    "epoch_needs_two": ({}, {"seed_minor": 1_000_001}),
}


@each("constraint", OTHERWISE)
def test_the_database_takes_it_as_it_was_signed_and_not_otherwise(floor: Playing, constraint: str) -> None:
    approval = floor.ask()
    floor.sign_plainly(approval, floor.bea)
    posted = {f"{kind}_id": pk for kind, pk in approval.payload["posted"].items()}
    of_jackpot, of_epoch = OTHERWISE[constraint]

    def made() -> None:
        about = {"action": CREATE, "subject_kind": "jackpot", "subject_id": approval.subject_id}
        approval_use(approval_id=approval.pk, house_id=floor.house.pk, payload=approval.payload, **about)
        row = Jackpot.objects.create(id=approval.subject_id, house=floor.house, **(NAMES | of_jackpot))
        values = {"number": 1, "seed_minor": 1_000_000} | posted | of_epoch
        Epoch.objects.create(id=uuid4(), house=floor.house, jackpot=row, **values)

    if not constraint:
        done(made)
        return
    with pytest.raises(IntegrityError) as refused:
        done(made)
    assert constraint_of(refused.value) == constraint
