"""The base of every admin page over books: to be read by who may, never written."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import CharField, Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from payouts.own_times import OwnTimes

if TYPE_CHECKING:  # Django's own class is generic for the type checker only
    _Paginator = Paginator[Any]
else:
    _Paginator = Paginator


MOST = 10_000  # rows of a list that one can page to, and from which a filter takes what it offers: books grow for ever


class MostPages(_Paginator):
    """Pages of the first rows; nobody turns to the thousandth, and counting all of them reads all of them."""

    most = MOST

    @cached_property
    def count(self) -> int:
        """How many rows there are, up to `MOST`."""
        rows: Any = self.object_list
        return int(rows.order_by()[:MOST].count())


class RecentValues(admin.AllValuesFieldListFilter):
    """A filter that offers the values of the newest rows."""

    def __init__(self, field: Any, request: HttpRequest, params: Any, model: Any, model_admin: Any, field_path: str):
        super().__init__(field, request, params, model, model_admin, field_path)
        newest = model_admin.get_queryset(request).order_by("-pk").values_list(field_path, flat=True)[:MOST]
        chosen = [self.lookup_val] if self.lookup_val else []
        self.lookup_choices: Any = sorted({*newest, *chosen})


class ReadOnlyAdmin(OwnTimes):
    """Lists and details without add, change, delete or action. Rights to view follow from the person's roles.

    `house_lookup` is the way from a row to its house id (`"house_id"`, `"transfer__house_id"`); a person of one house sees the
    rows of that house only. Empty: the rows belong to no house.
    """

    actions = None
    show_full_result_count = False  # books grow to millions of rows: no count(*) for an ornament
    paginator = MostPages
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody."""
        return False

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """As said by the list; what it says by a name alone, and has no choices, offers the values of the newest rows."""
        return [(one, RecentValues) if self._is_free(one) else one for one in super().get_list_filter(request)]

    def _is_free(self, one: Any) -> bool:
        field = self.opts.get_field(one) if isinstance(one, str) else None
        return isinstance(field, CharField) and not field.choices

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows within the person's reach."""
        rows = super().get_queryset(request)
        house_id = getattr(request.user, "reached_house_id", None)
        return rows.filter(**{self.house_lookup: house_id}) if self.house_lookup and house_id else rows

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """As Django's, but a row elsewhere that the person may not look at is named without a link that would be refused."""
        return [self._named(request, name) for name in super().get_fields(request, obj)]

    def _named(self, request: HttpRequest, name: Any) -> Any:
        field = next((one for one in self.opts.concrete_fields if one.name == name), None)
        there = field.related_model if field else None
        other = self.admin_site._registry.get(there) if isinstance(there, type) else None
        if field is None or other is None or other.has_view_permission(request):
            return name

        def plain(row: Model) -> str:
            value = getattr(row, field.name)
            return self.get_empty_value_display() if value is None else str(value)

        plain.__name__ = field.name
        plain.short_description = field.verbose_name  # type: ignore[attr-defined]
        return plain
