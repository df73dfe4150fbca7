"""The gaming day changes while houses are closed, and on a whole minute. A house that says otherwise has to be looked at first."""

from datetime import time

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("payouts", "0006_columns")]
    operations = [
        migrations.AddConstraint(
            model_name="house",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    gaming_day_change__gte=time(4), gaming_day_change__lte=time(12), gaming_day_change__second=0
                ),
                name="house_gaming_day_change",
            ),
        ),
    ]
