"""Drop boxes are counted at tables; what lies in one that was taken stays there. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0026_drop_counts'),
        ('tables', '0044_differences'),
    ]

    operations = [
        migrations.RunSQL(read_sql("counting_v2", "tables")),
    ]
