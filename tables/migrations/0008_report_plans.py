"""Reports: rounds, results and lines that are few are found without reading the many (docs/PLANS.md)."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0008_award_again'),
        ('payouts', '0014_report_plans'),
        ('tables', '0007_last_number'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='round',
            index=models.Index(condition=models.Q(('state__in', ['voided', 'reopened', 'withdrawn']), ('queued', True), _connector='OR'), fields=['table', 'locked_at'], name='round_otherwise'),
        ),
        migrations.AddIndex(
            model_name='roundline',
            index=models.Index(condition=models.Q(('won_minor__gte', 25000), ('prize_minor__gte', 25000), _connector='OR'), fields=['round'], name='round_line_large'),
        ),
        migrations.AddIndex(
            model_name='roundresult',
            index=models.Index(condition=models.Q(('revision__gt', 1)), fields=['round'], name='round_result_corrected'),
        ),
    ]
