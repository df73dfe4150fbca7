"""What holds a hand of poker, checked as its page is opened."""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from payouts.models import Transfer
from payouts.selectors import seal_of
from tables.audit.replay_hands import hand_again
from tables.models import Hand


class HandCheck(NamedTuple):
    """A check in words; `holds`: None where there is nothing to be checked."""

    title: str
    words: str
    holds: bool | None


def hand_checks(row: Hand) -> list[HandCheck]:
    """The hand worked out again, by pokerkit, and the seals over what it posted."""
    again = hand_again(row.pk)
    return [_worked_out(again.amiss), _opinion(again.other), _sealed(row)]


def _worked_out(amiss: list[int]) -> HandCheck:
    title = _("Worked out again")
    if not amiss:
        return HandCheck(title, _("The same pots, fees and shares."), holds=True)
    results = {"results": _list(amiss)}
    return HandCheck(title, _("Something else comes of result %(results)s.") % results, holds=False)


def _opinion(other: list[int] | None) -> HandCheck:
    title = _("Second opinion, by pokerkit")
    if other is None:
        return HandCheck(title, _("None: the pots of this hand were not entered."), holds=None)
    if not other:
        return HandCheck(title, _("The same pots and winners."), holds=True)
    results = {"results": _list(other)}
    return HandCheck(
        title, _("Other pots or winners in result %(results)s.") % results, holds=False
    )


def _sealed(row: Hand) -> HandCheck:
    title = _("What it posted is sealed")
    posted = Transfer.objects.filter(house=row.house_id, subject_id=row.pk).values_list(
        "pk", flat=True
    )
    if not posted:
        return HandCheck(title, _("Nothing was posted."), holds=None)
    seals = {seal_of("payouts_transfer", transfer_id) for transfer_id in posted}
    numbers = sorted(number for number in seals if number is not None)
    if None in seals:
        return HandCheck(title, _("Not yet: the next seal will hold it."), holds=None)
    words = _("By seal %(seals)s.") % {"seals": _list(numbers)}
    return HandCheck(title, words, holds=True)


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
