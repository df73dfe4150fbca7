"""The start page of each role: nothing waits, or what he has to do, the worst first, each with a way that opens to him."""

import re
from datetime import timedelta
from unittest.mock import patch
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.ops.models import AuditRun
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.roles import CODES
from casino.pit.alerts import alerts_derive
from jackpot import services as jackpots
from jackpot.models import Claim, Hit
from payouts.models import House
from tables import services
from tables.errors import RoundRunning
from tables.services.review import entries
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.floor import done, taps
from tests.jackpot.linked import Linked, dull, royal
from tests.watched import watched
from tests.worlds import world


@pytest.fixture(autouse=True)
def worker(db: None) -> None:
    watched()
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])


def cast(house: House) -> dict[str, Client]:
    """One of each role, with a PIN."""
    made = {role: people.make(house, f"h.{role.replace('_', '')}", role, pin=make_password("x")) for role in CODES}
    return {role: people.signed_in(person) for role, person in made.items()}


def rows(client: Client, role: str) -> list[tuple[str, str]]:
    """What waits: its title, and where it leads."""
    page = client.get(f"/home/{role}/", headers={"accept-language": "en"})
    assert page.status_code == 200
    found = page.content.decode().partition('<ul class="waiting">')[2].partition("</ul>")[0].split("</li>")[:-1]
    links = [re.search(r'<a [^>]*href="([^"]+)"', one) for one in found]
    return [
        (words(one.partition("<strong>")[2].partition("</strong>")[0]), link[1] if link else "")
        for one, link in zip(found, links, strict=True)
    ]


def test_each_role_is_told_that_nothing_waits(house: House) -> None:
    for role, client in cast(house).items():
        assert rows(client, role) == [], role
        assert "Nothing waits for you." in words(
            client.get(f"/home/{role}/", headers={"accept-language": "en"}).content.decode()
        ), role


@world(Linked)
def test_each_sees_what_he_has_to_do_and_can_open_it(linked: Linked) -> None:
    clients = cast(linked.house)
    floor(linked)
    Person.objects.filter(username="h.croupier").update(pin_locked_at=timezone.now())
    Person.objects.filter(username="h.auditor").update(sign_in_locked_until=timezone.now() + timedelta(hours=1))
    AuditRun.objects.create(seconds=1, ok=False, breaches=[{"audit": "entries_sum_to_zero", "rows": []}])
    seen = {role: rows(client, role) for role, client in clients.items()}
    titles = {role: [title for title, _href in found] for role, found in seen.items()}
    books, claim = "The books do not agree", f"{linked.jackpot.name} · Claim 1"
    assert titles == {
        "croupier": ["Your PIN is locked"],
        "pit_boss": [claim, "UTH 2 · Correction of a round", "UTH 2: round played offline", "PIN locked"],
        "cage": [],
        "auditor": [books],
        "surveillance": [],
        "technician": [books],
        "manager": [claim, books, "UTH 2 · Correction of a round", "PIN locked", "Sign-in locked"],
    }
    for role, found in seen.items():
        for title, href in found:
            if title != "Your PIN is locked":  # others unlock it
                assert clients[role].get(href.partition("#")[0]).status_code in (200, 503), (role, title, href)


def floor(linked: Linked) -> None:
    """A claim to be looked at, a correction to be signed, an entry to be clarified."""
    ids = {"house_id": linked.house.pk}
    plain = linked.start(1, coins=0)
    linked.end(1, plain, dull())
    linked.end(0, linked.start(0), royal("h"))
    result = taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"})
    prepared = services.round_evaluate(**ids, round_id=plain, result=result, state="settled")
    done(services.round_correction_request, prepared=prepared, person_id=linked.reto.pk, reason="seen on camera")
    late = {"table_id": linked.tables[1].pk, "round_id": uuid4(), "kind": "queued", "payload": {}}
    with patch.object(entries, "check_form"):
        done(services.review_item_record, **ids, **late, refused=RoundRunning(), person_id=linked.reto.pk)


def test_who_works_with_a_pin_is_led_to_set_it(house: House) -> None:
    for role in CODES:
        found = rows(people.signed_in(people.make(house, f"n.{role.replace('_', '')}", role)), role)
        assert found == ([("Set PIN", "/pin/")] if role in ("croupier", "pit_boss", "cage") else []), role


