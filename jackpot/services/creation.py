"""A jackpot and its first epoch; from the first lock of its house on, two people put the seed
in.
"""

from typing import NamedTuple
from uuid import UUID, uuid4, uuid5

from jackpot.errors import JackpotNameTaken, JackpotNeedsTwo, JackpotPostedMissing
from jackpot.models import Epoch, Jackpot
from jackpot.rules.meter import check_coin
from jackpot.rules.progressive import ProgressiveRules
from jackpot.services.parameters import check_offline, parameters
from payouts.db.constraints import refusing, require_transaction
from payouts.models import Approval, House, PostedTable
from payouts.rules.ledger import recipes
from payouts.rules.plain import Json, check_name
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.selectors import gaming_day_at, posted_for_next_epoch
from payouts.services import approval_request, approval_use, event_record, recipe_post

CREATE = "jackpot.create"
NAMED = ("name", "progressive", "funding", "rules", "offline_linked")  # what one is made of


class _Planned(NamedTuple):
    """A jackpot that is to be: its parameters, the versions that are released, the seed (minor
    units).
    """

    named: dict[str, str]
    progressive: PostedTable
    funding: PostedTable
    rules: PostedTable | None
    seed_minor: int


def jackpot_create(
    *,
    house_id: UUID,
    name: str,
    progressive: str,
    funding: str,
    rules: str = "",
    offline_linked: str = "stop",
    actor_id: UUID | None = None,
    approval_id: UUID | None = None,
) -> Jackpot:
    """Set a jackpot up and open its first epoch with the seed, which the house puts in (PRG-11).

    `progressive`, `funding`, `rules`: names of posted tables; without `rules` the rules' own
    defaults hold. Without an approval only until the house's first lock, which the database decides
    (`casino/sql/seed_v1.sql`). Raises JackpotNeedsTwo, JackpotNameTaken, JackpotPostedMissing,
    OfflineUnknown, CoinsDiffer, TextRefused and what using an approval raises.
    """
    require_transaction()
    planned = _planned(
        house_id=house_id,
        name=name,
        progressive=progressive,
        funding=funding,
        rules=rules,
        offline_linked=offline_linked,
    )
    jackpot_id = uuid4()
    if approval_id is not None:
        jackpot_id = _id_of(house_id, name)
        approval_use(
            approval_id=approval_id,
            house_id=house_id,
            action=CREATE,
            subject_kind="jackpot",
            subject_id=jackpot_id,
            payload=_payload(house_id, planned),
            actor_id=actor_id,
        )
    alone = dict.fromkeys(("jackpot_needs_two", "epoch_needs_two"), JackpotNeedsTwo())
    with refusing({"jackpot_name_once": JackpotNameTaken(name=name), **alone}):
        jackpot = Jackpot.objects.create(id=jackpot_id, house_id=house_id, **planned.named)
        jackpot.epoch = _first_epoch(jackpot, planned)
    jackpot.save(update_fields=["epoch"])
    _seed(jackpot, jackpot.epoch, actor_id)
    after = parameters(jackpot) | {"seed_minor": planned.seed_minor}
    event_record("jackpot.created", jackpot, actor_id=actor_id, after=after)
    return jackpot


def jackpot_create_request(
    *,
    house_id: UUID,
    name: str,
    progressive: str,
    funding: str,
    rules: str = "",
    offline_linked: str = "stop",
    person_id: UUID | None = None,
) -> Approval:
    """Ask for a jackpot, with the seed and the versions that are released now; the last signature
    makes it. A newer request of the name kills the older.

    Raises as `jackpot_create`, and as the request.
    """
    require_transaction()
    planned = _planned(
        house_id=house_id,
        name=name,
        progressive=progressive,
        funding=funding,
        rules=rules,
        offline_linked=offline_linked,
    )
    return approval_request(
        house_id=house_id,
        action=CREATE,
        subject_kind="jackpot",
        subject_id=_id_of(house_id, name),
        payload=_payload(house_id, planned),
        requester_id=person_id,
    )


def _planned(*, house_id: UUID, **named: str) -> _Planned:
    check_name(named["name"], "name", least=2, most=60)
    check_offline(named["offline_linked"])
    prizes = _released(house_id, "progressive", named["progressive"])
    cuts = _released(house_id, "funding", named["funding"])
    schedule = FundingSchedule.from_data(cuts.data)
    check_coin(ProgressiveRules.from_data(prizes.data), schedule)
    if Jackpot.objects.filter(house_id=house_id, name=named["name"]).exists():
        raise JackpotNameTaken(name=named["name"])
    return _Planned(
        named=named,
        progressive=prizes,
        funding=cuts,
        rules=_released(house_id, "jackpot_rules", named["rules"]) if named["rules"] else None,
        seed_minor=schedule.seed_minor,
    )


def _released(house_id: UUID, kind: str, name: str) -> PostedTable:
    posted = posted_for_next_epoch(house_id=house_id, kind=kind, name=name)
    if posted is None:
        raise JackpotPostedMissing(kind=kind, name=name)
    return posted


def _id_of(house_id: UUID, name: str) -> UUID:
    """By house and name, which are one jackpot's for good: an approval is about one that is not
    there yet.
    """
    return uuid5(house_id, name)


def _payload(house_id: UUID, planned: _Planned) -> dict[str, Json]:
    versions = {
        "progressive": planned.progressive,
        "funding": planned.funding,
        "rules": planned.rules,
    }
    return {
        **planned.named,
        "seed_minor": planned.seed_minor,
        "currency": House.objects.get(pk=house_id).currency,
        "posted": {kind: str(row.pk) if row else None for kind, row in versions.items()},
    }


def _first_epoch(jackpot: Jackpot, planned: _Planned) -> Epoch:
    return Epoch.objects.create(
        id=uuid4(),
        house_id=jackpot.house_id,
        jackpot=jackpot,
        number=1,
        progressive=planned.progressive,
        funding=planned.funding,
        rules=planned.rules,
        seed_minor=planned.seed_minor,
    )


def _seed(jackpot: Jackpot, epoch: Epoch, actor_id: UUID | None) -> None:
    if epoch.seed_minor:
        recipe_post(
            house_id=jackpot.house_id,
            gaming_day=gaming_day_at(house_id=jackpot.house_id),
            key=f"epoch:{epoch.pk}:seed",
            kind="seed",
            lines=recipes.seed(epoch.seed_minor),
            owners={"house": jackpot.house_id, "jackpot": jackpot.pk, "epoch": epoch.pk},
            actor_id=actor_id,
            subject_kind="epoch",
            subject_id=epoch.pk,
        )
