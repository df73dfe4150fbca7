"""The split of a hit in revisions, its approval, and the one transaction that pays, closes the
epoch, resets and makes the gate.
"""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID, uuid4

from jackpot.models import Award, Claim, Epoch, EpochEnd, Hit, Jackpot, Phase, Share, Split
from jackpot.rules.meter import Closing, close_epoch
from jackpot.rules.progressive import ProgressiveRules
from jackpot.selectors.jackpots import meter_read
from jackpot.services.award import slip_make
from jackpot.services.gate import gate_make
from jackpot.services.parameters import EPOCH_KINDS
from jackpot.services.prizes import prize_award, prize_payload, prizes_of
from jackpot.services.standing import requests_outdate
from jackpot.services.state import enter
from jackpot.services.verify import claims_refused, dealers_of
from payouts.models import Account, Approval, PostedTable
from payouts.rules.ledger import recipes
from payouts.rules.plain import Json
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.selectors import gaming_day_at, posted_for_next_epoch
from payouts.services import (
    AccountKey,
    Listed,
    accounts_open,
    approval_kill,
    approval_request,
    approval_use,
    event_record,
    listed,
    recipe_post,
)

AWARD = "jackpot.award"


class Plan(NamedTuple):
    """How the meter is split, and the versions that the next epoch begins with: read once, so that
    all goes by the same.
    """

    closing: Closing
    progressive: PostedTable
    funding: PostedTable


def split_now(jackpot: Jackpot, hit: Hit) -> Plan:
    """How the meter would be split among the verified claims as it stands now."""
    claims = Claim.objects.filter(hit=hit, state=Claim.State.VERIFIED).order_by("number")
    epoch = _epoch(jackpot)
    progressive, funding = _next_pair(jackpot, epoch)
    closing = close_epoch(
        ProgressiveRules.from_data(epoch.progressive.data),
        FundingSchedule.from_data(epoch.funding.data),
        [str(claim.pk) for claim in claims],
        sum_minor=meter_read(jackpot_id=jackpot.pk).sum_minor,
        shown_at_claim_minor=hit.shown_minor,
        reserve_minor=_reserve(jackpot),
        next_funding=FundingSchedule.from_data(funding.data),
    )
    return Plan(closing, progressive, funding)


def split_newest(hit: Hit) -> Split | None:
    """The revision that counts."""
    return Split.objects.filter(hit=hit).order_by("-revision").first()


def split_is(split: Split | None, closing: Closing) -> bool:
    """Whether a revision still says what would be split now."""
    if split is None:
        return False
    shares = dict(Share.objects.filter(split=split).values_list("claim_id", "share_minor"))
    return shares == {UUID(claim): share for claim, share in closing.award.shares} and _amounts(
        closing
    ) == {name: getattr(split, name) for name in _amounts(closing)}


def split_make(jackpot: Jackpot, hit: Hit, closing: Closing) -> Split:
    """The next revision, and the system's request to approve it."""
    before = split_newest(hit)
    rules = ProgressiveRules.from_data(_epoch(jackpot).progressive.data)
    split = Split.objects.create(
        house_id=jackpot.house_id,
        hit=hit,
        revision=before.revision + 1 if before else 1,
        unit_minor=rules.payout_unit,
        **_amounts(closing),
    )
    Share.objects.bulk_create(
        Share(house_id=jackpot.house_id, split=split, claim_id=UUID(claim), share_minor=share)
        for claim, share in closing.award.shares
    )
    event_record("split.made", hit, after={"revision": split.revision, **_amounts(closing)})
    return split


def award_request(hit: Hit, split: Split, plan: Plan) -> Approval:
    """Ask for the payment of a revision, in the system's name; who dealt a claiming table, or a
    round whose prize goes with it, may not sign.
    """
    asked = award_payload(hit, split, plan)
    dealt = {person for prize in prizes_of(hit) for person in prize.dealers}
    return approval_request(
        house_id=hit.house_id,
        action=AWARD,
        subject_kind="hit",
        subject_id=hit.pk,
        payload=asked.payload,
        revision=split.revision,
        excluded=dealers_of(hit) | dealt,
        lists=asked.lists,
    )


