"""A prize whose slip was cancelled unpaid may be asked for, and awarded, again: a trigger keeps what a unique key kept. Not reversible."""

import django.db.models.deletion
from django.db import migrations, models

from payouts.sql import read_sql

# What a correction took back after its slip was cancelled is owed no more: until now it kept the state of an award.
_DROPPED = """
    UPDATE public.jackpot_waitingprize p SET state = 'dropped' WHERE p.state = 'awarded'
        AND NOT EXISTS (SELECT FROM public.jackpot_award a LEFT JOIN public.jackpot_slip s ON s.award_id = a.id
                        WHERE a.prize_id = p.id AND s.state IS DISTINCT FROM 'cancelled')
        AND EXISTS (SELECT FROM public.payouts_transfer t JOIN public.payouts_transfer b ON b.reverses_id = t.id
                    WHERE t.house_id = p.house_id AND t.key = CASE WHEN p.source_id = p.round_id
                        THEN 'round:' || p.round_id || ':settle:' || p.revision ELSE 'envy:' || p.id END);
"""


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0010_asked_since"), ("payouts", "0015_meter_base")]
    operations = [
        migrations.AlterField(
            model_name="award",
            name="prize",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="awards",
                to="jackpot.waitingprize",
            ),
        ),
        *(migrations.RunSQL(read_sql(name, "jackpot")) for name in ("prize_v2", "award_v3")),
        migrations.RunSQL(_DROPPED),
    ]
