"""Keys of commands: the same key is carried out once and answered the same for ever."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from payouts.models.base import Guarded


class CommandKey(Guarded):
    """One command: key, SHA-256 of what was asked, answer. Written by `command_answer_v2`, under
    the lock of `command_claim_v2`.
    """

    app_may = ("SELECT",)

    key = models.CharField(max_length=200, primary_key=True, verbose_name=_("key"))
    fingerprint = models.BinaryField(max_length=32, verbose_name=_("fingerprint"))
    answer = models.JSONField(null=True, verbose_name=_("answer"))
    # for thirty days: `command_forget_v1`
    kept = models.BooleanField(db_default=True, verbose_name=_("answer kept"))
    created_at = models.DateTimeField(
        db_default=Now(), editable=False, verbose_name=_("carried out")
    )

    class Meta:
        verbose_name = _("command")
        verbose_name_plural = _("commands")
        indexes = [
            models.Index(
                fields=["key"], condition=models.Q(answer__isnull=True), name="command_unanswered"
            ),
            models.Index(fields=["created_at"], condition=models.Q(kept=True), name="command_kept"),
        ]

    def __str__(self) -> str:
        return self.key
