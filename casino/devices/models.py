"""Devices: one-time codes that enrol tablets and displays, tablets and card feeds of tables,
displays of jackpots, and who is signed in on a tablet.
"""

import uuid
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Union

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from payouts.models import Guarded, House

if TYPE_CHECKING:
    from jackpot.models import Jackpot
    from tables.models import Table

TABLET, FEED, DISPLAY = "tablet", "feed", "display"
PERSON = settings.AUTH_USER_MODEL
AT_A_TABLE = Q(table__isnull=False, jackpot=None)
OF_A_JACKPOT = Q(table=None, jackpot__isnull=False)


class DeviceCode(Guarded):
    """A code, good once and for minutes, by which a tablet becomes a table's, or a display a
    jackpot's.

    Its first half finds it, the second proves it: so a wrong second half can be charged to the very
    code it was tried on.
    """

    ENDS: ClassVar[dict[str, str]] = {end: end for end in ("used", "expired", "spent", "replaced")}
    app_may = ("SELECT", "INSERT", "UPDATE (tries, ended_at, ended_as)")
    clock = "made_at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(
        "tables.Table",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("table"),
    )
    jackpot = models.ForeignKey(
        "jackpot.Jackpot",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("jackpot"),
    )
    name = models.CharField(_("name"), max_length=40)  # the device's, once it is enrolled
    handle = models.CharField(max_length=4)
    proof = models.BinaryField(max_length=32)  # keyed hash of the whole code
    tries = models.PositiveSmallIntegerField(_("wrong tries"), default=0)
    made_by = models.ForeignKey(
        PERSON, on_delete=models.PROTECT, related_name="+", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"), db_default=Now(), editable=False)
    expires_at = models.DateTimeField(_("good until"))
    ended_at = models.DateTimeField(_("ended"), null=True, editable=False)
    ended_as = models.CharField(_("how it ended"), max_length=8, choices=ENDS, blank=True)

    class Meta:
        verbose_name = _("enrolment code")
        verbose_name_plural = _("enrolment codes")
        constraints = [
            models.UniqueConstraint(
                fields=["handle"], condition=Q(ended_at=None), name="device_code_handle_once"
            ),
            models.UniqueConstraint(fields=["id", "house", "table"], name="device_code_of_table"),
            models.UniqueConstraint(
                fields=["id", "house", "jackpot"], name="device_code_of_jackpot"
            ),
            models.CheckConstraint(condition=AT_A_TABLE | OF_A_JACKPOT, name="device_code_of_one"),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_as="")
                | Q(ended_at__isnull=False, ended_as__in=["used", "expired", "spent", "replaced"]),
                name="device_code_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.made_at}"

    @property
    def place(self) -> Union["Table", "Jackpot"]:
        """The table, or the jackpot, whose device it makes."""
        return _one(self.table, self.jackpot)


class Device(Guarded):
    """A tablet or a card feed (shoe, shuffler) of one table, or a display of one jackpot. It proves
    itself by a token whose hash alone is kept.

    Never moved: at another table, or for another jackpot, it is another device.
    """

    KINDS: ClassVar[dict[str, object]] = {
        TABLET: _("tablet"),
        FEED: _("card feed"),
        DISPLAY: _("display"),
    }
    app_may = (
        "SELECT",
        "INSERT",
        "UPDATE (last_seen_at, page_stored, unsent, revoked_at, revoked_by_id, revoked_reason)",
    )
    clock = "enrolled_at"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(
        "tables.Table",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("table"),
    )
    jackpot = models.ForeignKey(
        "jackpot.Jackpot",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("jackpot"),
    )
    kind = models.CharField(_("kind"), max_length=7, choices=KINDS)
    name = models.CharField(_("name"), max_length=40)
    token_hash = models.BinaryField(max_length=32, unique=True)
    # enrols one, ever
    code = models.OneToOneField(DeviceCode, null=True, on_delete=models.PROTECT, related_name="+")
    enrolled_by = models.ForeignKey(
        PERSON, on_delete=models.PROTECT, related_name="+", verbose_name=_("enrolled by")
    )
    enrolled_at = models.DateTimeField(_("enrolled"), db_default=Now(), editable=False)
    last_seen_at = models.DateTimeField(_("last seen"), null=True, editable=False)
    # as a tablet reports of itself (`casino.devices.stored`); none of a feed or a display
    page_stored = models.BooleanField(_("page stored"), null=True, editable=False)
    unsent = models.SmallIntegerField(_("entries not sent"), null=True, editable=False)
    revoked_by = models.ForeignKey(
        PERSON, null=True, on_delete=models.PROTECT, related_name="+", verbose_name=_("revoked by")
    )
    revoked_at = models.DateTimeField(_("revoked"), null=True, editable=False)
    revoked_reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        constraints = [
            models.UniqueConstraint(
                fields=["table", "kind", "name"],
                condition=Q(revoked_at=None),
                name="device_name_once",
            ),
            models.UniqueConstraint(
                fields=["jackpot", "name"],
                condition=Q(revoked_at=None),
                name="device_display_name_once",
            ),
            models.CheckConstraint(
                condition=Q(AT_A_TABLE, kind=TABLET, code__isnull=False)
                | Q(AT_A_TABLE, kind=FEED, code=None)
                | Q(OF_A_JACKPOT, kind=DISPLAY, code__isnull=False),
                name="device_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(revoked_at=None, revoked_by=None, revoked_reason="")
                | (Q(revoked_at__isnull=False, revoked_by__isnull=False) & ~Q(revoked_reason="")),
                name="device_revoked_by",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> Union["Table", "Jackpot"]:
        """The table of a tablet or feed, the jackpot of a display."""
        return _one(self.table, self.jackpot)

    @property
    def own_table(self) -> "Table":
        """The table of a tablet or feed."""
        if self.table is None:
            raise RuntimeError("a display stands at no table")
        return self.table

    @property
    def own_jackpot(self) -> "Jackpot":
        """The jackpot of a display."""
        if self.jackpot is None:
            raise RuntimeError("a device of a table shows no jackpot")
        return self.jackpot


class DeviceSession(Guarded):
    """A person signed in on a tablet by their PIN, until they sign out, somebody else does, or a
    shift's time is over.
    """

    ENDS: ClassVar[dict[str, str]] = {
        end: end for end in ("signed_out", "replaced", "revoked", "expired", "freed", "barred")
    }
    app_may = ("SELECT", "INSERT", "UPDATE (ended_at, ended_as, ended_by_id, idle_at, used_at)")
    clock = "began_at"
    # by the database's clock, which wrote the moments below; of one that came by `open_session`
    read_at: datetime | None = None

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    device = models.ForeignKey(
        Device, on_delete=models.PROTECT, related_name="sessions", verbose_name=_("device")
    )
    person = models.ForeignKey(
        PERSON, on_delete=models.PROTECT, related_name="+", verbose_name=_("person")
    )
    began_at = models.DateTimeField(_("began"), db_default=Now(), editable=False)
    expires_at = models.DateTimeField(_("good until"))
    used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    idle_at = models.DateTimeField(_("asks for the PIN since"), null=True, editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, editable=False)
    ended_as = models.CharField(_("how it ended"), max_length=10, choices=ENDS, blank=True)
    ended_by = models.ForeignKey(
        PERSON, null=True, on_delete=models.PROTECT, related_name="+", verbose_name=_("ended by")
    )

    class Meta:
        verbose_name = _("sign-in on a device")
        verbose_name_plural = _("sign-ins on devices")
        constraints = [
            models.UniqueConstraint(
                fields=["device"], condition=Q(ended_at=None), name="device_session_one_open"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_as="")
                | Q(
                    ended_at__isnull=False,
                    ended_as__in=[
                        "signed_out",
                        "replaced",
                        "revoked",
                        "expired",
                        "freed",
                        "barred",
                    ],
                ),
                name="device_session_ended",
            ),
        ]
        indexes = [models.Index(fields=["device", "-began_at"], name="device_session_recent")]

    def __str__(self) -> str:
        return f"{self.person_id} on {self.device_id}"


def _one(table: "Table | None", jackpot: "Jackpot | None") -> Union["Table", "Jackpot"]:
    place = table or jackpot
    if place is None:
        # the database refuses such a row
        raise RuntimeError("a device of neither a table nor a jackpot")
    return place
