"""What a result means for a round, worked out before the transaction that writes it: locked stakes
do not change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tables.errors import GuestUnknown
from tables.games import Ended, bank_game
from tables.games.base import AgainstFeed
from tables.models import Guest, Round
from tables.selectors.rounds import round_record
from tables.services.later.came import came_of
from tables.services.later.placements import stakes_put_right
from tables.services.later.staked import stakes_of
from tables.services.parts import rules_of
from tables.services.rounds.against_feed import contradiction
from tables.services.rounds.decide import check_decisions
from tables.services.rounds.prizes import pays_elsewhere


@dataclass(slots=True)
class Prepared:
    """A round with the result worked out for it. `ended` is None when the round is not in a state
    that takes a result.

    `inputs`: what `round_evaluate` was given. `against`: what the round's newest feed has against
    the result; `is_old` turns true when writing shows that a newer one is there: the next try works
    the result out again. `claims` turns true when writing shows that the round claims the jackpot
    by a call: the next try takes the exclusive lock. `placed`: what came after the lock, as a
    correction was given it; None where it was given nothing of the kind. `changed`: the rows of
    stakes that are written for that.
    """

    record: Mapping[str, Any]
    ended: Ended | None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    against: AgainstFeed | None = None
    is_old: bool = False
    claims: bool = False
    placed: object = None
    changed: Sequence[Mapping[str, Any]] = ()

    @property
    def exclusive(self) -> bool:
        """Whether its result is written under the jackpot's exclusive lock: it touches a claim, or
        rounds of other tables.
        """
        if not self.record["jackpot_id"] or self.ended is None:
            return False
        return bool(self.claims or self.ended.claims or pays_elsewhere(self.record, self.ended))


def round_evaluate(
    *,
    house_id: UUID,
    round_id: UUID,
    result: object,
    state: str = Round.State.LOCKED,
    placed: object = None,
) -> Prepared:
    """Work out what a result means for a round, before the transaction that writes it.

    `result` may say `{"feed": true}`: the cards are then those that the table's feed sent last,
    with what is entered beside them. `placed`: of a settled round, all that should have come after
    its lock, in its order; None leaves it as it is. Raises RoundUnknown, GuestUnknown (a guest
    named there is none of the table's), what the game refuses, what reading placements raises, and
    where boxes are shared NotYourBox, NobodyDecides, DeciderUnclear (BOX-2, PRM-2).
    """
    record = round_record(house_id=house_id, round_id=round_id)
    inputs: dict[str, Any] = {"house_id": house_id, "round_id": round_id, "result": result}
    inputs |= {"state": state, "placed": placed}
    if record["state"] != state:
        return Prepared(record, None, inputs)
    changed = [] if placed is None else stakes_put_right(record, placed)
    game, staked = (
        bank_game(record["game"]),
        {row["box"] for row in record["stakes"] if row["accepted_minor"]},
    )
    dealt = game.with_feed(result, record["feed"], staked=staked, level=record["entry_level"])
    after = {**record, "stakes": [*record["stakes"], *changed]}
    ended = end_again(after, dealt)
    named = {*ended.named, *(row["guest"] for row in changed)}
    if named and Guest.objects.filter(session_id=record["session_id"], pk__in=named).count() < len(
        named
    ):
        raise GuestUnknown
    if (
        ended.decided and state == Round.State.LOCKED and not record["queued"]
    ):  # of one that ended, or was sent later, nobody knows
        check_decisions(record, ended.decided)
    against = feed_against(after, ended.result)
    return Prepared(record, ended, inputs, against, placed=placed, changed=changed)


def evaluate_anew(prepared: Prepared) -> None:
    """Work a result out again, by the round as it is now. Raises as `round_evaluate`."""
    fresh = round_evaluate(**prepared.inputs)
    for name in ("record", "ended", "against", "changed"):
        setattr(prepared, name, getattr(fresh, name))
    prepared.is_old = False


def feed_against(
    record: Mapping[str, Any], result: Mapping[str, Any], revision: int | None = None
) -> AgainstFeed | None:
    """What the newest feed of a recorded round has against a result as the game gives it.
    `revision`: as in `end_again`.
    """
    feed = record["feed"]
    if feed is None:
        return None
    locked, later = stakes_of(record, revision)
    game = bank_game(record["game"])
    rules = rules_of(record["versions"])
    stakes = [*locked, *(placed.lies for placed in later)]
    level = record["entry_level"]
    came = came_of(record, revision)
    return contradiction(
        lambda: game.check_fed_result(rules, stakes, result, feed, came, level=level)
    )


def feed_waits(record: Mapping[str, Any]) -> bool:
    """Whether the newest feed of a recorded round lacks cards that are drawn yet."""
    if record["feed"] is None:
        return False
    locked, later = stakes_of(record)
    stakes = [*locked, *(placed.lies for placed in later)]
    rules = rules_of(record["versions"])
    return bank_game(record["game"]).waits_for_feed(rules, stakes, record["feed"])


def end_again(record: Mapping[str, Any], result: object, revision: int | None = None) -> Ended:
    """Settle a recorded round by a result: the same record and result give the same lines, for
    ever. `revision`: by the stakes that counted for that result; None asks for those that count
    now.
    """
    laid, later = stakes_of(record, revision)
    rules, stakes = rules_of(record["versions"]), [*laid, *(one.lies for one in later)]
    return bank_game(record["game"]).end(rules, stakes, result, level=record["entry_level"])
