"""The controller's meters, the guard over contributions, and what a restore of a backup does to jackpots."""

import time

import pytest
from django.core.management import call_command
from django.db import transaction

from jackpot.models import Hit
from jackpot.selectors.controller import controller_meters, unreasonable_contributions
from jackpot.selectors.fed import fed_keep
from jackpot.services.standing import RESUME
from tests.databases import superuser
from tests.jackpot.linked import Linked, dull
from tests.jackpot.test_standing import act
from tests.worlds import world

pytestmark = pytest.mark.random_order(disabled=True)  # the house of the first tests is the database until others come


def test_the_controllers_meters_are_what_was_played(lived) -> None:
    meters = controller_meters(jackpot_id=lived.jackpot.pk)
    assert (meters.coins, meters.coins_in_minor) == (3 + 1 + 1 + 1, 6 * 500)  # the voided round's coin went back
    assert (meters.hits, meters.hits_paid, meters.won_minor) == (2, 1, 1_000_300)
    assert (meters.overflow_minor, meters.reserve_minor) == (0, 3 * 25)  # the first three paid the next seed
    told = [(hit["number"], hit["state"], hit["won_minor"]) for hit in meters.last_hits]
    assert told == [(2, "rejected", None), (1, "paid", 1_000_300)]
    assert Hit.objects.count() == 2


def test_the_controllers_meters_take_as_many_statements_for_many_hits(lived, django_assert_num_queries) -> None:
    before = controller_meters(jackpot_id=lived.jackpot.pk)
    with transaction.atomic():
        for upto in (3, 3, 2, 5):  # what was added once is not added again
            fed_keep(upto=upto)
            with django_assert_num_queries(7):
                assert controller_meters(jackpot_id=lived.jackpot.pk) == before
        transaction.set_rollback(True)


@world(Linked)
def test_more_rounds_than_a_table_can_play_are_told(floor: Linked, own_database: str) -> None:
    floor.end(0, floor.start(0), dull())
    assert unreasonable_contributions(jackpot_id=floor.jackpot.pk) == []
    with superuser() as link:
        link.execute("ALTER TABLE jackpot_contribution DISABLE TRIGGER contribution_of_boxes")  # of no rounds
        link.execute(
            "INSERT INTO jackpot_contribution"
            " (house_id, epoch_id, table_id, round_id, coins, meter_minor, reserve_minor, house_minor)"
            " SELECT house_id, epoch_id, table_id, gen_random_uuid(), coins, meter_minor, reserve_minor, house_minor"
            " FROM jackpot_contribution, generate_series(1, 400)"
        )
    told = unreasonable_contributions(jackpot_id=floor.jackpot.pk)
    assert {one["table"] for one in told} == {floor.tables[0].pk}
    assert sum(one["rounds"] for one in told) >= 251


@world(Linked)
def test_after_a_restore_jackpots_wait_for_two_people_and_screens_take_the_older_values(floor: Linked) -> None:
    since = int(time.time())
    call_command("restored")
    now = floor.now()
    assert (now.phase, now.kept_phase) == ("suspended", "open")
    assert since <= now.incarnation <= time.time()  # that of no other restore of the same backup
    call_command("restored")
    assert floor.now().incarnation > now.incarnation
    act(floor, RESUME)
    assert floor.confirm_all() == "open"
