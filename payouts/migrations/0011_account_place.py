"""The accounts of a table are found at once, however many a house and its epochs have."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("payouts", "0010_command_key")]
    operations = [
        migrations.AddIndex(
            model_name="account",
            index=models.Index(fields=["owner_id", "detail_id"], name="account_place"),
        ),
    ]
