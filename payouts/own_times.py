"""Times in the admin for who reads the rows of several houses: each in the zone of the row's own
house.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.db.models import DateTimeField, Model
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import localize

from payouts.models import House

if TYPE_CHECKING:  # Django's own class is generic for the type checker only
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


class OwnTimes(_ModelAdmin):
    """Columns with a time say it in the zone of the row's house, and which; a row's own page has
    that zone.

    `house_lookup` is the way from a row to its house id; empty where rows belong to no house.
    """

    house_lookup = "house_id"

    def get_list_display(self, request: HttpRequest) -> Any:
        """As said by the list; people of one house have its zone already."""
        names = super().get_list_display(request)
        if getattr(request.user, "house_id", None) or not self.house_lookup:
            return names
        zones = {pk: ZoneInfo(zone) for pk, zone in House.objects.values_list("pk", "time_zone")}
        if len(zones) < 2:  # the only house's zone holds for all of the page
            return names
        return [
            self._local_column(name, zones)
            if isinstance(name, str) and self._is_time(name)
            else name
            for name in names
        ]

    def _is_time(self, name: str) -> bool:
        try:
            return isinstance(self.opts.get_field(name), DateTimeField)
        except FieldDoesNotExist:
            return False

    def _local_column(self, name: str, zones: dict[Any, ZoneInfo]) -> Callable[[Any], str | None]:
        of = attrgetter(self.house_lookup.replace("__", "."))

        @admin.display(description=self.opts.get_field(name).verbose_name, ordering=name)  # type: ignore[union-attr]
        def local_time(row: Model) -> str | None:
            at, zone = getattr(row, name), zones.get(of(row))
            if at is None:
                return None
            local = at.astimezone(zone or timezone.get_current_timezone())
            return f"{localize(local)} {local:%Z}"

        return local_time

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: Any = False,  # noqa: FBT002
        change: Any = False,  # noqa: FBT002
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        """As Django's, every time in the zone of the row's house."""
        house_id = (
            attrgetter(self.house_lookup.replace("__", "."))(obj)
            if obj and self.house_lookup
            else None
        )
        if house_id and not getattr(request.user, "house_id", None):
            timezone.activate(
                ZoneInfo(House.objects.values_list("time_zone", flat=True).get(pk=house_id))
            )
        return super().render_change_form(request, context, add, change, form_url, obj)
