"""Lists and rows of the books as people read them: names instead of ids, the house's money and
clock, words instead of codes.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, ClassVar, cast
from zoneinfo import ZoneInfo

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, localize
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.admin import refs as admin_refs
from casino.admin.refs import Refs, kinds_of
from casino.audit.reports.kinds import KINDS as REPORTS
from casino.records import codes
from casino.records.descriptions import data_text, note
from casino.records.names import KINDS as NAMED
from casino.text.formats import format_money
from payouts.models import House
from payouts.read_only import MOST, ReadOnlyAdmin
from tables.selectors.sessions import table_then

NOTHING = "–"
_HEAVY = ("JSONField", "TextField", "BinaryField")  # what a list never reads


class BookList(ChangeList):
    """A list whose rows know by name what they point at, by one statement for each kind of
    record."""

    def get_results(self, request: HttpRequest) -> None:
        """As Django's, then with the names."""
        super().get_results(request)
        own = cast("BookAdmin", self.model_admin)
        rows: list[Any] = list(self.result_list)
        refs = Refs(
            request, rows, [one for one in own.opts.concrete_fields if one.name in own.list_display]
        )
        for row in rows:
            row.refs = refs
        self.result_list = rows


class OwnRows(admin.RelatedFieldListFilter):
    """A filter that offers rows of the person's own house alone."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        """As Django's, within the house."""
        house_id = getattr(request.user, "house_id", None)
        within = {"house_id": house_id} if house_id else {}
        return field.get_choices(include_blank=False, ordering=("name",), limit_choices_to=within)


class CodeFilter(admin.AllValuesFieldListFilter):
    """A filter by codes, in words: all that there can be, or those of the newest rows."""

    def __init__(
        self,
        field: Any,
        request: HttpRequest,
        params: Any,
        model: Any,
        model_admin: Any,
        field_path: str,
    ):
        super().__init__(field, request, params, model, model_admin, field_path)
        known = [code for code, _word in field.choices or ()]
        if not known:
            newest = (
                model_admin.get_queryset(request)
                .order_by("-pk")
                .values_list(field_path, flat=True)[:MOST]
            )
            known = [*newest, *(self.lookup_val or ())]  # a list: what an address asks for
        self.model = model
        self.lookup_choices: Any = sorted(set(known), key=self._label)

    def choices(self, changelist: Any) -> Iterator[Any]:
        """As Django's, in words."""
        for choice in super().choices(changelist):
            said = choice["display"]
            yield choice | ({"display": self._label(said)} if said in self.lookup_choices else {})

    def _label(self, code: object) -> str:
        return codes.word(self.model, str(self.field.name), str(code)) or NOTHING


Cells = dict[str, Callable[[Any], Any]]  # by field, what a row shows


