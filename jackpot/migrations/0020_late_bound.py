"""A late award is at most what its epoch gives by its winners. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0019_doubted_awards'),
    ]

    operations = [migrations.RunSQL(read_sql("award_v5", "jackpot"))]
