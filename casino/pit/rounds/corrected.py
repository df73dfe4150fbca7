"""What a correction makes of a round, by box and guest, as its signer reads it first."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from casino.games import RoundScreens
from casino.text.differences import (
    Differences,
    differences,
    money_difference,
    word_difference,
)
from casino.text.wording import guest_name
from jackpot.rules.progressive import CLAIM
from payouts.models import House
from tables.games import Ended
from tables.selectors.sessions import RoundParts

_NO_STAKE = ("coin", "envy")  # the coin was taken at the lock, whatever the result
_Won = dict[tuple[int, str], int]  # net of the stakes, by box and guest (minor units)


def round_differences(
    payload: Mapping[str, Any],
    parts: RoundParts,
    screens: RoundScreens,
    ended: Ended | None,
    house: House,
) -> Differences:
    """Sums are net of the stakes, since what lies there may be corrected too. `ended`: how the
    round would end; None where the rules refuse that by now, so that it cannot be signed.
    """
    revision = max((line.revision for line in parts.lines), default=0)
    lines = [line for line in parts.lines if line.revision == revision]
    won = _won((line.box, str(line.guest_id), _net(line)) for line in lines)
    wins = _won((line.box, line.guest, _net(line)) for line in ended.lines) if ended else won
    was: Mapping[str, Any] = next(
        (row.result for row in parts.results if row.revision == revision), {}
    )
    words = screens.outcomes(was), screens.outcomes(payload["result"])
    claims = {line.box for line in lines if line.code == CLAIM.code}
    claimed = claims, {*ended.claims} if ended else claims
    names = {str(stake.guest_id): guest_name(stake.guest.number) for stake in parts.stakes}
    rows = [word_difference(_("Bank"), _of("", words), 0, house)]
    for box, guest in sorted({*won, *wins}, key=lambda key: (key[0], names.get(key[1], ""))):
        ends = tuple(
            (*texts, _("wins the jackpot") if box in boxes else "")
            for texts, boxes in zip(_of(str(box), words), claimed, strict=True)
        )
        what = " · ".join(filter(None, (_("Box %(number)s") % {"number": box}, names.get(guest))))
        before = won.get((box, guest))
        after = wins.get((box, guest))
        by_minor = (after or 0) - (before or 0)
        if ends[0] == ends[1]:
            rows.append(money_difference(what, before, after, house))
        else:
            rows.append(word_difference(what, (ends[0], ends[1]), by_minor, house))
    total = differences(rows)
    if len(total.changed) > 1 and won != wins:
        total.changed.append(
            money_difference(_("Together"), sum(won.values()), sum(wins.values()), house)
        )
    return total


def _of(
    box: str, words: tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What both results say of a box, as many words each."""
    before, after = (texts.get(box, ()) for texts in words)
    most = max(len(before), len(after))
    return before + ("",) * (most - len(before)), after + ("",) * (most - len(after))


def _net(line: Any) -> int:
    stake_minor = 0 if line.kind in _NO_STAKE else line.stake_minor
    return int(line.returned_minor + line.won_minor + line.prize_minor - stake_minor)


def _won(lines: Iterable[tuple[int, str, int]]) -> _Won:
    won: _Won = {}
    for box, guest, net_minor in lines:
        won[(box, guest)] = won.get((box, guest), 0) + net_minor
    return won
