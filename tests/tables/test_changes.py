"""A table changes as versions, signed, from its next opening on: name, place, boxes, what is posted there; it retires."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction

from casino.people.models import Person
from payouts.errors import Refused
from payouts.models import Approval, Event
from payouts.rules.plain import Json
from tables import services
from tables.models import Pit, Table, TableSession, TableVersion
from tables.selectors.floor import floor_tables
from tables.services.floor.changes import TableSetUp, newest_version, set_up_of
from tests.floor import POSTED, Floor, done, stakes_for, taps
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(Floor)


def asking(floor: Floor, table: Table | None = None, **changes: Any) -> dict[str, Any]:
    """For the change of a table, as its newest version is but for these."""
    table = table or floor.table
    set_up = set_up_of(newest_version(table))._replace(**changes)
    return {"house_id": floor.house.pk, "table_id": table.pk, "set_up": set_up}


def request(floor: Floor, table: Table | None = None, **changes: Any) -> Approval:
    about = asking(floor, table, **changes)
    return done(services.table_change_request, **about, reason="a smaller layout", requester_id=floor.reto.pk)


def sign(floor: Floor, approval: Approval, *people: Person) -> str:
    """The state after these people, or both who may, have signed."""
    for person in people or (floor.ines, floor.tim):
        by = {"signer_id": person.pk, "signer_roles": person.roles, "method": "totp"}
        ids = {"approval_id": approval.pk, "house_id": floor.house.pk, "payload_hash": approval.payload_hash}
        approval = done(services.table_change_sign, **ids, **by)
    return approval.state


def close(floor: Floor, table: Table | None = None) -> None:
    ids = {"house_id": floor.house.pk, "table_id": (table or floor.table).pk}
    done(services.table_close, **ids, actor_id=floor.reto.pk, reason="end of the evening")


def stands(table: Table) -> dict[str, Json]:
    """What counts at the table now."""
    table.refresh_from_db()
    of = {name: getattr(table, name) for name in TableSetUp._fields}
    return {"version": table.version, **TableSetUp(**of).data()}


def refused(work: Any, **values: Any) -> str:
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(**values)
    return refusal.value.code


def test_what_was_signed_counts_from_the_next_opening_on(floor):
    """The evening goes on as it began; the table that closes is as signed, and its next session is played under that."""
    upstairs = done(services.pit_create, house_id=floor.house.pk, name="Upstairs")
    floor.open(floor.other, floor.nora)
    was = stands(floor.other)
    approval = request(floor, floor.other, name="UTH 9", boxes=5, pit_id=upstairs.pk, position=3)
    assert (approval.signers, sign(floor, approval, floor.ines)) == (2, "open")
    assert sign(floor, approval, floor.tim) == "used"
    assert stands(floor.other) == was
    close(floor, floor.other)
    will = {"version": 2, "pit": str(upstairs.pk), "name": "UTH 9", "position": 3, "boxes": 5}
    assert stands(floor.other) == was | will
    floor.open(floor.other, floor.nora)
    sessions = TableSession.objects.filter(table=floor.other).order_by("opened_at")
    assert [session.table_version for session in sessions] == [1, 2]
    made, changed = (
        Event.objects.filter(subject_id=str(floor.other.pk), name__contains="table.version")
        .union(Event.objects.filter(subject_id=str(floor.other.pk), name="table.changed"))
        .order_by("pk")
    )
    fields = {"version": 2, **{name: value for name, value in stands(floor.other).items() if name != "version"}}
    assert (made.name, made.actor_id, made.after, changed.after) == ("table.version_made", floor.tim.pk, fields, fields)
    assert (made.before, changed.before, changed.actor_id) == (was, was, floor.reto.pk)
    assert breached_here() == {}


def test_a_closed_table_changes_as_it_is_signed_and_one_never_opened_at_once(floor):
    sign(floor, request(floor, name="UTH 7"))
    assert (stands(floor.table)["version"], floor.table.name) == (2, "UTH 7")
    done(services.table_change, **asking(floor, floor.other, boxes=6), actor_id=floor.tim.pk)
    assert (stands(floor.other)["version"], floor.other.boxes) == (2, 6)
    floor.open(floor.other, floor.nora)
    about = asking(floor, floor.other, boxes=5)
    assert refused(services.table_change, **about, actor_id=floor.tim.pk) == "table.opened_before"
    assert breached_here() == {}


def test_the_newest_of_what_was_signed_counts(floor):
    floor.open()
    sign(floor, request(floor, boxes=5))
    sign(floor, request(floor, boxes=4))
    close(floor)
    assert (stands(floor.table)["version"], floor.table.boxes) == (3, 4)
    assert breached_here() == {}


def test_what_changed_meanwhile_is_not_signed(floor):
    """Another request kills the first; a version that came in between leaves what was asked unsigned."""
    first = request(floor, boxes=5)
    second = request(floor, boxes=4)
    first.refresh_from_db()
    assert first.state == "killed"
    done(services.table_change, **asking(floor, name="UTH 8"), actor_id=floor.tim.pk)
    sign(floor, second, floor.ines)
    by = {"signer_id": floor.tim.pk, "signer_roles": floor.tim.roles, "method": "totp"}
    ids = {"approval_id": second.pk, "house_id": floor.house.pk, "payload_hash": second.payload_hash}
    assert refused(services.table_change_sign, **ids, **by) == "approval.changed"


def test_a_late_round_has_the_boxes_of_its_session(floor):
    """Seven boxes played, and five are left when the round comes."""
    where = {"table_id": floor.other.pk, "croupier_id": floor.nora.pk}
    guests = floor.open(floor.other, floor.nora)
    sign(floor, request(floor, floor.other, boxes=5))
    close(floor, floor.other)
    locked = floor.lock(stakes_for(guests), queued=True, clarified=True, **where)
    lost = taps(**{f"b{box}": {"play": 1, "result": "lose"} for box in range(1, 8)})
    floor.settle(locked["id"], lost, person_id=floor.nora.pk)
    floor.other.refresh_from_db()
    guests = floor.open(floor.other, floor.nora)
    assert [guest.box for guest in guests] == [1, 2, 3, 4, 5]
    outside = [stake | {"box": 6} for stake in stakes_for(guests[:1])]
    assert refused(floor.lock, stakes=outside, **where) == "uth.box_outside_layout"
    assert breached_here() == {}


def test_no_two_tables_get_one_name(floor):
    """A name that was signed for is taken, though nobody bears it yet: who closes a table is not refused."""
    floor.open()
    sign(floor, request(floor, name="UTH 9"))
    ids = {"house_id": floor.house.pk, "pit_id": floor.pit.pk, "game": "uth", "boxes": 7, "posted": POSTED}
    assert refused(services.table_create, **ids, name="UTH 9") == "table.name_taken"
    assert refused(services.table_create, **ids, name="UTH 1") == "table.name_taken"
    about = asking(floor, floor.other, name="UTH 9")
    assert refused(services.table_change, **about, actor_id=floor.tim.pk) == "table.name_taken"
    close(floor)
    done(services.table_create, **ids, name="UTH 1")


def test_a_retired_table_opens_no_more_until_it_is_brought_back(floor):
    floor.open(floor.other, floor.nora)
    sign(floor, request(floor, floor.other, retired=True))
    linking = {"house_id": floor.house.pk, "table_id": floor.other.pk, "jackpot_id": floor.jackpot.pk}
    assert refused(services.table_link, **linking) == "table.retired"
    close(floor, floor.other)
    opening = {"house_id": floor.house.pk, "table_id": floor.other.pk, "croupier_id": floor.nora.pk}
    assert refused(services.table_open, **opening, actor_id=floor.reto.pk) == "table.retired"
    # it played today: its result stands on the floor until the day is over
    assert [table.name for table in floor_tables(house_id=floor.house.pk)] == ["UTH 1", "UTH 2"]
    sign(floor, request(floor, floor.other, retired=False))
    floor.open(floor.other, floor.nora)
    assert [version.retired for version in floor.other.versions.order_by("number")] == [False, True, False]


def test_what_no_table_can_be_is_refused(floor):
    """Nothing is asked for, and the table stays as it is."""
    elsewhere = Pit(pk=uuid4())
    names = dict(POSTED)
    cases: dict[str, dict[str, Any]] = {
        "table.unchanged": {},
        "table.layout_refused": {"boxes": 0},
        "data.refused": {"retired": 1},
        "pit.unknown": {"pit_id": elsewhere.pk},
        "table.name_taken": {"name": floor.other.name},
        "table.posted_names_refused": {"posted": names | {"rake": "Rake"}},
        "table.linked": {"retired": True},
    }
    for code, values in cases.items():
        assert refused(services.table_change, **asking(floor, **values), actor_id=floor.tim.pk) == code
    others = [("boxes", "7"), ("boxes", True), ("name", ""), ("position", -1), ("posted", None)]
    for field, value in others:
        about = asking(floor, **{field: value})
        assert refused(services.table_change, **about, actor_id=floor.tim.pk)
    assert stands(floor.table)["version"] == 1
    assert TableVersion.objects.filter(table=floor.table).count() == 1


def test_the_database_writes_first_versions_and_what_a_session_is_played_under(floor):
    """Whoever makes a table, and whatever the writer of a session claims."""
    made = Table.objects.create(
        id=uuid4(), house=floor.house, pit=floor.pit, name="UTH 3", game="uth", boxes=4, posted=POSTED
    )
    first = TableVersion.objects.get(table=made)
    assert (first.number, {"version": 1, **set_up_of(first).data()}) == (1, stands(made))
    sign(floor, request(floor, boxes=5))
    day = {
        "gaming_day": "2026-11-28",
        "entry_level": "fast",
        "versions": {},
        "house": floor.house,
        "table": floor.table,
    }
    session = TableSession.objects.create(**day, croupier=floor.nora, opened_by=floor.reto, table_version=1)
    session.refresh_from_db()
    assert session.table_version == 2
