"""A locked round that does not come to its end: withdrawn, reopened or voided; everything that it
posted is reversed.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from jackpot.errors import CallNotRunning, JackpotNotOpen, RoundClaims
from jackpot.hints import hint
from jackpot.models import Contribution, Jackpot, ListedRound, RunningRound
from jackpot.models.states import RUNNING, Phase
from jackpot.services import (
    claims_live,
    claims_set,
    hit_call,
    jackpot_exclude,
    jackpot_share,
    prizes_void,
)
from payouts.commands import start_again
from payouts.db.constraints import require_transaction
from payouts.errors import mark
from payouts.models import Approval, Transfer
from payouts.rules.plain import Json, check_text
from payouts.services import Subject, approval_request, approval_use, event_record, transfer_reverse
from tables.errors import (
    CardsOut,
    CroupierWrong,
    ReopenLate,
    RoundStands,
    RoundState,
    RoundTaken,
    RoundUnknown,
    TableUnknown,
    WithdrawLate,
)
from tables.models import CardFeed, ReviewItem, Round, RoundStake, Table, TableSession
from tables.selectors.rounds import round_answer, round_record
from tables.services.parts import one, rules_of, took_part
from tables.services.review.entries import entries_follow
from tables.services.rounds.against_feed import at_stake, check_void, void_record

_TOMBSTONE = (
    "INSERT INTO tables_round (id, house_id, table_id, state, entry_level, revision, queued,"
    " ended_by_id, reason) VALUES (%s, %s, %s, 'withdrawn', '', 0, false, %s, '') ON CONFLICT (id)"
    " DO NOTHING RETURNING id"
)
VOID_CLAIMED = "round.void_claimed"
LISTED = mark("the jackpot was claimed while it ran")
ENTERED = mark("a result of it has come in")
# the reason of a round whose lock had come when it was withdrawn: the pit is alerted of it
WITHDREW = "withdrawn"
_AGE = (
    "SELECT (extract(epoch FROM clock_timestamp() - locked_at) * 1000)::bigint FROM tables_round"
    " WHERE id = %s"
)


def round_withdraw(
    *,
    house_id: UUID,
    table_id: UUID,
    round_id: UUID,
    person_id: UUID,
    supervisor: bool = False,
    follow: str = "",
) -> dict[str, Any]:
    """Take a lock back whose answer never came: a lock that comes later is refused, one that did
    come is voided.

    A lock that came is voided only as long as its answer may be on the way, `withdraw_s` of the
    floor rules (BOX-5), and the pit is alerted of it; later the pit voids the round, and says why.
    Withdrawn twice is withdrawn once. `supervisor`: the pit acts for the croupier. `follow`: why
    the pit takes a withdrawal that is to be clarified, however late.

    Raises TableUnknown, CroupierWrong, RoundTaken, RoundState (it is settled), RoundClaims,
    CardsOut, RoundStands, WithdrawLate.
    """
    require_transaction()
    table = Table.objects.filter(pk=table_id, house_id=house_id).first()
    if table is None:
        raise TableUnknown
    if table.jackpot_id is not None:
        jackpot_share(table.jackpot_id)
    if not supervisor:
        _check_on_duty(table, person_id)
    if one(_TOMBSTONE, [round_id, house_id, table_id, person_id]) is not None:
        event_record(
            "round.withdrawn", Subject("round", round_id), house_id=house_id, actor_id=person_id
        )
        return round_answer(house_id=house_id, round_id=round_id)
    there = _locked(house_id, round_id)
    if there.table_id != table_id:
        raise RoundTaken
    if there.state == Round.State.LOCKED:
        if (
            there.jackpot_id != table.jackpot_id
        ):  # linked elsewhere and locked there, before we had the lock of its jackpot
            start_again()
        _check_undealt(there, clarified=bool(follow))
        _end(there, Round.State.VOIDED, person_id, reason=WITHDREW, follow=follow)
        event_record(
            "round.voided",
            Subject("round", round_id),
            house_id=house_id,
            actor_id=person_id,
            reason=WITHDREW,
        )
    elif there.state == Round.State.SETTLED:
        raise RoundState(state=there.state)
    return round_answer(house_id=house_id, round_id=round_id)


def round_bury(*, house_id: UUID, table_id: UUID, round_id: UUID, person_id: UUID) -> None:
    """Leave a tombstone where no round is: whatever comes under this id from now on is refused."""
    if one(_TOMBSTONE, [round_id, house_id, table_id, person_id]) is not None:
        event_record(
            "round.withdrawn", Subject("round", round_id), house_id=house_id, actor_id=person_id
        )


def round_reopen(
    *, house_id: UUID, round_id: UUID, person_id: UUID, supervisor: bool = False
) -> dict[str, Any]:
    """Take a lock back within the seconds that the house allows: no card is out yet (BOX-5).

    Only while the jackpot is open. Raises RoundUnknown, RoundState, RoundClaims, CroupierWrong,
    ReopenLate, CardsOut, JackpotNotOpen.
    """
    require_transaction()
    there = _begun(house_id, round_id, person_id, supervisor=supervisor)
    seconds = rules_of(there.versions or {}).floor.reopen_s
    if _age_ms(round_id) > seconds * 1000:
        raise ReopenLate(seconds=seconds)
    _check_no_cards(round_id)
    if (
        there.jackpot_id is not None
        and Jackpot.objects.get(pk=there.jackpot_id).phase != Phase.OPEN
    ):
        raise JackpotNotOpen
    _end(there, Round.State.REOPENED, person_id, reason="")
    event_record(
        "round.reopened", Subject("round", round_id), house_id=house_id, actor_id=person_id
    )
    return round_answer(house_id=house_id, round_id=round_id)


def round_void(
    *, house_id: UUID, round_id: UUID, person_id: UUID, reason: str, approval_id: UUID | None = None
) -> dict[str, Any]:
    """Void a locked round (misdeal): all stakes and coins go back. For the pit, with a reason; one
    that claims, or whose cards a feed has read where much lies there, by an approval.

    Raises RoundUnknown, RoundState, RoundClaims, TextRefused, FeedBarsVoid, VoidByDealer,
    VoidNeedsSecond, and what using an approval raises.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    there = _begun(
        house_id, round_id, person_id, supervisor=True, exclusive=approval_id is not None
    )
    record = round_record(house_id=house_id, round_id=round_id)
    if approval_id is None:
        check_void(record, person_id, reason)
    else:
        approval_use(
            approval_id=approval_id,
            house_id=house_id,
            action=VOID_CLAIMED,
            subject_kind="round",
            subject_id=round_id,
            payload=_void_payload(there, record, reason),
            actor_id=person_id,
        )
        _drop_claims(there, person_id, reason)
    _end(there, Round.State.VOIDED, person_id, reason=reason)
    event_record(
        "round.voided",
        Subject("round", round_id),
        house_id=house_id,
        actor_id=person_id,
        reason=reason,
    )
    void_record(record, person_id, reason)
    return round_answer(house_id=house_id, round_id=round_id)


