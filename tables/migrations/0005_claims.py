"""Locks know the rules about hits; settlements see a *Royal!* call that came before them. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0004_plans"), ("jackpot", "0004_hit_guards")]
    operations = [migrations.RunSQL(read_sql("round_v3", "tables"))]
