"""The rounds of a moment are looked up by table; sums of all coins are kept. Reversible."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0013_hit_plans'),
        ('payouts', '0017_unanswered'),
    ]

    operations = [
        migrations.CreateModel(
            name='Fed',
            fields=[
                ('epoch', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpot.epoch')),
                ('upto', models.BigIntegerField()),
                ('coins', models.BigIntegerField()),
                ('minor', models.BigIntegerField()),
            ],
        ),
        migrations.AddIndex(
            model_name='runninground',
            index=models.Index(fields=['table_id', 'started_at'], name='running_round_at'),
        ),
    ]
