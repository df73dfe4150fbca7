import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('payouts', '0001_house'),
    ]

    operations = [
        migrations.CreateModel(
            name='Person',
            fields=[
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('username', models.CharField(help_text='2 to 30 small letters, digits, dots, hyphens; the first is a letter.', max_length=30, unique=True, verbose_name='sign-in name')),
                ('full_name', models.CharField(max_length=80, verbose_name='full name')),
                ('roles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None, verbose_name='roles')),
                ('language', models.CharField(blank=True, choices=[('de', 'Deutsch'), ('en', 'English'), ('fr', 'Français'), ('it', 'Italiano')], max_length=5, verbose_name='language')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('is_demo', models.BooleanField(default=False, editable=False, verbose_name='demo person')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='created')),
                ('signed_in_at', models.DateTimeField(editable=False, null=True, verbose_name='last sign-in')),
                ('initial_password_until', models.DateTimeField(editable=False, null=True)),
                ('sign_in_failures', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('sign_in_locked_until', models.DateTimeField(editable=False, null=True, verbose_name='sign-in locked until')),
                ('sessions_void', models.PositiveIntegerField(default=0, editable=False)),
                ('pin', models.CharField(blank=True, editable=False, max_length=128)),
                ('pin_failures', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('pin_locked_at', models.DateTimeField(editable=False, null=True, verbose_name='PIN locked since')),
                ('house', models.ForeignKey(blank=True, help_text='Empty only for a manager of the whole installation.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='people', to='payouts.house', verbose_name='house')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
                'ordering': ['full_name', 'username'],
                'constraints': [models.CheckConstraint(condition=models.Q(('username__regex', '^[a-z][a-z0-9._-]{1,29}$')), name='person_username_plain'), models.CheckConstraint(condition=models.Q(('roles__contained_by', ['croupier', 'pit_boss', 'cage', 'auditor', 'surveillance', 'technician', 'manager']), ('roles__len__gte', 1)), name='person_roles_known'), models.CheckConstraint(condition=models.Q(('house__isnull', False), ('roles__contains', ['manager']), _connector='OR'), name='person_house_or_manager'), models.CheckConstraint(condition=models.Q(('language__in', ['', 'de', 'en', 'fr', 'it'])), name='person_language_known')],
            },
        ),
    ]
