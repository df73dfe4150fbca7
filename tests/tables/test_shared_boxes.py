"""Boxes on which several guests stake: whose it is, whose stake stays, what goes back and why (BOX-1 to BOX-5, PRM-1 to PRM-3).

No game of the list shares its boxes yet, so one is put into the list for these tests (`tests/sharing.py`).
"""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Entry
from tables import services
from tables.audit.replay import replay
from tables.games import GAMES
from tables.models import Guest, RoundStake
from tables.rules import prime
from tests.databases import superuser
from tests.floor import done
from tests.sharing import SHARING, Generous, Shared, won_by
from tests.tables.audits import FREE, breached, breached_here
from tests.turns import each
from tests.worlds import world

REASONS = {one.code: one for one in vars(prime).values() if isinstance(one, prime.PrimeReason)}


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "sharing", SHARING)


pytestmark = world(Shared)


def kept(locked: dict[str, Any]) -> dict[tuple[str, int], tuple[int, int, int, str, str]]:
    """By guest and box, in francs: what stays, what goes back, rank, reason, rule."""
    return {
        (one["guest"], one["box"]): (
            one["accepted_minor"] // 100,
            one["returned_minor"] // 100,
            one["rank"],
            one["reason"],
            one["rule"],
        )
        for one in locked["stakes"]
    }


def refused(floor: Shared, *stakes: tuple[Guest, int, int]) -> tuple[str, str | None]:
    entries = Entry.objects.count()
    with pytest.raises(Refused) as refusal, transaction.atomic():
        floor.lay(*stakes)
    assert (Entry.objects.count(), RoundStake.objects.exists()) == (entries, False)
    return refusal.value.code, refusal.value.rule


def the_worked_case(floor: Shared) -> tuple[list[Guest], dict[str, Any]]:
    """Worked case 3 of the rules: owner 100, A 300 standing, B 300 seated, C 100 seated; maximum 500."""
    owner, a = floor.guest(1), floor.guest(distance=2)
    b, c = floor.guest(3, distance=3), floor.guest(4, distance=4)
    return [owner, a, b, c], floor.lay((owner, 1, 100), (a, 1, 300), (b, 1, 300), (c, 1, 100))


def test_worked_case_of_the_prime_rule(floor):
    (owner, a, b, c), locked = the_worked_case(floor)
    assert kept(locked) == {
        (str(owner.pk), 1): (100, 0, 1, "prime.fits", "BOX-3"),
        (str(b.pk), 1): (300, 0, 2, "prime.fits", "BOX-3"),
        (str(a.pk), 1): (100, 200, 3, "prime.cut", "PRM-3"),
        (str(c.pk), 1): (0, 100, 4, "prime.full", "PRM-1"),
    }
    words = {one["guest"]: REASONS[one["reason"]].sentence % one["data"] for one in locked["stakes"]}
    assert words[str(a.pk)] == f"{a.pk} gets 20000 back: rank 3 of PRM-1, 10000 left of the maximum 50000."
    assert words[str(c.pk)] == f"{c.pk} gets 10000 back: rank 4 of PRM-1, maximum 50000 reached."


def test_nothing_is_booked_for_chips_that_go_back(floor):
    before = {kind: floor.balance(kind) for kind in ("circulation", "tray", "chips_outside")}
    guests, locked = the_worked_case(floor)
    assert (floor.balance("layout"), floor.balance("circulation") - before["circulation"]) == (-50_000, 50_000)
    assert sum(stake["returned_minor"] for stake in locked["stakes"]) == 30_000
    assert {kind: floor.balance(kind) for kind in ("tray", "chips_outside")} == {
        kind: before[kind] for kind in ("tray", "chips_outside")
    }
    answer = floor.settle(locked["id"], {})
    assert {(line["guest"], line["stake_minor"]) for line in answer["lines"]} == {
        (str(guest.pk), chf * 100) for guest, chf in zip(guests[:3], (100, 100, 300), strict=True)
    }
    assert (floor.balance("layout"), floor.balance("table_win")) == (0, -50_000)
    assert breached_here() == {}


def test_what_the_rule_decided_on_is_kept(floor):
    (owner, a, b, _c), locked = the_worked_case(floor)
    rows = {row.guest_id: row for row in RoundStake.objects.filter(round_id=locked["id"])}
    assert rows[owner.pk].standing == {"owner": True, "seated": True, "distance": 0}
    assert rows[a.pk].standing == {"owner": False, "seated": False, "distance": 2}
    assert rows[b.pk].standing == {"owner": False, "seated": True, "distance": 3}
    assert (rows[a.pk].offered_minor, rows[a.pk].accepted_minor, rows[a.pk].returned_minor) == (30_000, 10_000, 20_000)


