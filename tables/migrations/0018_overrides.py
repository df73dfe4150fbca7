"""What management decides against the rules, and who signs it in houses that were opened before. Not reversible: the line stays."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

ADD = "SELECT matrix_line_add_v1(%s, %s, %s, %s, %s)"
LINE = ("round.override", 1, ["pit_boss", "manager"], "totp", 3_600)  # action, signers, roles, proof, life in seconds


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0017_unanswered'),
        ('tables', '0017_irregularities'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Override',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('box', models.PositiveSmallIntegerField()),
                ('rules_minor', models.BigIntegerField()),
                ('amount_minor', models.BigIntegerField()),
                ('reason', models.CharField(max_length=500)),
                ('approval_id', models.UUIDField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('guest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.guest')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('requested_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='overrides', to='tables.round')),
                ('transfer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.transfer')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('approval_id',), name='override_once_by_its_approval'), models.UniqueConstraint(fields=('transfer',), name='override_once_posted'), models.CheckConstraint(condition=models.Q(('amount_minor__gt', 0), ('rules_minor__gte', 0)), name='override_pays')],
            },
        ),
        migrations.RunSQL([(ADD, LINE)]),
    ]
