"""A house has played from its first hand on, as from its first lock. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0027_clock_ahead"), ("tables", "0026_hands")]

    operations = [migrations.RunSQL(read_sql("person_v11", "casino"))]