def award_payload(hit: Hit, split: Split, plan: Plan) -> Listed:
    """What signers sign, with its lists, which know no bound: each share with whose it is and what
    was noted about its claim, the claims that one person refused and why, the prizes; beside them
    where the rest goes, and the next seed.
    """
    rows = Share.objects.filter(split=split).select_related("claim").order_by("claim__number")
    shares: list[Json] = [
        {
            "claim": share.claim.number,
            "table": str(share.claim.table_id),
            "round": str(share.claim.round_id),
            "box": share.claim.box,
            "guest": str(share.claim.guest_id),
            "share_minor": share.share_minor,
            "checklist": share.claim.checklist,
        }
        for share in rows
    ]
    payload: dict[str, Json] = {
        "hit": hit.number,
        "won_minor": split.won_minor,
        "remainder_minor": split.remainder_minor,
        "carried_minor": split.carried_minor,
        "overflow_minor": split.overflow_minor,
        "shortfall_minor": split.shortfall_minor,
        "seed_minor": plan.closing.seed_from_reserve_minor + plan.closing.seed_from_house_minor,
        "next_funding": str(plan.funding.pk),
    }
    prizes: list[Json] = [prize_payload(prize) for prize in prizes_of(hit)]
    return listed(payload, {"shares": shares, "refused": claims_refused(hit), "prizes": prizes})


def _amounts(closing: Closing) -> dict[str, int]:
    paid = sum(share for _, share in closing.award.shares)
    won = closing.won_minor
    return {
        "sum_minor": won + closing.carried_minor + closing.overflow_minor - closing.shortfall_minor,
        "won_minor": won,
        "remainder_minor": won - paid,
        "carried_minor": closing.carried_minor,
        "overflow_minor": closing.overflow_minor,
        "shortfall_minor": closing.shortfall_minor,
    }


def pay(jackpot: Jackpot, hit: Hit, split: Split, plan: Plan, approval: Approval) -> None:
    """One transaction: the approval is used up, awards are written, the epoch ends, the meter is
    reset, the gate is made.
    """
    approval_use(
        approval_id=approval.pk,
        house_id=jackpot.house_id,
        action=AWARD,
        subject_kind="hit",
        subject_id=hit.pk,
        payload=award_payload(hit, split, plan).payload,
        revision=split.revision,
    )
    old = _epoch(jackpot)
    version = meter_read(jackpot_id=jackpot.pk).version
    new = _next_epoch(jackpot, old, split, plan)
    transfer_id = _sweep(jackpot, hit, old, new, split)
    EpochEnd.objects.create(epoch=old, house_id=jackpot.house_id, hit=hit, ended_as="won")
    hit.state = Hit.State.PAID
    hit.save(update_fields=["state"])
    _write_awards(jackpot, hit, split, approval, transfer_id)
    for prize in prizes_of(hit):
        approval_kill(
            house_id=hit.house_id,
            subject_kind="prize",
            subject_id=prize.pk,
            reason="approved with the hit",
        )
        prize_award(prize, approval.pk)
    jackpot.epoch, jackpot.hit, jackpot.version_base = new, None, version + 1
    enter(jackpot, Phase.SHOWING, hit=hit.number, won_minor=split.won_minor, epoch=new.number)
    requests_outdate(jackpot)
    gate_make(jackpot)


def _next_epoch(jackpot: Jackpot, old: Epoch, split: Split, plan: Plan) -> Epoch:
    """The next epoch, under the versions released last; the tables of the old one get their
    accounts in it.
    """
    closing = plan.closing
    new = Epoch.objects.create(
        id=uuid4(),
        house_id=jackpot.house_id,
        jackpot=jackpot,
        number=old.number + 1,
        progressive=plan.progressive,
        funding=plan.funding,
        rules=_next(jackpot, "jackpot_rules", jackpot.rules) if jackpot.rules else None,
        seed_minor=closing.seed_from_reserve_minor + closing.seed_from_house_minor,
        remainder_minor=split.remainder_minor + split.carried_minor,
    )
    tables = Account.objects.filter(house_id=jackpot.house_id, kind="sub_meter", detail_id=old.pk)
    owners = tables.values_list("owner_id", flat=True)
    keys = [AccountKey(kind, table, new.pk) for table in owners for kind in EPOCH_KINDS]
    if keys:
        accounts_open(house_id=jackpot.house_id, keys=keys)
    return new


