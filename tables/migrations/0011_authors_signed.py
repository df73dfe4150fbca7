"""Who claims or corrects is an author too, and signs no late award and no void of a claiming round. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0010_changed_rounds"), ("jackpot", "0015_turns")]
    operations = [migrations.RunSQL(read_sql("author_v2", "tables"))]
