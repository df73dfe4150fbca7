"""All alerts in the admin: what each said, who acknowledged it and when, whether it is over; few statements, one house alone."""

import re

from django.contrib import admin
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from casino.pit.alert_rules import CONDITIONS
from casino.pit.labels import MONEY
from casino.pit.models import Alert
from payouts.read_only import ReadOnlyAdmin
from tests.casino.people import people
from tests.casino.pit.desk import since
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.cast import make_house
from tests.worlds import world

pytestmark = world(FloorDesk)


PAGE = "/admin/casino/alert/"


def read(client, query: str = "", language: str = "en") -> str:
    response = client.get(PAGE + query, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def rows(page: str) -> list[str]:
    """The list's lines, the head without."""
    return [words(one) for one in re.findall(r"<tr>(.*?)</tr>", page.partition("<tbody>")[2], re.S)]


def raised(desk, number: int = 0, **fields) -> Alert:
    values = {"kind": "tablet_offline", "subject": f"s{number}", "data": since(desk.table)} | fields
    return Alert.objects.create(house=desk.house, **values)


def test_acknowledged_and_past_alerts_are_read(desk):
    first, second = raised(desk), raised(desk, 1)
    dark = {"jackpot": str(desk.jackpot.pk), "name": "Entrance", "since": "2026-11-21T22:14:05+00:00"}
    raised(desk, 2, kind="display_offline", data=dark)
    assert desk.clients["boss"].post(f"/pit/alerts/{first.pk}/acknowledge/").status_code == 200
    assert desk.clients["boss"].post(f"/pit/alerts/{second.pk}/acknowledge/").status_code == 200
    Alert.objects.filter(pk=first.pk).update(over_at=Now())
    name = desk.people["boss"].full_name
    newest, middle, oldest = rows(read(desk.clients["manager"]))
    assert "Display dark Progressive Nothing has been heard of “Entrance” since " in newest
    assert name not in newest
    for line in (middle, oldest):
        assert "Tablet offline UTH 1 Nothing has been heard of it since " in line
        assert name in line
    assert [line.strip().endswith("–") for line in (middle, oldest)] == [True, False]  # over or not
    assert [len(rows(read(desk.clients["manager"], f"?state={one}"))) for one in ("waiting", "standing", "over")] == [
        1
    ] * 3
    assert len(rows(read(desk.clients["manager"], "?kind=display_offline"))) == 1
    assert "Tablet offline" in read(desk.clients["auditor"], f"{first.pk}/change/")
    with translation.override("de"):
        assert "Anzeige dunkel" in read(desk.clients["manager"], language="de")


def test_it_is_read_only_and_by_who_may_read_the_books(desk):
    shown = admin.site._registry[Alert]
    assert isinstance(shown, ReadOnlyAdmin)
    one = raised(desk)
    for who, status in (("manager", 200), ("auditor", 200), ("tech", 200), ("boss", 403)):
        assert desk.clients[who].get(PAGE).status_code == status, who
    assert desk.clients["manager"].post(f"{PAGE}{one.pk}/change/", {"subject": "x"}).status_code == 403
    stranger = people.signed_in(people.make(make_house("Casino Elsewhere"), "m.elsewhere", "manager"))
    assert rows(read(stranger)) == []


def test_every_kind_has_its_words(desk):
    data = since(desk.table) | {"name": "x", "an_hour": 1, "least": 1, "most": 2, "audits": []}
    data |= dict.fromkeys(MONEY, 1)
    data |= {
        "error": "ValueError: no",
        "rounds": 3,
        "number": 7,
        "seconds": 12,
        "by": "Tim",
        "before": "Tom",
        "action": "round.correct",
        "asked": "2026-11-21T22:14:05+00:00",
    }
    for number, kind in enumerate(CONDITIONS):
        raised(desk, number, kind=kind, data=data)
    page = read(desk.clients["manager"])
    assert len(rows(page)) == len(CONDITIONS)
    assert not [kind for kind in CONDITIONS if kind in "".join(rows(page))]


def test_as_many_statements_for_many_as_for_one(desk):
    def asked() -> int:
        with CaptureQueriesContext(connection) as statements:
            read(desk.clients["manager"])
        return len(statements)

    desk.clients["boss"].post(f"/pit/alerts/{raised(desk).pk}/acknowledge/")
    read(desk.clients["manager"])
    few = asked()
    for number in range(1, 20):
        one = raised(desk, number, data=since(desk.other))
        desk.clients["boss"].post(f"/pit/alerts/{one.pk}/acknowledge/")
    assert asked() == few
