"""Which jackpots cannot advance, since when, and why. Reversible."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0011_prize_again"), ("payouts", "0016_approval_lists")]
    operations = [
        migrations.CreateModel(
            name="Standstill",
            fields=[
                (
                    "jackpot",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="standstill",
                        serialize=False,
                        to="jackpot.jackpot",
                    ),
                ),
                ("since", models.DateTimeField(editable=False)),
                ("failures", models.PositiveIntegerField()),
                ("error", models.CharField(max_length=200)),
                ("over_at", models.DateTimeField(editable=False, null=True)),
            ],
        )
    ]
