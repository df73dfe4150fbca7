"""The books to look at: every money table, read-only. What changes them are commands, never a form."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payouts.errors import mark
from payouts.models import (
    Account,
    Approval,
    ApprovalRule,
    ApprovalSignature,
    CommandKey,
    Entry,
    Event,
    House,
    PostedTable,
    Transfer,
)
from payouts.read_only import ReadOnlyAdmin

KILLED = mark("killed")  # the other states are marked where pages say them


class StateFilter(admin.ChoicesFieldListFilter):
    """States in the language of the page."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """As Django's, in words."""
        yield from (choice | {"display": gettext(str(choice["display"]))} for choice in super().choices(changelist))


@admin.display(description=_("state"), ordering="state")
def state_said(row: Approval | PostedTable) -> str:
    """The state in the language of the page."""
    return gettext(row.state)


@admin.register(House)
class HouseAdmin(ReadOnlyAdmin):
    """Houses."""

    house_lookup = "id"
    list_display = ("name", "currency", "locale", "time_zone", "gaming_day_change")


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts with balance and version."""

    list_display = ("kind", "owner_id", "detail_id", "side", "balance_minor", "currency", "version")
    list_filter = ("kind",)
    search_fields = ("owner_id__exact", "detail_id__exact")
    list_select_related = ("house",)


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    """Transfers: what, why, who, when."""

    list_display = ("id", "posted_at", "kind", "key", "gaming_day", "actor", "reverses_id", "reason")
    list_filter = ("kind", "gaming_day")
    search_fields = ("key__exact", "subject_id__exact")
    list_select_related = ("actor",)
    ordering = ("-id",)


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    """Entries with the balance after each."""

    list_display = ("id", "transfer_id", "account", "amount_minor", "account_version", "balance_after_minor", "note")
    search_fields = ("=transfer__id", "=account__id")
    list_select_related = ("account",)
    ordering = ("-id",)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """Who did what."""

    list_display = ("at", "name", "actor", "subject", "reason")
    list_filter = ("name",)
    search_fields = ("subject_id__exact",)
    list_select_related = ("actor",)
    ordering = ("-id",)

    @admin.display(description=_("subject"))
    def subject(self, event: Event) -> str:
        """Kind and number in one column."""
        return f"{event.subject_kind} {event.subject_id}".strip()


@admin.register(Approval)
class ApprovalAdmin(ReadOnlyAdmin):
    """What was asked for, and what became of it."""

    list_display = (
        "requested_at",
        "action",
        "subject",
        "revision",
        "requester",
        state_said,
        "expires_at",
    )
    list_filter = (("state", StateFilter), "action")
    list_select_related = ("requester",)
    ordering = ("-requested_at",)

    @admin.display(description=_("subject"))
    def subject(self, approval: Approval) -> str:
        """Kind and number in one column."""
        return f"{approval.subject_kind} {approval.subject_id}"


@admin.register(ApprovalSignature)
class ApprovalSignatureAdmin(ReadOnlyAdmin):
    """Who signed what, when, how."""

    house_lookup = "approval__house_id"
    list_display = ("signed_at", "approval", "signer", "method")
    list_select_related = ("approval", "signer")
    ordering = ("-id",)


@admin.register(ApprovalRule)
class ApprovalRuleAdmin(ReadOnlyAdmin):
    """The approval matrix, all versions."""

    list_display = ("action", "version", "signers", "roles", "method", "lifetime_s", "created_at")
    list_filter = ("action",)


@admin.register(PostedTable)
class PostedTableAdmin(ReadOnlyAdmin):
    """Every version of every posted table; drafts and approvals have their own pages."""

    list_display = ("kind", "name", "version", state_said, "starts", "in_force_from", "drafted_by", "released_at")
    list_filter = ("kind", ("state", StateFilter))
    list_select_related = ("drafted_by",)
    ordering = ("kind", "name", "-version")


@admin.register(CommandKey)
class CommandKeyAdmin(ReadOnlyAdmin):
    """Commands by their keys. A key says nothing of its house, so only who is of no house sees them."""

    house_lookup = ""
    list_display = ("key", "created_at")
    search_fields = ("key__exact",)
    ordering = ("-created_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """All keys for the whole installation's manager, none for people of one house."""
        rows = super().get_queryset(request)
        return rows.none() if getattr(request.user, "house_id", None) else rows
