"""Postings: what a transfer must be before the database sees it. Debit is positive; all legs of a
posting sum to zero.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from payouts.errors import Kind, Refused, mark
from payouts.rules.plain import check_text

AMOUNT_MAX_MINOR = (
    10**15
)  # ten thousand billion francs: nothing a casino books comes near, and sums stay far below 2**63
LEGS_MAX = 1_000
POSTINGS_MAX = 100


class LedgerRefused(Refused):
    """A posting is not one."""

    code = "ledger.refused"


class PostingEmpty(LedgerRefused):
    """Fewer than two legs, or no posting at all."""

    code = "ledger.empty"
    sentence = mark("The transfer moves nothing: %(legs)s legs.")
    remedy = mark("A transfer has at least two legs, each with an amount.")


class LegRefused(LedgerRefused):
    """A leg is no `Leg`."""

    code = "ledger.leg"
    sentence = mark("A leg of this transfer is none: it needs an account, an amount and a note.")
    remedy = mark("Give each leg an account's number, whole minor units and a text.")


class PostingTooLarge(LedgerRefused):
    """More legs or postings than one command can sensibly have."""

    code = "ledger.too_large"
    sentence = mark("The posting has %(count)s parts, at most %(most)s are taken.")
    remedy = mark("Post it in several commands.")


class PostingUnbalanced(LedgerRefused):
    """The legs do not sum to zero."""

    code = "ledger.unbalanced"
    sentence = mark("Debits and credits differ by %(difference_minor)s.")
    remedy = mark("Check the amounts: what leaves one account must reach another.")


class AmountRefused(LedgerRefused):
    """An amount is no whole number, zero, negative where only a size is asked, or beyond all
    reason.
    """

    code = "ledger.amount"
    sentence = mark("The amount %(amount)s is %(why)s.")
    remedy = mark(
        "Give an amount in whole minor units, at least one of them and at most %(most_minor)s."
    )


class AccountUnknown(LedgerRefused):
    """An account does not exist in this house, or is of another house or currency."""

    code = "ledger.account_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("An account of this transfer does not exist in this house.")
    remedy = mark("Use accounts of one house only; they all have its currency.")


class AccountOverdrawn(LedgerRefused):
    """A balance would leave its side: more would be taken than is there."""

    code = "ledger.overdrawn"
    kind = Kind.CONFLICT
    sentence = mark("An account would be overdrawn.")
    remedy = mark("Take no more than the account holds; check whether an earlier entry is missing.")


class TransferKeyUsed(LedgerRefused):
    """The natural key was posted before."""

    code = "ledger.key_used"
    kind = Kind.CONFLICT
    sentence = mark("This has been posted before.")
    remedy = mark(
        "Look the earlier transfer up by its key; a correction reverses it and posts anew."
    )


class TransferReversed(LedgerRefused):
    """A transfer is reversed at most once, and a reversal never."""

    code = "ledger.reversed"
    kind = Kind.CONFLICT
    sentence = mark("This transfer is already reversed, or is itself a reversal.")
    remedy = mark("Post a new transfer instead.")


class TransferBound(LedgerRefused):
    """A transfer that a round, a prize or a jackpot stands on: taken back alone, the books would
    not agree with it.
    """

    code = "ledger.bound"
    sentence = mark("This transfer belongs to a round or a jackpot.")
    remedy = mark(
        "Take back what it belongs to: correct or void the round, take the payment back, cancel the"
        " award."
    )


class NotTheMirror(LedgerRefused):
    """A reversal that does not take back just what the transfer did."""

    code = "ledger.not_the_mirror"
    sentence = mark(
        "A reversal takes back exactly what the transfer did: each account, each amount."
    )
    remedy = mark("Reverse the whole transfer, and post a new one.")


class TransferUnknown(LedgerRefused):
    """There is no such transfer in this house."""

    code = "ledger.transfer_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such transfer in this house.")
    remedy = mark("Check its number.")


class HouseUnknown(LedgerRefused):
    """There is no such house."""

    code = "ledger.house_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such house.")
    remedy = mark("Check its number.")


class ActorUnknown(LedgerRefused):
    """There is no such person."""

    code = "ledger.actor_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such person.")
    remedy = mark("Check the person's number.")


class DayRefused(LedgerRefused):
    """A gaming day is no date."""

    code = "ledger.day"
    sentence = mark("The gaming day is not a date.")
    remedy = mark("Give a calendar date, such as 2026-11-21.")


@dataclass(frozen=True, slots=True)
class Leg:
    """One entry to be written: account id, amount in minor units (debit positive), and an optional
    note (at most 60 characters).
    """

    account_id: int
    amount_minor: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Posting:
    """One transfer to be written. `key` is natural and unique in its house, for example
    `round:<uuid>:settle`.
    """

    key: str
    kind: str
    legs: Sequence[Leg]
    subject_kind: str = ""
    subject_id: UUID | None = None
    reason: str = ""
    reverses_id: int | None = field(default=None)


def whole_amount(amount: object, *, least: int = 1, most: int = AMOUNT_MAX_MINOR) -> int:
    """Give an amount in minor units back if it is a whole number from `least` to `most`,
    else raise AmountRefused.
    """
    if isinstance(amount, bool) or not isinstance(amount, int):
        raise AmountRefused(
            amount=str(amount)[:40], why=mark("not a whole number"), most_minor=most
        )
    if amount < least:
        raise AmountRefused(
            amount=_short(amount),
            why=mark("negative") if amount < 0 else mark("zero"),
            most_minor=most,
        )
    if amount > most:
        raise AmountRefused(amount=_short(amount), why=mark("too large"), most_minor=most)
    return amount


def _short(amount: int) -> str:
    # Python refuses to print integers of more than 4300 digits, and nobody reads more than 20.
    return (
        str(amount) if abs(amount) < 10**20 else ("-" if amount < 0 else "") + "more than 20 digits"
    )


def check_house(house_id: object) -> None:
    """Raise HouseUnknown for what cannot be the id of one."""
    if not isinstance(house_id, UUID):
        raise HouseUnknown


def check_actor(actor_id: object) -> None:
    """Raise ActorUnknown for what cannot be a person's id; none is the system."""
    if actor_id is not None and not isinstance(actor_id, UUID):
        raise ActorUnknown


