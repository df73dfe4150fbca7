"""What people do to a jackpot as a whole: stop it, go on, put its meter right, close, reopen, retire it; and cancel a slip.

The services and their rights are those of the API (`casino/api/standing.py`, `casino/api/slips.py`).
"""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.people.page import reason_of, run
from casino.people.permissions import MANAGE, SUSPEND, VERIFY
from casino.text import floor as floor_words
from casino.text.formats import digits_of
from casino.text.ruleset_fields import figure_of
from jackpot import services
from jackpot.errors import JackpotUnknown
from jackpot.models import Award, Jackpot
from jackpot.models.states import IN_PLAY, Phase
from jackpot.services import standing
from jackpot.services.slips import CANCEL, CANCELLED_AS
from jackpot.services.state import phase_of
from payouts.errors import Refused, mark
from payouts.models import Approval, House
from payouts.rules.ledger.postings import whole_amount
from payouts.rules.plain import Json

Words = dict[str, str]
ASKED = mark("Asked for: another person looks at it and signs.")
BY = {"raise": 1, "lower": -1}  # what an adjustment does with the amount that was typed


class AmountRefused(Refused):
    """What was typed is no amount of the house's currency."""

    code = "floor.amount_refused"
    sentence = mark("“%(given)s” is no amount.")
    remedy = mark("Enter an amount above zero, such as 500 or 1250.50.")


# --- what is offered ------------------------------------------------------------------------------------------------------------
def offers(jackpot: Jackpot, person: Person, requests: Iterable[Approval]) -> dict[str, Any]:
    """By form whether the person may send it now; what is asked for is not asked for twice. The services decide again.

    `heirs`: which jackpots this one can be retired into. At most one statement.
    """
    verifies, inner = person.has_perm(VERIFY), phase_of(jackpot)
    asked = {one.action for one in requests}
    is_closed = jackpot.phase == Phase.CLOSED
    found: dict[str, Any] = {
        "suspend": person.has_perm(SUSPEND)
        and jackpot.phase not in (Phase.SUSPENDED, Phase.RETIRED)
        and standing.SUSPEND not in asked,
        "resume": verifies and jackpot.phase == Phase.SUSPENDED and standing.RESUME not in asked,
        "adjust": verifies and inner not in (Phase.DRAINING, Phase.RETIRED) and standing.ADJUST not in asked,
        "close": verifies and jackpot.phase in IN_PLAY,
        "reopen": verifies and is_closed,
        "retire": person.has_perm(MANAGE) and is_closed and standing.RETIRE not in asked,
    }
    found["any"] = any(found.values())
    found["heirs"] = list(heirs(jackpot).filter(phase=Phase.OPEN).order_by("name")) if found["retire"] else []
    found["close_first"] = person.has_perm(MANAGE) and jackpot.phase in IN_PLAY
    return found


def heirs(jackpot: Jackpot) -> QuerySet[Jackpot]:
    """The other jackpots of the house."""
    return Jackpot.objects.filter(house_id=jackpot.house_id).exclude(pk=jackpot.pk).exclude(epoch=None)


def forms_of(offered: Mapping[str, Any]) -> set[str]:
    """The forms that these offers put on the page."""
    return {name for name in STANDING if offered[name]}


def cancel_of(award: Award, person: Person, requests: Iterable[Approval]) -> dict[str, Any]:
    """Whether the person may ask to cancel the slip of an award, and what can become of it; not twice."""
    asked = any(one.action == CANCEL and one.payload["slip"] == str(award.slip.pk) for one in requests)
    hows = CANCELLED_AS.get(award.slip.state, ())
    return {
        "cancel": f"cancel:{award.slip.pk}",
        "hows": [(how, floor_words.say(floor_words.CANCELS, how)) for how in hows]
        if person.has_perm(VERIFY) and not asked
        else [],
    }


# --- what is done ---------------------------------------------------------------------------------------------------------------
def _suspend(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    return _ask(request, person, jackpot, words, standing.SUSPEND)


def _resume(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    return _ask(request, person, jackpot, words, standing.RESUME)


def _adjust(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    """Raises AmountRefused."""
    amount = _amount(words.get("amount", ""), jackpot.house) * BY.get(words.get("by", ""), 0)
    if not amount:
        raise AmountRefused(given=words.get("amount", "")[:30])
    return _ask(request, person, jackpot, words, standing.ADJUST, amount_minor=amount)


def _retire(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    """Raises JackpotUnknown for an heir that is none."""
    to = floor_words.uuid_or_none(words.get("to"))
    heir = heirs(jackpot).filter(pk=to).first() if to else None
    if heir is None:
        raise JackpotUnknown
    return _ask(request, person, jackpot, words, standing.RETIRE, to=str(heir.pk))


def _ask(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words, action: str, **payload: Json) -> str:
    """Ask for the approval of an act on the jackpot."""
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "person_id": person.pk}
    asked = payload | {"reason": reason_of(words)}

    def work() -> Json:
        return str(services.jackpot_request(**ids, action=action, payload=asked).pk)

    run(request, person, f"{action}_request", words | {"jackpot": str(jackpot.pk)}, work)
    return _(ASKED)


def _close(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "actor_id": person.pk}

    def work() -> Json:
        return services.jackpot_close(**ids, reason=reason_of(words)).phase

    run(request, person, "jackpot.close", words | {"jackpot": str(jackpot.pk)}, work)
    return _("The jackpot is closed.")


def _reopen(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    ids = {"house_id": jackpot.house_id, "jackpot_id": jackpot.pk, "actor_id": person.pk}

    def work() -> Json:
        return services.jackpot_reopen(**ids).phase

    run(request, person, "jackpot.reopen", words | {"jackpot": str(jackpot.pk)}, work)
    return _("The jackpot is reopened: bets open when its displays have shown the value.")


def _cancel(request: HttpRequest, person: Person, jackpot: Jackpot, words: Words) -> str:
    award = get_object_or_404(
        Award.objects.select_related("slip"), slip=floor_words.uuid_or_none(words.get("slip")), jackpot=jackpot
    )
    ids: dict[str, UUID] = {"house_id": jackpot.house_id, "slip_id": award.slip.pk, "person_id": person.pk}

    def work() -> Json:
        how = words.get("how", "")  # of what cannot become of a slip the service says so
        return str(services.award_cancel_request(**ids, how=how, reason=reason_of(words)).pk)

    run(request, person, "slip.cancel_request", words, work)
    return _(ASKED)


def _amount(text: str, house: House) -> int:
    """An amount as people write it, in minor units. Raises AmountRefused for what is none."""
    figure = figure_of(text.strip(), digits_of(house.currency))
    if not isinstance(figure, int) or not figure:
        raise AmountRefused(given=text.strip()[:30])
    return whole_amount(figure)


# By form: who may send it, what it does, and the field that says which of several such forms it was.
STANDING = {
    "suspend": (SUSPEND, _suspend, ""),
    "resume": (VERIFY, _resume, ""),
    "adjust": (VERIFY, _adjust, ""),
    "close": (VERIFY, _close, ""),
    "reopen": (VERIFY, _reopen, ""),
    "retire": (MANAGE, _retire, ""),
}
SLIPS = {"cancel": (VERIFY, _cancel, "slip")}
