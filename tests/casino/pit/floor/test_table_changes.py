"""A table is changed on its set-up page: at once before its first opening, later by signatures; its versions; it retires."""

from html import unescape
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.devices.refusals import DeviceTableUnknown
from casino.devices.services import device_code_make
from casino.devices.stored import stored_pages
from payouts.models import Approval
from tables import services
from tables.models import Pit, Table, TableVersion
from tables.services.floor.changes import CHANGE, newest_version, set_up_of
from tests.casino.devices import devices
from tests.casino.people import people
from tests.casino.pit.differences import signed_lines
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.cast import make_house
from tests.floor import POSTED, done
from tests.turns import each

ENGLISH = {"accept-language": "en"}


@pytest.fixture
def desk(db: None) -> FloorDesk:
    return FloorDesk()


def at(table: Table) -> str:
    return f"set-up/tables/{table.pk}/"


def typed(table: Table, **changes: object) -> dict[str, object]:
    """The form of the table as its page shows it, but for these."""
    newest = newest_version(table)
    fields = {"number": newest.number, "name": newest.name, "pit": newest.pit_id, "position": newest.position}
    return fields | {"boxes": newest.boxes, "retired": "", **newest.posted} | changes


def new_table(desk: FloorDesk) -> dict[str, object]:
    ids = {"house_id": desk.house.pk, "pit_id": desk.table.pit_id, "actor_id": desk.tim.pk}
    return ids | {"game": "uth", "boxes": 6, "posted": POSTED}


def ask(desk: FloorDesk, table: Table, **changes: object) -> Approval:
    """Ask for a change on the page."""
    place = desk.post("tech", f"{at(table)}request/", **typed(table, reason="a smaller layout", **changes))
    approval = Approval.objects.filter(action=CHANGE).latest("requested_at")
    assert place == f"/tables/asked/{approval.pk}/"
    return approval


def read(desk: FloorDesk, who: str, approval: Approval) -> str:
    page = desk.clients[who].get(f"/tables/asked/{approval.pk}/", headers=ENGLISH)
    assert page.status_code == 200
    return page.content.decode()


def sign(desk: FloorDesk, approval: Approval, *names: str) -> None:
    for name in names:
        form = {"key": str(uuid4()), "seen": bytes(approval.payload_hash).hex()}
        form |= {"secret": people.code(desk.people[name])}
        answer = desk.clients[name].post(f"/tables/asked/{approval.pk}/sign/", form, headers=ENGLISH)
        assert answer.status_code == 302, words(answer.content.decode())


def test_a_table_that_was_never_opened_is_changed_at_once(desk: FloorDesk) -> None:
    page = words(desk.get("tech", at(desk.other)))
    assert "The table was never opened: what you change counts at once." in page
    assert desk.post("tech", f"{at(desk.other)}change/", **typed(desk.other, name="UTH 9", boxes=5)) == (
        f"/floor/{at(desk.other)}"
    )
    desk.other.refresh_from_db()
    assert (desk.other.name, desk.other.boxes, desk.other.version) == ("UTH 9", 5, 2)
    page = words(desk.get("tech", at(desk.other)))
    assert "Version 2 · counts now Name: UTH 2 → UTH 9 Boxes: 7 → 5" in page, page
    assert not Approval.objects.filter(action=CHANGE).exists()