def round_void_request(*, house_id: UUID, round_id: UUID, person_id: UUID, reason: str) -> Approval:
    """Ask to void a round that claims the jackpot, or whose cards a feed has read; who dealt or
    called it may not sign.

    Raises RoundUnknown, RoundState, TextRefused.
    """
    require_transaction()
    check_text(reason, "reason", least=3, most=500)
    there = _begun(house_id, round_id, person_id, supervisor=True, exclusive=True)
    record = round_record(house_id=house_id, round_id=round_id)
    return approval_request(
        house_id=house_id,
        action=VOID_CLAIMED,
        subject_kind="round",
        subject_id=round_id,
        payload=_void_payload(there, record, reason),
        requester_id=person_id,
        excluded=took_part(record),
    )


def round_call(
    *, house_id: UUID, round_id: UUID, person_id: UUID, supervisor: bool = False
) -> dict[str, Any]:
    """The *Royal!* call for a locked round: all linked tables freeze now; the settlement says which
    box (PRG-3, PRG-9).

    Raises RoundUnknown, RoundState, CroupierWrong, CallNotRunning, CallWithoutCoin, SecondCall.
    """
    require_transaction()
    there = _begun(house_id, round_id, person_id, supervisor=supervisor, exclusive=True)
    if there.jackpot_id is None:
        raise CallNotRunning
    dealers = took_part(round_record(house_id=house_id, round_id=round_id))
    hit_call(
        house_id=house_id,
        jackpot_id=there.jackpot_id,
        round_id=round_id,
        person_id=person_id,
        dealers=dealers,
    )
    event_record("round.called", Subject("round", round_id), house_id=house_id, actor_id=person_id)
    return round_answer(house_id=house_id, round_id=round_id)


def _begun(
    house_id: UUID, round_id: UUID, person_id: UUID, *, supervisor: bool, exclusive: bool = False
) -> Round:
    """A locked round, its row held, under its jackpot's lock. Shared, the round must not claim:
    raises RoundClaims.
    """
    jackpot = Round.objects.filter(pk=round_id, house_id=house_id).values_list(
        "jackpot_id", flat=True
    )
    found = list(jackpot)
    if not found:
        raise RoundUnknown
    if found[0] is not None:
        (jackpot_exclude if exclusive else jackpot_share)(found[0])
    there = _locked(house_id, round_id)
    if there.state != Round.State.LOCKED:
        raise RoundState(state=there.state)
    if not exclusive and claims_live(round_id).exists():
        raise RoundClaims
    if not supervisor:
        _check_on_duty(there.table, person_id)
    return there


def _age_ms(round_id: UUID) -> int:
    """How far from now a round was locked, by the database's clock; one that was set back makes
    nothing last longer.
    """
    age = one(_AGE, [round_id])
    if age is None:
        raise RoundUnknown
    return abs(int(age[0]))


