"""The jackpot in the admin: meters, hits, awards, slips, displays, to be read. What changes them
are commands, never a form.
"""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from casino.admin.book_admin import BookAdmin
from casino.records.fields import FIELDS
from jackpot.models import (
    Award,
    Claim,
    Contribution,
    DisplaySession,
    Epoch,
    EpochEnd,
    Fed,
    Gate,
    GateDisplay,
    Hit,
    Incarnation,
    Jackpot,
    ListedRound,
    RequiredDisplay,
    RunningRound,
    Share,
    SignOfLife,
    Slip,
    Split,
    Standstill,
    TakenBack,
    WaitingPrize,
)


@admin.register(Jackpot)
class JackpotAdmin(BookAdmin):
    """Jackpots with their phase."""

    list_display = (
        "name",
        "phase",
        "progressive",
        "funding",
        "offline_linked",
        "epoch",
        "created_at",
    )
    list_filter = ("phase",)
    search_fields = ("name",)
    ordering = ("name",)


@admin.register(Epoch)
class EpochAdmin(BookAdmin):
    """Spans between two resets."""

    list_display = (
        "number",
        "jackpot",
        "seed_minor",
        "remainder_minor",
        "progressive",
        "funding",
        "opened_at",
    )
    list_filter = ("jackpot",)
    ordering = ("-opened_at",)


@admin.register(EpochEnd)
class EpochEndAdmin(BookAdmin):
    """How epochs ended."""

    list_display = ("at", "epoch", "ended_as", "hit")
    ordering = ("-at",)


@admin.register(RunningRound)
class RunningRoundAdmin(BookAdmin):
    """Rounds at linked tables, running or ended."""

    list_display = (
        "round_id",
        "jackpot",
        "epoch",
        "table_id",
        "started_at",
        "ended_at",
        "ended_as",
    )
    list_filter = ("jackpot", "ended_as")
    search_fields = ("round_id__exact", "table_id__exact")
    ordering = ("-started_at",)


@admin.register(Contribution)
class ContributionAdmin(BookAdmin):
    """What coins fed, and what was taken back."""

    list_display = (
        *(
            "id",
            "at",
            "epoch",
            "table_id",
            "round_id",
            "coins",
            "meter_minor",
            "reserve_minor",
            "house_minor",
        ),
    )
    list_filter = ("epoch__jackpot",)
    search_fields = ("round_id__exact", "table_id__exact")
    ordering = ("-id",)


@admin.register(Fed)
class FedAdmin(BookAdmin):
    """What an epoch was fed in all, as it is kept for who asks."""

    house_lookup = "epoch__house_id"
    list_display = ("epoch", "upto", "coins", "minor")


@admin.register(Standstill)
class StandstillAdmin(BookAdmin):
    """Jackpots that could not go on, and why."""

    house_lookup = "jackpot__house_id"
    list_display = ("jackpot", "since", "failures", "error", "over_at")
    ordering = ("-since",)


@admin.register(SignOfLife)
class SignOfLifeAdmin(BookAdmin):
    """When what runs by the clock was last done."""

    house_lookup = ""
    list_display = ("kind", "at", "machine")
    fields = list_display

    @admin.display(description=FIELDS["worker"])
    def machine(self, row: SignOfLife) -> str:
        """Where it was done: `celery@vm` is the worker of the machine vm."""
        return str(_("worker on %(machine)s") % {"machine": row.worker.removeprefix("celery@")})


@admin.register(Incarnation)
class IncarnationAdmin(BookAdmin):
    """Begun, restored, gone on: which books these are."""

    house_lookup = ""
    list_display = ("number", "how", "at", "system_identifier", "timeline")
    ordering = ("-id",)


@admin.register(Hit)
class HitAdmin(BookAdmin):
    """Hits, from the first claim to their end."""

    list_display = (
        "number",
        "jackpot",
        "epoch",
        "state",
        "shown_minor",
        "begun_at",
        "drained_at",
        "ended_at",
        "reason",
    )
    list_filter = ("jackpot", "state")
    search_fields = ("id__exact",)
    ordering = ("-begun_at",)


