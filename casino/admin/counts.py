"""Counts by the piece, read in the admin."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from casino.admin.book_admin import BookAdmin
from payouts.models import Count, CountEntry, CountLine, CountSignature
from payouts.models.count import RUNNING


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
class CountEntryAdmin(BookAdmin):
    """What was entered of counts."""

    list_display = ("entered_at", "count", "number", "counter", "value_minor", "posted")
    search_fields = ("count__id__exact",)
    ordering = ("-id",)


@admin.register(CountLine)
class CountLineAdmin(BookAdmin):
    """Pieces by denomination."""

    list_display = ("entry", "value_minor", "pieces")
    search_fields = ("entry__count__id__exact",)
    ordering = ("-id",)


@admin.register(CountSignature)
class CountSignatureAdmin(BookAdmin):
    """What counter and witness have signed; of a count that runs nobody reads it (CNT-2)."""

    list_display = (
        *("signed_at", "count", "counter", "witness", "recorded_minor", "difference_minor"),
        "stands",
    )
    list_filter = ("stands",)
    search_fields = ("count__id__exact",)
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Those that stand, and those of counts that have ended."""
        ended = Q(stands=True) | ~Q(count__state__in=RUNNING)
        return super().get_queryset(request).filter(ended)
