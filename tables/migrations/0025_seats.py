"""Guests at the seats of poker tables, and their chips. Not reversible."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0018_rejected'),
        ('tables', '0024_closing'),
    ]

    operations = [
        migrations.CreateModel(
            name='PokerStay',
            fields=[
                ('guest', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='stay', serialize=False, to='tables.guest')),
                ('time_from', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('began_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('away_since', models.DateTimeField(editable=False, null=True)),
                ('left_at', models.DateTimeField(editable=False, null=True)),
                ('came_from', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='continues', to='tables.pokerstay')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.CreateModel(
            name='StayChips',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('buy_in', 'buy_in'), ('top_up', 'top_up'), ('tip', 'tip'), ('time', 'time'), ('moved_in', 'moved_in'), ('moved_out', 'moved_out'), ('out', 'out')], max_length=9)),
                ('means', models.CharField(blank=True, max_length=5)),
                ('amount_minor', models.BigIntegerField()),
                ('half_hours', models.PositiveSmallIntegerField(null=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('stay', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chips', to='tables.pokerstay')),
                ('transfer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
            ],
        ),
        migrations.AddConstraint(
            model_name='pokerstay',
            constraint=models.UniqueConstraint(fields=('guest', 'house'), name='stay_of_house'),
        ),
        migrations.AddConstraint(
            model_name='staychips',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount_minor__gt', 0), ('half_hours', None), ('kind__in', ['buy_in', 'top_up']), ('means__in', ('cash', 'chips'))), models.Q(('amount_minor__gt', 0), ('half_hours', None), ('kind', 'tip'), ('means__in', ('stack', 'chips'))), models.Q(('amount_minor__gte', 0), ('half_hours__gt', 0), ('kind', 'time'), ('means__in', ('stack', 'chips'))), models.Q(('amount_minor__gte', 0), ('half_hours', None), ('kind__in', ['moved_in', 'moved_out', 'out']), ('means', '')), _connector='OR'), name='stay_chips_known'),
        ),
        migrations.AddConstraint(
            model_name='staychips',
            constraint=models.CheckConstraint(condition=models.Q(('transfer__isnull', False), ('amount_minor', 0), _connector='OR'), name='stay_chips_posted'),
        ),
        migrations.AddConstraint(
            model_name='staychips',
            constraint=models.UniqueConstraint(fields=('stay', 'transfer'), name='stay_chips_once_posted'),
        ),
        migrations.AddConstraint(
            model_name='staychips',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', ['buy_in', 'moved_in'])), fields=('stay',), name='stay_chips_begin_once'),
        ),
        migrations.AddConstraint(
            model_name='staychips',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', ['moved_out', 'out'])), fields=('stay',), name='stay_chips_end_once'),
        ),
        migrations.AddIndex(
            model_name='pokerstay',
            index=models.Index(condition=models.Q(('left_at', None)), fields=['guest'], name='stay_open'),
        ),
        migrations.RunSQL(read_sql("stay_v1", "tables")),
    ]
