"""The rows of each kind of record that the desk finds: newest first, by whatever of the question
the kind can be found by.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.audit.search import EVENING, Asked
from casino.devices.models import Device, DeviceSession
from casino.people.models import Person
from casino.records import labels
from casino.records.descriptions import data_text, note
from casino.records.names import Names
from casino.text import floor
from jackpot.models import Award, Claim, Hit, Jackpot, ListedRound, Slip
from payouts.models import (
    Account,
    ApprovalSignature,
    Entry,
    Event,
    PostedState,
    PostedTable,
    Transfer,
)
from tables.kinds import KINDS as POSTED_KINDS
from tables.models import Round
from tables.selectors.sessions import table_then

PAGE = 50  # acts beside a record


class Found(NamedTuple):
    """One row. `amount_minor`, `at`, `word` (its state) and `more` (as kept) where it has them;
    `place`: of the next page.
    """

    href: str
    title: str
    text: str
    place: Sequence[Any]
    at: datetime | None = None
    amount_minor: int | None = None
    word: str = ""
    who: str = ""
    more: str = ""
    person: str = ""  # the page of `who`


def hits(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Hits, newest first."""
    to_pay = Count("awards", filter=Q(awards__slip__state=Slip.State.OPEN))
    rows = Hit.objects.filter(house=asked.house).select_related("jackpot").annotate(to_pay=to_pay)
    rows = _within(rows, asked, "begun_at")
    if asked.number is not None:
        rows = rows.filter(number=asked.number)
    if asked.amount_minor is not None:
        won = Award.objects.filter(hit=OuterRef("pk"), amount_minor=asked.amount_minor)
        rows = rows.filter(Q(shown_minor=asked.amount_minor) | Exists(won))
    if asked.table:
        rows = rows.filter(
            Exists(ListedRound.objects.filter(hit=OuterRef("pk"), table_id=asked.table.pk))
        )
    if asked.who:
        called = Claim.objects.filter(
            Q(made_by__in=asked.who) | Q(decided_by__in=asked.who), hit=OuterRef("pk")
        )
        dealt = Round.objects.filter(pk=OuterRef("round_id"), croupier__in=asked.who)
        rows = rows.filter(
            Exists(called) | Exists(ListedRound.objects.filter(Exists(dealt), hit=OuterRef("pk")))
        )
    return [
        Found(
            reverse("audit-hit", args=[one.pk]),
            f"{one.jackpot.name}, " + _("hit %(number)s") % {"number": one.number},
            one.reason,
            _key(one.begun_at, one.pk),
            one.begun_at,
            one.shown_minor,
            labels.hit_state(one.state, one.to_pay),
        )
        for one in _page(rows, ("-begun_at", "-pk"), place, limit)
    ]


