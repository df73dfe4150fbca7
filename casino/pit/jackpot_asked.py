"""The page on which a new jackpot is signed: its name, the seed that the house puts in, its rule
sets.
"""

from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.pages.asked import Kind
from casino.people.permissions import VIEW_JACKPOT
from casino.text import floor
from casino.text.formats import format_money
from jackpot.services.creation import CREATE
from payouts.models import Approval, PostedTable


class _NewJackpot(NamedTuple):
    """A jackpot as it was asked for. `rows`: what it is to have, with its name."""

    name: str
    rows: list[tuple[str, str]]
    may_open: bool


def _details(approval: Approval, person: Person) -> dict[str, Any]:
    payload, house = approval.payload, approval.house
    posted = {kind: pk for kind, pk in payload["posted"].items() if pk}
    named = {str(row.pk): row for row in PostedTable.objects.filter(pk__in=posted.values())}
    versions = {kind: _version(named[pk]) for kind, pk in posted.items()}
    rows = [
        (_("Name"), payload["name"]),
        (_("Seed"), format_money(payload["seed_minor"], payload["currency"], house.locale)),
        (_("Prizes"), versions["progressive"]),
        (_("Funding"), versions["funding"]),
        (_("At a hit"), versions.get("rules", _("the rulebook's own"))),
        (_("Without the server a table"), floor.say(floor.OFFLINE, payload["offline_linked"])),
    ]
    made = approval.state == Approval.State.USED
    return _NewJackpot(payload["name"], rows, made and person.has_perm(VIEW_JACKPOT))._asdict()


def _version(row: PostedTable) -> str:
    return _("%(name)s, version %(version)s") % {"name": row.name, "version": row.version}


KIND = Kind(CREATE, "jackpot-asked", "pit/jackpot_asked.html", _details)
