"""Nobody makes themselves the only one who could see a sign-in that they set. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0023_resets")]

    operations = [migrations.RunSQL(read_sql("person_v7", "casino"))]
