"""Approvals: what needs how many other people, who asked, who signed. Guards in `payouts/sql/approval_v1.sql`."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from payouts.models.base import AppendOnly, Guarded
from payouts.models.house import House


class ApprovalRule(AppendOnly):
    """One line of a house's matrix: an action needs this many signers of these roles. The newest version is in force."""

    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    signers = models.PositiveSmallIntegerField()
    roles = ArrayField(models.CharField(max_length=20))
    method = models.CharField(max_length=4)  # how a signer proves himself: pin or totp
    lifetime_s = models.PositiveIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["house", "action", "version"], name="approval_rule_version"),
            models.CheckConstraint(condition=models.Q(signers__gte=1, signers__lte=5), name="approval_rule_signers"),
            models.CheckConstraint(condition=models.Q(method__in=["pin", "totp"]), name="approval_rule_method"),
            models.CheckConstraint(
                condition=models.Q(lifetime_s__gte=30, lifetime_s__lte=86_400), name="approval_rule_lifetime"
            ),
            models.CheckConstraint(condition=models.Q(roles__len__gte=1), name="approval_rule_roles"),
        ]

    def __str__(self) -> str:
        return f"{self.action} v{self.version}"


class Approval(Guarded):
    """One request: bound to the hash of its payload and to a revision, open for a while by the database's clock, used once."""

    STATES: ClassVar[dict[str, str]] = {"open": "open", "used": "used", "killed": "killed", "rejected": "rejected"}

    id = models.UUIDField(primary_key=True, editable=False)
    house = models.ForeignKey(House, on_delete=models.PROTECT, related_name="+")
    rule = models.ForeignKey(ApprovalRule, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=40)
    subject_kind = models.CharField(max_length=20)
    subject_id = models.CharField(max_length=64)
    revision = models.PositiveIntegerField()
    payload = models.JSONField()
    payload_hash = models.BinaryField(max_length=32)
    requester = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    excluded = ArrayField(models.UUIDField(), default=list)  # people who may not sign, for example who dealt the round
    signers = models.PositiveSmallIntegerField()
    roles = ArrayField(models.CharField(max_length=20))
    method = models.CharField(max_length=4)
    state = models.CharField(max_length=8, choices=STATES, default="open")
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "used", "killed", "rejected"]), name="approval_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["house", "expires_at"], condition=models.Q(state="open"), name="approval_open"),
            models.Index(fields=["subject_kind", "subject_id"], name="approval_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.id}"


class ApprovalSignature(AppendOnly):
    """One person's signature under one payload. A trigger refuses the requester, a late one and one for another payload."""

    approval = models.ForeignKey(Approval, on_delete=models.PROTECT, related_name="signatures", db_index=False)
    signer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    payload_hash = models.BinaryField(max_length=32)
    method = models.CharField(max_length=4)
    signed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["approval", "signer"], name="signer_once")]

    def __str__(self) -> str:
        return f"{self.signer_id} under {self.approval_id}"
