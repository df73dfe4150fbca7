"""What a house posts, with its guards. Not reversible: versions are never unmade."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0003_guards'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PostedTable',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=20)),
                ('name', models.CharField(max_length=60)),
                ('version', models.PositiveIntegerField()),
                ('data', models.JSONField()),
                ('data_hash', models.BinaryField(max_length=32)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('requested', 'requested'), ('approved', 'approved'), ('rejected', 'rejected'), ('withdrawn', 'withdrawn')], default='draft', max_length=9)),
                ('starts', models.CharField(choices=[('day', 'day'), ('next_epoch', 'next_epoch')], max_length=10)),
                ('in_force_from', models.DateField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('released_at', models.DateTimeField(editable=False, null=True)),
                ('approval', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.approval')),
                ('drafted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('house', 'kind', 'name', 'version'), name='posted_version_once'), models.UniqueConstraint(condition=models.Q(('state', 'approved')), fields=('house', 'kind', 'name', 'in_force_from'), name='posted_start_once'), models.CheckConstraint(condition=models.Q(('state__in', ('draft', 'requested', 'approved', 'rejected', 'withdrawn'))), name='posted_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('in_force_from', None), ('starts', 'next_epoch')), models.Q(('in_force_from__isnull', False), ('starts', 'day')), models.Q(('starts', 'day'), models.Q(('state__in', ['requested', 'approved']), _negated=True)), _connector='OR'), name='posted_start_stated')],
            },
        ),
        migrations.RunSQL(read_sql("posted_table_v1")),
    ]
