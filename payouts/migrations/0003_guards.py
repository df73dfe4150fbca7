"""The database's own defence of the books. Not reversible: books are not unmade."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0002_books")]
    operations = [
        migrations.RunSQL(read_sql(name)) for name in ("append_only_v1", "ledger_v1", "command_key_v1", "approval_v1")
    ]
