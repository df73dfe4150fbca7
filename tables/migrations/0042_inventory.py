"""The first inventory: one approval changes every table, each once, by its number. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0024_chips'),
        ('tables', '0040_buyins_and_tips'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tableversion',
            name='table_version_once_by_its_approval',
        ),
        *(migrations.RunSQL(read_sql(name, "tables")) for name in ("table_version_v2", "inventory_v1")),
    ]
