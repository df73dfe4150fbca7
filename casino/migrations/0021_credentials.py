"""A credential is a right: who rests from what, who pays a slip, who says no. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


LINE = ("SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)", ("person.credential", 1, ["manager"], "totp", 86_400))


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0020_alert_looked_at"),
        ("jackpot", "0020_late_bound"),
        ("payouts", "0018_rejected"),
        ("tables", "0024_closing"),
    ]
    # The guard first: a table with events that are still to be checked takes no trigger.
    operations = [migrations.RunSQL(read_sql("person_v5", "casino")), migrations.RunSQL([LINE])]
