"""A sign-in is its newest setters' alone; the log is read by the hour. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0024_alone")]

    operations = [migrations.RunSQL(read_sql("person_v8", "casino"))]
