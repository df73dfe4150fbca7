"""Chips and counts by the piece, and their differences, read in the admin."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from casino.admin.book_admin import BookAdmin
from casino.people.permissions import VIEW_THEFT
from payouts.models import (
    ChipMove,
    Count,
    CountBack,
    CountEntry,
    CountLine,
    CountSignature,
    Inventory,
)
from tables.models import Difference, Explanation, ExplanationWords


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


@admin.register(CountBack)
class CountBackAdmin(BookAdmin):
    """What came after a count, and by how much it was set back."""

    list_display = ("at", "count", "subject_kind", "subject_id", "amount_minor", "transfer")
    list_filter = ("subject_kind",)
    search_fields = ("count__id__exact", "subject_id__exact")
    ordering = ("-id",)


@admin.register(Difference)
class DifferenceAdmin(BookAdmin):
    """Differences that the house wants explained."""

    list_display = (
        *("opened_at", "table", "count", "gaming_day", "state", "explain_from_minor"),
        "report_from_minor",
    )
    list_filter = ("table", "state", "gaming_day")
    search_fields = ("id__exact", "count__id__exact", "table__name")
    ordering = ("-opened_at",)


@admin.register(Explanation)
class ExplanationAdmin(BookAdmin):
    """How differences were explained."""

    list_display = ("at", "difference", "code", "amount_minor", "explained_by", "approval")
    list_filter = ("code",)
    search_fields = ("difference__id__exact",)
    ordering = ("-at",)
    exclude = ("words_hash",)


@admin.register(ExplanationWords)
class ExplanationWordsAdmin(BookAdmin):
    """The words of explanations; those about a theft are read with a right of their own (RES-4)."""

    list_display = ("at", "difference", "words", "gone_from")
    search_fields = ("difference__id__exact",)
    ordering = ("-at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Without those of thefts where a person may not read them."""
        rows = super().get_queryset(request)
        may_read = request.user.has_perm(VIEW_THEFT)
        return rows if may_read else rows.filter(gone_from=None)


@admin.register(ChipMove)
class ChipMoveAdmin(BookAdmin):
    """Pieces that came into service or went out of it."""

    list_display = (
        *("at", "gaming_day", "kind", "value_minor", "pieces", "from_place", "to_place"),
        "transfer",
    )
    list_filter = ("kind", "gaming_day")
    ordering = ("-id",)


@admin.register(Inventory)
class InventoryAdmin(BookAdmin):
    """The first inventory of a house."""

    list_display = ("at", "gaming_day", "difference_minor", "approval", "transfer")
    ordering = ("-at",)
