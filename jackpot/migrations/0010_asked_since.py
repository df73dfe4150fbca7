"""An act on a jackpot was asked for in the phase that it is about. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0009_authors")]
    operations = [migrations.RunSQL(read_sql("jackpot_v3", "jackpot"))]
