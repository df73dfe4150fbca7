"""Stakes after the lock that come or fall away with a correction's result. Not reversible."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0017_unanswered'),
        ('tables', '0018_overrides'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='roundstake',
            name='round_stake_placed',
        ),
        migrations.AddConstraint(
            model_name='roundstake',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('placed', 0), ('source', None)), models.Q(('placed__gt', 0), ('source__isnull', False)), _connector='OR'), name='round_stake_placed'),
        ),
        migrations.RunSQL(read_sql("round_v8", "tables")),
    ]
