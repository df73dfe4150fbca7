"""What rows of the admin point at: each by its name, leading to where it can be looked at."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps
from django.contrib.admin import site
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.audit.links import about
from casino.people.models import Person
from casino.people.permissions import VIEW_AUDIT
from casino.records.names import IN_DATA, KINDS, LOOSE, SUBJECTS, UUIDS, Names

_ABOUT = {  # records that stand on another one's page of the audit desk
    **{f"jackpot.{one}": one for one in ("award", "claim", "epoch", "slip")},
    "jackpot.waitingprize": "prize",
}


def kinds_of(row: Any, field: Any) -> tuple[str, ...]:
    """The kinds of record that a field's value may be an id of; none for a field that holds no
    id."""
    if field.name in ("round_id", "display_id") and field.primary_key:
        return LOOSE[field.name]
    if field.remote_field:
        return (field.related_model._meta.label_lower,)
    if field.name == "subject_id":
        kind = SUBJECTS.get(row.subject_kind)
        return (kind,) if kind in KINDS else ()
    return LOOSE.get(field.name, ())


class Refs(Names):
    """The names of what the shown fields of some rows point at."""

    def __init__(
        self,
        request: HttpRequest,
        rows: Iterable[Any],
        fields: Iterable[Any],
        *,
        data: bool = False,
    ) -> None:
        self.request = request
        wanted: dict[str, set[str]] = {}
        shown = list(fields)
        for row in rows:
            for field in shown:
                for kind, text in _ids(row, field, data=data):
                    wanted.setdefault(kind, set()).add(text)
        super().__init__(wanted, getattr(request.user, "house_id", None))

    def link(self, kinds: Iterable[str], pk: object) -> SafeString | str:
        """The record's name, leading to its row if the person may look at it."""
        kind, row = self.row(kinds, pk)
        name = self.name(kinds, pk)
        address = self.address(kind, row) if row else ""
        return format_html('<a href="{}">{}</a>', address, name) if address else name

    def address(self, kind: str, row: Any) -> str:
        """The page of a row; empty where there is none or the person may not look at it."""
        model = apps.get_model(kind)
        there = site._registry.get(model)
        if there is None or not there.has_view_permission(self.request):
            return ""
        if model is Person and self.house_id and row.house_id != self.house_id:
            return ""
        return reverse(
            f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk]
        )


def pages(request: HttpRequest, row: Any) -> list[tuple[str, str]]:
    """Where else a record can be looked at, as the person may: what the place is called, and the
    address.
    """
    how = KINDS.get(row._meta.label_lower)
    user = request.user
    found = []
    for page, right in how.pages if how else ():
        if user.has_perm(right):
            found.append(
                (
                    _("Audit desk") if page.startswith("audit") else _("Floor"),
                    reverse(page, args=[row.pk]),
                )
            )
    kind, subject = _ABOUT.get(row._meta.label_lower, ""), row.pk
    if hasattr(row, "subject_kind"):
        kind, subject = row.subject_kind, row.subject_id
    if not found and kind and row.house_id and user.has_perm(VIEW_AUDIT):
        there = about(row.house_id, kind, str(subject))
        found += [(_("Audit desk"), there)] if there else []
    return found


def _ids(row: Any, field: Any, *, data: bool) -> Iterator[tuple[str, str]]:
    value = field.value_from_object(row)
    if value in (None, "", []):
        return
    if field.get_internal_type() == "JSONField" or field.name == "text":
        texts = UUIDS.findall(str(value)) if data else []
        yield from ((kind, text) for kind in IN_DATA for text in texts)
        return
    several = value if isinstance(value, list) else [value]
    yield from ((kind, str(one)) for kind in kinds_of(row, field) for one in several)
