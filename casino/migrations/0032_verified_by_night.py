"""The nightly verification, which nobody asks for, is carried out. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0031_used")]

    operations = [migrations.RunSQL(read_sql("verify_run_v2", "casino"))]
