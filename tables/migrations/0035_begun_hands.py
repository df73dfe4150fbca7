"""Which hand was begun last in a session. Not reversible."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0021_answers_last'),
        ('tables', '0034_hand_overrides'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BegunHand',
            fields=[
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='tables.tablesession')),
                ('hand_id', models.UUIDField()),
                ('number', models.PositiveIntegerField()),
                ('after_hand', models.PositiveIntegerField()),
                ('button', models.PositiveSmallIntegerField()),
                ('variant', models.CharField(max_length=20)),
                ('dealt', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('abandoned', models.BooleanField(default=False)),
                ('begun_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('croupier', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
    ]
