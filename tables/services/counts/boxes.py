"""Which buy-ins lie in which drop box, and who dealt while they came into it (DRP-1, DRP-8)."""

from uuid import UUID

from django.db.models import Q
from django.db.models.expressions import RawSQL

from payouts.models import Count
from tables.errors import BoxCounted
from tables.models import HandOver, TableSession


def box_count(buyin_id: UUID) -> Count | None:
    """The count of the drop box in which a buy-in lies; None where it lies at the table."""
    return Count.objects.filter(pk=RawSQL("box_count_v1(%s)", [buyin_id])).first()


def check_box_uncounted(buyin_id: UUID) -> None:
    """Raise BoxCounted for a buy-in whose drop box was taken."""
    if box_count(buyin_id) is not None:
        raise BoxCounted


def boxed_croupiers(count: Count) -> set[UUID]:
    """Who had the table between the taking of the drop box before and that of this one."""
    boxes = Count.objects.filter(
        place_id=count.place_id, place_kind=Count.Place.DROP, state=Count.State.SIGNED
    )
    before = boxes.filter(begun_at__lt=count.begun_at).order_by("-begun_at").first()
    sessions = TableSession.objects.filter(table_id=count.place_id, opened_at__lte=count.begun_at)
    if before is not None:
        sessions = sessions.filter(Q(closed_at=None) | Q(closed_at__gte=before.begun_at))
    handed = HandOver.objects.filter(session__in=sessions, at__lte=count.begun_at)
    # who hands over after the taking had the table when it was taken
    later = HandOver.objects.filter(session__in=sessions, at__gt=count.begun_at)
    people = sessions.values_list("croupier_id").union(
        handed.values_list("from_croupier_id"),
        handed.values_list("to_croupier_id"),
        later.values_list("from_croupier_id"),
    )
    return {person for (person,) in people}
