"""Prizes from the house's threshold up wait for an approval. Not reversible."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0006_signs_of_life'),
        ('payouts', '0009_matrix'),
    ]

    operations = [
        migrations.CreateModel(
            name='WaitingPrize',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('source_id', models.UUIDField()),
                ('round_id', models.UUIDField()),
                ('revision', models.PositiveSmallIntegerField()),
                ('place', models.PositiveSmallIntegerField()),
                ('table_id', models.UUIDField()),
                ('box', models.PositiveSmallIntegerField()),
                ('guest_id', models.UUIDField()),
                ('kind', models.CharField(max_length=20)),
                ('amount_minor', models.BigIntegerField()),
                ('dealers', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, size=None)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('awarded', 'awarded'), ('dropped', 'dropped')], default='waiting', max_length=8)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='award',
            name='award_kind_known',
        ),
        migrations.RemoveField(
            model_name='award',
            name='revision',
        ),
        migrations.AddField(
            model_name='waitingprize',
            name='hit',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='prizes', to='jackpot.hit'),
        ),
        migrations.AddField(
            model_name='waitingprize',
            name='house',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house'),
        ),
        migrations.AddField(
            model_name='waitingprize',
            name='jackpot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot'),
        ),
        migrations.AddField(
            model_name='award',
            name='prize',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='award', to='jackpot.waitingprize'),
        ),
        migrations.AddConstraint(
            model_name='award',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('claim__isnull', False), ('hit__isnull', False), ('kind', 'share'), ('prize', None)), models.Q(('claim', None), ('kind', 'late'), ('prize', None)), models.Q(('claim', None), ('kind', 'prize'), ('prize__isnull', False)), _connector='OR'), name='award_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='waitingprize',
            constraint=models.UniqueConstraint(fields=('source_id', 'revision', 'round_id', 'place'), name='waiting_prize_once'),
        ),
        migrations.AddConstraint(
            model_name='waitingprize',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor__gt', 0)), name='waiting_prize_pays'),
        ),
        migrations.RunSQL(read_sql("prize_v1", "jackpot")),
    ]
