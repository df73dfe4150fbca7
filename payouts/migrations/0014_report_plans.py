"""Reports: an account is added up from its index alone; the transfers of a gaming day are found by their blocks (docs/PLANS.md)."""

import django.contrib.postgres.indexes
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0013_audit_desk'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='entry',
            name='entry_version_once',
        ),
        migrations.AddIndex(
            model_name='transfer',
            index=django.contrib.postgres.indexes.BrinIndex(fields=['gaming_day'], name='transfer_day', pages_per_range=32),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('account', 'account_version'), include=('transfer', 'amount_minor'), name='entry_version_once'),
        ),
    ]