def test_a_change_is_asked_for_signed_and_counts_from_the_next_opening_on(desk: FloorDesk) -> None:
    desk.open()
    page = words(desk.get("tech", at(desk.table)))
    assert "The table is open: what is signed counts from its next opening on." in page
    assert "Needs one of the roles" in page
    approval = ask(desk, desk.table, name="UTH 9", boxes=5)
    for path in ("set-up/", at(desk.table)):
        page = desk.get("tech", path)
        assert f"/tables/asked/{approval.pk}/" in page
    assert "A change waits for a signature" in words(desk.get("tech", "set-up/"))
    for who, role in {"manager": "manager", "auditor": "auditor"}.items():
        home = desk.clients[who].get(f"/home/{role}/", headers=ENGLISH).content.decode()
        assert f"/tables/asked/{approval.pk}/" in home
        assert "Change of a table UTH 1" in words(home)
    signing = read(desk, "manager", approval)
    assert signed_lines(signing) == ["Name: UTH 1 → UTH 9", "Boxes: 7 → 5"]
    assert "<q>a smaller layout</q>" in signing
    assert "Needs one of the roles: Technician, Manager, Auditor." in words(signing)
    assert "You asked for this: others look at it and sign." in words(read(desk, "tech", approval))
    assert f"/floor/{at(desk.table)}" in read(desk, "tech", approval)
    sign(desk, approval, "manager", "auditor")
    assert "changes when it is closed" in words(desk.get("tech", "set-up/"))
    page = desk.get("tech", at(desk.table))
    assert "Signed: it counts when the table is closed." in words(page)
    assert signed_lines(page) == ["Name: UTH 1 → UTH 9", "Boxes: 7 → 5"]
    assert f"asked for by {desk.people['tech']} · signed by" in words(page)
    desk.post("boss", f"tables/{desk.table.pk}/close/", reason="end of the evening")
    page = words(desk.get("tech", "set-up/"))
    assert ("UTH 9" in page, "changes when it is closed" in page) == (True, False)


def test_it_is_turned_down(desk: FloorDesk) -> None:
    desk.open()
    approval = ask(desk, desk.table, boxes=5)
    no = {"key": str(uuid4()), "reason": "not this year", "secret": people.code(desk.people["manager"])}
    answer = desk.clients["manager"].post(f"/tables/asked/{approval.pk}/reject/", no)
    approval.refresh_from_db()
    assert (answer.status_code, approval.state) == (302, "rejected")
    assert TableVersion.objects.filter(table=desk.table).count() == 1


def test_a_retired_table_stands_folded_and_comes_back(desk: FloorDesk) -> None:
    desk.post("tech", f"{at(desk.other)}change/", **typed(desk.other, retired="1"))
    page = desk.get("tech", "set-up/")
    assert "Retired tables (1) UTH 2" in words(
        page.partition('<details class="unchanged"')[2].partition("</details>")[0]
    )
    assert "UTH 2" not in words(desk.get("boss"))
    assert "This table is retired" in words(desk.get("tech", at(desk.other)))
    desk.post("tech", f"{at(desk.other)}change/", **typed(desk.other, retired=""))
    assert "Retired tables" not in desk.get("tech", "set-up/")
    assert "UTH 2" in words(desk.get("boss"))


def test_nothing_is_set_up_at_a_retired_table(desk: FloorDesk) -> None:
    """It is on no list of what stands: no tablet, no step of a first day, no opening; its last tablet is still taken away."""
    devices.enrol(desk.other, desk.people["boss"], "Tablet")
    lone: Table = done(services.table_create, **new_table(desk), name="UTH 3")
    for table in (desk.other, lone):
        desk.post("tech", f"{at(table)}change/", **typed(table, retired="1"))
    page = desk.clients["tech"].get("/devices/", headers=ENGLISH).content.decode()
    assert ("UTH 2" in words(page), "UTH 3" in words(page)) == (True, False)
    for form in page.split("<form")[1:]:
        assert f'<option value="{desk.other.pk}"' not in form
    with pytest.raises(DeviceTableUnknown):
        device_code_make(kind="tablet", place_id=desk.other.pk, name="Tablet", by=desk.people["boss"])
    assert stored_pages(desk.house) == []
    steps = desk.clients["tech"].get("/first-steps/", headers=ENGLISH).content.decode()
    assert "Pits 1, tables 1, jackpots 1, linked tables 1." in words(steps)
    page = desk.get("boss", f"tables/{desk.other.pk}/")
    assert ("This table is retired." in words(page), "Open the table" in words(page)) == (True, False)
    fields = {"croupier": desk.nora.pk, "entry_level": "fast"}
    refused = desk.post("boss", f"tables/{desk.other.pk}/open/", REFUSED, **fields)
    assert "UTH 2 is retired." in words(refused)


