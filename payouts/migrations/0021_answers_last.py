"""A command is durable when it answers, whatever its session was set to. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0020_code_signs_once")]
    operations = [migrations.RunSQL(read_sql("command_key_v4"))]