def check_person(person_id: object) -> None:
    """Raise ActorUnknown for what cannot be a person's id: where only a person will do, the system
    does not.
    """
    if not isinstance(person_id, UUID):
        raise ActorUnknown


def check_transfer(transfer_id: object) -> None:
    """Raise TransferUnknown for what cannot be the number of one."""
    if type(transfer_id) is not int or not 0 < transfer_id < 2**63:
        raise TransferUnknown


def check_day(gaming_day: object) -> None:
    """Raise DayRefused for anything but a date; a moment is none: which day it is on depends on the
    house.
    """
    if type(gaming_day) is not date:
        raise DayRefused


def check_postings(postings: Iterable[Posting]) -> list[Posting]:
    """Refuse a posting that is empty, unbalanced, too large or not plain, each with its own code;
    give them back as a list.
    """
    checked = list(postings) if isinstance(postings, Iterable) else []
    if not checked:
        raise PostingEmpty(legs=0)
    if len(checked) > POSTINGS_MAX:
        raise PostingTooLarge(count=len(checked), most=POSTINGS_MAX)
    for posting in checked:
        _check(posting)
    return checked


def _check(posting: Posting) -> None:
    if type(posting) is not Posting:
        raise LegRefused
    check_text(posting.key, "key", least=1, most=120)
    check_text(posting.kind, "kind", least=1, most=30)
    check_text(posting.subject_kind, "subject_kind", most=20)
    check_text(posting.reason, "reason", most=500)
    _check_references(posting)
    if not isinstance(posting.legs, Sequence) or len(posting.legs) < 2:
        raise PostingEmpty(legs=len(posting.legs) if isinstance(posting.legs, Sequence) else 0)
    if len(posting.legs) > LEGS_MAX:
        raise PostingTooLarge(count=len(posting.legs), most=LEGS_MAX)
    total = 0
    for leg in posting.legs:
        if type(leg) is not Leg:
            raise LegRefused
        amount = leg.amount_minor
        # The fast way for the ordinary case: an int in range, no bool. Everything else is explained
        # by whole_amount.
        if (
            type(amount) is not int
            or amount == 0
            or not -AMOUNT_MAX_MINOR <= amount <= AMOUNT_MAX_MINOR
        ):
            whole_amount(
                abs(amount) if isinstance(amount, int) and not isinstance(amount, bool) else amount
            )
        if type(leg.account_id) is not int or not 0 < leg.account_id < 2**63:
            raise AccountUnknown
        if leg.note != "":
            check_text(leg.note, "note", most=60)
        total += amount
    if total:
        raise PostingUnbalanced(difference_minor=total)


def _check_references(posting: Posting) -> None:
    if posting.subject_id is not None and not isinstance(posting.subject_id, UUID):
        raise LegRefused
    if posting.reverses_id is not None and (
        type(posting.reverses_id) is not int or not 0 < posting.reverses_id < 2**63
    ):
        raise TransferUnknown


def reversal_of(posting: Posting, transfer_id: int, *, reason: str) -> Posting:
    """The posting that takes another one back: the same legs with opposite signs, in the same
    order, naming what it reverses.
    """
    return Posting(
        key=f"reversal:{transfer_id}",
        kind="reversal",
        legs=tuple(Leg(leg.account_id, -leg.amount_minor, leg.note) for leg in posting.legs),
        subject_kind=posting.subject_kind,
        subject_id=posting.subject_id,
        reason=reason,
        reverses_id=transfer_id,
    )
