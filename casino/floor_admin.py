"""The floor and the jackpot in the admin: to be read, amounts in the house's money. What changes them are commands, never a form.

It stands here and not in `tables` and `jackpot`, because how a house writes its money is known on this floor only.
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from casino import floor_words
from casino.formats import format_money
from casino.refusal_words import LEVELS
from jackpot.models import Contribution, Epoch, Jackpot, RunningRound
from payouts.read_only import ReadOnlyAdmin
from tables.models import (
    CardFeed,
    Guest,
    HandOver,
    Pit,
    Round,
    RoundLine,
    RoundResult,
    RoundStake,
    Table,
    TableSession,
    ToClarify,
)


def money(field: str) -> Callable[[Any], str]:
    """A column with the amount of this field (minor units) as the row's house writes it; its list joins the house."""

    @admin.display(description=field.removesuffix("_minor").replace("_", " "), ordering=field)
    def shown(row: Any) -> str:
        amount = getattr(row, field)
        return "–" if amount is None else format_money(amount, row.house.currency, row.house.locale)

    return shown


def word(field: str, words: dict[str, str]) -> Callable[[Any], str]:
    """A column with the word for the code in this field, in the language of the page."""

    @admin.display(description=field.replace("_", " "), ordering=field)
    def shown(row: Any) -> str:
        return floor_words.say(words, getattr(row, field))

    return shown


class OwnRows(admin.RelatedFieldListFilter):
    """A filter that offers rows of the person's own house alone."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        """As Django's, within the house."""
        house_id = getattr(request.user, "house_id", None)
        within = {"house_id": house_id} if house_id else {}
        return field.get_choices(include_blank=False, ordering=("name",), limit_choices_to=within)


class WordFilter(admin.ChoicesFieldListFilter):
    """States in the language of the page."""

    words: ClassVar[dict[str, str]] = floor_words.ROUND_STATES | floor_words.PHASES | LEVELS

    def choices(self, changelist: Any) -> Iterator[Any]:
        """As Django's, in words."""
        for choice in super().choices(changelist):
            said = str(choice["display"])
            yield choice | {"display": floor_words.say(self.words, said) if said in self.words else said}


class FloorAdmin(ReadOnlyAdmin):
    """`shown` maps fields to the columns that stand for them, in the list and on the row's own page."""

    shown: ClassVar[dict[str, Callable[[Any], str]]] = {}

    def get_list_display(self, request: HttpRequest) -> Any:
        """The columns, each as it is shown."""
        return [self.shown.get(str(name), name) for name in super().get_list_display(request)]

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """All fields, each as it is shown."""
        return [self.shown.get(str(name), name) for name in super().get_fields(request, obj)]


# --- tables -------------------------------------------------------------------------------------------------------------------
@admin.register(Pit)
class PitAdmin(FloorAdmin):
    """Pits."""

    list_display = ("name", "position", "created_at")
    search_fields = ("name",)
    ordering = ("position", "name")


@admin.register(Table)
class TableAdmin(FloorAdmin):
    """Tables: game, boxes, jackpot, the names of what is posted at them."""

    list_display = ("name", "pit", "game", "boxes", "jackpot", "session", "position")
    list_filter = (("pit", OwnRows), ("jackpot", OwnRows), "game")
    search_fields = ("name",)
    list_select_related = ("pit", "jackpot", "session")
    ordering = ("pit__position", "position", "name")


@admin.register(TableSession)
class TableSessionAdmin(FloorAdmin):
    """Tables from opening to closing."""

    list_display = (
        "table",
        "gaming_day",
        "entry_level",
        "croupier",
        "opened_at",
        "opened_by",
        "closed_at",
        "closed_by",
    )
    list_filter = (("table", OwnRows), ("entry_level", WordFilter), "gaming_day")
    list_select_related = ("table", "croupier", "opened_by", "closed_by")
    ordering = ("-opened_at",)
    shown: ClassVar[dict[str, Any]] = {"entry_level": word("entry_level", LEVELS)}


@admin.register(HandOver)
class HandOverAdmin(FloorAdmin):
    """Who took a table over from whom."""

    list_display = ("at", "session", "from_croupier", "to_croupier", "by")
    search_fields = ("session__id__exact",)
    list_select_related = ("session", "from_croupier", "to_croupier", "by")
    ordering = ("-id",)


@admin.register(Guest)
class GuestAdmin(FloorAdmin):
    """Guests, without names."""

    list_display = ("session", "number", "box", "seated", "distance", "arrived_at", "left_at")
    list_filter = ("seated",)
    search_fields = ("session__id__exact",)
    list_select_related = ("session",)
    ordering = ("-arrived_at",)


@admin.register(Round)
class RoundAdmin(FloorAdmin):
    """Rounds from the lock on."""

    list_display = (
        "id",
        "table",
        "number",
        "state",
        "entry_level",
        "revision",
        "croupier",
        "queued",
        "locked_at",
        "ended_at",
    )
    list_filter = (("table", OwnRows), ("state", WordFilter), "queued")
    search_fields = ("id__exact", "session__id__exact")
    list_select_related = ("table", "croupier")
    ordering = ("-locked_at",)
    exclude = ("lock_hash",)
    shown: ClassVar[dict[str, Any]] = {
        "state": word("state", floor_words.ROUND_STATES),
        "entry_level": word("entry_level", LEVELS),
    }


