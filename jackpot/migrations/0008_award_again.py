"""A winner whose slip was cancelled unpaid may be awarded again: a trigger keeps what a unique key kept. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0007_prizes")]
    operations = [
        migrations.RemoveConstraint(model_name="award", name="award_once_a_winner"),
        migrations.RunSQL(read_sql("award_v2", "jackpot")),
    ]
