"""The pit in the admin: alerts that were ever raised, who acknowledged them, when they were over;
who took the shift over.
"""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery, UUIDField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.admin.book_admin import BookAdmin, Cells
from casino.pit.alerts import boxes_named, data_now
from casino.pit.board.shift import was_open
from casino.pit.labels import alert_text
from casino.pit.models import Alert, ShiftHandOver
from casino.text.alerts import ALERTS
from casino.text.floor import colon
from jackpot.models import Jackpot
from tables.models import Table


class KindFilter(admin.SimpleListFilter):
    """Kinds in the language of the page."""

    title, parameter_name = _("alert"), "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """As the board calls them."""
        return sorted(
            ((code, gettext(one.title)) for code, one in ALERTS.items()), key=lambda one: one[1]
        )

    def queryset(self, request: HttpRequest, queryset: QuerySet[Alert]) -> QuerySet[Alert]:
        """Of the chosen kind."""
        return queryset.filter(kind=self.value()) if self.value() in ALERTS else queryset


class StateFilter(admin.SimpleListFilter):
    """What has become of it."""

    title, parameter_name = _("state"), "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """By what is still missing."""
        return [
            ("waiting", _("to be acknowledged")),
            ("standing", _("acknowledged, still on")),
            ("over", _("over")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Alert]) -> QuerySet[Alert]:
        """In the chosen state."""
        wanted: dict[str, dict[str, bool | None]] = {
            "waiting": {"acknowledged_at": None},
            "standing": {"acknowledged_at__isnull": False, "over_at": None},
            "over": {"acknowledged_at__isnull": False, "over_at__isnull": False},
        }
        return queryset.filter(**wanted.get(self.value() or "", {}))


@admin.register(Alert)
class AlertAdmin(BookAdmin):
    """Every alert, the newest first; the board shows those that wait or are not over, this shows
    the others too.
    """

    list_display = (
        "raised_at",
        "called",
        "place",
        "sentence",
        "acknowledged_by",
        "acknowledged_at",
        "over_at",
    )
    list_filter = (KindFilter, StateFilter)
    search_fields = ("acknowledged_by__full_name",)
    reads = ("data",)
    ordering = ("-id",)
    fields = (
        "house",
        "called",
        "place",
        "sentence",
        "raised_at",
        "acknowledged_by",
        "acknowledged_at",
        "over_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the name of the table, or else the jackpot, that each is about: no statement for
        each row.
        """
        rows = (
            super()
            .get_queryset(request)
            .annotate(
                at_table=Cast(KT("data__table"), UUIDField()),
                at_jackpot=Cast(KT("data__jackpot"), UUIDField()),
            )
        )
        names = [
            Subquery(
                model.objects.filter(pk=OuterRef(key), house_id=OuterRef("house_id")).values("name")
            )
            for model, key in ((Table, "at_table"), (Jackpot, "at_jackpot"))
        ]
        return boxes_named(rows.annotate(place_name=Coalesce(*names)))

    @admin.display(description=_("alert"), ordering="kind")
    def called(self, row: Alert) -> str:
        """Its kind, as the board calls it."""
        return gettext(ALERTS[row.kind].title) if row.kind in ALERTS else row.kind

    @admin.display(description=_("subject"))
    def place(self, row: Any) -> str:
        """The table, or else the jackpot."""
        return row.place_name or "–"

    @admin.display(description=_("What it said"))
    def sentence(self, row: Alert) -> str:
        """What it said when it was raised, with the box that the result of a called royal has named
        since.
        """
        return alert_text(row.kind, data_now(row), row.house)


def _was_open(row: ShiftHandOver) -> SafeString:
    """What waited for who took the shift over, line by line."""
    lines = [
        f"{timezone.localtime(datetime.fromisoformat(one.since)):%d.%m.%Y %H:%M} ·"
        f" {colon(one.what, one.place)}"
        for one in was_open(row.was_open, row.house)
    ]
    return (
        format_html('<span class="data">{}</span>', "\n".join(lines)) if lines else SafeString("")
    )


@admin.register(ShiftHandOver)
class ShiftHandOverAdmin(BookAdmin):
    """Shifts as they passed from one pit boss to the next."""

    list_display = ("at", "number", "given_by", "taken_by", "note")
    ordering = ("-id",)
    texts: ClassVar[Cells] = {"was_open": _was_open}
