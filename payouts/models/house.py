"""The house."""

import uuid
from datetime import time

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from payouts.models.base import Guarded


class House(Guarded):
    """One casino: the owner of tables, accounts and people. Every money row carries its id (the
    distribution key).
    """

    app_may = ("SELECT", "INSERT")  # what a house is does not change while it has books
    # first lines of the matrix are free while the house is being born (approval_rule_guard)
    clock = "created_at"
    sealed = ("*",)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True, verbose_name=_("name"))
    currency = models.CharField(
        max_length=3, verbose_name=_("currency")
    )  # ISO 4217; amounts are whole minor units of it
    locale = models.CharField(
        max_length=10, default="de-CH", verbose_name=_("how amounts are written")
    )  # how amounts are written: de-CH 1’284.50, de-DE 1.284,50
    time_zone = models.CharField(
        max_length=40, default="Europe/Zurich", verbose_name=_("time zone")
    )
    gaming_day_change = models.TimeField(
        default="06:00", verbose_name=_("change of the gaming day")
    )  # local time at which one gaming day ends and the next begins (HSE-1)
    created_at = models.DateTimeField(db_default=Now(), editable=False, verbose_name=_("created"))

    class Meta:
        verbose_name = _("house")
        verbose_name_plural = _("houses")
        constraints = [
            # Accounts refer to the pair, so an account's currency is its house's, and a house with
            # accounts keeps its currency.
            models.UniqueConstraint(fields=["id", "currency"], name="house_currency"),
            models.CheckConstraint(
                condition=models.Q(currency__regex=r"^[A-Z]{3}$"), name="house_currency_iso"
            ),
            # After the last closing and before the first opening of any house (HSE-1), on a whole
            # minute: rules count in minutes.
            models.CheckConstraint(
                condition=models.Q(
                    gaming_day_change__gte=time(4),
                    gaming_day_change__lte=time(12),
                    gaming_day_change__second=0,
                ),
                name="house_gaming_day_change",
            ),
        ]

    def __str__(self) -> str:
        return self.name
