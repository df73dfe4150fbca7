"""A lock reads the moment and the zone by which its gaming day closes. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0023_newest_feed'),
    ]

    operations = [
        migrations.RunSQL(read_sql("round_v10", "tables")),
    ]
