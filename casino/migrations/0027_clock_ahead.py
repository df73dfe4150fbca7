"""A clock that ran ahead delays no rest. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0026_log_turn")]

    operations = [migrations.RunSQL(read_sql("person_v10", "casino"))]
