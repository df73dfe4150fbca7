"""A role that signs is given by two: the line of the matrix for houses that were opened before, and its guard. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql

LINE = ("SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)", ("person.sign_role", 1, ["manager"], "totp", 86_400))


class Migration(migrations.Migration):
    dependencies = [("casino", "0010_resting"), ("payouts", "0016_approval_lists")]
    # The guard first: a line leaves an event, and a table with events that are still to be checked takes no trigger.
    operations = [migrations.RunSQL(read_sql("person_v3", "casino")), migrations.RunSQL([LINE])]
