"""Posted tables of the browser's house: the first ones, and versions on their way."""

from datetime import timedelta

from django.db import transaction

from casino.demo.rulesets import DEMO_TABLES
from payouts.models import House, PostedTable
from payouts.rules.rulesets.paytable import UTH_TRIPS, Paytable
from payouts.selectors import gaming_day_at
from payouts.services import posted_table_draft, posted_table_request, posted_tables_seed
from tables.kinds import KINDS
from tests.browser.people import somebody

PAYS = {line.hand.name.lower(): str(line.odds) for line in UTH_TRIPS.lines}
DRAFTS = {"9 : 1": PAYS | {"full_house": "9:1"}, "30 : 1": PAYS | {"straight": "30:1"}}


def posted(house: House) -> dict[str, PostedTable]:
    """The versions to look at: `first` and `progressive` in force, `requested` for tomorrow, `draft` with a likely mistake."""
    first = PostedTable.objects.filter(house=house, kind="trips", version=1)
    with transaction.atomic():
        if not first.exists():
            posted_tables_seed(house_id=house.pk, tables=DEMO_TABLES)
        if not PostedTable.objects.filter(house=house, kind="trips", name="UTH Trips", version=2).exists():
            _draft_two(house)
    versions = {
        table.version: table for table in PostedTable.objects.filter(house=house, kind="trips", name="UTH Trips")
    }
    progressive = PostedTable.objects.get(house=house, kind="progressive", version=1)
    return {"first": versions[1], "requested": versions[2], "draft": versions[3], "progressive": progressive}


def _draft_two(house: House) -> None:
    writer, kind = somebody(house, "technician").pk, KINDS["trips"]
    values = {"house_id": house.pk, "kind": kind, "name": "UTH Trips", "actor_id": writer}
    made = [
        posted_table_draft(**values, data=Paytable.of(**pays).to_data(), note=note) for note, pays in DRAFTS.items()
    ]
    tomorrow = gaming_day_at(house_id=house.pk) + timedelta(days=1)
    posted_table_request(table_id=made[0].pk, kind=kind, in_force_from=tomorrow, actor_id=writer)
