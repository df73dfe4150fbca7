"""A first result that wins much: another person looks at it, as at a correction of as much."""

from collections import Counter
from collections.abc import Container, Mapping
from typing import Any
from uuid import UUID

from payouts.services import Subject, event_record
from tables.errors import WinNeedsSecond
from tables.games import Ended
from tables.services.parts import dealt_by, rules_of

TABLET = "tablet"  # booked, and the pit is alerted until another person has looked
OFFICE = "office"  # by an approval only
CLARIFIED = "clarified"  # another person has sent it than takes it, who did not deal it
EVENT = "round.much_won"


def _much_won(record: Mapping[str, Any], ended: Ended, *, beside: Container[int]) -> int:
    """The most that a box or a guest wins, prizes included, in minor units; 0 below the house's
    threshold. `beside`: boxes that do not count.
    """
    won = Counter[int | str]()
    for line in (line for line in ended.lines if line.box not in beside):
        for whose in (line.box, line.guest):
            won[whose] += line.won_minor + line.prize_minor
    most = max(won.values(), default=0)
    return most if most >= rules_of(record["versions"]).floor.approval_from_minor else 0


def office_refusal(record: Mapping[str, Any], ended: Ended) -> WinNeedsSecond | None:
    """Why one person in the office does not enter it: what all boxes together win by it. At a
    tablet a whole table may win.
    """
    won = sum(line.won_minor + line.prize_minor for line in ended.lines)
    most = rules_of(record["versions"]).floor.approval_from_minor
    return WinNeedsSecond(amount_minor=won, most_minor=most) if won >= most else None


def check_entered(record: Mapping[str, Any], ended: Ended, entered: str, person_id: UUID) -> None:
    """Refuse to one person in the office what wins much, and to who dealt it what another has sent.
    Raises WinNeedsSecond.
    """
    alone = entered == OFFICE or (entered == CLARIFIED and person_id in dealt_by(record))
    if alone and (refusal := office_refusal(record, ended)):
        raise refusal


def much_record(record: Mapping[str, Any], ended: Ended, person_id: UUID) -> None:
    """Have the pit alerted of a win that one person has entered. Of a claim it is alerted anyhow,
    and another person looks at that box.
    """
    if amount := _much_won(record, ended, beside=ended.claims):
        event_record(
            EVENT,
            Subject("round", record["id"]),
            house_id=UUID(record["house_id"]),
            actor_id=person_id,
            after={
                "won_minor": amount,
                "people": sorted(str(person) for person in dealt_by(record) | {person_id}),
            },
        )
