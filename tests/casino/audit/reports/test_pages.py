"""Who may look, what is refused and how it is said, what is recorded, how much is asked of the database."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.audit.reports import views
from casino.audit.reports.kinds import KINDS
from casino.people.models import Person
from casino.people.roles import CODES
from payouts.models import Event
from tests.casino.audit.reports.asked import page
from tests.casino.audit.reports.evening import HOSTILE, Evening
from tests.casino.people import people
from tests.turns import each

MAY = {"auditor", "manager"}
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@each("role", CODES)
def test_auditor_and_manager_look_and_nobody_else(evening: Evening, db: None, role: str) -> None:
    person = people.make(evening.house, f"r.{role.replace('_', '')}", role)
    client = people.signed_in(person)
    before = Event.objects.count()
    statuses = {client.get(f"/audit/reports/{path}").status_code for path in ("", *(f"{kind}/" for kind in KINDS))}
    posted = client.post("/audit/reports/slips/", {"format": "nothing"}).status_code
    assert (statuses, posted) == (({200}, 422) if role in MAY else ({403}, 403))
    assert Event.objects.count() - before == (len(KINDS) if role in MAY else 0)


@each(
    ("kind", "asked", "says"),
    [
        ("results", "from=2026-11-22&to=2026-11-21", "is no range of gaming days"),
        ("results", "from=2026-11-22", "is no range of gaming days"),
        ("results", "from=2026-02-30&to=2026-03-01", "is no range of gaming days"),
        ("results", "from=9999-12-31&to=9999-12-31", "is no range of gaming days"),
        ("results", "from=%3Cscript%3E&to=2026-03-01", "is no range of gaming days"),
        ("results", "from=2026-01-01&to=2026-12-31", "at most 93 gaming days at once, not 365"),
        ("access", "from=2026-01-01&to=2026-02-15", "at most 31 gaming days at once, not 46"),
        ("results", f"table={UNKNOWN}", "Nothing in this house is found"),
        ("results", "table=%3Cb%3E", "Nothing in this house is found"),
        ("results", f"version={UNKNOWN}", "Nothing in this house is found"),
        ("results", f"croupier={UNKNOWN}", "Nothing in this house is found"),
        ("results", "by=year", "Nothing in this house is found"),
        ("slips", f"person={UNKNOWN}", "is not filtered by"),
        ("payouts", "least=-5", "is no amount"),
        ("payouts", "least=1.234", "is no amount"),
        ("payouts", "least=" + "9" * 40, "is no amount"),
        ("slips", "format=docx", "There is no format"),
        ("slips", "after=7", "no such page"),
        ("slips", "after=-100", "no such page"),
        ("slips", "after=100", "no such page"),
        ("slips", "after=%D9%A1%D9%A0%D9%A0", "no such page"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(evening: Evening, kind: str, asked: str, says: str) -> None:
    before = Event.objects.count()
    response = page(evening, f"{kind}/?{asked}", status=422)
    text = response.content.decode()
    assert says in text
    assert 'role="alert"' in text
    assert "<script>" not in text
    assert Event.objects.count() == before
    assert page(evening, f"{kind}/?format=csv&{asked}", status=422)


def test_what_another_house_has_is_not_there(evening: Evening) -> None:
    assert page(evening, "nothing/", status=404)
    assert page(evening, f"runs/{UNKNOWN}/", status=404)


def test_a_look_is_recorded_with_what_was_asked_and_which_state_it_was(evening: Evening, db: None) -> None:
    day = evening.day.isoformat()
    table = evening.tables[0]
    response = page(evening, f"results/?from={day}&to={day}&table={table.pk}&by=hour&format=csv")
    event = Event.objects.order_by("-pk")[0]
    assert (event.name, event.actor_id, event.subject_id) == ("report.looked", evening.auditor.pk, "results")
    asked = {"from": day, "to": day, "table": str(table.pk), "by": "hour"}
    assert event.after["asked"] == asked
    assert (event.after["format"], event.after["sha256"]) == ("csv", response["X-Data-SHA256"])


def test_hostile_texts_are_texts(evening: Evening) -> None:
    day = evening.day.isoformat()
    text = page(evening, f"corrections/?from={day}&to={day}").content.decode()
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    table = page(evening, f"corrections/?from={day}&to={day}&format=csv").content.decode()
    assert '"\'=HYPERLINK(""http://x"")' in table
    assert HOSTILE.startswith("=")


def test_pages_follow_one_another_and_say_when_something_came_between(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "PAGE", 5)
    day = evening.day.isoformat()
    address, seen = f"hits/?from={day}&to={day}", 0
    while address:
        text = page(evening, address).content.decode()
        seen += len(re.findall(r"<tr><td", text))
        assert "Something was booked since" not in text
        found = re.search(r'rel="next" href="([^"]*)"', text)
        address = f"hits/{found[1].replace('&amp;', '&')}" if found else ""
    with_all = page(evening, f"hits/?from={day}&to={day}&format=csv").content.decode().splitlines()
    assert seen == len(with_all) - 1
    moved = page(evening, f"hits/?from={day}&to={day}&after=5&hash={'0' * 64}").content.decode()
    assert "Something was booked since" in moved


# What is named by its id: a statement to find of which kind each is, and one for each kind.
NAMED = {"approvals": 9, "parameters": 3}


@each("kind", sorted(KINDS))
def test_a_page_asks_the_same_number_of_statements_however_many_lines_it_has(evening: Evening, kind: str) -> None:
    day = evening.day.isoformat()
    client = people.signed_in(evening.auditor)

    def statements(asked: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as caught:
            assert client.get(f"/audit/reports/{kind}/?{asked}").status_code == 200
        return len(caught)

    empty, full = statements("from=2020-01-01&to=2020-01-02"), statements(f"from={day}&to={day}")
    assert full - empty == NAMED.get(kind, 0)
    assert full <= 32


def test_the_house_of_a_manager_of_all_houses_is_the_only_one(evening: Evening, db: None) -> None:
    chief = Person.objects.create(username="chief", full_name="Chief", roles=["manager"])
    client = people.make(None, "chief.all", "manager")
    assert people.signed_in(client).get("/audit/reports/slips/").status_code == 200
    assert chief.house_id is None
