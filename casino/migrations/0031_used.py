"""The server knows when a tablet was last used."""

from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0030_slowed_pins")]

    operations = [
        migrations.AddField(
            model_name="devicesession",
            name="used_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="last used"),
        ),
        migrations.RunSQL(read_sql("device_v4", "casino")),
    ]
