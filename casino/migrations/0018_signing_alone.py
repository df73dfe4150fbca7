"""Who was barred a moment ago counts among those who could sign for a role; one does it alone by a superuser's word. Not reversible."""

from django.db import migrations

from payouts.sql import read_sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0016_authenticators")]
    operations = [migrations.RunSQL(read_sql("person_v4", "casino"))]
