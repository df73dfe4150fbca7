"""Hands whose pots are entered: their seats, pots and shares. Not reversible."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0021_answers_last'),
        ('tables', '0026_hands'),
    ]

    operations = [
        migrations.CreateModel(
            name='HandPot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('amount_minor', models.BigIntegerField()),
                ('rake_minor', models.BigIntegerField()),
                ('seats', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), size=None)),
                ('hand', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='pots', to='tables.hand')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.CreateModel(
            name='HandSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('stack_minor', models.BigIntegerField()),
                ('ante_minor', models.BigIntegerField()),
                ('live_minor', models.BigIntegerField()),
                ('dead_minor', models.BigIntegerField()),
                ('returned_minor', models.BigIntegerField()),
                ('won_minor', models.BigIntegerField()),
                ('booked_minor', models.BigIntegerField()),
                ('folded', models.BooleanField()),
                ('hand', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tables.hand')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('stay', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hand_seats', to='tables.pokerstay')),
            ],
        ),
        migrations.CreateModel(
            name='HandShare',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('half', models.CharField(max_length=5)),
                ('seat', models.PositiveSmallIntegerField()),
                ('amount_minor', models.BigIntegerField()),
                ('odd_minor', models.BigIntegerField()),
                ('hand', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='shares', to='tables.hand')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='hand',
            name='hand_level_known',
        ),
        migrations.RemoveConstraint(
            model_name='handresult',
            name='hand_result_posted',
        ),
        migrations.AddField(
            model_name='handresult',
            name='entered',
            field=models.JSONField(null=True),
        ),
        AddConstraintNotValid(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('entry_level__in', ('rake_only', 'pots'))), name='hand_level_known'),
        ),
        AddConstraintNotValid(
            model_name='handresult',
            constraint=models.CheckConstraint(condition=models.Q(('rake_minor', 0), ('transfer__isnull', False), _connector='OR'), name='hand_result_rake_posted'),
        ),
        migrations.AddConstraint(
            model_name='handpot',
            constraint=models.UniqueConstraint(fields=('hand', 'revision', 'number'), name='hand_pot_once'),
        ),
        migrations.AddConstraint(
            model_name='handpot',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor__gt', 0), ('number__gt', 0), ('rake_minor__gte', 0), ('rake_minor__lte', models.F('amount_minor')), ('seats__len__gte', 1)), name='hand_pot_sane'),
        ),
        migrations.AddConstraint(
            model_name='handseat',
            constraint=models.UniqueConstraint(fields=('hand', 'revision', 'seat'), name='hand_seat_once'),
        ),
        migrations.AddConstraint(
            model_name='handseat',
            constraint=models.UniqueConstraint(fields=('hand', 'revision', 'stay'), name='hand_stay_once'),
        ),
        migrations.AddConstraint(
            model_name='handseat',
            constraint=models.CheckConstraint(condition=models.Q(ante_minor__gte=0, dead_minor__gte=0, live_minor__gte=0, returned_minor__gte=0, returned_minor__lte=models.F('ante_minor') + models.F('live_minor'), seat__gt=0, stack_minor__gte=models.F('ante_minor') + models.F('live_minor') + models.F('dead_minor'), won_minor__gte=0) & (models.Q(folded=False) | models.Q(won_minor=0)), name='hand_seat_sane'),
        ),
        migrations.AddConstraint(
            model_name='handshare',
            constraint=models.UniqueConstraint(fields=('hand', 'revision', 'number', 'half', 'seat'), name='hand_share_once'),
        ),
        migrations.AddConstraint(
            model_name='handshare',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor__gte', models.F('odd_minor')), ('half__in', ('whole', 'high', 'low')), ('odd_minor__gte', 0)), name='hand_share_sane'),
        ),
        migrations.RunSQL(read_sql("pot_v1", "tables")),
    ]
