"""On what a request about a round rests: its box with cards, stakes and what each paid."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from casino.games import round_screens_of
from casino.text import floor
from casino.text.wording import guest_name
from jackpot.models import Slip, WaitingPrize
from payouts.models import Approval, House
from tables.models import Round, RoundLine, RoundResult


class _About(NamedTuple):
    """Which round a request is about, its box, and whose royal flush pays it, if it is another
    round's.
    """

    round_id: UUID
    box: int
    source_id: UUID | None
    slip: Slip | None


class EvidenceLine(NamedTuple):
    """A line of the box that a request is about."""

    row: RoundLine
    guest: str
    kind: str
    paid_minor: int
    cause: str


class Evidence(NamedTuple):
    """What a box held and was paid. `source`: the round whose royal flush pays it, if that is
    another one.
    """

    round: Round
    box: int
    source: Round | None
    slip: Slip | None
    slip_state: str
    award: str
    result: Any  # as the game's template shows it
    template: str
    lines: list[EvidenceLine]


def evidence_of(requests: Sequence[Approval], house: House) -> dict[UUID, Evidence]:
    """By request about a round: a prize, a late award, a slip to be cancelled.

    A fixed number of statements however many requests there are.
    """
    about = _about(requests)
    ids = {one.round_id for one in about.values()} | {
        one.source_id for one in about.values() if one.source_id
    }
    rounds = Round.objects.select_related("table").in_bulk(list(ids))
    newest = (
        RoundResult.objects.filter(round__in=ids).order_by("round", "-revision").distinct("round")
    )
    results = dict(newest.values_list("round_id", "result"))
    lines: dict[tuple[UUID, int], list[RoundLine]] = {}
    for line in RoundLine.objects.filter(round__in=ids).select_related("guest").order_by("place"):
        if line.revision == rounds[line.round_id].revision:
            lines.setdefault((line.round_id, line.box), []).append(line)
    return {
        pk: _evidence(one, rounds, results, lines.get((one.round_id, one.box), []), house)
        for pk, one in about.items()
    }


def _about(requests: Sequence[Approval]) -> dict[UUID, _About]:
    prizes = WaitingPrize.objects.in_bulk(
        [UUID(one.subject_id) for one in requests if one.subject_kind == "prize"]
    )
    wanted = [UUID(one.payload["slip"]) for one in requests if "slip" in one.payload]
    slips = Slip.objects.select_related("award").in_bulk(wanted)
    found: dict[UUID, _About] = {}
    for one in requests:
        if "slip" in one.payload:
            slip = slips[UUID(one.payload["slip"])]
            found[one.pk] = _About(slip.award.round_id, slip.award.box, None, slip)
        elif "round" in one.payload:
            round_id, prize = (
                UUID(one.payload["round"]),
                prizes.get(floor.uuid_or_none(one.subject_id)),
            )
            source = prize.source_id if prize and prize.source_id != round_id else None
            found[one.pk] = _About(round_id, one.payload["box"], source, None)
    return found


def _evidence(
    about: _About,
    rounds: Mapping[UUID, Round],
    results: Mapping[UUID, Mapping[str, Any]],
    lines: Sequence[RoundLine],
    house: House,
) -> Evidence:
    """What a box held and was paid; of Envy for another table's royal flush also that round."""
    round_, result = rounds[about.round_id], dict(results.get(about.round_id, {}))
    if isinstance(result.get("boxes"), dict):
        result["boxes"] = {
            box: told for box, told in result["boxes"].items() if box == str(about.box)
        }
    screens, slip = round_screens_of(round_.table.game), about.slip
    return Evidence(
        round_,
        about.box,
        rounds.get(about.source_id) if about.source_id else None,
        slip,
        floor.say(Slip.State, slip.state) if slip else "",
        floor.say(floor.AWARD_KINDS, slip.award.kind) if slip else "",
        screens.result_description(result) if result else None,
        screens.RESULT,
        [
            EvidenceLine(
                one,
                guest_name(one.guest.number),
                floor.say(floor.LINE_KINDS, one.kind),
                one.returned_minor + one.won_minor + one.prize_minor,
                floor.line_text(one, house),
            )
            for one in lines
        ],
    )