def _check_undealt(there: Round, *, clarified: bool) -> None:
    """Raise RoundClaims, CardsOut, RoundStands or WithdrawLate where a lock is no longer one whose
    answer is on the way.
    """
    if claims_live(there.pk).exists():
        raise RoundClaims
    _check_no_cards(there.pk)
    if ListedRound.objects.filter(round_id=there.pk, hit__state__in=RUNNING).exists():
        raise RoundStands(why=LISTED)
    if ReviewItem.objects.filter(
        round_id=there.pk, table_id=there.table_id, kind__in=("settle", "queued")
    ).exists():
        raise RoundStands(why=ENTERED)
    seconds = rules_of(there.versions or {}).floor.withdraw_s
    if not clarified and _age_ms(there.pk) > seconds * 1000:
        raise WithdrawLate(seconds=seconds)


def _check_no_cards(round_id: UUID) -> None:
    """Raise CardsOut when a shoe or shuffler has read cards of the round, or a stake came after its
    lock: then they are dealt, whatever the clock says.
    """
    fed = CardFeed.objects.filter(round_id=round_id).values("round_id")
    later = RoundStake.objects.filter(round_id=round_id, placed__gt=0).values("round_id")
    if fed.union(later).exists():
        raise CardsOut


def _check_on_duty(table: Table, person_id: UUID) -> None:
    duty = (
        TableSession.objects.filter(table_id=table.pk, closed_at=None)
        .values_list("croupier_id", flat=True)
        .first()
    )
    if duty != person_id:
        raise CroupierWrong


def _locked(house_id: UUID, round_id: UUID) -> Round:
    there = (
        Round.objects.select_for_update(of=("self",)).filter(pk=round_id, house_id=house_id).first()
    )
    if there is None:
        raise RoundUnknown if not Round.objects.filter(pk=round_id).exists() else RoundTaken
    return there


def _heard(there: Round) -> None:
    if there.jackpot_id is not None:  # a hit may have waited for this round
        hint(there.jackpot_id)


def _void_payload(there: Round, record: Mapping[str, Any], reason: str) -> dict[str, Json]:
    """What is signed about voiding a round: what lies there, the cards that were read, and the
    claim that goes with it. What comes later of each is looked at anew.
    """
    claim = claims_live(there.pk).select_related("hit").first()
    return {
        "table": str(there.table_id),
        "round": str(there.pk),
        "hit": claim.hit.number if claim else None,
        "claim": claim.number if claim else None,
        "feed": record["feed_id"],
        "stakes_minor": at_stake(record),
        "reason": reason,
    }


def _drop_claims(there: Round, person_id: UUID, reason: str) -> None:
    if there.jackpot_id is None or there.epoch_id is None:
        return
    claims_set(
        jackpot_id=there.jackpot_id,
        epoch_id=there.epoch_id,
        round_id=there.pk,
        table_id=there.table_id,
        winners=[],
        dealers=[],
        origin="settled",
        person_id=person_id,
        reason=reason,
    )


def _end(there: Round, state: str, person_id: UUID, *, reason: str, follow: str = "") -> None:
    """End a locked round without a result: coins go back, and all that was posted is reversed, on
    the round's own gaming day.
    """
    house_id, why = there.house_id, reason or state
    there.state, there.ended_by_id, there.reason, there.ended_at = state, person_id, reason, Now()
    there.save(update_fields=["state", "ended_by", "reason", "ended_at"])
    if RunningRound.objects.filter(round_id=there.pk, ended_at=None).update(
        ended_at=Now(), ended_as=state
    ):
        _heard(there)
    for fed in Contribution.objects.filter(round_id=there.pk, reverses=None):
        contribution_reverse(fed)
    day = TableSession.objects.values_list("gaming_day", flat=True).get(rounds=there.pk)
    of_round = {"house_id": house_id, "subject_id": there.pk, "subject_kind": "round"}
    # of the lock and of what came after it, unless it was taken back
    posted = Transfer.objects.filter(**of_round, kind="lock", reverses=None, reversals=None)
    for transfer_id in posted.order_by("-pk").values_list("pk", flat=True):
        transfer_reverse(
            house_id=house_id,
            transfer_id=transfer_id,
            gaming_day=day,
            reason=why,
            actor_id=person_id,
        )
    progressive = rules_of(there.versions or {}).progressive
    if progressive is not None and progressive.envy_of_link:
        prizes_void(round_id=there.pk, actor_id=person_id, reason=why)
    entries_follow(house_id=house_id, round_id=there.pk, actor_id=person_id, reason=follow or why)


def contribution_reverse(fed: Contribution) -> Contribution:
    """Take back what a round fed into its epoch."""
    return Contribution.objects.create(
        house_id=fed.house_id,
        epoch_id=fed.epoch_id,
        table_id=fed.table_id,
        round_id=fed.round_id,
        coins=-fed.coins,
        meter_minor=-fed.meter_minor,
        reserve_minor=-fed.reserve_minor,
        house_minor=-fed.house_minor,
        reverses=fed,
    )
