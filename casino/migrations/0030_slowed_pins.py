"""Wrong PINs at a tablet that its croupier attends are slowed down. Reversible."""

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0029_seals")]

    operations = [
        migrations.CreateModel(
            name="SlowedPin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=30)),
                ("failures", models.PositiveSmallIntegerField()),
                ("until", models.DateTimeField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("place", "name"), name="slowed_pin_once")]},
        ),
    ]