def test_locked_twice_is_locked_once_though_guests_moved_since(floor):
    (owner, a, b, c), locked = the_worked_case(floor)
    entries = Entry.objects.count()
    values = {"house_id": floor.house.pk, "actor_id": floor.martina.pk}
    done(services.guest_leave, **values, guest_id=owner.pk)
    done(services.guest_move, **values, guest_id=a.pk, box=1, seated=True, distance=0)
    again = floor.lay((c, 1, 100), (b, 1, 300), (a, 1, 300), (owner, 1, 100), round_id=UUID(locked["id"]))
    assert (kept(again), again["number"]) == (kept(locked), 1)
    assert Entry.objects.count() == entries
    floor.settle(locked["id"], {})
    next_round = kept(floor.lay((a, 1, 300), (b, 1, 300), (c, 1, 100)))
    assert [next_round[str(one.pk), 1][:3] for one in (a, b, c)] == [(300, 0, 1), (200, 100, 2), (0, 100, 3)]


def test_standing_player_declared_owner_comes_first(floor):
    """BOX-1: the seat is free, so the dealer declares him."""
    declared, sitting = floor.guest(2, seated=False, distance=9), floor.guest(3)
    found = kept(floor.lay((sitting, 2, 400), (declared, 2, 200)))
    assert found[str(declared.pk), 2][:3] == (200, 0, 1)
    assert found[str(sitting.pk), 2][:3] == (300, 100, 2)


def test_owner_of_one_box_is_co_player_on_another(floor):
    one, two = floor.guest(1, distance=1), floor.guest(2, distance=2)
    found = kept(floor.lay((one, 1, 100), (one, 2, 450), (two, 2, 100), (two, 1, 450)))
    assert {key: value[:3] for key, value in found.items()} == {
        (str(one.pk), 1): (100, 0, 1),
        (str(two.pk), 1): (400, 50, 2),
        (str(two.pk), 2): (100, 0, 1),
        (str(one.pk), 2): (400, 50, 2),
    }


def test_owner_above_the_maximum_is_cut_too(floor):
    owner = floor.guest(1)
    assert kept(floor.lay((owner, 1, 700)))[str(owner.pk), 1] == (500, 200, 1, "prime.cut", "PRM-3")


def test_nearest_to_the_shoe_decides_where_all_else_is_equal(floor):
    near, far = floor.guest(distance=1), floor.guest(distance=5)
    found = kept(floor.lay((far, 6, 300), (near, 6, 300)))
    assert (found[str(near.pk), 6][0], found[str(far.pk), 6][0]) == (300, 200)


def test_two_at_the_same_distance_are_asked_who_is_nearer(floor):
    one, two = floor.guest(distance=1), floor.guest(distance=1)
    assert refused(floor, (one, 6, 300), (two, 6, 300)) == ("box.order_unclear", "PRM-1")
    assert kept(floor.lay((one, 6, 250), (two, 6, 250)))  # where both stay, nobody needs to know


@each(
    ("stakes", "code", "rule"),
    [
        ([(0, 1, 5)], "box.below_minimum", "BOX-4"),
        ([(0, 1, 15)], "box.off_step", "BOX-4"),
        ([(0, 1, 100), (0, 1, 100)], "box.stake_twice", "PRM-1"),
        ([(0, 9, 100)], "test.box_outside", None),
        ([], "test.box_outside", None),
    ],
)
def test_stakes_that_do_not_lie_on_a_shared_box(floor, stakes, code, rule):
    guests = [floor.guest(1)]
    assert refused(floor, *[(guests[place], box, chf) for place, box, chf in stakes]) == (code, rule)


def test_guest_who_left_stakes_no_more(floor):
    gone, there = floor.guest(1), floor.guest(2)
    done(services.guest_leave, house_id=floor.house.pk, guest_id=gone.pk, actor_id=floor.martina.pk)
    assert refused(floor, (gone, 1, 100), (there, 1, 100)) == ("guest.unknown", "BOX-1")


