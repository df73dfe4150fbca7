"""A tablet that nobody touches waits for the PIN of who is signed in."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0014_refusals"),
    ]

    operations = [
        migrations.AddField(
            model_name="devicesession",
            name="idle_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="asks for the PIN since"),
        ),
        migrations.RunSQL(read_sql("device_v3", "casino")),
    ]
