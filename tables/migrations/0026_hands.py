"""Hands that guests play against one another, and the lines of the approval matrix about them. Not reversible."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql

ADD = "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)"
LINES = (  # action, signers, roles, proof, life in seconds
    ("poker.correct", 1, ["pit_boss", "manager"], "pin", 3_600),
    ("poker.void", 1, ["pit_boss", "manager"], "pin", 3_600),
)


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0018_rejected'),
        ('tables', '0025_seats'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Hand',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('ended', 'ended'), ('voided', 'voided')], default='ended', max_length=9)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('entry_level', models.CharField(max_length=12)),
                ('variant', models.CharField(max_length=20)),
                ('sent_hash', models.BinaryField(max_length=32)),
                ('queued', models.BooleanField(default=False)),
                ('ended_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('croupier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='tables.tablesession')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='tables.table')),
            ],
        ),
        migrations.CreateModel(
            name='HandResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('dealt', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ('flop', models.BooleanField()),
                ('walk', models.BooleanField()),
                ('pot_minor', models.BigIntegerField(null=True)),
                ('posted_minor', models.BigIntegerField(null=True)),
                ('rake_minor', models.BigIntegerField()),
                ('approval_id', models.UUIDField(null=True)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('entered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('hand', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='tables.hand')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('transfer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
            ],
        ),
        migrations.AddIndex(
            model_name='hand',
            index=models.Index(fields=['table', 'ended_at'], name='hand_of_table'),
        ),
        migrations.AddIndex(
            model_name='hand',
            index=models.Index(condition=models.Q(('state', 'voided'), ('revision__gt', 1), _connector='OR'), fields=['session'], name='hand_changed'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.UniqueConstraint(fields=('session', 'number'), name='hand_number_once'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.UniqueConstraint(fields=('id', 'house'), name='hand_of_house'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('number__gt', 0), ('revision__gt', 0), ('state__in', ['ended', 'voided'])), name='hand_state_known'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('entry_level__in', ('rake_only',))), name='hand_level_known'),
        ),
        migrations.AddConstraint(
            model_name='handresult',
            constraint=models.UniqueConstraint(fields=('hand', 'revision'), name='hand_result_once'),
        ),
        migrations.AddConstraint(
            model_name='handresult',
            constraint=models.CheckConstraint(condition=models.Q(('dealt__len__gte', 2)), name='hand_result_players'),
        ),
        migrations.AddConstraint(
            model_name='handresult',
            constraint=models.CheckConstraint(condition=models.Q(('rake_minor__gte', 0), models.Q(models.Q(('posted_minor', None), ('pot_minor', None)), models.Q(('posted_minor__gte', models.F('rake_minor')), ('posted_minor__lte', models.F('pot_minor')), ('pot_minor__gt', 0)), _connector='OR'), models.Q(('walk', False), ('rake_minor', 0), _connector='OR')), name='hand_result_rake'),
        ),
        migrations.AddConstraint(
            model_name='handresult',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('rake_minor', 0), ('transfer', None)), models.Q(('rake_minor__gt', 0), ('transfer__isnull', False)), _connector='OR'), name='hand_result_posted'),
        ),
        migrations.RunSQL(read_sql("hand_v1", "tables")),
        migrations.RunSQL([(ADD, line) for line in LINES]),
    ]
