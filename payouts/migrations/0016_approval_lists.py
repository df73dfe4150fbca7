"""Long lists stand beside what is signed, which holds their digests. Not reversible."""

import django.db.models.deletion
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0015_meter_base")]
    operations = [
        migrations.CreateModel(
            name="ApprovalList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "approval",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lists",
                        to="payouts.approval",
                    ),
                ),
                ("name", models.CharField(max_length=20)),
                ("text", models.TextField()),
            ],
            options={
                "abstract": False,
                "constraints": [models.UniqueConstraint(fields=("approval", "name"), name="approval_list_once")],
            },
        ),
        migrations.RunSQL(read_sql("approval_list_v1")),
    ]
