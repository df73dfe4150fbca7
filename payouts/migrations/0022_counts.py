"""Counts by the piece. Not reversible."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

from payouts.sql import read_sql


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0021_answers_last'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Count',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('place_kind', models.CharField(choices=[('tray', 'tray')], max_length=10)),
                ('place_id', models.UUIDField()),
                ('session_id', models.UUIDField(null=True)),
                ('purpose', models.CharField(choices=[('opener', 'opener'), ('closer', 'closer'), ('relief', 'relief'), ('drop', 'drop'), ('spot', 'spot'), ('suspicion', 'suspicion')], max_length=9)),
                ('gaming_day', models.DateField()),
                ('state', models.CharField(choices=[('begun', 'begun'), ('entered', 'entered'), ('again', 'again'), ('signed', 'signed'), ('given_up', 'given_up')], default='begun', max_length=8)),
                ('begun_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('begun_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.CreateModel(
            name='CountEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('value_minor', models.BigIntegerField()),
                ('entered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('count', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='payouts.count')),
                ('counter', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('posted', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.postedtable')),
            ],
        ),
        migrations.CreateModel(
            name='CountLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value_minor', models.BigIntegerField()),
                ('pieces', models.PositiveIntegerField()),
                ('entry', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='payouts.countentry')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
            ],
        ),
        migrations.CreateModel(
            name='CountSignature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recorded_minor', models.BigIntegerField(db_default=0)),
                ('difference_minor', models.BigIntegerField(db_default=0)),
                ('stands', models.BooleanField()),
                ('signed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('count', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='payouts.count')),
                ('counter', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='signature', to='payouts.countentry')),
                ('house', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payouts.house')),
                ('witness', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddIndex(
            model_name='count',
            index=models.Index(fields=['place_id', 'begun_at'], name='count_of_place'),
        ),
        migrations.AddIndex(
            model_name='count',
            index=models.Index(fields=['house', 'gaming_day'], name='count_day'),
        ),
        migrations.AddIndex(
            model_name='count',
            index=models.Index(fields=['session_id'], name='count_of_session'),
        ),
        migrations.AddConstraint(
            model_name='count',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('begun', 'entered', 'again'))), fields=('place_id', 'place_kind'), name='count_one_running'),
        ),
        migrations.AddConstraint(
            model_name='count',
            constraint=models.UniqueConstraint(fields=('id', 'house'), name='count_of_house'),
        ),
        migrations.AddConstraint(
            model_name='count',
            constraint=models.CheckConstraint(condition=models.Q(('place_kind__in', ['tray']), ('purpose__in', ['opener', 'closer', 'relief', 'drop', 'spot', 'suspicion'])), name='count_known'),
        ),
        migrations.AddConstraint(
            model_name='count',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None), ('state__in', ('begun', 'entered', 'again'))), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False), ('state__in', ['signed', 'given_up'])), _connector='OR'), name='count_ended_by'),
        ),
        migrations.AddConstraint(
            model_name='countentry',
            constraint=models.UniqueConstraint(fields=('count', 'number'), name='count_entry_once'),
        ),
        migrations.AddConstraint(
            model_name='countentry',
            constraint=models.UniqueConstraint(fields=('id', 'house'), name='count_entry_of_house'),
        ),
        migrations.AddConstraint(
            model_name='countentry',
            constraint=models.UniqueConstraint(fields=('id', 'count'), name='count_entry_of_its_count'),
        ),
        migrations.AddConstraint(
            model_name='countentry',
            constraint=models.CheckConstraint(condition=models.Q(('number__gt', 0), ('value_minor__gte', 0)), name='count_entry_sane'),
        ),
        migrations.AddConstraint(
            model_name='countline',
            constraint=models.UniqueConstraint(fields=('entry', 'value_minor'), name='count_line_once'),
        ),
        migrations.AddConstraint(
            model_name='countline',
            constraint=models.CheckConstraint(condition=models.Q(('pieces__gte', 0), ('pieces__lte', 100000), ('value_minor__gt', 0)), name='count_line_sane'),
        ),
        migrations.AddConstraint(
            model_name='countsignature',
            constraint=models.UniqueConstraint(fields=('count', 'stands'), name='count_signed_once'),
        ),
        migrations.AddConstraint(
            model_name='countsignature',
            constraint=models.CheckConstraint(condition=models.Q(('counter', models.F('witness')), _negated=True), name='count_two_people'),
        ),
        migrations.RunSQL(read_sql("count_v1")),
    ]
