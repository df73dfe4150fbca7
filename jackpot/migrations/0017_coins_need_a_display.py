"""No round with a coin begins while its jackpot has no display to show a new value. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [("jackpot", "0016_incarnations")]

    operations = [migrations.RunSQL(read_sql("jackpot_v5", "jackpot"))]
