"""Devices in the admin: to be read. They are enrolled and revoked on their own page
(`casino/devices/views.py`).
"""

from django.contrib import admin

from casino.admin.book_admin import BookAdmin
from casino.devices.models import Device, DeviceCode, DeviceSession


@admin.register(Device)
class DeviceAdmin(BookAdmin):
    """Tablets, card feeds and displays."""

    list_display = (
        "name",
        "kind",
        "table",
        "jackpot",
        "enrolled_at",
        "enrolled_by",
        "last_seen_at",
        "revoked_at",
    )
    list_filter = ("kind",)
    ordering = ("-enrolled_at",)
    exclude = ("token_hash", "code")


@admin.register(DeviceCode)
class DeviceCodeAdmin(BookAdmin):
    """Enrolment codes, without what proves them."""

    list_display = (
        "name",
        "table",
        "jackpot",
        "made_at",
        "made_by",
        "tries",
        "ended_at",
        "ended_as",
    )
    list_filter = ("ended_as",)
    ordering = ("-made_at",)
    exclude = ("handle", "proof")


@admin.register(DeviceSession)
class DeviceSessionAdmin(BookAdmin):
    """Who was signed in where."""

    house_lookup = "device__house_id"
    list_display = ("device", "person", "began_at", "ended_at", "ended_as", "ended_by")
    list_filter = ("ended_as",)
    ordering = ("-began_at",)
