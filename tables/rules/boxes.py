"""Whose box it is and who decides for it (BOX-1, BOX-2, PRM-2)."""

from collections.abc import Sequence

from payouts.errors import Refused, mark
from payouts.rules.lines import Reason
from payouts.rules.rulesets.schema import picture
from tables.rules.prime import BoxStake, check_stakes, in_order, rights

TAKEN_BACK = Reason(
    "taken_back",
    "BOX-5",
    mark("%(guest)s has this stake back: it was placed after the lock by mistake."),
)
PUT_RIGHT = Reason(
    "put_right",
    "BOX-5",
    mark("By the correction this stake of %(guest)s did not lie there, and no longer counts."),
)


class BoxRefused(Refused):
    """A claim to a box, or a decision for it, that is not the guest's."""

    code = "box.refused"
    rule = "BOX-1"


class SeatTaken(BoxRefused):
    """A standing player declared owner of a box at which somebody sits."""

    code = "box.seat_taken"
    sentence = mark("%(seated)s sits at this box and owns it.")
    remedy = mark("Declare a standing player the owner only where the seat is free.")


class NotYourBox(BoxRefused):
    """A decision by somebody who does not decide for the box."""

    code = "box.not_yours"
    rule = "BOX-2"
    sentence = mark("%(decider)s decides for this box, not %(guest)s.")
    remedy = mark("Take the decision from the guest who has the right to it.")


class NobodyDecides(BoxRefused):
    """Nobody with a stake on the box is at the table."""

    code = "box.nobody_decides"
    rule = "PRM-2"
    sentence = mark("Nobody with a stake on this box is present.")
    remedy = mark("Call the floor manager.")


class DeciderUnclear(BoxRefused):
    """Two present co-players with the same right and the same distance to the shoe."""

    code = "box.decider_unclear"
    rule = "PRM-2"
    sentence = mark(
        "%(first)s and %(second)s have the same right and the same distance to the shoe."
    )
    remedy = mark("Say who stands nearer to the shoe.")


def owner_of(seated: str | None, declared: str | None = None) -> str | None:
    """The owner of a box: who sits at it, else the standing player whom the dealer declared, else
    nobody (BOX-1).

    Raises SeatTaken when a player was declared owner of a box at which another sits.
    """
    if seated is not None and declared is not None and declared != seated:
        raise SeatTaken(seated=picture(seated))
    return seated if seated is not None else declared


def decider(stakes: Sequence[BoxStake], absent: frozenset[str] = frozenset()) -> str:
    """Who decides for a box: its owner, or in the order of the prime rule when it has none or they
    are away (BOX-2, PRM-2).

    `absent`: guests who are not at the table at the moment. Raises NobodyDecides, DeciderUnclear
    and what `check_stakes` raises.
    """
    check_stakes(stakes)
    present = [stake for stake in in_order(stakes) if stake.guest not in absent]
    if not present:
        raise NobodyDecides
    if len(present) > 1 and rights(present[0]) == rights(present[1]):
        raise DeciderUnclear(first=present[0].guest, second=present[1].guest)
    return present[0].guest


def check_decides(
    guest: str, stakes: Sequence[BoxStake], absent: frozenset[str] = frozenset()
) -> None:
    """Refuse a decision by anybody but the one who decides for the box (BOX-2, PRM-2); raises
    NotYourBox and as `decider`.
    """
    entitled = decider(stakes, absent)
    if guest != entitled:
        raise NotYourBox(decider=entitled, guest=picture(guest))
