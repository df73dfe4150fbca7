"""Which kind of correction puts a hand right. Not reversible."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0030_counts_checked'),
    ]

    operations = [
        migrations.AddField(
            model_name='handresult',
            name='correction',
            field=models.CharField(blank=True, db_default='', default='', max_length=11),
        ),
        AddConstraintNotValid(
            model_name='handresult',
            constraint=models.CheckConstraint(condition=models.Q(('correction', ''), models.Q(('correction__in', ('entry_wrong', 'award_moved')), ('revision__gt', 1)), _connector='OR'), name='hand_result_correction'),
        ),
    ]
