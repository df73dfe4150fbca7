"""Stakes after the lock that were a mistake: a row that takes another one back, and the call that writes it. Not reversible."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0017_unanswered'),
        ('tables', '0015_later_stakes'),
    ]

    operations = [
        migrations.AddField(
            model_name='roundstake',
            name='takes_back',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name='roundstake',
            constraint=models.UniqueConstraint(condition=models.Q(('takes_back__isnull', False)), fields=('round', 'takes_back'), name='round_stake_back_once'),
        ),
        migrations.AddConstraint(
            model_name='roundstake',
            constraint=models.CheckConstraint(condition=models.Q(('takes_back', None), models.Q(('accepted_minor', 0), ('takes_back__gt', 0), ('takes_back__lt', models.F('placed'))), _connector='OR'), name='round_stake_takes_back'),
        ),
        *(migrations.RunSQL(read_sql(name, "tables")) for name in ("take_back_v1", "round_v7")),
    ]
