"""A turn of the log is read in its own order; `log_turned_v1`, which nothing asks, goes. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0025_standing_settings")]

    operations = [migrations.RunSQL(read_sql("person_v9", "casino"))]
