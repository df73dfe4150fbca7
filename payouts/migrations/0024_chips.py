"""Chips by the piece, and the first inventory; houses that run sign both by the lines of the matrix that new ones get.

Not reversible.
"""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from payouts.sql import read_sql

ADD = "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)"
# action, signers, roles, proof, life in seconds
LINES = (
    ("chips.issue", 1, ["cage", "manager"], "totp", 86_400),
    ("inventory.first", 2, ["manager", "auditor"], "totp", 14_400),
)


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0022_counts'),
    ]

    operations = [
        migrations.CreateModel(
            name='Inventory',
            fields=[
                ('house', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='payouts.house')),
                ('gaming_day', models.DateField()),
                ('difference_minor', models.BigIntegerField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.approval')),
                ('transfer', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
            ],
        ),
        migrations.CreateModel(
            name='ChipMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gaming_day', models.DateField()),
                ('kind', models.CharField(choices=[('issue', 'issue'), ('withdraw', 'withdraw'), ('inventory', 'inventory')], max_length=9)),
                ('value_minor', models.BigIntegerField()),
                ('pieces', models.PositiveIntegerField()),
                ('from_place', models.CharField(choices=[('stock', 'stock'), ('vault', 'vault')], max_length=5)),
                ('to_place', models.CharField(choices=[('stock', 'stock'), ('vault', 'vault')], max_length=5)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('approval', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='chip_moves', to='payouts.approval')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('transfer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='chip_moves', to='payouts.transfer')),
            ],
            options={
                'indexes': [models.Index(fields=['house', 'value_minor'], name='chip_move_of_house')],
                'constraints': [models.CheckConstraint(condition=models.Q(('pieces__gte', 1), ('value_minor__gte', 1)), name='chip_move_some'), models.CheckConstraint(condition=models.Q(models.Q(('from_place', 'stock'), ('kind', 'issue'), ('to_place', 'vault')), models.Q(('from_place', 'vault'), ('kind', 'withdraw'), ('to_place', 'stock')), models.Q(('from_place', 'stock'), ('kind', 'inventory'), ('to_place', 'vault')), models.Q(('from_place', 'vault'), ('kind', 'inventory'), ('to_place', 'stock')), _connector='OR'), name='chip_move_known')],
            },
        ),
        migrations.RunSQL(read_sql("chips_v1")),
        *(migrations.RunSQL([(ADD, line)]) for line in LINES),
    ]
