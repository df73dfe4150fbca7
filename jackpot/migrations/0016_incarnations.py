"""Books know their incarnation and their server, slips the incarnation that they were made in. Not reversible."""

import django.db.models.functions.datetime
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0015_turns'),
    ]

    operations = [
        migrations.AddField(
            model_name='slip',
            name='incarnation',
            field=models.BigIntegerField(db_default=1, editable=False),
        ),
        migrations.CreateModel(
            name='Incarnation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.BigIntegerField(editable=False)),
                ('how', models.CharField(choices=[('begun', 'begun'), ('restored', 'restored'), ('promoted', 'promoted')], max_length=8)),
                ('system_identifier', models.BigIntegerField(editable=False)),
                ('timeline', models.IntegerField(editable=False)),
                ('lost_head', models.CharField(blank=True, db_default='', max_length=64)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('how__in', ['begun', 'restored', 'promoted'])), name='incarnation_how_known')],
            },
        ),
        migrations.RunSQL(read_sql("incarnation_v1", "jackpot")),
        migrations.RunSQL(read_sql("award_v4", "jackpot")),
        migrations.RunSQL("INSERT INTO public.jackpot_incarnation (how) VALUES ('begun')"),
    ]
