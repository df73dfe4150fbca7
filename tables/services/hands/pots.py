"""A hand whose pots are entered: its stacks bear it, and its money moves in one transfer (POK-2,
POK-6, POK-7).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db.models import Min, Q, Sum

from payouts.db.fast_calls import calls
from payouts.models import Account, Entry
from payouts.rules.ledger import stacks
from payouts.rules.ledger.postings import Posting
from payouts.rules.ledger.recipes import Line
from payouts.services import recipe_posting, transfer_post, transfer_replace
from tables.errors import CarriedDiffers, LevelOther, SeatOther, StackLost, StacksDiffer
from tables.games.poker.entered import HandRuling, PlayedPots, PotsEntry, play
from tables.games.poker.expected import check_expected
from tables.games.poker.posts import check_posts
from tables.models import Guest, Hand, HandResult, HandSeat, PokerStay
from tables.selectors.stays import level_stood
from tables.services.hands.counted import counted_since
from tables.services.seats.parts import PokerTable, plays_on

# Rows of a result, written from JSON: Django's own insert takes ten times as long to write it down.
_SEATS = """
    INSERT INTO tables_handseat (house_id, hand_id, revision, stay_id, seat, stack_minor,
        ante_minor, live_minor, dead_minor, returned_minor, won_minor, booked_minor, folded)
    SELECT $1::uuid, $2::uuid, $3::int, x.stay, x.seat, x.stack_minor, x.ante_minor, x.live_minor,
        x.dead_minor, x.returned_minor, x.won_minor, x.booked_minor, x.folded
    FROM jsonb_to_recordset($4::jsonb) AS x (stay uuid, seat int, stack_minor bigint,
        ante_minor bigint, live_minor bigint, dead_minor bigint, returned_minor bigint,
        won_minor bigint, booked_minor bigint, folded boolean)
"""
_POTS = """
    INSERT INTO tables_handpot (house_id, hand_id, revision, number, amount_minor, rake_minor,
        seats)
    SELECT $1::uuid, $2::uuid, $3::int, x.number, x.amount_minor, x.rake_minor, x.seats
    FROM jsonb_to_recordset($4::jsonb) AS x (number int, amount_minor bigint, rake_minor bigint,
        seats smallint[])
"""
_SHARES = """
    INSERT INTO tables_handshare (house_id, hand_id, revision, number, half, seat, amount_minor,
        odd_minor)
    SELECT $1::uuid, $2::uuid, $3::int, x.number, x.half, x.seat, x.amount_minor, x.odd_minor
    FROM jsonb_to_recordset($4::jsonb) AS x (number int, half text, seat int, amount_minor bigint,
        odd_minor bigint)
