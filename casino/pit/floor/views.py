"""The floor at a glance, and what has to be clarified on it."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET

from casino.games import round_screens_of
from casino.people.models import Person
from casino.people.pages.fields import Reason, Tick
from casino.people.pages.page import Wrong, allowed, house_clock_of, page, row_of
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import RUN_FLOOR, SET_UP, VIEW_HIT, VIEW_TABLE
from casino.pit.board import read
from casino.pit.floor import show
from casino.pit.hands.show import hand_as_sent
from casino.pit.placements import payout_sum, placements_shown, sent_rows, stake_sum
from casino.records.descriptions import data_text, refusal
from casino.records.names import Names
from casino.text import floor
from casino.text.problems import sentences
from casino.text.vocabulary import ACTIONS
from jackpot.services.approved import ACTIONS as OF_JACKPOTS
from payouts.models import Approval, House
from payouts.rules.plain import Json
from tables.models import PlayKind, ReviewItem, Round, RoundStake
from tables.selectors.calls import calls_open
from tables.selectors.floor import clarify_open, corrections_open
from tables.services import (
    review_item_dismiss,
    review_item_is_idle,
    review_item_is_missing,
    review_item_take,
    review_item_try,
    review_items_close,
)

SHOWN = 12  # entries to be clarified that stand on the floor's page; the oldest come first


@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """All tables of the house by pit, in fixed order, and what waits for somebody; with
    `?clarify=all` all to be clarified.
    """
    person = allowed(request, VIEW_TABLE)
    here = house_clock_of(person)
    clarify = list(clarify_open(house_id=here.house.pk).defer("payload"))
    most = len(clarify) if request.GET.get("clarify") == "all" else SHOWN
    corrections = corrections_open(house_id=here.house.pk)
    silent = read.silent_tables(read.live_tables(house_id=here.house.pk))
    shown = show.floor(here.house, silent)
    requests = _requests(here.house, {one.row.id: one.row.name for one in shown.jackpots})
    context = shown._asdict() | {
        "clarify": [_entry(one, here.house) for one in clarify[:most]],
        "clarify_count": len(clarify),
        "clarify_more": max(0, len(clarify) - most),
        "corrections": corrections,
        "requests": requests,
        "sign_count": len(corrections) + len(requests),
        "to_clarify": Counter(one.table_id for one in clarify),
        "to_sign": Counter(play.table_id for _approval, play in corrections),
        "may_set_up": person.has_perm(SET_UP),
        "may_see_hits": person.has_perm(VIEW_HIT),
        "calls": calls_open(
            [
                one.table.session_id
                for _pit, row in shown.pits
                for one in row
                if one.table.session_id
            ]
        ),
        "now": shown.now or here.now,
    }
    return page(request, person, "pit/floor/floor.html", context, here.house)


class _ClarifyStep(Step[ReviewItem]):
    permission, subject = RUN_FLOOR, "entry"
    reason = Reason(500, label=gettext_lazy("Reason"))

    @property
    def ids(self) -> dict[str, Any]:
        return {
            "house_id": self.row.house_id,
            "clarify_id": self.row.pk,
            "actor_id": self.person.pk,
        }

    def message(self, answer: Json) -> str:
        self.row.refresh_from_db()
        done = {"taken": _("Booked."), "dismissed": _("Dismissed.")}
        return done.get(
            self.row.state, _("Asked for: it is booked when another person has signed.")
        )

    def after(self, answer: Json) -> tuple[Any, ...]:
        if self.step == "take" and isinstance(answer, dict):
            return (f"floor-{self.row.play}", UUID(str(answer["id"])))
        return ("floor",)


class _Take(_ClarifyStep):
    step, command = "take", "clarify.take"

    def carry_out(self) -> Json:
        booked = review_item_take(**self.ids, **self.values)
        return {name: booked[name] for name in ("id", "state")}


class _Dismiss(_ClarifyStep):
    step, command = "dismiss", "clarify.dismiss"
    never_played = Tick(
        label=gettext_lazy("Never played: no card was dealt, and all chips went back."),
        widget=forms.CheckboxInput,
    )

    def prepare(self) -> Callable[[], Json]:
        untakable = review_item_try(self.row, actor_id=self.person.pk) is not None
        values = {**self.ids, **self.values, "untakable": untakable}
        return lambda: {"state": review_item_dismiss(**values).state}


class _CloseIdle(_ClarifyStep):
    """The entry and all others of its table that can change nothing."""

    step, command = "close", "clarify.close"

    def carry_out(self) -> Json:
        return sum(
            review_items_close(
                house_id=self.row.house_id,
                table_id=self.row.table_id,
                actor_id=self.person.pk,
                **self.values,
            )
        )

    def message(self, answer: Json) -> str:
        count = answer if isinstance(answer, int) else 0
        words = ngettext("%(count)s entry closed.", "%(count)s entries closed.", count)
        return words % {"count": count}


@require_GET
def clarify(request: HttpRequest, pk: UUID) -> HttpResponse:
    """One entry: what came, from whom, why it was refused; to be taken or dismissed."""
    person = allowed(request, VIEW_TABLE)
    return _clarify_page(request, person, _found(person, pk))


def _clarify_page(
    request: HttpRequest, person: Person, entry: ReviewItem, wrong: Wrong | None = None
) -> HttpResponse:
    house = entry.house
    is_round = entry.play == PlayKind.ROUND
    screens = round_screens_of(entry.table.game) if is_round else None
    # shown as far as it can be read
    payload = entry.payload if isinstance(entry.payload, dict) else {}
    round_ = _round(entry) if is_round else None
    stakes = sent_rows(payload.get("stakes")) or (_stakes(round_) if round_ else [])
    result = payload.get("result")
    names = Names.of([entry.payload, stakes], house.pk)
    may_run = person.has_perm(RUN_FLOOR) and entry.state == ReviewItem.State.OPEN
    refused = review_item_try(entry, actor_id=person.pk) if may_run else None
    steps: tuple[type[_ClarifyStep], ...] = (
        ((_Dismiss,) if refused else (_Take, _Dismiss)) if may_run else ()
    )
    steps += (_CloseIdle,) if may_run and review_item_is_idle(entry) else ()
    offered = {one.step: one.offered(entry, person, wrong) for one in steps}
    context = {
        "entry": _entry(entry, house),
        "round": round_,
        "ended": round_.state if round_ and entry.kind == "settle" else "",
        "stakes": stake_sum(stakes, names, house),
        "paid": payout_sum(payload.get("reckoned"), house),
        "missing": review_item_is_missing(entry),
        "placed": placements_shown(payload.get("placed"), names, house),
        "coins": entry.kind == "queued" and any(one.get("kind") == "coin" for one in stakes),
        "told": screens.result_description(result)
        if screens and isinstance(result, dict)
        else None,
        "told_template": screens.RESULT if screens else None,
        "as_sent": None if is_round else hand_as_sent(payload, house),
        "raw": names.in_text(data_text(entry.payload, house)),
        "untakable": sentences(refused, house) if refused else None,
        "forms": set(offered),
        **offered,
    }
    return page(request, person, "pit/floor/clarify.html", context, house, wrong)


def _round(entry: ReviewItem) -> Round | None:
    """What the books have of the round that an entry is about."""
    rows = Round.objects.filter(house_id=entry.house_id, table_id=entry.table_id)
    return rows.filter(pk=entry.round_id).exclude(state=Round.State.WITHDRAWN).first()


def _stakes(round_: Round) -> list[dict[str, Any]]:
    """What lay there in a round, in the form in which a tablet sends it."""
    rows = RoundStake.objects.filter(round=round_, takes_back=None).order_by("pk")
    return [
        {
            "box": stake.box,
            "guest": str(stake.guest_id),
            "kind": stake.kind,
            "amount_minor": stake.accepted_minor,
        }
        for stake in rows
    ]


def _found(person: Person, pk: UUID | None) -> ReviewItem:
    rows = ReviewItem.objects.select_related("house", "table", "sent_by", "closed_by")
    return row_of(person, rows, pk)


PAGE = Page("floor-clarify", _found, _clarify_page, by_name(_Take, _Dismiss, _CloseIdle))


class Entry(NamedTuple):
    """An entry to be clarified: what came, and why it was refused, in words."""

    row: ReviewItem
    came: str
    why: str


def _entry(row: ReviewItem, house: House) -> Entry:
    return Entry(row, floor.say(floor.CAME, row.kind), refusal(row.code, row.data, house))


class JackpotRequest(NamedTuple):
    """Something to be signed about a jackpot: how many have signed, and the place where that is
    done.
    """

    row: Approval
    title: str
    signed: str
    href: str


def _requests(house: House, jackpots: Mapping[UUID, str]) -> list[JackpotRequest]:
    """What is to be signed about the house's jackpots, oldest first."""
    requests = read.jackpot_requests(house_id=house.pk, actions=OF_JACKPOTS)
    return [
        JackpotRequest(
            row,
            f"{jackpots[pk]} · {capfirst(floor.say(ACTIONS, row.action))}",
            floor.signatures(len(row.signatures.all()), row.signers),
            reverse("floor-jackpot", args=[pk]) + f"#asked-{row.pk}",
        )
        for row, pk in requests
        if pk and pk in jackpots
    ]
