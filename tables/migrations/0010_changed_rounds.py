"""The pit's page reads again the few rounds that were put right. Reversible."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0013_hit_plans'),
        ('payouts', '0017_unanswered'),
        ('tables', '0009_authors'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='round',
            index=models.Index(condition=models.Q(('state__in', ['voided', 'reopened', 'withdrawn']), ('revision__gt', 1), _connector='OR'), fields=['session'], name='round_changed'),
        ),
    ]
