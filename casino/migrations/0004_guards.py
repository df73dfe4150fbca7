"""Who a person is stays, and what an audit found. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0003_devices")]
    operations = [migrations.RunSQL(read_sql(name, "casino")) for name in ("person_v1", "audit_run_v1")]
