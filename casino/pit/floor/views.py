"""The floor at a glance, and what has to be clarified on it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from casino.games import screens_of
from casino.people.models import Person
from casino.people.page import Wrong, allowed, here_of, page, row_of, run, typed
from casino.people.permissions import RUN_FLOOR, SET_UP, VIEW_HIT, VIEW_TABLE
from casino.pit.board import read as dashboard_read
from casino.pit.calls import calls_open
from casino.pit.floor import show as floor_show
from casino.records.names import Names
from casino.records.told import refusal, told
from casino.text import floor as floor_words
from casino.text.formats import format_money
from casino.text.problems import sentences
from casino.text.refusal_words import ACTIONS
from jackpot.services.approved import ACTIONS as OF_JACKPOTS
from payouts.errors import Refused
from payouts.models import Approval, House
from payouts.rules.plain import Json
from tables.models import Round, ToClarify
from tables.selectors.floor import clarify_open, corrections_open
from tables.services import to_clarify_dismiss, to_clarify_take, to_clarify_try

SHOWN = 12  # entries to be clarified that stand on the floor's page; the oldest come first


@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """All tables of the house by pit, in fixed order, and what waits for somebody; with `?clarify=all` all to be clarified."""
    person = allowed(request, VIEW_TABLE)
    here = here_of(person)
    clarify = list(clarify_open(house_id=here.house.pk).defer("payload"))
    most = len(clarify) if request.GET.get("clarify") == "all" else SHOWN
    corrections = corrections_open(house_id=here.house.pk)
    shown = floor_show.floor(here.house)
    requests = _requests(here.house, {one.row.id: one.row.name for one in shown.jackpots})
    context = shown._asdict() | {
        "clarify": [_entry(one, here.house) for one in clarify[:most]],
        "clarify_count": len(clarify),
        "clarify_more": max(0, len(clarify) - most),
        "corrections": corrections,
        "requests": requests,
        "sign_count": len(corrections) + len(requests),
        "to_clarify": Counter(one.table_id for one in clarify),
        "to_sign": Counter(round_.table_id for _approval, round_ in corrections),
        "may_set_up": person.has_perm(SET_UP),
        "may_see_hits": person.has_perm(VIEW_HIT),
        "calls": calls_open([one.table.session_id for _pit, row in shown.pits for one in row if one.table.session_id]),
        "now": shown.now or here.now,
    }
    return page(request, person, "pit/floor/floor.html", context, here.house)


@require_GET
def clarify(request: HttpRequest, pk: UUID) -> HttpResponse:
    """One entry: what came, from whom, why it was refused; to be taken or dismissed."""
    return _clarify_page(request, allowed(request, VIEW_TABLE), pk)


@require_POST
def clarify_step(request: HttpRequest, pk: UUID, step: str) -> HttpResponse:
    """Take what came after all, or dismiss it, with a reason."""
    person = allowed(request, RUN_FLOOR)
    entry = _found(person, pk)
    if step not in ("take", "dismiss"):
        raise Http404
    words = typed(request)
    reason = words.get("reason", "").strip()
    values: dict[str, Any] = {"house_id": entry.house_id, "clarify_id": pk, "reason": reason, "actor_id": person.pk}

    def work() -> Json:
        if step == "take":
            return {"state": to_clarify_take(**values)["state"]}
        return {"state": to_clarify_dismiss(**values).state}

    try:
        run(request, person, f"clarify.{step}", words | {"entry": str(pk)}, work)
    except Refused as refused:
        return _clarify_page(request, person, pk, Wrong(step, refused))
    entry.refresh_from_db()
    done = {"taken": _("Booked."), "dismissed": _("Dismissed.")}
    messages.success(request, done.get(entry.state, _("Asked for: it is booked when another person has signed.")))
    return redirect("floor-round", entry.round_id) if step == "take" else redirect("floor")


def _clarify_page(request: HttpRequest, person: Person, pk: UUID, wrong: Wrong | None = None) -> HttpResponse:
    entry = _found(person, pk)
    may_run = person.has_perm(RUN_FLOOR) and entry.state == ToClarify.State.OPEN
    ended = Round.objects.filter(pk=entry.round_id, house_id=entry.house_id, state=Round.State.SETTLED)
    corrects = entry.kind == "settle" and ended.exists()
    refused = to_clarify_try(entry, actor_id=person.pk) if may_run else None
    context = {
        "entry": _entry(entry, entry.house),
        "corrects": corrects,
        "payload": _payload(entry, entry.house),
        "reason": request.POST.get("reason", ""),
        "may_run": may_run,
        "untakable": sentences(refused, entry.house) if refused else None,
        "forms": {"dismiss"} | (set() if refused else {"take"}) if entry.state == ToClarify.State.OPEN else set(),
    }
    return page(request, person, "pit/floor/clarify.html", context, entry.house, wrong)


def _found(person: Person, pk: UUID) -> ToClarify:
    rows = ToClarify.objects.select_related("house", "table", "sent_by", "closed_by")
    return row_of(person, rows, pk)


class Entry(NamedTuple):
    """An entry to be clarified: what came, and why it was refused, in words."""

    row: ToClarify
    came: str
    why: str


def _entry(row: ToClarify, house: House) -> Entry:
    return Entry(row, floor_words.say(floor_words.CAME, row.kind), refusal(row.code, row.data, house))


class JackpotRequest(NamedTuple):
    """Something to be signed about a jackpot: how many have signed, and the place where that is done."""

    row: Approval
    title: str
    signed: str
    href: str


def _requests(house: House, jackpots: Mapping[UUID, str]) -> list[JackpotRequest]:
    """What is to be signed about the house's jackpots, oldest first."""
    asked = dashboard_read.jackpot_requests(house_id=house.pk, actions=OF_JACKPOTS)
    return [
        JackpotRequest(
            row,
            f"{jackpots[pk]} · {capfirst(floor_words.say(ACTIONS, row.action))}",
            floor_words.signatures(len(row.signatures.all()), row.signers),
            reverse("floor-jackpot", args=[pk]) + f"#asked-{row.pk}",
        )
        for row, pk in asked
        if pk and pk in jackpots
    ]


class SentStake(NamedTuple):
    """A stake as it was sent; its amount in words, or whatever stood in its place."""

    box: object
    kind: str
    amount: object


class Payload(NamedTuple):
    """What came, as far as it can be read: stakes and result; and all of it as it was sent (`raw`)."""

    stakes: list[SentStake]
    result: object
    told_template: str
    coins: bool
    raw: str


def _payload(row: ToClarify, house: House) -> Payload:
    payload = row.payload if isinstance(row.payload, dict) else {}
    sent, result, screens = payload.get("stakes"), payload.get("result"), screens_of(row.table.game)
    stakes = [one for one in sent if isinstance(one, dict)] if isinstance(sent, list) else []
    return Payload(
        [_stake(one, house) for one in stakes],
        screens.told(result) if isinstance(result, dict) else None,
        screens.TOLD,
        coins=row.kind == "queued" and any(one.get("kind") == "coin" for one in stakes),
        raw=Names.of([row.payload], house.pk).in_text(told(row.payload, house)),
    )


def _stake(sent: dict[str, Any], house: House) -> SentStake:
    amount = sent.get("amount_minor")
    if isinstance(amount, int) and not isinstance(amount, bool):
        amount = format_money(amount, house.currency, house.locale)
    return SentStake(sent.get("box"), floor_words.say(floor_words.LINE_KINDS, str(sent.get("kind") or "")), amount)
