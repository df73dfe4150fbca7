"""Houses that were opened before get the lines of the approval matrix that new houses start with. Not reversible: lines stay.

A migration of any app that brings a new action adds its line the same way: it depends on this one and calls `matrix_line_add_v1`.
The lines stand here as they were on the day, whatever `DEFAULT_MATRIX` says later.
"""

from django.db import migrations

from payouts.sql import read_sql

ADD = "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)"
LINES = (  # action, signers, roles, proof, life in seconds
    ("transfer.reverse", 1, ["pit_boss", "manager"], "pin", 3_600),
    ("round.correct", 1, ["pit_boss", "manager"], "pin", 3_600),
    ("approval_rule.change", 2, ["manager", "auditor"], "totp", 3_600),
    ("posted_table.release", 2, ["technician", "manager", "auditor"], "totp", 86_400),
)


class Migration(migrations.Migration):
    dependencies = [("payouts", "0008_guards")]
    operations = [migrations.RunSQL(read_sql("matrix_v1")), migrations.RunSQL([(ADD, line) for line in LINES])]
