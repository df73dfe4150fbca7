"""Refused sign-ins are counted. Reversible."""

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('casino', '0013_audit_marks'),
    ]

    operations = [
        migrations.CreateModel(
            name='Refusals',
            fields=[
                ('what', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('count', models.PositiveIntegerField()),
            ],
        ),
    ]
