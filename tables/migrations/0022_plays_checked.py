"""What 0020 and 0021 ask of new rows holds for those that stand: each looked at in a transaction of its own, beside whoever plays."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('tables', '0021_stakes_without_chips'),
    ]

    operations = [
        ValidateConstraint(model_name='roundstake', name='round_stake_adds_up'),
        ValidateConstraint(model_name='tablesession', name='table_session_level_named'),
        ValidateConstraint(model_name='reviewitem', name='to_clarify_play_known'),
    ]
