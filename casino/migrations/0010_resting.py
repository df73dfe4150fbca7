"""Who was made anew by another rests; a signature counts while its signer may sign. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0009_report_runs"),
        ("jackpot", "0008_award_again"),
        ("payouts", "0014_report_plans"),
        ("tables", "0008_report_plans"),
    ]
    operations = [migrations.RunSQL(read_sql("person_v2", "casino"))]
