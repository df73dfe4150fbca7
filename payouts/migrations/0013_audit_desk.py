"""Indexes by which the audit desk finds a person's acts and the transfers of a time."""

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0012_seals'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='event',
            name='actor',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['actor', 'id'], name='event_actor'),
        ),
        migrations.AddIndex(
            model_name='transfer',
            index=django.contrib.postgres.indexes.BrinIndex(fields=['posted_at'], name='transfer_at', pages_per_range=32),
        ),
    ]
