"""When work that runs by the clock was last done whole."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0005_matrix")]
    operations = [
        migrations.CreateModel(
            name="SignOfLife",
            fields=[
                ("kind", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("at", models.DateTimeField(editable=False)),
                ("worker", models.CharField(max_length=200)),
            ],
        )
    ]
