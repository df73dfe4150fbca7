"""A result is written by the newest cards that a feed sent of its round. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0022_plays_checked'),
    ]

    operations = [
        migrations.RunSQL(read_sql("round_v9", "tables")),
    ]
