"""Approvals: what needs how many other people, who asked, who signed. Guards in
`payouts/sql/approval_v1.sql`.
"""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from payouts.models.base import AppendOnly, Guarded, codes
from payouts.models.house import House


class ApprovalRule(AppendOnly):
    """One line of a house's matrix: an action needs this many signers of these roles. The newest
    version is in force.
    """

    house = models.ForeignKey(
        House, on_delete=models.PROTECT, related_name="+", verbose_name=_("house")
    )
    action = models.CharField(max_length=40, verbose_name=_("action"))
    version = models.PositiveIntegerField(verbose_name=_("version"))
    signers = models.PositiveSmallIntegerField(verbose_name=_("signatures needed"))
    roles = ArrayField(models.CharField(max_length=20), verbose_name=_("roles"))
    # how a signer proves themselves: pin or totp
    method = models.CharField(max_length=4, verbose_name=_("proof"))
    lifetime_s = models.PositiveIntegerField(verbose_name=_("life (seconds)"))
    # what allowed this version; none for those that a house is born with
    approval = models.ForeignKey(
        "Approval",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("approval"),
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False, verbose_name=_("since"))

    class Meta:
        verbose_name = _("approval rule")
        verbose_name_plural = _("approval rules")
        constraints = [
            models.UniqueConstraint(
                fields=["house", "action", "version"], name="approval_rule_version"
            ),
            models.CheckConstraint(
                condition=models.Q(signers__gte=1, signers__lte=5), name="approval_rule_signers"
            ),
            models.CheckConstraint(
                condition=models.Q(method__in=["pin", "totp"]), name="approval_rule_method"
            ),
            models.CheckConstraint(
                condition=models.Q(lifetime_s__gte=30, lifetime_s__lte=86_400),
                name="approval_rule_lifetime",
            ),
            models.CheckConstraint(
                condition=models.Q(roles__len__gte=1), name="approval_rule_roles"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} v{self.version}"


class ApprovalState(models.TextChoices):
    """Of an approval."""

    OPEN = "open", _("open")
    USED = "used", _("used")
    KILLED = "killed", _("taken back")
    REJECTED = "rejected", _("rejected")


WAITING = models.Q(state=ApprovalState.OPEN, expires_at__gt=Now())  # can still be signed or used


class Approval(Guarded):
    """One request: bound to the hash of its payload and to a revision, open for a while by the
    database's clock, used once.
    """

    State = ApprovalState

    id = models.UUIDField(primary_key=True, editable=False, verbose_name=_("number"))
    house = models.ForeignKey(
        House, on_delete=models.PROTECT, related_name="+", verbose_name=_("house")
    )
    rule = models.ForeignKey(
        ApprovalRule, on_delete=models.PROTECT, related_name="+", verbose_name=_("approval rule")
    )
    action = models.CharField(max_length=40, verbose_name=_("action"))
    subject_kind = models.CharField(max_length=20, verbose_name=_("kind of subject"))
    subject_id = models.CharField(max_length=64, verbose_name=_("subject"))
    revision = models.PositiveIntegerField(verbose_name=_("revision"))
    payload = models.JSONField(verbose_name=_("what is approved"))
    payload_hash = models.BinaryField(max_length=32, verbose_name=_("its SHA-256"))
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("requested by"),
    )
    excluded = ArrayField(
        models.UUIDField(), default=list, verbose_name=_("may not sign")
    )  # people who may not sign, for example who dealt the round
    signers = models.PositiveSmallIntegerField(verbose_name=_("signatures needed"))
    roles = ArrayField(models.CharField(max_length=20), verbose_name=_("roles"))
    method = models.CharField(max_length=4, verbose_name=_("proof"))
    state = models.CharField(
        max_length=8,
        choices=codes(ApprovalState),
        default=ApprovalState.OPEN,
        verbose_name=_("state"),
    )
    requested_at = models.DateTimeField(
        db_default=Now(), editable=False, verbose_name=_("requested")
    )
    expires_at = models.DateTimeField(verbose_name=_("expires"))
    closed_at = models.DateTimeField(null=True, verbose_name=_("closed"))

    class Meta:
        verbose_name = _("approval")
        verbose_name_plural = _("approvals")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=ApprovalState.values), name="approval_state_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["house", "expires_at"],
                condition=models.Q(state=ApprovalState.OPEN),
                name="approval_open",
            ),
            models.Index(fields=["subject_kind", "subject_id"], name="approval_subject"),
            models.Index(
                fields=["house", "closed_at"],
                condition=models.Q(state=ApprovalState.REJECTED),
                name="approval_rejected",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.id}"

    @property
    def waits(self) -> bool:
        """Whether it can still be signed or used."""
        return self.state == ApprovalState.OPEN and self.expires_at > timezone.now()


class ApprovalSignature(AppendOnly):
    """One person's signature under one payload. A trigger refuses the requester, a late one, one
    for another payload and one that is not attested.
    """

    approval = models.ForeignKey(
        Approval,
        on_delete=models.PROTECT,
        related_name="signatures",
        db_index=False,
        verbose_name=_("approval"),
    )
    signer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("signed by"),
    )
    payload_hash = models.BinaryField(max_length=32, verbose_name=_("SHA-256 of what was signed"))
    method = models.CharField(max_length=4, verbose_name=_("proof"))
    # the time step of the code that proved the signer, and which of its signatures this is
    step = models.BigIntegerField(null=True, verbose_name=_("time step of the code"))
    ordinal = models.SmallIntegerField(null=True, verbose_name=_("which of the code's signatures"))
    # none before signatures were attested (`payouts/unattested.py`)
    mac = models.BinaryField(max_length=32, null=True, verbose_name=_("proof of the program"))
    signed_at = models.DateTimeField(db_default=Now(), editable=False, verbose_name=_("signed"))

    class Meta:
        verbose_name = _("signature")
        verbose_name_plural = _("signatures")
        constraints = [
            models.UniqueConstraint(fields=["approval", "signer"], name="signer_once"),
            models.UniqueConstraint(fields=["signer", "step", "ordinal"], name="code_signs_once"),
        ]

    def __str__(self) -> str:
        return f"{self.signer_id} under {self.approval_id}"


class ApprovalList(AppendOnly):
    """A list beside what is signed, in its canonical form, whose SHA-256 stands in the payload
    (`approval_list_v1.sql`).
    """

    approval = models.ForeignKey(
        Approval, on_delete=models.PROTECT, related_name="lists", db_index=False
    )
    name = models.CharField(max_length=20)
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["approval", "name"], name="approval_list_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.approval_id}"
