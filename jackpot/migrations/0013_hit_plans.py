"""The audits look up the hit and the gate of a moment. Reversible."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0012_standstill'),
        ('payouts', '0017_unanswered'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='gate',
            index=models.Index(condition=models.Q(('state', 'passed')), fields=['jackpot', 'ended_at'], name='gate_passed'),
        ),
        migrations.AddIndex(
            model_name='hit',
            index=models.Index(fields=['jackpot', 'begun_at'], name='hit_begun'),
        ),
    ]
