"""The guards of hits, awards and gates. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0008_guards"), ("jackpot", "0003_hits")]
    operations = [migrations.RunSQL(read_sql(name, "jackpot")) for name in ("jackpot_v2", "hit_v1", "award_v1", "gate_v1")]
