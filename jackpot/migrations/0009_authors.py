"""Who made a claim does not decide about it, and who took part in a round signs nothing that it pays. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0008_award_again"), ("payouts", "0014_report_plans")]
    operations = [migrations.RunSQL(read_sql("hit_v2", "jackpot"))]
