"""The places that a person may open, in the bar of every page: only what opens to them, and where
they are.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.people.context import current_house
from casino.people.models import Person
from casino.people.permissions import (
    COUNT_DROP,
    ENROL_DEVICE,
    SET_UP,
    UNLOCK_PIN,
    VIEW_AUDIT,
    VIEW_CHIPS,
    VIEW_COUNT,
    VIEW_POSTED_TABLE,
    VIEW_REPORT,
    VIEW_SLIP,
    VIEW_TABLE,
)
from payouts.errors import mark


class Kind(NamedTuple):
    """A place: its name, its view, the permission that opens it, whether it shows one house, views
    whose pages belong to it too.
    """

    words: str
    view: str
    needs: str
    of_house: bool = False
    also: tuple[str, ...] = ()


class Place(NamedTuple):
    """A place as a link. `current`: "page" on the page itself, "true" on one below it, else
    nothing.
    """

    words: str
    href: str
    current: str


KINDS = (
    Kind(mark("Pit"), "pit", VIEW_TABLE, of_house=True),
    Kind(mark("Floor"), "floor", VIEW_TABLE, of_house=True),
    Kind(mark("Jackpot"), "floor-jackpots", VIEW_SLIP, of_house=True, also=("pit-jackpots",)),
    Kind(mark("Slips"), "floor-slips", VIEW_SLIP, of_house=True),
    Kind(mark("Cage"), "cage-chips", VIEW_CHIPS, of_house=True, also=("cage-inventory",)),
    Kind(mark("Drop boxes"), "cage-drops", COUNT_DROP, of_house=True),
    Kind(mark("Differences"), "cage-differences", VIEW_COUNT, of_house=True),
    Kind(mark("Set up the floor"), "floor-set-up", SET_UP, of_house=True),
    Kind(mark("Devices"), "devices", ENROL_DEVICE),
    Kind(mark("PINs"), "locked-pins", UNLOCK_PIN),
    Kind(mark("Posted tables"), "posted-tables", VIEW_POSTED_TABLE, also=("approval-rules",)),
    Kind(mark("Audit desk"), "audit", VIEW_AUDIT),
    Kind(mark("Reports"), "audit_reports", VIEW_REPORT, of_house=True),
)


def places(request: HttpRequest) -> dict[str, Callable[[], list[Place]]]:
    """Context of every template: `places`, read only if used."""
    return {"places": lambda: _places(getattr(request, "user", None), request.path)}


def _places(person: object, path: str) -> list[Place]:
    if not isinstance(person, Person) or not person.known_roles():
        return []
    there = current_house(person) is not None
    kinds = [one for one in KINDS if person.has_perm(one.needs) and (there or not one.of_house)]
    found = [(_("Start page"), [reverse("role-home", args=[person.known_roles()[0]]), "/home/"])]
    found += [(_(one.words), [reverse(view) for view in (one.view, *one.also)]) for one in kinds]
    if person.is_staff:
        found.append((_("Administration"), [reverse("admin:index")]))
    nearest = max(
        (len(way) for _words, ways in found for way in ways if path.startswith(way)), default=0
    )
    return [Place(words, ways[0], _current(path, ways, nearest)) for words, ways in found]


def _current(path: str, ways: list[str], nearest: int) -> str:
    if path == ways[0]:
        return "page"
    return "true" if any(path.startswith(way) and len(way) == nearest for way in ways) else ""
