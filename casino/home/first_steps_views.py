"""The page of first steps, with the forms that belong to no other page: the starter set, the
opening cash and chips.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from casino.home import first_steps
from casino.people.context import HouseClock
from casino.people.models import Person
from casino.people.pages.fields import Hash, Text
from casino.people.pages.page import Wrong, house_clock_of, page
from casino.people.pages.signed_step import SignedStep
from casino.people.pages.steps import Page, Step, by_name
from casino.people.permissions import DRAFT_POSTED_TABLE, MANAGE, SET_UP, VERIFY, VIEW_APPROVAL
from casino.people.views import person_of
from casino.pit import opening
from casino.rulesets import starter
from casino.text import ruleset_fields
from casino.text.floor import signatures, uuid_or_none
from casino.text.typed import minor_typed
from payouts.errors import mark
from payouts.models import House, PostedState, PostedTable
from payouts.rules.plain import Json
from tables.kinds import KINDS

WHO = (SET_UP, MANAGE, VERIFY)  # technician, manager, pit boss: who prepares the first evening
SEEN = "seen."
CASH = {
    "cash": mark("Cash put into the cage (%(currency)s)"),
    "chips": mark("Chips put into service (%(currency)s)"),
    "fill": mark("Of these into each tray (%(currency)s)"),
}


@require_GET
def first_steps_page(request: HttpRequest) -> HttpResponse:
    """Each step, done or waiting, with who does it and where."""
    person = person_of(request)
    return _page(request, person, _house(person))


class _FirstStep(Step[House]):
    subject = "house"

    def body(self, words: dict[str, str]) -> Mapping[str, object]:
        return words


class _Draft(_FirstStep):
    step, command, permission = "draft", "starter.draft", DRAFT_POSTED_TABLE

    def carry_out(self) -> Json:
        return [*starter.starter_draft(house=self.row, actor_id=self.person.pk)]

    def message(self, answer: Json) -> str:
        done = _len(answer)
        return ngettext(
            "%(count)s version was drafted.", "%(count)s versions were drafted.", done
        ) % {"count": done}


class _Ask(_FirstStep):
    step, command, permission = "ask", "starter.ask", DRAFT_POSTED_TABLE

    def carry_out(self) -> Json:
        return [*starter.starter_request(house=self.row, actor_id=self.person.pk)]

    def message(self, answer: Json) -> str:
        done = _len(answer)
        if not done:
            return _(
                "Nothing was asked for: what is a draft still looks like a mistake. Open it, and"
                " say why it is meant so."
            )
        words = ngettext(
            "%(count)s version waits for signatures.",
            "%(count)s versions wait for signatures.",
            done,
        )
        return words % {"count": done}


class _Sign(SignedStep[House]):
    step, command, permission = "sign", "starter.sign", VIEW_APPROVAL

    def method(self) -> str:
        """Of the versions that are offered, or of those that were signed."""
        rows, seen = self.initial.get("versions"), self.seen()
        if rows is None:
            rows = [row for row in starter.starter_rows(self.row) if row.pk in seen]
        methods = {row.approval.method for row in rows if row.approval}
        return methods.pop() if len(methods) == 1 else "totp"

    def seen(self) -> dict[UUID, bytes]:
        """By version the hash of what the form showed."""
        sent = {
            uuid_or_none(name.removeprefix(SEEN)): text
            for name, text in self.data.items()
            if name.startswith(SEEN)
        }
        return {pk: Hash().clean(text) for pk, text in sent.items() if pk is not None}

    def body(self, words: dict[str, str]) -> Mapping[str, object]:
        return {str(pk): seen.hex() for pk, seen in self.seen().items()}

    def carry_out(self) -> Json:
        signed = starter.starter_sign(
            house=self.row, seen=self.seen(), signer=self.person, method=self.proof
        )
        return [*signed]

    def message(self, answer: Json) -> str:
        done = _len(answer)
        return ngettext("%(count)s version signed.", "%(count)s versions signed.", done) % {
            "count": done
        }


def _amount_field() -> Text:
    return Text(
        widget=forms.TextInput(
            attrs={"inputmode": "decimal", "maxlength": 18, "autocomplete": "off"}
        )
    )


class _Cash(_FirstStep):
    step, command, permission, done = "cash", "house.opening", MANAGE, mark("Entered.")
    cash, chips, fill = _amount_field(), _amount_field(), _amount_field()

    def offer(self) -> None:
        for name, words in CASH.items():
            self.fields[name].label = _(words) % {"currency": self.row.currency}

    def prepare(self) -> Callable[[], Json]:
        """Read the amounts. Raises AmountRefused."""
        amounts = {
            f"{name}_minor": minor_typed(self.values[name] or "0", self.row) for name in CASH
        }
        if not any(amounts.values()):
            minor_typed("0", self.row, least=1)
        return lambda: [
            str(one)
            for one in opening.opening_post(house=self.row, **amounts, actor_id=self.person.pk)
        ]


class Version(NamedTuple):
    """A version of the starter set: what it says, and the hash that is signed for it, where it is
    to be signed.
    """

    row: PostedTable
    kind: str
    signed: str
    groups: Sequence[ruleset_fields.Group] = ()
    seen: str = ""


def _page(
    request: HttpRequest, person: Person, house: House, wrong: Wrong | None = None
) -> HttpResponse:
    rows = starter.starter_rows(house)
    progress = first_steps.progress(HouseClock.at(house), rows)
    may_draft = person.has_perm(DRAFT_POSTED_TABLE)
    to_sign = starter.to_sign(rows, person) if person.has_perm(VIEW_APPROVAL) else []
    may = {
        "draft": may_draft and bool(starter.starter_missing(house, rows)),
        "ask": may_draft and bool(starter.to_ask(rows)),
        "sign": bool(to_sign),
        "cash": person.has_perm(MANAGE) and opening.is_opening(house),
    }
    context = {
        "steps": [
            one._replace(ways=[way for way in one.ways if person.has_perm(way.needs)])
            for one in progress.steps
        ],
        "done": progress.done,
        "versions": [
            _version(row)
            for row in rows
            if row.state != PostedState.APPROVED and row not in to_sign
        ],
        "to_sign": [_whole(row) for row in to_sign],
        "may": may,
        "forms": {step for step, offered in may.items() if offered},
        "sign": _Sign.offered(house, person, wrong, versions=to_sign),
        "cash": _Cash.offered(house, person, wrong),
    }
    return page(request, person, "home/first_steps.html", context, house, wrong)


def _version(row: PostedTable) -> Version:
    asked = row.approval
    signed = (
        signatures(len(asked.signatures.all()), asked.signers)
        if asked and starter.waits(row)
        else ""
    )
    return Version(row, KINDS[row.kind].title, signed)


def _whole(row: PostedTable) -> Version:
    groups = ruleset_fields.field_groups(KINDS[row.kind].read(row.data), row.house)
    return _version(row)._replace(
        groups=groups, seen=bytes(row.approval.payload_hash).hex() if row.approval else ""
    )


def _house(person: Person, _pk: None = None) -> House:
    """The house, for who prepares its first evening. Raises PermissionDenied, Http404."""
    if not any(person.has_perm(one) for one in WHO):
        raise PermissionDenied(SET_UP)
    return house_clock_of(person).house


def _len(done: Json) -> int:
    return len(done) if isinstance(done, list) else 0


PAGE = Page("first-steps", _house, _page, by_name(_Draft, _Ask, _Sign, _Cash))
