"""A round on real books: locked, settled, and every chip accounted for."""

from uuid import UUID, uuid4

import pytest

from jackpot.models import Contribution, RunningRound
from jackpot.selectors.jackpots import meter_read
from payouts.audit import run_audits
from payouts.models import Account
from tables.models import Round
from tests.floor import Floor, stakes_for, taps
from tests.worlds import world


def balances(floor: Floor, *kinds: str) -> dict[str, int]:
    rows = Account.objects.filter(owner_id=floor.table.pk, kind__in=kinds)
    return dict(rows.values_list("kind", "balance_minor"))


def breaches() -> list[object]:
    return [result for result in run_audits() if result.breaches]


pytestmark = [world(Floor), pytest.mark.usefixtures("own_database")]


def test_round_from_lock_to_books(floor):
    guests = floor.open()[:2]
    before = balances(floor, "circulation", "table_win", "tray")
    locked = floor.lock(stakes_for(guests, coins=2))
    assert (locked["number"], locked["state"], len(locked["stakes"])) == (1, "locked", 6)
    assert balances(floor, "layout", "sub_meter", "reserve_share", "coin_income") == {
        "layout": -6000, "sub_meter": -200, "reserve_share": -50, "coin_income": -750,
    }  # fmt: skip
    assert meter_read(jackpot_id=floor.jackpot.pk).shown_minor == 1_000_200
    settled = floor.settle(locked["id"], taps(b1={"play": 4, "result": "win", "hand": "flush"}, b2={"result": "fold"}))
    assert [(line["box"], line["kind"], line["stake_minor"], line["paid_minor"], line["rule"]) for line in settled["lines"]] == [
        (1, "ante", 1500, 3000, "UTH-4"),
        (1, "blind", 1500, 3750, "UTH-6"),
        (1, "play", 6000, 12000, "UTH-5"),
        (2, "ante", 1500, 0, "UTH-3"),
        (2, "blind", 1500, 0, "UTH-3"),
        (1, "coin", 500, 0, "PRG-2"),
        (2, "coin", 500, 0, "PRG-2"),
    ]  # fmt: skip
    won = 1500 + 2250 + 6000 - 3000
    assert balances(floor, "layout", "table_win", "circulation", "tray") == {
        "layout": 0,
        "table_win": before["table_win"] + won,
        "circulation": before["circulation"] - won + 1000,
        "tray": before["tray"] - won + 1000,
    }
    stored = Round.objects.get(pk=locked["id"])
    assert (stored.state, stored.revision, stored.ended_by_id) == ("settled", 1, floor.martina.pk)
    running = RunningRound.objects.get(pk=stored.pk)
    assert (running.ended_as, running.coins) == ("settled", {"1": str(guests[0].pk), "2": str(guests[1].pk)})
    assert Contribution.objects.get(round_id=stored.pk).meter_minor == 200
    assert breaches() == []
    assert floor.lock(stakes_for(guests))["number"] == 2


def test_void_takes_everything_back(floor):
    guests = floor.open()[:3]
    kinds = ("circulation", "layout", "sub_meter", "reserve_share", "coin_income", "tray", "chips_outside")
    before = balances(floor, *kinds)
    locked = floor.lock(stakes_for(guests, coins=3))
    from tables import services
    from tests.floor import done

    answer = done(
        services.round_void,
        house_id=floor.house.pk,
        round_id=UUID(locked["id"]),
        person_id=floor.reto.pk,
        reason="misdeal",
    )
    assert answer["state"] == "voided"
    assert balances(floor, *kinds) == before
    assert meter_read(jackpot_id=floor.jackpot.pk).shown_minor == 1_000_000
    assert breaches() == []
    tombstone = uuid4()
    withdrawn = done(
        services.round_withdraw,
        house_id=floor.house.pk,
        table_id=floor.table.pk,
        round_id=tombstone,
        person_id=floor.martina.pk,
    )
    assert withdrawn["state"] == "withdrawn"
