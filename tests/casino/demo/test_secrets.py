"""Where a form asks for a code or a PIN, the demo shows who is signed in his own; outside nothing of it is there."""

import re
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from casino.demo import people as demo
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.pins import pin_set
from jackpot.models import Jackpot
from jackpot.services import jackpot_request
from payouts.models import PostedTable
from payouts.selectors import gaming_day_at
from payouts.services import posted_table_draft, posted_table_request
from tables.kinds import KINDS
from tests.casino.people import people
from tests.floor import done

TEMPLATES = Path(settings.BASE_DIR) / "templates"
SHOWN = re.compile(r"data-demo-fill[^>]*>(\d{6})<")


@pytest.fixture
def demo_on(settings, db: None, time_machine) -> None:
    settings.DEMO = True
    demo.demo_load()
    time_machine.move_to(people.step_now() * 30, tick=False)  # a code stands for half a minute


def person(username: str) -> Person:
    return Person.objects.get(username=username)


def own_code(username: str) -> str:
    return demo.code_now(Authenticator.objects.get(user__username=username))


def asked_of_the_jackpot() -> str:
    jackpot = Jackpot.objects.get()
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "person_id": person("a.gantenbein").pk}
    done(jackpot_request, **ids, action="jackpot.suspend", payload={"reason": "a fault"})
    return f"/floor/jackpots/{jackpot.pk}/"


def asked_of_a_posted_table() -> str:
    drafter = person("a.gantenbein").pk
    tomorrow = gaming_day_at(house_id=person("a.gantenbein").house_id) + timedelta(1)
    start = PostedTable.objects.get(kind="trips")
    table = done(
        posted_table_draft,
        house_id=start.house_id,
        kind=KINDS["trips"],
        name="Trips B",
        data=start.data,
        actor_id=drafter,
    )
    done(posted_table_request, table_id=table.pk, kind=KINDS["trips"], in_force_from=tomorrow, actor_id=drafter)
    return f"/posted-tables/{table.pk}/"


TOKEN = re.compile(r'value="\w{64}"')  # of a form: by chance it spells any short word
ASKED = {"a hit, a display, a suspension": asked_of_the_jackpot, "a posted table": asked_of_a_posted_table}


@pytest.mark.parametrize("what", ASKED)
def test_who_is_to_sign_reads_his_own_code_beside_the_field(demo_on: None, what: str, settings) -> None:
    address = ASKED[what]()
    boss = people.signed_in(person("b.zumstein"))
    page = boss.get(address).content.decode()
    assert SHOWN.findall(page) == [own_code("b.zumstein")] * 2  # to sign, and to reject
    assert boss.get("/sign-in/demo/").json()["own"] == own_code("b.zumstein")
    asker = people.signed_in(person("a.gantenbein")).get(address).content.decode()
    assert SHOWN.findall(asker) == []  # nobody signs what he asked for himself
    settings.DEMO = False
    real = people.signed_in(people.make(person("b.zumstein").house, "m.ernst", "manager"))
    page = real.get(address).content.decode()
    assert 'autocomplete="one-time-code"' in page
    assert "demo" not in TOKEN.sub("", page).lower()
    assert real.get("/sign-in/demo/").status_code == 404


def test_the_pin_is_shown_as_long_as_it_is_the_demos(demo_on: None, settings) -> None:
    from casino.demo.secrets import demo_secret

    boss = person("r.caduff")
    assert demo_secret(boss, "pin") == "381926"
    pin_set(person=boss, pin="204861")
    assert demo_secret(person("r.caduff"), "pin") == ""  # he alone knows his own
    settings.DEMO = False
    assert demo_secret(person("l.bianchi"), "pin") == demo_secret(person("l.bianchi"), "totp") == ""


def test_whoever_is_new_sets_his_authenticator_up_without_a_telephone(demo_on: None, client: Client) -> None:
    new = people.make(person("m.frei").house, "n.neu", "croupier", enrolled=False, is_demo=True)
    assert people.sign_in(client, new, code_given="").status_code == 302
    page = client.get("/sign-in/authenticator/").content.decode()
    [code] = SHOWN.findall(page)
    assert client.post("/sign-in/authenticator/", {"code": code}).headers["Location"] == "/"


def test_every_form_that_asks_for_a_code_has_it_beside_the_field() -> None:
    """One form more, and its demo person would stand before a code that he cannot see."""
    asks = re.compile(r"one-time-code|\.secret \}\}|form=\S*(?:sign|pay|take_back)\b")
    asking = {path.name: path.read_text() for path in TEMPLATES.rglob("*.html")}
    asking = {name: text for name, text in asking.items() if asks.search(text)}
    assert len(asking) >= 7
    told = ("{% demo_secret ", "parts/secret.html")
    assert [name for name, text in asking.items() if not any(one in text for one in told)] == []


def test_a_real_person_in_a_demo_house_is_told_nothing(demo_on: None) -> None:
    from casino.demo.secrets import demo_secret

    real = people.make(person("m.frei").house, f"r{uuid4().hex[:6]}", "pit_boss")
    assert demo_secret(real, "totp") == demo_secret(None, "totp") == ""
