"""What the pit is told and acknowledges, and who took a shift over. Not reversible."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('casino', '0006_seal_runs'),
        ('payouts', '0011_account_place'),
    ]

    operations = [
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=30)),
                ('subject', models.CharField(max_length=120)),
                ('data', models.JSONField()),
                ('raised_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('over_at', models.DateTimeField(editable=False, null=True)),
                ('acknowledged_at', models.DateTimeField(editable=False, null=True)),
                ('acknowledged_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('over_at', None), ('acknowledged_at', None), _connector='OR'), fields=['house'], name='alert_shown')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('over_at', None)), fields=('house', 'kind', 'subject'), name='alert_once_at_a_time'), models.CheckConstraint(condition=models.Q(models.Q(('acknowledged_at', None), ('acknowledged_by', None)), models.Q(('acknowledged_at__isnull', False), ('acknowledged_by__isnull', False)), _connector='OR'), name='alert_acknowledged_by')],
            },
        ),
        migrations.CreateModel(
            name='ShiftHandOver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('was_open', models.JSONField()),
                ('note', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('given_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('taken_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('house', 'number'), name='shift_hand_over_once')],
            },
        ),
        migrations.RunSQL(read_sql("alert_v1", "casino")),
    ]
