"""Seals and what each of them holds. Their guards are those of every append-only table."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("payouts", "0011_account_place")]
    operations = [
        migrations.CreateModel(
            name="Seal",
            fields=[
                ("number", models.BigIntegerField(primary_key=True, serialize=False)),
                ("taken_at", models.DateTimeField(editable=False)),
                ("statement", models.TextField()),
                ("signature", models.BinaryField(max_length=64)),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="SealedRows",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "seal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="parts", to="payouts.seal"
                    ),
                ),
                ("table", models.CharField(max_length=63)),
                (
                    "columns",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=63), size=None),
                ),
                ("last", models.BigIntegerField(null=True)),
                ("keys", models.BinaryField()),
                ("leaves", models.BinaryField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("table", "seal"), name="sealed_rows_once")],
                "indexes": [models.Index(fields=["table", "last"], name="sealed_rows_last")],
            },
        ),
    ]
