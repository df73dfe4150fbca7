"""What a correction does to the jackpot: said to who asks for it and who signs it, and where a hit
waits for it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.people.models import Person
from casino.rulesets import signers
from casino.text.formats import format_money
from jackpot.models import Award, Slip
from jackpot.rules.progressive import CLAIM
from jackpot.services import boxes_awarded, claims_live, epoch_ended
from jackpot.services.split import AWARD
from payouts.errors import Refused, mark
from payouts.models import Approval, ApprovalRule
from payouts.models.approval import WAITING
from payouts.rules.approval import role_fits
from payouts.rules.rulesets.paytable import WORDS
from tables.games import Ended
from tables.models import Round
from tables.selectors.rounds import CORRECTION, awards_doubted
from tables.services import round_evaluate

AWARDED = {  # by the state of the slip, and whether the award has its ground by the new result
    ("open", False): mark(
        "By this correction box %(box)s has not won the jackpot, but was awarded %(amount)s: slip"
        " %(number)s cannot be paid then. If the correction is right, have the slip cancelled."
    ),
    ("paid", False): mark(
        "By this correction box %(box)s has not won the jackpot, but was awarded %(amount)s, and"
        " slip %(number)s is paid. If the correction is right, have the slip cancelled: the money"
        " is asked back, or the house bears the loss."
    ),
    ("open", True): mark(
        "By this correction box %(box)s has won the %(amount)s that it was awarded: slip %(number)s"
        " can be paid again."
    ),
    ("paid", True): mark(
        "By this correction box %(box)s has won the %(amount)s that it was awarded: slip %(number)s"
        " was rightly paid."
    ),
}


class ClaimEffect(NamedTuple):
    """What becomes of claims and awards, in sentences; whether who signs takes part in the round,
    and where that leaves too few to sign the payment, who is left.
    """

    told: list[str]
    takes_part: bool
    short: signers.Signers | None = None


def claim_of(
    round_: Round, asked: Approval, person: Person, ended: Ended | None
) -> ClaimEffect | None:
    """What a correction to the new result (`ended`) does to the jackpot. None where no claim and no
    award is touched.
    """
    if ended is None or round_.jackpot_id is None:
        return None
    if epoch_ended(round_.epoch_id):
        late = sorted({*ended.claims} - boxes_awarded(round_.pk).once)
        told = [*(_late(box, ended) for box in late), *_awarded(round_, ended)]
        return ClaimEffect(told, bool(late)) if told else None
    told, there = [], claims_live(round_.pk).first()
    for box in ended.claims:
        told.append(
            _("This correction claims the jackpot: box %(box)s, %(hand)s.") % _named(box, ended)
        )
    if there is not None and ended.claims and there.box in (None, *ended.claims):
        told.append(_("Claim %(number)s is then to be looked at anew.") % {"number": there.number})
    elif there is not None:
        told.append(_("This correction drops claim %(number)s.") % {"number": there.number})
    claims = bool(ended.claims)
    return (
        ClaimEffect(told, claims, _left(round_, asked, person) if claims else None)
        if told
        else None
    )


def asking_bars(round_: Round, person: Person) -> signers.Signers | None:
    """Who could sign the jackpot's payment once the person has asked for a correction by which the
    round claims it; None where that takes nothing from them. Three statements.
    """
    line = _award_line(round_)
    if round_.jackpot_id is None or not role_fits(person.roles, line.roles):
        return None
    return signers.left_by_asking(person, round_.pk, line, round_.house)


def result_of(round_: Round, asked: Approval) -> Ended | None:
    """How the round would end; None where the rules refuse that by now, or it has not ended."""
    try:
        return round_evaluate(
            house_id=round_.house_id,
            round_id=round_.pk,
            result=asked.payload["result"],
            state=round_.state if round_.state == Round.State.LOCKED else Round.State.SETTLED,
            placed=asked.payload.get("placed"),
        ).ended
    except Refused:
        return None


def waiting_for(rounds: Sequence[UUID]) -> list[tuple[Round, bool]]:
    """Of these rounds those whose lines, as they stand, somebody has asked to correct, each with
    whether the new result claims.

    Two statements, and those by which each of these rounds is worked out again.
    """
    asked = Approval.objects.filter(
        action=CORRECTION, subject_kind="round", subject_id__in=[str(one) for one in rounds]
    ).filter(WAITING)
    found = {one.subject_id: one for one in asked}
    about = (
        Round.objects.filter(pk__in=list(found))
        .select_related("table")
        .order_by("table__name", "number")
    )
    pairs = [(one, found[str(one.pk)]) for one in about]
    ended = [(one, result_of(one, row)) for one, row in pairs if row.revision == one.revision]
    return [(one, bool(new and new.claims)) for one, new in ended]


def waiting_notice(
    round_id: object, table: str, number: int | None, *, claims: bool = False
) -> SafeString:
    """That the correction of a round waits for its signature, with the way to it; `claims`: its new
    result claims the jackpot.
    """
    text = (
        _(
            "A correction that claims the jackpot waits for its signature: %(table)s, round"
            " %(number)s."
        )
        if claims
        else _("A correction waits for its signature: %(table)s, round %(number)s.")
    )
    href = reverse("floor-round", args=[round_id]) + "#sign"
    return format_html(
        '<a class="round" href="{}">{}</a>', href, text % {"table": table, "number": number or "–"}
    )


def _late(box: int, ended: Ended) -> str:
    text = _(
        "By this correction box %(box)s had won the jackpot that was paid since (%(hand)s): it is"
        " owed a late award."
    )
    return text % _named(box, ended)


def _awarded(round_: Round, ended: Ended) -> Iterator[str]:
    """Awards of the meter that the new result takes the ground from, or gives it back to, each with
    what becomes of its slip.
    """
    awards = (
        Award.objects.filter(round_id=round_.pk)
        .exclude(slip__state=Slip.State.CANCELLED)
        .exclude(kind="prize")
    )
    doubted = set(awards_doubted(awards).values_list("pk", flat=True))
    house = round_.house
    for one in awards.select_related("slip").order_by("slip__number"):
        stands = one.box in ended.claims
        if stands and one.pk not in doubted:
            continue
        amount = format_money(one.amount_minor, house.currency, house.locale)
        yield _(AWARDED[one.slip.state, stands]) % {
            "box": one.box,
            "amount": amount,
            "number": one.slip.written,
        }


def _named(box: int, ended: Ended) -> dict[str, int | str]:
    hand = next(
        line.hand for line in ended.lines if line.box == box and line.reason == CLAIM and line.hand
    )
    return {"box": box, "hand": _(WORDS[hand])}


def _left(round_: Round, asked: Approval, person: Person) -> signers.Signers | None:
    """Where the person's signature would leave too few to sign the payment: who is left."""
    left = signers.left_by(person, asked, _award_line(round_), round_.house)
    return left if left.missing > 0 else None


def _award_line(round_: Round) -> ApprovalRule:
    """By which line of the matrix the house pays its jackpots."""
    return ApprovalRule.objects.filter(house_id=round_.house_id, action=AWARD).latest("version")
