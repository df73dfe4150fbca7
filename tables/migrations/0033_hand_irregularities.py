"""What went wrong at a poker table, and what was decided about it. Not reversible."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0021_answers_last'),
        ('tables', '0032_corrections_checked'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HandIrregularity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('decision', models.CharField(max_length=20)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('card', models.CharField(blank=True, max_length=2)),
                ('override', models.BooleanField()),
                ('reason', models.CharField(max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('hand', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='irregularities', to='tables.hand')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('recorded_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hand_irregularities', to='tables.tablesession')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('seat', None), ('seat__gt', 0), _connector='OR'), name='hand_irregularity_seat')],
            },
        ),
        migrations.RunSQL(read_sql("hand_irregularity_v1", "tables")),
    ]
