"""A table that is called otherwise today: records of before name it as it was called then, and say the name of today once."""

import re
from datetime import timedelta
from typing import Any

from django.utils import timezone, translation

from casino.audit.found import acts
from casino.devices.models import DeviceSession
from casino.records.names import Names
from payouts.models import Event
from tables import services
from tables.models import TableSession
from tests.casino.audit.desk import ENGLISH, Desk
from tests.casino.audit.test_hands import AuditedRoom
from tests.casino.pit.floor.floor_desk import words
from tests.floor import done
from tests.poker import of_stay
from tests.tables.test_changes import close, request, sign
from tests.worlds import world

ACTS = {
    "en": ["Table: changed", "Table: change decided"],
    "de": ["Tisch: geändert", "Tisch: Änderung beschlossen"],
    "fr": ["Table\u202f: modification", "Table\u202f: modification décidée"],
    "it": ["Tavolo: modifica", "Tavolo: modifica decisa"],
}


def rename(floor: Any, table: Any, name: str) -> None:
    close(floor, table)
    sign(floor, request(floor, table, name=name))


def test_a_round_says_both_names_and_everything_else_that_of_then(desk: Desk) -> None:
    signed_in = {"device": desk.tablet, "person": desk.lived.croupiers[0]}
    DeviceSession.objects.create(**signed_in, expires_at=timezone.now() + timedelta(hours=8))
    ids = {"house_id": desk.house.pk, "round_id": desk.lived.start(0), "person_id": desk.lived.reto.pk}
    done(services.round_void, **ids, reason="misdeal")
    for number, table in enumerate(desk.lived.tables, 1):
        rename(desk.lived, table, f"Salon {number}")
    page = desk.said(f"rounds/{desk.corrected.pk}/")
    assert "UTH 3, round" in page
    assert "Table today Salon 3" in page
    assert page.count("Salon") == 1
    session = TableSession.objects.get(table=desk.corrected.table_id)
    names = {"tables.round": [str(desk.corrected.pk)], "tables.tablesession": [str(session.pk)]}
    names |= {"tables.guest": [str(desk.lived.guests[2][0].pk)]}
    known = Names(names)
    assert {kind for kind, [pk] in names.items() if "UTH 3" in known.name([kind], pk)} == {*names}
    titles = desk.found(kind="rounds", table=str(desk.corrected.table_id))["rounds"]
    assert {title.split(",")[0] for title in titles} == {"UTH 3"}
    assert "UTH 3, Rounds" in desk.said(f"posted/{session.versions['trips']}/")
    assert "UTH 1, round" in desk.said(f"devices/{desk.tablet.pk}/")
    answer = desk.client.get("/audit/", {"kind": "slips"}, headers=ENGLISH)
    slips = " ".join(row.text for kind in answer.context["lists"] for row in kind.rows)
    assert "UTH 1" in slips
    assert "Salon" not in slips


@world(AuditedRoom)
def test_a_hand_says_both_names_and_its_file_that_of_then(floor: AuditedRoom) -> None:
    for stay in floor.stays:
        of_stay(floor, stay, "stay_leave", counted_minor=50_00)
    rename(floor, floor.raked, "Salon")
    page = words(floor.client.get(f"/audit/hands/{floor.first.pk}/", headers=ENGLISH).content.decode())
    assert "Poker 1, hand 1" in page
    assert "Table today Salon" in page
    assert floor.client.get(f"/audit/hands/{floor.first.pk}/json/").json()["table_name"] == "Poker 1"
    assert {title.split(",")[0] for title in floor.titles(kind="hands")} == {"Poker 1"}


def test_the_acts_of_a_change_are_in_words(desk: Desk) -> None:
    """The pit by its name, what is posted by its title."""
    rename(desk.lived, desk.lived.tables[2], "Salon")
    rows = Event.objects.filter(name__in=("table.version_made", "table.changed"))
    for language, titles in ACTS.items():
        with translation.override(language):
            entries = acts(rows, (), 2)
        assert [act.title for act in entries] == titles
        assert {act.more for act in entries} == {entries[0].more}
        assert not re.search("_|[0-9a-f]{8}-", entries[0].more)
    with translation.override("en"):
        before, after = acts(rows, (), 1)[0].more.split("What is after:")
    posted = "Blind: UTH Blind Trips: UTH Trips Opening hours: Rund um die Uhr Stakes of the game: UTH 5–50"
    rest = f"Boxes: 7 What is posted: {posted} Rules of the floor: Bad Ragaz Out of service: no"
    assert before.split() == f"What was before: Pit: Pit 1 Name: UTH 3 {rest} Version: 1 Place in the list: 0".split()
    assert after.split() == f"Pit: Pit 1 Name: Salon {rest} Version: 2 Place in the list: 0".split()
