"""What the pages of an account and of a transfer show, each in a fixed number of statements."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.text import capfirst

from casino.audit import found as audit_found
from casino.audit import links as audit_links
from casino.records import codes
from casino.records import labels as record_labels
from casino.records.names import SUBJECTS, Names
from casino.text.floor import colon
from jackpot.models import Epoch, Jackpot
from payouts.models import (
    Account,
    Entry,
    House,
    Transfer,
)
from payouts.rules.ledger.chart import POSITIONS
from tables.models import Table

PAGE = 50  # entries of an account


class TransferRow(NamedTuple):
    """A transfer in a list, with what it moved: the sum of its debits, of chips those of one
    circle.
    """

    row: Transfer
    title: str
    moved_minor: int


class AccountDetails(NamedTuple):
    """An account with its owner, and a page of its entries. `after`: where the next page begins."""

    account: Account
    title: str
    owner: str
    of_table: bool
    epoch: Epoch | None
    entries: list[tuple[Entry, str]]
    after: int | None
    paged: bool


def account_details(row: Account, before: int | None) -> AccountDetails:
    """The account, and entries from the version `before` down."""
    entries = (
        Entry.objects.filter(account=row)
        .select_related("transfer__actor")
        .order_by("-account_version")
    )
    if before is not None:
        entries = entries.filter(account_version__lt=before)
    shown = list(entries[: PAGE + 1])
    return AccountDetails(
        account=row,
        title=capfirst(record_labels.account(row.kind)),
        owner=_owner(row),
        of_table=Table.objects.filter(house=row.house, pk=row.owner_id).exists(),
        epoch=(
            Epoch.objects.filter(pk=row.detail_id).select_related("jackpot").first()
            if row.detail_id
            else None
        ),
        entries=[(one, record_labels.transfer(one.transfer.kind)) for one in shown[:PAGE]],
        after=shown[PAGE - 1].account_version if len(shown) > PAGE else None,
        paged=before is not None,
    )


class TransferDetails(NamedTuple):
    """A transfer with its entries, which sum to zero. `about`: its page and its words; `legs`: what
    taking it back posts.
    """

    transfer: Transfer
    title: str
    about: tuple[str, str]
    reversed_by: Transfer | None
    entries: list[tuple[Entry, str, str]]
    legs: list[tuple[str, str, int]]
    sum_minor: int
    acts: list[audit_found.Found]


def transfer_details(row: Transfer) -> TransferDetails:
    """The transfer with its entries, each with its account and owner in words."""
    rows = list(row.entries.select_related("account").order_by("pk"))
    names = _owners(row.house, [one.account for one in rows])
    entries = [
        (
            one,
            capfirst(record_labels.account(one.account.kind)),
            names.get(one.account.owner_id, ""),
        )
        for one in rows
    ]
    return TransferDetails(
        transfer=row,
        title=record_labels.transfer(row.kind),
        about=_subject(row),
        reversed_by=row.reversals.first(),
        entries=entries,
        legs=[(account, owner, -one.amount_minor) for one, account, owner in entries],
        sum_minor=sum(one.amount_minor for one in rows),
        acts=audit_found.acts_of("transfer", row.pk),
    )


def _subject(row: Transfer) -> tuple[str, str]:
    """What a transfer is about: its page and its words."""
    words = codes.word(row, "subject_kind", row.subject_kind)
    pk = str(row.subject_id or "")
    kind = SUBJECTS.get(row.subject_kind)
    name = Names({kind: [pk]}, row.house_id).in_text(pk) if kind and pk else pk
    return audit_links.about(row.house_id, row.subject_kind, pk), (
        colon(words, name) if name else words
    )


def _owner(row: Account) -> str:
    return _owners(row.house, [row]).get(row.owner_id, "")


def _owners(house: House, accounts: Sequence[Account]) -> dict[UUID, str]:
    ids = {one.owner_id for one in accounts}
    names = dict(Table.objects.filter(house=house, pk__in=ids).values_list("pk", "name"))
    names |= dict(Jackpot.objects.filter(house=house, pk__in=ids).values_list("pk", "name"))
    return names | {house.pk: house.name}


def transfer_rows(rows: "QuerySet[Transfer]") -> list[TransferRow]:
    """Transfers in the order in which they were posted."""
    found = []
    for one in rows.select_related("actor").prefetch_related("entries__account").order_by("pk"):
        debits = {True: 0, False: 0}
        for entry in one.entries.all():
            debits[entry.account.kind in POSITIONS] += max(0, entry.amount_minor)
        moved_minor = max(debits.values())
        found.append(TransferRow(one, record_labels.transfer(one.kind), moved_minor))
    return found
