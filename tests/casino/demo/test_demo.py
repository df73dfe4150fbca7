"""Demo mode on and off: on, everything is shown; off, no demo person exists, signs in or stays signed in."""

import io
from collections import Counter

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from casino.demo import floor, rulesets
from casino.demo import people as demo
from casino.demo.floor import CHIPS, FILL_MINOR
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.pins import pin_verify
from casino.people.refusals import DemoRefused
from casino.people.roles import CODES
from casino.rulesets.signers import prize_lacks
from jackpot.models import Jackpot
from jackpot.selectors.jackpots import meter_read
from payouts.audit import run_audits
from payouts.models import Account, ApprovalRule, ApprovalSignature, House, PostedTable
from payouts.rules.chips import pieces_of, worth
from payouts.selectors import chips_issued
from tables.errors import TableUncounted
from tables.models import Table
from tables.services import count_begin, count_enter, count_witness, table_open
from tests.casino.people import people
from tests.counts import opener_signed
from tests.databases import owner
from tests.floor import done


@pytest.fixture
def demo_on(settings, db: None) -> None:
    settings.DEMO = True
    demo.demo_load()


def enter(client: Client, person: demo.DemoSignIn) -> int:
    data = {"username": person.username, "password": person.password, "code": person.code}
    return client.post("/sign-in/", data).status_code


def test_demo_has_one_person_for_each_role_a_second_pit_boss_and_a_croupier_for_each_table(demo_on: None) -> None:
    found = Counter(code for person in Person.objects.all() for code in person.roles)
    assert found == dict.fromkeys(CODES, 1) | {"croupier": Table.objects.count(), "pit_boss": 2}
    assert set(Person.objects.values_list("is_demo", "house__name")) == {(True, "Casino Bad Ragaz")}


def test_every_demo_person_signs_in_with_what_is_shown_also_at_once_again(demo_on: None) -> None:
    for _ in range(3):  # within 30 s: each code is taken once, the page shows the next
        for person in demo.demo_sign_ins():
            assert enter(Client(), person) == 302, person


def test_a_code_that_was_used_a_moment_ago_still_signs_a_demo_person_in_and_nobody_else(demo_on: None) -> None:
    """`make demo` signs in as the person whose code the page has filled in: the click must not fail for that."""
    shown = demo.demo_sign_ins()[0]
    assert [enter(Client(), shown) for _ in range(3)] == [302, 302, 302]
    real = people.make(House.objects.get(), "r.eal")
    secrets = {"username": "r.eal", "password": people.PASSWORD, "code": people.code(real)}
    assert [Client().post("/sign-in/", secrets).status_code for _ in range(2)] == [302, 200]


def test_shown_code_comes_back_to_the_clock(demo_on: None, time_machine) -> None:
    """Early codes make the device believe that the telephone is fast; later sign-ins take that back."""
    for _ in range(3):
        assert enter(Client(), demo.demo_sign_ins()[0]) == 302
    device = Authenticator.objects.get(user__username="m.frei")
    assert device.drift > 0
    for minute in range(1, 6):
        time_machine.move_to(people.step_now() * 30 + 60 * minute)
        assert enter(Client(), demo.demo_sign_ins()[0]) == 302
    device.refresh_from_db()
    assert device.drift == 0


def test_demo_pins_are_set(demo_on: None) -> None:
    for username, _name, _roles, pin in demo.PEOPLE:
        pin_verify(person=Person.objects.get(username=username), pin=pin)


def test_loading_again_changes_nothing_and_heals_what_was_locked(demo_on: None) -> None:
    secrets = list(Authenticator.objects.order_by("pk").values_list("key", flat=True))
    person = Person.objects.get(username="m.frei")
    hashes = (person.password, person.pin)
    Person.objects.filter(pk=person.pk).update(sign_in_failures=5, is_active=False, roles=["cage"])
    demo.demo_load()
    person.refresh_from_db()
    assert (person.password, person.pin) == hashes
    assert (person.sign_in_failures, person.is_active, person.roles) == (0, True, ["croupier"])
    assert list(Authenticator.objects.order_by("pk").values_list("key", flat=True)) == secrets
    assert (Person.objects.count(), House.objects.count()) == (len(demo.PEOPLE), 1)


