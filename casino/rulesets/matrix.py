"""The approval matrix: what needs how many others, of which roles, proved how, above which amount;
and asking for another line.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods

from casino.people.acts import ACTS
from casino.people.models import Person
from casino.people.pages.fields import Choice, Choices, Reason
from casino.people.pages.page import Wrong, allowed, house_clock_of, page
from casino.people.pages.steps import Page, Step, by_name, take_step
from casino.people.permissions import REQUEST_RULE, VIEW_APPROVAL, VIEW_RULE
from casino.people.roles import CODES, label, who_may
from casino.rulesets.show import in_force
from casino.text.floor import say
from casino.text.vocabulary import ACTIONS, METHODS
from payouts.errors import mark
from payouts.models import Approval, ApprovalRule, House, PostedState, PostedTable
from payouts.models.approval import WAITING
from payouts.rules.approval import DEFAULT_MATRIX, SIGNERS_MAX, ApprovalNeed, ApprovalRuleRefused
from payouts.rules.plain import Json
from payouts.services import approval_rule_request
from payouts.services.approved import RULE_CHANGE, need_of
from tables.kinds import KINDS

AMOUNTS = {  # what is posted: from which amount it needs others at all
    "round.correct": ("floor_rules", "approval_from_minor"),
    "jackpot.prize": ("jackpot_rules", "prize_approval_from_minor"),
}
# seconds that a form offers
LIVES = (60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400)


@require_GET
def matrix(request: HttpRequest) -> HttpResponse:
    """Every line that is in force, and what is asked for of it."""
    person = allowed(request, VIEW_RULE)
    house = house_clock_of(person).house
    rows = (
        ApprovalRule.objects.filter(house=house).order_by("action", "-version").distinct("action")
    )
    lines = sorted(rows, key=lambda one: _place(one.action))
    asked = {
        one.subject_id: one
        for one in Approval.objects.filter(WAITING, house=house, action=RULE_CHANGE)
    }
    amounts = _amounts(house)
    context = {
        "lines": [
            (
                one,
                title(one.action),
                rule_texts(need_of(one)),
                amounts.get(one.action),
                asked.get(one.action),
            )
            for one in lines
        ],
        "may_ask": _may_ask(person),
    }
    return page(request, person, "rulesets/matrix.html", context, house)


@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest, action: str) -> HttpResponse:
    """A line as it is now, and the form for another."""
    if request.method == "POST":
        return take_step(request, _Ask.step, PAGE, action)
    person = allowed(request, REQUEST_RULE)
    return _form(request, person, _line(person, action))


def _methods() -> list[tuple[str, str]]:
    return [(code, capfirst(say(METHODS, code))) for code in METHODS]


class _Ask(Step[ApprovalRule]):
    step, command, permission, done = (
        "ask",
        "approval_rule.request",
        REQUEST_RULE,
        mark("Asked for."),
    )
    signers = Choice(
        label=gettext_lazy("Signatures of others"),
        choices=[(n, n) for n in range(1, SIGNERS_MAX + 1)],
    )
    roles = Choices()
    method = Choice(label=gettext_lazy("Proof"), choices=_methods)
    lifetime_s = Choice(label=gettext_lazy("Time allowed"))
    reason = Reason(500, label=gettext_lazy("Reason"))

    def offer(self) -> None:
        self.options("roles", [(code, label(code)) for code in signing_roles(self.row.action)])
        self.options(
            "lifetime_s", [(one, _life(one)) for one in sorted({*LIVES, self.row.lifetime_s})]
        )

    def body(self, words: dict[str, str]) -> Mapping[str, object]:
        return words | {"roles": ",".join(self.values["roles"]), "action": self.row.action}

    def carry_out(self) -> Json:
        """Ask for another line. Raises ApprovalRuleRefused, and what the request of one raises."""
        given, action = self.values, self.row.action
        # in the order of the roles; none is unknown, unless somebody sent what no form has
        roles = sorted(
            set(given["roles"]), key=lambda code: CODES.index(code) if code in CODES else -1
        )
        if not set(roles) <= set(signing_roles(action)):
            raise ApprovalRuleRefused(field="roles")
        wanted = ApprovalNeed(
            _whole(given["signers"]), tuple(roles), given["method"], _whole(given["lifetime_s"])
        )
        ids = {"house_id": self.row.house_id, "requester_id": self.person.pk}
        return str(
            approval_rule_request(**ids, action=action, rule=wanted, reason=given["reason"]).pk
        )

    def after(self, answer: Json) -> tuple[Any, ...]:
        return "approval-rule-asked", UUID(str(answer))


def title(action: str) -> str:
    """What a line is about."""
    return capfirst(say(ACTIONS, action))


def rule_texts(rule: ApprovalNeed) -> tuple[str, str, str, str]:
    """A line in words: how many others, of which roles, proved how, and for how long a request
    waits for them.
    """
    roles = ", ".join(label(code) for code in rule.roles)
    return str(rule.signers), roles, say(METHODS, rule.method), _life(rule.lifetime_s)


def signing_roles(action: str) -> list[str]:
    """The roles to which the page opens on which this is signed."""
    return who_may(ACTS[action].needs if action in ACTS else VIEW_APPROVAL)


def _line(person: Person, action: str) -> ApprovalRule:
    rows = ApprovalRule.objects.filter(house=house_clock_of(person).house, action=action)
    line = rows.select_related("house").order_by("-version").first()
    if line is None:
        raise Http404
    return line


def _form(
    request: HttpRequest, person: Person, line: ApprovalRule, wrong: Wrong | None = None
) -> HttpResponse:
    form = _Ask.offered(line, person, wrong, **asdict(need_of(line)))
    if wrong:
        form.initial["roles"] = _Ask(line, person, request.POST).values["roles"]
    context = {
        "line": line,
        "title": title(line.action),
        "now": rule_texts(need_of(line)),
        "ask": form,
        "forms": {form.at} if _may_ask(person) else set(),
    }
    return page(request, person, "rulesets/matrix_ask.html", context, line.house, wrong)


PAGE = Page("approval-rule", _line, _form, by_name(_Ask))


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _may_ask(person: Person) -> bool:
    return person.has_perm(REQUEST_RULE) and person.house_id is not None


def _place(action: str) -> tuple[int, str]:
    """Where a line stands: in the order of the matrix that a house begins with, what it does not
    have at the end.
    """
    known = list(DEFAULT_MATRIX)
    return known.index(action) if action in known else len(known), action


def _amounts(house: House) -> dict[str, list[tuple[PostedTable, int | None]]]:
    """By action from which amount each posted table in force asks for others; None where never. One
    statement.
    """
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
        return ngettext("%(count)s hour", "%(count)s hours", seconds // 3_600) % {
            "count": seconds // 3_600
        }
    if seconds % 60 == 0:
        return ngettext("%(count)s minute", "%(count)s minutes", seconds // 60) % {
            "count": seconds // 60
        }
    return ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
