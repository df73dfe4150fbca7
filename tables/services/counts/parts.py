"""What the commands about counts share: a count under its table's lock, and by what it counts."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple
from uuid import UUID

from django.db import models
from django.db.models import Subquery

from payouts.models import Count
from payouts.models.count import RUNNING
from payouts.rules.rulesets.cage import CageRules
from payouts.rules.rulesets.chips import ChipSet
from payouts.selectors import posted_in_force
from tables.errors import CountSigned, CountUnknown, NoChipSet, PostedMissing
from tables.models import Table, TableSession
from tables.services.parts import posted_of

CHIPS, CAGE = "chip_set", "cage_rules"


class CountedTable(NamedTuple):
    """A table whose row is held, as its tray is counted: on this gaming day, under the versions of
    its session; without one by the names that the table has. `entries`: how many the count has.
    """

    table: Table
    day: date
    versions: Mapping[str, str] | None = None
    entries: int = 0

    def version(self, kind: str) -> str | None:
        """The id of what is posted of a kind; None where the table names nothing of it. Raises
        PostedMissing.
        """
        if self.versions is not None:
            return self.versions.get(kind)
        name = self.table.posted.get(kind)
        return None if name is None else version_named(self.table.house_id, kind, name, self.day)

    def chips(self) -> tuple[str, ChipSet]:
        """The chip set with its version's id. Raises NoChipSet, PostedMissing."""
        version = self.version(CHIPS)
        if version is None:
            raise NoChipSet(place=self.table.name)
        chips = posted_of([version])[CHIPS]
        if not isinstance(chips, ChipSet):
            raise TypeError("a posted table of another kind than it is filed under")
        return version, chips

    def rules(self) -> CageRules | None:
        """What the house posts about counts of this table. Raises PostedMissing."""
        version = self.version(CAGE)
        return cage_rules_of({CAGE: version}) if version else None


def cage_rules_of(versions: Mapping[str, str]) -> CageRules | None:
    """What is posted about counts, from the ids of the posted versions; None where nothing is."""
    version = versions.get(CAGE)
    if version is None:
        return None
    rules = posted_of([version])[CAGE]
    if not isinstance(rules, CageRules):
        raise TypeError("a posted table of another kind than it is filed under")
    return rules


def version_named(house_id: UUID, kind: str, name: str, day: date) -> str:
    """The id of the version of a named posted table that counts on a day. Raises PostedMissing."""
    version = posted_in_force(house_id=house_id, kind=kind, name=name, day=day)
    if version is None:
        raise PostedMissing(kind=kind, name=name)
    return str(version.pk)


def count_locked(
    house_id: UUID, count_id: UUID, place: str = Count.Place.TRAY
) -> tuple[Count, CountedTable]:
    """A count of this kind of place and its table, whose row is held. Raises CountUnknown."""
    counts = Count.objects.filter(pk=count_id, house_id=house_id, place_kind=place)
    tables = Table.objects.select_for_update(no_key=True)
    table = tables.filter(pk__in=counts.values("place_id")).first()
    if table is None:
        raise CountUnknown
    session = TableSession.objects.filter(pk__in=counts.values("session_id"))
    count = counts.annotate(
        versions=Subquery(session.values("versions")), entered=models.Count("entries")
    ).get()
    return count, CountedTable(table, count.gaming_day, count.versions, count.entered)


def check_running(count: Count) -> None:
    """Raise CountSigned for a count that has ended."""
    if count.state not in RUNNING:
        raise CountSigned