def test_sign_in_page_shows_demo_people_and_their_codes(demo_on: None, client: Client, time_machine) -> None:
    time_machine.move_to(people.step_now() * 30, tick=False)  # a code stands for half a minute
    page = client.get("/sign-in/").content.decode()
    for person in demo.demo_sign_ins():
        assert person.username in page
        assert f"{person.code[:3]} {person.code[3:]}" in page
    assert demo.PASSWORD in page
    answer = client.get("/sign-in/demo/").json()
    assert answer["codes"] == {person.username: person.code for person in demo.demo_sign_ins()}
    assert 0 < answer["seconds_left"] <= 30


def test_without_demo_mode_nothing_is_made(db: None, settings) -> None:
    assert settings.DEMO is False
    with pytest.raises(DemoRefused):
        demo.demo_load()
    with pytest.raises(CommandError, match="SAALCHEF_DEMO=1"):
        call_command("demo")
    assert not Person.objects.exists()
    assert not Person.objects.filter(is_demo=True).exists()


def test_without_demo_mode_no_demo_person_comes_in_or_stays_in(demo_on: None, settings, client: Client) -> None:
    shown = demo.demo_sign_ins()
    croupier, pit_boss = shown[0], shown[1]
    assert enter(client, croupier) == 302
    assert client.get("/home/croupier/").status_code == 200

    settings.DEMO = False
    assert client.get("/home/croupier/")["Location"].startswith("/sign-in/")
    assert enter(Client(), pit_boss) == 200
    assert Person.objects.filter(is_demo=True).exists()
    assert demo.demo_sign_ins() == []
    page = client.get("/sign-in/").content.decode()
    assert demo.PASSWORD not in page
    assert pit_boss.username not in page
    assert client.get("/sign-in/demo/").status_code == 404


def test_real_person_of_the_same_name_is_never_taken_over(house: House, settings) -> None:
    settings.DEMO = True
    real = people.make(house, "m.frei")
    with pytest.raises(DemoRefused):
        demo.demo_load()
    real.refresh_from_db()
    assert real.check_password(people.PASSWORD)
    assert Person.objects.count() == 1


def test_command_shows_how_to_sign_in(settings, db: None, time_machine) -> None:
    settings.DEMO = True
    time_machine.move_to(people.step_now() * 30, tick=False)
    out = io.StringIO()
    call_command("demo", "--show", stdout=out)
    for person in demo.demo_sign_ins():
        assert f"{person.username} " in out.getvalue()
        assert person.code in out.getvalue()
    assert "http" not in out.getvalue()


def test_demo_floor_has_linked_tables_and_other_games_with_chips_and_balanced_books(own_database, settings):
    settings.DEMO = True
    house = demo.demo_load()
    assert demo.demo_load() == house  # at every start
    assert list(Table.objects.order_by("position").values_list("name", "jackpot__name")) == [
        *((f"UTH {number}", "Bad Ragaz Progressive") for number in (1, 2, 3, 4)),
        ("Black Jack 1", None),
        ("Poker 1", None),
    ]
    assert list(Account.objects.filter(kind="tray").values_list("balance_minor", flat=True)) == [5_000_000] * 6
    assert chips_issued(house_id=house.pk) == CHIPS
    floats = PostedTable.objects.filter(kind="tray_float").order_by("name")
    assert [worth(pieces_of(row.data["lines"])) for row in floats] == [5_000_000] * 2
    assert meter_read(jackpot_id=Jackpot.objects.get().pk).shown_minor == 1_000_000
    check_that_untouched_trays_hold_their_floats(house)
    assert [result for result in run_audits() if result.breaches] == []


def check_that_untouched_trays_hold_their_floats(house: House) -> None:
    """Each table opens on a count alone, and the first one of the float's pieces has no difference (CNT-3)."""
    martina, reto = (Person.objects.get(username=name) for name in ("m.frei", "r.caduff"))
    for table in Table.objects.all():
        opening = {"house_id": house.pk, "table_id": table.pk, "actor_id": reto.pk, "croupier_id": martina.pk}
        if table.game == "poker":
            opening["entry_level"] = "rake_only"
        with pytest.raises(TableUncounted):
            done(table_open, **opening)
        row = PostedTable.objects.get(kind="tray_float", name=table.posted["tray_float"])
        begun = {"house_id": house.pk, "table_id": table.pk, "purpose": "opener", "actor_id": martina.pk}
        count = done(count_begin, **begun)
        ids = {"house_id": house.pk, "count_id": count.pk}
        done(count_enter, **ids, lines=row.data["lines"], counter_id=martina.pk)
        signed = done(count_witness, **ids, entry=1, ok=True, witness_id=reto.pk)
        assert (signed.value_minor, signed.difference_minor) == (FILL_MINOR, 0)
        done(table_open, **opening)


