"""Up to where audits have looked, and which looked at everything. Reversible."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('casino', '0012_tries'),
    ]

    operations = [
        migrations.AddField(
            model_name='auditrun',
            name='marks',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='auditrun',
            name='whole',
            field=models.BooleanField(db_default=True),
        ),
    ]
