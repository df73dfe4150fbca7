"""Between which counts a table is played: it opens on its opener, and closes on its closer (CNT-3,
CNT-4).
"""

from collections.abc import Mapping

from payouts.models import Count, CountSignature
from payouts.models.count import RUNNING
from tables.errors import OpenerDiffers, TableBeingCounted, TableUncounted
from tables.models import Table, TableSession
from tables.selectors.counts import opener_signed
from tables.services.counts.parts import cage_rules_of


def opener_of(table: Table, versions: Mapping[str, str], *, reason: str) -> Count | None:
    """The signed opener of a closed table whose row is held, under the versions of the session that
    begins. One that is not as the books have it is taken for a reason alone. None where the house
    asks for none and nobody counted.

    Raises TableBeingCounted, TableUncounted, OpenerDiffers.
    """
    counts = Count.objects.filter(place_kind=Count.Place.TRAY, place_id=table.pk)
    if counts.filter(state__in=RUNNING).exists():
        raise TableBeingCounted
    opener = opener_signed(table)
    if opener is None:
        _check_counts_free(table, versions)
        return None
    signed = CountSignature.objects.get(count=opener, stands=True)
    if signed.difference_minor and not reason:
        raise OpenerDiffers(place=table.name, difference_minor=signed.difference_minor)
    return opener


def closer_of(table: Table, session: TableSession) -> Count | None:
    """The signed closer of a session whose table is held, which freezes the tray until it closes;
    None where the house asks for none and nobody counted. Raises TableBeingCounted, TableUncounted.
    """
    if session.counting is None:
        _check_counts_free(table, session.versions)
    elif session.counting.state != Count.State.SIGNED:
        raise TableBeingCounted
    return session.counting


def counts_required(versions: Mapping[str, str]) -> bool:
    """Whether a table is played between two counts alone."""
    rules = cage_rules_of(versions)
    return rules is not None and rules.counts_required


def _check_counts_free(table: Table, versions: Mapping[str, str]) -> None:
    """Raises TableUncounted."""
    if counts_required(versions):
        raise TableUncounted(place=table.name)
