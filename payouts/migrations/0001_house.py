"""The house first: people refer to it, and the books refer to people."""

import uuid

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        migrations.CreateModel(
            name="House",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=80, unique=True)),
                ("currency", models.CharField(max_length=3)),
                ("locale", models.CharField(default="de-CH", max_length=10)),
                ("time_zone", models.CharField(default="Europe/Zurich", max_length=40)),
                ("gaming_day_change", models.TimeField(default="06:00")),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("currency__regex", "^[A-Z]{3}$")), name="house_currency_iso"
                    )
                ],
            },
        ),
    ]
