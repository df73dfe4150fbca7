"""The page of first steps, with the forms that belong to no other page: the starter set, the opening cash and chips."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from casino.home import first_steps
from casino.people.context import Here
from casino.people.models import Person
from casino.people.page import Wrong, here_of, key_of, page, run, secret, typed
from casino.people.permissions import DRAFT_POSTED_TABLE, MANAGE, SET_UP, VERIFY, VIEW_APPROVAL
from casino.people.proofs import run_signed
from casino.pit import opening
from casino.pit.jackpots.standing import AmountRefused
from casino.rulesets import starter
from casino.text import ruleset_fields as posted_fields
from casino.text.floor import signatures, uuid_or_none
from casino.text.formats import digits_of
from casino.text.ruleset_fields import figure_of
from payouts.commands import request_fingerprint
from payouts.errors import Refused
from payouts.models import House, PostedState, PostedTable
from payouts.rules.plain import Json
from tables.rules.kinds import KINDS

WHO = (SET_UP, MANAGE, VERIFY)  # technician, manager, pit boss: who prepares the first evening
SEEN = "seen."
CASH = ("cash", "chips", "fill")


@require_GET
def first_steps_page(request: HttpRequest) -> HttpResponse:
    """Each step, done or waiting, with who does it and where."""
    person = _allowed(request)
    return _page(request, person, here_of(person))


@require_POST
@sensitive_post_parameters("secret")
def first_steps_step(request: HttpRequest, step: str) -> HttpResponse:
    """One of the page's own forms."""
    if step not in STEPS:
        raise Http404
    person = _allowed(request)
    permission, act = STEPS[step]
    if not person.has_perm(permission):
        raise PermissionDenied(permission)
    here = here_of(person)
    try:
        said = act(request, person, here.house)
    except Refused as refused:
        return _page(request, person, here, Wrong(step, refused))
    messages.success(request, said)
    return redirect("first-steps")


# --- the forms ------------------------------------------------------------------------------------------------------------------
def _draft(request: HttpRequest, person: Person, house: House) -> str:
    done = _len(
        run(request, person, "starter.draft", {}, lambda: [*starter.starter_draft(house=house, actor_id=person.pk)])
    )
    return ngettext("%(count)s version was drafted.", "%(count)s versions were drafted.", done) % {"count": done}


def _ask(request: HttpRequest, person: Person, house: House) -> str:
    done = _len(
        run(request, person, "starter.ask", {}, lambda: [*starter.starter_request(house=house, actor_id=person.pk)])
    )
    if not done:
        return _(
            "Nothing was asked for: what is a draft still looks like a mistake. Open it, and say why it is meant so."
        )
    return ngettext("%(count)s version waits for signatures.", "%(count)s versions wait for signatures.", done) % {
        "count": done
    }


def _sign(request: HttpRequest, person: Person, house: House) -> str:
    seen = _seen(request)
    methods = {row.approval.method for row in starter.starter_rows(house) if row.pk in seen and row.approval}
    method = methods.pop() if len(methods) == 1 else "totp"

    def work() -> Json:
        signed: list[Json] = [*starter.starter_sign(house=house, seen=seen, signer=person, method=method)]
        return signed

    words = {str(pk): told.hex() for pk, told in seen.items()}
    print_ = request_fingerprint("starter.sign", person.pk, words)
    given = secret(request)
    done = _len(run_signed(key_of(request, person), print_, person=person, method=method, secret=given, work=work).body)
    return ngettext("%(count)s version signed.", "%(count)s versions signed.", done) % {"count": done}


def _seen(request: HttpRequest) -> dict[UUID, bytes]:
    """By version the hash of what the form showed."""
    found = {}
    for name, value in request.POST.items():
        pk = uuid_or_none(name.removeprefix(SEEN)) if name.startswith(SEEN) else None
        if pk is not None:
            text = str(value)
            found[pk] = bytes.fromhex(text) if len(text) == 64 and set(text) <= set("0123456789abcdef") else b""
    return found


def _cash(request: HttpRequest, person: Person, house: House) -> str:
    words = typed(request)
    cash, chips, fill = (_amount(words.get(name, ""), house) for name in CASH)
    if not cash + chips + fill:
        raise AmountRefused(given="0")

    def work() -> Json:
        amounts = {"cash_minor": cash, "chips_minor": chips, "fill_minor": fill}
        return [str(one) for one in opening.opening_post(house=house, **amounts, actor_id=person.pk)]

    run(request, person, "house.opening", words, work)
    return _("Entered.")


def _amount(text: str, house: House) -> int:
    """In minor units; nothing typed is 0. Raises AmountRefused."""
    figure = figure_of(text.strip(), digits_of(house.currency)) if text.strip() else 0
    if not isinstance(figure, int) or figure < 0:
        raise AmountRefused(given=text.strip()[:30])
    return figure


STEPS: dict[str, tuple[str, Callable[[HttpRequest, Person, House], str]]] = {
    "draft": (DRAFT_POSTED_TABLE, _draft),
    "ask": (DRAFT_POSTED_TABLE, _ask),
    "sign": (VIEW_APPROVAL, _sign),
    "cash": (MANAGE, _cash),
}


# --- the page -------------------------------------------------------------------------------------------------------------------
def _page(request: HttpRequest, person: Person, here: Here, wrong: Wrong | None = None) -> HttpResponse:
    rows = starter.starter_rows(here.house)
    told = [
        one._replace(ways=[way for way in one.ways if person.has_perm(way.needs)])
        for one in first_steps.steps(here, rows)
    ]
    may_draft = person.has_perm(DRAFT_POSTED_TABLE)
    to_sign = starter.to_sign(rows, person) if person.has_perm(VIEW_APPROVAL) else []
    offered = {
        "draft": may_draft and bool(starter.starter_missing(rows)),
        "ask": may_draft and bool(starter.to_ask(rows)),
        "sign": bool(to_sign),
        "cash": person.has_perm(MANAGE) and not opening.has_locked(here.house),
    }
    context: dict[str, Any] = {
        "steps": told,
        "done": sum(1 for one in told if one.done),
        "versions": [_version(row) for row in rows if row.state != PostedState.APPROVED and row not in to_sign],
        "to_sign": [_version(row) | _whole(row) for row in to_sign],
        "may": offered,
        "forms": {form for form, one in offered.items() if one},
        "words": typed(request) if wrong else {},
    }
    return page(request, person, "home/first_steps.html", context, here.house, wrong)


def _version(row: PostedTable) -> dict[str, Any]:
    asked = row.approval
    return {
        "row": row,
        "kind": KINDS[row.kind].title,
        "signed": signatures(len(asked.signatures.all()), asked.signers) if asked and starter.waits(row) else "",
    }


def _whole(row: PostedTable) -> dict[str, Any]:
    """What the version says, and the hash that is signed for it."""
    return {
        "groups": posted_fields.shown(KINDS[row.kind].read(row.data), row.house),
        "seen": bytes(row.approval.payload_hash).hex() if row.approval else "",
    }


def _allowed(request: HttpRequest) -> Person:
    person = request.user
    if not isinstance(person, Person) or not any(person.has_perm(one) for one in WHO):
        raise PermissionDenied(SET_UP)
    return person


def _len(done: Json) -> int:
    return len(done) if isinstance(done, list) else 0
