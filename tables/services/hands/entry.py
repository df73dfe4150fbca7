"""What is entered of a hand whose pots are not, and how it is written (RAK-1, RAK-3)."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, NoReturn
from uuid import UUID

from django.db.models import Q, QuerySet

from payouts.rules.ledger.stacks import hand_raked
from payouts.rules.rulesets.schema import sent
from payouts.services import recipe_post
from tables.errors import (
    DealtGone,
    NotThere,
    StayGone,
    TooFew,
    VariantMissing,
    VariantStands,
    VariantWrong,
)
from tables.games.poker.entered import PlayedPots, PotsEntry, entry_data, pots_entry
from tables.games.poker.raking import Fee, Pot, fee_of
from tables.games.poker.reading import PotsWrong
from tables.models import Guest, Hand, HandResult, PokerStay, Table, TableSession
from tables.rules.floor import FloorRules
from tables.services.hands.pots import (
    SeatNet,
    carries,
    places_of,
    pots_played,
    pots_post,
    pots_record,
)
from tables.services.parts import posted_of
from tables.services.seats.parts import PokerTable

PLAYERS_LEAST = 2


class PlayedHand(NamedTuple):
    """Stays of those who were dealt in, what is known of the pot, and the variant: "" where one is
    posted alone. `pots`: all of it, at the level of that name.
    """

    dealt: Sequence[UUID]
    pot: Pot
    variant: str = ""
    pots: PotsEntry | None = None


class HandFigures(NamedTuple):
    """What an entry comes to: minor units, None where they are not known."""

    flop: bool
    walk: bool
    pot_minor: int | None
    fee: Fee
    places: Mapping[UUID, tuple[int, int]]
    played: PlayedPots | None = None

    @property
    def nets(self) -> dict[UUID, int]:
        """By stay what it has won less what it paid, where pots are entered."""
        nets = self.played.settled.nets if self.played else {}
        return {stay: nets[seat] for stay, (seat, _stack) in self.places.items()}


def entry_of(values: Mapping[str, Any]) -> PlayedHand:
    """What a command gives by its names. Raises PotsWrong."""
    names = ("rake_minor", "pot_minor", "flop", "walk")
    pot = Pot(**{name: values[name] for name in names})
    pots = values.get("pots")
    entered = None if pots is None else pots_entry(pots)
    return PlayedHand(values["dealt"], pot, values["variant"] or "", entered)


class Author(NamedTuple):
    """Who entered a result, by which approval and why; as which kind of correction."""

    person_id: UUID
    approval_id: UUID | None = None
    reason: str = ""
    correction: str = ""


def variant_of(at: PokerTable, entry: PlayedHand) -> str:
    """The code of what was dealt. Raises VariantMissing, VariantWrong."""
    variants = at.posted.game.variants
    if not entry.variant and len(variants) == 1:
        return variants[0]
    if not entry.variant:
        raise VariantMissing
    if entry.variant not in variants:
        raise VariantWrong(variant=str(entry.variant)[:20])
    return entry.variant


def stays_then(table: Table, entry: PlayedHand, began_at: datetime | None) -> PlayedHand:
    """A hand with stays as they were when it began: a tablet without the server deals on to those
    of a session that was rolled meanwhile.
    """
    if began_at is None:
        return entry
    rolled = PokerStay.objects.filter(
        pk__in=entry.dealt,
        guest__session__closed_at__lt=began_at,
        continues__guest__session__table=table,
    )
    goes_on = dict(rolled.values_list("pk", "continues"))
    return entry._replace(dealt=[goes_on.get(stay, stay) for stay in entry.dealt])


def session_dealt(table: Table, entry: PlayedHand) -> TableSession | None:
    """The session of a table, open or closed, in which guests were dealt in; None of strangers."""
    sessions = TableSession.objects.filter(table=table, guests__stay__in=entry.dealt)
    return sessions.order_by("-opened_at").first()


def check_dealt(
    at: PokerTable, entry: PlayedHand, *, seated: bool, began_at: datetime | None = None
) -> dict[UUID, int | None]:
    """The stays that were dealt in with their seats, in that order. `seated`: they sit there still,
    perhaps in the session that this one was rolled into. `began_at`: nobody had left by then.
    Raises TooFew, DealtGone, StayGone, NotThere.
    """
    dealt = {*entry.dealt}
    if len(dealt) < PLAYERS_LEAST:
        raise TooFew(players=len(dealt))
    stays = PokerStay.objects.filter(pk__in=dealt, guest__session=at.session)
    if seated and at.session.closed_at is None:
        stays = stays.filter(left_at=None)
    elif seated:
        rolled = at.table.session_id
        stays = stays.filter(continues__guest__session=rolled, continues__left_at=None)
    columns = ("pk", "guest__box", "guest__number", "left_at")
    rows = list(stays.order_by("guest__box", "guest__number").values_list(*columns))
    if len(rows) != len(dealt):
        _refuse_gone(at, dealt - {stay for stay, *_more in rows})
    for _stay, box, number, left_at in rows:
        if began_at and left_at and left_at < began_at:
            raise NotThere(seat=box, number=number)
    return {stay: box for stay, box, _number, _left_at in rows}


def dealt_possible(hand: Hand) -> QuerySet[PokerStay]:
    """The stays that sat at the table at some time between the begin and the end of a hand; and
    those that were dealt in, whose times a clock that was set back may have put elsewhere.
    """
    seated = Q(began_at__lte=hand.ended_at)
    if began_at := _began_after(hand):
        seated &= Q(left_at=None) | Q(left_at__gte=began_at)
    dealt = hand.results.get(revision=hand.revision).dealt
    return PokerStay.objects.filter(seated | Q(pk__in=dealt), guest__session=hand.session_id)


def check_corrected(at: PokerTable, hand: Hand, entry: PlayedHand) -> list[UUID]:
    """The stays that a correction deals in, by seat. Raises VariantStands (that is another hand),
    TooFew, DealtGone, StayGone, NotThere.
    """
    if entry.variant not in ("", hand.variant):
        raise VariantStands(variant=entry.variant)
    dealt = [*check_dealt(at, entry, seated=False)]
    strange = {*dealt} - {*dealt_possible(hand).values_list("pk", flat=True)}
    for guest in Guest.objects.filter(pk__in=strange).order_by("box", "number")[:1]:
        raise NotThere(seat=guest.box, number=guest.number)
    return dealt


def _began_after(hand: Hand) -> datetime | None:
    """A moment before which a hand did not begin: the end of the last one that was sent at once,
    less the seconds for which it may have waited to be taken back. None of one that came late.
    """
    if hand.queued:
        return None
    before = Hand.objects.filter(session=hand.session_id, number__lt=hand.number, queued=False)
    ended_at = before.order_by("-number").values_list("ended_at", flat=True).first()
    return ended_at and ended_at - timedelta(seconds=floor_rules(hand.session).undo_s)


def floor_rules(session: TableSession) -> FloorRules:
    """What is posted for the floor of a session."""
    floor = posted_of(session.versions.values())["floor_rules"]
    if not isinstance(floor, FloorRules):
        raise TypeError("a posted table of another kind than it is filed under")
    return floor


def _refuse_gone(at: PokerTable, missing: set[UUID]) -> NoReturn:
    """Name the guest by number and seat where they sat there. Raises DealtGone, StayGone."""
    stays = PokerStay.objects.filter(pk__in=missing, guest__session__table=at.table)
    left = stays.order_by("guest__number").values_list("guest__number", "guest__box").first()
    if left is None:
        raise StayGone
    number, seat = left
    raise DealtGone(number=number, seat=seat)


def hand_figures(at: PokerTable, entry: PlayedHand, variant: str) -> HandFigures:
    """What an entry comes to by what is posted at the table. Raises as `fee_of`; or as `places_of`
    and `pots_played`, and PotsWrong for a fee or a pot that was sent beside other pots.
    """
    if entry.pots is None:
        posted, pot = at.posted, entry.pot
        players = len({*entry.dealt})
        fee = fee_of(posted.game, posted.house, posted.rake, pot, players=players)
        return HandFigures(pot.flop, pot.walk, pot.pot_minor, fee, {})
    places = places_of(entry.pots, [*entry.dealt])
    played = pots_played(at, entry.pots, variant)
    pots = played.settled.pots
    taken_minor = sum(pot.rake_minor for pot in pots)
    figures = HandFigures(
        flop=played.course.board,
        walk=played.course.walk,
        pot_minor=sum(pot.pot.amount_minor for pot in pots) if pots else None,
        fee=Fee(taken_minor, taken_minor if pots else None),
        places=places,
        played=played,
    )
    _check_beside(entry.pot, figures)
    return figures


def _check_beside(pot: Pot, figures: HandFigures) -> None:
    """Raise PotsWrong for what contradicts the pots that it was sent with. That there was a flop,
    and no walk, nobody has to say.
    """
    for field, value, allowed in (
        ("rake_minor", pot.rake_minor, (None, figures.fee.rake_minor)),
        ("pot_minor", pot.pot_minor, (None, figures.pot_minor)),
        ("flop", pot.flop, (True, figures.flop)),
        ("walk", pot.walk, (False, figures.walk)),
    ):
        if value not in allowed:
            raise PotsWrong(field=field, given=sent(value))


def result_write(
    at: PokerTable,
    hand: Hand,
    *,
    dealt: list[UUID],
    entry: PlayedHand,
    figures: HandFigures,
    author: Author,
    replaces: HandResult | None = None,
    source: str = "in_play",
    stacks_stand: bool = False,
    counted: bool = False,
) -> HandResult:
    """Post a hand's revision, and record it. `source`: `circulation` where all have left, so that
    chips in pockets have paid its fee. `stacks_stand`, `counted`: as of `pots_post`.
    """
    moved: dict[UUID, SeatNet] = {}
    if figures.played is None:
        transfer_id = _fee_post(at, hand, figures.fee.rake_minor, author.person_id, source=source)
    else:
        transfer_id, moved = pots_post(
            at,
            hand,
            figures.nets,
            rake_minor=figures.fee.rake_minor,
            carried_minor=carries(entry.pots, figures.played) if entry.pots else 0,
            revision=hand.revision,
            replaces=replaces,
            stacks_stand=stacks_stand,
            counted=counted,
            actor_id=author.person_id,
            reason=author.reason,
        )
    result = HandResult.objects.create(
        house_id=hand.house_id,
        hand=hand,
        revision=hand.revision,
        dealt=[*figures.places] or dealt,
        flop=figures.flop,
        walk=figures.walk,
        pot_minor=figures.pot_minor,
        posted_minor=figures.fee.posted_minor,
        rake_minor=figures.fee.rake_minor,
        entered=entry_data(entry.pots) if entry.pots else None,
        transfer_id=transfer_id,
        entered_by_id=author.person_id,
        approval_id=author.approval_id,
        correction=author.correction,
        reason=author.reason,
    )
    if figures.played is not None:
        pots_record(result, figures.played, figures.places, moved)
    return result


def _fee_post(
    at: PokerTable, hand: Hand, rake_minor: int, actor_id: UUID, *, source: str
) -> int | None:
    if not rake_minor:
        return None
    return recipe_post(
        house_id=hand.house_id,
        gaming_day=at.session.gaming_day,
        key=f"hand:{hand.pk}:end:{hand.revision}",
        kind="hand_raked",
        lines=hand_raked(rake_minor, source=source),
        owners={"house": hand.house_id, "table": hand.table_id},
        actor_id=actor_id,
        subject_kind="hand",
        subject_id=hand.pk,
    )
