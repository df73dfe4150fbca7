"""Double entry: accounts, transfers, entries. Chart and recipes: `docs/LEDGER.md`; guards:
`payouts/sql/ledger_v*.sql`.

Foreign keys to the house go by pairs (account and house, transfer and house, house and currency),
so they are made in SQL.
"""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from payouts.models.base import AppendOnly, Guarded
from payouts.models.house import House
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR


class Account(Guarded):
    """One account: a kind of the chart for one owner (house, table, jackpot) and, where the kind
    asks, one detail (an epoch).

    Debit is positive. Balance and version move only through `ledger_post_v1`; the app role may not
    even try.
    """

    SIDES: ClassVar[dict[str, str]] = {"debit": "debit", "credit": "credit", "any": "any"}
    app_may = ("SELECT", "INSERT (house_id, currency, kind, owner_id, detail_id, side)")

    house = models.ForeignKey(
        House,
        on_delete=models.PROTECT,
        related_name="+",
        db_constraint=False,
        verbose_name=_("house"),
    )
    currency = models.CharField(max_length=3, verbose_name=_("currency"))
    kind = models.CharField(max_length=30, verbose_name=_("kind"))
    owner_id = models.UUIDField(verbose_name=_("owner"))
    detail_id = models.UUIDField(null=True, verbose_name=_("detail"))
    side = models.CharField(max_length=6, choices=SIDES, verbose_name=_("side"))
    balance_minor = models.BigIntegerField(db_default=0, verbose_name=_("balance (minor units)"))
    version = models.BigIntegerField(db_default=0, verbose_name=_("version"))
    created_at = models.DateTimeField(db_default=Now(), editable=False, verbose_name=_("opened"))

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.UniqueConstraint(
                fields=["house", "kind", "owner_id", "detail_id"],
                nulls_distinct=False,
                name="account_once",
            ),
            models.UniqueConstraint(fields=["id", "house"], name="account_of_house"),
            models.CheckConstraint(
                condition=models.Q(side__in=["debit", "credit", "any"]), name="account_side_known"
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(side="any")
                    | models.Q(side="debit", balance_minor__gte=0)
                    | models.Q(side="credit", balance_minor__lte=0)
                ),
                name="account_on_its_side",
            ),
        ]
        # A round reads the accounts of its table, however many a house has; their epochs come after
        # one another
        indexes = [models.Index(fields=["owner_id", "detail_id"], name="account_place")]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Transfer(AppendOnly):
    """One movement of money: what, why, for which round, hit or count, by whom, on which gaming
    day.
    """

    app_may = ("SELECT",)  # written by ledger_post_v1

    house = models.ForeignKey(
        House,
        on_delete=models.PROTECT,
        related_name="+",
        db_constraint=False,
        db_index=False,
        verbose_name=_("house"),
    )
    key = models.CharField(
        max_length=120, verbose_name=_("key")
    )  # natural key, for example "round:<uuid>:settle": the same thing is posted once
    kind = models.CharField(max_length=30, verbose_name=_("kind"))
    subject_kind = models.CharField(max_length=20, blank=True, verbose_name=_("kind of subject"))
    subject_id = models.UUIDField(null=True, verbose_name=_("subject"))
    gaming_day = models.DateField(verbose_name=_("gaming day"))
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("person"),
    )
    reason = models.CharField(max_length=500, blank=True, verbose_name=_("reason"))
    reverses = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.PROTECT,
        related_name="reversals",
        db_constraint=False,
        db_index=False,
        verbose_name=_("reverses"),
    )
    posted_at = models.DateTimeField(db_default=Now(), editable=False, verbose_name=_("posted"))

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        constraints = [
            models.UniqueConstraint(fields=["house", "key"], name="transfer_key_once"),
            models.UniqueConstraint(fields=["id", "house"], name="transfer_of_house"),
            models.UniqueConstraint(fields=["reverses"], name="transfer_reverses_once"),
        ]
        indexes = [
            models.Index(fields=["subject_id"], name="transfer_subject"),
            BrinIndex(
                fields=["posted_at"], pages_per_range=32, name="transfer_at"
            ),  # rows lie in the order of their times
            BrinIndex(
                fields=["gaming_day"], pages_per_range=32, name="transfer_day"
            ),  # and nearly in that of their days
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Entry(AppendOnly):
    """One leg of a transfer. Debit is positive; the entries of a transfer sum to zero (deferred
    trigger).
    """

    app_may = ("SELECT",)  # written by ledger_post_v1

    house = models.ForeignKey(
        House,
        on_delete=models.PROTECT,
        related_name="+",
        db_constraint=False,
        db_index=False,
        verbose_name=_("house"),
    )
    transfer = models.ForeignKey(
        Transfer,
        on_delete=models.PROTECT,
        related_name="entries",
        db_constraint=False,
        verbose_name=_("transfer"),
    )
    account = models.ForeignKey(
        Account,
        on_delete=models.PROTECT,
        related_name="entries",
        db_constraint=False,
        db_index=False,
        verbose_name=_("account"),
    )
    amount_minor = models.BigIntegerField(verbose_name=_("amount (minor units)"))
    account_version = models.BigIntegerField(verbose_name=_("version of the account"))
    balance_after_minor = models.BigIntegerField(verbose_name=_("balance after (minor units)"))
    note = models.CharField(max_length=60, blank=True, verbose_name=_("note"))

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [
            # Who adds an account up reads nothing else: its entries lie all over the table.
            models.UniqueConstraint(
                fields=["account", "account_version"],
                include=["transfer", "amount_minor"],
                name="entry_version_once",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(
                        amount_minor__gte=-AMOUNT_MAX_MINOR, amount_minor__lte=AMOUNT_MAX_MINOR
                    )
                    & ~models.Q(amount_minor=0)
                ),
                name="entry_amount_sane",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount_minor} on {self.account_id}"
