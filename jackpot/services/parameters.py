"""A jackpot and its parameters; its first epoch."""

from uuid import UUID, uuid4

from jackpot.errors import (
    JackpotNameTaken,
    JackpotNotOpen,
    JackpotPostedMissing,
    JackpotUnknown,
    OfflineUnknown,
    RoundsRunning,
)
from jackpot.models import Epoch, Jackpot, Phase, RunningRound
from jackpot.rules.meter import check_coin
from jackpot.rules.progressive import ProgressiveRules
from jackpot.services.barrier import jackpot_exclude
from payouts.db.constraints import refusing, require_transaction
from payouts.models import PostedTable
from payouts.rules.ledger import recipes
from payouts.rules.plain import check_text
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.selectors import gaming_day_at, posted_for_next_epoch
from payouts.services import AccountKey, accounts_open, event_record, recipe_post

# accounts of a linked table in an epoch
EPOCH_KINDS = ("sub_meter", "reserve_share", "meter_prizes")


def jackpot_create(
    *,
    house_id: UUID,
    name: str,
    progressive: str,
    funding: str,
    rules: str = "",
    offline_linked: str = "stop",
    actor_id: UUID | None = None,
) -> Jackpot:
    """Set a jackpot up and open its first epoch with the seed, which the house puts in (PRG-11).

    `progressive`, `funding`, `rules`: names of posted tables; without `rules` the rules' own
    defaults hold. Raises JackpotNameTaken, JackpotPostedMissing, OfflineUnknown, CoinsDiffer,
    TextRefused.
    """
    require_transaction()
    check_text(name, "name", least=2, most=60)
    _check_offline(offline_linked)
    prizes = _released(house_id, "progressive", progressive)
    cuts = _released(house_id, "funding", funding)
    posted_rules = _released(house_id, "jackpot_rules", rules) if rules else None
    schedule = FundingSchedule.from_data(cuts.data)
    check_coin(ProgressiveRules.from_data(prizes.data), schedule)
    with refusing({"jackpot_name_once": JackpotNameTaken(name=name)}):
        named = {"name": name, "progressive": progressive, "funding": funding, "rules": rules}
        jackpot = Jackpot.objects.create(
            id=uuid4(), house_id=house_id, **named, offline_linked=offline_linked
        )
    epoch = Epoch.objects.create(
        id=uuid4(),
        house_id=house_id,
        jackpot=jackpot,
        number=1,
        progressive=prizes,
        funding=cuts,
        rules=posted_rules,
        seed_minor=schedule.seed_minor,
    )
    jackpot.epoch = epoch
    jackpot.save(update_fields=["epoch"])
    if schedule.seed_minor:
        recipe_post(
            house_id=house_id,
            gaming_day=gaming_day_at(house_id=house_id),
            key=f"epoch:{epoch.pk}:seed",
            kind="seed",
            lines=recipes.seed(schedule.seed_minor),
            owners={"house": house_id, "jackpot": jackpot.pk, "epoch": epoch.pk},
            actor_id=actor_id,
            subject_kind="epoch",
            subject_id=epoch.pk,
        )
    after = _parameters(jackpot) | {"seed_minor": schedule.seed_minor}
    event_record("jackpot.created", jackpot, actor_id=actor_id, after=after)
    return jackpot


def jackpot_parameters_set(
    *, house_id: UUID, jackpot_id: UUID, offline_linked: str, actor_id: UUID | None = None
) -> Jackpot:
    """Say what linked tables do without the server. Refused while a round is locked or the jackpot
    is not open.

    Raises JackpotUnknown, OfflineUnknown, JackpotNotOpen, RoundsRunning.
    """
    require_transaction()
    _check_offline(offline_linked)
    own = Jackpot.objects.filter(pk=jackpot_id, house_id=house_id)
    if not own.exists():  # before its lock: nobody holds up another house's tables
        raise JackpotUnknown
    jackpot_exclude(jackpot_id)
    jackpot = own.get()
    if jackpot.phase != Phase.OPEN:
        raise JackpotNotOpen
    if RunningRound.objects.filter(jackpot=jackpot, ended_at=None).exists():
        raise RoundsRunning
    before = _parameters(jackpot)
    jackpot.offline_linked = offline_linked
    jackpot.save(update_fields=["offline_linked"])
    event_record(
        "jackpot.parameters_set",
        jackpot,
        actor_id=actor_id,
        before=before,
        after=_parameters(jackpot),
    )
    return jackpot


def epoch_accounts_open(*, house_id: UUID, table_id: UUID, epoch_id: UUID) -> None:
    """Open a linked table's accounts of an epoch: its part of the meter and of the reserve."""
    kinds = EPOCH_KINDS
    accounts_open(house_id=house_id, keys=[AccountKey(kind, table_id, epoch_id) for kind in kinds])


def _released(house_id: UUID, kind: str, name: str) -> PostedTable:
    found = posted_for_next_epoch(house_id=house_id, kind=kind, name=name)
    if found is None:
        raise JackpotPostedMissing(kind=kind, name=name)
    return found


def _check_offline(offline_linked: str) -> None:
    if offline_linked not in Jackpot.OFFLINE:
        raise OfflineUnknown(offline=str(offline_linked)[:40])


def _parameters(jackpot: Jackpot) -> dict[str, object]:
    return {
        "name": jackpot.name,
        "progressive": jackpot.progressive,
        "funding": jackpot.funding,
        "rules": jackpot.rules,
        "offline_linked": jackpot.offline_linked,
    }
