"""Verifications that were asked for at the audit desk. Not reversible."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('casino', '0007_alerts'),
    ]

    operations = [
        migrations.CreateModel(
            name='VerifyRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='waiting', max_length=7)),
                ('begun_at', models.DateTimeField(editable=False, null=True)),
                ('told_at', models.DateTimeField(editable=False, null=True)),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('done', models.PositiveIntegerField(default=0)),
                ('jobs', models.PositiveIntegerField(default=0)),
                ('seal', models.BigIntegerField(default=0)),
                ('ok', models.BooleanField(null=True)),
                ('checks', models.JSONField(null=True)),
                ('failed', models.CharField(blank=True, max_length=500)),
                ('asked_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'running'])), fields=('state',), name='verify_run_one_at_a_time'), models.CheckConstraint(condition=models.Q(models.Q(('checks__isnull', True), ('ended_at', None), ('ok', None), ('state__in', ['waiting', 'running'])), models.Q(('checks__isnull', False), ('ended_at__isnull', False), ('ok__isnull', False), ('state', 'done')), models.Q(('ended_at__isnull', False), ('ok', None), ('state', 'failed'), models.Q(('failed', ''), _negated=True)), _connector='OR'), name='verify_run_ended')],
            },
        ),
        migrations.RunSQL(read_sql("verify_run_v1", "casino")),
    ]
