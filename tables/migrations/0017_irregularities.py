"""What went wrong in a round, and what was decided about it."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0017_unanswered'),
        ('tables', '0016_stakes_taken_back'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Irregularity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('decision', models.CharField(max_length=10)),
                ('box', models.PositiveSmallIntegerField(null=True)),
                ('hand', models.PositiveSmallIntegerField(null=True)),
                ('card', models.CharField(blank=True, max_length=2)),
                ('reason', models.CharField(max_length=500)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('recorded_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='irregularities', to='tables.round')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('hand', None), ('box__isnull', False), _connector='OR'), name='irregularity_hand_of_a_box')],
            },
        ),
    ]
