"""Authenticators whose secrets are sealed; those from before are sealed when they are used, or by the worker within the hour."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0015_idle"),
        ("otp_totp", "0003_add_timestamps"),
    ]

    operations = [
        migrations.CreateModel(
            name="Authenticator",
            fields=[],
            options={"proxy": True, "default_permissions": (), "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        ),
    ]
