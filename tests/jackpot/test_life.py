"""The life of a hit from the first claim to the reopening, and what the books hold of it (PRG-3, PRG-7 to PRG-10, PRG-12)."""

import pytest

from jackpot.errors import JackpotNotOpen
from jackpot.models import Award, Claim, Epoch, EpochEnd, Gate, Hit, ListedRound, Slip, Split
from jackpot.selectors.jackpots import meter_read
from payouts.audit import run_audits
from tests.jackpot.linked import Linked, dull, royal
from tests.worlds import world


def no_breach() -> None:
    assert [one for one in run_audits() if one.breaches] == []


@world(Linked, count=3, displays=2)
def test_prg7_a_double_royal_freezes_drains_pays_and_reopens(floor: Linked, own_database: str) -> None:
    first, second, third = (floor.start(table) for table in range(3))
    shown = meter_read(jackpot_id=floor.jackpot.pk)
    assert shown.shown_minor == 1_000_300

    floor.end(0, first, royal("h"))
    assert floor.now().phase == "draining"
    assert set(ListedRound.objects.values_list("round_id", flat=True)) == {first, second, third}
    with pytest.raises(JackpotNotOpen):
        floor.start(0)
    assert floor.advance() == "draining"
    floor.end(1, second, royal("d"))
    assert floor.advance() == "draining"
    floor.end(2, third, dull())
    assert floor.advance() == "verifying"
    claims = Claim.objects.order_by("number").values_list("number", "table_id", "box", "state")
    assert list(claims) == [(1, floor.tables[0].pk, 1, "open"), (2, floor.tables[1].pk, 1, "open")]

    assert floor.verify_all() == "verifying"
    split = Split.objects.get()
    assert (split.revision, split.won_minor, split.remainder_minor) == (1, 1_000_300, 0)
    assert floor.approve() == "showing"
    awards = Award.objects.order_by("slip__number").values_list("kind", "amount_minor", "slip__number", "slip__state")
    assert list(awards) == [("share", 500_150, 1, "open"), ("share", 500_150, 2, "open")]
    assert EpochEnd.objects.get().ended_as == "won"
    assert Epoch.objects.get(number=2).seed_minor == 1_000_000
    after = meter_read(jackpot_id=floor.jackpot.pk)
    assert (after.epoch_number, after.shown_minor) == (2, 1_000_000)
    assert after.version > shown.version
    with pytest.raises(JackpotNotOpen):
        floor.start(0)

    floor.confirm(floor.displays[0])
    assert floor.advance() == "showing"
    floor.confirm(floor.displays[1])
    assert floor.advance() == "open"
    assert Gate.objects.get().state == "passed"
    assert Hit.objects.get().state == "paid"
    floor.end(0, floor.start(0), dull())
    assert meter_read(jackpot_id=floor.jackpot.pk).shown_minor == 1_000_100
    assert Slip.objects.filter(state="open").count() == 2
    no_breach()


@world(Linked, count=3)
def test_prg10_the_remainder_stays_on_top_of_the_new_seed(floor: Linked, own_database: str) -> None:
    rounds = [floor.start(table) for table in range(3)]
    for table, round_id in enumerate(rounds):
        floor.end(table, round_id, royal("hdc"[table]))
    floor.advance()
    floor.verify_all()
    floor.approve()
    assert list(Award.objects.values_list("amount_minor", flat=True)) == [333_433] * 3
    assert Epoch.objects.get(number=2).remainder_minor == 1
    assert meter_read(jackpot_id=floor.jackpot.pk).sum_minor == 1_000_001
    assert floor.confirm_all() == "open"
    no_breach()


@world(Linked)
def test_prg3_a_call_freezes_and_its_settlement_fixes_the_box_or_drops_it(floor: Linked, own_database: str) -> None:
    first, second = floor.start(0, coins=2), floor.start(1)
    floor.call(0, first)
    floor.call(1, second)
    assert floor.now().phase == "draining"
    floor.end(0, first, royal("h", box=2))
    floor.end(1, second, dull())
    claims = Claim.objects.order_by("number").values_list("box", "state", "origin")
    assert list(claims) == [(2, "open", "called"), (None, "dropped", "called")]
    assert floor.advance() == "verifying"
    floor.verify_all()
    floor.approve()
    assert list(Award.objects.values_list("box", "amount_minor")) == [(2, 1_000_300)]
    no_breach()


@world(Linked)
def test_a_rejected_hit_leaves_the_epoch_running_and_shows_the_same_amount(floor: Linked, own_database: str) -> None:
    floor.end(0, floor.start(0), royal("h"))
    floor.advance()
    assert floor.reject() == "showing"
    assert (floor.now().epoch.number, Gate.objects.get().amount_minor) == (1, 1_000_100)
    assert floor.confirm_all() == "open"
    assert floor.win(1) == "open"
    assert Award.objects.get().amount_minor == 1_000_200
    no_breach()
