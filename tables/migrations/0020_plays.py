"""How a table is entered, its game says: the database knows the form of an entry level alone."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0019_stakes_put_right'),
    ]

    operations = [
        migrations.AlterField(
            model_name='tablesession',
            name='entry_level',
            field=models.CharField(max_length=12),
        ),
        migrations.RemoveConstraint(
            model_name='tablesession',
            name='table_session_level_known',
        ),
        AddConstraintNotValid(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(('entry_level__regex', '^[a-z_]+$')), name='table_session_level_named'),
        ),
    ]
