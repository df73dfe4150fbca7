"""What a round's commands read is found through indexes, however the tables have grown. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0008_guards"), ("tables", "0003_clarify_each")]
    operations = [migrations.RunSQL(read_sql("round_record_v2", "tables"))]
