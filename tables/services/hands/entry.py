"""What is entered of a hand whose pots are not, and how it is written (RAK-1, RAK-3)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn
from uuid import UUID

from payouts.rules.ledger.recipes import hand_raked
from payouts.services import recipe_post
from tables.errors import DealtGone, StayGone, TooFew, VariantWrong
from tables.games.poker.raking import Fee, Pot, fee_of
from tables.models import Hand, HandResult, PokerStay
from tables.services.seats.parts import PokerTable

PLAYERS_LEAST = 2


class PlayedHand(NamedTuple):
    """Stays of those who were dealt in, what is known of the pot, and the variant: "" where one is
    posted alone.
    """

    dealt: Sequence[UUID]
    pot: Pot
    variant: str = ""


def entry_of(values: Mapping[str, Any]) -> PlayedHand:
    """What a command gives by its names."""
    names = ("rake_minor", "pot_minor", "flop", "walk")
    pot = Pot(**{name: values[name] for name in names})
    return PlayedHand(values["dealt"], pot, values["variant"] or "")


class Author(NamedTuple):
    """Who entered a result, by which approval and why."""

    person_id: UUID
    approval_id: UUID | None = None
    reason: str = ""


def variant_of(at: PokerTable, entry: PlayedHand) -> str:
    """The code of what was dealt. Raises VariantWrong."""
    variants = at.posted.game.variants
    if not entry.variant and len(variants) == 1:
        return variants[0]
    if entry.variant not in variants:
        raise VariantWrong(variant=str(entry.variant)[:20])
    return entry.variant


def check_dealt(at: PokerTable, entry: PlayedHand, *, seated: bool) -> list[UUID]:
    """The stays that were dealt in, by seat. `seated`: they sit there still. Raises TooFew,
    DealtGone, StayGone.
    """
    dealt = {*entry.dealt}
    if len(dealt) < PLAYERS_LEAST:
        raise TooFew(players=len(dealt))
    stays = PokerStay.objects.filter(pk__in=dealt, guest__session=at.session)
    if seated:
        stays = stays.filter(left_at=None)
    rows = list(stays.order_by("guest__box", "guest__number").values_list("pk", flat=True))
    if len(rows) != len(dealt):
        _refuse_gone(at, dealt - {*rows})
    return rows


def _refuse_gone(at: PokerTable, missing: set[UUID]) -> NoReturn:
    """Name the guest by number and seat where they sat there. Raises DealtGone, StayGone."""
    stays = PokerStay.objects.filter(pk__in=missing, guest__session__table=at.table)
    left = stays.order_by("guest__number").values_list("guest__number", "guest__box").first()
    if left is None:
        raise StayGone
    number, seat = left
    raise DealtGone(number=number, seat=seat)


def hand_fee(at: PokerTable, entry: PlayedHand) -> Fee:
    """As `fee_of`, by what is posted at the table."""
    posted = at.posted
    players = len({*entry.dealt})
    return fee_of(posted.game, posted.house, posted.rake, entry.pot, players=players)


def result_write(
    at: PokerTable,
    hand: Hand,
    *,
    dealt: list[UUID],
    pot: Pot,
    fee: Fee,
    author: Author,
    source: str = "in_play",
) -> HandResult:
    """Post the fee of a hand's revision, and record it. `source`: `circulation` where all have
    left, so that chips in pockets have paid it.
    """
    transfer_id = None
    if fee.rake_minor:
        transfer_id = recipe_post(
            house_id=hand.house_id,
            gaming_day=at.session.gaming_day,
            key=f"hand:{hand.pk}:end:{hand.revision}",
            kind="hand_raked",
            lines=hand_raked(fee.rake_minor, source=source),
            owners={"house": hand.house_id, "table": hand.table_id},
            actor_id=author.person_id,
            subject_kind="hand",
            subject_id=hand.pk,
        )
    return HandResult.objects.create(
        house_id=hand.house_id,
        hand=hand,
        revision=hand.revision,
        dealt=dealt,
        flop=pot.flop,
        walk=pot.walk,
        pot_minor=pot.pot_minor,
        posted_minor=fee.posted_minor,
        rake_minor=fee.rake_minor,
        transfer_id=transfer_id,
        entered_by_id=author.person_id,
        approval_id=author.approval_id,
        reason=author.reason,
    )