@admin.register(ListedRound)
class ListedRoundAdmin(BookAdmin):
    """The rounds that ran when a hit began."""

    list_display = ("at", "hit", "round_id", "table_id")
    search_fields = ("hit__id__exact", "round_id__exact")
    ordering = ("-id",)


@admin.register(Claim)
class ClaimAdmin(BookAdmin):
    """Boxes that claim the meter."""

    list_display = (
        *("number", "hit", "round_id", "box", "guest_id", "origin", "state", "made_by", "made_at"),
        *("decided_by", "decided_at"),
    )
    list_filter = ("state", "origin")
    search_fields = ("hit__id__exact", "round_id__exact")
    ordering = ("-made_at",)


@admin.register(Split)
class SplitAdmin(BookAdmin):
    """How meters were split, every revision."""

    list_display = (
        "at",
        "hit",
        "revision",
        "sum_minor",
        "won_minor",
        "carried_minor",
        "overflow_minor",
    )
    search_fields = ("hit__id__exact",)
    ordering = ("-id",)


@admin.register(Share)
class ShareAdmin(BookAdmin):
    """What each claim gets by a split."""

    list_display = ("id", "split", "claim", "share_minor")
    search_fields = ("split__hit__id__exact",)
    ordering = ("-id",)


@admin.register(WaitingPrize)
class WaitingPrizeAdmin(BookAdmin):
    """Prizes that people have to approve."""

    list_display = (
        "at",
        "kind",
        "amount_minor",
        "source_id",
        "table_id",
        "box",
        "guest_id",
        "hit",
        "state",
    )
    list_filter = ("state", "kind")
    search_fields = ("source_id__exact", "round_id__exact")
    ordering = ("-at",)


@admin.register(Award)
class AwardAdmin(BookAdmin):
    """What guests are owed."""

    list_display = (
        "at",
        "kind",
        "amount_minor",
        "hit",
        "round_id",
        "box",
        "guest_id",
        "approval_id",
        "transfer_id",
    )
    list_filter = ("jackpot", "kind")
    search_fields = ("round_id__exact", "hit__id__exact")
    ordering = ("-at",)


@admin.register(Slip)
class SlipAdmin(BookAdmin):
    """Slips of the cage."""

    list_display = (
        "as_written",
        "award",
        "state",
        "due_on",
        "paid_at",
        "paid_by",
        "cash_minor",
        "cancelled_at",
    )
    list_filter = ("state",)
    search_fields = ("=number",)
    ordering = ("-number",)

    @admin.display(description=_("number"))
    def as_written(self, row: Slip) -> str:
        """The number as it stands on paper."""
        return row.written


@admin.register(TakenBack)
class TakenBackAdmin(BookAdmin):
    """Payments that their cashier took back."""

    list_display = ("at", "slip", "paid_at", "paid_by", "cash_minor", "transfer_id", "reason")
    ordering = ("-id",)


@admin.register(RequiredDisplay)
class RequiredDisplayAdmin(BookAdmin):
    """Displays that tables wait for after a hit."""

    list_display = ("name", "jackpot", "added_at", "ended_at", "reason")
    list_filter = ("jackpot",)
    ordering = ("-added_at",)
    exclude = ("display_id",)  # its name is beside it, also when the device is none any more


@admin.register(DisplaySession)
class DisplaySessionAdmin(BookAdmin):
    """What displays say that they show."""

    list_display = ("display_id", "jackpot", "seen_at", "shown", "version")


@admin.register(Gate)
class GateAdmin(BookAdmin):
    """Values that displays had to show before tables opened."""

    list_display = ("number", "jackpot", "amount_minor", "hit", "state", "made_at", "ended_at")
    list_filter = ("jackpot", "state")
    ordering = ("-made_at",)


@admin.register(GateDisplay)
class GateDisplayAdmin(BookAdmin):
    """Which display showed a value, and when."""

    list_display = ("name", "gate", "state", "at", "shown", "reason")
    list_filter = ("state",)
    ordering = ("-id",)
    exclude = ("display_id",)
