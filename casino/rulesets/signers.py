"""Who could sign for a jackpot if it were hit now: said while there is time to mend it. Then who
can sign what waits.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from django.db.models import BooleanField, Exists, F, Func, OuterRef, Value
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.people.authenticators import Authenticator
from casino.people.models import Person
from casino.people.permissions import PAY_SLIPS, VERIFY
from casino.people.roles import ROLES, label
from casino.text.floor import colon, say, uuid_or_none
from casino.text.vocabulary import ACTIONS
from jackpot.models import Claim
from jackpot.services.approved import ACTIONS as OF_JACKPOTS
from jackpot.services.prizes import PRIZE
from jackpot.services.split import AWARD
from payouts.errors import mark
from payouts.models import Approval, ApprovalRule, House
from payouts.rules.approval import REST_HOURS, ApprovalNeed, ApprovalRuleMissing, role_fits
from payouts.services import whole_payload
from tables.models import Table
from tables.selectors.floor import parts_taken

BY_SYSTEM = frozenset({AWARD, PRIZE})  # nobody who asks for them is lost as a signer
Taken = Mapping[tuple[UUID, UUID], Sequence[str]]  # by round and person

# Which part somebody took in a round, as others read it and as they read it themselves.
PARTS = {
    "dealt": (mark("dealt the round"), mark("You dealt the round.")),
    "entered": (
        mark("entered the result of the round"),
        mark("You entered the result of the round."),
    ),
    "called": (mark("called Royal for the round"), mark("You called Royal for the round.")),
    "requested": (
        mark("asked for a correction of the round"),
        mark("You asked for a correction of the round."),
    ),
    "signed": (
        mark("signed a correction of the round"),
        mark("You signed a correction of the round."),
    ),
    "part": (mark("took part in it"), mark("You took part in it.")),
    "asked": (mark("asked for it"), mark("You asked for it.")),
}


@dataclass(frozen=True)
class Signers:
    """For an act: how many are needed, who is able, and of those with its roles who is not, with
    the reason.
    """

    action: str
    need: int
    able: tuple[str, ...]
    unable: tuple[tuple[str, str], ...]
    roles: tuple[str, ...]

    @property
    def missing(self) -> int:
        """How many of those who are needed are not there; below one: enough could sign."""
        return self.need - len(self.able)

    @property
    def asked_of(self) -> str:
        """Which roles it needs, and who of them is able now."""
        roles = colon(_("Needs one of the roles"), ", ".join(label(code) for code in self.roles))
        return f"{roles}. {self._now}"

    @property
    def why_not(self) -> list[str]:
        """Each person with a role who is not able, and why; then what is to be done."""
        mend = _(
            "Set up what is missing, or have somebody else with one of these roles come in; who is"
            " given one only now may act %(hours)s hours later."
        )
        return [*(colon(name, why) for name, why in self.unable), mend % {"hours": REST_HOURS}]

    def sentences(self) -> list[str]:
        """What is missing, then each person who could mend it, in the language of the page."""
        what = colon(_("Too few can sign"), say(ACTIONS, self.action))
        told = ngettext(
            "%(number)s person is needed for it.", "%(number)s people are needed for it.", self.need
        ) % {"number": self.need}
        roles = ", ".join(label(code) for code in self.roles)
        none = (
            []
            if self.unable
            else [_("Nobody else of the house has one of the roles: %(roles)s.") % {"roles": roles}]
        )
        *people, mend = self.why_not
        return [f"{what}. {told} {self._now}", *people, *none, mend]

    @property
    def _now(self) -> str:
        return (
            _("Able now: %(names)s.") % {"names": ", ".join(self.able)}
            if self.able
            else _("Nobody is able now.")
        )


def shortage(house: House, asked: Iterable[Signers] = ()) -> Signers | None:
    """The act about a jackpot for which the most signers are missing; None while enough could sign
    each of them. Two statements.

    Who took part in a hit may not sign for it: whether enough others are there then, nobody knows
    before. Of what is `asked` for that is known (`signers_of`), and comes first.
    """
    found = [one for one in asked if one.missing > 0]
    if not found:
        lines = ApprovalRule.objects.filter(house=house, action__in=OF_JACKPOTS)
        newest = lines.order_by("action", "-version").distinct("action")
        people = people_of(house)
        found = [one for line in newest if (one := _by_line(line.action, line, people)).missing > 0]
    return max(found, key=lambda one: (one.missing, one.action == AWARD), default=None)


def payers(house: House) -> Signers:
    """Who could pay a slip of the jackpot: one of those who may, with a PIN. One statement."""
    roles = tuple(code for code, role in ROLES.items() if PAY_SLIPS in role.permissions)
    return _signers("", 1, roles, "pin", people_of(house))


def prize_lacks(house: House) -> str:
    """What a prize would lack now, a key of `tables.errors.PRIZE_LACKS`: who signs it, who pays it,
    or both; empty if nothing. Three statements.
    """
    lacks = {"signers": shortage(house) is not None, "cashier": payers(house).missing > 0}
    missing = [part for part, is_lacking in lacks.items() if is_lacking]
    return "both" if len(missing) > 1 else "".join(missing)


def prize_lacks_at(table_id: UUID) -> str:
    """The same of a table that is to open: empty where it is linked to no jackpot."""
    rows = Table.objects.filter(pk=table_id, jackpot__isnull=False).select_related("house")
    table = rows.first()
    return prize_lacks(table.house) if table else ""


def signers_of(
    asked: Sequence[Approval], taken: Taken, people: Iterable[Person]
) -> dict[UUID, Signers]:
    """By request (with its signatures) who can sign it."""
    return {one.pk: _to_sign(one, taken, people) for one in asked}


def lookers_of(
    claims: Iterable[Claim], taken: Taken, people: Iterable[Person]
) -> dict[UUID, Signers]:
    """By claim who can look at it and decide; that needs no proof, and one person."""
    roles = tuple(code for code, role in ROLES.items() if VERIFY in role.permissions)
    return {
        one.pk: _signers("", 1, roles, "", people, _barred_of_claim(one, taken)) for one in claims
    }


def part_of(person: Person, asked: Approval, taken: Taken) -> list[str]:
    """Which part of it keeps the person from signing what is asked for, as they read it themselves;
    empty if none does.
    """
    return [_(PARTS[code][1]) for code in _barred(asked, taken).get(person.pk, ())]


def part_of_claim(person: Person, claim: Claim, taken: Taken) -> list[str]:
    """Which part keeps the person from deciding about a claim, as they read it themselves; empty if
    none does.
    """
    return [_(PARTS[code][1]) for code in _barred_of_claim(claim, taken).get(person.pk, ())]


def left_by(person: Person, correction: Approval, line: ApprovalRule, house: House) -> Signers:
    """Who could sign by a line of the matrix about a round once the person has signed a correction
    of the round. Two statements.
    """
    taken = taken_in([correction])
    barred = _barred(correction, taken) | {
        pk: _parts([round_id], pk, taken) for round_id, pk in taken
    }
    barred |= {correction.requester_id: ["requested"]} if correction.requester_id else {}
    barred |= {
        pk: ["signed"]
        for pk in (person.pk, *(one.signer_id for one in correction.signatures.all()))
    }
    return _signers(line.action, line.signers, line.roles, line.method, people_of(house), barred)


def left_by_asking(
    person: Person, round_id: UUID, line: ApprovalRule, house: House
) -> Signers | None:
    """Who could sign by a line of the matrix about a round once the person has asked for a
    correction of it; None where some part in the round keeps them from it anyway. Two statements.
    """
    taken = taken_in((), [round_id])
    if (round_id, person.pk) in taken:
        return None
    barred = {pk: _parts([one], pk, taken) for one, pk in taken} | {person.pk: ["requested"]}
    return _signers(line.action, line.signers, line.roles, line.method, people_of(house), barred)


def signers_by(action: str, rule: ApprovalNeed, house: House) -> Signers:
    """Who could sign by a line of the matrix that is not in force yet. One statement."""
    return _by_line(action, rule, people_of(house, action))


def signers_besides(person: Person, action: str, house: House) -> Signers:
    """Who could sign an act that the person asks for now. Two statements. Raises
    ApprovalRuleMissing.
    """
    lines = ApprovalRule.objects.filter(house=house, action=action)
    line = lines.order_by("-version").first()
    if line is None:
        raise ApprovalRuleMissing(action=action)
    others = [each for each in people_of(house, action) if each.pk != person.pk]
    return _signers(action, line.signers, line.roles, line.method, others)


def taken_in(asked: Iterable[Approval], rounds: Iterable[UUID] = ()) -> Taken:
    """Who took which part in the rounds that requests are about, and in these. One statement."""
    return parts_taken({*rounds, *(one for row in asked for one in _rounds(row))})


def people_of(house: House, action: str = AWARD) -> list[Person]:
    """Who is active there, with what keeps each of them from signing the action. One statement."""
    rows = Person.objects.filter(house=house, is_active=True).order_by("full_name", "pk")
    about = F("pk"), F("house_id"), Value(action)
    rests = Func(*about, function="person_rests_from_v1", output_field=BooleanField())
    code = Exists(Authenticator.objects.filter(user=OuterRef("pk"), confirmed=True))
    return list(rows.annotate(rests=rests, has_code=code))


def _by_line(action: str, line: ApprovalRule | ApprovalNeed, people: Iterable[Person]) -> Signers:
    """Who could sign by a line of the matrix."""
    need = line.signers + (action not in BY_SYSTEM)
    return _signers(action, need, line.roles, line.method, people, {})


def _to_sign(asked: Approval, taken: Taken, people: Iterable[Person]) -> Signers:
    """Who can sign what is asked for, besides those who have."""
    done = {one.signer_id for one in asked.signatures.all()}
    left = [one for one in people if one.pk not in done]
    return _signers(
        asked.action,
        asked.signers - len(done),
        asked.roles,
        asked.method,
        left,
        _barred(asked, taken),
    )


def _signers(
    action: str,
    need: int,
    roles: Iterable[str],
    method: str,
    people: Iterable[Person],
    barred: Mapping[UUID, Sequence[str]] = MappingProxyType({}),
) -> Signers:
    """Of the people with one of the roles who is able; `barred`: which part keeps whom from it."""
    why = {one: _why(one, method, barred) for one in people if role_fits(one.roles, roles)}
    able = tuple(one.full_name for one, text in why.items() if not text)
    unable = tuple((one.full_name, text) for one, text in why.items() if text)
    return Signers(action, need, able, unable, tuple(roles))


def _why(person: Person, method: str, barred: Mapping[UUID, Sequence[str]]) -> str:
    """Why the person could not do it now; empty if they can."""
    if parts := barred.get(person.pk):
        return ", ".join(_(PARTS[code][0]) for code in parts)
    if person.rests:  # type: ignore[attr-defined]  # as it was annotated
        return _(
            "must wait, because somebody else set the sign-in, roles or house within a day, or no"
            " second manager has seen the sign-in since"
        )
    if method == "totp" and not person.has_code:  # type: ignore[attr-defined]
        return _("has no authenticator")
    if method == "pin" and (not person.pin or person.pin_locked_at):
        return _("has no PIN, or a locked one")
    return ""


def _barred(asked: Approval, taken: Taken) -> dict[UUID, list[str]]:
    """Which part keeps whom from signing what is asked for."""
    rounds = _rounds(asked)
    found = {pk: _parts(rounds, pk, taken) for pk in asked.excluded}
    return found | ({asked.requester_id: ["asked"]} if asked.requester_id else {})


def _barred_of_claim(claim: Claim, taken: Taken) -> dict[UUID, list[str]]:
    return {
        pk: _parts([claim.round_id], pk, taken) for pk in (*claim.dealers, claim.made_by_id) if pk
    }


def _parts(rounds: Iterable[UUID], person_id: UUID, taken: Taken) -> list[str]:
    """Which parts the person took in the rounds, of all that keep them from it; of who handed its
    table over, that they took part.
    """
    return [
        code for code in PARTS if any(code in taken.get((one, person_id), ()) for one in rounds)
    ] or ["part"]


def _rounds(asked: Approval) -> set[UUID]:
    """The rounds that a request is about."""
    named = {asked.subject_id} if asked.subject_kind == "round" else set()
    lines = whole_payload(asked)
    parts = [
        lines,
        *(line for name in ("shares", "refused", "prizes") for line in lines.get(name, ())),
    ]
    return {
        pk for one in (*named, *(part.get("round") for part in parts)) if (pk := uuid_or_none(one))
    }
