"""The progressive jackpot."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('payouts', '0006_columns'),
    ]

    operations = [
        migrations.CreateModel(
            name='Epoch',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('seed_minor', models.BigIntegerField()),
                ('remainder_minor', models.BigIntegerField(default=0)),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('funding', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.postedtable')),
                ('house', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.postedtable')),
            ],
        ),
        migrations.CreateModel(
            name='Jackpot',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60)),
                ('progressive', models.CharField(max_length=60)),
                ('funding', models.CharField(max_length=60)),
                ('offline_linked', models.CharField(choices=[('stop', 'stop'), ('play_flagged', 'play_flagged')], default='stop', max_length=12)),
                ('phase', models.CharField(choices=[('open', 'open'), ('draining', 'draining'), ('verifying', 'verifying'), ('showing', 'showing'), ('suspended', 'suspended'), ('closed', 'closed'), ('retired', 'retired')], default='open', max_length=9)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('epoch', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.epoch')),
                ('house', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.AddField(
            model_name='epoch',
            name='jackpot',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='epochs', to='jackpot.jackpot'),
        ),
        migrations.CreateModel(
            name='RunningRound',
            fields=[
                ('round_id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('table_id', models.UUIDField()),
                ('coins', models.JSONField()),
                ('started_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('ended_as', models.CharField(blank=True, max_length=8)),
                ('epoch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.epoch')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('jackpot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
            ],
        ),
        migrations.CreateModel(
            name='Contribution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table_id', models.UUIDField()),
                ('round_id', models.UUIDField()),
                ('coins', models.SmallIntegerField()),
                ('meter_minor', models.BigIntegerField()),
                ('reserve_minor', models.BigIntegerField()),
                ('house_minor', models.BigIntegerField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('reverses', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.contribution')),
                ('epoch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.epoch')),
            ],
            options={
                'indexes': [models.Index(fields=['epoch', 'table_id'], name='contribution_epoch'), models.Index(fields=['round_id'], name='contribution_round')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('coins__gt', 0), ('house_minor__gte', 0), ('meter_minor__gte', 0), ('reserve_minor__gte', 0), ('reverses', None)), models.Q(('coins__lt', 0), ('house_minor__lte', 0), ('meter_minor__lte', 0), ('reserve_minor__lte', 0), ('reverses__isnull', False)), _connector='OR'), name='contribution_sign')],
            },
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.UniqueConstraint(fields=('house', 'name'), name='jackpot_name_once'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.UniqueConstraint(fields=('id', 'house'), name='jackpot_of_house'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('phase__in', ('open', 'draining', 'verifying', 'showing', 'suspended', 'closed', 'retired'))), name='jackpot_phase_known'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('offline_linked__in', ['stop', 'play_flagged'])), name='jackpot_offline_known'),
        ),
        migrations.AddConstraint(
            model_name='epoch',
            constraint=models.UniqueConstraint(fields=('jackpot', 'number'), name='epoch_once'),
        ),
        migrations.AddConstraint(
            model_name='epoch',
            constraint=models.CheckConstraint(condition=models.Q(('remainder_minor__gte', 0), ('seed_minor__gte', 0)), name='epoch_not_negative'),
        ),
        migrations.AddIndex(
            model_name='runninground',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['jackpot'], name='running_round_running'),
        ),
        migrations.AddConstraint(
            model_name='runninground',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_as', ''), ('ended_at', None)), models.Q(('ended_as__in', ('settled', 'voided', 'reopened')), ('ended_at__isnull', False)), _connector='OR'), name='running_round_ended'),
        ),
        migrations.AddConstraint(
            model_name='runninground',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('table_id',), name='running_round_one_per_table'),
        ),
    ]