class BookAdmin(ReadOnlyAdmin):
    """Every field of a row as it is read by people.

    `texts`: fields that need more than their own value; `reads`: heavy fields that a column of the
    list is made of.
    """

    sortable_by = ()  # to sort by any column reads all of a book
    reads: tuple[str, ...] = ()
    texts: ClassVar[Cells] = {}

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """With the names of what rows point at."""
        return BookList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A list is called by what it lists."""
        title = {"title": capfirst(str(self.opts.verbose_name_plural))}
        return super().changelist_view(request, title | (extra_context or {}))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows within reach, with their house; a list leaves what it does not show where it
        is."""
        rows = super().get_queryset(request)
        if self.house_lookup not in ("", "id"):
            rows = rows.select_related(self.house_lookup.removesuffix("_id"))
        if request.resolver_match and request.resolver_match.view_name.endswith("_changelist"):
            heavy = [
                one.name for one in self.opts.concrete_fields if one.get_internal_type() in _HEAVY
            ]
            rows = rows.defer(
                *(name for name in heavy if name not in (*self.list_display, *self.reads))
            )
        elif (how := NAMED.get(self.opts.label_lower)) and how.then:
            rows = rows.annotate(table_then=table_then(*how.then))
        return rows

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Codes in words, rows of the own house."""
        return [
            (one, how) if isinstance(one, str) and (how := self._filter(one)) else one
            for one in self.list_filter
        ]

    def _filter(self, name: str) -> Any:
        field: Any = self.opts
        for part in name.split("__"):
            field = (field if field is self.opts else field.related_model._meta).get_field(part)
        return (
            OwnRows
            if field.remote_field
            else CodeFilter
            if isinstance(field, models.CharField)
            else None
        )

    def get_list_display(self, request: HttpRequest) -> Any:
        """The columns, each as it is shown; the first leads to the row, so it has no link of its
        own.
        """
        return [self._column(name, links=place > 0) for place, name in enumerate(self.list_display)]

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """All fields, each as it is shown."""
        names = self.fields or [one.name for one in self.opts.concrete_fields]
        return [
            self._column(name, whole=True) for name in names if name not in (self.exclude or ())
        ]

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """The row, knowing by name what it points at."""
        row: Any = super().get_object(request, object_id, from_field)
        if row is not None:
            row.refs = Refs(request, [row], self.opts.concrete_fields, data=True)
        return row

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The page of a row, called by its name, with where else it can be looked at."""
        row = context["original"]
        called = _Called(self.called(row))
        called.pk = row.pk
        context |= {
            "subtitle": called,
            "original": called,
            "elsewhere": admin_refs.pages(request, row),
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """There is no history of what is never written here."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if self.get_object(request, unquote(object_id)) is None:
            return redirect("admin:index")
        return redirect(
            reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[object_id])
        )

    def called(self, row: Any) -> str:
        """The name of a row."""
        how = NAMED.get(self.opts.label_lower)
        if how:
            return how.label(row)
        key = self.opts.pk
        kinds = kinds_of(row, key)
        return (
            row.refs.name(kinds, row.pk)
            if kinds
            else f"{capfirst(self.opts.verbose_name)} {row.pk}"
        )

    def _column(self, name: Any, *, links: bool = True, whole: bool = False) -> Any:
        if not isinstance(name, str) or hasattr(self, name):
            return name
        field: Any = self.opts.get_field(name)

        @admin.display(description=field.verbose_name)
        def column(row: Any) -> Any:
            if whole and name in self.texts:
                return self.texts[name](row) or NOTHING
            return show(row, field, links=links, whole=whole)

        column.__name__ = name
        return column


class _Called(str):
    """A row's name in the place of the row, of which the page's frame wants the key too."""

    __slots__ = ("pk",)
    pk: Any


def house_of(row: Any) -> House | None:
    """The house whose money and clock a row is in, by its list's way to it."""
    way = admin.site._registry[type(row)].house_lookup  # type: ignore[attr-defined]
    if not way or isinstance(row, House):
        return row if way else None
    return cast(House, reduce(getattr, way.removesuffix("_id").split("__"), row))


def show(row: Any, field: Any, *, links: bool, whole: bool) -> Any:
    """A field's value as people read it."""
    value = field.value_from_object(row)
    if value is None or value in ("", [], {}):
        return NOTHING
    house = house_of(row)
    if kinds := kinds_of(row, field):
        several = value if isinstance(value, list) else [value]
        found = [
            row.refs.link(kinds, one) if links else row.refs.name(kinds, one) for one in several
        ]
        return format_html_join(", ", "{}", ((one,) for one in found))
    if field.name.endswith("_minor") or field.name == "minor":
        return format_money(value, house.currency, house.locale) if house else str(value)
    how: _Shown = _PLAIN.get(field.get_internal_type(), _text)
    return how(row, field, value, house, whole)


def _text(row: Any, field: Any, value: Any, house: House | None, whole: bool) -> Any:  # noqa: FBT001
    if field.name in ("note", "reason"):
        return note(value)
    if field.name == "subject_id" and row.subject_kind == "report" and value in REPORTS:
        return _(REPORTS[value].title)
    if codes.coded(row, field.name):
        return codes.word(row, field.name, value)
    return row.refs.in_text(str(value)) if whole else str(value)


def _moment(row: Any, field: Any, value: Any, house: House | None, whole: bool) -> str:  # noqa: FBT001
    """In the time of the row's house; who is of no house reads which time that is."""
    local = timezone.localtime(value, ZoneInfo(house.time_zone) if house else None)
    return f"{local:%d.%m.%Y %H:%M:%S}" if row.refs.house_id else f"{local:%d.%m.%Y %H:%M:%S %Z}"


def _list(row: Any, field: Any, value: list[Any], house: House | None, whole: bool) -> str:  # noqa: FBT001
    return ", ".join(codes.word(row, field.name, str(one)) for one in value)


def _data(row: Any, field: Any, value: Any, house: House | None, whole: bool) -> Any:  # noqa: FBT001
    return data(row, value, house)


def data(row: Any, value: Any, house: House | None = None) -> SafeString:
    """Data as it was kept, in words, line by line."""
    return format_html(
        '<span class="data">{}</span>', row.refs.in_text(data_text(value, house or house_of(row)))
    )


_Shown = Callable[[Any, Any, Any, House | None, bool], Any]
_PLAIN: dict[str, _Shown] = {
    "DateTimeField": _moment,
    "DateField": lambda row, field, value, house, whole: date_format(value),
    "TimeField": lambda row, field, value, house, whole: date_format(value, "H:i"),
    "BooleanField": lambda row, field, value, house, whole: _("yes") if value else _("no"),
    "ArrayField": _list,
    "JSONField": _data,
    "BinaryField": lambda row, field, value, house, whole: format_html(
        "<code>{}</code>", bytes(value).hex()
    ),
    "FloatField": lambda row, field, value, house, whole: localize(round(value, 2)),
}
