"""A lock knows whether its jackpot has a display. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [("tables", "0011_authors_signed"), ("jackpot", "0017_coins_need_a_display")]

    operations = [migrations.RunSQL(read_sql("round_v5", "tables"))]