def slips(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Slips, newest first."""
    rows = Award.objects.filter(house=asked.house, slip__isnull=False).select_related(
        "slip__paid_by", "hit"
    )
    named = Round.objects.filter(pk=OuterRef("round_id")).values(named=table_then())
    rows = rows.annotate(table_then=Subquery(named))
    rows = _within(rows, asked, "at")
    if asked.number is not None:
        rows = rows.filter(slip__number=asked.number)
    if asked.slip:
        rows = rows.filter(slip__number=asked.slip[0], slip__incarnation=asked.slip[1])
    if asked.amount_minor is not None:
        rows = rows.filter(
            Q(amount_minor=asked.amount_minor) | Q(slip__cash_minor=asked.amount_minor)
        )
    if asked.table:
        rows = rows.filter(table_id=asked.table.pk)
    if asked.who:
        dealt = Round.objects.filter(pk=OuterRef("round_id"), croupier__in=asked.who)
        rows = rows.filter(Q(slip__paid_by__in=asked.who) | Exists(dealt))
    return [
        Found(
            slip_page(one),
            _("Slip %(number)s") % {"number": one.slip.written},
            f"{one.table_then or ''} · {floor.say(floor.AWARD_KINDS, one.kind)}",
            _key(one.at, one.pk),
            one.at,
            one.amount_minor,
            floor.say(Slip.State, one.slip.state),
            one.slip.paid_by.full_name if one.slip.paid_by else "",
            person=_person(one.slip.paid_by_id),
        )
        for one in _page(rows, ("-at", "-pk"), place, limit)
    ]


def slip_page(award: Award) -> str:
    """Where a slip stands: with its hit, else with the round that owes it."""
    if award.hit_id:
        return reverse("audit-hit", args=[award.hit_id]) + f"#slip-{award.slip.number}"
    return reverse("audit-round", args=[award.round_id])


def transfers(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Transfers, newest first."""
    rows = Transfer.objects.filter(house=asked.house).select_related("actor")
    if asked.number is not None:
        rows = _within(rows.filter(pk=asked.number), asked, "posted_at")
    elif asked.given:
        rows = _within(rows, asked, "posted_at", always=True)
    if asked.amount_minor is not None:
        legs = Entry.objects.filter(
            transfer=OuterRef("pk"), amount_minor__in=[asked.amount_minor, -asked.amount_minor]
        )
        rows = rows.filter(Exists(legs))
    if asked.table:
        rows = rows.filter(
            Exists(Entry.objects.filter(transfer=OuterRef("pk"), account__owner_id=asked.table.pk))
        )
    if asked.who:
        rows = rows.filter(actor__in=asked.who)
    order = ("-posted_at", "-pk") if asked.given and asked.number is None else ("-pk",)
    return [
        Found(
            reverse("audit-transfer", args=[one.pk]),
            _("Transfer %(number)s") % {"number": one.pk},
            labels.transfer(one.kind) + (f" · {one.reason}" if one.reason else ""),
            _key(one.posted_at, one.pk) if len(order) > 1 else (one.pk,),
            one.posted_at,
            who=one.actor.full_name if one.actor else "",
            person=_person(one.actor_id),
        )
        for one in _page(rows, order, place, limit)
    ]


def accounts(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Accounts."""
    rows = Account.objects.filter(house=asked.house)
    if asked.table:
        rows = rows.filter(owner_id=asked.table.pk)
    if asked.number is not None:
        rows = rows.filter(pk=asked.number)
    if asked.amount_minor is not None:
        rows = rows.filter(balance_minor__in=[asked.amount_minor, -asked.amount_minor])
    names: dict[UUID, str] = dict(asked.tables) | {asked.house.pk: asked.house.name}
    names |= dict(Jackpot.objects.filter(house=asked.house).values_list("pk", "name"))
    return [
        Found(
            reverse("audit-account", args=[one.pk]),
            capfirst(labels.account(one.kind)),
            names.get(one.owner_id, ""),
            (one.pk,),
            amount_minor=one.balance_minor,
        )
        for one in _page(rows, ("pk",), place, limit)
    ]


def acts(rows: "QuerySet[Event]", place: Sequence[Any], limit: int) -> list[Found]:
    """Events as rows, newest first."""
    page = list(_page(rows.select_related("actor", "house"), ("-pk",), place, limit))
    houses = {one.house_id for one in page}
    names = Names.of(
        (data for one in page for data in (one.before, one.after)),
        *(houses if len(houses) == 1 else ()),
    )
    return [
        Found(
            labels.subject_page(one),
            labels.event(one.name),
            note(one.reason),
            (one.pk,),
            one.at,
            who=one.actor.full_name if one.actor else "",
            more=names.in_text(_data(one)),
            person=_person(one.actor_id),
        )
        for one in page
    ]


def _person(pk: UUID | None) -> str:
    return reverse("audit-person", args=[pk]) if pk else ""


def _data(one: Event) -> str:
    """What was before and after, as it was kept."""
    kept = {
        name: value
        for name, value in (("before", one.before), ("after", one.after))
        if value is not None
    }
    return data_text(kept, one.house) if kept else ""


def acts_of(kind: str, pk: object) -> list[Found]:
    """The newest acts about one record."""
    return acts(events_about(kind, pk), (), PAGE)


def events_about(kind: str, pk: object) -> "QuerySet[Event]":
    """The log of one record."""
    """What was done with a subject, without who looked at it."""
    return Event.objects.filter(subject_kind=kind, subject_id=str(pk)).exclude(name="audit.viewed")


def asked_acts(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Acts that were asked for, newest first."""
    rows = Event.objects.filter(house=asked.house)
    rows = _within(rows, asked, "at")
    return acts(rows.filter(actor__in=asked.who) if asked.who else rows, place, limit)


def people(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """People of the house."""
    rows = Person.objects.filter(house=asked.house)
    if asked.name:
        rows = rows.filter(Q(full_name__icontains=asked.name) | Q(username__icontains=asked.name))
    if asked.person:
        rows = rows.filter(pk=asked.person.pk)
    return [
        Found(
            reverse("audit-person", args=[one.pk]),
            one.full_name,
            f"{one.username} · {labels.roles(one)}",
            (one.full_name, str(one.pk)),
            one.signed_in_at,
            word="" if one.is_active else _("not active"),
        )
        for one in _page(rows, ("full_name", "pk"), place, limit)
    ]


def devices(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Devices."""
    rows = Device.objects.filter(house=asked.house).select_related("table", "jackpot")
    used = Q()
    if asked.who:
        used = Q(enrolled_by__in=asked.who) | Q(revoked_by__in=asked.who)
        used |= Q(Exists(DeviceSession.objects.filter(device=OuterRef("pk"), person__in=asked.who)))
    rows = _called_or_by(rows, asked, used)
    if asked.table:
        rows = rows.filter(table_id=asked.table.pk)
    return [
        Found(
            reverse("audit-device", args=[one.pk]),
            one.name,
            f"{one.get_kind_display()} · {one.place.name}",
            (one.name, str(one.pk)),
            one.enrolled_at,
            word=_("revoked") if one.revoked_at else "",
        )
        for one in _page(rows, ("name", "pk"), place, limit)
    ]


def posted(asked: Asked, place: Sequence[Any], limit: int) -> list[Found]:
    """Posted versions."""
    rows = PostedTable.objects.filter(house=asked.house).defer("data")
    let_in = Q()
    if asked.who:
        signed = ApprovalSignature.objects.filter(
            approval=OuterRef("approval_id"), signer__in=asked.who
        )
        let_in = (
            Q(drafted_by__in=asked.who) | Q(approval__requester__in=asked.who) | Q(Exists(signed))
        )
    rows = _called_or_by(rows, asked, let_in)
    if asked.number is not None:
        rows = rows.filter(version=asked.number)
    return [
        Found(
            reverse("audit-posted", args=[one.pk]),
            _("%(name)s, version %(version)s") % {"name": one.name, "version": one.version},
            _(POSTED_KINDS[one.kind].title) if one.kind in POSTED_KINDS else one.kind,
            (one.name, one.version, str(one.pk)),
            one.released_at,
            word=floor.say(PostedState, one.state),
        )
        for one in _page(rows, ("name", "-version", "pk"), place, limit)
    ]


def _called_or_by(rows: "QuerySet[Any]", asked: Asked, did: Q) -> "QuerySet[Any]":
    """Rows that are called so, or what somebody who is called so had to do with; of a person who
    was chosen only the latter.
    """
    if asked.name:
        named = Q(name__icontains=asked.name)
        rows = rows.filter(named | did if asked.people else named)
    return rows.filter(did) if asked.person else rows


def _within(
    rows: "QuerySet[Any]", asked: Asked, clock: str, *, always: bool = False
) -> "QuerySet[Any]":
    """Rows of the time that is asked about; all of them where no time is."""
    if not always and not asked.given & {"days", "at"}:
        return rows
    since, until = asked.span()
    moment = asked.moment()
    if moment:
        since, until = max(since, moment - EVENING), moment + EVENING
    return rows.filter(**{f"{clock}__gte": since, f"{clock}__lt": until})


def _page(rows: "QuerySet[Any]", order: tuple[str, ...], place: Sequence[Any], limit: int) -> Any:
    later, same = Q(), Q()
    for name, value in zip(order, place, strict=False):
        column = name.lstrip("-")
        later |= same & Q(**{f"{column}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{column: value})
    return rows.filter(later).order_by(*order)[:limit]


def _key(at: datetime, pk: object) -> tuple[str, Any]:
    return at.isoformat(), pk if isinstance(pk, int) else str(pk)
