"""Displays: devices of a jackpot instead of a table. Not reversible."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

from payouts.sql import read_sql

AT_A_TABLE = Q(table__isnull=False, jackpot=None)
OF_A_JACKPOT = Q(table=None, jackpot__isnull=False)


def _reference(to: str, verbose_name: str) -> models.ForeignKey:
    return models.ForeignKey(
        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=to, verbose_name=verbose_name
    )


class Migration(migrations.Migration):
    dependencies = [("casino", "0004_guards"), ("jackpot", "0005_matrix"), ("tables", "0002_guards")]
    operations = [
        *(
            operation
            for model in ("device", "devicecode")
            for operation in (
                migrations.AddField(model, "jackpot", _reference("jackpot.jackpot", "jackpot")),
                migrations.AlterField(model, "table", _reference("tables.table", "table")),
            )
        ),
        migrations.AlterField(
            "device",
            "kind",
            models.CharField(
                choices=[("tablet", "tablet"), ("feed", "card feed"), ("display", "display")],
                max_length=7,
                verbose_name="kind",
            ),
        ),
        migrations.RemoveConstraint("device", "device_kind_known"),
        migrations.AddConstraint(
            "device",
            models.CheckConstraint(
                condition=Q(AT_A_TABLE, kind="tablet", code__isnull=False)
                | Q(AT_A_TABLE, kind="feed", code=None)
                | Q(OF_A_JACKPOT, kind="display", code__isnull=False),
                name="device_kind_known",
            ),
        ),
        migrations.AddConstraint(
            "device",
            models.UniqueConstraint(
                fields=["jackpot", "name"], condition=Q(revoked_at=None), name="device_display_name_once"
            ),
        ),
        migrations.AddConstraint(
            "devicecode",
            models.UniqueConstraint(fields=["id", "house", "jackpot"], name="device_code_of_jackpot"),
        ),
        migrations.AddConstraint(
            "devicecode", models.CheckConstraint(condition=AT_A_TABLE | OF_A_JACKPOT, name="device_code_of_one")
        ),
        migrations.RunSQL(read_sql("device_v2", "casino")),
    ]
