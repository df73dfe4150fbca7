"""One round: what was staked, what is to be paid and why; settled, withdrawn, voided or corrected
by the floor.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from casino.devices.heard import tablet_state
from casino.games import round_screens_of
from casino.people.acts import ACTS
from casino.people.models import Person
from casino.people.pages.fields import Hash, Reason, Subject, Text
from casino.people.pages.page import Wrong, allowed, form_data, page, row_of, run
from casino.people.pages.signed_step import ProvedStep, RefusalStep
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import CORRECT, VERIFY, VIEW_ROUND
from casino.pit.labels import moment_text
from casino.pit.rounds.rulings import Irregular, Overrule
from casino.pit.rounds.show import RoundDetails, details
from casino.pit.rounds.steps import RoundStep
from jackpot.services import jackpot_exclude
from payouts.errors import mark
from payouts.models import Approval
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import Json
from payouts.services import approval_reject, approval_signed
from tables.errors import (
    ApprovalNeeded,
    FeedNeedsSecond,
    RoundChanged,
    VoidByDealer,
    VoidNeedsSecond,
    WinNeedsSecond,
)
from tables.models import Round
from tables.selectors.rounds import CORRECTION, OVERRIDE, VOID_CLAIMED
from tables.services import (
    refused_result,
    round_call,
    round_correct,
    round_correction_request,
    round_evaluate,
    round_hold,
    round_settle,
    round_void,
    round_void_request,
    round_withdraw,
)
from tables.services.rounds.much_won import OFFICE


@require_GET
def one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A round with its stakes and lines, every revision, and what may be done with it."""
    person = allowed(request, VIEW_ROUND)
    return _round_page(request, person, _found(person, pk))


class _Settle(RoundStep):
    """Settle a round that runs; where the feed contradicts too much, or too much is won, ask for
    the approval of it.
    """

    step, command = "settle", "round.settle"
    reason = Text(label=_("Reason, where the feed says otherwise or much is won"), max_length=500)

    def run(self, request: HttpRequest) -> Json:
        allowed(request, VIEW_ROUND)
        with refused_result(**self.ids):
            prepared = round_evaluate(**self.round, result=self.result)
        values: dict[str, Any] = {
            "prepared": prepared,
            "person_id": self.person.pk,
            "reason": self.values["reason"],
        }

        def work() -> Json:
            return {"state": round_settle(**values, supervisor=True, entered=OFFICE)["state"]}

        def ask() -> Json:
            return str(round_correction_request(**values).pk)

        body = self.body(form_data(request))
        try:
            return run(request, self.person, self.command, body, work)
        except (FeedNeedsSecond, WinNeedsSecond):
            asking = "round.settle.ask"
            return run(request, self.person, asking, body, work=ask, tail=":ask")

    def message(self, answer: Json) -> str:
        if isinstance(answer, dict):
            return super().message(answer)
        return gettext("The result was asked for: another person looks at it and signs.")


class _Withdraw(RoundStep):
    step, command = "withdraw", "round.withdraw"

    def carry_out(self) -> Json:
        return {
            "state": round_withdraw(**self.ids, table_id=self.row.table_id, supervisor=True)[
                "state"
            ]
        }


class _Call(RoundStep):
    step, command = "call", "round.call"
    done = mark("Royal is called: all linked tables are locked until the hit is decided.")

    def carry_out(self) -> Json:
        return {"state": round_call(**self.ids, supervisor=True)["state"]}


def _ask_void(step: RoundStep) -> Json:
    return {"approval": str(round_void_request(**step.ids, **step.values).pk)}


class _VoidAsk(RoundStep):
    step, command, permission = "void-ask", "round.void-ask", VERIFY
    done = mark("Asked for: another person looks at it and signs.")
    reason = Reason(500, label=_("Reason"))

    def carry_out(self) -> Json:
        return _ask_void(self)


