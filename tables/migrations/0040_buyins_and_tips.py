"""What guests pay for chips at a table and give to the staff, and what is taken back of it. Not reversible."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0021_answers_last'),
        ('tables', '0039_counting_checked'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BuyIn',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('amount_minor', models.BigIntegerField()),
                ('queued_at', models.DateTimeField(null=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('box', models.PositiveSmallIntegerField(null=True)),
                ('croupier', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to='tables.tablesession')),
                ('stay_chips', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.staychips')),
                ('transfer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
            ],
        ),
        migrations.CreateModel(
            name='Tip',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('amount_minor', models.BigIntegerField()),
                ('queued_at', models.DateTimeField(null=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('croupier', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to='tables.tablesession')),
                ('stay_chips', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.staychips')),
                ('transfer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
            ],
        ),
        migrations.CreateModel(
            name='EntryReversal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('buy_in', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='taken_back', to='tables.buyin')),
                ('by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('transfer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
                ('tip', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='taken_back', to='tables.tip')),
            ],
        ),
        migrations.AddConstraint(
            model_name='buyin',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor__gt', 0), models.Q(('box', None), models.Q(('box__gte', 1), ('box__lte', 22)), _connector='OR')), name='buyin_sane'),
        ),
        migrations.AddConstraint(
            model_name='tip',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor__gt', 0)), name='tip_sane'),
        ),
        migrations.AddConstraint(
            model_name='entryreversal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('buy_in', None), ('tip__isnull', False)), models.Q(('buy_in__isnull', False), ('tip', None)), _connector='OR'), name='taken_back_either'),
        ),
        migrations.RunSQL(read_sql("cash_v1", "tables")),
    ]
