"""What a result means for a round, worked out before the transaction that writes it: locked stakes
do not change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from payouts.rules.lines import Stake
from tables.errors import GuestUnknown
from tables.games import Ended, Placed, game_of
from tables.models import Guest, Round
from tables.selectors.rounds import round_record
from tables.services.decide import check_decisions
from tables.services.parts import rules_of
from tables.services.prizes import pays_elsewhere


@dataclass(slots=True)
class Prepared:
    """A round with the result worked out for it. `ended` is None when the round is not in a state
    that takes a result.

    `claims` turns true when writing shows that the round claims the jackpot by a call: the next try
    takes the exclusive lock.
    """

    record: Mapping[str, Any]
    ended: Ended | None
    claims: bool = False

    @property
    def exclusive(self) -> bool:
        """Whether its result is written under the jackpot's exclusive lock: it touches a claim, or
        rounds of other tables.
        """
        if not self.record["jackpot_id"] or self.ended is None:
            return False
        return bool(self.claims or self.ended.claims or pays_elsewhere(self.record, self.ended))


def round_evaluate(
    *, house_id: UUID, round_id: UUID, result: object, state: str = Round.State.LOCKED
) -> Prepared:
    """Work out what a result means for a round, before the transaction that writes it.

    `result` may say `{"feed": true}`: the cards are then those that the table's feed sent last,
    with what is entered beside them. Raises RoundUnknown, GuestUnknown (a guest named in the result
    is none of the table's), what the game refuses, and where boxes are shared NotYourBox,
    NobodyDecides, DeciderUnclear (BOX-2, PRM-2).
    """
    record = round_record(house_id=house_id, round_id=round_id)
    if record["state"] != state:
        return Prepared(record, None)
    game, staked = (
        game_of(record["game"]),
        {row["box"] for row in record["stakes"] if row["accepted_minor"]},
    )
    dealt = game.with_feed(result, record["feed"], staked=staked, level=record["entry_level"])
    ended = end_again(record, dealt)
    named = set(ended.named)
    if named and Guest.objects.filter(session_id=record["session_id"], pk__in=named).count() < len(
        named
    ):
        raise GuestUnknown
    if (
        ended.decided and state == Round.State.LOCKED and not record["queued"]
    ):  # of one that ended, or was sent later, nobody knows
        check_decisions(record, ended.decided)
    return Prepared(record, ended)


def end_again(record: Mapping[str, Any], result: object) -> Ended:
    """Settle a recorded round by a result: the same record and result give the same lines, for
    ever.
    """
    laid, later = stakes_of(record)
    rules, stakes = rules_of(record["versions"]), [*laid, *(one.stake for one in later)]
    return game_of(record["game"]).end(rules, stakes, result, level=record["entry_level"])


def stakes_of(record: Mapping[str, Any]) -> tuple[list[Stake], list[Placed]]:
    """The stakes of a recorded round that stayed at its lock, and those that came later, in their
    order: even money among them, which brings no chips; what was taken back is not.
    """
    laid: list[Stake] = []
    later: list[Placed] = []
    back = {row["takes_back"] for row in record["stakes"]} - {None}
    for row in record["stakes"]:
        if row["takes_back"] or row["placed"] in back:
            continue
        stake = Stake(row["box"], row["guest"], row["kind"], row["accepted_minor"])
        if row["placed"]:
            later.append(Placed(stake, row["source"]))
        elif row["revision"] == 0 and row["accepted_minor"]:
            laid.append(stake)
    return laid, later
