"""Differences of counts, who signs what explains them in houses that were opened before. Not reversible: the line stays."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql

ADD = "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)"
LINE = ("difference.explain", 1, ["pit_boss", "manager"], "pin", 3_600)  # action, signers, roles, proof, life in seconds


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0025_count_backs'),
        ('tables', '0042_inventory'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Difference',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('gaming_day', models.DateField()),
                ('explain_from_minor', models.BigIntegerField()),
                ('report_from_minor', models.BigIntegerField()),
                ('state', models.CharField(choices=[('open', 'open'), ('explained', 'explained'), ('settled', 'settled')], default='open', max_length=9)),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('count', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='gap', to='payouts.count')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='differences', to='tables.table')),
            ],
        ),
        migrations.CreateModel(
            name='Explanation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('code', models.CharField(max_length=11)),
                ('amount_minor', models.BigIntegerField()),
                ('words_hash', models.BinaryField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('approval', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.approval')),
                ('difference', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='explanations', to='tables.difference')),
                ('explained_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.CreateModel(
            name='ExplanationWords',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('words', models.CharField(max_length=500)),
                ('gone_from', models.DateField(null=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('difference', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='words', to='tables.difference')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddIndex(
            model_name='difference',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['house'], name='difference_open'),
        ),
        migrations.AddIndex(
            model_name='difference',
            index=models.Index(fields=['house', 'gaming_day'], name='difference_day'),
        ),
        migrations.AddConstraint(
            model_name='difference',
            constraint=models.UniqueConstraint(fields=('id', 'house'), name='difference_of_house'),
        ),
        migrations.AddConstraint(
            model_name='difference',
            constraint=models.CheckConstraint(condition=models.Q(('explain_from_minor__gt', 0), ('report_from_minor__gte', models.F('explain_from_minor'))), name='difference_limits'),
        ),
        migrations.AddConstraint(
            model_name='explanation',
            constraint=models.CheckConstraint(condition=models.Q(('code__in', ['entry', 'payout', 'count', 'fill', 'buy_in', 'tip', 'false_money', 'theft', 'unknown'])), name='explanation_known'),
        ),
        migrations.RunSQL(read_sql("difference_v1", "tables")),
        migrations.RunSQL([(ADD, LINE)]),
    ]
