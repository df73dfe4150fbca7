"""What is won and what the next epoch begins with, by what the house posts (PRG-10 to PRG-12)."""

from typing import ClassVar

import pytest

from jackpot.models import Award, Epoch, Split
from jackpot.rules.progressive import ProgressiveRules
from jackpot.selectors.jackpots import meter_read
from payouts.models import Account, PostedTable
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.schema import Posted
from payouts.services import posted_table_draft, posted_table_request, posted_table_sign
from tables.kinds import KINDS
from tests.floor import done
from tests.jackpot.linked import Linked, dull, royal
from tests.tables.audits import breached_here
from tests.worlds import world


def reserve() -> int:
    return -sum(Account.objects.filter(kind="reserve").values_list("balance_minor", flat=True))


def release(floor: Linked, kind: str, rules: Posted) -> PostedTable:
    """The next version of a table of the house: drafted by the technician, signed by two managers."""
    values = {"name": "Bad Ragaz Progressive", "data": rules.to_data(), "actor_id": floor.tim.pk}
    draft = done(posted_table_draft, house_id=floor.house.pk, kind=KINDS[kind], **values)
    ask = {"in_force_from": None, "reason": "as decided", "actor_id": floor.tim.pk}
    asked = done(posted_table_request, table_id=draft.pk, kind=KINDS[kind], **ask)
    for person in (floor.bea, floor.ines):
        sign = {"signer_id": person.pk, "signer_roles": person.roles, "method": asked.approval.method}
        print_ = bytes(asked.approval.payload_hash)
        asked = done(posted_table_sign, table_id=draft.pk, kind=KINDS[kind], payload_hash=print_, **sign)
    return asked


@world(Linked)
def test_prg11_new_versions_count_from_the_next_epoch_and_only_together(floor: Linked) -> None:
    dearer = FundingSchedule(coin_minor=1_000, meter_minor=600, reserve_minor=50, house_minor=350, seed_minor=2_000_000)
    funding = release(floor, "funding", dearer)
    floor.end(0, floor.start(0), dull())
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_100
    floor.win(0)
    second = Epoch.objects.get(number=2)
    assert (second.funding.version, second.seed_minor) == (
        1,
        1_000_000,
    )  # its coin is another one than that of the prizes
    prizes = release(floor, "progressive", ProgressiveRules(coin_minor=1_000))
    floor.win(1)
    third = Epoch.objects.get(number=3)
    assert (third.funding_id, third.progressive_id, third.seed_minor) == (funding.pk, prizes.pk, 2_000_000)
    assert breached_here() == {}


class Capped(Linked):
    posted: ClassVar[dict[str, Posted]] = {"funding": FundingSchedule(cap_minor=1_000_050)}


@world(Capped)
def test_prg11_above_the_cap_the_rest_goes_to_the_reserve(floor: Capped) -> None:
    floor.win(0)
    split = Split.objects.get()
    assert (split.sum_minor, split.won_minor, split.overflow_minor) == (1_000_100, 1_000_050, 50)
    assert Award.objects.get().amount_minor == 1_000_050
    assert Epoch.objects.get(number=2).seed_minor == 1_000_000
    top_up = Account.objects.get(kind="jackpot_top_up").balance_minor
    assert (reserve(), top_up) == (0, 2_000_000 - 50 - 25)
    assert breached_here() == {}


@pytest.mark.parametrize(
    ("rule", "won", "next_sum"), [("epoch_total", 1_000_100, 1_000_000), ("shown_at_claim", 1_000_200, 1_000_000)]
)
def test_prg12_what_is_won_when_a_listed_round_is_voided(db: None, rule: str, won: int, next_sum: int) -> None:
    class Won(Linked):
        posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(award_amount=rule)}

    floor = Won()
    first, second = floor.start(0), floor.start(1)
    floor.end(0, first, royal("h"))
    floor.void(second)
    floor.advance()
    floor.verify_all()
    floor.approve()
    assert Award.objects.get().amount_minor == won
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == next_sum
    assert breached_here() == {}


def test_prg10_shares_are_floored_to_the_payout_unit(db: None) -> None:
    class Coarse(Linked):
        posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(payout_unit=1_000)}

    floor = Coarse()
    floor.win(0)
    assert Award.objects.get().amount_minor == 1_000_000
    assert Epoch.objects.get(number=2).remainder_minor == 100
    assert breached_here() == {}
