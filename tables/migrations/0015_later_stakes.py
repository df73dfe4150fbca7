"""Stakes that come after the lock: their number in the round and whose stake they go with; the call that writes one. Not reversible."""

import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0017_unanswered'),
        ('tables', '0014_review_item'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='roundstake',
            name='round_stake_once',
        ),
        migrations.RemoveConstraint(
            model_name='roundstake',
            name='round_stake_adds_up',
        ),
        migrations.AddField(
            model_name='roundstake',
            name='placed',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='roundstake',
            name='source',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.guest'),
        ),
        migrations.AddConstraint(
            model_name='roundstake',
            constraint=models.UniqueConstraint(fields=('round', 'revision', 'box', 'kind', 'guest', 'placed'), name='round_stake_once'),
        ),
        migrations.AddConstraint(
            model_name='roundstake',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('placed', 0), ('source', None)), models.Q(('placed__gt', 0), ('revision', 0), ('source__isnull', False)), _connector='OR'), name='round_stake_placed'),
        ),
        migrations.AddConstraint(
            model_name='roundstake',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('offered_minor__gt', 0), models.Q(('kind', 'even_money'), ('offered_minor', 0), ('placed__gt', 0)), _connector='OR'), ('accepted_minor__gte', 0), ('offered_minor', django.db.models.expressions.CombinedExpression(models.F('accepted_minor'), '+', models.F('returned_minor'))), ('returned_minor__gte', 0)), name='round_stake_adds_up'),
        ),
        *(migrations.RunSQL(read_sql(name, "tables")) for name in ("place_v1", "round_v6")),
    ]
