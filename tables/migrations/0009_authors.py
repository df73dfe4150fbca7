"""Who enters a result decides about no claim of it and signs none of its prizes. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0008_report_plans"), ("jackpot", "0009_authors")]
    operations = [migrations.RunSQL(read_sql("author_v1", "tables"))]
