"""Of one round each different thing that came late is kept, not the first alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_guards")]
    operations = [
        migrations.RemoveConstraint(model_name="toclarify", name="to_clarify_once"),
        migrations.AddField(
            model_name="toclarify",
            name="payload_hash",
            field=models.BinaryField(default=b"", max_length=32),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="toclarify",
            constraint=models.UniqueConstraint(
                fields=("house", "round_id", "kind", "payload_hash"), name="to_clarify_once"
            ),
        ),
    ]
