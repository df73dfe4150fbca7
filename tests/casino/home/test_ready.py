"""Ready for tonight? One list, read anew each time: signers, cashier, cash, displays, tablets, seals, verification, clock."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from casino.audit.verdict import BALANCED, IN_BREACH, Check, Verdict
from casino.devices.models import Device
from casino.home import ready
from casino.ops.models import VerifyRun
from casino.people import services
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from payouts.models import House, Seal
from tables.selectors.floor import floor_jackpots
from tests.casino.devices.devices import enrol
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.jackpot.linked import Linked
from tests.worlds import world


class Evening(Linked):
    """A house with a jackpot, its people, and its cash."""

    def __init__(self) -> None:
        super().__init__(displays=2)
        for person in (self.reto, self.bea, self.cage, people.make(self.house, "boss.r", "pit_boss")):
            Authenticator.objects.get_or_create(user=person, confirmed=True)
            Person.objects.filter(pk=person.pk).update(pin=make_password("x"))
        self.manager = people.make(self.house, "lead.r", "manager")
        self.client = people.signed_in(self.manager)

    def items(self) -> dict[str, tuple[str, str]]:
        """By item its state, and what is said of it."""
        page = self.client.get("/ready-for-tonight/", headers={"accept-language": "en"}).content.decode()
        rows = re.findall(r'<li class="(\w+)" id="ready-(\w+)">(.*?)</li>', page, re.S)
        return {code: (state, words(text).strip()) for state, code, text in rows}

    def states(self) -> dict[str, str]:
        return {code: state for code, (state, _text) in self.items().items()}


pytestmark = world(Evening)


MEND = (
    "Set up what is missing, or have somebody else with one of these roles come in; who is given one only now may act"
    " 24 hours later."
)
RESTS = (
    "must wait, because somebody else set the sign-in, roles or house within a day, or no second manager has seen the"
    " sign-in since."
)


def test_each_item_says_how_it_stands_and_what_is_to_be_done(floor: Evening) -> None:
    first = {"signers": "ready", "cashier": "ready", "cash": "ready", "displays": "not_ready"}
    rest = {"tablets": "not_ready", "seals": "unknown", "verified": "unknown", "clock": "ready"}
    assert floor.states() == first | rest
    assert floor.items()["tablets"][1].startswith("Tablets not ready No table has a tablet. Enrol one at each table.")
    assert floor.items()["displays"][1].startswith(
        "Displays not ready Not heard of: Display 1, Display 2. Switch it on"
    )
    for display in floor.sessions:
        floor.heard(display)
    assert floor.items()["displays"] == ("ready", "Displays ready Displays that are heard: 2.")


def test_who_cannot_sign_or_pay_is_named_before_a_hit(floor: Evening) -> None:
    """Also in a house that has not played yet: nobody made within a day signs or pays a prize."""
    chief = people.make(None, "chief", "manager")
    Person.objects.filter(house=floor.house, roles__overlap=["pit_boss", "manager"]).exclude(
        pk__in=[floor.reto.pk, floor.bea.pk]
    ).update(is_active=False)
    floor.client = people.signed_in(chief)
    for person in (floor.bea, floor.cage):
        services.password_reset(person=person, by=chief)
    state, text = floor.items()["signers"]
    assert (state, f"{floor.bea.full_name}: {RESTS} {MEND}" in text) == ("not_ready", True), text
    cashier = f"Cashier not ready Nobody of the cage can pay a slip now. {floor.cage.full_name}: {RESTS} {MEND} Open : Cashier"
    assert floor.items()["cashier"] == ("not_ready", cashier)


def test_cashier_without_a_pin_pays_nothing(floor: Evening) -> None:
    Person.objects.filter(pk=floor.cage.pk).update(pin="")
    state, text = floor.items()["cashier"]
    assert (state, "has no PIN, or a locked one." in text) == ("not_ready", True), text


def test_cash_below_the_highest_meter_is_not_ready(floor: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    high = {
        pk: jackpot._replace(shown_minor=60_000_000) for pk, jackpot in floor_jackpots(house_id=floor.house.pk).items()
    }
    monkeypatch.setattr(ready, "floor_jackpots", lambda **_house: high)
    state, text = floor.items()["cash"]
    sentence = "Cash not ready There is CHF 500’000.00 in the cage; the highest meter shows CHF 600’000.00. Bring the difference"
    assert (state, text.startswith(sentence)) == ("not_ready", True), text


def test_tablet_without_its_page_is_named_by_its_table(floor: Evening) -> None:
    """Issue 44-2, 44-5."""
    tablet = enrol(floor.table, floor.reto)[0]
    Device.objects.filter(pk=tablet.pk).update(page_stored=True)
    bare = (
        "not_ready",
        f"Tablets not ready Open without a tablet: {floor.other.name}. Enrol one there. Open : Tablets",
    )
    assert floor.items()["tablets"] == bare
    other = enrol(floor.other, floor.reto)[0]
    states = []
    for stored in ((None, True), (False, None), (True, True)):
        for device, page_stored in zip((tablet, other), stored, strict=True):
            Device.objects.filter(pk=device.pk).update(page_stored=page_stored)
        states.append(floor.items()["tablets"])
    assert [(state, text.split(".")[0]) for state, text in states] == [
        ("unknown", f"Tablets not known Not known before somebody signs in: {floor.table.name}"),
        ("not_ready", f"Tablets not ready Not stored on the tablet of: {floor.table.name}"),
        ("ready", "Tablets ready Each tablet has its page stored"),
    ]


@pytest.mark.parametrize(
    ("item", "ago", "ok", "state"),
    [
        ("seals", timedelta(minutes=1), True, "ready"),
        ("seals", timedelta(minutes=20), True, "not_ready"),
        ("verified", timedelta(hours=1), True, "ready"),
        ("verified", timedelta(hours=60), True, "not_ready"),
        ("verified", timedelta(hours=1), False, "not_ready"),
    ],
)
def test_seals_and_verification_are_as_old_as_they_are(
    floor: Evening, monkeypatch: pytest.MonkeyPatch, item: str, ago: timedelta, ok: bool, state: str
) -> None:
    at = timezone.now() - ago
    check = Check("balances", BALANCED if ok else IN_BREACH, {"of": 3, "amount": "0"}, at, ok=ok)
    proof = Verdict([check], Seal(number=1, taken_at=at), "", VerifyRun(ended_at=at, ok=ok))
    monkeypatch.setattr(ready, "verdict", lambda _house: proof)
    assert floor.states()[item] == state


def test_clocks_that_are_apart_are_told(floor: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    late = timezone.now() + timedelta(seconds=9)
    monkeypatch.setattr("django.utils.timezone.now", lambda: late)
    with translation.override("en"):
        item = ready._clocks()
    assert (item.state, item.text) == ("not_ready", "The clocks of program and database are 9 s apart.")


def test_list_takes_as_many_statements_for_many_people_as_for_few(floor: Evening) -> None:
    counted = []
    for number in (1, 6):
        for another in range(number):
            people.make(floor.house, f"more{number}{another}.r", "pit_boss")
        floor.items()
        with CaptureQueriesContext(connection) as statements:
            floor.items()
        counted.append(len(statements))
    assert counted == [15, 15]


@world(None)
def test_house_without_a_jackpot_needs_nobody_who_signs_prizes(house: House) -> None:
    client = people.signed_in(people.make(house, "lead.n", "manager"))
    page = client.get("/ready-for-tonight/", headers={"accept-language": "en"}).content.decode()
    assert re.findall('id="ready-(\\w+)"', page) == ["tablets", "seals", "verified", "clock"]
