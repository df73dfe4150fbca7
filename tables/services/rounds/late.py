"""A royal flush overlooked until its epoch was closed: asked for here, where the result is known;
paid by the house.
"""

from uuid import UUID

from jackpot.errors import AwardExists, LateAwardTooMuch, NotALateRoyal
from jackpot.models import EpochEnd, Hit, ListedRound
from jackpot.services import LATE, boxes_awarded, jackpot_exclude, late_most, late_payload
from payouts.db.constraints import require_transaction
from payouts.models import Approval
from payouts.rules.ledger.postings import whole_amount
from payouts.services import approval_request
from tables.errors import RoundState
from tables.models import Round, RoundResult
from tables.selectors.rounds import round_record
from tables.services.parts import took_part
from tables.services.rounds.evaluate import end_again


def late_award_request(
    *, house_id: UUID, round_id: UUID, box: int, amount_minor: int, reason: str, person_id: UUID
) -> Approval:
    """Ask for what a box should have won, after its round was corrected and its meter paid to
    others; who took part in it may not sign.

    Raises RoundUnknown, RoundState, NotALateRoyal, AwardExists, LateAwardTooMuch, AmountRefused,
    TextRefused.
    """
    require_transaction()
    record = round_record(house_id=house_id, round_id=round_id)
    if record["state"] != Round.State.SETTLED:
        raise RoundState(state=record["state"])
    if (
        not record["jackpot_id"]
        or not EpochEnd.objects.filter(epoch_id=record["epoch_id"]).exists()
    ):
        raise NotALateRoyal(box=box)
    jackpot_id = UUID(record["jackpot_id"])
    jackpot_exclude(jackpot_id)
    newest = (
        RoundResult.objects.filter(round_id=round_id)
        .order_by("-revision")
        .values_list("result", flat=True)[0]
    )
    if box not in end_again(record, newest).claims:
        raise NotALateRoyal(box=box)
    awarded = boxes_awarded(round_id)
    # one box of a round wins: another one's award is wrong and comes first
    if box in awarded.once or awarded.standing:
        raise AwardExists
    if whole_amount(amount_minor) > (most := late_most(round_id)):
        raise LateAwardTooMuch(most_minor=most)
    guest = next(
        row["guest"] for row in record["stakes"] if (row["box"], row["kind"]) == (box, "coin")
    )
    paid = ListedRound.objects.filter(round_id=round_id, hit__state=Hit.State.PAID)
    listed = paid.values_list("hit_id", flat=True).first()
    table_id, guest_id = UUID(record["table_id"]), UUID(guest)
    return approval_request(
        house_id=house_id,
        action=LATE,
        subject_kind="round",
        subject_id=round_id,
        payload=late_payload(
            jackpot_id, listed, round_id, table_id, box, guest_id, amount_minor, reason
        ),
        requester_id=person_id,
        excluded=took_part(record),
    )
