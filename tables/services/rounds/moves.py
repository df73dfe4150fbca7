"""What a correction moves in a round, over all boxes and guests: sums since the first result, not
steps.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F

from tables.models import RoundLine
from tables.services.later.staked import stakes_of
from tables.services.rounds.evaluate import Prepared

PAID = F("returned_minor") + F("won_minor") + F("prize_minor")


class LineSums(NamedTuple):
    """What counts of a line towards the house's threshold."""

    box: int
    guest: str
    stake_minor: int
    paid_minor: int
    wins_minor: int


def moves_much(record: Mapping[str, Any], prepared: Prepared, least: int) -> bool:
    """Whether a box won so much by any result that stood, or wins it by the new one; or whether the
    new one moves so much in the round, compared with the first result or with the one that counts
    now, each with its own stakes.
    """
    ended = prepared.ended.lines if prepared.ended else ()
    new = [
        LineSums(
            box=line.box,
            guest=line.guest,
            stake_minor=line.stake_minor,
            paid_minor=line.paid_minor,
            wins_minor=line.won_minor + line.prize_minor,
        )
        for line in ended
    ]
    stood = _stood(record["id"])
    amounts = [_most_won(new), *map(_most_won, stood.values())]
    for revision in {1, record["revision"]}:
        amounts.append(_moved(stood.get(revision, []), new))
        amounts.append(_restaked(record, prepared, revision))
    return max(amounts) >= least


def stakes_differ(record: Mapping[str, Any], prepared: Prepared) -> bool:
    """Whether the new result is about other stakes than the one that counts."""
    stood = RoundLine.objects.filter(round_id=record["id"], revision=record["revision"])
    was = stood.exclude(stake_minor=0).values_list("box", "guest_id", "kind", "stake_minor")
    lines = prepared.ended.lines if prepared.ended else ()
    lies = [
        (line.box, UUID(line.guest), line.kind, line.stake_minor)
        for line in lines
        if line.stake_minor
    ]
    return Counter(was) != Counter(lies)


def _stood(round_id: str) -> dict[int, list[LineSums]]:
    """The lines of a round by revision."""
    stood: dict[int, list[LineSums]] = {}
    rows = RoundLine.objects.filter(round_id=round_id).annotate(paid=PAID)
    for line in rows:
        sums = LineSums(
            box=line.box,
            guest=str(line.guest_id),
            stake_minor=line.stake_minor,
            paid_minor=line.paid,
            wins_minor=line.won_minor + line.prize_minor,
        )
        stood.setdefault(line.revision, []).append(sums)
    return stood


def _most_won(lines: Iterable[LineSums]) -> int:
    won = Counter[int]()
    for line in lines:
        won[line.box] += line.wins_minor
    return max(won.values(), default=0)


def _moved(before: Iterable[LineSums], after: Iterable[LineSums]) -> int:
    """What is paid or staked otherwise in the round, or both together: what is more and what is
    less add up apart, so that nothing that a box or a guest gets is set off by another's loss.
    """
    paid = Counter[tuple[int, str]]()
    staked = Counter[tuple[int, str]]()
    for sign, lines in ((-1, before), (1, after)):
        for line in lines:
            paid[line.box, line.guest] += sign * line.paid_minor
            staked[line.box, line.guest] += sign * line.stake_minor
    net = Counter({whose: paid[whose] - staked[whose] for whose in paid})
    return max(moved.total() for sums in (paid, staked, net) for moved in (+sums, -sums))


def _restaked(record: Mapping[str, Any], prepared: Prepared, revision: int) -> int:
    """All that came and fell away in the round since the stakes of that revision."""
    stakes = [*record["stakes"], *prepared.changed]
    was = Counter(stakes_of(record, revision)[1])
    lies = Counter(stakes_of({**record, "stakes": stakes})[1])
    changed = (was - lies) + (lies - was)
    return sum(placed.stake.amount_minor * times for placed, times in changed.items())
