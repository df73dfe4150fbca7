"""A line of the matrix changes only by an approval. Not reversible."""

import django.db.models.deletion
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0004_posted_tables")]
    operations = [
        migrations.AddField(
            model_name="approvalrule",
            name="approval",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.approval"
            ),
        ),
        migrations.RunSQL(read_sql("approval_rule_v1")),
    ]