def test_a_table_made_before_goes_on_as_it_is(own_database, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names no chips: nobody counts it, and a later start of the house leaves it so."""
    settings.DEMO = True
    with monkeypatch.context() as before:
        for name in ("COUNTED", "POKER_COUNTED"):
            before.setattr(floor, name, {})
        before.setattr(floor, "BESIDE", ())
        house = demo.demo_load()
    demo.demo_load()
    counted = Table.objects.filter(posted__has_key="cage_rules").order_by("position")
    assert list(counted.values_list("name", flat=True)) == ["Black Jack 1", "Poker 1"]
    martina, reto = (Person.objects.get(username=name) for name in ("m.frei", "r.caduff"))
    by = {"croupier_id": martina.pk, "actor_id": reto.pk}
    session = done(table_open, house_id=house.pk, table_id=Table.objects.get(name="UTH 1").pk, **by)
    assert session.opener_id is None


# A demo house that an older version made
@pytest.fixture
def older(own_database, settings, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose version knew neither how rounds are entered nor the rules for poker hands, and had no floor."""
    settings.DEMO = True
    with monkeypatch.context() as older:
        known = [row for row in rulesets.DEMO_TABLES if row[0].code not in LATER]
        older.setattr(rulesets, "DEMO_TABLES", known)
        older.setattr(demo, "demo_floor_load", lambda house: None)
        return demo.demo_load()


LATER = ("blackjack_rules", "floor_rules", "hand_rules")


def test_older_demo_house_gets_what_it_lacks_signed_by_two_others_and_opens_at_once(older):
    old = set(PostedTable.objects.values_list("pk", flat=True))
    demo.demo_load()
    added = PostedTable.objects.exclude(pk__in=old)
    assert sorted(added.values_list("kind", "version", "state")) == [(kind, 1, "approved") for kind in LATER]
    for table in added:
        signers = ApprovalSignature.objects.filter(approval=table.approval).values_list("signer__username", flat=True)
        assert (table.drafted_by.username, sorted(signers)) == ("a.gantenbein", ["b.zumstein", "s.keller"])
    martina, reto = (Person.objects.get(username=name) for name in ("m.frei", "r.caduff"))
    table = Table.objects.get(name="UTH 1")
    opener_signed(table, counter=martina, witness=reto, minor=FILL_MINOR)
    by = {"croupier_id": martina.pk, "actor_id": reto.pk}
    done(table_open, house_id=older.pk, table_id=table.pk, **by)
    demo.demo_load()
    assert sorted(Table.objects.filter(jackpot=None).values_list("game", flat=True)) == ["blackjack", "poker"]
    assert PostedTable.objects.count() == len(old) + len(LATER)
    assert [result for result in run_audits() if result.breaches] == []


def three_sign(database: str) -> None:
    """The house asks for more signatures of a posted table than it has people."""
    with owner(database) as link:
        line = "(house_id, action, version, signers, roles, method, lifetime_s)"
        kept = "SELECT house_id, action, 2, 3, roles, method, lifetime_s FROM payouts_approvalrule WHERE action = %s"
        link.execute(f"INSERT INTO payouts_approvalrule {line} {kept}", ["posted_table.release"])
    assert ApprovalRule.objects.filter(action="posted_table.release").latest("version").signers == 3


def test_older_demo_house_that_asks_for_more_signatures_than_it_has_people_is_left_as_it_is(older, own_database):
    three_sign(own_database)
    demo.demo_load()
    assert not PostedTable.objects.filter(kind__in=LATER).exists()
    assert Table.objects.count() == 4


def test_its_people_could_sign_and_pay_a_prize(demo_on: None) -> None:
    """So its tables open without being asked about."""
    assert prize_lacks(House.objects.get()) == ""
