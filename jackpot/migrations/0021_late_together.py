"""The late awards of an epoch are together no more than what it gave. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0020_late_bound'),
    ]

    operations = [migrations.RunSQL(read_sql("award_v6", "jackpot"))]
