"""The first inventory: one approval changes every table, while all are closed. Not reversible."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0024_chips'),
        ('tables', '0039_counting_checked'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tableversion',
            name='table_version_once_by_its_approval',
        ),
        migrations.AddConstraint(
            model_name='tableversion',
            constraint=models.UniqueConstraint(fields=('approval', 'table'), name='table_version_once_an_approval'),
        ),
        *(migrations.RunSQL(read_sql(name, "tables")) for name in ("table_version_v2", "inventory_v1")),
    ]
