"""The base of every admin page over books: to be read by who may, never written."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from payouts.models import House
from payouts.own_times import OwnTimes

if TYPE_CHECKING:  # Django's own class is generic for the type checker only
    _Paginator = Paginator[Any]
else:
    _Paginator = Paginator


# rows of a list that one can page to, and from which a filter takes what it offers: books grow for
# ever
MOST = 10_000


class MostPages(_Paginator):
    """Pages of the first rows; nobody turns to the thousandth, and counting all of them reads all
    of them.
    """

    most = MOST

    @cached_property
    def count(self) -> int:
        """How many rows there are, up to `MOST`."""
        rows: Any = self.object_list
        return int(rows.order_by()[:MOST].count())


class ReadOnlyAdmin(OwnTimes):
    """Lists and details without add, change, delete or action. Rights to view follow from the
    person's roles.

    `house_lookup` is the way from a row to its house id (`"house_id"`, `"transfer__house_id"`); a
    person of one house sees the rows of that house only. Empty: the rows say nothing of their
    house; they see them where theirs is the only one.
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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows within the person's reach."""
        rows = super().get_queryset(request)
        house_id = getattr(request.user, "scope_house_id", None)
        if house_id and not self.house_lookup:
            return rows.none() if House.objects.exclude(pk=house_id).exists() else rows
        return rows.filter(**{self.house_lookup: house_id}) if house_id else rows
