"""The floor in the admin: to be read. What changes it are commands, never a form."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.admin.book_admin import BookAdmin, Cells
from casino.records.descriptions import refusal
from casino.text.floor import line_text, stake_text
from casino.text.vocabulary import LEVELS
from tables.models import (
    BegunHand,
    BuyIn,
    CardFeed,
    EntryReversal,
    Guest,
    Hand,
    HandIrregularity,
    HandOver,
    HandOverride,
    HandPot,
    HandResult,
    HandSeat,
    HandShare,
    Irregularity,
    Override,
    Pit,
    PokerStay,
    ReviewItem,
    Round,
    RoundLine,
    RoundResult,
    RoundStake,
    StackCount,
    StayChips,
    Table,
    TableSession,
    TableVersion,
    Tip,
)


@admin.register(Pit)
class PitAdmin(BookAdmin):
    """Pits."""

    list_display = ("name", "position", "created_at")
    search_fields = ("name",)
    ordering = ("position", "name")


@admin.register(Table)
class TableAdmin(BookAdmin):
    """Tables: game, boxes, jackpot, the names of what is posted at them."""

    list_display = ("name", "pit", "game", "boxes", "jackpot", "session", "position")
    list_filter = ("pit", "jackpot", "game")
    search_fields = ("name",)
    ordering = ("pit__position", "position", "name")


@admin.register(TableVersion)
class TableVersionAdmin(BookAdmin):
    """What tables were and are to be, from which opening on."""

    list_display = ("table", "number", "pit", "name", "position", "boxes", "retired", "created_at")
    list_filter = ("table",)
    ordering = ("-created_at", "table", "-number")


class LevelFilter(admin.SimpleListFilter):
    """By entry level, as the games list them."""

    title = _("entry level")
    parameter_name = "entry_level"

    def lookups(self, *_: Any) -> list[tuple[str, str]]:
        return [(code, gettext(word)) for code, word in LEVELS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(entry_level=self.value()) if self.value() else queryset


@admin.register(TableSession)
class TableSessionAdmin(BookAdmin):
    """Tables from opening to closing."""

    list_display = (
        *(
            "table",
            "gaming_day",
            "entry_level",
            "croupier",
            "opened_at",
            "opened_by",
            "closed_at",
            "closed_by",
        ),
    )
    list_filter = ("table", LevelFilter, "gaming_day")
    ordering = ("-opened_at",)


@admin.register(HandOver)
class HandOverAdmin(BookAdmin):
    """Who took a table over from whom."""

    list_display = ("at", "session", "from_croupier", "to_croupier", "by")
    search_fields = ("session__id__exact",)
    ordering = ("-id",)


@admin.register(Guest)
class GuestAdmin(BookAdmin):
    """Guests, without names."""

    list_display = ("number", "session", "box", "seated", "distance", "arrived_at", "left_at")
    list_filter = ("seated",)
    search_fields = ("session__id__exact",)
    ordering = ("-arrived_at",)


@admin.register(PokerStay)
class PokerStayAdmin(BookAdmin):
    """Guests at the seats of poker tables."""

    list_display = ("guest", "began_at", "came_from", "time_from", "away_since", "left_at")
    search_fields = ("guest__session__id__exact",)
    ordering = ("-began_at",)


@admin.register(StayChips)
class StayChipsAdmin(BookAdmin):
    """Chips of guests at seats, one movement after the other."""

    list_display = ("at", "stay", "kind", "means", "amount_minor", "half_hours", "transfer")
    list_filter = ("kind",)
    search_fields = ("stay__guest__id__exact",)
    ordering = ("-id",)


@admin.register(StackCount)
class StackCountAdmin(BookAdmin):
    """Counts of all stacks of a table."""

    list_display = ("at", "session", "counted_minor", "missing_minor", "last_hand", "counted_by")
    search_fields = ("session__id__exact", "session__table__name")
    ordering = ("-id",)


class CashEntryAdmin(BookAdmin):
    """What was entered at tables."""

    list_display = ("at", "session", "croupier", "amount_minor", "queued_at", "transfer")
    search_fields = ("id__exact", "session__id__exact", "session__table__name")
    ordering = ("-at",)


@admin.register(BuyIn)
class BuyInAdmin(CashEntryAdmin):
    """Chips that guests bought for cash."""


@admin.register(Tip)
class TipAdmin(CashEntryAdmin):
    """Chips that guests gave to the staff."""


@admin.register(EntryReversal)
class EntryReversalAdmin(BookAdmin):
    """Buy-ins and tips that were taken back."""

    list_display = ("at", "buy_in", "tip", "by", "reason", "transfer")
    search_fields = ("buy_in__id__exact", "tip__id__exact")
    ordering = ("-id",)


@admin.register(Hand)
class HandAdmin(BookAdmin):
    """Hands of poker tables."""

    list_display = (
        *("table", "number", "session", "state", "variant", "revision", "croupier", "queued"),
        "ended_at",
    )
    list_filter = ("table", "state", "queued")
    search_fields = ("id__exact", "session__id__exact")
    ordering = ("-ended_at",)
    exclude = ("sent_hash",)


@admin.register(BegunHand)
class BegunHandAdmin(BookAdmin):
    """Hands that were begun last."""

    list_display = ("session", "number", "variant", "button", "croupier", "at", "abandoned")
    search_fields = ("session__id__exact", "hand_id__exact")
    ordering = ("-at",)


@admin.register(HandResult)
class HandResultAdmin(BookAdmin):
    """What was entered of hands, one revision after the other."""

    list_display = (
        "at", "hand", "revision", "pot_minor", "posted_minor", "rake_minor", "entered_by",
        "transfer",
    )  # fmt: skip
    search_fields = ("hand__id__exact",)
    ordering = ("-id",)


@admin.register(HandSeat)
class HandSeatAdmin(BookAdmin):
    """What seats of hands paid and won."""

    list_display = (
        *("id", "hand", "revision", "seat", "stack_minor", "ante_minor", "live_minor"),
        *("dead_minor", "returned_minor", "won_minor", "booked_minor", "folded"),
    )
    search_fields = ("hand__id__exact", "stay__guest__id__exact")
    ordering = ("-id",)


@admin.register(HandPot)
class HandPotAdmin(BookAdmin):
    """Pots of hands."""

    list_display = ("id", "hand", "revision", "number", "amount_minor", "rake_minor", "seats")
    search_fields = ("hand__id__exact",)
    ordering = ("-id",)


@admin.register(HandShare)
class HandShareAdmin(BookAdmin):
    """Who got how much out of a pot."""

    list_display = (
        *("id", "hand", "revision", "number", "half", "seat", "amount_minor", "odd_minor"),
    )
    list_filter = ("half",)
    search_fields = ("hand__id__exact",)
    ordering = ("-id",)


@admin.register(Round)
class RoundAdmin(BookAdmin):
    """Rounds from the lock on."""

    list_display = (
        *("table", "number", "session", "state", "entry_level", "revision", "croupier", "queued"),
        *("locked_at", "ended_at"),
    )
    list_filter = ("table", "state", "queued")
    search_fields = ("id__exact", "session__id__exact")
    ordering = ("-locked_at",)
    exclude = ("lock_hash",)


@admin.register(RoundStake)
class RoundStakeAdmin(BookAdmin):
    """Stakes: offered, kept, returned before the cards."""

    list_display = (
        *(
            "id",
            "round",
            "box",
            "guest",
            "kind",
            "offered_minor",
            "accepted_minor",
            "returned_minor",
            "rule",
        ),
    )
    list_filter = ("kind",)
    search_fields = ("round__id__exact",)
    ordering = ("-id",)
    exclude = ("data",)  # it stands in the reason
    texts: ClassVar[Cells] = {"reason": lambda row: stake_text(row, row.house)}


@admin.register(RoundResult)
class RoundResultAdmin(BookAdmin):
    """Results as they were entered, every revision."""

    list_display = ("at", "round", "revision", "source", "entered_by", "reason")
    list_filter = ("source",)
    search_fields = ("round__id__exact",)
    ordering = ("-id",)


@admin.register(RoundLine)
class RoundLineAdmin(BookAdmin):
    """What became of each stake, every revision."""

    list_display = (
        *(
            "id",
            "round",
            "revision",
            "box",
            "guest",
            "kind",
            "stake_minor",
            "returned_minor",
            "won_minor",
        ),
        *("prize_minor", "odds", "rule"),
    )
    list_filter = ("kind", "paid_by")
    search_fields = ("round__id__exact",)
    ordering = ("-id",)
    texts: ClassVar[Cells] = {"code": lambda row: line_text(row, row.house)}


@admin.register(CardFeed)
class CardFeedAdmin(BookAdmin):
    """Cards as a shoe or shuffler read them."""

    list_display = ("at", "round", "device_id")
    search_fields = ("round__id__exact", "device_id__exact")
    ordering = ("-id",)


@admin.register(Irregularity)
class IrregularityAdmin(BookAdmin):
    """What went wrong in rounds, and what was decided about it."""

    list_display = (
        *("at", "round", "kind", "decision", "box", "hand", "card", "recorded_by", "reason"),
    )
    list_filter = ("decision",)
    search_fields = ("round__id__exact",)
    ordering = ("-id",)


@admin.register(HandIrregularity)
class HandIrregularityAdmin(BookAdmin):
    """What went wrong at poker tables, and what was decided about it."""

    list_display = (
        *("at", "session", "hand", "kind", "decision", "override", "seat", "card"),
        *("recorded_by", "reason"),
    )
    list_filter = ("decision", "override")
    search_fields = ("hand__id__exact", "session__id__exact")
    ordering = ("-id",)


@admin.register(HandOverride)
class HandOverrideAdmin(BookAdmin):
    """What management paid for faults at poker tables."""

    list_display = (
        *("at", "hand", "revision", "seat", "won_minor", "amount_minor", "requested_by", "reason"),
    )
    search_fields = ("hand__id__exact",)
    ordering = ("-id",)


@admin.register(Override)
class OverrideAdmin(BookAdmin):
    """What management decided against the rules."""

    list_display = (
        *("at", "round", "box", "guest", "rules_minor", "amount_minor", "requested_by", "reason"),
    )
    search_fields = ("round__id__exact",)
    ordering = ("-id",)


@admin.register(ReviewItem)
class ReviewItemAdmin(BookAdmin):
    """What came too late or was refused, and what became of it; decided on the floor's own page."""

    list_display = (
        *(
            "received_at",
            "table",
            "round_id",
            "kind",
            "sent_by",
            "state",
            "closed_by",
            "closed_at",
            "reason",
        ),
    )
    list_filter = ("table", "state", "kind")
    search_fields = ("round_id__exact", "code")
    ordering = ("-received_at",)
    exclude = ("data",)  # it stands in the refusal
    texts: ClassVar[Cells] = {"code": lambda row: refusal(row.code, row.data, row.house)}
