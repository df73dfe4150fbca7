"""All stacks of a table are counted. Not reversible."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0021_answers_last'),
        ('tables', '0028_pots_checked'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StackCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('last_hand', models.PositiveIntegerField()),
                ('counted_minor', models.BigIntegerField()),
                ('missing_minor', models.BigIntegerField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('counted_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stack_counts', to='tables.tablesession')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('counted_minor__gte', 0)), name='stack_count_sane')],
            },
        ),
        migrations.RemoveConstraint(
            model_name='staychips',
            name='stay_chips_known',
        ),
        migrations.AlterField(
            model_name='staychips',
            name='kind',
            field=models.CharField(choices=[('buy_in', 'buy_in'), ('top_up', 'top_up'), ('tip', 'tip'), ('time', 'time'), ('moved_in', 'moved_in'), ('moved_out', 'moved_out'), ('counted', 'counted'), ('out', 'out')], max_length=9),
        ),
        AddConstraintNotValid(
            model_name='staychips',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount_minor__gt', 0), ('half_hours', None), ('kind__in', ['buy_in', 'top_up']), ('means__in', ('cash', 'chips'))), models.Q(('amount_minor__gt', 0), ('half_hours', None), ('kind', 'tip'), ('means__in', ('stack', 'chips'))), models.Q(('amount_minor__gte', 0), ('half_hours__gt', 0), ('kind', 'time'), ('means__in', ('stack', 'chips'))), models.Q(('amount_minor__gte', 0), ('half_hours', None), ('kind__in', ['moved_in', 'moved_out', 'out']), ('means', '')), models.Q(('half_hours', None), ('kind', 'counted'), ('means', '')), _connector='OR'), name='stay_chips_known'),
        ),
    ]
