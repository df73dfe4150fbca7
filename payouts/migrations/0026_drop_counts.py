"""Drop boxes are counted too, by notes and coins. Not reversible."""

import django.db.models.deletion
from django.db import migrations, models

from payouts.sql import read_sql

NULLABLE = "ALTER TABLE public.payouts_countentry ALTER COLUMN posted_id DROP NOT NULL"
KNOWN = """
    ALTER TABLE public.payouts_count ADD CONSTRAINT count_known CHECK (
        place_kind IN ('tray', 'drop')
        AND purpose IN ('opener', 'closer', 'relief', 'drop', 'spot', 'suspicion')) NOT VALID
"""

class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0025_count_backs'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='count',
            name='count_known',
        ),
        migrations.AddField(
            model_name='count',
            name='taken_version',
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name='count',
            name='place_kind',
            field=models.CharField(choices=[('tray', 'tray'), ('drop', 'drop')], max_length=10),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(NULLABLE)],
            state_operations=[
                migrations.AlterField(
                    model_name='countentry',
                    name='posted',
                    field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.postedtable'),
                ),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(KNOWN)],
            state_operations=[
                migrations.AddConstraint(
                    model_name='count',
                    constraint=models.CheckConstraint(condition=models.Q(('place_kind__in', ['tray', 'drop']), ('purpose__in', ['opener', 'closer', 'relief', 'drop', 'spot', 'suspicion'])), name='count_known'),
                ),
            ],
        ),
        migrations.RunSQL(read_sql("count_v2")),
    ]