@world(Linked)
def test_what_one_has_signed_waits_for_him_no_more(linked: Linked) -> None:
    linked.end(0, linked.start(0), royal("h"))
    linked.advance()
    linked.verify_all()
    manager = people.make(linked.house, "h.one", "manager")
    client = people.signed_in(manager)
    asked = linked.asked()
    (row,) = rows(client, "manager")
    assert row == (
        f"{linked.jackpot.name} · Payment of the jackpot",
        f"/pit/jackpots/{linked.jackpot.pk}/#asked-{asked.pk}",
    )
    linked.sign(asked, manager)
    assert rows(client, "manager") == []


@world(Linked)
def test_hit_of_which_nothing_is_asked_waits_for_who_can_take_it_on(linked: Linked) -> None:
    """A false alarm freezes the tables: who looks at claims is led to where its rejection is asked for, and then who signs that."""
    clients = cast(linked.house)
    called = linked.start(0)
    linked.call(0, called)
    linked.end(0, called, dull())
    linked.advance()
    titles = {role: [title for title, _href in rows(client, role)] for role, client in clients.items()}
    waits = f"{linked.jackpot.name} · Hit waits for the pit"
    assert titles == {role: [waits] if role in ("pit_boss", "manager") else [] for role in CODES}
    way = f"/pit/jackpots/{linked.jackpot.pk}/#step-verified"
    assert rows(clients["manager"], "manager") == [(waits, way)]
    page = clients["manager"].get("/home/manager/", headers={"accept-language": "en"}).content.decode()
    waiting = words(page.partition('<ul class="waiting">')[2].partition("</ul>")[0])
    assert "No claim is true: ask for the hit to be rejected, another person signs it." in waiting
    since = max(Claim.objects.get().decided_at, Hit.objects.get().drained_at)  # dropped as its round ends, then drained
    assert f"{since.astimezone(ZoneInfo(linked.house.time_zone)):%H:%M:%S}" in waiting
    alerts_derive()  # its alert on the board is not told twice, and acknowledged or not, the hit waits
    assert rows(clients["manager"], "manager") == [(waits, way)]
    ids = {"house_id": linked.house.pk, "hit_id": Hit.objects.get().pk}
    asked = done(jackpots.hit_reject_request, **ids, person_id=linked.reto.pk, reason="a misread card")
    signs = (f"{linked.jackpot.name} · Rejection of a jackpot hit", way.replace("step-verified", f"asked-{asked.pk}"))
    assert rows(clients["manager"], "manager") == [signs]


@world(Linked)
def test_hit_whose_claim_was_refused_waits_for_everybody_but_who_dealt_its_round(linked: Linked) -> None:
    clients = cast(linked.house)
    dealer = linked.croupiers[0]
    Person.objects.filter(pk=dealer.pk).update(roles=["croupier", "pit_boss"], pin=make_password("x"))
    Authenticator.objects.create(user=dealer, name="authenticator", confirmed=True)
    linked.end(0, linked.start(0), royal("h"))
    linked.advance()
    ids = {"house_id": linked.house.pk, "claim_id": Claim.objects.get().pk}
    done(jackpots.claim_refuse, **ids, person_id=linked.reto.pk, reason="a misread card")
    waits = f"{linked.jackpot.name} · Hit waits for the pit"
    assert [title for title, _href in rows(clients["pit_boss"], "pit_boss")] == [waits]
    dealer.refresh_from_db()
    assert rows(people.signed_in(dealer), "pit_boss") == []


@world(Linked)
def test_as_many_statements_for_many_things_as_for_one(linked: Linked) -> None:
    client = cast(linked.house)["manager"]
    counted = []
    for more in range(2):
        floor(linked) if not more else another(linked)
        rows(client, "manager")
        with CaptureQueriesContext(connection) as statements:
            assert len(rows(client, "manager")) == (2, 4)[more]
        counted.append(len(statements))
    assert counted[0] == counted[1]


def another(linked: Linked) -> None:
    """Two people more who are locked out."""
    for name in ("one", "two"):
        people.make(linked.house, f"z.{name}", "croupier", pin_locked_at=timezone.now())
