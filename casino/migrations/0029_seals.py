"""Two people sign that seals go on after a restore; a verification may have been asked for by
nobody. Not reversible.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ROLES = ["pit_boss", "manager", "auditor"]
LINE = ("SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)", ("seals.continue", 2, ROLES, "totp", 86_400))


class Migration(migrations.Migration):
    dependencies = [("casino", "0028_first_hand")]
    operations = [
        # the column alone: the field would make its foreign key anew
        migrations.RunSQL(
            "ALTER TABLE casino_verifyrun ALTER COLUMN asked_by_id DROP NOT NULL",
            state_operations=[
                migrations.AlterField(
                    model_name="verifyrun",
                    name="asked_by",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                )
            ],
        ),
        migrations.RunSQL([LINE]),
    ]
