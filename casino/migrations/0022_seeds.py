"""From a house's first lock on, a new jackpot needs a second person. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql

LINE = (
    "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)",
    ("jackpot.create", 1, ["pit_boss", "manager"], "totp", 86_400),
)


class Migration(migrations.Migration):
    dependencies = [("casino", "0021_credentials")]

    operations = [migrations.RunSQL(read_sql("seed_v1", "casino")), migrations.RunSQL([LINE])]
