"""What management pays for a fault at a poker table, and who signs it in houses that were opened before. Not reversible: the line stays."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql

ADD = "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)"
LINE = ("poker.override", 1, ["pit_boss", "manager"], "pin", 3_600)  # action, signers, roles, proof, life in seconds


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0021_answers_last'),
        ('tables', '0033_hand_irregularities'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HandOverride',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('won_minor', models.BigIntegerField()),
                ('amount_minor', models.BigIntegerField()),
                ('reason', models.CharField(max_length=500)),
                ('approval_id', models.UUIDField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('hand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='overrides', to='tables.hand')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('requested_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('stay', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.pokerstay')),
                ('transfer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('approval_id',), name='hand_override_once_by_its_approval'), models.UniqueConstraint(fields=('transfer',), name='hand_override_once_posted'), models.CheckConstraint(condition=models.Q(('amount_minor__gt', 0), ('seat__gt', 0), ('won_minor__gte', 0)), name='hand_override_pays')],
            },
        ),
        migrations.RunSQL(read_sql("hand_override_v1", "tables")),
        migrations.RunSQL([(ADD, LINE)]),
    ]
