"""A command writes its key once, with its answer; until then a lock holds it. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    # After the floor's plans, which say how the functions that go here are planned
    dependencies = [("payouts", "0009_matrix"), ("tables", "0004_plans")]
    operations = [migrations.RunSQL(read_sql("command_key_v2"))]