"""
PlaceOf = Mapping[UUID, tuple[int, int]]  # by stay its seat, and the stack before the hand


class SeatNet(NamedTuple):
    """What a stay has won less what it paid, and what of it its stack bears (minor units); of the
    pot that is carried, what comes to lie in it.
    """

    net_minor: int
    booked_minor: int


def places_of(entry: PotsEntry, dealt: list[UUID]) -> dict[UUID, tuple[int, int]]:
    """By stay its seat and stack as entered; `dealt` as it was sent. Raises SeatOther."""
    if len({*dealt}) != len(entry.seats) or len(dealt) != len(entry.seats):
        raise SeatOther(seats=len(entry.seats), players=len({*dealt}))
    return dict(zip(dealt, zip(entry.seats, entry.stacks, strict=True), strict=True))


def level_entered(at: PokerTable, pots: PotsEntry | None, *, late: bool) -> str:
    """The level at which a hand is entered. One that comes `late` may be of a level at which its
    session stood before. Raises LevelOther.
    """
    level = "rake_only" if pots is None else "pots"
    stands = at.session.entry_level
    if level != stands and not (late and level_stood(at.session, level)):
        raise LevelOther(level=stands)
    return level


def check_stacks(
    at: PokerTable, entry: PotsEntry, places: PlaceOf, boxes: Mapping[UUID, int | None]
) -> None:
    """Raise StacksDiffer where another stack is booked at a seat, or another guest sits there;
    CarriedDiffers where the books have carried another amount into the pot (POK-4). `boxes`: by
    stay its seat.
    """
    lies = Q(kind="stack", detail_id__in=[*places]) | Q(kind="pot_carried")
    accounts = Account.objects.filter(lies, owner_id=at.table.pk)
    booked = {stay: -minor for stay, minor in accounts.values_list("detail_id", "balance_minor")}
    carried_minor = booked.get(None, 0)
    if entry.carried_minor != carried_minor:
        raise CarriedDiffers(booked_minor=carried_minor, entered_minor=entry.carried_minor)
    for stay, (seat, stack_minor) in places.items():
        if boxes.get(stay) != seat or booked.get(stay, 0) != stack_minor:
            raise StacksDiffer(
                seat=seat, booked_minor=booked.get(stay, 0), entered_minor=stack_minor
            )


def check_same(entry: PotsEntry, places: PlaceOf, last: HandResult) -> None:
    """Raise StacksDiffer where a correction changes what lay before a guest, also one whom the last
    result did not deal in, CarriedDiffers what lay in the pot.
    """
    carried_minor = (last.entered or {}).get("carried_minor", 0)
    if entry.carried_minor != carried_minor:
        raise CarriedDiffers(booked_minor=carried_minor, entered_minor=entry.carried_minor)
    rows = HandSeat.objects.filter(hand=last.hand_id, revision=last.revision, stay__in=places)
    for row in rows.order_by("seat"):
        if places[row.stay_id] != (row.seat, row.stack_minor):
            entered = places[row.stay_id][1]
            raise StacksDiffer(seat=row.seat, booked_minor=row.stack_minor, entered_minor=entered)
    added = [*places.keys() - {row.stay_id for row in rows}]
    if not added or last.hand.queued:  # of one that came late the books do not know it
        return
    booked = _stacks_then(last.hand, added)
    for stay in sorted(added, key=places.__getitem__):
        seat, stack_minor = places[stay]
        if booked.get(stay, 0) != stack_minor:
            raise StacksDiffer(
                seat=seat, booked_minor=booked.get(stay, 0), entered_minor=stack_minor
            )


def _stacks_then(hand: Hand, stays: list[UUID]) -> dict[UUID, int]:
    """By stay the chips that were booked before it as a hand ended."""
    first = hand.results.aggregate(first=Min("transfer"))["first"]
    before = {"transfer__lt": first} if first else {"transfer__posted_at__lt": hand.ended_at}
    entries = Entry.objects.filter(
        account__kind="stack", account__owner_id=hand.table_id, account__detail_id__in=stays
    )
    rows = entries.filter(**before).values_list("account__detail_id")
    return {stay: -minor for stay, minor in rows.annotate(minor=Sum("amount_minor"))}


def stacks_of(at: PokerTable, stays: list[UUID]) -> dict[UUID, int]:
    """By stay the chips that are booked before it."""
    accounts = Account.objects.filter(kind="stack", owner_id=at.table.pk, detail_id__in=stays)
    rows = accounts.values_list("detail_id", "balance_minor")
    return {stay: -minor for stay, minor in rows if stay}


def carried_at(table_id: UUID) -> int:
    """The antes that hands before have left in the pot of a table, as booked."""
    pots = Account.objects.filter(kind="pot_carried", owner_id=table_id)
    return -(pots.values_list("balance_minor", flat=True).first() or 0)


def carries(entry: PotsEntry, played: PlayedPots) -> int:
    """What a hand leaves in the pot for the next one, less what it found there."""
    if entry.passed:
        return -sum(played.settled.nets.values())
    return -entry.carried_minor


def pots_played(at: PokerTable, entry: PotsEntry, variant: str) -> PlayedPots:
    """What a hand comes to by what is posted at its table. Raises as `play`, `check_posts` and
    `check_expected`.
    """
    posted = at.posted
    ruling = HandRuling(
        game=posted.game,
        house=posted.house,
        hands=posted.hands,
        rake=posted.rake,
        variant=variant,
    )
    played = play(entry, ruling)
    check_posts(entry, ruling)
    check_expected(entry, played.settled)
    return played


def pots_post(
    at: PokerTable,
    hand: Hand,
    nets: Mapping[UUID, int],
    *,
    rake_minor: int = 0,
    carried_minor: int = 0,
    revision: int,
    replaces: HandResult | None = None,
    stacks_stand: bool = False,
    counted: bool = False,
    actor_id: UUID,
    reason: str = "",
) -> tuple[int | None, dict[UUID, SeatNet]]:
    """Post a hand; give its transfer, None where nothing moves, and what each stack bears. What one
    does not bear, of a hand that came late or is put right, lies in `in_play`, or in pockets where
    nobody plays on. `carried_minor`: as of `carries`. `replaces`: what is taken back at once.
    `stacks_stand`: under the table's lock the guests were seen to sit there, with the stacks of the
    hand, which takes no more from them, and the pot to hold what was carried. `counted`: stacks
    were counted since, and stay; of a hand that is put right this is looked up.

    Raises StackLost for a guest who is no longer dealt in and cannot give back what they won.
    """
    source = "in_play"
    if stacks_stand:
        moved = {stay: SeatNet(net, net) for stay, net in nets.items()}
        pot = SeatNet(carried_minor, carried_minor)
    else:
        counted = counted or (replaces is not None and counted_since(hand))
        moved = _borne(at, nets, replaces, counted=counted)
        goes_on = plays_on(hand.session)
        source = source if goes_on else "circulation"
        pot = _carried(at, carried_minor, replaces, goes_on=goes_on)
    for stay, net in moved.items():
        if net.booked_minor and stay not in nets and hand.state == Hand.State.ENDED:
            back_minor = net.booked_minor - net.net_minor
            lies_minor = stacks_of(at, [stay]).get(stay, 0)
            raise StackLost(seat=_seat(stay), amount_minor=back_minor, stack_minor=lies_minor)
    lines = stacks.hand(
        {f"stay {number}": net.booked_minor for number, net in enumerate(moved.values())},
        rake=rake_minor,
        carried=pot.booked_minor,
        elsewhere=sum(net.net_minor - net.booked_minor for net in (pot, *moved.values())),
        source=source,
    )
    posting = _posting(at, hand, lines, [*moved], revision=revision) if lines else None
    where: dict[str, Any] = {
        "house_id": hand.house_id,
        "gaming_day": at.session.gaming_day,
        "actor_id": actor_id,
    }
    if replaces is not None and replaces.transfer_id is not None:
        ids = transfer_replace(
            **where,
            transfer_id=replaces.transfer_id,
            reason=reason,
            instead=[posting] if posting else [],
        )
        return (ids[1] if posting else None), moved
    return (transfer_post(**where, posting=posting) if posting else None), moved


def _borne(
    at: PokerTable, nets: Mapping[UUID, int], replaces: HandResult | None, *, counted: bool
) -> dict[UUID, SeatNet]:
    """What each stack bears: once its guest has left or stacks were counted, what it did."""
    before: dict[UUID, int] = {}
    if replaces is not None:
        rows = HandSeat.objects.filter(hand=replaces.hand_id, revision=replaces.revision)
        before = dict(rows.values_list("stay", "booked_minor"))
    stays = [*{**nets, **before}]
    stacks = stacks_of(at, stays)
    seated = set[UUID]()
    if not counted:
        seated |= {
            *PokerStay.objects.filter(pk__in=stays, left_at=None).values_list("pk", flat=True)
        }
    moved = {}
    for stay in stays:
        net = nets.get(stay, 0)
        was = before.get(stay, 0)
        least = was - stacks.get(stay, 0)  # what leaves nothing on the stack
        moved[stay] = SeatNet(net, max(net, least) if stay in seated else was)
    return moved


def _carried(
    at: PokerTable, carried_minor: int, replaces: HandResult | None, *, goes_on: bool
) -> SeatNet:
    """What comes to lie in the pot, and what of it the pot bears: no more than is carried there,
    and nothing new once all have left.
    """
    was = 0
    if replaces is not None:
        entries = Entry.objects.filter(transfer=replaces.transfer_id, account__kind="pot_carried")
        was = -(entries.aggregate(minor=Sum("amount_minor"))["minor"] or 0)
    booked_minor = max(carried_minor, was - carried_at(at.table.pk)) if goes_on else was
    return SeatNet(carried_minor, booked_minor)


def _posting(
    at: PokerTable, hand: Hand, lines: list[Line], stays: list[UUID], *, revision: int
) -> Posting:
    counts = hand.state == Hand.State.ENDED
    owners = {f"stay {number}": stay for number, stay in enumerate(stays)}
    return recipe_posting(
        house_id=hand.house_id,
        key=f"hand:{hand.pk}:{'end' if counts else 'cleared'}:{revision}",
        kind="hand" if counts else "hand_cleared",
        lines=lines,
        owners={"house": hand.house_id, "table": at.table.pk, **owners},
        subject_kind="hand",
        subject_id=hand.pk,
    )


def pots_record(
    result: HandResult, played: PlayedPots, places: PlaceOf, moved: Mapping[UUID, SeatNet]
) -> None:
    """Write the seats, pots and shares of a result, in one trip."""
    at = (result.house_id, result.hand_id, result.revision)
    settled = played.settled
    won = {seat: 0 for seat, _stack in places.values()}
    for pot in settled.pots:
        for share in pot.shares:
            won[share.seat] += share.amount_minor
    payments = {payment.seat: payment for payment in played.course.payments}
    back = {settled.uncalled.seat: settled.uncalled.amount_minor} if settled.uncalled else {}
    seats = [
        {
            **payments[seat]._asdict(),
            "stay": str(stay),
            "stack_minor": stack_minor,
            "returned_minor": back.get(seat, 0),
            "won_minor": won[seat],
            "booked_minor": moved[stay].booked_minor,
        }
        for stay, (seat, stack_minor) in places.items()
    ]
    pots = [*enumerate(settled.pots, 1)]
    rows: dict[str, list[dict[str, Any]]] = {
        _SEATS: seats,
        _POTS: [
            {**pot.pot._asdict(), "number": number, "rake_minor": pot.rake_minor}
            for number, pot in pots
        ],
        _SHARES: [
            {**share._asdict(), "number": number} for number, pot in pots for share in pot.shares
        ],
    }
    calls(*((sql, [*at, orjson.dumps(records).decode()]) for sql, records in rows.items()))


def _seat(stay: UUID) -> int | None:
    return Guest.objects.filter(pk=stay).values_list("box", flat=True).first()
