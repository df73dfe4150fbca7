"""What 0036 asks of sessions holds for those that stand: looked at beside whoever plays."""

from django.db import migrations


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('tables', '0036_table_versions'),
    ]

    operations = [
        migrations.RunSQL("ALTER TABLE public.tables_tablesession VALIDATE CONSTRAINT session_version_of_table"),
    ]
