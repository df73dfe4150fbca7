import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('casino', '0002_heartbeats'),
        ('payouts', '0006_columns'),
        ('tables', '0002_guards'),
    ]

    operations = [
        migrations.CreateModel(
            name='DeviceCode',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40, verbose_name='name')),
                ('handle', models.CharField(max_length=4)),
                ('proof', models.BinaryField(max_length=32)),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='wrong tries')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='made')),
                ('expires_at', models.DateTimeField(verbose_name='good until')),
                ('ended_at', models.DateTimeField(editable=False, null=True, verbose_name='ended')),
                ('ended_as', models.CharField(blank=True, choices=[('used', 'used'), ('expired', 'expired'), ('spent', 'spent'), ('replaced', 'replaced')], max_length=8, verbose_name='how it ended')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table', verbose_name='table')),
            ],
            options={
                'verbose_name': 'enrolment code',
                'verbose_name_plural': 'enrolment codes',
            },
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('tablet', 'tablet'), ('feed', 'card feed')], max_length=6, verbose_name='kind')),
                ('name', models.CharField(max_length=40, verbose_name='name')),
                ('token_hash', models.BinaryField(max_length=32, unique=True)),
                ('enrolled_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='enrolled')),
                ('last_seen_at', models.DateTimeField(editable=False, null=True, verbose_name='last seen')),
                ('revoked_at', models.DateTimeField(editable=False, null=True, verbose_name='revoked')),
                ('revoked_reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('enrolled_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='enrolled by')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('revoked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='revoked by')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table', verbose_name='table')),
                ('code', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.devicecode')),
            ],
            options={
                'verbose_name': 'device',
                'verbose_name_plural': 'devices',
            },
        ),
        migrations.CreateModel(
            name='DeviceSession',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('began_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='began')),
                ('expires_at', models.DateTimeField(verbose_name='good until')),
                ('ended_at', models.DateTimeField(editable=False, null=True, verbose_name='ended')),
                ('ended_as', models.CharField(blank=True, choices=[('signed_out', 'signed_out'), ('replaced', 'replaced'), ('revoked', 'revoked'), ('expired', 'expired'), ('freed', 'freed'), ('barred', 'barred')], max_length=10, verbose_name='how it ended')),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='casino.device', verbose_name='device')),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='ended by')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'sign-in on a device',
                'verbose_name_plural': 'sign-ins on devices',
            },
        ),
        migrations.AddConstraint(
            model_name='devicecode',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('handle',), name='device_code_handle_once'),
        ),
        migrations.AddConstraint(
            model_name='devicecode',
            constraint=models.UniqueConstraint(fields=('id', 'house', 'table'), name='device_code_of_table'),
        ),
        migrations.AddConstraint(
            model_name='devicecode',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_as', ''), ('ended_at', None)), models.Q(('ended_as__in', ['used', 'expired', 'spent', 'replaced']), ('ended_at__isnull', False)), _connector='OR'), name='device_code_ended'),
        ),
        migrations.AddConstraint(
            model_name='device',
            constraint=models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('table', 'kind', 'name'), name='device_name_once'),
        ),
        migrations.AddConstraint(
            model_name='device',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('code__isnull', False), ('kind', 'tablet')), models.Q(('code', None), ('kind', 'feed')), _connector='OR'), name='device_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='device',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('revoked_at', None), ('revoked_by', None), ('revoked_reason', '')), models.Q(('revoked_at__isnull', False), ('revoked_by__isnull', False), models.Q(('revoked_reason', ''), _negated=True)), _connector='OR'), name='device_revoked_by'),
        ),
        migrations.AddIndex(
            model_name='devicesession',
            index=models.Index(fields=['device', '-began_at'], name='device_session_recent'),
        ),
        migrations.AddConstraint(
            model_name='devicesession',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('device',), name='device_session_one_open'),
        ),
        migrations.AddConstraint(
            model_name='devicesession',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_as', ''), ('ended_at', None)), models.Q(('ended_as__in', ['signed_out', 'replaced', 'revoked', 'expired', 'freed', 'barred']), ('ended_at__isnull', False)), _connector='OR'), name='device_session_ended'),
        ),
        migrations.RunSQL(read_sql("device_v1", "casino")),
    ]
