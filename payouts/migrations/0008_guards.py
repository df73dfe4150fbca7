"""Rows are dated by the database; a reversal lies in its transfer's house and mirrors it. Not reversible."""

import django.db.models.deletion
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0007_house_gaming_day")]
    operations = [
        migrations.AlterField(
            model_name="approvalrule",
            name="approval",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="payouts.approval",
                verbose_name="approval",
            ),
        ),
        # The key by pairs in ledger_v2 takes its place
        migrations.AlterField(
            model_name="transfer",
            name="reverses",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reversals",
                to="payouts.transfer",
                verbose_name="reverses",
            ),
        ),
        *(migrations.RunSQL(read_sql(name)) for name in ("append_only_v2", "ledger_v2")),
    ]
