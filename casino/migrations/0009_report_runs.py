"""Reports that the worker makes."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('casino', '0008_verify_runs'),
        ('payouts', '0012_seals'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReportRun',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=30)),
                ('asked', models.JSONField()),
                ('form', models.CharField(max_length=10)),
                ('language', models.CharField(max_length=5)),
                ('key', models.CharField(max_length=64)),
                ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='queued', max_length=7)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('alive_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('lines', models.BigIntegerField(default=0)),
                ('expected', models.BigIntegerField(null=True)),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('file_name', models.CharField(blank=True, max_length=200)),
                ('failed', models.CharField(blank=True, max_length=60)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ('queued', 'running'))), fields=('key',), name='report_run_once'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('state__in', ('queued', 'running'))), models.Q(('ended_at__isnull', False), ('state__in', ['done', 'failed'])), _connector='OR'), name='report_run_ended')],
            },
        ),
    ]