@admin.register(RoundStake)
class RoundStakeAdmin(FloorAdmin):
    """Stakes: offered, kept, returned before the cards."""

    list_display = (
        "id",
        "round_id",
        "box",
        "guest",
        "kind",
        "offered_minor",
        "accepted_minor",
        "returned_minor",
        "rule",
    )
    list_filter = ("kind",)
    search_fields = ("round__id__exact",)
    list_select_related = ("house", "guest")
    ordering = ("-id",)
    shown: ClassVar[dict[str, Any]] = {
        name: money(name) for name in ("offered_minor", "accepted_minor", "returned_minor")
    } | {"kind": word("kind", floor_words.LINE_KINDS)}


@admin.register(RoundResult)
class RoundResultAdmin(FloorAdmin):
    """Results as they were entered, every revision."""

    list_display = ("at", "round_id", "revision", "source", "entered_by", "reason")
    list_filter = ("source",)
    search_fields = ("round__id__exact",)
    list_select_related = ("entered_by",)
    ordering = ("-id",)
    shown: ClassVar[dict[str, Any]] = {"source": word("source", floor_words.SOURCES)}


@admin.register(RoundLine)
class RoundLineAdmin(FloorAdmin):
    """What became of each stake, every revision."""

    list_display = (
        "id",
        "round_id",
        "revision",
        "box",
        "guest",
        "kind",
        "stake_minor",
        "returned_minor",
        "won_minor",
        "prize_minor",
        "odds",
        "rule",
    )
    list_filter = ("kind", "paid_by")
    search_fields = ("round__id__exact",)
    list_select_related = ("house", "guest")
    ordering = ("-id",)
    shown: ClassVar[dict[str, Any]] = {
        name: money(name) for name in ("stake_minor", "returned_minor", "won_minor", "prize_minor")
    } | {"kind": word("kind", floor_words.LINE_KINDS)}


@admin.register(CardFeed)
class CardFeedAdmin(FloorAdmin):
    """Cards as a shoe or shuffler read them."""

    list_display = ("at", "round_id", "device_id")
    search_fields = ("round__id__exact", "device_id__exact")
    ordering = ("-id",)


@admin.register(ToClarify)
class ToClarifyAdmin(FloorAdmin):
    """What came too late or was refused, and what became of it; decided on the floor's own page."""

    list_display = ("received_at", "table", "kind", "code", "sent_by", "state", "closed_by", "closed_at", "reason")
    list_filter = (("table", OwnRows), "state", "kind")
    search_fields = ("round_id__exact", "code")
    list_select_related = ("table", "sent_by", "closed_by")
    ordering = ("-received_at",)
    shown: ClassVar[dict[str, Any]] = {"kind": word("kind", floor_words.CAME)}


# --- jackpot ------------------------------------------------------------------------------------------------------------------
@admin.register(Jackpot)
class JackpotAdmin(FloorAdmin):
    """Jackpots with their phase."""

    list_display = ("name", "phase", "progressive", "funding", "offline_linked", "epoch", "created_at")
    list_filter = (("phase", WordFilter),)
    search_fields = ("name",)
    list_select_related = ("epoch",)
    ordering = ("name",)
    shown: ClassVar[dict[str, Any]] = {
        "phase": word("phase", floor_words.PHASES),
        "offline_linked": word("offline_linked", floor_words.OFFLINE),
    }


@admin.register(Epoch)
class EpochAdmin(FloorAdmin):
    """Spans between two resets."""

    list_display = ("jackpot", "number", "seed_minor", "remainder_minor", "progressive", "funding", "opened_at")
    list_filter = (("jackpot", OwnRows),)
    list_select_related = ("house", "jackpot", "progressive", "funding")
    ordering = ("-opened_at",)
    shown: ClassVar[dict[str, Any]] = {name: money(name) for name in ("seed_minor", "remainder_minor")}


@admin.register(RunningRound)
class RunningRoundAdmin(FloorAdmin):
    """Rounds at linked tables, running or ended."""

    list_display = ("round_id", "jackpot", "epoch", "table_id", "started_at", "ended_at", "ended_as")
    list_filter = (("jackpot", OwnRows), "ended_as")
    search_fields = ("round_id__exact", "table_id__exact")
    list_select_related = ("jackpot", "epoch")
    ordering = ("-started_at",)
    shown: ClassVar[dict[str, Any]] = {"ended_as": word("ended_as", floor_words.ROUND_STATES)}


@admin.register(Contribution)
class ContributionAdmin(FloorAdmin):
    """What coins fed, and what was taken back."""

    list_display = ("id", "at", "epoch", "table_id", "round_id", "coins", "meter_minor", "reserve_minor", "house_minor")
    list_filter = (("epoch__jackpot", OwnRows),)
    search_fields = ("round_id__exact", "table_id__exact")
    list_select_related = ("house", "epoch")
    ordering = ("-id",)
    shown: ClassVar[dict[str, Any]] = {name: money(name) for name in ("meter_minor", "reserve_minor", "house_minor")}
