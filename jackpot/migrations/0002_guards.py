"""The guards of the jackpot's rows. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0006_columns"), ("jackpot", "0001_jackpot")]
    operations = [migrations.RunSQL(read_sql(name, "jackpot")) for name in ("jackpot_v1",)]
