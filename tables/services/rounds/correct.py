"""A settled round was entered wrong: its settlement is reversed and a new one written, never
changed.

For a few seconds the croupier puts it right alone; later, or when much was paid, the pit looks and
signs (`round.correct`).
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from jackpot.models import Jackpot, Phase
from jackpot.services import (
    LATE,
    boxes_awarded,
    claims_live,
    epoch_ended,
    owes_elsewhere,
    prize_take_over,
    prizes_drop,
)
from payouts.db.constraints import require_transaction
from payouts.errors import mark
from payouts.models import Approval, Transfer
from payouts.rules.plain import check_data, check_text
from payouts.services import (
    Subject,
    approval_kill,
    approval_request,
    event_record,
    transfer_reverse,
)
from tables.errors import ApprovalNeeded, CorrectionWaits, RoundChanged, RoundState
from tables.games import Ended
from tables.models import Override, Round, TableSession
from tables.selectors.rounds import CORRECTION, OVERRIDE, corrections_wait, round_record
from tables.services.counts.back import Came, count_follow
from tables.services.later.place import doubt_away, doubt_left
from tables.services.later.placements import guests_deciding, number_named, read_placements
from tables.services.later.staked import placed_of, stakes_of
from tables.services.parts import dealt_by, rules_of
from tables.services.rounds.against_feed import against_record
from tables.services.rounds.approved import payload_of, result_approved
from tables.services.rounds.evaluate import Prepared, evaluate_anew
from tables.services.rounds.hours import is_over
from tables.services.rounds.moves import moves_much, stakes_differ
from tables.services.rounds.much_won import office_refusal
from tables.services.rounds.prizes import envy_goes_out, house_bears, keep_waiting
from tables.services.rounds.settle import claims_follow, hold_jackpot, write_result

ACTION = CORRECTION
TOO_LATE = mark("too much time has passed")
PLAYED_ON = mark("the next round was locked")
MUCH_PAID = mark(
    "a box wins the house's threshold or more, or in the round so much more or less is paid or"
    " staked than by the first result or the last"
)
NOT_DEALER = mark("another person settled the round")
OVERRULED = mark("a guest was paid against the rules for it already")
AGAINST_FEED = mark("the feed contradicts it")
CARDS_READ = mark("a feed has read the cards, and stakes after the lock are changed")
DAY_OVER = mark("the gaming day of the round has closed")
JACKPOT_BUSY = mark("the jackpot is not open")


def round_correct(
    *,
    prepared: Prepared,
    person_id: UUID,
    reason: str,
    approval_id: UUID | None = None,
) -> dict[str, Any]:
    """Put the result of a settled round right, and with `placed` its stakes after the lock;
    `prepared` by `round_evaluate(state="settled")`.

    Raises RoundState, RoundChanged (somebody else corrected it), ApprovalNeeded, TextRefused,
    ApprovalRefused, NotListed (the royal flush fell before the hit at hand), JackpotPhase.
    """
    require_transaction()
    if prepared.is_old:
        evaluate_anew(prepared)
    record, ended = prepared.record, prepared.ended
    check_text(reason, "reason", least=3, most=500)
    if ended is None:
        raise RoundState(state=record["state"])
    house_id, round_id = UUID(record["house_id"]), UUID(record["id"])
    held = round_hold(prepared)
    paid_out = epoch_ended(held.epoch_id)
    if approval_id is None:
        _check_alone(round_record(house_id=house_id, round_id=round_id), prepared, person_id)
    else:
        result_approved(prepared, approval_id, person_id, reason)
    if paid_out:
        ended = prepared.ended = house_bears(ended)
    _outdate_requests(held)
    prizes_drop(round_id=round_id, revision=record["revision"], actor_id=person_id)
    _reverse(prepared, held, person_id, reason, paid_out=paid_out)
    was, exclusive = Round.State.SETTLED, prepared.exclusive
    answer = write_result(
        prepared,
        was=was,
        person_id=person_id,
        exclusive=exclusive,
        approval_id=approval_id,
        reason=reason,
    )
    if exclusive and not paid_out:
        claims_follow(record, ended, origin="corrected", person_id=person_id, reason=reason)
    elif paid_out:
        _too_late(record, ended, person_id, reason)
    keep_waiting(record, ended, person_id)
    count_follow(UUID(record["session_id"]), Came("round", round_id), actor_id=person_id)
    _record_act(prepared, ended, person_id, reason)
    if prepared.changed:
        _doubt_decisions(prepared, person_id)
    if prepared.against:
        revision = answer["revision"]
        against_record(record, prepared.against, person_id, reason, revision=revision)
    return answer


def _doubt_decisions(prepared: Prepared, person_id: UUID) -> None:
    """Keep what is doubtful about stakes that a correction adds: an owner who is said to be away,
    or has left since, in whose place another guest decides.
    """
    record = prepared.record
    for placement in _entered(prepared):
        doubt_away(record, placement, person_id)
    added = [row for row in prepared.changed if row["takes_back"] is None]
    decide = guests_deciding(record, prepared.placed) if added else set()
    lies = stakes_of(record)[1]
    for row in added:
        placed = placed_of(row)
        if placed.stake.guest in decide:
            doubt_left(record, placed, lies, person_id, number=row["placed"])
        lies.append(placed)


def round_hold(prepared: Prepared) -> Round:
    """Hold a round under its jackpot's lock, to be corrected; who signs as well does so
    before they sign.

    Raises RoundChanged (it is not as it was when the result was worked out).
    """
    require_transaction()
    record = prepared.record
    round_id = UUID(record["id"])
    owes = envy_goes_out(record) and owes_elsewhere(round_id)
    prepared.claims = prepared.claims or owes or claims_live(round_id).exists()
    hold_jackpot(prepared)
    held = Round.objects.select_for_update(of=("self",)).get(pk=UUID(record["id"]))
    if (held.state, held.revision) != (record["state"], record["revision"]):
        raise RoundChanged
    return held


def round_correction_request(*, prepared: Prepared, person_id: UUID, reason: str) -> Approval:
    """Ask the pit to look at a correction and sign it, or at a first result that the feed
    contradicts or that wins much; who dealt the round may not.

    Raises RoundState, RoundChanged, CorrectionWaits (somebody's request of this revision is open),
    TextRefused, ApprovalRuleMissing.
    """
    require_transaction()
    record, ended = prepared.record, prepared.ended
    check_text(reason, "reason", least=3, most=500)
    is_first = record["state"] == Round.State.LOCKED
    if ended is None or (is_first and not (prepared.against or office_refusal(record, ended))):
        raise RoundState(state=record["state"])
    _check_none_waits(round_hold(prepared))
    dealt = dealt_by(record) | (set() if is_first else {UUID(record["ended_by_id"])})
    return approval_request(
        house_id=UUID(record["house_id"]),
        action=ACTION,
        subject_kind="round",
        subject_id=record["id"],
        payload=payload_of(prepared, reason),
        revision=record["revision"],
        requester_id=person_id,
        excluded=dealt,
    )


def _too_late(record: Mapping[str, Any], ended: Ended, person_id: UUID, reason: str) -> None:
    """The meter was paid since: a royal flush that was overlooked, and an award whose box has none,
    are kept on record.
    """
    awarded, claims = boxes_awarded(UUID(record["id"])), set(ended.claims)
    found = {
        "jackpot.royal_overlooked": sorted(claims - awarded.once),
        "jackpot.award_doubted": sorted(awarded.standing - claims),
    }
    for name, boxes in found.items():
        if boxes:
            event_record(
                name,
                Subject("round", record["id"]),
                house_id=UUID(record["house_id"]),
                actor_id=person_id,
                after={"boxes": boxes},
                reason=reason,
            )


def _check_none_waits(held: Round) -> None:
    """Raise CorrectionWaits where asking once more would end a colleague's request unseen; one
    about lines gone by is dead.
    """
    if corrections_wait([held.pk]):
        raise CorrectionWaits


def _outdate_requests(held: Round) -> None:
    """A late award or an override that is asked for was about the result that goes now: asked for
    anew, it is looked at by the new one.
    """
    asked = Approval.objects.filter(
        house_id=held.house_id,
        action__in=(LATE, OVERRIDE),
        subject_kind="round",
        subject_id=str(held.pk),
    )
    if asked.filter(state=Approval.State.OPEN).exists():
        approval_kill(
            house_id=held.house_id,
            subject_kind="round",
            subject_id=held.pk,
            reason="the result was corrected",
        )


def _entered(prepared: Prepared) -> list[object]:
    """What was entered of stakes after the lock, without those that are named by their number."""
    listed = read_placements(prepared.placed)
    return [placement for placement in listed if number_named(placement) is None]


def _record_act(prepared: Prepared, ended: Ended, person_id: UUID, reason: str) -> None:
    """The new result, and of each stake that was put right what the act of placing one has."""
    record, names = prepared.record, ("placed", "takes_back", "box", "guest", "source", "kind")
    moved = [
        {name: row[name] for name in names} | {"amount_minor": row["offered_minor"]}
        for row in prepared.changed
    ]
    after = {"revision": record["revision"] + 1, "result": ended.result}
    if moved:  # what was entered of those that came
        after["entered"] = check_data(_entered(prepared), "placed")
    event_record(
        "round.corrected",
        Subject("round", record["id"]),
        house_id=UUID(record["house_id"]),
        actor_id=person_id,
        before={"revision": record["revision"]},
        after=after | ({"stakes": moved} if moved else {}),
        reason=reason,
    )


def _check_alone(record: Mapping[str, Any], prepared: Prepared, person_id: UUID) -> None:
    """Raise ApprovalNeeded unless the croupier may still put it right by themselves."""
    floor = rules_of(record["versions"]).floor
    if prepared.against:
        raise ApprovalNeeded(why=AGAINST_FEED)
    if record["feed"] is not None and (prepared.changed or stakes_differ(record, prepared)):
        raise ApprovalNeeded(why=CARDS_READ)  # when they came, the cards were read
    if record["ended_by_id"] != str(person_id) or record["duty"] != str(person_id):
        raise ApprovalNeeded(why=NOT_DEALER)
    if abs(record["settled_ms"]) > floor.undo_s * 1000:  # also of a clock that was set back since
        raise ApprovalNeeded(why=TOO_LATE)
    if is_over(record):
        raise ApprovalNeeded(why=DAY_OVER)
    if record["later"]:
        raise ApprovalNeeded(why=PLAYED_ON)
    if record["jackpot_id"] and Jackpot.objects.get(pk=record["jackpot_id"]).phase != Phase.OPEN:
        raise ApprovalNeeded(why=JACKPOT_BUSY)
    if Override.objects.filter(round_id=record["id"]).exists():  # or they were paid for it twice
        raise ApprovalNeeded(why=OVERRULED)
    if moves_much(record, prepared, floor.approval_from_minor):
        raise ApprovalNeeded(why=MUCH_PAID)


def _reverse(
    prepared: Prepared, held: Round, person_id: UUID, reason: str, *, paid_out: bool
) -> None:
    """The settlement, and each stake that did not lie there; on the round's own gaming day, as the
    new result is: a day's result is that of its rounds, whenever one is put right.
    """
    back = [row["takes_back"] for row in prepared.changed if row["takes_back"]]
    keys = [f"settle:{held.revision}", *(f"place:{number}" for number in back)]
    posted = Transfer.objects.filter(
        house_id=held.house_id, key__in=[f"round:{held.pk}:{key}" for key in keys]
    )
    day = TableSession.objects.values_list("gaming_day", flat=True).get(rounds=held.pk)
    for transfer in posted.order_by("-pk"):
        if paid_out and transfer.kind == "settle":
            prize_take_over(transfer, reason=reason, actor_id=person_id)
        transfer_reverse(
            house_id=held.house_id,
            transfer_id=transfer.pk,
            gaming_day=day,
            reason=reason,
            actor_id=person_id,
        )
