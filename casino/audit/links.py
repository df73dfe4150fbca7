"""How the desk's records lead to one another: slips and transfers, people, devices and rounds,
versions and where they counted.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.audit import found as audit_found
from casino.devices.models import TABLET, Device, DeviceSession
from casino.people.models import Person
from casino.records import labels
from casino.text import floor
from jackpot.models import Award, Claim, Epoch, GateDisplay, Hit, ListedRound, Slip, WaitingPrize
from payouts.models import Approval, PostedTable, Transfer
from tables.models import CardFeed, Hand, HandResult, PokerStay, Round, RoundResult, TableSession
from tables.selectors.sessions import table_then
from tables.services.cash.kinds import KINDS

SOME = 20
# kinds that are found by a person
SEARCHED = ("rounds", "hands", "hits", "slips", "transfers", "acts", "devices", "posted")
_PLAIN: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(("round", "override"), (Round, "audit-round")),
    "hand": (Hand, "audit-hand"),
    "hit": (Hit, "audit-hit"),
    "posted_table": (PostedTable, "audit-posted"),
}


class SlipRow(NamedTuple):
    """An award with its slip, in words, and every transfer that moved it."""

    row: Award
    kind: str
    state: str
    transfers: list[int]


def slips(awards: "QuerySet[Award]") -> list[SlipRow]:
    """Awards with their slips and every transfer that moved them. Two statements."""
    rows = list(awards.select_related("slip__paid_by", "hit__jackpot").order_by("slip__number"))
    moved: dict[UUID, list[int]] = {one.pk: [one.transfer_id] for one in rows}
    later = Transfer.objects.filter(subject_kind="award", subject_id__in=list(moved)).order_by("pk")
    for pk, subject in later.values_list("pk", "subject_id"):
        if subject is not None and pk not in moved[subject]:
            moved[subject].append(pk)
    say, kinds = floor.say, floor.AWARD_KINDS
    return [
        SlipRow(one, say(kinds, one.kind), say(Slip.State, one.slip.state), moved[one.pk])
        for one in rows
    ]


def about(house_id: UUID, kind: str, subject: str) -> str:
    """The page of what a transfer or an approval is about, if it has one of its own or stands on
    another one's.
    """
    pk = floor.uuid_or_none(subject)
    if pk is None:
        return ""
    if kind in _PLAIN:
        model, page = _PLAIN[kind]
        return (
            reverse(page, args=[pk]) if model.objects.filter(house=house_id, pk=pk).exists() else ""
        )
    if kind in ("award", "slip"):
        award = (
            Award.objects.filter(Q(pk=pk) | Q(slip=pk), house=house_id)
            .select_related("slip")
            .first()
        )
        return audit_found.slip_page(award) if award else ""
    if kind == "prize":
        prize = WaitingPrize.objects.filter(house=house_id, pk=pk).first()
        return reverse("audit-round", args=[prize.source_id]) if prize else ""
    if kind == "claim":
        claim = Claim.objects.filter(hit__house=house_id, pk=pk).first()
        return reverse("audit-hit", args=[claim.hit_id]) if claim and claim.hit_id else ""
    if kind == "epoch":
        hit = Hit.objects.filter(house=house_id, epoch=pk, state=Hit.State.PAID).first()
        return reverse("audit-hit", args=[hit.pk]) if hit else ""
    if kind == "stay":
        stays = PokerStay.objects.filter(house=house_id, pk=pk).select_related("guest__session")
        session = next((stay.guest.session for stay in stays), None)
        return played_on(session.table_id, session.gaming_day, "hands") if session else ""
    if kind in KINDS:
        entries = KINDS[kind].model.objects.filter(house=house_id, pk=pk)
        sessions = [entry.session for entry in entries.select_related("session")]
        return played_on(sessions[0].table_id, sessions[0].gaming_day, "rounds") if sessions else ""
    return f"{reverse('audit')}?{urlencode({'table': pk})}" if kind == "table" else ""


def pages_of_approvals(approvals: Iterable[Approval]) -> dict[UUID, str]:
    """By approval the page of what it is about: of a prize the round that owes it, of a slip where
    it stands. Two statements.
    """
    rows = list(approvals)
    ids = {
        kind: [one.subject_id for one in rows if one.subject_kind == kind]
        for kind in ("prize", "slip")
    }
    found = {
        str(pk): reverse("audit-round", args=[source])
        for pk, source in WaitingPrize.objects.filter(pk__in=ids["prize"]).values_list(
            "pk", "source_id"
        )
    }
    awards = Award.objects.filter(slip__pk__in=ids["slip"]).select_related("slip")
    found |= {str(one.slip.pk): audit_found.slip_page(one) for one in awards}
    return {
        one.pk: found.get(one.subject_id) or labels.page_of(one.subject_kind, one.subject_id)
        for one in rows
    }


def people_of_round(row: Round) -> list[Person]:
    """Who dealt a round, entered or ended it, asked or signed for it. One statement."""
    entered = RoundResult.objects.filter(round=row).values("entered_by")
    asked = Approval.objects.filter(subject_kind="round", subject_id=str(row.pk))
    return _people(
        Q(pk__in=[pk for pk in (row.croupier_id, row.ended_by_id) if pk]) | Q(pk__in=entered), asked
    )


def people_of_hand(row: Hand) -> list[Person]:
    """Who dealt a hand, entered it, asked or signed for it. One statement."""
    entered = HandResult.objects.filter(hand=row).values("entered_by")
    requests = Approval.objects.filter(subject_kind="hand", subject_id=str(row.pk))
    return _people(Q(pk=row.croupier_id) | Q(pk__in=entered), requests)


def people_of_hit(row: Hit) -> list[Person]:
    """Who claimed, decided, dealt a round of the list, asked or signed, paid. One statement."""
    claims, rounds = (
        Claim.objects.filter(hit=row),
        ListedRound.objects.filter(hit=row).values("round_id"),
    )
    who = Q(pk__in=claims.values("made_by")) | Q(pk__in=claims.values("decided_by"))
    who |= Q(pk__in=Round.objects.filter(pk__in=rounds).values("croupier"))
    who |= Q(pk__in=Award.objects.filter(hit=row).values("slip__paid_by"))
    return _people(who, Approval.objects.filter(subject_kind="hit", subject_id=str(row.pk)))


def _people(who: Q, asked: "QuerySet[Approval]") -> list[Person]:
    who |= Q(pk__in=asked.values("requester")) | Q(pk__in=asked.values("signatures__signer"))
    return list(Person.objects.filter(who).order_by("full_name", "pk"))


def found_by(person: Person) -> list[tuple[str, str]]:
    """The searches that lead on from a person: what each is called, and its address."""
    asked = [(code, urlencode({"kind": code, "person": person.pk})) for code in SEARCHED]
    return [(labels.kind(code), f"{reverse('audit')}?{query}") for code, query in asked]


def signed_in(row: Round) -> list[tuple[DeviceSession, str]]:
    """Who was signed in on the table's tablets while the round ran, and who of them locked and
    ended it.

    The croupier of a round that a tablet locks is who is signed in there at that moment
    (`casino/devices/api.py`).
    """
    until = row.ended_at or row.locked_at
    there = DeviceSession.objects.filter(
        device__table_id=row.table_id, device__kind=TABLET, began_at__lte=until
    )
    there = there.filter(
        Q(ended_at=None) | Q(ended_at__gte=row.locked_at), expires_at__gte=row.locked_at
    )
    found = []
    for one in there.select_related("device", "person").order_by("-began_at")[:SOME]:
        locked = one.person_id == row.croupier_id and one.began_at <= row.locked_at
        ended = row.ended_at is not None and one.person_id == row.ended_by_id
        ended = (
            ended and (one.ended_at is None or one.ended_at >= until) and one.expires_at >= until
        )
        found.append((one, _word(locked=locked, ended=ended)))
    return found


def rounds_of_device(device: Device, sessions: Iterable[DeviceSession]) -> list[Round]:
    """The newest rounds that were locked by who was signed in on a tablet, or whose cards a feed
    read. One statement.
    """
    rows = (
        Round.objects.filter(table=device.table_id)
        .annotate(table_then=table_then())
        .order_by("-locked_at", "-pk")
    )
    if device.kind != TABLET:
        read = CardFeed.objects.filter(round=OuterRef("pk"), device_id=device.pk)
        return (
            list(rows.filter(Exists(read), locked_at__gte=device.enrolled_at)[:SOME])
            if device.table_id
            else []
        )
    known = list(sessions)
    if not known:
        return []
    own = DeviceSession.objects.filter(
        pk__in=[one.pk for one in known], person=OuterRef("croupier")
    )
    own = own.filter(
        Q(ended_at=None) | Q(ended_at__gte=OuterRef("locked_at")),
        began_at__lte=OuterRef("locked_at"),
    )
    first = min(one.began_at for one in known)
    last = max(one.ended_at or one.expires_at for one in known)
    rows = rows.filter(
        Exists(own.filter(expires_at__gte=OuterRef("locked_at"))), locked_at__range=(first, last)
    )
    return list(rows[:SOME])


def displays_of_hit(row: Hit) -> list[Device]:
    """The displays that were asked to show the value after a hit. One statement."""
    shown = GateDisplay.objects.filter(gate__hit=row).values("display_id")
    return list(Device.objects.filter(pk__in=shown, house=row.house_id).order_by("name", "pk"))


def hits_of_display(device: Device) -> list[Hit]:
    """The hits after which a display was asked to show the new value, newest first. One
    statement."""
    gates = GateDisplay.objects.filter(display_id=device.pk, gate__hit=OuterRef("pk"))
    rows = Hit.objects.filter(Exists(gates), jackpot=device.jackpot_id).select_related("jackpot")
    return list(rows.order_by("-number")[:SOME]) if device.jackpot_id else []


def sessions_under(row: PostedTable) -> list[tuple[TableSession, str]]:
    """The newest tables that were opened under a version, each with the search for its rounds. One
    statement.
    """
    rows = TableSession.objects.filter(house=row.house, versions__contains={row.kind: str(row.pk)})
    shown = (
        rows.annotate(table_then=table_then("")).order_by("-opened_at", "-pk")[:SOME]
        if row.starts == "day"
        else []
    )
    return [(one, played_on(one.table_id, one.gaming_day)) for one in shown]


def epochs_under(row: PostedTable) -> list[tuple[Epoch, list[Hit]]]:
    """The epochs of a version, each with the hit that ended it. Two statements."""
    rows = Epoch.objects.filter(Q(progressive=row) | Q(funding=row) | Q(rules=row)).select_related(
        "jackpot"
    )
    epochs = list(rows.order_by("opened_at"))
    hits = Hit.objects.filter(epoch__in=epochs).order_by(F("number").desc())
    by_epoch: dict[Any, list[Hit]] = {}
    for one in hits:
        by_epoch.setdefault(one.epoch_id, []).append(one)
    return [(one, by_epoch.get(one.pk, [])) for one in epochs]


def played_on(table: object, day: object, kind: str = "rounds") -> str:
    """The search for what was played at a table on a day."""
    query = {"kind": kind, "table": table, "from": day, "to": day}
    return f"{reverse('audit')}?{urlencode(query)}"


def _word(*, locked: bool, ended: bool) -> str:
    if locked and ended:
        return _("locked and ended it here")
    return _("locked it here") if locked else _("ended it here") if ended else ""