BAD: dict[str, tuple[dict[str, object], str]] = {
    "letters in the boxes": ({"boxes": "six"}, "“six” is not a whole number from 0 to 999."),
    "no boxes": ({"boxes": 0}, "A table of this game has 1 to 22 boxes or seats."),
    "more boxes than the game has": ({"boxes": 23}, "A table of this game has 1 to 22 boxes or seats."),
    "letters in the place": ({"position": "x"}, "“x” is not a whole number from 0 to 999."),
    "the number of no version": ({"number": "x"}, "“x” is not a whole number from 0 to 999."),
    "another version meanwhile": ({"number": 7, "boxes": 5}, "was changed meanwhile"),
    "no name": ({"name": ""}, "Name: empty."),
    "the name of another table": ({"name": "UTH 2"}, "The name “UTH 2” is taken."),
    "the name that another will have": ({"name": "UTH 8"}, "The name “UTH 8” is taken."),
    "no pit": ({"pit": "x"}, "There is no such pit."),
    "no reason": ({"boxes": 5, "reason": ""}, "Reason: too short"),
    "nothing changed": ({}, "The table is set up like that already"),
    "no rule set": ({"trips": ""}, "The table must name one posted table each of"),
    "a rule set that is not posted": ({"trips": "Nobody's"}, "No version of “Nobody's” (Trips) is in force."),
    "linked, and retired": ({"retired": "1"}, "UTH 1 is linked to a jackpot, and would retire."),
}


@each("bad", BAD)
def test_refused_beside_the_form_which_keeps_what_was_typed(desk: FloorDesk, bad: str) -> None:
    changes, sentence = BAD[bad]
    desk.open(desk.other, desk.nora)
    sign(desk, ask(desk, desk.other, name="UTH 8"), "manager", "auditor")
    desk.open()
    page = desk.post("tech", f"{at(desk.table)}request/", REFUSED, **typed(desk.table, **({"reason": "why"} | changes)))
    form = unescape(page.partition('<form class="panel lines"')[2].partition("</form>")[0])
    assert sentence in words(form), words(form)
    for name, value in changes.items():
        if name in ("name", "boxes", "position") and value != "":
            assert f'value="{value}"' in form
    assert not Approval.objects.filter(action=CHANGE, subject_id=str(desk.table.pk)).exists()


def test_no_pit_and_no_table_of_another_house(desk: FloorDesk) -> None:
    theirs: Pit = done(services.pit_create, house_id=make_house("Other").pk, name="Theirs")
    page = desk.post("tech", f"{at(desk.other)}change/", REFUSED, **typed(desk.other, pit=theirs.pk))
    assert "There is no such pit." in words(page)
    stranger = people.signed_in(people.make(theirs.house, "x.fremd", "technician"))
    for path in ("", "change/", "request/"):
        send = stranger.post if path else stranger.get
        assert send(f"/floor/{at(desk.other)}{path}").status_code == 404
    assert set_up_of(newest_version(desk.other)).pit_id == desk.other.pit_id


def test_an_opened_table_is_not_changed_without_signatures(desk: FloorDesk) -> None:
    fields = typed(desk.table, boxes=5)
    desk.open()
    page = desk.post("tech", f"{at(desk.table)}change/", REFUSED, **fields)
    assert "it changes by signatures alone" in words(page)


def test_the_list_takes_the_same_statements_however_many_tables(desk: FloorDesk) -> None:
    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as caught:
            desk.get("tech", "set-up/")
        return len(caught)

    statements()
    few = statements()
    for number in range(4, 10):
        done(services.table_create, **new_table(desk), name=f"UTH {number}")
    assert statements() == few
