"""The floor."""

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('jackpot', '0001_jackpot'),
        ('payouts', '0006_columns'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Guest',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('box', models.PositiveSmallIntegerField(null=True)),
                ('seated', models.BooleanField(default=False)),
                ('distance', models.PositiveSmallIntegerField(default=0)),
                ('arrived_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('left_at', models.DateTimeField(editable=False, null=True)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.CreateModel(
            name='Pit',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40)),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField(null=True)),
                ('state', models.CharField(choices=[('locked', 'locked'), ('settled', 'settled'), ('voided', 'voided'), ('reopened', 'reopened'), ('withdrawn', 'withdrawn')], max_length=9)),
                ('entry_level', models.CharField(blank=True, max_length=12)),
                ('revision', models.PositiveSmallIntegerField(default=0)),
                ('versions', models.JSONField(null=True)),
                ('lock_hash', models.BinaryField(max_length=32, null=True)),
                ('queued', models.BooleanField(default=False)),
                ('locked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('croupier', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('epoch', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.epoch')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('jackpot', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
            ],
        ),
        migrations.CreateModel(
            name='CardFeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_id', models.UUIDField(null=True)),
                ('cards', models.JSONField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='feeds', to='tables.round')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RoundLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('place', models.PositiveSmallIntegerField()),
                ('box', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('stake_minor', models.BigIntegerField()),
                ('returned_minor', models.BigIntegerField()),
                ('won_minor', models.BigIntegerField()),
                ('prize_minor', models.BigIntegerField()),
                ('odds', models.CharField(blank=True, max_length=12)),
                ('hand', models.CharField(blank=True, max_length=20)),
                ('paid_by', models.CharField(max_length=5)),
                ('code', models.CharField(max_length=40)),
                ('rule', models.CharField(max_length=10)),
                ('guest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.guest')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='tables.round')),
            ],
        ),
        migrations.CreateModel(
            name='RoundResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('source', models.CharField(max_length=5)),
                ('result', models.JSONField()),
                ('approval_id', models.UUIDField(null=True)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('entered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='tables.round')),
            ],
        ),
        migrations.CreateModel(
            name='RoundStake',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField(default=0)),
                ('box', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('offered_minor', models.BigIntegerField()),
                ('accepted_minor', models.BigIntegerField()),
                ('returned_minor', models.BigIntegerField(default=0)),
                ('rank', models.PositiveSmallIntegerField(null=True)),
                ('reason', models.CharField(blank=True, max_length=30)),
                ('rule', models.CharField(blank=True, max_length=10)),
                ('data', models.JSONField(null=True)),
                ('standing', models.JSONField(null=True)),
                ('guest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.guest')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='stakes', to='tables.round')),
            ],
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40)),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('game', models.CharField(max_length=20)),
                ('boxes', models.PositiveSmallIntegerField()),
                ('posted', models.JSONField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('jackpot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('pit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tables.pit')),
            ],
        ),
        migrations.AddField(
            model_name='round',
            name='table',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='tables.table'),
        ),
        migrations.CreateModel(
            name='TableSession',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('gaming_day', models.DateField()),
                ('entry_level', models.CharField(choices=[('jackpot_only', 'jackpot_only'), ('fast', 'fast'), ('full_cards', 'full_cards')], max_length=12)),
                ('versions', models.JSONField()),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('closed_at', models.DateTimeField(editable=False, null=True)),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('croupier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='tables.table')),
            ],
        ),
        migrations.AddField(
            model_name='table',
            name='session',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.tablesession'),
        ),
        migrations.AddField(
            model_name='round',
            name='session',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='tables.tablesession'),
        ),
        migrations.CreateModel(
            name='HandOver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('from_croupier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('to_croupier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hand_overs', to='tables.tablesession')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='guest',
            name='session',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='guests', to='tables.tablesession'),
        ),
        migrations.CreateModel(
            name='ToClarify',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('round_id', models.UUIDField()),
                ('kind', models.CharField(max_length=20)),
                ('payload', models.JSONField()),
                ('code', models.CharField(max_length=60)),
                ('data', models.JSONField(null=True)),
                ('received_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('state', models.CharField(default='open', max_length=9)),
                ('closed_at', models.DateTimeField(editable=False, null=True)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('sent_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
            ],
        ),
        migrations.AddConstraint(
            model_name='pit',
            constraint=models.UniqueConstraint(fields=('house', 'name'), name='pit_name_once'),
        ),
        migrations.AddConstraint(
            model_name='pit',
            constraint=models.UniqueConstraint(fields=('id', 'house'), name='pit_of_house'),
        ),
        migrations.AddConstraint(
            model_name='roundline',
            constraint=models.UniqueConstraint(fields=('round', 'revision', 'place'), name='round_line_once'),
        ),
        migrations.AddConstraint(
            model_name='roundline',
            constraint=models.CheckConstraint(condition=models.Q(('prize_minor__gte', 0), ('returned_minor__gte', 0), ('returned_minor__lte', models.F('stake_minor')), ('stake_minor__gte', 0), ('won_minor__gte', 0)), name='round_line_sane'),
        ),
        migrations.AddConstraint(
            model_name='roundresult',
            constraint=models.UniqueConstraint(fields=('round', 'revision'), name='round_result_once'),
        ),
        migrations.AddConstraint(
            model_name='roundresult',
            constraint=models.CheckConstraint(condition=models.Q(('source__in', ('cards', 'taps', 'coins'))), name='round_result_source'),
        ),
        migrations.AddConstraint(
            model_name='roundstake',
            constraint=models.UniqueConstraint(fields=('round', 'revision', 'box', 'kind', 'guest'), name='round_stake_once'),
        ),
        migrations.AddConstraint(
            model_name='roundstake',
            constraint=models.CheckConstraint(condition=models.Q(('accepted_minor__gte', 0), ('offered_minor', django.db.models.expressions.CombinedExpression(models.F('accepted_minor'), '+', models.F('returned_minor'))), ('offered_minor__gt', 0), ('returned_minor__gte', 0)), name='round_stake_adds_up'),
        ),
        migrations.AddIndex(
            model_name='tablesession',
            index=models.Index(fields=['house', 'gaming_day'], name='table_session_day'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('table',), name='table_session_one_open'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.UniqueConstraint(fields=('id', 'table'), name='table_session_of_table'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(('entry_level__in', ('jackpot_only', 'fast', 'full_cards'))), name='table_session_level_known'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None)), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False)), _connector='OR'), name='table_session_closed_by'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(fields=('house', 'name'), name='table_name_once'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(fields=('id', 'house'), name='table_of_house'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('boxes__gte', 1), ('boxes__lte', 22)), name='table_boxes_sane'),
        ),
        migrations.AddIndex(
            model_name='round',
            index=models.Index(fields=['table', 'locked_at'], name='round_of_table'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('session', 'number'), name='round_number_once'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'locked')), fields=('table',), name='round_one_locked'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ('locked', 'settled', 'voided', 'reopened', 'withdrawn'))), name='round_state_known'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('number', None), ('session', None), ('state', 'withdrawn')), models.Q(models.Q(('state', 'withdrawn'), _negated=True), ('croupier__isnull', False), ('entry_level__in', ('jackpot_only', 'fast', 'full_cards')), ('lock_hash__isnull', False), ('number__isnull', False), ('session__isnull', False), ('versions__isnull', False)), _connector='OR'), name='round_complete'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('state', 'locked')), models.Q(models.Q(('state', 'locked'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='round_ended'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('epoch', None), ('jackpot', None)), models.Q(('epoch__isnull', False), ('jackpot__isnull', False)), _connector='OR'), name='round_epoch_of_jackpot'),
        ),
        migrations.AddConstraint(
            model_name='guest',
            constraint=models.UniqueConstraint(fields=('session', 'number'), name='guest_number_once'),
        ),
        migrations.AddConstraint(
            model_name='guest',
            constraint=models.UniqueConstraint(condition=models.Q(('box__isnull', False), ('left_at', None)), fields=('session', 'box'), name='guest_one_owner_per_box'),
        ),
        migrations.AddIndex(
            model_name='toclarify',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['house'], name='to_clarify_open'),
        ),
        migrations.AddConstraint(
            model_name='toclarify',
            constraint=models.UniqueConstraint(fields=('house', 'round_id', 'kind'), name='to_clarify_once'),
        ),
        migrations.AddConstraint(
            model_name='toclarify',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None), ('state', 'open')), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False), ('state__in', ['taken', 'dismissed'])), _connector='OR'), name='to_clarify_closed'),
        ),
    ]
