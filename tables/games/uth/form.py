"""What can be read as a round of Ultimate Texas Hold'em, whatever is posted or lies there."""

from payouts.errors import mark
from payouts.rules.lines import Stake
from payouts.rules.rulesets.schema import picture
from tables.games.base import RoundForm
from tables.games.uth.result import read_result, with_feed
from tables.games.uth.stakes import RULE_OF_KIND, KindUnknown, UthRefused, check_box


class NothingLater(UthRefused):
    """A stake after the lock other than Play, which the result names."""

    code = "uth.nothing_later"
    rule = "UTH-3"
    sentence = mark("After the lock there is only Play, which comes with the result.")
    remedy = mark("Enter Play together with the result.")


def check_stake(stake: Stake, layout: int) -> None:
    """Raises KindUnknown, BoxOutside."""
    if stake.kind not in RULE_OF_KIND:
        raise KindUnknown(kind=picture(stake.kind))
    check_box(stake.box, layout)


def check_placement(_placement: object, _layout: int) -> None:
    """Raises NothingLater."""
    raise NothingLater


def check_result(result: object, layout: int) -> None:
    """Raises ResultWrong, BoxOutside, CardUnknown, CardTwice, CardCount."""
    reading = read_result(with_feed(result, None, staked=()))
    for box in reading.boxes:
        check_box(box, layout)
    if not (isinstance(result, dict) and result.get("feed")):  # then cards are missing yet
        reading.cards()


FORM = RoundForm(check_stake, check_placement, check_result)
