"""The approval matrix: what needs how many others, of which roles, proved how, above which amount; and asking for another line."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from casino.people.models import Person
from casino.people.page import Wrong, allowed, here_of, page, reason_of, run, typed
from casino.people.permissions import REQUEST_RULE, REVERSE_TRANSFER, VIEW_APPROVAL, VIEW_RULE
from casino.people.roles import CODES, label, who_may
from casino.rulesets.show import in_force
from casino.text.floor import say
from casino.text.refusal_words import ACTIONS, METHODS
from payouts.errors import Refused
from payouts.models import Approval, ApprovalRule, House, PostedState, PostedTable
from payouts.models.approval import WAITING
from payouts.rules.approval import DEFAULT_MATRIX, SIGNERS_MAX, ApprovalNeed, ApprovalRuleRefused
from payouts.rules.plain import Json
from payouts.services import approval_rule_request
from payouts.services.approved import REVERSE, RULE_CHANGE, need_of
from tables.rules.kinds import KINDS

SIGNING = {
    REVERSE: REVERSE_TRANSFER
}  # what opens the page on which it is signed, where that is not the right to see requests
AMOUNTS = {  # what is posted: from which amount it needs others at all
    "round.correct": ("floor_rules", "approval_from_minor"),
    "jackpot.prize": ("jackpot_rules", "prize_approval_from_minor"),
}
LIVES = (60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400)  # seconds that a form offers


@require_GET
def matrix(request: HttpRequest) -> HttpResponse:
    """Every line that is in force, and what is asked for of it."""
    person = allowed(request, VIEW_RULE)
    house = here_of(person).house
    rows = ApprovalRule.objects.filter(house=house).order_by("action", "-version").distinct("action")
    lines = sorted(rows, key=lambda one: _place(one.action))
    asked = {one.subject_id: one for one in Approval.objects.filter(WAITING, house=house, action=RULE_CHANGE)}
    amounts = _amounts(house)
    context = {
        "lines": [
            (one, title(one.action), said(need_of(one)), amounts.get(one.action), asked.get(one.action))
            for one in lines
        ],
        "may_ask": _may_ask(person),
    }
    return page(request, person, "rulesets/matrix.html", context, house)


@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest, action: str) -> HttpResponse:
    """Ask for another line: as it is now, as it is to be, and why."""
    person = allowed(request, REQUEST_RULE)
    house = here_of(person).house
    line = ApprovalRule.objects.filter(house=house, action=action).order_by("-version").first()
    if line is None:
        raise Http404
    if request.method != "POST":
        return _form(request, person, line, need_of(line))
    wanted, words = _wanted(request), typed(request) | {"roles": ",".join(request.POST.getlist("roles"))}

    def work() -> Json:
        if not set(wanted.roles) <= set(signing_roles(action)):
            raise ApprovalRuleRefused(field="roles")
        ids = {"house_id": house.pk, "requester_id": person.pk}
        return str(approval_rule_request(**ids, action=action, rule=wanted, reason=reason_of(words)).pk)

    try:
        asked = run(request, person, "approval_rule.request", words | {"action": action}, work)
    except Refused as refused:
        return _form(request, person, line, wanted, Wrong("ask", refused))
    messages.success(request, _("Asked for."))
    return redirect("approval-rule-asked", UUID(str(asked)))


def title(action: str) -> str:
    """What a line is about."""
    return capfirst(say(ACTIONS, action))


def said(rule: ApprovalNeed) -> tuple[str, str, str, str]:
    """A line in words: how many others, of which roles, proved how, and for how long a request waits for them."""
    roles = ", ".join(label(code) for code in rule.roles)
    return str(rule.signers), roles, say(METHODS, rule.method), _life(rule.lifetime_s)


def signing_roles(action: str) -> list[str]:
    """The roles to which the page opens on which this is signed."""
    return who_may(SIGNING.get(action, VIEW_APPROVAL))


# --- parts --------------------------------------------------------------------------------------------------------------------
def _form(
    request: HttpRequest, person: Person, line: ApprovalRule, wanted: ApprovalNeed, wrong: Wrong | None = None
) -> HttpResponse:
    lives = sorted({*LIVES, line.lifetime_s})
    context = {
        "line": line,
        "title": title(line.action),
        "now": said(need_of(line)),
        "wanted": wanted,
        "signers": range(1, SIGNERS_MAX + 1),
        "roles": [(code, label(code), code in wanted.roles) for code in signing_roles(line.action)],
        "methods": [(code, capfirst(say(METHODS, code))) for code in METHODS],
        "lives": [(seconds, _life(seconds)) for seconds in lives],
        "words": typed(request),
        "forms": {"ask"} if _may_ask(person) else set(),
        "key": uuid4(),
    }
    return page(request, person, "rulesets/matrix_ask.html", context, line.house, wrong)


def _wanted(request: HttpRequest) -> ApprovalNeed:
    given = request.POST
    roles = [
        code for code in given.getlist("roles") if code not in CODES
    ]  # none, unless somebody sent what no form has
    roles += [code for code in CODES if code in given.getlist("roles")]
    return ApprovalNeed(_whole(given, "signers"), tuple(roles), given.get("method", ""), _whole(given, "lifetime_s"))


def _whole(given: Mapping[str, Any], name: str) -> int:
    text = given.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _may_ask(person: Person) -> bool:
    return person.has_perm(REQUEST_RULE) and person.house_id is not None


def _place(action: str) -> tuple[int, str]:
    """Where a line stands: in the order of the matrix that a house begins with, what it does not have at the end."""
    known = list(DEFAULT_MATRIX)
    return known.index(action) if action in known else len(known), action


def _amounts(house: House) -> dict[str, list[tuple[PostedTable, int | None]]]:
    """By action from which amount each posted table in force asks for others; None where never. One statement."""
    rows = PostedTable.objects.filter(
        house=house, state=PostedState.APPROVED, kind__in=[kind for kind, _ in AMOUNTS.values()]
    )
    by_name: dict[tuple[str, str], list[PostedTable]] = {}
    for row in rows.select_related("house").order_by("name"):
        by_name.setdefault((row.kind, row.name), []).append(row)
    found: dict[str, list[tuple[PostedTable, int | None]]] = {}
    for action, (kind, field) in AMOUNTS.items():
        now = [in_force(versions) for (code, _name), versions in by_name.items() if code == kind]
        found[action] = [(row, getattr(KINDS[kind].read(row.data), field)) for row in now if row]
    return found


def _life(seconds: int) -> str:
    """How long a request waits, in the largest unit that it is a whole number of."""
    if seconds % 3_600 == 0:
        return ngettext("%(count)s hour", "%(count)s hours", seconds // 3_600) % {"count": seconds // 3_600}
    if seconds % 60 == 0:
        return ngettext("%(count)s minute", "%(count)s minutes", seconds // 60) % {"count": seconds // 60}
    return ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
