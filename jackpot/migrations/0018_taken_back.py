"""A payment is taken back within a minute by who made it. Not reversible."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0017_coins_need_a_display'),
        ('payouts', '0017_unanswered'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='TakenBack',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('paid_at', models.DateTimeField(editable=False)),
                ('cash_minor', models.BigIntegerField()),
                ('transfer_id', models.BigIntegerField()),
                ('reason', models.CharField(max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('paid_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='taken_back', to='jackpot.slip')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.RunSQL(read_sql("slip_v1", "jackpot")),
    ]
