"""A reset takes the PIN and the sign-ins on tablets with it; who ever took part pays no slip. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0022_seeds")]

    operations = [migrations.RunSQL(read_sql("person_v6", "casino"))]
