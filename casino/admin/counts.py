"""Counts by the piece, read in the admin."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from casino.admin.book_admin import BookAdmin
from payouts.models import Count, CountEntry, CountLine, CountSignature


def counted_through(count: str) -> Q:
    """Whose count, found by this column, has ended. What lay in a drop box whose count was given up
    is counted once more, so it stays unread (CNT-2, DRP-4).
    """
    signed = Q(**{f"{count}__state": Count.State.SIGNED})
    given_up = {f"{count}__state": Count.State.GIVEN_UP, f"{count}__place_kind": Count.Place.TRAY}
    return signed | Q(**given_up)


class CountedAdmin(BookAdmin):
    """What belongs to a count, read once that has ended. `of_count`: the column of the count."""

    of_count = "count"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Those of counts that have ended."""
        return super().get_queryset(request).filter(counted_through(self.of_count))


@admin.register(Count)
class CountAdmin(BookAdmin):
    """Counts, from their begin to their end."""

    list_display = (
        *("begun_at", "place_id", "purpose", "gaming_day", "state", "begun_by", "ended_by"),
        "ended_at",
    )
    list_filter = ("purpose", "state", "gaming_day")
    search_fields = ("id__exact", "place_id__exact", "session_id__exact")
    ordering = ("-begun_at",)


@admin.register(CountEntry)
class CountEntryAdmin(CountedAdmin):
    """What was entered of counts."""

    list_display = ("entered_at", "count", "number", "counter", "value_minor", "posted")
    search_fields = ("count__id__exact",)
    ordering = ("-id",)


@admin.register(CountLine)
class CountLineAdmin(CountedAdmin):
    """Pieces by denomination."""

    of_count = "entry__count"

    list_display = ("entry", "value_minor", "pieces")
    search_fields = ("entry__count__id__exact",)
    ordering = ("-id",)


@admin.register(CountSignature)
class CountSignatureAdmin(CountedAdmin):
    """What counter and witness have signed."""

    list_display = (
        *("signed_at", "count", "counter", "witness", "recorded_minor", "difference_minor"),
        "stands",
    )
    list_filter = ("stands",)
    search_fields = ("count__id__exact",)
    ordering = ("-id",)
