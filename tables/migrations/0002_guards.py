"""The guards of the floor's rows, and the calls that write rounds. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0002_guards"), ("tables", "0001_floor")]
    operations = [migrations.RunSQL(read_sql(name, "tables")) for name in ("floor_v1", "round_v1")]
