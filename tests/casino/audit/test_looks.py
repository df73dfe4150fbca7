"""Every look is kept once, also of searches that begin alike and of verifications, and the report of looks tells them all."""

import csv
import io

import pytest
from django.db.models.functions import Now
from django.test import Client
from openpyxl import load_workbook

from casino.audit.runs import verify_ask
from casino.ops.models import VerifyRun
from casino.people.models import Person
from payouts.models import Event, House
from tests.casino.audit.desk import ENGLISH
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.cast import make_house

FORMULAS = ("=a+1", "+1", "-1", "@x")


@pytest.fixture
def house(db: None, settings) -> House:
    plain_settings(settings)
    return make_house()


@pytest.fixture
def client(house: House) -> Client:
    return people.signed_in(people.make(house, "vera.c", "auditor", language="en"))


def taken_home(client: Client, form: str) -> bytes:
    response = client.get(f"/audit/reports/looks/?format={form}", headers=ENGLISH)
    assert response.status_code == 200
    return response.content


def searches() -> list[dict[str, str]]:
    return list(Event.objects.filter(name="audit.searched").order_by("pk").values_list("after", flat=True))


def test_words_that_were_searched_for_are_no_formulas_in_any_format(client: Client) -> None:
    for text in FORMULAS:
        assert client.get("/audit/", {"q": text}).status_code == 200
    for form, delimiter in (("csv", ","), ("excel", ";")):
        text = taken_home(client, form).decode("utf-8-sig")
        cells = [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) for cell in row]
        assert {f"'{one}" for one in FORMULAS} <= set(cells)
        assert [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")] == []
    sheet = load_workbook(io.BytesIO(taken_home(client, "xlsx"))).worksheets[0]
    found = {cell.value: cell for row in sheet.iter_rows() for cell in row}
    for text in FORMULAS:
        assert (found[text].data_type, found[text].quotePrefix) == ("s", True)


def test_searches_that_differ_in_any_filter_are_two_looks(house: House, client: Client) -> None:
    """R-13: whom somebody looked up is not hidden behind whom he looked up before."""
    first, second = (str(people.make(house, name).pk) for name in ("a.eins", "b.zwei"))
    long = "x" * 64
    asked = [{"kind": "rounds", "person": pk} for pk in (first, second)] + [{"q": f"{long}a"}, {"q": f"{long}b"}]
    for one in [*asked, *asked]:  # each of them again: no other look
        assert client.get("/audit/", one).status_code == 200
    assert searches() == asked


def test_the_same_search_in_two_houses_is_two_looks(house: House) -> None:
    other = make_house("Casino Elsewhere")
    client = people.signed_in(people.make(None, "chief.all", "manager"))
    for one in (house, other, house):
        client.get("/audit/", {"q": "Muster", "house": str(one.pk)})
    looks = Event.objects.filter(name="audit.searched").order_by("pk")
    assert list(looks.values_list("house_id", flat=True)) == [house.pk, other.pk]


def ended_run(person: Person) -> VerifyRun:
    run = VerifyRun.objects.create(asked_by=person)
    rows = VerifyRun.objects.filter(pk=run.pk)
    rows.update(state="running", begun_at=Now())
    rows.update(state="done", ended_at=Now(), ok=True, checks=[])
    return run


def test_findings_that_the_verify_page_shows_are_a_look(house: House, client: Client) -> None:
    seen = Event.objects.filter(name="audit.viewed", subject_kind="verify_run")
    client.get("/audit/verify/")  # nothing was found yet
    assert not seen.exists()
    run = ended_run(Person.objects.get(username="vera.c"))
    for _time in range(2):
        client.get("/audit/verify/")
    assert [one.subject_id for one in seen] == [str(run.pk)]


def test_looks_of_who_is_of_no_house_stand_in_the_report_of_the_only_house(house: House) -> None:
    chief = people.make(None, "chief.all", "manager")
    client = people.signed_in(chief)
    ended_run(chief)
    client.get("/audit/verify/")
    client.get(f"/audit/people/{chief.pk}/")
    verify_ask(person_id=chief.pk, house_id=None)

    def told() -> set[tuple[str, str]]:
        rows = csv.DictReader(io.StringIO(taken_home(reader, "csv").decode(), newline=""))
        return {(row["what"], row["subject"]) for row in rows}

    reader = people.signed_in(people.make(house, "vera.c", "auditor"))
    assert told() >= {("audit.viewed", "verify_run"), ("audit.viewed", "person"), ("verify.asked", "verify_run")}
    make_house("Casino Elsewhere")  # of two houses none is told what is of neither
    assert told() <= {("report.looked", "report")}
