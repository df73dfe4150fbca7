"""Who could sign for a jackpot if it were hit now: said while there is time to mend it. Then who can sign what waits."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import BooleanField, Exists, F, Func, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.floor_words import colon, say
from casino.models import Person
from casino.models_authenticators import Authenticator
from casino.refusal_words import ACTIONS
from casino.roles import label
from jackpot.services.approved import ACTIONS as OF_JACKPOTS
from jackpot.services.prizes import PRIZE
from jackpot.services.split import AWARD
from payouts.models import Approval, ApprovalRule, House
from payouts.rules.approval import role_fits

BY_SYSTEM = frozenset({AWARD, PRIZE})  # nobody who asks for them is lost as a signer


@dataclass(frozen=True)
class Shortage:
    """For what too few could sign: how many are needed, who can, and of those with its roles who cannot, with the reason."""

    action: str
    need: int
    able: tuple[str, ...]
    unable: tuple[tuple[str, str], ...]
    roles: tuple[str, ...]

    def words(self) -> list[str]:
        """What is missing, then each person who could mend it, in the language of the page."""
        what = colon(_("Too few can sign"), say(ACTIONS, self.action))
        told = ngettext("%(number)s person is needed for it.", "%(number)s people are needed for it.", self.need) % {
            "number": self.need
        }
        able = _("Able now: %(names)s.") % {"names": ", ".join(self.able)} if self.able else _("Nobody is able now.")
        first = f"{what}. {told} {able}"
        roles = ", ".join(label(code) for code in self.roles)
        none = (
            [] if self.unable else [_("Nobody else of the house has one of the roles: %(roles)s.") % {"roles": roles}]
        )
        return [first, *(colon(name, why) for name, why in self.unable), *none]


def shortage(house: House, asked: Iterable[Approval] = ()) -> Shortage | None:
    """The act about a jackpot for which the most signers are missing; None while enough could sign each of them. Two statements.

    Who took part in a hit may not sign for it: whether enough others are there then, nobody knows before. Of what is `asked` for
    (with its signatures) that is known, and comes first.
    """
    lines = ApprovalRule.objects.filter(house=house, action__in=OF_JACKPOTS)
    newest = {line.action: line for line in lines.order_by("action", "-version").distinct("action")}
    people = _people(house)
    found = [short for one in asked if (short := _short(one, people, one))]
    found = found or [short for line in newest.values() if (short := _short(line, people))]
    return max(found, key=lambda one: (one.need - len(one.able), one.action == AWARD), default=None)


def _people(house: House) -> list[Person]:
    rows = Person.objects.filter(house=house, is_active=True).order_by("full_name", "pk")
    rests = Func(F("pk"), F("house_id"), function="person_rests_v1", output_field=BooleanField())
    code = Exists(Authenticator.objects.filter(user=OuterRef("pk"), confirmed=True))
    return list(rows.annotate(rests=rests, has_code=code))


def _short(line: ApprovalRule | Approval, people: Iterable[Person], asked: Approval | None = None) -> Shortage | None:
    """Who is missing by a line of the matrix, or to sign what is asked for under it."""
    done = {one.signer_id for one in asked.signatures.all()} if asked else set()
    with_role = [one for one in people if role_fits(one.roles, line.roles) and one.pk not in done]
    why = {one.pk: (_part(one, asked) if asked else "") or _unable(one, line.method) for one in with_role}
    able = [one for one in with_role if not why[one.pk]]
    need = line.signers - len(done) if asked else line.signers + (line.action not in BY_SYSTEM)
    if len(able) >= need:
        return None
    unable = tuple((one.full_name, why[one.pk]) for one in with_role if why[one.pk])
    return Shortage(line.action, need, tuple(one.full_name for one in able), unable, tuple(line.roles))


def _part(person: Person, asked: Approval) -> str:
    """Which part of it keeps the person from signing what is asked for; empty if none does."""
    if person.pk == asked.requester_id:
        return _("asked for it")
    return _("took part in it") if person.pk in asked.excluded else ""


def _unable(person: Person, method: str) -> str:
    """Why the person could sign nothing now; empty if he can."""
    if person.rests:  # type: ignore[attr-defined]  # as it was annotated
        return _("rests, because somebody else set the sign-in, roles or house within a day")
    if method == "totp" and not person.has_code:  # type: ignore[attr-defined]
        return _("has no authenticator")
    if method == "pin" and (not person.pin or person.pin_locked_at):
        return _("has no PIN, or a locked one")
    return ""
