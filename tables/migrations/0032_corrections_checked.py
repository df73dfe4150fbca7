"""What 0031 asks of results of hands holds for those that stand: looked at beside whoever plays."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('tables', '0031_corrections'),
    ]

    operations = [
        ValidateConstraint(model_name='handresult', name='hand_result_correction'),
    ]
