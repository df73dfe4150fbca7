"""A guard for tables of the upper floors. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0005_approved_rules")]
    operations = [migrations.RunSQL(read_sql("columns_v1"))]
