"""What 0020 asks of new rows holds for those that stand: looked at in a transaction of its own, beside whoever plays."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0020_plays'),
    ]

    operations = [
        ValidateConstraint(model_name='roundstake', name='round_stake_adds_up'),
        ValidateConstraint(model_name='tablesession', name='table_session_level_named'),
        ValidateConstraint(model_name='reviewitem', name='to_clarify_play_known'),
    ]
