"""A hand-over knows the round that it came in or after. Not reversible."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0012_displays")]
    operations = [
        migrations.AddField(
            model_name="handover",
            name="last_round",
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="handover",
            name="running",
            field=models.BooleanField(editable=False, null=True),
        ),
    ]
