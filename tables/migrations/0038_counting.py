"""A session is played between two counts of its tray, which freeze it. Not reversible."""

import django.db.models.deletion
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0022_counts'),
        ('tables', '0037_versions_checked'),
    ]

    operations = [
        migrations.AddField(
            model_name='tablesession',
            name='closer',
            field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.count'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='counting',
            field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.count'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='opener',
            field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.count'),
        ),
        *(
            migrations.RunSQL(read_sql(name, "tables"))
            for name in ("counting_v1", "floor_v3", "round_v12")
        ),
    ]
