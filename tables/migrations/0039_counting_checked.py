"""What 0038 asks of sessions holds for those that stand: looked at beside whoever plays."""

from django.db import migrations

VALIDATE = "ALTER TABLE public.tables_tablesession VALIDATE CONSTRAINT {}"


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('tables', '0038_counting'),
    ]

    operations = [
        migrations.RunSQL(VALIDATE.format(name))
        for name in (
            "session_opener_of_house",
            "session_closer_of_house",
            "session_counting_of_house",
        )
    ]
