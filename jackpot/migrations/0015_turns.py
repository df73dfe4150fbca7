"""What came first is told by counters, not by a clock. Not reversible."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0014_plans'),
        ('payouts', '0017_unanswered'),
    ]

    operations = [
        migrations.AlterField(
            model_name="jackpot",
            name="incarnation",
            field=models.BigIntegerField(default=1),
        ),
        migrations.RemoveIndex(
            model_name='gate',
            name='gate_passed',
        ),
        migrations.RemoveIndex(
            model_name='hit',
            name='hit_begun',
        ),
        migrations.RemoveIndex(
            model_name='runninground',
            name='running_round_at',
        ),
        migrations.AddField(
            model_name='gate',
            name='ended_turn',
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='gate',
            name='phase_number',
            field=models.BigIntegerField(db_default=-1, editable=False),
        ),
        migrations.AddField(
            model_name='hit',
            name='begun_turn',
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='jackpot',
            name='phase_number',
            field=models.BigIntegerField(db_default=0, editable=False),
        ),
        migrations.AddField(
            model_name='runninground',
            name='begun_turn',
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='runninground',
            name='ended_turn',
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddIndex(
            model_name='gate',
            index=models.Index(condition=models.Q(('state', 'passed')), fields=['jackpot', 'ended_turn'], name='gate_turn'),
        ),
        migrations.AddIndex(
            model_name='hit',
            index=models.Index(fields=['jackpot', 'begun_turn'], name='hit_turn'),
        ),
        migrations.AddIndex(
            model_name='runninground',
            index=models.Index(fields=['table_id', 'begun_turn'], name='running_round_turn'),
        ),
        migrations.RunSQL(read_sql("jackpot_v4", "jackpot")),
    ]
