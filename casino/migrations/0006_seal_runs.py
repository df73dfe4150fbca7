"""How far sealing came, and keeping the heads of seals elsewhere."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0005_displays")]
    operations = [
        migrations.CreateModel(
            name="SealRun",
            fields=[
                ("what", models.CharField(max_length=7, primary_key=True, serialize=False)),
                ("number", models.BigIntegerField()),
                ("at", models.DateTimeField(editable=False)),
                ("failed", models.CharField(blank=True, max_length=200)),
            ],
        ),
    ]