def test_void_gives_back_what_stayed(floor):
    before = {kind: floor.balance(kind) for kind in ("circulation", "layout", "table_win")}
    _guests, locked = the_worked_case(floor)
    values = {"house_id": floor.house.pk, "round_id": UUID(locked["id"]), "person_id": floor.reto.pk}
    done(services.round_void, **values, reason="misdeal")
    assert {kind: floor.balance(kind) for kind in before} == before
    assert breached_here() == {}


@world(Shared)
def test_audits_and_replay_hold_shared_stakes_against_the_rule(floor: Shared, own_database):
    _guests, locked = the_worked_case(floor)
    floor.settle(locked["id"], {})
    assert breached() == {}
    assert [result.name for result in replay(everything=True) if result.breaches] == []
    with superuser(own_database) as link:
        link.execute(FREE)
        link.execute(
            "UPDATE tables_roundstake SET accepted_minor = offered_minor, returned_minor = 0 WHERE reason = 'prime.cut'"
        )
    broken = {result.name: result.breaches for result in replay(everything=True) if result.breaches}
    assert "the prime rule leaves other stakes on box 1" in json.dumps(broken["stakes_are_within_their_limits"])


def test_game_that_is_not_in_the_list_is_refused(floor, monkeypatch):
    monkeypatch.delitem(GAMES, "sharing")
    with pytest.raises(Refused) as refusal, transaction.atomic():
        floor.lay((floor.guest(1), 1, 100), round_id=uuid4())
    assert refusal.value.code == "table.game_unknown"


# Who decides (BOX-2, PRM-2)
def test_only_the_owner_decides_for_a_shared_box(floor):
    (owner, a, b, _c), locked = the_worked_case(floor)
    for other in (a, b):
        assert decided(floor, locked, other) == ("box.not_yours", "BOX-2")
    assert decided(floor, locked, owner) == "settled"
    assert breached_here() == {}


def test_for_an_owner_who_is_away_the_order_of_the_prime_rule_decides(floor):
    """The second in right decides as soon as the result says that the owner is away, the third only when both are."""
    (owner, a, b, c), locked = the_worked_case(floor)
    assert decided(floor, locked, a, away=[owner]) == ("box.not_yours", "BOX-2")
    assert decided(floor, locked, b) == ("box.not_yours", "BOX-2")
    assert decided(floor, locked, c, away=[owner, a, b]) == ("box.nobody_decides", "PRM-2")  # his stake went back
    assert decided(floor, locked, b, away=[owner]) == "settled"


def test_who_has_left_decides_no_more_and_who_came_nearer_is_first(floor):
    owner, a, b = floor.guest(1), floor.guest(distance=3), floor.guest(distance=3)
    locked = floor.lay((owner, 1, 100), (a, 1, 200), (b, 1, 200))
    values = {"house_id": floor.house.pk, "actor_id": floor.martina.pk}
    done(services.guest_leave, **values, guest_id=owner.pk)
    assert decided(floor, locked, owner) == ("box.decider_unclear", "PRM-2")
    done(services.guest_move, **values, guest_id=b.pk, box=None, seated=False, distance=1)
    assert decided(floor, locked, a) == ("box.not_yours", "BOX-2")
    assert decided(floor, locked, b) == "settled"


def test_a_guest_who_takes_the_free_box_decides_for_it(floor):
    """Whose box it is counts at the moment of the decision: declared owner while the round runs, he comes first."""
    most, least = floor.guest(distance=1), floor.guest(distance=2)
    locked = floor.lay((most, 1, 400), (least, 1, 100))
    assert decided(floor, locked, least) == ("box.not_yours", "BOX-2")
    values = {"house_id": floor.house.pk, "guest_id": least.pk, "actor_id": floor.martina.pk}
    done(services.guest_move, **values, box=1, seated=False, distance=2)
    assert decided(floor, locked, least) == "settled"


@world(Generous)
def test_a_correction_asks_nobody_who_decided(floor):
    """What was decided stands; who sits where since says nothing about it."""
    (owner, _a, b, _c), locked = the_worked_case(floor)
    floor.settle(locked["id"], won_by(1, owner))
    done(services.guest_leave, house_id=floor.house.pk, guest_id=owner.pk, actor_id=floor.martina.pk)
    assert floor.correct(locked["id"], won_by(1, b))["revision"] == 2


def decided(floor: Shared, locked: dict[str, Any], guest: Guest, *, away: Sequence[Guest] = ()) -> object:
    """The round's new state, or code and rule of the refusal."""
    try:
        return floor.settle(locked["id"], won_by(1, guest, away))["state"]
    except Refused as refused:
        return refused.code, refused.rule
