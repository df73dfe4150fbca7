"""The database refuses more coins than a table has boxes. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_claims"), ("jackpot", "0003_hits")]
    operations = [migrations.RunSQL(read_sql("contribution_v1", "tables"))]
