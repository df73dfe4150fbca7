"""Where too few could sign for a jackpot, its pages say who is missing and why, before a hit."""

import re

from django.utils import translation

from casino.people import services
from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.rulesets.signers import shortage
from tables import services as services_of_tables
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.casino.pit.room import Room
from tests.databases import superuser
from tests.jackpot.linked import Linked, dull, once, royal


class Staffed(Room):
    """A room whose house has two pit bosses who can sign, and nobody else with a role that does."""

    def __init__(self) -> None:
        super().__init__(Linked())
        house = self.linked.house
        Person.objects.filter(house=house, roles__overlap=["pit_boss", "manager", "technician"]).exclude(
            pk=self.boss.pk
        ).update(is_active=False)
        Person.objects.filter(pk=self.boss.pk).update(full_name="Anna Boss")
        self.second = people.make(house, "bruno.s", "pit_boss")
        Person.objects.filter(pk=self.second.pk).update(full_name="Bruno Boss")

    def told(self) -> list[str]:
        """What each of the two pages says about it."""
        address = f"/floor/jackpots/{self.linked.jackpot.pk}/"
        pages = [self.html(), self.client.get(address, headers=ENGLISH).content.decode()]
        found = [SAID.search(one) for one in pages]
        return [words(one[0]).strip() if one else "" for one in found]


SAID = re.compile(r'<div class="notice warn">(?:(?!</div></div>).)*Too few can sign.*?</div></div>', re.S)
ENGLISH = {"accept-language": "en"}
MEND = (
    "Set up what is missing, or have somebody else with one of these roles come in; who is given one only now may act"
    " 24 hours later."
)


def test_nothing_is_said_while_enough_could_sign(db: None) -> None:
    assert Staffed().told() == ["", ""]


def test_who_has_no_authenticator_and_who_rests_is_named(db: None) -> None:
    room = Staffed()
    Authenticator.objects.filter(user=room.second).delete()
    said = "Too few can sign: payment of the jackpot. 2 people are needed for it. Able now: Anna Boss."
    assert room.told() == [f"{said} Bruno Boss: has no authenticator {MEND}"] * 2
    chief = people.make(None, "chief", "manager")
    services.password_reset(person=room.second, by=chief)
    room.linked.end(0, room.linked.start(0), dull())  # from the first lock on people rest
    rests = "must wait, because somebody else set the sign-in, roles or house within a day, or no"
    rests += " second manager has seen the sign-in since"
    assert room.told() == [f"{said} Bruno Boss: {rests} {MEND}"] * 2


def test_who_is_barred_leaves_nobody(db: None) -> None:
    room = Staffed()
    Person.objects.filter(pk=room.second.pk).update(is_active=False)
    assert room.told()[0].endswith(
        f"Able now: Anna Boss. Nobody else of the house has one of the roles: Pit boss, Manager. {MEND}"
    )


def test_line_of_the_house_is_what_counts(own_database: str) -> None:
    room = Staffed()
    assert shortage(room.linked.house) is None
    with superuser(own_database) as link:
        link.execute(
            "INSERT INTO payouts_approvalrule (house_id, action, version, signers, roles, method, lifetime_s)"
            " SELECT house_id, action, 2, 3, roles, 'pin', 600 FROM payouts_approvalrule WHERE action = 'jackpot.award'"
        )
    with translation.override("en"):
        found = shortage(room.linked.house)
    why = "has no PIN, or a locked one"
    assert found is not None
    assert (found.need, found.able, found.unable) == (3, (), (("Anna Boss", why), ("Bruno Boss", why)))


def test_who_took_part_in_what_is_asked_for_is_named(db: None) -> None:
    """Two could sign a payment; one of them has entered its result, so that it waits for somebody who is not there."""
    room = Staffed()
    floor, enters = room.linked, room.second
    floor.reto = room.boss
    round_id = floor.start(0)
    prepared = services_of_tables.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=royal("h"))
    once(services_of_tables.round_settle, prepared=prepared, person_id=enters.pk, supervisor=True)
    floor.advance()
    assert room.told() == ["", ""]
    floor.verify_all()
    part = f"Bruno Boss: entered the result of the round {MEND}"
    said = f"Too few can sign: payment of the jackpot. %s needed for it. %s {part}"
    assert room.told() == [said % ("2 people are", "Able now: Anna Boss.")] * 2
    floor.sign(floor.asked(), room.boss)
    assert room.told() == [said % ("1 person is", "Nobody is able now.")] * 2
    floor.bea = people.make(floor.house, "carla.s", "manager")
    assert room.told() == ["", ""]