def _sweep(jackpot: Jackpot, hit: Hit, old: Epoch, new: Epoch, split: Split) -> int:
    """Everything that the old epoch held goes to the winners, the next meter and the reserve, in
    one transfer.
    """
    held = Account.objects.filter(house_id=jackpot.house_id, detail_id=old.pk).values_list(
        "kind", "owner_id", "balance_minor"
    )
    by_kind: dict[str, dict[str, int]] = {kind: {} for kind in (*EPOCH_KINDS, "meter_base")}
    for kind, owner, balance in held:
        by_kind[kind][str(owner)] = -balance
    shares = (
        Share.objects.filter(split=split)
        .order_by("claim__number")
        .values_list("share_minor", flat=True)
    )
    lines = recipes.award(
        sub_meters=by_kind["sub_meter"],
        reserve_shares=by_kind["reserve_share"],
        base=sum(by_kind["meter_base"].values()),
        reserve=_own_reserve(jackpot),
        shares=[share for share in shares if share],
        remainder=split.remainder_minor + split.carried_minor,
        overflow=split.overflow_minor,
        seed=new.seed_minor,
        shortfall=split.shortfall_minor,
        prizes={table: -paid for table, paid in by_kind["meter_prizes"].items()},
    )
    tables = {table: UUID(table) for kind in EPOCH_KINDS for table in by_kind[kind]}
    return recipe_post(
        house_id=jackpot.house_id,
        gaming_day=gaming_day_at(house_id=jackpot.house_id),
        key=f"hit:{hit.pk}:award",
        kind="award",
        lines=lines,
        owners=tables
        | {
            "house": jackpot.house_id,
            "jackpot": jackpot.pk,
            "epoch": new.pk,
            "old": old.pk,
        },
        subject_kind="hit",
        subject_id=hit.pk,
    )


def _write_awards(
    jackpot: Jackpot, hit: Hit, split: Split, approval: Approval, transfer_id: int
) -> None:
    for share in (
        Share.objects.filter(split=split, share_minor__gt=0)
        .select_related("claim")
        .order_by("claim__number")
    ):
        claim = share.claim
        if claim.box is None or claim.guest_id is None:
            raise RuntimeError("a verified claim without a box")
        award = Award.objects.create(
            id=uuid4(),
            house_id=jackpot.house_id,
            jackpot=jackpot,
            hit=hit,
            claim=claim,
            kind="share",
            amount_minor=share.share_minor,
            round_id=claim.round_id,
            table_id=claim.table_id,
            box=claim.box,
            guest_id=claim.guest_id,
            approval_id=approval.pk,
            transfer_id=transfer_id,
        )
        slip_make(award)


def _epoch(jackpot: Jackpot) -> Epoch:
    if jackpot.epoch is None:
        raise RuntimeError("a jackpot without an epoch")
    return jackpot.epoch


def _next_pair(jackpot: Jackpot, epoch: Epoch) -> tuple[PostedTable, PostedTable]:
    """Prizes and funding of the next epoch: those released last if they speak of one coin, else the
    present pair (PRG-11).
    """
    prizes = _next(jackpot, "progressive", jackpot.progressive) or epoch.progressive
    funding = _next(jackpot, "funding", jackpot.funding) or epoch.funding
    same = prizes.data["coin_minor"] == funding.data["coin_minor"]
    return (prizes, funding) if same else (epoch.progressive, epoch.funding)


def _next(jackpot: Jackpot, kind: str, name: str) -> PostedTable | None:
    return posted_for_next_epoch(house_id=jackpot.house_id, kind=kind, name=name)


def _own_reserve(jackpot: Jackpot) -> int:
    balance = Account.objects.filter(house_id=jackpot.house_id, kind="reserve", owner_id=jackpot.pk)
    return -(balance.values_list("balance_minor", flat=True).first() or 0)


def _reserve(jackpot: Jackpot) -> int:
    """What the next seed can come from: the reserve, and what the tables' coins brought to it in
    this epoch.
    """
    shares = Account.objects.filter(
        house_id=jackpot.house_id, kind="reserve_share", detail_id=jackpot.epoch_id
    )
    return _own_reserve(jackpot) - sum(shares.values_list("balance_minor", flat=True))


__all__: Sequence[str] = (
    "award_payload",
    "award_request",
    "pay",
    "split_is",
    "split_make",
    "split_newest",
    "split_now",
)