class _Void(RoundStep):
    """Void a round that runs; who dealt it asks for it, and so does who has it voided where its
    cards were read and much lies there.
    """

    step, command = "void", "round.void"
    reason = Reason(500, label=_("Reason"))

    def carry_out(self) -> Json:
        return {"state": round_void(**self.ids, **self.values)["state"]}

    def run(self, request: HttpRequest) -> Json:
        try:
            return super().run(request)
        except (VoidByDealer, VoidNeedsSecond):
            body = self.body(form_data(request))
            asks: dict[str, Any] = {"work": lambda: _ask_void(self), "tail": ":ask"}
            return run(request, self.person, _VoidAsk.command, body, **asks)

    def message(self, answer: Json) -> str:
        is_request = isinstance(answer, dict) and "approval" in answer
        return gettext(_VoidAsk.done) if is_request else super().message(answer)


class _Correct(RoundStep):
    """Put a settled round right; where one person may not, ask for the approval of it."""

    step, command, permission = "correct", "round.correct", CORRECT
    revision = Text(widget=forms.HiddenInput)
    reason = Reason(500, label=_("Reason"))

    def run(self, request: HttpRequest) -> Json:
        allowed(request, VIEW_ROUND)
        with refused_result(**self.ids):
            prepared = round_evaluate(
                **self.round, result=self.result, state=Round.State.SETTLED, placed=self.placed
            )
        values: dict[str, Any] = {
            "prepared": prepared,
            "person_id": self.person.pk,
            "reason": self.values["reason"],
        }

        def work() -> Json:
            if self.values["revision"] != str(prepared.record["revision"]):
                # the form was filled from lines that another person has corrected since
                raise RoundChanged
            return {"revision": round_correct(**values)["revision"]}

        def ask() -> Json:
            return str(round_correction_request(**values).pk)

        body = self.body(form_data(request))
        try:
            return run(request, self.person, self.command, body, work)
        except ApprovalNeeded:
            return run(request, self.person, "round.correct.ask", body, ask, ":ask")

    def message(self, answer: Json) -> str:
        asked = gettext("The correction was asked for: another person looks at it and signs.")
        return gettext("Corrected.") if isinstance(answer, dict) else asked


class _RequestStep(RoundStep):
    permission = VIEW_ROUND
    approval = Subject(ApprovalUnknown)

    @cached_property
    def asked(self) -> Approval:
        """The request that the form was made for. Raises ApprovalUnknown."""
        about = Approval.objects.filter(
            action__in=(CORRECTION, VOID_CLAIMED, OVERRIDE), subject_id=str(self.row.pk)
        )
        found = about.filter(house_id=self.row.house_id, pk=self.values["approval"]).first()
        if found is None:
            raise ApprovalUnknown
        return found


class _Sign(ProvedStep[Round], _RequestStep):
    """Sign what was asked for; the last signature carries it out."""

    step, command = "sign", "round.correct.sign"
    seen = Hash()

    def run(self, request: HttpRequest) -> Json:
        self.proof = self.asked.method
        return super().run(request)

    def prepare(self) -> Callable[[], Json]:
        if self.asked.action == OVERRIDE:
            return self._override
        return self._void if self.asked.action == VOID_CLAIMED else self._correction()

    def message(self, answer: Json) -> str:
        done = {VOID_CLAIMED: gettext("Voided."), OVERRIDE: gettext("Decided and paid.")}
        said = done.get(self.asked.action, gettext("Corrected."))
        return said if answer else gettext("Signed.")

    def _correction(self) -> Callable[[], Json]:
        payload = self.asked.payload
        runs = self.row.state == Round.State.LOCKED
        prepared = round_evaluate(
            **self.round,
            result=payload["result"],
            state=Round.State.LOCKED if runs else Round.State.SETTLED,
            placed=payload.get("placed"),
        )
        values: dict[str, Any] = {
            "prepared": prepared,
            "person_id": self.person.pk,
            "reason": payload["reason"],
            "approval_id": self.asked.pk,
        }

        def work() -> Json:
            round_hold(prepared)  # before the approval, as every correction does
            if not self._put_name():
                return None
            settled = round_settle(**values, supervisor=True) if runs else round_correct(**values)
            return {"revision": settled["revision"]}

        return work

    def _void(self) -> Json:
        if self.row.jackpot_id is not None:
            # before the approval, as everything about a hit does
            jackpot_exclude(self.row.jackpot_id)
        if not self._put_name():
            return None
        reason, approval_id = self.asked.payload["reason"], self.asked.pk
        return {"state": round_void(**self.ids, reason=reason, approval_id=approval_id)["state"]}

    def _override(self) -> Json:
        return ACTS[OVERRIDE].sign(**self._name).state == Approval.State.USED

    def _put_name(self) -> bool:
        """Sign; say whether it was the last signature that is needed."""
        ACTS[self.asked.action].sign(**self._name)
        return approval_signed(self.asked) >= self.asked.signers

    @property
    def _name(self) -> dict[str, Any]:
        return {
            "approval_id": self.asked.pk,
            "house_id": self.asked.house_id,
            "payload_hash": self.values["seen"],
            "signer_id": self.person.pk,
            "signer_roles": self.person.roles,
            "method": self.asked.method,
        }


