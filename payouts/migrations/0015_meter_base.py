"""The base of a meter may owe what the meter as a whole still holds, so that a meter can be lowered to nothing. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql

# Nobody else may change an account's side: its guard is put aside for this one statement, in this transaction.
_SIDES = """
    ALTER TABLE public.payouts_account DISABLE TRIGGER account_guard;
    UPDATE public.payouts_account SET side = 'any' WHERE kind = 'meter_base';
    ALTER TABLE public.payouts_account ENABLE ALWAYS TRIGGER account_guard;
"""


class Migration(migrations.Migration):
    dependencies = [("payouts", "0014_report_plans")]
    operations = [migrations.RunSQL(_SIDES), migrations.RunSQL(read_sql("meter_base_v1"))]
