"""Figures of rule sets that take long to work out."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class RuleEdges(models.Model):
    """The exact edges of the house under the rules of this hash, whoever posts them: by name, as
    decimal text. Nothing of it is the books': worked out again it is the same.
    """

    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    kind = models.CharField(max_length=20)
    rules_hash = models.BinaryField(max_length=32)
    edges = models.JSONField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        app_label = "casino"
        constraints = [
            models.UniqueConstraint(fields=["kind", "rules_hash"], name="rule_edges_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.edges}"