class _Reject(RefusalStep[Round], _RequestStep):
    """Refuse a correction, or take back one's own request for it, with a reason."""

    step, command = "reject", "round.correct.reject"
    reason = Reason(500, label=_("Reason"))

    def pending(self) -> Approval:
        return self.asked

    def prepare(self) -> Callable[[], Json]:
        ids = {
            "approval_id": self.asked.pk,
            "house_id": self.row.house_id,
            "person_id": self.person.pk,
        }

        def work() -> Json:
            approval_reject(**ids, person_roles=self.person.roles, reason=self.values["reason"])
            return None

        return work


def _round_page(
    request: HttpRequest, person: Person, found: Round, wrong: Wrong | None = None
) -> HttpResponse:
    shown = details(found, person)
    context = shown._asdict() | _forms(found, person, shown, wrong) | {"forms": shown.may}
    context["silent"] = _silent(found) if "void" in shown.may else ""
    if at := next(iter(shown.may & {"settle", "correct"}), ""):
        screens, words = (
            round_screens_of(found.table.game),
            wrong.form_data if wrong and wrong.at in ("settle", "correct") else {},
        )
        context |= {
            "result": screens.form(found, shown.parts, at, words),
            "form_template": screens.FORM,
        }
    return page(request, person, "pit/rounds/round.html", context, found.house, wrong)


def _forms(
    found: Round, person: Person, shown: RoundDetails, wrong: Wrong | None
) -> dict[str, Step[Round]]:
    """A form for each thing that may be done: what was typed is given back, what it was made from
    is new.
    """
    fresh: dict[str, int | str | UUID] = {"revision": found.revision}
    if shown.waiting:
        asked = shown.waiting.approval
        fresh |= {"approval": asked.pk, "seen": bytes(asked.payload_hash).hex()}
    offered = {name: STEPS[name].offered(found, person, wrong) for name in shown.may}
    for form in offered.values():
        form.initial = {**form.initial, **fresh}
        if shown.waiting and isinstance(form, _Sign):
            form.prove_by(shown.waiting.approval.method)
        if shown.waiting and isinstance(form, _Reject):
            form.refuse(shown.waiting.approval)
    return {name.replace("-", "_"): form for name, form in offered.items()}


def _silent(round_: Round) -> str:
    """Since when the tablet of a running round is silent, in words; empty where it is heard."""
    since = tablet_state(round_.table_id)["silent_since"]
    return moment_text("since", since) if since else ""


def _found(person: Person, pk: UUID | None) -> Round:
    rows = Round.objects.select_related("house", "table", "session", "croupier", "ended_by")
    return row_of(person, rows, pk)


STEPS = by_name(
    *(_Settle, _Withdraw, _Void, _Call, _VoidAsk, Irregular, Overrule, _Correct, _Sign, _Reject)
)
PAGE = Page("floor-round", _found, _round_page, STEPS)
