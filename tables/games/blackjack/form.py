"""What can be read as a round of Black Jack, whatever is posted or lies there."""

from payouts.rules.lines import Stake
from payouts.rules.rulesets.schema import picture
from tables.games.base import RoundForm
from tables.games.blackjack.placement import read_placement
from tables.games.blackjack.placing import check_act
from tables.games.blackjack.result import read_result, with_feed
from tables.games.blackjack.stakes import STAKE, KindUnknown, check_box


def check_stake(stake: Stake, layout: int) -> None:
    """Raises KindUnknown, BoxOutside."""
    if stake.kind != STAKE:
        raise KindUnknown(kind=picture(stake.kind))
    check_box(stake.box, layout)


def check_placement(placement: object, layout: int) -> None:
    """Raises PlacementWrong, ActUnknown, BoxOutside, CardUnknown, NotInShoe."""
    read, _away = read_placement(placement)
    check_act(read)
    check_box(read.box, layout)


def check_result(result: object, layout: int) -> None:
    """Raises ResultWrong, BoxOutside, CardUnknown, NotInShoe."""
    for box in read_result(with_feed(result, None, ())).boxes:
        check_box(box, layout)


FORM = RoundForm(check_stake, check_placement, check_result)
