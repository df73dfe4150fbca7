"""What comes after the lock and brings no chips has its name in its game alone."""

import django.db.models.expressions
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0020_plays'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='roundstake',
            name='round_stake_adds_up',
        ),
        AddConstraintNotValid(
            model_name='roundstake',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('offered_minor__gt', 0), models.Q(('offered_minor', 0), ('placed__gt', 0)), _connector='OR'), ('accepted_minor__gte', 0), ('offered_minor', django.db.models.expressions.CombinedExpression(models.F('accepted_minor'), '+', models.F('returned_minor'))), ('returned_minor__gte', 0)), name='round_stake_adds_up'),
        ),
    ]
