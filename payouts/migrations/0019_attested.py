"""Signatures bear the step of their code, and an HMAC; those from before have neither. Not reversible."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0018_rejected")]
    operations = [
        migrations.AddField(
            model_name="approvalsignature",
            name="step",
            field=models.BigIntegerField(null=True, verbose_name="time step of the code"),
        ),
        migrations.AddField(
            model_name="approvalsignature",
            name="ordinal",
            field=models.SmallIntegerField(null=True, verbose_name="which of the code's signatures"),
        ),
        migrations.AddField(
            model_name="approvalsignature",
            name="mac",
            field=models.BinaryField(max_length=32, null=True, verbose_name="proof of the program"),
        ),
        migrations.RunSQL(read_sql("approval_v2")),
    ]
