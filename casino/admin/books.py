"""The books in the admin: every money table, to be read. What changes them are commands, never a
form.
"""

import json
from typing import ClassVar

from django.contrib import admin

from casino.admin.book_admin import BookAdmin, Cells, data
from casino.records import codes
from payouts.models import (
    Account,
    Approval,
    ApprovalList,
    ApprovalRule,
    ApprovalSignature,
    CommandKey,
    Entry,
    Event,
    House,
    PostedTable,
    Seal,
    SealedRows,
    Transfer,
)


@admin.register(House)
class HouseAdmin(BookAdmin):
    """Houses."""

    house_lookup = "id"
    list_display = ("name", "currency", "locale", "time_zone", "gaming_day_change")


@admin.register(Account)
class AccountAdmin(BookAdmin):
    """Accounts with balance and version."""

    list_display = ("kind", "owner_id", "detail_id", "side", "balance_minor", "currency", "version")
    list_filter = ("kind",)
    search_fields = ("owner_id__exact", "detail_id__exact")

    def called(self, row: Account) -> str:
        """What it holds, and whose it is."""
        owner = row.refs.name(("tables.table", "jackpot.jackpot", "payouts.house"), row.owner_id)  # type: ignore[attr-defined]
        return f"{codes.word(row, 'kind', row.kind)}, {owner}"


@admin.register(Transfer)
class TransferAdmin(BookAdmin):
    """Transfers: what, why, who, when."""

    list_display = (
        *(
            "id",
            "posted_at",
            "kind",
            "subject_kind",
            "subject_id",
            "gaming_day",
            "actor",
            "reverses",
            "reason",
        ),
    )
    list_filter = ("kind", "gaming_day")
    search_fields = ("key__exact", "subject_id__exact")
    ordering = ("-id",)


@admin.register(Entry)
class EntryAdmin(BookAdmin):
    """Entries with the balance after each."""

    list_display = (
        "id",
        "transfer",
        "account",
        "amount_minor",
        "account_version",
        "balance_after_minor",
        "note",
    )
    search_fields = ("=transfer__id", "=account__id")
    ordering = ("-id",)


@admin.register(Event)
class EventAdmin(BookAdmin):
    """Who did what."""

    list_display = ("at", "name", "actor", "subject_kind", "subject_id", "reason")
    list_filter = ("name",)
    search_fields = ("subject_id__exact",)
    ordering = ("-id",)


@admin.register(Approval)
class ApprovalAdmin(BookAdmin):
    """What was asked for, and what became of it."""

    list_display = (
        *(
            "requested_at",
            "action",
            "subject_kind",
            "subject_id",
            "revision",
            "requester",
            "state",
            "expires_at",
        ),
    )
    list_filter = ("state", "action")
    ordering = ("-requested_at",)


@admin.register(ApprovalSignature)
class ApprovalSignatureAdmin(BookAdmin):
    """Who signed what, when, how."""

    house_lookup = "approval__house_id"
    list_display = ("signed_at", "approval", "signer", "method")
    ordering = ("-id",)


@admin.register(ApprovalList)
class ApprovalListAdmin(BookAdmin):
    """Lists beside what is signed, whose fingerprint stands in it."""

    house_lookup = "approval__house_id"
    list_display = ("id", "approval", "name")
    ordering = ("-id",)
    texts: ClassVar[Cells] = {"text": lambda row: data(row, {row.name: json.loads(row.text)})}


@admin.register(ApprovalRule)
class ApprovalRuleAdmin(BookAdmin):
    """The approval matrix, all versions."""

    list_display = ("action", "version", "signers", "roles", "method", "lifetime_s", "created_at")
    list_filter = ("action",)


@admin.register(PostedTable)
class PostedTableAdmin(BookAdmin):
    """Every version of every posted table; drafts and approvals have their own pages."""

    list_display = (
        "kind",
        "name",
        "version",
        "state",
        "starts",
        "in_force_from",
        "drafted_by",
        "released_at",
    )
    list_filter = ("kind", "state")
    ordering = ("kind", "name", "-version")


@admin.register(CommandKey)
class CommandKeyAdmin(BookAdmin):
    """Commands by their keys, which say nothing of their house."""

    house_lookup = ""
    list_display = ("key", "created_at")
    search_fields = ("key__exact",)
    ordering = ("-created_at",)


@admin.register(Seal)
class SealAdmin(BookAdmin):
    """Seals over all houses' books; what each holds stands in its statement, which is what was
    signed.
    """

    house_lookup = ""
    list_display = ("number", "taken_at")
    ordering = ("-number",)


@admin.register(SealedRows)
class SealedRowsAdmin(BookAdmin):
    """Which table's rows a seal holds; their keys and digests are for the verification."""

    house_lookup = ""
    list_display = ("id", "seal", "table", "last")
    ordering = ("-id",)
    fields = ("id", "seal", "table", "last")
