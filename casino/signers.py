"""Who could sign for a jackpot if it were hit now: said before a hit, while there is time to mend it."""

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
from payouts.models import ApprovalRule, House
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


def shortage(house: House) -> Shortage | None:
    """The act about a jackpot for which the most signers are missing; None while enough could sign each of them. Two statements.

    Who took part in a hit may not sign for it: whether enough others are there then, nobody knows before.
    """
    lines = ApprovalRule.objects.filter(house=house, action__in=OF_JACKPOTS)
    newest = {line.action: line for line in lines.order_by("action", "-version").distinct("action")}
    people = _people(house)
    found = [_short(line, people) for line in newest.values()]
    return max(
        (one for one in found if one), key=lambda one: (one.need - len(one.able), one.action == AWARD), default=None
    )


def _people(house: House) -> list[Person]:
    rows = Person.objects.filter(house=house, is_active=True).order_by("full_name", "pk")
    rests = Func(F("pk"), F("house_id"), function="person_rests_v1", output_field=BooleanField())
    code = Exists(Authenticator.objects.filter(user=OuterRef("pk"), confirmed=True))
    return list(rows.annotate(rests=rests, has_code=code))


def _short(line: ApprovalRule, people: Iterable[Person]) -> Shortage | None:
    with_role = [one for one in people if role_fits(one.roles, line.roles)]
    why = {one.pk: _unable(one, line.method) for one in with_role}
    able = [one for one in with_role if not why[one.pk]]
    need = line.signers + (line.action not in BY_SYSTEM)
    if len(able) >= need:
        return None
    unable = tuple((one.full_name, why[one.pk]) for one in with_role if why[one.pk])
    return Shortage(line.action, need, tuple(one.full_name for one in able), unable, tuple(line.roles))


def _unable(person: Person, method: str) -> str:
    """Why the person could sign nothing now; empty if he can."""
    if person.rests:  # type: ignore[attr-defined]  # as it was annotated
        return _("rests, because somebody else set the sign-in, roles or house within a day")
    if method == "totp" and not person.has_code:  # type: ignore[attr-defined]
        return _("has no authenticator")
    if method == "pin" and (not person.pin or person.pin_locked_at):
        return _("has no PIN, or a locked one")
    return ""
