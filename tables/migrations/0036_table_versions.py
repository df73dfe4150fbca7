"""Tables change as versions, which houses that were opened before have signed by the same line. Not reversible."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from payouts.sql import read_sql

ADD = "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)"
# action, signers, roles, proof, life in seconds
LINE = ("table.change", 2, ["technician", "manager", "auditor"], "totp", 86_400)


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0021_answers_last'),
        ('tables', '0035_begun_hands'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='version',
            field=models.SmallIntegerField(db_default=1),
        ),
        migrations.AddField(
            model_name='table',
            name='retired',
            field=models.BooleanField(db_default=False),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='table_version',
            field=models.SmallIntegerField(db_default=1),
        ),
        migrations.CreateModel(
            name='TableVersion',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('position', models.PositiveSmallIntegerField()),
                ('boxes', models.PositiveSmallIntegerField()),
                ('posted', models.JSONField()),
                ('retired', models.BooleanField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('approval', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.approval')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('pit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.pit')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='tables.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='table_version_once'), models.UniqueConstraint(fields=('approval',), name='table_version_once_by_its_approval'), models.CheckConstraint(condition=models.Q(('boxes__gte', 1), ('boxes__lte', 22)), name='table_version_boxes_sane')],
            },
        ),
        *(
            migrations.RunSQL(read_sql(name, "tables"))
            for name in ("floor_v2", "table_version_v1", "contribution_v2", "round_v11")
        ),
        migrations.RunSQL([(ADD, LINE)]),
    ]
