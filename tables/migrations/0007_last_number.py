"""The last round of a session is found at once; its rounds by the index of their numbers. Not reversible."""

import django.db.models.deletion
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0006_coins")]
    operations = [
        migrations.AlterField(
            model_name="round",
            name="session",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rounds",
                to="tables.tablesession",
            ),
        ),
        migrations.RunSQL(read_sql("round_v4", "tables")),
    ]
