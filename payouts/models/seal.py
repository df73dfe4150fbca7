"""Seals over append-only rows, and which rows each of them holds. Made by
`payouts/services/seal.py`; see `docs/SEALS.md`.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from payouts.models.base import AppendOnly


class Seal(AppendOnly):
    """One interval: a statement (`payouts.rules.seal.Statement`) and the signature under it.
    Numbers have no gap.
    """

    sealed = ()  # the chain holds it
    app_may = ("SELECT",)
    sealer_may = ("INSERT",)

    number = models.BigIntegerField(primary_key=True)
    taken_at = models.DateTimeField(editable=False)  # as the statement says, to be found by
    statement = models.TextField()
    signature = models.BinaryField(max_length=64)  # Ed25519

    def __str__(self) -> str:
        return str(self.number)


class SealedRows(AppendOnly):
    """The rows of one table that a seal holds: their keys and the digest of each, in the order of
    the keys.
    """

    sealed = ()  # its digest stands in the seal
    app_may = ("SELECT",)
    sealer_may = ("INSERT",)

    seal = models.ForeignKey(Seal, on_delete=models.PROTECT, related_name="parts")
    table = models.CharField(max_length=63)
    # in the order in which they are hashed, the key first
    columns = ArrayField(models.CharField(max_length=63))
    # highest number among the keys; none where keys are UUIDs
    last = models.BigIntegerField(null=True)
    keys = models.BinaryField()  # numbers as runs, UUIDs as they are
    leaves = models.BinaryField()  # 32 bytes a row

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "seal"], name="sealed_rows_once")]
        indexes = [models.Index(fields=["table", "last"], name="sealed_rows_last")]

    def __str__(self) -> str:
        return f"{self.table} in {self.seal_id}"
