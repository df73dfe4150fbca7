"""What looked at the books, in the admin: the audits of each minute, and whole verifications."""

from typing import ClassVar

from django.contrib import admin
from django.utils.safestring import SafeString

from casino.admin.book_admin import BookAdmin, Cells, data
from casino.ops.models import AuditRun, VerifyRun
from casino.records.findings import areas


def _found(row: AuditRun) -> SafeString | str:
    """What each audit found."""
    return (
        data(row, {areas([one["audit"]]): one["rows"] for one in row.breaches})
        if row.breaches
        else ""
    )


@admin.register(AuditRun)
class AuditRunAdmin(BookAdmin):
    """Runs of all audits; they ask about the books of all houses."""

    house_lookup = ""
    list_display = ("at", "seconds", "ok", "whole")
    list_filter = ("ok", "whole")
    ordering = ("-id",)
    exclude = ("marks",)
    texts: ClassVar[Cells] = {"breaches": _found}


@admin.register(VerifyRun)
class VerifyRunAdmin(BookAdmin):
    """Verifications; what they checked and found stands on their own page."""

    house_lookup = ""
    list_display = ("id", "asked_at", "asked_by", "state", "ok", "ended_at")
    list_filter = ("state",)
    ordering = ("-id",)
    exclude = ("checks",)
