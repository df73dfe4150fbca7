"""What all pages of the audit desk share: who may, the row within reach, and that somebody looked
at it.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse

from casino.audit import verdict
from casino.people.events import request_id
from casino.people.models import Person
from casino.people.pages.page import allowed
from casino.people.permissions import VIEW_AUDIT
from payouts.models import Event, House
from payouts.services import Subject, event_record

VIEWED, SEARCHED = "audit.viewed", "audit.searched"
APART = timedelta(minutes=1)  # a page read again by the same person within it is one look
SUBJECT_MOST = 64  # characters of an event's subject


def auditor(request: HttpRequest) -> Person:
    """Who may be at the desk. Raises PermissionDenied."""
    return allowed(request, VIEW_AUDIT)


def looked(
    person: Person,
    house_id: UUID | None,
    kind: str,
    pk: object,
    name: str = VIEWED,
    after: Any = None,
) -> None:
    """Keep who looked at what, once a minute for each person and subject. Two statements, or one
    where it was kept already.

    `after`: what was asked for; looks that differ in it are two, whatever their subject.
    """
    subject = str(pk)[:SUBJECT_MOST]
    mine = Event.objects.filter(
        subject_kind=kind, subject_id=subject, name=name, actor=person, house=house_id
    )
    mine = mine.filter(after__isnull=True) if after is None else mine.filter(after=after)
    with transaction.atomic():
        if mine.filter(at__gt=Now() - APART).exists():
            return
        event_record(
            name,
            Subject(kind, subject),
            house_id=house_id,
            actor_id=person.pk,
            after=after,
            request_id=request_id(),
        )


def small(pk: int) -> int:
    """A number that can be a key. Raises Http404."""
    if pk >= 2**63:
        raise Http404
    return pk


def record(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    house: House | None,
    status: int = 200,
) -> HttpResponse:
    """Render the page of a record, under the verdict in one line."""
    context = {"verdict": verdict.verdict(house), "place": "records", **context}
    return page(request, template, context, house, status)


def page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    house: House | None,
    status: int = 200,
) -> HttpResponse:
    """Render a page of the desk, in the light theme whatever the person's first role."""
    return render(
        request, template, {"house": house, "reports": _reports(), **context}, status=status
    )


def _reports() -> str:
    """Where the reports are; empty in a build without them."""
    try:
        return reverse("audit_reports")
    except NoReverseMatch:
        return ""
