"""The server knows of a tablet whether its page is stored, and how many entries lie on it."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0032_verified_by_night")]

    operations = [
        migrations.AddField(
            model_name="device",
            name="page_stored",
            field=models.BooleanField(editable=False, null=True, verbose_name="page stored"),
        ),
        migrations.AddField(
            model_name="device",
            name="unsent",
            field=models.SmallIntegerField(
                editable=False, null=True, verbose_name="entries not sent"
            ),
        ),
        migrations.RunSQL(read_sql("device_v5", "casino")),
    ]
