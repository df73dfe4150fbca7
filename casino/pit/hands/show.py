"""One hand as it is shown: every revision, and what is asked for of it."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.people.models import Person
from casino.people.permissions import CORRECT
from casino.pit.hands.irregular import HandIrregularityRow, irregularity_rows
from casino.pit.hands.pots import (
    HandMoney,
    money_of,
    pots_as_sent,
    seat_word,
    wins,
    won_again,
)
from casino.pit.labels import offline
from casino.rulesets import signers
from casino.text import floor
from casino.text.differences import Difference, Differences, differences, money_difference
from casino.text.formats import format_money
from casino.text.wording import guest_name
from payouts.models import Approval, House
from payouts.rules.approval import role_fits
from tables.games.poker.variants import VARIANTS
from tables.models import Guest, Hand, HandOverride, HandResult
from tables.selectors.hands import CORRECTION, OVERRIDE, HandParts, hand_parts
from tables.services.hands.correct import signed_kind


class Entered(NamedTuple):
    """What was entered of a hand, or is to be, in words."""

    players: str
    flop: str
    pot: str
    posted: str
    rake: str


class SentHand(NamedTuple):
    """A hand that waits to be clarified: what was entered, and who won how much by the tablet."""

    entered: Entered
    won: str


class HandRevision(NamedTuple):
    """One entry of a hand; `counts`: it is what counts of it now. `kind`: of correction."""

    row: HandResult
    entered: Entered
    counts: bool
    kind: str


class FaultPaid(NamedTuple):
    """What management pays a guest of a hand beside what it gave them, in words; `row`: None while
    it waits to be signed.
    """

    seat: str
    won: str
    paid: str
    row: HandOverride | None = None


class HandRequest(NamedTuple):
    """What waits for signatures, and what it changes. `kind`: correct, override or void. `chips`:
    whether a correction of pots moves any. `signed`, `own`: whether the person who looks has
    signed, and which part keeps them from it.
    """

    approval: Approval
    kind: str
    differences: Differences
    chips: str
    signed: bool
    own: list[str]
    signers: signers.Signers
    may_sign: bool
    may_reject: bool


class HandDetails(NamedTuple):
    """Everything on the page of a hand; `now`: what was entered last, `money`: its pots, where
    they are. `may_ask`: the services decide again.
    """

    hand: Hand
    state: str
    offline: str
    level: str
    variant: str
    now: Entered
    money: HandMoney | None
    irregularities: list[HandIrregularityRow]
    faults: list[FaultPaid]
    revisions: list[HandRevision]
    waiting: list[HandRequest]
    may_ask: bool


def details(hand: Hand, person: Person) -> HandDetails:
    """A fixed number of statements."""
    parts = hand_parts(hand_id=hand.pk)
    house = hand.house
    names = {guest.pk: player(guest) for guest in parts.guests}
    revisions = [
        HandRevision(
            row,
            _entered(vars(row), row.dealt, names, house),
            counts=row.revision == hand.revision and hand.state == Hand.State.ENDED,
            kind=floor.say(floor.HAND_CORRECTIONS, row.correction),
        )
        for row in parts.results
    ]
    requests = [approval for approval in parts.approvals if approval.waits]
    ended = hand.state == Hand.State.ENDED
    now = revisions[-1].entered
    return HandDetails(
        hand=hand,
        state=floor.say(Hand.State, hand.state),
        offline=offline(hand),
        level=floor.level(hand.entry_level),
        variant=floor.say({code: known.title for code, known in VARIANTS.items()}, hand.variant),
        now=now,
        money=money_of(parts, names, house),
        irregularities=irregularity_rows(parts.irregularities),
        faults=[_fault(vars(row), house)._replace(row=row) for row in parts.overrides],
        revisions=revisions[::-1],
        waiting=_waiting(requests, parts, now, person),
        may_ask=ended and not requests and person.has_perm(CORRECT),
    )


def _waiting(
    requests: list[Approval], parts: HandParts, now: Entered, person: Person
) -> list[HandRequest]:
    if not requests:
        return []
    hand = parts.results[-1].hand
    part_of = signers.taken_in(requests)
    able = signers.signers_of(requests, part_of, signers.people_of(hand.house))
    dealt = {stay for approval in requests for stay in _dealt(approval)}
    names = {guest.pk: player(guest) for guest in Guest.objects.filter(pk__in=dealt)}
    waiting = []
    for approval in requests:
        if approval.action == CORRECTION:
            rows = [*_wins(approval, parts, names), *_changes(approval, parts, now, names)]
        elif approval.action == OVERRIDE:
            rows = [_paid_besides(approval.payload, parts, hand.house)]
        else:
            rows = [money_difference(_("Rake"), parts.results[-1].rake_minor, None, hand.house)]
        waiting.append(_request(approval, rows, part_of, able[approval.pk], person))
    return waiting


def _paid_besides(payload: Mapping[str, Any], parts: HandParts, house: House) -> Difference:
    """What the guest has of the hand, and with what is paid besides."""
    seat, won_minor = payload["seat"], payload["won_minor"]
    both = won_minor, won_minor + payload["amount_minor"]
    return money_difference(_at_seat(seat, _seated(parts)), *both, house)


def _seated(parts: HandParts) -> dict[int, str]:
    """Guests of the hand by seat."""
    names = {guest.pk: guest_name(guest.number) for guest in parts.guests}
    return {row.seat: names.get(row.stay_id, "") for row in parts.seats}


def _at_seat(seat: int, names: Mapping[int, str]) -> str:
    return " · ".join(filter(None, (seat_word(seat), names.get(seat))))


def _fault(values: Mapping[str, Any], house: House) -> FaultPaid:
    won, paid = (
        format_money(values[name], house.currency, house.locale)
        for name in ("won_minor", "amount_minor")
    )
    return FaultPaid(seat_word(values["seat"]), won, paid)


def _wins(approval: Approval, parts: HandParts, names: Mapping[UUID, str]) -> Iterable[Difference]:
    """Who wins how much by a correction of a hand whose pots are entered."""
    data = approval.payload.get("pots")
    if data is None:
        return
    hand = parts.results[-1].hand
    guests = _seated(parts)
    was = {row.seat: row.won_minor for row in parts.seats}
    becomes = won_again(hand, data)
    if becomes is None:  # the rules refuse it by now: nobody can sign it
        return
    for seat in sorted({*was, *becomes}):
        both = was.get(seat, 0), becomes.get(seat, 0)
        yield money_difference(_at_seat(seat, guests), *both, hand.house)


def _request(
    approval: Approval,
    rows: Iterable[Difference],
    parts: signers.Taken,
    able: signers.Signers,
    person: Person,
) -> HandRequest:
    own = signers.part_of(person, approval, parts)
    signed = any(signature.signer_id == person.pk for signature in approval.signatures.all())
    fits = not own and role_fits(person.roles, approval.roles)
    return HandRequest(
        approval=approval,
        kind=approval.action.rpartition(".")[2],
        differences=differences(rows),
        chips=_chips(approval),
        signed=signed,
        own=own,
        signers=able,
        may_sign=fits and not signed,
        may_reject=fits or person.pk == approval.requester_id,
    )


def _chips(approval: Approval) -> str:
    if approval.payload.get("pots") is None:
        return ""
    return floor.say(floor.HAND_CORRECTIONS, signed_kind(approval.payload))


def _changes(
    approval: Approval, parts: HandParts, now: Entered, names: Mapping[UUID, str]
) -> Iterable[Difference]:
    row, house = parts.results[-1], parts.results[-1].hand.house
    payload = approval.payload | {"rake_minor": approval.payload["taken_minor"]}
    after = _entered(payload, _dealt(approval), names, house)
    yield Difference(_("Dealt in, by seat"), now.players, after.players)
    yield Difference(_("Flop"), now.flop, after.flop)
    amounts = {"pot": _("Pot"), "posted": _("By the schedule"), "rake": _("Rake")}
    for name, word in amounts.items():
        both = getattr(row, f"{name}_minor"), payload[f"{name}_minor"]
        yield money_difference(word, *both, house)


def _dealt(approval: Approval) -> list[UUID]:
    return [UUID(stay) for stay in approval.payload.get("dealt", ())]


def _entered(
    values: Mapping[str, Any], dealt: Iterable[UUID], names: Mapping[UUID, str], house: House
) -> Entered:
    if _is_passed(values.get("entered") or values.get("pots")):
        flop = pgettext("flop", "none: all passed")
    elif values["walk"]:
        flop = pgettext("flop", "none: a walk")
    else:
        flop = pgettext("flop", "dealt") if values["flop"] else pgettext("flop", "not dealt")
    pot, posted, rake = (
        "–" if values[name] is None else format_money(values[name], house.currency, house.locale)
        for name in ("pot_minor", "posted_minor", "rake_minor")
    )
    players = ", ".join(names[stay] for stay in dealt if stay in names)
    return Entered(players, flop, pot, posted, rake)


def _is_passed(pots: object) -> bool:
    return isinstance(pots, Mapping) and pots.get("passed") is True


def hand_as_sent(payload: Mapping[str, Any], house: House) -> SentHand:
    """A hand that waits to be clarified, as far as it can be read."""
    pots = pots_as_sent(payload.get("pots"))
    values = {name: _whole(payload.get(name)) for name in ("pot_minor", "rake_minor")}
    if pots:
        values = {"pot_minor": pots.pot_minor, "rake_minor": pots.rake_minor}
    ids = payload.get("dealt")
    dealt = [stay for each in (ids if isinstance(ids, list) else ()) if (stay := _id(each))]
    guests = Guest.objects.filter(house_id=house.pk, pk__in=dealt).order_by("box", "number")
    names = {guest.pk: player(guest) for guest in guests}
    flags = {"flop": payload.get("flop", True), "walk": payload.get("walk", False)}
    flags |= {"posted_minor": None, "pots": payload.get("pots")}
    entered = _entered(flags | values, names, names, house)
    return SentHand(entered, wins(pots.won, house) if pots else "")


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _id(value: object) -> UUID | None:
    try:
        return UUID(str(value))
    except ValueError:
        return None


def player(guest: Guest) -> str:
    """A guest by seat."""
    return f"{guest.box or '–'} ({guest_name(guest.number)})"
