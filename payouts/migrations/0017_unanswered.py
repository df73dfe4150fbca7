"""Answers are kept for thirty days; the audit finds commands without one among those of ten years. Not reversible."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0016_approval_lists")]
    operations = [
        migrations.AddField(
            model_name="commandkey",
            name="kept",
            field=models.BooleanField(db_default=True, verbose_name="answer kept"),
        ),
        migrations.AddIndex(
            model_name="commandkey",
            index=models.Index(condition=models.Q(("answer__isnull", True)), fields=["key"], name="command_unanswered"),
        ),
        migrations.AddIndex(
            model_name="commandkey",
            index=models.Index(condition=models.Q(("kept", True)), fields=["created_at"], name="command_kept"),
        ),
        migrations.RunSQL(read_sql("command_key_v3")),
    ]
