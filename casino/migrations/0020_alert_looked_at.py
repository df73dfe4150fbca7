"""Who took part in what an alert is about does not acknowledge it. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('casino', '0019_rule_edges'),
    ]

    operations = [
        migrations.RunSQL(read_sql("alert_v2", "casino")),
    ]
