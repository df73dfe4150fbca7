"""What lies in a drop box is found from its account's entries. Not reversible."""

from django.db import migrations, models

from payouts.db.online import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0045_drop_counts")]
    operations = [
        AddIndexOnline(
            model_name="buyin",
            index=models.Index(fields=["transfer"], name="buyin_of_transfer"),
        ),
    ]
