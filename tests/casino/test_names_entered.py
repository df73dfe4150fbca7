"""Whatever is given a name is given one that looks like no other: people, houses, the floor, devices, posted tables, jackpots."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from casino.devices.services import device_code_make, feed_enrol
from casino.people.models import Person
from casino.people.services import particulars_set, person_create
from jackpot.services import display_add_request, display_require, jackpot_create_request
from payouts.models import House
from payouts.rules.plain import NameMixed
from payouts.services import house_create, posted_table_draft
from tables.kinds import KINDS
from tables.services import pit_create, table_create
from tests.floor import done

MIXED = "Cаsino"  # its second letter is Cyrillic


def test_no_name_mixes_scripts_wherever_it_is_entered(
    house: House, chief: Person, person: Person, boss: Person
) -> None:
    of, anyone = {"house_id": house.pk, "name": MIXED}, {"role_codes": ["cage"], "language": "", "by": chief}
    show = {"jackpot_id": uuid4(), "display_id": uuid4()}
    named: list[Callable[[], object]] = [
        lambda: done(house_create, name=MIXED, currency="CHF"),
        lambda: done(pit_create, **of),
        lambda: done(table_create, **of, pit_id=uuid4(), game="uth", boxes=6, posted={}),
        lambda: done(posted_table_draft, **of, kind=KINDS["calendar"], data={}),
        lambda: done(jackpot_create_request, **of, progressive="P", funding="F"),
        lambda: done(display_require, **of, **show),
        lambda: done(display_add_request, **of, **show, person_id=boss.pk),
        lambda: person_create(username="n.eu", full_name=MIXED, house=house, **anyone),
        lambda: particulars_set(person=person, full_name=MIXED, house=house, **anyone),
        lambda: device_code_make(kind="tablet", place_id=uuid4(), name=MIXED, by=boss),
        lambda: feed_enrol(place_id=uuid4(), name=MIXED, by=boss),
    ]
    for enter in named:
        with pytest.raises(NameMixed):
            enter()
