"""A withdrawal is for a lock whose answer never came: a lock that came is voided by it only while its answer may be on the way."""

from typing import Any, ClassVar
from uuid import UUID

from payouts.errors import Refused
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.models import ReviewItem, Round
from tables.rules.floor import FloorRules
from tables.services.rounds import correct, undo
from tests.clock import clock_jumps
from tests.floor import Floor, done, stakes_for, taps
from tests.worlds import world


class Short(Floor):
    posted: ClassVar[dict[str, Posted]] = {"floor_rules": FloorRules(withdraw_s=12)}


def begun(floor: Floor) -> dict[str, Any]:
    """A locked round with a coin, and whose withdrawal is asked for."""
    guests = floor.guests
    round_id = UUID(floor.lock(stakes_for(guests[:2], coins=1))["id"])
    return {"house_id": floor.house.pk, "table_id": floor.table.pk, "round_id": round_id, "person_id": floor.martina.pk}


def came_of(work: Any, **values: Any) -> tuple[object, ...]:
    """The state that a command left the round in, or what it was refused by and why."""
    try:
        return (done(work, **values)["state"],)
    except Refused as refused:
        return refused.code, refused.data


def test_a_lock_that_came_is_withdrawn_within_the_posted_seconds_only(db: None, monkeypatch: Any) -> None:
    for number, (house, seconds) in enumerate({Floor: 30, Short: 12}.items()):
        floor = house(suffix=str(number))
        floor.guests = floor.open()
        late = ("round.withdraw_late", {"seconds": seconds})
        cases = (({}, 0, ("voided",)), ({}, 1, late), ({"person_id": floor.reto.pk, "supervisor": True}, 1, late))
        for more, over, came in cases:
            where = begun(floor)
            monkeypatch.setattr(undo, "_AGE", f"SELECT {seconds * 1000 + over} WHERE %s IS NOT NULL")
            assert came_of(services.round_withdraw, **where | more) == came, (house, more, over)
            again = {"stakes": stakes_for(floor.guests[:2], coins=1), "croupier_id": floor.martina.pk}
            ids = {"house_id": floor.house.pk, "table_id": floor.table.pk, "round_id": where["round_id"]}
            standing = "voided" if came == ("voided",) else "locked"
            assert came_of(services.round_lock, **ids, **again) == (standing,)  # which says that the round stands
            if standing == "locked":
                pit = {"house_id": floor.house.pk, "round_id": where["round_id"], "person_id": floor.reto.pk}
                assert came_of(services.round_void, **pit, reason="the link was down") == ("voided",)


def test_a_round_that_a_hit_lists_or_that_has_a_result_is_not_withdrawn_by_anybody(db: None) -> None:
    """The second royal flush would vanish. The pit voids it and says why; what waited of it to be clarified goes with it."""
    for number, why in enumerate((undo.LISTED, undo.ENTERED)):
        floor = Floor(suffix=str(number))
        floor.guests = floor.open()
        where = begun(floor)
        kept = {name: where[name] for name in ("house_id", "table_id", "round_id")}
        keep = {**kept, "refused": undo.WithdrawLate(seconds=30), "person_id": floor.martina.pk}
        if why == undo.LISTED:
            done(floor.elsewhere())
        else:
            done(services.review_item_record, **keep, kind="settle", payload={"result": taps(b1={"result": "fold"})})
        entry = done(services.review_item_record, **keep, kind="withdraw", payload={})
        stands = ("round.stands", {"why": why})
        assert came_of(services.round_withdraw, **where) == stands
        pit = where | {"person_id": floor.reto.pk, "supervisor": True}
        assert came_of(services.round_withdraw, **pit) == stands
        take = {"house_id": floor.house.pk, "clarify_id": entry.pk, "actor_id": floor.reto.pk}
        assert came_of(services.review_item_take, **take, reason="the chips went back") == stands
        assert Round.objects.get(pk=where["round_id"]).state == "locked"
        void = {name: pit[name] for name in ("house_id", "round_id", "person_id")}
        assert came_of(services.round_void, **void, reason="misdeal") == ("voided",)
        assert ReviewItem.objects.get(pk=entry.pk).state == "taken"


@world(Floor)
def test_a_clock_that_was_set_back_gives_no_more_time(floor: Floor, own_database: str) -> None:
    """A fail-over is no hour in which who deals takes rounds back, or puts results right, alone."""
    floor.guests = floor.open()
    running = begun(floor)
    of = {name: running[name] for name in ("house_id", "round_id", "person_id")}
    clock_jumps(-3600)
    assert came_of(services.round_withdraw, **running) == ("round.withdraw_late", {"seconds": 30})
    assert came_of(services.round_reopen, **of) == ("round.reopen_late", {"seconds": FloorRules().reopen_s})
    floor.settle(of["round_id"], taps(b1={"result": "fold"}, b2={"result": "fold"}))
    clock_jumps(-3600)
    values = {"house_id": floor.house.pk, "round_id": of["round_id"], "state": "settled"}
    won = services.round_evaluate(**values, result=taps(b1={"play": 4, "result": "win"}, b2={"result": "fold"}))
    asked = came_of(services.round_correct, prepared=won, person_id=floor.martina.pk, reason="mistyped")
    assert asked == ("round.approval_needed", {"why": correct.TOO_LATE})


def test_a_version_posted_before_it_could_say_so_has_the_default() -> None:
    old = {name: value for name, value in FloorRules(undo_s=7).to_data().items() if name != "withdraw_s"}
    assert FloorRules.from_data(old) == FloorRules(undo_s=7, withdraw_s=30)
    for seconds, fits in ((60, True), (61, False)):
        try:
            FloorRules(withdraw_s=seconds)
        except Refused:
            assert not fits
        else:
            assert fits
