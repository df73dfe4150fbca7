"""What came after a signed count. Not reversible."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0024_chips'),
    ]

    operations = [
        migrations.CreateModel(
            name='CountBack',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject_kind', models.CharField(max_length=20)),
                ('subject_id', models.UUIDField()),
                ('amount_minor', models.BigIntegerField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('count', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='backs', to='payouts.count')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('transfer', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('amount_minor', 0), _negated=True), name='count_back_moves')],
            },
        ),
        migrations.RunSQL(read_sql("count_back_v1")),
    ]
