"""What lies in a drop box is found from its account's entries."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0045_drop_counts'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='buyin',
            index=models.Index(fields=['transfer'], name='buyin_of_transfer'),
        ),
    ]
