"""What is looked for by several things at once: each kind is narrowed by all of them, or says by what it cannot be."""

from collections.abc import Iterator
from itertools import combinations
from uuid import uuid4
from zoneinfo import ZoneInfo

from casino.audit.lists import FIELDS, KINDS
from casino.devices.models import DeviceSession
from casino.people.models import Person
from jackpot.models import Award, Hit, Slip
from payouts.models import Entry, Transfer
from tables.models import Round
from tests.casino.audit.desk import ENGLISH, Desk
from tests.casino.people import people


def asked(desk: Desk, **query: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """By kind, the addresses of what was found; by kind that was not looked through, what it cannot be found by."""
    response = desk.client.get("/audit/", query, headers=ENGLISH)
    assert response.status_code == 200
    found = {one.kind: [row.href for row in one.rows] for one in response.context["lists"]}
    return found, {one.kind: one.fields for one in response.context["passed"]}


def dealer(desk: Desk) -> Person:
    """Who dealt the corrected round, under a name that nobody else has."""
    person = desk.corrected.croupier
    assert person is not None
    Person.objects.filter(pk=person.pk).update(full_name="Xenia Zgraggen")
    return Person.objects.get(pk=person.pk)


def test_a_name_and_any_other_thing_narrow_rounds_together(desk: Desk) -> None:
    who, row = dealer(desk), desk.corrected
    own = {f"/audit/rounds/{one.pk}/" for one in Round.objects.filter(croupier=who)}
    local = row.locked_at.astimezone(ZoneInfo(desk.house.time_zone))
    line = row.lines.filter(revision=row.revision, won_minor__gt=0)[0]
    for more in (f"{local:%H:%M:%S}", "UTH 3", f"No. {row.number}", f"CHF {line.won_minor / 100:.2f}"):
        for words in (f"Zgraggen {more}", f"{more} zgraggen"):
            rounds = asked(desk, q=words)[0]["rounds"]
            assert f"/audit/rounds/{row.pk}/" in rounds, words
            assert set(rounds) <= own, words
    assert "rounds" not in asked(desk, q=f"Zgraggen CHF {line.won_minor / 100 + 0.01:.2f}")[0]
    assert "rounds" not in asked(desk, q="Zgraggen UTH 1")[0]  # he dealt at UTH 3 only


def test_a_name_narrows_hits_slips_and_transfers_too(desk: Desk) -> None:
    slip = Slip.objects.filter(state="paid").order_by("number")[0]
    payer = slip.paid_by
    assert payer is not None
    Person.objects.filter(pk=payer.pk).update(full_name="Ylva Brunnschweiler")
    found, _ = asked(desk, q=f"Brunnschweiler No. {slip.number}")
    assert len(found["slips"]) == 1
    assert found["slips"][0].endswith(f"#slip-{slip.number}")
    assert "slips" not in asked(desk, q=f"Caminada No. {slip.number}")[0]
    transfer = Transfer.objects.filter(actor=payer).order_by("-pk")[0]
    assert asked(desk, q=f"Brunnschweiler {transfer.pk}")[0]["transfers"] == [f"/audit/transfers/{transfer.pk}/"]
    assert "transfers" not in asked(desk, q=f"Caminada {transfer.pk}")[0]
    caller = desk.paid.claims.order_by("number")[0].made_by
    assert caller is not None
    assert f"/audit/hits/{desk.paid.pk}/" in asked(desk, kind="hits", person=str(caller.pk))[0]["hits"]
    stranger = people.make(desk.house, "nie.da", "manager")
    assert asked(desk, kind="hits", person=str(stranger.pk))[0] == {"hits": []}


def test_people_devices_and_versions_are_found_by_who_had_to_do_with_them(desk: Desk) -> None:
    boss = desk.tablet.enrolled_by
    assert asked(desk, kind="devices", person=str(boss.pk))[0] == {"devices": [f"/audit/devices/{desk.tablet.pk}/"]}
    assert asked(desk, kind="devices", person=str(desk.auditor.pk))[0] == {"devices": []}
    assert asked(desk, kind="people", person=str(boss.pk))[0] == {"people": [f"/audit/people/{boss.pk}/"]}
    assert DeviceSession.objects.filter(device=desk.tablet, person=desk.auditor).count() == 0


def test_an_account_is_found_by_its_balance(desk: Desk) -> None:
    entry = Entry.objects.filter(account__house=desk.house, account__kind="circulation").order_by("-pk")[0]
    account = entry.account
    words = f"CHF {abs(account.balance_minor) / 100:.2f}"
    assert f"/audit/accounts/{account.pk}/" in asked(desk, kind="accounts", q=words)[0]["accounts"]


def test_what_cannot_be_found_by_all_of_it_says_so(desk: Desk) -> None:
    _found, passed = asked(desk, q="UTH 3 22:14 CHF 15.00")
    assert passed["accounts"] == ["Time"]
    assert passed["posted"] == ["Table", "Time", "Amount"]
    assert "rounds" not in passed
    found, passed = asked(desk, kind="people", q="22:14")
    assert (found, passed) == ({}, {"people": ["Time"]})
    said = desk.said(kind="people", q="22:14")
    assert "Not searched through" in said
    assert "People not by: Time" in said
    assert "Nothing was found." not in said
    assert asked(desk)[1] == {}


def fields() -> Iterator[dict[str, str]]:
    """Every pair of what can be typed."""
    one = {"number": "No. 7", "at": "22:14", "amount_minor": "CHF 15.00", "table": "UTH 3", "name": "Nobodyatall"}
    for first, second in combinations(one, 2):
        yield {first: one[first], second: one[second]}


def test_of_every_pair_each_kind_answers_or_says_what_it_cannot(desk: Desk) -> None:
    for given in fields():
        words = " ".join(given.values())
        for kind in KINDS:
            found, passed = asked(desk, kind=kind.code, q=words)
            lacks = [str(FIELDS[name]) for name in FIELDS if name in given and name not in kind.answers]
            assert passed == ({kind.code: lacks} if lacks else {}), (kind.code, words)
            assert list(found) == ([] if lacks else [kind.code]), (kind.code, words)


def test_an_id_that_nothing_has_finds_nothing_and_that_of_a_slip_leads_to_it(desk: Desk) -> None:
    found, passed = asked(desk, q=str(uuid4()))
    assert (found, passed) == ({}, {})
    award = Award.objects.filter(hit=desk.paid).select_related("slip")[0]
    for pk in (award.pk, award.slip.pk):
        response = desk.client.get("/audit/", {"q": str(pk)})
        assert response["Location"] == f"/audit/hits/{desk.paid.pk}/#slip-{award.slip.number}"
    assert Hit.objects.filter(pk=desk.paid.pk).exists()


def test_a_name_that_many_have_is_no_person(desk: Desk) -> None:
    for number in range(13):
        Person.objects.filter(pk=people.make(desk.house, f"many.{number}", "croupier").pk).update(
            full_name="Ruth Ammann"
        )
    found, passed = asked(desk, q="Ammann")
    assert len(found["people"]) == 5
    assert passed["rounds"] == ["Name"]
    assert "Person: Xenia Zgraggen" in (dealer(desk) and desk.said(q="Zgraggen"))
