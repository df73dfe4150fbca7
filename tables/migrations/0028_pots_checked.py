"""What 0027 asks of hands holds for those that stand: looked at in a transaction of its own, beside whoever plays."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('tables', '0027_pots'),
    ]

    operations = [
        ValidateConstraint(model_name='hand', name='hand_level_known'),
        ValidateConstraint(model_name='handresult', name='hand_result_rake_posted'),
    ]
