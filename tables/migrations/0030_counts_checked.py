"""What 0029 asks of chips of stays holds for those that stand: looked at beside whoever plays."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('tables', '0029_stack_counts'),
    ]

    operations = [
        ValidateConstraint(model_name='staychips', name='stay_chips_known'),
    ]
